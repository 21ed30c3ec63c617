//! Tools for implementing an [`Agent`](crate::Agent): the status of a running search and guards around the rules of a
//! game.
//!
//! A [`RunStatus`] connects the thread that waits for a search with the workers that make it. It says whether the
//! search has to stop and why, which warnings the workers gave, and how many of them are still at work. Each worker
//! holds a [`WorkerGuard`]. A [`Pool`] has threads for work that is shared out. The rules of a game are the user's
//! code, so an agent calls them through [`guarded`].

mod join;
mod pool;
mod status;
mod workers;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub use pool::Pool;
pub use status::{RunStatus, WorkerGuard};

use crate::mcts::SearchError;
use crate::{Information, Position, Turn};

/// Runs code of the game on the calling thread. A panic of the game becomes an error.
///
/// # Errors
/// [`SearchError::GamePanicked`] if the game panics.
pub fn guarded<T>(ask: impl FnOnce() -> T) -> Result<T, SearchError> {
    catch_unwind(AssertUnwindSafe(ask)).map_err(|panic| SearchError::GamePanicked(panic_text(&*panic).to_string()))
}

/// Drops a value that holds a game. A panic of the game while it is dropped is caught, and has no further effect.
///
/// One panic cannot be caught: one in `Drop` while another panic unwinds. Then Rust aborts the process.
pub fn discard<T>(value: T) {
    let _ = guarded(|| drop(value));
}

/// The message of a panic.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

/// Checks that an action is legal in a position.
///
/// # Errors
/// If the action is not legal, or the game panics.
pub fn check_legal(position: &dyn Position, action: u32) -> Result<(), SearchError> {
    guarded(|| {
        let mut legal = Vec::new();
        if position.turn() != Turn::Over {
            position.actions(&mut legal);
        }
        // Where chance has too many outcomes to list, every outcome is taken to be possible.
        let is_unlisted = legal.is_empty() && position.turn() == Turn::Chance;
        match legal.contains(&action) || is_unlisted {
            true => Ok(()),
            false => Err(SearchError::IllegalAction(position.action_text(action))),
        }
    })?
}

/// The reward of an action for the player to move, if it ends the game and that player knows everything the reward
/// depends on.
pub fn reward_of_ending(position: &dyn Position, action: u32) -> Option<f64> {
    let facts = position.facts();
    let (Turn::Player(player), Information::Perfect) = (position.turn(), facts.information) else { return None };
    let mut after = position.clone_position();
    after.apply(action);
    let (least, most) = facts.rewards.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    (after.turn() == Turn::Over).then(|| after.reward(player).clamp(least, most))
}

/// Returns true if a player's turn goes on in a position: the player acts there, or chance decides the result of what
/// the player did.
#[inline]
pub fn turn_goes_on(position: &dyn Position, player: usize) -> bool {
    match position.turn() {
        Turn::Player(other) => other == player,
        Turn::Chance => !position.ends_turn(),
        Turn::Over => false,
    }
}

/// The number of threads that an option asks for: 0 stands for as many as there are cores.
pub fn threads(asked: usize) -> usize {
    if asked == 0 { cores() } else { asked }
}

/// The number of cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}
