//! Pages, plots and tables of the results of [`boughs`]: every HTML, SVG and CSV file that it writes.
//!
//! - [`ContestPage`]: the results of a contest, and its games move by move.
//! - [`ReplayPage`]: the games of one player move by move; [`cases`] makes one of judged cases.
//! - [`scale`] and [`strength`]: the files of a measurement.
//! - [`learning`]: the plot of a course of learning.
//!
//! All pages share one frame and one style sheet ([`maud`] writes the HTML), and one viewer draws the boards of all
//! games. A page is a single file that loads nothing, in light or dark.

mod board;
pub mod cases;
mod chart;
mod contest;
mod document;
mod error;
mod file;
pub mod learning;
mod replay;
pub mod scale;
pub mod strength;
mod text;
mod viewer;

pub use board::{BOARD_SCRIPT, LiveBoard};
pub use chart::Plot;
pub use contest::ContestPage;
pub use document::STYLE;
pub use error::PageError;
pub use file::File;
pub use replay::{Replay, ReplayMove, ReplayPage};
