//! What the benchmarks share.

/// The games that are measured: one whose playouts are cheap, and one whose playouts are dear.
pub const GAMES: [&str; 2] = ["connect4", "othello"];
