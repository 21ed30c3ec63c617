//! Promises of the contest agents.

mod ahc015;
mod builds;
mod green_circle;
mod green_circle_turns;
mod photosynthesis;
mod player;
