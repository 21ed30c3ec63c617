//! Sources whose types have traits of the file: an implementation that nothing needs goes, one that a call may mean
//! stays.

use crate::common::pruned;

#[test]
fn a_trait_that_one_type_needs_is_written_for_it() {
    let text = pruned(
        r"
        trait Layout { fn visits(word: u64) -> u64; fn twice(word: u64) -> u64 { Self::visits(word) * 2 } }
        struct Packed;
        impl Packed { fn visits(word: u64) -> u64 { word >> 32 } fn new() -> Packed { Packed } }
        impl Packed { fn id(&self) -> u64 { 7 } }
        impl Layout for Packed { fn visits(word: u64) -> u64 { Packed::visits(word) } }
        struct Narrow;
        impl Layout for Narrow { fn visits(word: u64) -> u64 { Packed::visits(word) + 1 } }
        fn read<L: Layout>(word: u64) -> u64 { L::twice(word) }
        fn main() {
            let word = std::env::args().count() as u64;
            println!('{} {}', read::<Narrow>(word << 33), Packed::new().id() + word);
        }"
        .replace('\'', "\"")
        .as_str(),
    );
    assert!(!text.contains("trait Layout") && !text.contains("<L:Layout>"), "{text}");
}

#[test]
fn a_type_that_dereferences_keeps_its_own_method() {
    pruned(
        r"
        use std::ops::Deref;
        trait Name { fn name(&self) -> u64; }
        struct Inner(u64);
        impl Name for Inner { fn name(&self) -> u64 { self.0 } }
        struct Outer(Inner);
        impl Name for Outer { fn name(&self) -> u64 { self.0.0 + 100 } }
        impl Deref for Outer { type Target = Inner; fn deref(&self) -> &Inner { &self.0 } }
        fn main() {
            let outer = Outer(Inner(std::env::args().count() as u64));
            println!('{} {}', outer.name(), outer.0.name());
        }"
        .replace('\'', "\"")
        .as_str(),
    );
}

#[test]
fn methods_are_told_apart_by_their_types_and_have_their_names_in_the_end() {
    let text = pruned(
        r#"
        use std::hint::black_box;
        struct Tree { nodes: Vec<u32> }
        struct Arena { free: u32 }
        struct Wrapper { tree: Tree }
        impl Tree {
            fn take(&mut self, _: u32, count: usize) -> Option<u32> { self.nodes.drain(..count).next() }
            fn count(&self) -> usize { self.nodes.len() }
        }
        impl Arena {
            fn take(&mut self, size: u32) -> Option<u32> { self.free -= size; Some(self.free).filter(|free| *free > 0) }
            fn count(&self) -> u32 { self.free }
            fn position(&self, at: u32) -> u32 { self.free - at }
        }
        impl Wrapper { fn tree(&mut self) -> &mut Tree { &mut self.tree } }
        fn main() {
            let mut wrapper = Wrapper { tree: Tree { nodes: vec![black_box(4), 5, 6, 7] } };
            let mut arena = Arena { free: black_box(9) };
            let iterated = [1, 2, 3].into_iter().filter(|&it| it > 1).take(1).count();
            let taken = (wrapper.tree().take(3, black_box(2)), Arena::take(&mut arena, 2), Tree::count(&wrapper.tree));
            let at = [3, 4].iter().position(|&it| it == arena.position(3));
            println!("{taken:?} {} {iterated} {at:?}", arena.count());
        }
        "#,
    );
    assert!(!text.contains("_boughs_of_") && !text.contains("_:u32"), "{text}");
}

#[test]
fn methods_of_two_traits_that_become_those_of_one_type_stay_apart() {
    pruned(
        r#"
        use std::any::Any;
        use std::hint::black_box;
        trait Position: Any { fn sum(&self) -> u32; fn as_any(&self) -> &dyn Any; }
        trait Session: Any { fn position(&self) -> &dyn Position; fn any(&self) -> &dyn Any; }
        impl dyn Position { fn get<T: Any>(&self) -> Option<&T> { self.as_any().downcast_ref() } }
        impl dyn Session { fn get<T: Any>(&self) -> Option<&T> { self.any().downcast_ref() } }
        struct Game(u32);
        impl Position for Game { fn sum(&self) -> u32 { self.0 } fn as_any(&self) -> &dyn Any { self } }
        impl Session for Game { fn position(&self) -> &dyn Position { self } fn any(&self) -> &dyn Any { self } }
        fn main() {
            let game = Game(black_box(3));
            let session: &dyn Session = &game;
            let found = session.position().get::<Game>().map(|game| game.0);
            println!("{found:?} {} {:?}", session.position().sum(), session.get::<Game>().map(|game| game.0 + 1));
        }
        "#,
    );
}

#[test]
fn an_own_method_with_the_name_of_a_method_of_all_ordered_types_stays_it() {
    pruned(
        r#"
        use std::hint::black_box;
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        struct Place { x: i32, y: i32 }
        impl Place { fn min(self, other: Place) -> Place { Place { x: self.x.min(other.x), y: self.y.min(other.y) } } }
        struct Range { low: i32 }
        impl Range { fn min(&self) -> i32 { self.low } }
        fn main() {
            let mut places = [Place { x: 4, y: 1 }, Place { x: black_box(3), y: 2 }];
            places.sort();
            println!("{}", places[0].x);
            let least = Place { x: black_box(1), y: 5 }.min(Place { x: 2, y: 3 });
            println!("{} {} {} {}", least.x, least.y, least < Place { x: 9, y: 9 }, Range { low: black_box(4) }.min());
        }
        "#,
    );
}
