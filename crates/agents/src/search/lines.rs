//! The result of a search that compares lines of play: plain numbers that know no game.

use std::sync::Mutex;
use std::time::Instant;

use boughs::run::RunStatus;
use boughs::{SearchError, StopReason};

use super::lock;

/// A line of play: an action and the actions that follow it, if any.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    /// The index of its first action among the legal ones.
    pub(crate) action: usize,
    /// The codes of the actions after that, those of other players and of chance included.
    pub(crate) moves: Vec<u32>,
    pub(crate) playouts: u64,
    /// The sum of the values whose mean is the worth of the line to the searching player, in units: rewards of
    /// playouts, or means of determinizations. It is too wide for any number of playouts to overflow.
    pub(crate) sum: i128,
    /// The number of values in the sum.
    pub(crate) summed: u64,
    /// The round of the search that the line has reached. Only lines of the highest rank are played.
    pub(crate) rank: u64,
    /// The value that gave the rank, in a search that compares lines by values.
    pub(crate) value: f64,
    /// True if the line is at most worth its value, and may be worth less.
    pub(crate) is_bound: bool,
}

impl Line {
    /// Creates the line of one action.
    pub(crate) fn of(action: usize) -> Line {
        Line { action, moves: Vec::new(), playouts: 0, sum: 0, summed: 0, rank: 0, value: 0.0, is_bound: false }
    }

    /// The mean reward in units. Without playouts it is lower than every other mean.
    pub(crate) fn mean(&self) -> f64 {
        match self.summed {
            0 => f64::NEG_INFINITY,
            summed => self.sum as f64 / summed as f64,
        }
    }
}

/// Maps numbers to integers of the same order, for the ranks of lines.
pub(crate) fn in_order(value: f64) -> u64 {
    // Makes -0 equal to 0.
    let bits = (value + 0.0).to_bits();
    if value < 0.0 { !bits } else { bits | 1 << 63 }
}

/// The best playout so far: its reward and the codes of its actions.
pub(crate) type BestPlayout = (f64, Vec<u32>);

/// The results of a search so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineStats {
    pub(crate) lines: Vec<Line>,
    /// The number of iterations, in the unit that the budget counts.
    pub(crate) iterations: u64,
    /// The length of the longest line in actions.
    pub(crate) depth: u32,
    pub(crate) bytes: usize,
    /// True if a larger budget would have allowed a deeper search.
    pub(crate) is_cut: bool,
    /// True if lines are compared by values of positions, which are no rewards of playouts.
    pub(crate) has_values: bool,
    /// The line to play as long as there are no playouts.
    pub(crate) guess: Option<usize>,
    pub(crate) best_playout: Option<BestPlayout>,
    /// The lowest and the highest reward so far, in units.
    pub(crate) extremes: Option<(i64, i64)>,
}

impl LineStats {
    /// Adds a playout.
    pub(crate) fn add(&mut self, line: usize, units: u64) {
        self.iterations += 1;
        let line = &mut self.lines[line];
        line.playouts += 1;
        let units = units.cast_signed();
        line.sum += i128::from(units);
        line.summed += 1;
        let (least, most) = self.extremes.unwrap_or((units, units));
        self.extremes = Some((least.min(units), most.max(units)));
    }

    /// Keeps a playout if it is the best so far. Of equal ones the first by the order of their codes is kept, so the
    /// order in which threads make them does not matter.
    pub(crate) fn offer(&mut self, reward: f64, moves: &[u32]) {
        let is_better = match &self.best_playout {
            Some((most, other)) => reward > *most || reward == *most && moves < &other[..],
            None => true,
        };
        if is_better && !reward.is_nan() {
            self.best_playout = Some((reward, moves.to_vec()));
        }
    }

    /// Returns true if a search by values tells no two actions apart. A value that is at most as good as the best is
    /// the number below it.
    pub(crate) fn are_equal(&self) -> bool {
        let values = self.lines.iter().filter(|line| line.playouts > 0).map(|line| line.value);
        let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
        self.has_values && self.lines.len() > 1 && values.min_by(f64::total_cmp) >= Some(most.next_down())
    }

    /// The line to play: the one with the best mean among those of the highest rank. Of equal lines the first is
    /// played.
    pub(crate) fn best(&self) -> Option<&Line> {
        let merit = |line: &Line| (line.rank, line.mean());
        let played = self.lines.iter().filter(|line| line.playouts > 0);
        let best = played.reduce(|best, line| if merit(line) > merit(best) { line } else { best });
        best.or_else(|| self.lines.get(self.guess?))
    }
}

/// The result that the threads of a search share.
pub(crate) struct SharedResult {
    pub(crate) status: RunStatus,
    most: u64,
    stats: Mutex<LineStats>,
    /// The reason of a failure that is not the fault of the game.
    failure: Mutex<Option<SearchError>>,
}

impl SharedResult {
    /// Starts a search with one line for each action.
    pub(crate) fn new(status: RunStatus, actions: usize) -> SharedResult {
        let status = status.of_actions(actions);
        let most = status.most_iterations().unwrap_or(u64::MAX);
        let forced = (actions == 1).then_some(0);
        let stats = LineStats { lines: (0..actions).map(Line::of).collect(), guess: forced, ..LineStats::default() };
        SharedResult { status, most, stats: Mutex::new(stats), failure: Mutex::new(None) }
    }

    /// Reads or updates the results so far.
    pub(crate) fn stats<T>(&self, look: impl FnOnce(&mut LineStats) -> T) -> T {
        look(&mut lock(&self.stats))
    }

    /// The most iterations of this search.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// The iterations that the budget still allows.
    pub(crate) fn room(&self) -> u64 {
        self.most.saturating_sub(self.stats(|stats| stats.iterations))
    }

    /// The deadline by which parts of a search are timed. `None` with a limit of playouts: what they find must not
    /// depend on the clock if all are made before the deadline.
    pub(crate) fn pacing_deadline(&self) -> Option<Instant> {
        self.status.deadline().filter(|_| self.status.most_iterations().is_none())
    }

    /// Returns true if the search has to end.
    pub(crate) fn is_done(&self) -> bool {
        self.status.is_over() || self.room() == 0
    }

    /// Ends the search because it cannot go on.
    pub(crate) fn fail(&self, error: SearchError) {
        let reason = match error {
            SearchError::Memory { .. } => StopReason::MemoryFull,
            SearchError::GamePanicked(_) => StopReason::Panicked,
            _ => StopReason::Failed,
        };
        lock(&self.failure).get_or_insert(error);
        self.status.stop(reason);
    }

    /// The error of a search without a result.
    pub(crate) fn failure(&self) -> Option<SearchError> {
        self.status.failure().or_else(|| lock(&self.failure).clone())
    }

    /// Records why the search has ended, unless the clock or the user ended it.
    pub(crate) fn conclude(&self) {
        let asked = self.status.budget().most_iterations().unwrap_or(u64::MAX);
        if self.stats(|stats| stats.iterations) < asked {
            let is_cut = self.most < asked;
            self.status.stop(if is_cut { StopReason::Decided } else { StopReason::Complete });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(lines: usize) -> LineStats {
        LineStats { lines: (0..lines).map(Line::of).collect(), ..LineStats::default() }
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
    fn values_keep_their_order_as_whole_numbers() {
        let values = [f64::MIN, -2.5, -1.0, -1e-300, 0.0, 1e-300, 0.3, 7.0, f64::MAX];
        assert!(values.windows(2).all(|pair| in_order(pair[0]) < in_order(pair[1])));
        assert_eq!(in_order(-0.0), in_order(0.0));
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
