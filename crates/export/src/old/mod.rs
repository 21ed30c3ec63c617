//! Edition 2021 that Rust 1.63 takes, of edition 2024.
//!
//! Each rule is a file and does one thing to a whole file of Rust. Rules may leave code that the next ones rewrite, so
//! their order counts: [`rewrite`] has it. A rule reads syntax and knows no types. Where the meaning would need them,
//! the rule does what is right for all types, or leaves the code to the compiler, which then names the line.
//!
//! Left to the compiler, because code for contests does without: functions of traits that return `impl Trait`, generic
//! associated types, `async`, upcasting of trait objects, and boxed slices that are iterated by value.

mod array_lengths;
mod attributes;
mod c_strings;
mod captures;
mod const_blocks;
mod drops;
mod floats;
mod labels;
mod leaving;
mod let_chains;
mod let_else;
mod macros;
mod ranges;
mod std_calls;

/// Rewrites what Rust 1.63 does not take, without a change of meaning.
pub fn rewrite(file: &mut syn::File) {
    attributes::rewrite(file);
    macros::expand(file);
    c_strings::rewrite(file);
    const_blocks::rewrite(file);
    array_lengths::rewrite(file);
    let_else::rewrite(file);
    let_chains::rewrite(file);
    drops::rewrite(file);
    labels::rewrite(file);
    ranges::rewrite(file);
    floats::rewrite(file);
    captures::rewrite(file);
    std_calls::rewrite(file);
}
