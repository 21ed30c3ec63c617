//! Measurements of [`boughs`]:
//!
//! - [`bench`](mod@bench): the speed of every game's search, and one checksum of all the trees.
//! - [`scale`]: throughput by the number of threads.
//! - [`strength`]: playing strength by the number of threads.
//! - [`stress`]: how late timed answers come.
//! - [`solved`]: positions whose game-theoretic values are known.
//!
//! Measurements return data. The crate `boughs-pages` makes pages, plots and CSV of it.
//!
//! Throughput is compared with the *roof*: uniformly random playouts from the same position without a tree, on as many
//! threads. No search of the game can be faster. Code calls it the [no-tree baseline](no_tree).

pub mod bench;
pub mod measure;
pub mod no_tree;
pub mod scale;
pub mod solved;
pub mod strength;
pub mod stress;
