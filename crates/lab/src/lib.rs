//! Measurements with [`boughs`]: how fast it searches, whether it still finds what it found before, and whether it answers
//! in time.

pub mod bench;
pub mod measure;
pub mod stress;
