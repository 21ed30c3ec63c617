//! How the time of a whole case is divided among its turns.

use std::time::{Duration, Instant};

use boughs::Budget;
use boughs_games::ahc015::CELLS;

/// What is left of a case's budget: a time, a number of playouts, or both. A turn gets what is left in proportion to the turns it
/// has to look ahead, so what one turn leaves over is divided among the others.
///
/// A turn takes more than its search: the way of the lines, and on a busy machine waiting for a core. What that was so far is
/// kept back for the turns to come, so that the last answer is there in time whatever the machine is like.
///
/// ```
/// use boughs_bots::ahc015::CaseClock;
/// use std::time::Duration;
///
/// let mut clock = CaseClock::time(Duration::from_millis(1_900));
/// let budget = clock.for_turn(0);
/// assert!(budget.deadline().is_some());
/// // ... a search with that budget ...
/// clock.spend(40_000); // so many playouts
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CaseClock {
    deadline: Option<Instant>,
    playouts: Option<u64>,
    /// What a turn takes beside its search, in seconds: a mean in which the last turns count most.
    beside: f64,
}

/// What the last turn counts in the mean of what is lost beside searches.
const LAST: f64 = 1.0 / 16.0;

/// How many times that mean is kept back for each turn.
const SAFETY: f64 = 2.0;

impl CaseClock {
    /// A case that may take this long from now on. A time too long for the system's clock is no limit.
    pub fn time(time: Duration) -> CaseClock {
        CaseClock { deadline: Instant::now().checked_add(time), playouts: None, beside: 0.0 }
    }

    /// A case that has to be over at this instant.
    pub fn until(deadline: Instant) -> CaseClock {
        CaseClock { deadline: Some(deadline), playouts: None, beside: 0.0 }
    }

    /// A case that may take so many playouts.
    pub fn playouts(playouts: u64) -> CaseClock {
        CaseClock { deadline: None, playouts: Some(playouts), beside: 0.0 }
    }

    /// What the turn with this number, counted from 0, may take.
    pub fn for_turn(&self, turn: usize) -> Budget {
        // Turn t looks n - t turns ahead, and those after it n - t - 1, n - t - 2, ..., 1.
        let turns = (CELLS - turn.min(CELLS - 1)) as u32;
        let mut budget = Budget::unlimited();
        if let Some(deadline) = self.deadline {
            let now = Instant::now();
            let kept = Duration::try_from_secs_f64(SAFETY * self.beside * f64::from(turns)).unwrap_or(Duration::MAX);
            let share = deadline.saturating_duration_since(now).saturating_sub(kept) * 2 / (turns + 1);
            budget = budget.or_until(now + share);
        }
        if let Some(playouts) = self.playouts {
            // Playouts get shorter by themselves.
            budget = budget.or_iterations((playouts / u64::from(turns)).max(1));
        }
        budget
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Says what a turn took beside its search.
    pub fn lose(&mut self, time: Duration) {
        self.beside += LAST * (time.as_secs_f64() - self.beside);
    }

    /// Takes off the playouts that a turn has taken. Time runs by itself.
    pub fn spend(&mut self, playouts: u64) {
        self.playouts = self.playouts.map(|left| left.saturating_sub(playouts));
    }
}
