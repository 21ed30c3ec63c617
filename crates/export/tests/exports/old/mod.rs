//! Programs in edition 2024 answer the same when they are rewritten for Rust 1.63.

mod blocks;
mod compilers;
mod conditions;
mod drops;
mod patterns;
mod signatures;
mod std_calls;
