//! Sources with parameters that are not read: they answer as before without them.

use boughs_export::print::compact;
use boughs_export::prune::without_unread_parameters;

use crate::common::answers;

/// Removes the parameters of a source that are not read, and compares what it prints.
fn fewer(source: &str) -> String {
    let file = syn::parse_file(source).expect("a source");
    let text = compact(&without_unread_parameters(file, "2024").expect("a source that compiles"));
    assert_eq!(answers(source), answers(&text), "{text}");
    text
}

#[test]
fn parameters_and_their_arguments_go() {
    let text = fewer(
        r#"
        struct Board(u32);
        struct Stock(u32);
        impl Board {
            fn new(_: u8, stones: u32) -> Board { Board(stones) }
            fn total(&self, _: &str, more: u32) -> u32 { self.0 + more + last(3, 4) }
        }
        impl Stock { fn new(stones: u32, _: u8) -> Self { Stock(stones) } }
        trait Rules { fn sum(&self, by: u32, _: &Board) -> u32; }
        impl Rules for Board { fn sum(&self, by: u32, _: &Board) -> u32 { self.0 * by } }
        impl Rules for Stock { fn sum(&self, by: u32, _: &Board) -> u32 { self.0 / by } }
        fn last(_: u32, number: u32) -> u32 { number }
        fn deep(unread: u32) -> u32 { last(unread, 5) }
        fn main() {
            let (board, stock) = (Board::new(1, 9), Stock::new(8, 2));
            let spare = 7 + 8;
            println!("{} {}", board.total("name", 2), Board::total(&board, "other", 3));
            println!("{} {} {}", board.sum(2, &board), Rules::sum(&stock, 4, &board), deep(spare));
        }
        "#,
    );
    for gone in ["_:", "&str", "name", "unread", "spare"] {
        assert!(!text.contains(gone), "{gone} is still there: {text}");
    }
    assert!(text.contains("Board::new(9),Stock::new(8)") && text.contains("deep()"), "{text}");
}

#[test]
fn parameters_stay_where_they_do_something() {
    let text = fewer(
        r#"
        struct Loud(u32);
        impl Drop for Loud { fn drop(&mut self) { println!("gone {}", self.0); } }
        trait Rules { fn sum(&self, by: u32) -> u32; }
        struct Nim; struct Hex;
        impl Rules for Nim { fn sum(&self, _: u32) -> u32 { 1 } }
        impl Rules for Hex { fn sum(&self, by: u32) -> u32 { by } }
        impl From<u32> for Nim { fn from(_: u32) -> Nim { Nim } }
        fn call(with: fn(u32) -> u32) -> u32 { with(3) }
        fn one(_: u32) -> u32 { 1 }
        fn two(_: u32) -> u32 { 2 }
        fn drops(_: Loud) {}
        fn next(count: &mut u32) -> u32 { *count += 1; *count }
        fn main() {
            let mut count = 4;
            let loud = Loud(1);
            println!("{} {}", call(one), two(next(&mut count)));
            drops(loud);
            println!("{} {count} {}", Nim::from(3).sum(2), Hex.sum(5));
        }
        "#,
    );
    for stays in ["fn one(_:u32)", "fn two(_:u32)", "fn drops(_:Loud)", "fn sum(&self,_:u32)", "fn from(_:u32)"] {
        assert!(text.contains(stays), "{stays} is gone: {text}");
    }
}
