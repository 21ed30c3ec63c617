//! Sources whose names are shortened: they answer as before.

use std::collections::BTreeSet;

use boughs_export::print::compact;
use boughs_export::shorten::shorten;

use crate::common::answers;

/// Shortens the names of a source, and compares what it prints.
fn shortened(source: &str) -> String {
    let file = syn::parse_file(source).expect("a source");
    let short = compact(&shorten(file.clone(), "2024", &mut BTreeSet::new()).expect("names can be shortened"));
    assert_eq!(answers(source), answers(&short), "{short}");
    short
}

#[test]
fn variables_of_every_function_have_the_same_letters() {
    let text = shortened(
        r#"
        const LIMIT: u32 = 7;
        const WIDTH: usize = 2;
        static NAME: &str = "name";
        struct Board { cells: [u32; WIDTH], count: u32 }
        struct Unit;
        enum Kind { Small, Large(u32), Named { size: u32 } }
        fn count(board: &Board) -> u32 { board.cells.iter().sum::<u32>() + board.count }
        fn name(kind: Kind) -> String {
            match kind {
                Kind::Small => format!("{NAME} {LIMIT}"),
                Kind::Large(LIMIT) => format!("{LIMIT:>width$} {other}", width = 3, other = NAME),
                Kind::Large(number) => { let width = 5; format!("{number:>width$}") }
                Kind::Named { size } => format!("{{size}} {size}"),
            }
        }
        fn first<const LENGTH: usize, Value: Copy>(values: [Value; LENGTH]) -> Option<Value> {
            values.iter().copied().find(|value| matches!((LENGTH, value), (length, _) if length == LENGTH))
        }
        impl Board {
            fn new(count: u32) -> Board { let cells = [1, 2]; Board { cells, count } }
            fn total(&self) -> u32 {
                let total = count(self);
                let count = |more: u32| { let total = total + more; total };
                let Board { cells, count: other } = self;
                count(cells[0]) + other
            }
        }
        fn main() {
            let _ = Unit;
            println!("{} {}", Board::new(3).total(), count(&Board::new(9)));
            for kind in [Kind::Small, Kind::Large(7), Kind::Large(8), Kind::Named { size: 3 }] {
                println!("{}", name(kind)); }
            let mut round = 0;
            let found = 'search: loop {
                round += 1;
                for round in 0..9 { if round == 4 { break 'search round; } }
            };
            println!("{found} {round} {:?}", first::<WIDTH, u8>([5, 6]));
        }
        "#,
    );
    for gone in ["Board", "cells", "kind", "number", "round", "total", "LIMIT", "Large", "Value", "LENGTH"] {
        assert!(!text.contains(gone), "{gone} is still there: {text}");
    }
    assert!(text.contains("let a="), "{text}");
}

#[test]
fn names_of_the_standard_library_stay() {
    let text = shortened(
        r#"
        use std::collections::VecDeque;
        struct Queue { start: u32, queue: VecDeque<u32> }
        impl Queue {
            fn len(&self) -> usize { self.queue.len() }
            fn sizes(&self) -> usize { self.len() }
        }
        macro_rules! double { ($value:expr) => { { let twice = $value * 2; twice } } }
        thread_local! { static COUNT: std::cell::Cell<u32> = const { std::cell::Cell::new(4) } }
        fn main() {
            let cell = Queue { start: 3, queue: VecDeque::new() };
            let range = cell.start..9;
            println!("{} {} {} {}", cell.sizes(), range.start, double!(cell.start), COUNT.with(std::cell::Cell::take));
        }
        "#,
    );
    assert!(!text.contains("Queue{") && !text.contains("sizes") && !text.contains("double"), "{text}");
}

#[test]
fn numbers_and_hints_take_little_room() {
    let text = shortened(
        r#"
        #[inline]
        fn golden() -> u64 { 0x9e37_79b9_7f4a_7c15 }
        #[must_use]
        #[inline(always)]
        fn few() -> [u32; 4] { [0xffff_ffff_u32, 1_000_000, 0b1111, 0o17] }
        #[inline(always)]
        fn once() -> u8 { 9 }
        #[inline(never)]
        fn parts() -> (f64, f32, i64, (u8, u8)) { (1_000.5, 2.5e-3_f32, -9_223_372_036_854_775_808, (1, 2)) }
        fn main() {
            let ((a, b, c, d), number) = (parts(), 0x10 as f64 + 3f64);
            println!("{} {:?} {:?} {a} {b} {c} {} {number} {}", golden(), few(), few(), d.1, once());
        }
        "#,
    );
    for number in ["0x9e3779b97f4a7c15", "4294967295u32,1000000,15,15", "1000.5", "16 as f64"] {
        assert!(text.replace('\n', "").contains(number), "{number} is missing: {text}");
    }
    assert!(text.matches("#[inline(always)]fn").count() == 1 && text.contains("#[inline(never)]fn"), "{text}");
    assert!(!text.contains("#[inline]") && !text.contains("must_use"), "{text}");
}

#[test]
fn blocks_of_one_type_are_one_and_self_is_a_letter() {
    let text = shortened(
        r#"
        struct Board { cells: [u32; 2], count: u32 }
        trait Sum { fn sum(&self) -> u32 { let others = 3;
            self.one() + self.one() * self.one() + self.one() + others } fn one(&self) -> u32; }
        impl Sum for Board { fn one(&self) -> u32 { self.count } }
        impl Board { fn first(&self) -> u32 { self.cells[0] } }
        fn between(board: &mut Board) -> &mut u32 { board.add(2); board.place() }
        impl Board {
            fn add(&mut self, more: u32) {
                self.count += more;
                let mut grow = |by: u32| self.cells[0] += by;
                grow(1);
                grow(2);
                self.cells[1] = self.first() + self.count;
                println!("{} {}", self.count, self.cells[1]);
            }
            fn place(&mut self) -> &mut u32 { self.count += 1; self.cells[0] = self.count;
                self.cells[1] += self.count; &mut self.count }
            fn total(mut self) -> u32 { self.count += 1; self.count += self.cells[0]; self.cells[1] = self.count;
                self.cells[1] }
        }
        fn main() {
            let mut board = Board { cells: [1, 2], count: 3 };
            *between(&mut board) += 5;
            println!("{} {}", board.sum(), board.total());
        }
        "#,
    );
    assert_eq!(text.replace('\n', " ").matches("impl ").count(), 2, "{text}");
    assert_eq!(text.matches("=self;").count(), 3, "{text}");
}

#[test]
fn calls_of_one_expression_are_written_out_where_that_says_the_same() {
    let text = shortened(
        r#"
        use std::hint::black_box;
        use std::ops::Deref;
        struct Padded<T>(T);
        impl<T> Deref for Padded<T> { type Target = T; fn deref(&self) -> &T { &self.0 } }
        struct Count(u32);
        impl Count { fn number(&self) -> u32 { self.0 } }
        struct Board { cells: Vec<u32>, count: Padded<Count>, seen: u32 }
        impl Board {
            fn cell_at(&self, at: usize) -> u32 { self.cells[at] }
            fn first_cell(&self) -> u32 { self.cell_at(0usize) }
            fn add_up(&mut self, more: u32) -> u32 { grow(&mut self.seen, more) }
        }
        fn grow(seen: &mut u32, more: u32) -> u32 { *seen += more; *seen }
        fn less(one: u32, other: u32) -> u32 { one - other }
        fn turned(one: u32, other: u32) -> u32 { less(other, one) }
        fn halved(number: u64) -> u64 { number << 31 >> 31 }
        fn said(number: u32) -> u32 { println!("{number}"); number }
        fn main() {
            let mut board = Board { cells: vec![black_box(5), 6], count: Padded(Count(black_box(7))), seen: 1 };
            println!("{} {}", board.first_cell(), board.count.number());
            println!("{} {}", board.add_up(2), turned(said(3), said(9)));
            println!("{} {}", turned(board.seen, 3 + board.seen), less(8u32, black_box(3)));
            println!("{}", halved(3));
        }
        "#,
    );
    assert!(!text.contains("usize)->u32"), "{text}");
}

#[test]
fn many_functions_that_are_always_inlined_share_a_macro() {
    let functions: String =
        (0..9).map(|at| format!("#[inline(always)] fn f{at}(n: u32) -> u32 {{ let m = n + {at}; m * n }}")).collect();
    let methods: String = (0..3)
        .map(|at| format!("#[inline(always)] fn m{at}(&self) -> u32 {{ let n = self.0 + {at}; n * n }}"))
        .collect();
    let calls = |name: &str, of: &str, count: usize| (0..count).map(|at| format!("{of}{name}{at}")).collect::<Vec<_>>();
    let free: Vec<String> = calls("f", "", 9).iter().map(|call| format!("{call}(3) + {call}(4)")).collect();
    let own: Vec<String> = calls("m", "own.", 3).iter().map(|call| format!("{call}() + {call}()")).collect();
    let text = shortened(&format!(
        "struct Own(u32); impl Own {{ {methods} fn other(&self) -> u32 {{ let n = self.0; n * n }} }} {functions}
        fn main() {{ let own = Own(std::hint::black_box(2));
            println!(\"{{}} {{}} {{}}\", {}, {}, own.other() + own.other()); }}",
        free.join(" + "),
        own.join(" + ")
    ));
    assert_eq!(text.matches("#[inline(always)]").count(), 1, "{text}");
    assert_eq!(text.matches("i!{").count(), 2, "{text}");
}

#[test]
fn calls_that_would_mean_something_else_stay() {
    shortened(
        r#"
        use std::cell::RefCell;
        use std::hint::black_box;
        use std::ops::Deref;
        use std::rc::Rc;
        struct Point { x: i32, y: i32 }
        impl Point { fn new(x: i32, y: i32) -> Self { Self { x, y } } }
        fn turned(x: i32, y: i32) -> Point { Point::new(y, x) }
        trait Eval { fn score(&self) -> i32; fn name(&self) -> &'static str; }
        struct Attack { value: i32, bonus: i32 }
        struct Defend { value: i32 }
        impl Eval for Attack { fn score(&self) -> i32 { self.value + self.bonus }
            fn name(&self) -> &'static str { "a" } }
        impl Eval for Defend { fn score(&self) -> i32 { self.value } fn name(&self) -> &'static str { "d" } }
        struct Node { value: i32 }
        impl Node { fn score(&self) -> i32 { self.value } fn name(&self) -> &'static str { "node" } }
        struct Stack { stack: RefCell<Vec<usize>> }
        impl Stack {
            fn depth(&self) -> usize { self.stack.borrow().len() }
            fn grow(&self) { for at in 0..self.depth() { self.stack.borrow_mut().push(at); } }
        }
        fn distance(one: i32, other: i32) -> i32 { one - other }
        fn hidden(one: i32, other: i32) -> i32 {
            let distance = |one: i32, other: i32| (one - other) * 10; distance(one, other) }
        const N: usize = 10;
        fn place(i: usize, j: usize) -> usize { i * N + j }
        struct Grid<const N: usize> { cells: [u8; 64], size: [u8; N] }
        impl<const N: usize> Grid<N> { fn get(&self, i: usize, j: usize) -> u8 { self.cells[place(i, j)] } }
        struct Base { id: u32, hp: i32 }
        impl Base { fn id(&self) -> u32 { self.id } fn strength(&self) -> i32 { self.power() }
            fn power(&self) -> i32 { self.hp } }
        struct Boss { base: Base, id: u32 }
        impl Deref for Boss { type Target = Base; fn deref(&self) -> &Base { &self.base } }
        impl Boss { fn power(&self) -> i32 { self.base.hp * 10 } }
        struct Timer { number: u64 }
        impl Timer { fn finish(self) -> u64 { self.number } }
        impl Drop for Timer { fn drop(&mut self) { println!("dropped"); } }
        fn part(number: f32) -> f32 { number * 0.1 }
        fn inverse(number: u8) -> u8 { !number }
        struct State { shared: Rc<RefCell<u32>> }
        impl State { fn state(&self) -> &RefCell<u32> { &self.shared } }
        fn main() {
            let (x, y) = (black_box(1), 2);
            let point = turned(x, y);
            println!("{} {}", point.x, point.y);
            let (attack, defend) = (Attack { value: black_box(3), bonus: 4 }, Defend { value: 5 });
            let all: [&dyn Eval; 2] = [&attack, &defend];
            println!("{} {} {}", attack.score(), attack.name(), all.iter().map(|it| it.name()).collect::<String>());
            let node = Node { value: black_box(8) };
            println!("{} {}", node.score(), node.name());
            let stack = Stack { stack: RefCell::new(vec![black_box(1), 2]) };
            stack.grow();
            println!("{} {} {}", stack.depth(), hidden(9, 4), distance(9, 4));
            let mut grid = Grid::<4> { cells: [0; 64], size: [black_box(1); 4] };
            grid.cells[32] = 7;
            println!("{} {} {}", grid.get(3, 2), grid.size[1], place(1, 1));
            let boss = Boss { base: Base { id: black_box(1), hp: 2 }, id: 3 };
            println!("{} {} {} {}", boss.id(), boss.strength(), boss.power(), boss.id);
            let timer = Timer { number: black_box(6) };
            let number = timer.finish();
            println!("{number}");
            let (fraction, small) = (3.0, 1);
            println!("{} {}", part(fraction), inverse(small));
            let state = State { shared: Rc::new(RefCell::new(black_box(1))) };
            let copy = state.state().clone();
            *state.state().borrow_mut() = 5;
            println!("{} {}", copy.borrow(), state.state().borrow());
        }
        "#,
    );
}
