//! Sources in which a trait has one implementation: they answer as before when it is gone.

use boughs_export::print::compact;
use boughs_export::single::instantiate;

use crate::common::answers;

/// Writes a source for the types that implement its traits, and compares what it prints.
fn instantiated(source: &str) -> String {
    let file = syn::parse_file(source).expect("a source");
    let text = compact(&instantiate(file, "2024").expect("a source that compiles"));
    assert_eq!(answers(source), answers(&text), "{text}");
    text
}

const SOURCE: &str = r#"
    use std::marker::PhantomData;
    trait Rules: Clone + 'static {
        type Action: Copy + Into<u32>;
        const LIMIT: u32 = 9;
        const NAME: &'static str;
        fn sum(&self, action: Self::Action) -> u32;
        fn all(&self) -> Vec<Self::Action>;
        fn twice(&self, action: Self::Action) -> u32 { 2 * self.sum(action) + Self::LIMIT }
    }
    #[derive(Clone)]
    struct Nim(u32);
    impl Rules for Nim {
        type Action = u8;
        const NAME: &'static str = "nim";
        fn sum(&self, action: u8) -> u32 { self.0 + u32::from(action) }
        fn all(&self) -> Vec<u8> { vec![1, 2] }
    }
    struct Node<'s, const N: usize, G: Rules, S> { game: &'s G, seen: [S; N], last: Option<G::Action> }
    type Pair<'s, G, S> = Node<'s, 2, G, S>;
    impl<'s, const N: usize, G: Rules, S: Copy> Node<'s, N, G, S> {
        fn new(game: &'s G, seen: [S; N]) -> Node<'s, N, G, S> { Node { game, seen, last: game.all().pop() } }
        fn value(&self) -> u32 {
            self.last.map_or(0, |last| self.game.twice(last) + <G::Action as Into<u32>>::into(last)) }
        fn first<T: From<S>>(&self) -> T { T::from(self.seen[0]) }
    }
    fn limit<G: Rules, const N: usize>() -> u32 { G::LIMIT + N as u32 }
    fn name<G>(_: PhantomData<G>) -> &'static str where G: Rules { G::NAME }
    fn count(rules: &impl Rules) -> usize { Rules::all(rules).len() }
    trait Position { fn total(&self) -> u32; fn copy(&self) -> Box<dyn Position>; }
    impl<G: Rules> Position for G {
        fn total(&self) -> u32 { self.all().iter().map(|&action| self.sum(action)).sum() }
        fn copy(&self) -> Box<dyn Position> { Box::new(self.clone()) }
    }
    impl Clone for Box<dyn Position> { fn clone(&self) -> Box<dyn Position> { self.copy() } }
    fn describe(position: &(dyn Position + 'static)) -> u32 { position.total() }
    fn main() {
        let nim = Nim(3);
        let pair: Pair<'_, Nim, u8> = Node::new(&nim, [4, 5]);
        println!("{} {} {} {}", pair.value(), pair.first::<u32>(), limit::<Nim, 7>(), name(PhantomData::<Nim>));
        let boxed: Box<dyn Position> = Box::new(nim.clone());
        println!("{} {} {}", count(&nim), describe(&*boxed.clone()), describe(&nim));
    }
"#;

#[test]
fn a_trait_with_one_implementation_goes() {
    let text = instantiated(SOURCE);
    for gone in ["Rules", "Position", "dyn", "G:", "Action"] {
        assert!(!text.contains(gone), "{gone} is still there: {text}");
    }
    assert!(text.contains("limit::<7>()"), "{text}");
}

#[test]
fn a_trait_stays_where_the_type_has_a_method_of_the_same_name() {
    let source = r#"
        trait Rules { fn size(&self) -> u32; }
        struct Nim;
        impl Nim { fn size(&self) -> u32 { 1 } }
        impl Rules for Nim { fn size(&self) -> u32 { 2 } }
        fn size<G: Rules>(game: &G) -> u32 { game.size() }
        fn main() { println!("{} {}", size(&Nim), Nim.size()); }
    "#;
    assert!(instantiated(source).contains("G:Rules"));
}

#[test]
fn traits_with_two_implementations_stay() {
    let text = instantiated(
        r#"
        trait Rules { fn size(&self) -> u32; }
        struct Nim;
        struct Hex;
        impl Rules for Nim { fn size(&self) -> u32 { 2 } }
        impl Rules for Hex { fn size(&self) -> u32 { 3 } }
        fn size<G: Rules>(game: &G) -> u32 { game.size() }
        fn main() { println!("{} {}", size(&Nim), size(&Hex)); }
        "#,
    );
    assert!(text.contains("G:Rules"), "{text}");
}

#[test]
fn a_type_that_is_the_only_argument_takes_the_place_of_its_parameter() {
    let text = instantiated(
        r#"
        trait Layout: Copy { type Word; const SIZE: u32; fn pack(size: u32) -> Self::Word;
            fn twice(size: u32) -> u32 { Self::SIZE * size } }
        #[derive(Clone, Copy)] struct Narrow;
        #[derive(Clone, Copy)] struct Wide;
        impl Layout for Narrow { type Word = [u32; 1]; const SIZE: u32 = 3; fn pack(size: u32) -> [u32; 1] { [size] } }
        impl Layout for Wide { type Word = u64; const SIZE: u32 = 5; fn pack(size: u32) -> u64 { u64::from(size) } }
        struct Tree<'t, L: Layout> { name: &'t str, word: L::Word, layout: std::marker::PhantomData<L> }
        type Look<'t, L> = fn(&Tree<'t, L>) -> u32;
        impl<'t, L: Layout> Tree<'t, L> {
            fn new(name: &'t str) -> Tree<'t, L> { Tree {
                name, word: L::pack(L::SIZE), layout: std::marker::PhantomData } }
            fn size(&self) -> u32 { L::twice(4) }
        }
        trait Worker<'s> { fn name(&self) -> &'s str; fn new(name: &'s str) -> Self;
            fn both(&self) -> (&'s str, usize) { (self.name(), 2) } }
        struct Plain<'w, L: Layout>(Tree<'w, L>);
        impl<'w, L: Layout> Worker<'w> for Plain<'w, L> {
            fn name(&self) -> &'w str { self.0.name }
            fn new(name: &'w str) -> Self { Plain(Tree::new(name)) }
        }
        fn run<'a, W: Worker<'a>>(name: &'a str) -> (&'a str, usize) { W::new(name).both() }
        fn main() {
            let tree = Tree::<'_, Narrow>::new("tree");
            let look: Look<'_, Narrow> = Tree::size;
            println!("{} {:?} {} {}", tree.name, tree.word, look(&tree), Wide::twice(Wide::SIZE));
            println!("{} {:?}", Wide::pack(9), run::<Plain<'_, Narrow>>("worker"));
        }
        "#,
    );
    for gone in ["Layout", "trait", "L>", "W:"] {
        assert!(!text.contains(gone), "{gone} is still there: {text}");
    }
}

#[test]
fn a_parameter_stays_where_a_method_is_used_for_another_type() {
    let text = instantiated(
        r#"
        trait Layout { const SIZE: u32; fn size() -> u32 { size::<Self>() } }
        struct Narrow;
        struct Wide;
        impl Layout for Narrow { const SIZE: u32 = 3; }
        impl Layout for Wide { const SIZE: u32 = 5; }
        fn size<L: Layout + ?Sized>() -> u32 { L::SIZE }
        fn main() { println!("{} {} {}", Narrow::size(), Wide::size(), size::<Narrow>()); }
        "#,
    );
    assert!(text.contains("L:Layout"), "{text}");
}
