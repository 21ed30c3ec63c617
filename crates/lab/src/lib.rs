//! Measurements with [`boughs`]: how fast it searches, how that grows with the threads, whether it answers in time, and
//! whether it still finds what it found before.

pub mod bench;
pub mod estimate;
pub mod measure;
pub mod scale;
pub mod stress;
