//! What all workers of one search share: the position, the trees, and when to stop.

use std::sync::Arc;
use std::sync::atomic::Ordering::{self, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::time::Duration;

use crossbeam::channel::Sender;
use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::root::{Candidate, Root};
use crate::budget::{Budget, StopReason};
use crate::clock::now;
use crate::course::Course;
use crate::numbers::Tables;
use crate::scale::Bounds;
use crate::settings::{FinalMove, Parallel, Policy, Settings};
use crate::tree::Tree;
use crate::{Game, Information, Playout};

/// The most visits a node may have. Packed counters hold 2^31; what is below is for visits in flight and virtual loss.
pub(super) const MOST_VISITS: u64 = (1 << 31) - (1 << 24);

/// How many playouts a worker takes from the budget at once, at most. Between two takes it looks whether the best move
/// is decided; after every playout, or half of a batch, whether it has to stop.
const MOST_AT_ONCE: u64 = 32;

/// Under a deadline it takes no more than it makes in about this time, and then looks at the clock.
const LOOKS_APART: Duration = Duration::from_micros(30);

/// An early stop under a time limit assumes that playouts become at most this many times faster.
const RATE_MARGIN: f64 = 2.0;

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

/// One search, from the point of view of its workers.
pub(super) struct Job<G: Game> {
    pub(super) position: G,
    pub(super) trees: Vec<Arc<Tree>>,
    pub(super) settings: Settings,
    pub(super) playout: Arc<dyn Playout<G>>,
    pub(super) tables: Arc<Tables>,
    /// The number of the first random stream this search may use.
    pub(super) stream: u64,
    pub(super) record: Option<Sender<PlayoutRecord>>,
    /// Playouts are traced: for whoever records them, or to keep the best of a game for one, where a playout is a plan.
    pub(super) traces: bool,
    /// When to stop, and what happened.
    pub(super) course: Course,
    pub(super) inherited: u64,
    /// Playouts nobody has taken yet.
    left: AtomicU64,
    /// The budget was cut because a counter could overflow.
    capped: bool,
    /// What each worker has finished.
    finished: Box<[CachePadded<Finished>]>,
    /// The root's children when the search began.
    before: Vec<Candidate>,
    pub(super) players: usize,
    /// Who acts in the position, of the players there are.
    pub(super) first: usize,
    depth: AtomicU32,
    /// The least and the greatest score of this search, where scores have no bounds. Those of earlier searches say what was
    /// good when the game was young.
    pub(super) bounds: Bounds,
    /// How large the scores that one worker adds may be together, in units of the tree's, before a sum could overflow.
    pub(super) room_for_scores: u64,
    /// The best score of a game for one, and the codes of the actions that led there.
    best: Mutex<Option<(f64, Vec<u32>)>>,
    /// Playouts that were timed, and how long they took in nanoseconds.
    timed: [AtomicU64; 2],
}

/// Playouts that a worker has finished; nobody else writes these.
struct Finished {
    all: AtomicU64,
    /// By the child of the root they went through, in cache lines that no other worker writes.
    below: Box<[CachePadded<[Below; BELOW]>]>,
}

#[derive(Default)]
struct Below {
    playouts: AtomicU64,
    /// Rewards of the player at the root, in the units of the layout.
    sum: AtomicU64,
}

/// How many of them share two cache lines, which is what processors fetch at a time.
const BELOW: usize = 8;

impl Finished {
    fn new(children: usize) -> Finished {
        let some = || CachePadded::new(std::array::from_fn(|_| Below::default()));
        Finished { all: AtomicU64::new(0), below: (0..children.div_ceil(BELOW)).map(|_| some()).collect() }
    }

    fn below(&self, child: usize) -> Option<&Below> {
        self.below.get(child / BELOW).map(|some| &some[child % BELOW])
    }
}

/// Adds to a counter that only this thread writes.
fn add(counter: &AtomicU64, more: u64, ordering: Ordering) {
    counter.store(counter.load(Relaxed).wrapping_add(more), ordering);
}

/// Whether a playout is a plan: of a game for one in which nothing is hidden, so that what was played out is what will happen,
/// luck aside.
pub(crate) fn is_plan<G: Game>(players: usize) -> bool {
    players == 1 && G::INFORMATION == Information::Perfect
}

/// What so many scores between these bounds come to at most, up or down.
fn largest_sum(scores: u64, (least, most): (f64, f64), units: f64) -> u64 {
    match scores {
        0 => 0,
        _ => (scores as f64 * least.abs().max(most.abs()) * units) as u64,
    }
}

/// What a search begins with.
pub(super) struct Start<G: Game> {
    pub(super) position: G,
    pub(super) trees: Vec<Arc<Tree>>,
    pub(super) settings: Settings,
    pub(super) playout: Arc<dyn Playout<G>>,
    pub(super) tables: Arc<Tables>,
    pub(super) stream: u64,
    pub(super) record: Option<Sender<PlayoutRecord>>,
    pub(super) budget: Budget,
    pub(super) workers: usize,
    pub(super) players: usize,
    pub(super) first: usize,
    pub(super) bounds: (f64, f64),
}

impl<G: Game> Job<G> {
    pub(super) fn new(start: Start<G>) -> Job<G> {
        let before = Root::read(&start.trees).0;
        let inherited = start.trees.iter().map(|tree| u64::from(tree.read(tree.root()).visits)).sum();
        let room = MOST_VISITS.saturating_sub(inherited);
        let asked = start.budget.iterations.unwrap_or(u64::MAX);
        let units = start.trees.first().map_or(1.0, |tree| tree.layout().units());
        let room_for_scores = (i64::MAX as u64).saturating_sub(largest_sum(inherited, start.bounds, units));
        Job {
            position: start.position,
            trees: start.trees,
            settings: start.settings,
            playout: start.playout,
            tables: start.tables,
            stream: start.stream,
            traces: start.record.is_some() || is_plan::<G>(start.players),
            record: start.record,
            course: Course::new(start.budget, start.workers),
            inherited,
            left: AtomicU64::new(asked.min(room)),
            capped: asked > room,
            finished: (0..start.workers).map(|_| CachePadded::new(Finished::new(before.len()))).collect(),
            before,
            players: start.players,
            first: start.first.min(start.players.saturating_sub(1)),
            depth: AtomicU32::new(0),
            bounds: Bounds::new(Bounds::NONE),
            room_for_scores: room_for_scores / start.workers.max(1) as u64,
            best: Mutex::new(None),
            timed: [const { AtomicU64::new(0) }; 2],
        }
    }

    /// Takes up to `most` playouts from the budget, fewer near its end so that all workers finish together. None are
    /// given when the search should stop.
    pub(super) fn take(&self, most: u64) -> u64 {
        let budget = self.course.budget();
        if self.course.is_over() {
            return 0;
        }
        if budget.until_full && self.trees.iter().all(|tree| tree.is_full()) {
            self.course.stop(StopReason::MemoryFull);
            return 0;
        }
        if budget.early_stop && self.plays_the_most_visited() && self.is_decided() {
            self.course.stop(StopReason::Decided);
            return 0;
        }
        let take = |left: u64| most.min(left);
        let before = self.left.fetch_update(Relaxed, Relaxed, |left| Some(left - take(left)));
        take(before.unwrap_or_default())
    }

    /// Whether nothing but visits says which move is played.
    fn plays_the_most_visited(&self) -> bool {
        self.settings.final_move == FinalMove::MostPlayouts && self.settings.policy == Policy::Ucb1
    }

    /// How many playouts a worker of the shared or independent driver should take now.
    pub(super) fn share(&self) -> u64 {
        let most = if self.course.deadline().is_some() { self.playouts_between_looks() } else { MOST_AT_ONCE };
        (self.left.load(Relaxed) / (2 * self.finished.len() as u64)).clamp(1, most)
    }

    /// How many playouts a worker makes, at the speed so far, between two looks at the clock.
    fn playouts_between_looks(&self) -> u64 {
        let spent = now().duration_since(self.course.started()).as_secs_f64();
        let each = self.done() as f64 / self.finished.len() as f64;
        ((each * LOOKS_APART.as_secs_f64() / spent.max(1e-9)) as u64).clamp(1, MOST_AT_ONCE)
    }

    /// How many children the root has.
    pub(super) fn width(&self) -> u32 {
        self.before.len() as u32
    }

    /// The random stream a worker draws from. Where playouts have streams of their own, it is none of theirs.
    pub(super) fn stream_of_worker(&self, number: usize) -> u64 {
        match self.settings.parallel {
            Parallel::Batched => u64::MAX - self.stream,
            Parallel::Shared | Parallel::Independent => self.stream + number as u64,
        }
    }

    pub(super) fn workers(&self) -> usize {
        self.finished.len()
    }

    /// Whether the move with the most playouts stays ahead however the rest of the budget goes: for certain under an
    /// iteration budget, and at the speed so far, with a margin, under a deadline.
    fn is_decided(&self) -> bool {
        let to_come = [self.playouts_to_come(), self.playouts_in_time()].into_iter().flatten().min();
        // A look at the number of playouts saves most looks at the root.
        to_come.is_some_and(|to_come| {
            to_come > 0 && self.inherited + self.done() > to_come && self.root().is_decided(self.first, to_come)
        })
    }

    /// The children of the root with their finished playouts. The tree counts others too, and not yet all of these.
    pub(super) fn root(&self) -> Root {
        let units = self.trees[0].layout().units();
        let now = |(child, before): (usize, &Candidate)| {
            let (mut visits, mut sum) = (before.visits, 0u64);
            for below in self.finished.iter().filter_map(|finished| finished.below(child)) {
                visits += below.playouts.load(Acquire);
                sum = below.sum.load(Relaxed).wrapping_add(sum);
            }
            let reward = before.reward + sum.cast_signed() as f64 / units;
            // A reward may be seen before its playout is counted.
            let most = if G::REWARDS.bounds.is_some() { visits as f64 } else { f64::INFINITY };
            Candidate { visits, reward: reward.min(most), ..*before }
        };
        let mut root = Root(self.before.iter().enumerate().map(now).collect());
        root.read_marks(&self.trees);
        root
    }

    fn playouts_to_come(&self) -> Option<u64> {
        self.course.budget().iterations.map(|iterations| iterations.saturating_sub(self.done()))
    }

    fn playouts_in_time(&self) -> Option<u64> {
        let deadline = self.course.deadline()?;
        let (now, done, workers) = (now(), self.done(), self.finished.len() as u64);
        let (spent, left) = (now.duration_since(self.course.started()), deadline.saturating_duration_since(now));
        // The first rates say little: threads are still starting.
        if spent < left / 8 || done < workers * MOST_AT_ONCE {
            return None;
        }
        // Each worker may be about to finish one more.
        let rate = (done + workers) as f64 / spent.as_secs_f64();
        Some((rate * RATE_MARGIN * left.as_secs_f64()) as u64)
    }

    /// Keeps a playout if it is the best so far, and says what the best has.
    pub(super) fn offer(&self, score: f64, actions: impl FnOnce() -> Vec<u32>) -> f64 {
        let mut best = self.best.lock();
        match &*best {
            Some((most, _)) if *most >= score => *most,
            _ => {
                *best = Some((score, actions()));
                score
            }
        }
    }

    /// The score of the best playout of a game for one, and the codes of its actions.
    pub(super) fn best(&self) -> Option<(f64, Vec<u32>)> {
        self.best.lock().clone()
    }

    /// Counts a playout of a worker, with the child of the root it went through and the sum it added there.
    pub(super) fn finish_one(&self, worker: usize, below: Option<(usize, u64)>) {
        let finished = &self.finished[worker];
        if let Some((child, sum)) = below
            && let Some(below) = finished.below(child)
        {
            add(&below.sum, sum, Relaxed);
            // Release: who counts a playout sees its reward.
            add(&below.playouts, 1, Release);
        }
        // And who counts it as done sees where it went.
        add(&finished.all, 1, Release);
    }

    /// Notes how long some playouts took.
    pub(super) fn took(&self, playouts: u64, time: Duration) {
        self.timed[0].fetch_add(playouts, Relaxed);
        self.timed[1].fetch_add(time.as_nanos() as u64, Relaxed);
    }

    /// How long a playout takes, of those that were timed.
    pub(super) fn seconds_a_playout(&self) -> Option<f64> {
        let [playouts, nanoseconds] = self.timed.each_ref().map(|number| number.load(Relaxed));
        (playouts > 0).then(|| nanoseconds as f64 * 1e-9 / playouts as f64)
    }

    /// Finished playouts.
    pub(super) fn done(&self) -> u64 {
        self.finished.iter().map(|finished| finished.all.load(Acquire)).sum()
    }

    pub(super) fn saw_depth(&self, plies: u32) {
        self.depth.fetch_max(plies, Relaxed);
    }

    pub(super) fn depth(&self) -> u32 {
        self.depth.load(Relaxed)
    }

    /// Why the search ended.
    pub(super) fn reason(&self) -> StopReason {
        match self.course.reason() {
            StopReason::Iterations if self.capped => StopReason::CounterFull,
            reason => reason,
        }
    }
}
