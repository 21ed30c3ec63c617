//! Time. This is the only file that reads a clock.

use std::time::{Duration, Instant};

/// The current time.
#[inline]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// The clock of a player for a whole game.
///
/// ```
/// use boughs_core::{Budget, GameClock};
/// use std::time::Duration;
///
/// let mut clock = GameClock::new(Duration::from_secs(60)).with_increment(Duration::from_secs(1));
/// let budget = Budget::clock(&clock);
/// # let _ = budget;
/// clock.spend(Duration::from_millis(1_900)); // takes off the time of the move and adds the increment
/// assert_eq!(clock.left(), Duration::from_millis(59_100));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    left: Duration,
    increment: Duration,
}

/// The number of moves that a game is always planned to have left, so that the time for a move shrinks but never runs
/// out.
const MOVES_TO_COME: u32 = 25;

impl GameClock {
    /// A clock with this time left.
    pub fn new(left: Duration) -> GameClock {
        GameClock { left, increment: Duration::ZERO }
    }

    /// Sets the time that is added after every move.
    pub fn with_increment(self, increment: Duration) -> GameClock {
        GameClock { increment, ..self }
    }

    /// The remaining time.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Takes off the time of a move and adds the increment. Returns true if the move was in time.
    pub fn spend(&mut self, taken: Duration) -> bool {
        let in_time = taken <= self.left;
        self.left = self.left.saturating_sub(taken) + self.increment;
        in_time
    }

    /// The time for the next move: a share of the remaining time and most of the increment, at most half of the
    /// remaining time.
    pub fn for_move(&self) -> Duration {
        let share = self.left / MOVES_TO_COME + self.increment * 9 / 10;
        share.min(self.left / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_never_used_up_by_the_moves_it_allows() {
        let mut clock = GameClock::new(Duration::from_secs(10));
        for _ in 0..500 {
            assert!(clock.spend(clock.for_move()));
        }
        assert!(clock.left() > Duration::ZERO);
    }

    #[test]
    fn an_overdrawn_clock_says_so() {
        let mut clock = GameClock::new(Duration::from_secs(1));
        assert!(!clock.spend(Duration::from_secs(2)));
        assert_eq!(clock.left(), Duration::ZERO);
    }
}
