//! Time: the only file that reads a clock.

use std::time::{Duration, Instant};

/// The present.
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// What is left of the time a player has for a whole game.
///
/// ```
/// use boughs::{Budget, GameClock};
/// use std::time::Duration;
///
/// let mut clock = GameClock::new(Duration::from_secs(60)).with_increment(Duration::from_secs(1));
/// let budget = Budget::time(Duration::from_secs(5)).or_clock(&clock); // at most 5 s, less when the clock says so
/// # let _ = budget;
/// clock.spend(Duration::from_millis(1_900)); // what the move took; the increment comes on top
/// assert_eq!(clock.left(), Duration::from_millis(59_100));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    left: Duration,
    increment: Duration,
}

/// A game is planned as if this many moves were still to come, so time never runs out but thins.
const MOVES_TO_COME: u32 = 25;

impl GameClock {
    /// A clock with this much left.
    pub fn new(left: Duration) -> GameClock {
        GameClock { left, increment: Duration::ZERO }
    }

    /// What is added after every move.
    pub fn with_increment(self, increment: Duration) -> GameClock {
        GameClock { increment, ..self }
    }

    /// What is left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Takes off what a move took and adds the increment. Says whether the move was in time.
    pub fn spend(&mut self, taken: Duration) -> bool {
        let in_time = taken <= self.left;
        self.left = self.left.saturating_sub(taken) + self.increment;
        in_time
    }

    /// What the next move may take: a share of what is left and most of the increment, never more than half of all.
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
