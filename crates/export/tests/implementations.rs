//! Sources whose types have traits of the file: an implementation that nothing needs goes, one that a call may mean
//! stays.

mod common;

use boughs_export::print::compact;
use boughs_export::{Judge, Learned, prune};
use common::answers;

/// Prunes a source, and compares what it prints.
fn pruned(source: &str) -> String {
    let file = syn::parse_file(source).expect("a source");
    let pruned = prune::prune(file, Judge::AtCoder.edition(), &mut Learned::default());
    let text = compact(&pruned.expect("a source that compiles"));
    assert_eq!(answers(source), answers(&text), "{text}");
    text
}

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
