//! Recorded games of official referees, replayed by the rules of [`boughs_games`]: every field of a recording must come out.

pub mod green_circle;
