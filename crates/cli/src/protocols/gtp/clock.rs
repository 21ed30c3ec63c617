//! Time of a game by GTP: a main time, and then a time for each group of stones (byo yomi).

use std::time::Duration;

use boughs::GameClock;

/// The rules of time and the clocks of both colours.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    settings: Option<Settings>,
    /// The time of each colour, as `time_left` has told it.
    left: [Option<Left>; 2],
}

/// The time of a game in seconds.
#[derive(Clone, Copy, Debug)]
struct Settings {
    main: f64,
    byo_yomi: f64,
    stones: u32,
}

/// The time that a colour has left, for a number of stones, or in its main time if there are none.
#[derive(Clone, Copy, Debug)]
struct Left {
    seconds: f64,
    stones: u32,
}

/// The part of a time for stones that is not used, for the way of the answers.
const RESERVE: f64 = 0.05;

impl Clocks {
    /// Sets the rules of time; all clocks start anew.
    pub(super) fn set(&mut self, main: f64, byo_yomi: f64, stones: u32) {
        // A byo yomi of no stones means that there is no limit.
        let is_limited = byo_yomi <= 0.0 || stones > 0;
        *self = Clocks { settings: is_limited.then_some(Settings { main, byo_yomi, stones }), left: [None; 2] };
    }

    /// Fills the clocks for another game by the same rules.
    pub(super) fn restart(&mut self) {
        self.left = [None; 2];
    }

    /// Takes the time that a colour has left.
    pub(super) fn tell(&mut self, player: usize, seconds: f64, stones: u32) {
        self.left[player] = Some(Left { seconds, stones });
    }

    /// Counts the time of a move that the program has made.
    pub(super) fn spend(&mut self, player: usize, taken: Duration) {
        if let (None, Some(settings)) = (self.left[player], self.settings) {
            self.left[player] = Some(Left { seconds: settings.main, stones: 0 });
        }
        if let Some(left) = &mut self.left[player] {
            left.seconds -= taken.as_secs_f64();
            left.stones = left.stones.saturating_sub(1);
        }
    }

    /// The time for the next move of a colour. `None` without a limit.
    pub(super) fn for_move(&self, player: usize) -> Option<Duration> {
        let settings = self.settings;
        let left = self.left[player].or(settings.map(|settings| Left { seconds: settings.main, stones: 0 }))?;
        let byo_yomi = settings.filter(|settings| settings.byo_yomi > 0.0 && settings.stones > 0);
        let for_stones = |seconds: f64, stones: u32| seconds * (1.0 - RESERVE) / f64::from(stones.max(1));
        let seconds = match (left.stones, byo_yomi) {
            (0, None) => GameClock::new(seconds(left.seconds)).for_move().as_secs_f64(),
            (0, Some(rules)) => {
                let later = for_stones(rules.byo_yomi, rules.stones);
                if left.seconds <= 0.0 { later } else { f64::max(left.seconds / 25.0, later.min(left.seconds)) }
            }
            (stones, _) => for_stones(left.seconds, stones),
        };
        Some(self::seconds(seconds))
    }
}

/// A duration that clients give, within bounds.
pub(super) fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.clamp(0.0, 1e9)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn for_move(settings: (f64, f64, u32), left: Option<(f64, u32)>) -> Option<f64> {
        let mut clocks = Clocks::default();
        clocks.set(settings.0, settings.1, settings.2);
        if let Some((seconds, stones)) = left {
            clocks.tell(0, seconds, stones);
        }
        clocks.for_move(0).map(|time| time.as_secs_f64())
    }

    #[test]
    fn the_time_for_a_move_is_a_share_of_what_is_left() {
        assert_eq!(for_move((100.0, 0.0, 0), None), Some(4.0));
        assert_eq!(for_move((100.0, 0.0, 0), Some((50.0, 0))), Some(2.0));
        assert_eq!(for_move((0.0, 10.0, 5), None), Some(1.9));
        assert_eq!(for_move((0.0, 10.0, 5), Some((4.0, 2))), Some(1.9));
        assert_eq!(for_move((100.0, 10.0, 1), None), Some(9.5));
        assert_eq!(for_move((1.0, 10.0, 1), None), Some(1.0));
    }

    #[test]
    fn a_byo_yomi_of_no_stones_is_no_limit_and_no_time_is_none() {
        assert_eq!(for_move((0.0, 10.0, 0), None), None);
        assert_eq!(for_move((0.0, 0.0, 0), None), Some(0.0));
        assert_eq!(Clocks::default().for_move(1), None);
    }

    #[test]
    fn moves_take_time_off_the_clock_until_the_client_tells_it() {
        let mut clocks = Clocks::default();
        clocks.set(100.0, 0.0, 0);
        clocks.spend(0, Duration::from_secs(50));
        assert_eq!(clocks.for_move(0), Some(Duration::from_secs(2)));
        assert_eq!(clocks.for_move(1), Some(Duration::from_secs(4)));
    }
}
