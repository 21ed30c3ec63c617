//! The state that all workers of one search share: the trees, the budget, and the finished playouts.
//!
//! Nothing here depends on the game's type, so it is compiled once.

use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use super::finished::Finished;
use super::merging::Merging;
use super::root::{Candidate, Root};
use super::search_state::SearchState;
use crate::budget::{Budget, StopReason};
use crate::clock::now;
use crate::locks::Mutex;
use crate::mcts::learned_playouts::LearnedPlayouts;
use crate::mcts::policies::{self, SelectionPolicy};
use crate::mcts::settings::{FinalMove, Learning, Parallel, Policy, Settings, TreeKind};
use crate::mcts::tables::Tables;
use crate::mcts::tree::sync::{AtomicU64, Ordering::Relaxed};
use crate::mcts::tree::words::Writers;
use crate::mcts::tree::{LayoutKind, Tree};
use crate::report::Warning;
use crate::reward::Bounds;
use crate::run::{Pool, RunStatus};
use crate::{GameFacts, Information};

/// The most visits a node may have. Packed counters hold 2^31; the rest is for visits in flight and virtual loss.
pub(super) const MOST_VISITS: u64 = (1 << 31) - (1 << 24);

/// The most playouts that a worker makes between two looks whether the search should go on, and the most that it takes
/// from the budget at once if they do not go in bulk. After every playout, or half of a batch, it looks whether it has
/// to stop.
const MOST_AT_ONCE: u64 = 32;

/// Under a deadline a worker makes no more playouts between two looks at the clock than it makes in about this time.
const LOOKS_APART: Duration = Duration::from_micros(30);

/// An early stop under a time limit assumes that playouts become at most this many times faster.
const RATE_MARGIN: f64 = 2.0;

/// The random streams of selection policies count down from here, far from those of playouts.
const POLICY_STREAM: u64 = u64::MAX / 4;

/// One playout as it was made, for a log.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlayoutRecord {
    /// The tree it was counted in: 0 unless there are independent trees.
    pub(crate) tree: u32,
    /// The codes of the actions inside the tree, whose nodes received a count.
    pub(crate) path: Vec<u32>,
    /// The codes of the actions after that.
    pub(crate) moves: Vec<u32>,
    /// The reward of each player.
    pub(crate) rewards: Vec<f64>,
}

/// The results of a search beside its tree.
pub(crate) struct Results {
    /// See [`SharedSearch::is_reported`].
    pub(crate) is_reported: bool,
    /// Where every playout is sent.
    pub(crate) record: Option<SyncSender<PlayoutRecord>>,
}

/// One search, from the point of view of its workers.
pub(super) struct SharedSearch {
    pub(super) facts: GameFacts,
    pub(super) kind: TreeKind,
    pub(super) settings: Settings,
    pub(super) tables: Arc<Tables>,
    pub(super) trees: Vec<Arc<Tree>>,
    /// The threads that play out batches, if the search is batched.
    pub(super) pool: Option<Arc<Pool>>,
    pub(super) players: usize,
    /// The player who acts in the position.
    pub(super) first: usize,
    /// The number of the first random stream this search may use.
    pub(super) stream: u64,
    pub(super) record: Option<SyncSender<PlayoutRecord>>,
    /// True if traversals list their moves: to record them, to keep the best plan of a game for one player, or to learn
    /// from them.
    pub(super) lists_moves: bool,
    /// True if rewards in the tree are any numbers, though the game declares others: values of an evaluator, or means
    /// of several playouts.
    pub(super) takes_any_rewards: bool,
    /// The playout policy that learns, if there is one.
    pub(super) learned: Option<LearnedPlayouts>,
    /// See [`policies::needs_squares`] and [`policies::counts_amaf`].
    pub(super) needs_squares: bool,
    pub(super) counts_amaf: bool,
    /// See [`has_bounds`](super::solver::has_bounds).
    pub(super) has_bounds: bool,
    /// True if a report may be asked for. Else nothing is kept that only reports say.
    pub(super) is_reported: bool,
    /// 1 once the children of the root have the priors of the evaluator.
    pub(super) root_is_valued: AtomicU64,
    /// The selection policy, unless workers compute theirs in place.
    pub(super) policy: Option<Box<dyn SelectionPolicy>>,
    /// When to stop, and the events so far.
    pub(super) status: RunStatus,
    /// Playouts that were in the trees before.
    pub(super) inherited: u64,
    pub(super) finished: Finished,
    /// The least and the greatest score of this search, where scores have no bounds. Those of earlier searches say how
    /// good scores were when the game was young.
    pub(super) bounds: Bounds,
    /// The largest sum of absolute scores that one worker may add, in units of the tree, before a sum could overflow.
    pub(super) room_for_scores: u64,
    /// The number of threads that write here.
    pub(super) writers: Writers,
    /// Playouts of the budget that no worker has taken yet.
    left: AtomicU64,
    /// True if the budget was cut because a counter could overflow.
    capped: bool,
    /// The root's children when the search began, without the visits of other searches.
    before: Vec<Candidate>,
    pub(super) merging: Option<Arc<Merging>>,
    depth: AtomicU64,
    /// The best score of a game for one player, and the codes of the actions that led there.
    best: Mutex<Option<(f64, Vec<u32>)>>,
    /// Playouts that were timed, and their time in nanoseconds.
    timed: [AtomicU64; 2],
}

impl SharedSearch {
    /// A search that begins now, of a game with `players` players in whose position the player `first` acts.
    pub(super) fn new(
        core: &SearchState,
        settings: Settings,
        (players, first): (usize, usize),
        budget: Budget,
        results: Results,
    ) -> SharedSearch {
        let Results { is_reported, record } = results;
        let mut before = Root::read(&core.trees, &core.settings, core.has_bounds).0;
        if let Some(merging) = &core.merging {
            merging.without_others(&mut before, core.units());
        }
        let inherited = core.playouts_in_trees();
        let room = match &core.merging {
            Some(merging) => MOST_VISITS.saturating_sub(inherited + merging.room()),
            None => MOST_VISITS.saturating_sub(inherited),
        };
        let workers = core.settings.workers();
        let status = RunStatus::new(budget, workers).of_actions(before.len());
        let asked = status.most_iterations().unwrap_or(u64::MAX);
        let counts_amaf = policies::counts_amaf(&core.settings);
        let learns = core.settings.learning != Learning::Off;
        let is_listed = is_reported && is_plan(&core.facts, players);
        let room_for_scores = (i64::MAX as u64).saturating_sub(largest_sum(inherited, core.bounds, core.units()));
        SharedSearch {
            facts: core.facts,
            kind: core.kind,
            settings,
            tables: core.tables.clone(),
            trees: core.trees.clone(),
            pool: core.pool.clone(),
            players,
            first: first.min(players.saturating_sub(1)),
            stream: core.next_stream,
            lists_moves: record.is_some() || is_listed || counts_amaf || learns,
            takes_any_rewards: core.settings.evaluator || core.settings.takes_other_rewards(),
            learned: if learns { core.learned.clone() } else { None },
            needs_squares: policies::needs_squares(&core.settings),
            counts_amaf,
            has_bounds: core.has_bounds,
            record,
            is_reported,
            root_is_valued: AtomicU64::new(0),
            policy: policies::of(&core.settings, POLICY_STREAM - core.next_stream),
            status,
            inherited,
            finished: Finished::new(workers, before.len()),
            bounds: Bounds::new(match &core.merging {
                Some(merging) => merging.bounds(),
                None => Bounds::NONE,
            }),
            room_for_scores: room_for_scores / workers.max(1) as u64,
            writers: if workers == 1 && core.pool.is_none() { Writers::One } else { Writers::Many },
            left: AtomicU64::new(asked.min(room)),
            capped: asked > room,
            before,
            merging: core.merging.clone(),
            depth: AtomicU64::new(0),
            best: Mutex::new(None),
            timed: [AtomicU64::new(0), AtomicU64::new(0)],
        }
    }

    /// The layout of the trees, which decides the kind of worker.
    pub(super) fn layout(&self) -> LayoutKind {
        self.trees[0].layout()
    }

    /// Returns false, after giving the reason, when the search has to stop.
    pub(super) fn goes_on(&self) -> bool {
        let budget = self.status.budget();
        if self.status.is_over() {
            return false;
        }
        if budget.until_full && self.trees.iter().all(|tree| tree.is_full()) {
            self.status.stop(StopReason::MemoryFull);
            return false;
        }
        true
    }

    /// Returns true, after giving the reason, when the search may stop before its limits.
    pub(super) fn stops_early(&self) -> bool {
        let asks = self.status.budget().early_stop && !self.status.is_forced() && self.plays_the_most_visited();
        let stops = asks && self.is_decided();
        if stops {
            self.status.stop(StopReason::Decided);
        }
        stops
    }

    /// Takes up to `most` playouts from the budget. Gives none when the search should stop.
    pub(super) fn take(&self, most: u64) -> u64 {
        if !self.goes_on() || self.stops_early() {
            return 0;
        }
        if let Some(merging) = &self.merging {
            merging.take_over_if_due(&self.trees[0]);
        }
        let take = |left: u64| most.min(left);
        let before = self.writers.fetch_update(&self.left, Relaxed, Relaxed, |left| Some(left - take(left)));
        take(before.unwrap_or_default())
    }

    /// Returns true if the move with the most visits is the one to play.
    fn plays_the_most_visited(&self) -> bool {
        self.settings.final_move == FinalMove::MostPlayouts
            && self.settings.temperature == 0.0
            && !matches!(self.settings.policy, Policy::RegretMatching | Policy::Gumbel)
    }

    /// The number of playouts that a worker of tree or root parallelisation makes before it looks again whether the
    /// search should stop.
    pub(super) fn share(&self) -> u64 {
        let most = if self.status.deadline().is_some() { self.playouts_between_looks() } else { MOST_AT_ONCE };
        self.fair_share().min(most)
    }

    /// The number of playouts that a worker makes before it asks again whether the search stops early. Where a number
    /// of playouts is the limit, no clock tells it.
    pub(super) fn before_decision(&self) -> u64 {
        if self.status.most_iterations().is_some() { self.few() } else { self.share() }
    }

    /// The number of playouts that this search is going to make: by its limit, or else by its time at the speed so
    /// far. `u64::MAX` if neither says so.
    pub(super) fn expected(&self) -> u64 {
        let in_time = self.status.deadline().filter(|_| self.done() > 0).map(|deadline| {
            let whole = deadline.saturating_duration_since(self.status.started()).as_secs_f64();
            let spent = now().duration_since(self.status.started()).as_secs_f64();
            (self.done() as f64 * whole / spent.max(1e-9)) as u64
        });
        self.status.most_iterations().or(in_time).unwrap_or(u64::MAX)
    }

    /// The playouts that a worker may take from the budget so that all workers finish together.
    pub(super) fn even_share(&self) -> u64 {
        self.left.load(Relaxed).div_ceil(self.finished.workers() as u64).max(1)
    }

    /// The number of playouts that a worker takes from the budget at once where they go one by one.
    pub(super) fn few(&self) -> u64 {
        self.fair_share().min(MOST_AT_ONCE)
    }

    /// The most playouts that a worker should take from the budget, fewer near its end so that all workers finish
    /// together.
    pub(super) fn fair_share(&self) -> u64 {
        (self.left.load(Relaxed) / (2 * self.finished.workers() as u64)).max(1)
    }

    /// The number of playouts that a worker makes, at the speed so far, between two looks at the clock.
    fn playouts_between_looks(&self) -> u64 {
        let spent = now().duration_since(self.status.started()).as_secs_f64();
        let each = self.done() as f64 / self.finished.workers() as f64;
        ((each * LOOKS_APART.as_secs_f64() / spent.max(1e-9)) as u64).clamp(1, MOST_AT_ONCE)
    }

    /// The number of children of the root.
    pub(super) fn width(&self) -> u32 {
        self.before.len() as u32
    }

    /// The random stream of a worker. Where playouts have streams of their own, it is none of theirs.
    pub(super) fn stream_of_worker(&self, number: usize) -> u64 {
        match self.settings.parallel {
            Parallel::Batched => u64::MAX - self.stream,
            Parallel::Shared | Parallel::Independent => self.stream + number as u64,
        }
    }

    /// Returns true if the move with the most playouts stays ahead for the rest of the budget: for certain under an
    /// iteration budget, or else at the speed so far, with a margin, under a deadline.
    ///
    /// A single playout may prove that the move which is ahead loses, so beside the solver no lead is enough.
    fn is_decided(&self) -> bool {
        let to_come = self.playouts_to_come().or_else(|| self.playouts_in_time());
        // A look at the number of playouts saves most looks at the root.
        let may_be = to_come.filter(|&to_come| to_come > 0 && self.inherited + self.done() > to_come);
        may_be.is_some_and(|to_come| match self.settings.solver {
            true => self.root().has_one_that_may_not_lose(self.first),
            false => self.root().is_decided(to_come),
        })
    }

    /// The children of the root with the finished playouts of this search and of those that it merges with. The tree
    /// counts others too, and not yet all of these.
    pub(super) fn root(&self) -> Root {
        let units = self.trees[0].units();
        let now = |(child, before): (usize, &Candidate)| {
            let (playouts, sum) = self.finished.through(child);
            let visits = before.visits + playouts;
            let reward = before.reward + sum as f64 / units;
            // A reward may be seen before its playout is counted.
            let most = if self.facts.rewards.bounds.is_some() { visits as f64 } else { f64::INFINITY };
            Candidate { visits, reward: reward.min(most), ..*before }
        };
        let mut root = Root(self.before.iter().enumerate().map(now).collect());
        root.read_marks(&self.trees, &self.settings, self.has_bounds);
        if let Some(merging) = &self.merging {
            merging.with_others(&mut root.0, units);
        }
        root
    }

    /// The same without those of other searches.
    pub(super) fn own_root(&self) -> Root {
        let mut root = self.root();
        if let Some(merging) = &self.merging {
            merging.take_others_out(&mut root.0, self.trees[0].units());
        }
        root
    }

    fn playouts_to_come(&self) -> Option<u64> {
        self.status.most_iterations().map(|iterations| iterations.saturating_sub(self.done()))
    }

    fn playouts_in_time(&self) -> Option<u64> {
        let deadline = self.status.deadline()?;
        let (now, done, workers) = (now(), self.done(), self.finished.workers() as u64);
        let (spent, left) = (now.duration_since(self.status.started()), deadline.saturating_duration_since(now));
        // The first rates say little: threads are still starting.
        if spent < left / 8 || done < workers * MOST_AT_ONCE {
            return None;
        }
        // Each worker may be about to finish one more.
        let rate = (done + workers) as f64 / spent.as_secs_f64();
        Some((rate * RATE_MARGIN * left.as_secs_f64()) as u64)
    }

    /// Keeps a plan if it is the best so far, and returns the best score.
    pub(super) fn offer(&self, score: f64, actions: &dyn Fn() -> Vec<u32>) -> f64 {
        let mut best = self.best.lock();
        match &*best {
            Some((most, _)) if *most >= score => *most,
            _ => {
                *best = Some((score, actions()));
                score
            }
        }
    }

    /// The score of the best plan in a game for one player, and the codes of its actions.
    pub(super) fn best(&self) -> Option<(f64, Vec<u32>)> {
        self.best.lock().clone()
    }

    /// Adds to the time that playouts took.
    pub(super) fn took(&self, playouts: u64, time: Duration) {
        self.writers.fetch_add(&self.timed[0], playouts, Relaxed);
        self.writers.fetch_add(&self.timed[1], time.as_nanos() as u64, Relaxed);
    }

    /// The mean time of the playouts that were timed.
    pub(super) fn seconds_a_playout(&self) -> Option<f64> {
        let [playouts, nanoseconds] = self.timed.each_ref().map(|number| number.load(Relaxed));
        (playouts > 0).then(|| nanoseconds as f64 * 1e-9 / playouts as f64)
    }

    /// The time, as far as known, after which a worker that has to stop comes back: that of one playout, in a batched
    /// search that of the playouts of half a batch which one thread makes.
    pub(super) fn time_to_come_back(&self) -> Option<Duration> {
        let (threads, in_a_row) = match self.settings.parallel {
            Parallel::Batched => {
                (self.settings.threads, (self.settings.leaves() as usize).div_ceil(2).div_ceil(self.settings.threads))
            }
            Parallel::Shared | Parallel::Independent if self.settings.evaluator => {
                (self.finished.workers(), self.settings.leaves() as usize)
            }
            Parallel::Shared | Parallel::Independent => (self.finished.workers(), 1),
        };
        let counted = |done: u64| (done > 0).then(|| self.status.seconds() * threads as f64 / done as f64);
        let seconds = self.seconds_a_playout().or_else(|| counted(self.done()))?;
        Duration::try_from_secs_f64(seconds * in_a_row as f64).ok()
    }

    /// Takes over the results of a search of the same position whose workers are still in the trees, where their visits
    /// in flight count too.
    pub(super) fn go_on_from(&mut self, other: &SharedSearch) {
        (self.before, self.inherited) = (other.own_root().0, other.inherited + other.done());
    }

    /// Adds a warning to the report.
    pub(super) fn warn(&self, warning: &Warning) {
        if self.is_reported {
            self.status.warn(warning);
        }
    }

    /// The number of finished playouts.
    pub(super) fn done(&self) -> u64 {
        self.finished.all()
    }

    pub(super) fn saw_depth(&self, plies: u32) {
        let (plies, writers) = (u64::from(plies), self.writers);
        // A depth that was reached before changes nothing.
        let _ = writers.fetch_update(&self.depth, Relaxed, Relaxed, |depth| (plies > depth).then_some(plies));
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth.load(Relaxed) as u32
    }

    /// The reason why the search ended.
    pub(super) fn reason(&self) -> StopReason {
        match self.status.reason() {
            StopReason::Iterations if self.capped => StopReason::CounterFull,
            reason => reason,
        }
    }
}

/// Returns true if a playout is a plan: in a game for one player with perfect information, the actions of a playout can
/// be played, luck aside.
pub(super) fn is_plan(facts: &GameFacts, players: usize) -> bool {
    players == 1 && facts.information == Information::Perfect
}

/// The largest absolute sum of `scores` scores between these bounds.
fn largest_sum(scores: u64, (least, most): (f64, f64), units: f64) -> u64 {
    match scores {
        0 => 0,
        _ => (scores as f64 * least.abs().max(most.abs()) * units) as u64,
    }
}
