//! What a margin costs: the playouts of moves with it, and of the same moves without.

use std::time::{Duration, Instant};

use boughs::notation::play_moves;
use boughs::{Search, SearchError, StopFlag};
use boughs_games::Listed;
use serde::Serialize;

use super::Plan;
use super::bot::budget;

/// How often each position is searched with the margin and without.
const ROUNDS: u32 = 5;

/// Playouts lost to the margin, over the positions of the game's bench, each searched from an empty tree.
///
/// This is the price in playouts, not in games lost: how much strength a playout is worth differs from game to game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// Playouts of a move with the margin, on average.
    pub playouts_with: f64,
    /// Playouts of a move without it, on average.
    pub playouts_without: f64,
    /// The share of the latter that is lost.
    pub share_lost: f64,
}

/// Searches with and without the margin in turns, so that a machine that slows down for a while slows both. `None` if
/// the flag is raised before the end.
pub(super) fn measure<G: Listed>(start: &G, plan: &Plan, stop: &StopFlag) -> Result<Option<Cost>, SearchError> {
    let mut search = Search::new(start.clone(), plan.settings.clone())?;
    let plans = [plan.clone(), Plan { margin: Duration::ZERO, ..plan.clone() }];
    let (mut playouts, mut moves) = ([0; 2], 0);
    for _ in 0..ROUNDS {
        for text in G::BENCH {
            let mut position = start.clone();
            // The positions are those of the game's usual options; another board may not have them.
            if play_moves(&mut position, text).is_err() {
                continue;
            }
            for (plan, playouts) in plans.iter().zip(&mut playouts) {
                search.reset(position.clone());
                *playouts += search.run(budget(plan, Instant::now(), stop))?.iterations;
            }
            if stop.is_raised() {
                return Ok(None);
            }
            moves += 1;
        }
    }
    let [playouts_with, playouts_without] = playouts.map(|playouts| playouts as f64 / f64::from(moves.max(1)));
    let share_lost = (playouts_without - playouts_with) / playouts_without.max(1.0);
    Ok(Some(Cost { playouts_with, playouts_without, share_lost }))
}
