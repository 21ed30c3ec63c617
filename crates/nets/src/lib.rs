//! N-tuple networks: values of positions on boards, learned from games against itself by temporal differences.
//!
//! A tuple is some cells of a board, and what stands in them together is the number of a weight in a table. The value
//! of a board is the sum of one weight for each tuple and each symmetry of the board (Bledsoe and Browning 1959; Lucas
//! 2008; Szubert and Jaskowski 2014). A [`Network`] is the table, and a [`Learner`] finds the weights. A game says what
//! stands in its cells ([`boughs_games::NamedGame::cells`]). With the feature `onnx`, [`read_evaluator`] also reads
//! networks of other programs (docs/EVALUATORS.md).
//!
//! ```
//! use boughs_nets::{Learner, Learning, Network, Tuples};
//!
//! let start = boughs_games::start("2048").unwrap();
//! let shape = start.entry.cells_shape(&*start.position).unwrap();
//! let network = Network::new(&Tuples::lines(shape), start.position.players()).unwrap();
//! let learner = Learner::new(start, network, Learning::default(), 2).unwrap();
//! learner.learn(0..100);
//! let score = learner.test(0..1)[0].reward;
//! println!("{score} points with the slide whose board has the greatest value");
//! ```

mod built_in;
mod course;
mod error;
mod evaluator;
mod file;
mod judge;
mod learner;
mod lessons;
mod lookahead;
mod network;
#[cfg(feature = "onnx")]
mod onnx;
mod table;
mod tuples;

pub use course::{Learning, Outcome, Point, Progress};
pub use error::NetError;
pub use evaluator::{NetEvaluator, read_evaluator};
pub use file::{read, read_learner, write, write_learner, write_small};
pub use learner::{Learner, MOVES, TABLES};
pub use network::Network;
pub use tuples::Tuples;
