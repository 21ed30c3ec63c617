//! Measurements with [`boughs`]: how fast it searches, and whether it still finds what it found before.

pub mod bench;
pub mod measure;
