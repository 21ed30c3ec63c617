//! What a search of lines of play has found by now: plain numbers that know no game.

use parking_lot::Mutex;

use crate::budget::StopReason;
use crate::course::Course;
use crate::search::SearchError;

/// A line of play: an action, and perhaps what follows it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// The place of its first action among the legal ones.
    pub(super) action: usize,
    /// Codes of the actions after that, those of others and of chance included.
    pub(super) moves: Vec<u32>,
    pub(super) playouts: u64,
    /// The sum of so many numbers, whose mean is what it is worth to the searching player, in units: rewards of playouts, or
    /// means of worlds. Too wide for any number of playouts to overflow.
    pub(super) sum: i128,
    /// How many they are.
    pub(super) summed: u64,
    /// How far it has got: only lines that got furthest are played.
    pub(super) rank: u64,
}

impl Line {
    /// Of one action.
    pub(super) fn of(action: usize) -> Line {
        Line { action, moves: Vec::new(), playouts: 0, sum: 0, summed: 0, rank: 0 }
    }

    /// The mean reward in units, which nothing is worse than where there are no playouts.
    pub(super) fn mean(&self) -> f64 {
        match self.summed {
            0 => f64::NEG_INFINITY,
            summed => self.sum as f64 / summed as f64,
        }
    }
}

/// The best playout so far: its reward, and the codes of its actions.
pub(super) type BestPlayout = (f64, Vec<u32>);

/// What has been found by now.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    pub(super) lines: Vec<Line>,
    /// What the budget counts.
    pub(super) iterations: u64,
    /// How many actions deep the longest line is.
    pub(super) depth: u32,
    pub(super) bytes: usize,
    /// It would have gone deeper with a larger budget.
    pub(super) is_cut: bool,
    /// The line to play before there are playouts.
    pub(super) guess: Option<usize>,
    pub(super) best_playout: Option<BestPlayout>,
    /// The least and the greatest reward so far, in units.
    pub(super) extremes: Option<(i64, i64)>,
}

impl Found {
    /// Adds a playout.
    pub(super) fn add(&mut self, line: usize, units: u64) {
        self.iterations += 1;
        let line = &mut self.lines[line];
        line.playouts += 1;
        let units = units.cast_signed();
        line.sum += i128::from(units);
        line.summed += 1;
        let (least, most) = self.extremes.unwrap_or((units, units));
        self.extremes = Some((least.min(units), most.max(units)));
    }

    /// Keeps a playout if it is the best so far; of equals the one that comes first in the order of their codes,
    /// so that it does not matter which was made first.
    pub(super) fn offer(&mut self, reward: f64, moves: &[u32]) {
        let is_better = match &self.best_playout {
            Some((most, other)) => reward > *most || reward == *most && moves < &other[..],
            None => true,
        };
        if is_better && !reward.is_nan() {
            self.best_playout = Some((reward, moves.to_vec()));
        }
    }

    /// The line to play: of those that got furthest the one with the best mean, of equals the first.
    pub(super) fn best(&self) -> Option<&Line> {
        let merit = |line: &Line| (line.rank, line.mean());
        let played = self.lines.iter().filter(|line| line.playouts > 0);
        let best = played.reduce(|best, line| if merit(line) > merit(best) { line } else { best });
        best.or_else(|| self.lines.get(self.guess?))
    }
}

/// A search under way: its course, and what it has found.
pub(super) struct Progress {
    pub(super) course: Course,
    most: u64,
    found: Mutex<Found>,
    /// Why it failed, if it did and the game is not at fault.
    failure: Mutex<Option<SearchError>>,
}

/// Where there is nothing to choose, so many playouts say enough about it.
const ENOUGH_OF_ONE: u64 = 64;

impl Progress {
    /// A search that begins with a line for each action.
    pub(super) fn new(course: Course, actions: usize) -> Progress {
        let budget = course.budget();
        let enough = if actions == 1 && budget.early_stop { ENOUGH_OF_ONE } else { u64::MAX };
        let most = budget.iterations.unwrap_or(u64::MAX).min(enough);
        let found = Found { lines: (0..actions).map(Line::of).collect(), ..Found::default() };
        Progress { course, most, found: Mutex::new(found), failure: Mutex::new(None) }
    }

    /// What has been found by now.
    pub(super) fn found<T>(&self, look: impl FnOnce(&mut Found) -> T) -> T {
        look(&mut self.found.lock())
    }

    /// The most it may count.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// What the budget still allows.
    pub(super) fn room(&self) -> u64 {
        self.most.saturating_sub(self.found(|found| found.iterations))
    }

    /// Whether the search has to end.
    pub(super) fn is_done(&self) -> bool {
        self.course.is_over() || self.room() == 0
    }

    /// Ends the search because it cannot go on.
    pub(super) fn fail(&self, error: SearchError) {
        self.failure.lock().get_or_insert(error);
        self.course.stop(StopReason::Panicked);
    }

    /// Why there is no result, if there is none.
    pub(super) fn failure(&self) -> Option<SearchError> {
        self.course.panic().map(SearchError::GamePanicked).or_else(|| self.failure.lock().clone())
    }

    /// Says why the search has ended, where neither the clock nor anybody else has.
    pub(super) fn conclude(&self) {
        let asked = self.course.budget().iterations.unwrap_or(u64::MAX);
        if self.found(|found| found.iterations) < asked {
            let is_cut = self.most < asked;
            self.course.stop(if is_cut { StopReason::Decided } else { StopReason::Complete });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: usize) -> Found {
        Found { lines: (0..lines).map(Line::of).collect(), ..Found::default() }
    }

    #[test]
    fn the_best_line_got_furthest_and_has_the_best_mean() {
        let mut found = found(4);
        assert_eq!(found.best(), None);
        found.guess = Some(3);
        assert_eq!(found.best().map(|line| line.action), Some(3));
        for (line, units) in [(0, 9), (1, 2), (2, 3), (2, 1)] {
            found.add(line, units);
        }
        assert_eq!(found.best().map(|line| line.action), Some(0));
        (found.lines[1].rank, found.lines[2].rank) = (1, 1);
        assert_eq!(found.best().map(|line| line.action), Some(1), "of equals the first");
        assert_eq!((found.iterations, found.extremes), (4, Some((1, 9))));
    }

    #[test]
    fn the_best_playout_does_not_depend_on_the_order_they_come_in() {
        let playouts = [(1.0, [3, 1]), (2.0, [4, 0]), (2.0, [2, 7]), (f64::NAN, [0, 0])];
        for start in 0..4 {
            let mut found = found(1);
            (0..4).map(|step| playouts[(start + step) % 4]).for_each(|(reward, moves)| found.offer(reward, &moves));
            assert_eq!(found.best_playout, Some((2.0, vec![2, 7])));
        }
    }
}
