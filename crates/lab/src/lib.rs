//! Measurements with [`boughs`]: how fast it searches, how that and its strength grow with the threads, whether it answers in
//! time, whether it still finds what it found before, what it scores in the cases of contests, and what it learns.

pub mod bench;
mod chart;
pub mod estimate;
mod html;
pub mod judge;
pub mod learn;
pub mod measure;
pub mod scale;
pub mod solved;
pub mod strength;
pub mod stress;
