//! The cost of a margin: the playouts of moves with it, and of the same moves without it.

use std::time::{Duration, Instant};

use boughs::{SearchError, StopFlag};
use boughs_games::StartedGame;
use serde::Serialize;

use super::StressPlan;
use super::bot::budget;

/// The number of times that each position is searched with the margin and without it.
const ROUNDS: u32 = 5;

/// Playouts lost to the margin, over the positions of the game's bench, each searched from an empty tree.
///
/// This is the price in playouts, not in games lost: the strength that a playout adds differs from game to game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// Playouts of a move with the margin, on average.
    pub playouts_with: f64,
    /// Playouts of a move without it, on average.
    pub playouts_without: f64,
    /// The share of the latter that is lost.
    pub share_lost: f64,
}

/// Searches with and without the margin in turns, so that a machine that slows down for a while slows both. Returns
/// `None` if the flag is raised before the end.
pub(super) fn measure(game: &StartedGame, plan: &StressPlan, stop: &StopFlag) -> Result<Option<Cost>, SearchError> {
    let mut search = boughs_agents::tree_search(&*game.position, plan.settings.clone())?;
    let (mut playouts, mut moves) = ([0; 2], 0);
    for _ in 0..ROUNDS {
        for text in game.entry.bench {
            let mut position = game.position.clone();
            // The positions are those of the game's usual options; another board may not have them.
            if position.play_moves(text).is_err() {
                continue;
            }
            for (margin, playouts) in [plan.margin, Duration::ZERO].into_iter().zip(&mut playouts) {
                search.reset(&*position)?;
                *playouts += search.run(budget(plan, margin, Instant::now(), stop))?.iterations;
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
