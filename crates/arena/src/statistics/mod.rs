//! Strength from results, in the words that users of chess match runners know.
//!
//! - **Share**: points a game. A win is a point, a draw half of one.
//! - **Elo**: a share as a distance, share = 1 / (1 + 10^(-Elo / 400)): 0 are equals, 100 more win 64 %, 400 more win
//!   ten points of eleven.
//! - **Error**: half the width of an interval that holds the truth in 95 % of all matches.
//! - **Pentanomial**: the two games of a pair have the same opening and the same luck, so they are not independent.
//!   Pairs are independent, and there are five kinds of them: with 0, 1/2, 1, 3/2 and 2 points. Every error here comes
//!   from the differences between pairs. Wins, draws and losses alone (trinomial) would take an opening that one seat
//!   always wins for luck of the players, and ask for more games than necessary.
//! - **nElo**, normalised Elo: the share above one half in standard deviations of a game, times 800 / ln 10, which
//!   makes it Elo where equals meet without draws. Games needed to notice a difference go with its inverse square,
//!   however many draws there are.
//! - **LOS**, likelihood of superiority: the probability that the first contestant is stronger, 50 % if nothing is
//!   known.
//! - **LLR**, log likelihood ratio: the logarithm of how much likelier the results are with `elo1` than with `elo0`.
//!   The **SPRT**, a test that looks after every pair, ends when the LLR leaves its bounds.
//! - **Rating**: Elo of more than two contestants, from all results among them at once.
//!
//! No number here is ever infinite or NaN. If results are too few or too much alike for a number, an [`Estimate`] says
//! why.

mod bradley_terry;
mod cross_table;
mod elo;
mod estimate;
mod mean;
mod multinomial;
mod ratings;
#[cfg(test)]
mod simulation;
mod sprt;
mod strength;
mod tally;
mod walk;
mod wilson;

pub use cross_table::CrossTable;
pub use elo::{elo_words, share_of_elo, tells_nothing};
pub use estimate::Estimate;
pub use mean::Mean;
pub use ratings::{Anchor, Rating, Ratings};
pub use sprt::{Decision, Sprt, SprtError, SprtState};
pub use strength::Strength;
pub use tally::{Games, Outcome, Pairs, Tally};
pub use wilson::share_interval;

/// Number of standard deviations on each side that hold 95 % of a normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// Finds the zero of a falling function by bisection, to 2^-40 of the width.
fn crossing(mut low: f64, mut high: f64, falling: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..40 {
        let middle = low.midpoint(high);
        *(if falling(middle) > 0.0 { &mut low } else { &mut high }) = middle;
    }
    low.midpoint(high)
}
