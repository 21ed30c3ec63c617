//! The drivers of a search with an evaluator: leaves wait for each other until there are enough for a batch.
//!
//! A worker has more traversals under way than a batch has leaves, so it fills its batches by itself and waits for no
//! other worker. A leaf waits until the batch is full, until all traversals of its worker wait, or until the worker has
//! made so many simulations to the end of the game meanwhile that the batch is not likely to be filled soon; one of
//! several workers, which no seed repeats, also keeps to the longest wait of the settings. In a batched search
//! ([`batched`]) half a batch goes to the evaluator in [`PIECES`] parts, at any number of threads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::batched;
use super::pace::{Next, Pace};
use super::root_noise::add_noise;
use super::shared::SharedSearch;
use super::traversal::Traversal;
use super::worker::{self, GameRoot, Worker};
use crate::clock::now;
use crate::evaluator::{Malformed, SearchEnd};
use crate::mcts::tree::Tree;
use crate::mcts::tree::sync::Ordering::Relaxed;
use crate::run::{guarded, panic_text};
use crate::{Action, Evaluations, Evaluator, Game, Knowledge, Leaf, Rng, SearchError, Turn, Warning};
use boughs_core::End;
use boughs_core::MAX_PLAYERS;

/// The streams of root noise count down from here, far from those of playouts.
const NOISE_STREAM: u64 = u64::MAX / 8;

/// The streams of the seeds of evaluations count up from here.
const SEED_STREAM: u64 = u64::MAX / 16;

/// A leaf waits for at most so many simulations that end with the game, times the leaves of a batch.
const MOST_PASSED: u32 = 4;

/// The parts of half a batch of leaves that threads evaluate side by side.
const PIECES: usize = 16;

/// The actions of the leaf of one traversal, their priors, and the values of the leaf.
#[derive(Debug)]
pub(super) struct LeafPriors<G: Game> {
    /// The legal actions, if the evaluator has priors and expands the leaf, and a player acts.
    actions: Vec<G::Action>,
    /// The seed of the evaluation.
    seed: u64,
    /// The priors of these actions.
    priors: Vec<f32>,
    /// The value for each player, without that of a playout beside it.
    pub(super) values: [f64; MAX_PLAYERS],
}

impl<G: Game> Default for LeafPriors<G> {
    fn default() -> Self {
        LeafPriors { actions: Vec::new(), seed: 0, priors: Vec::new(), values: [0.0; MAX_PLAYERS] }
    }
}

impl<G: Game> LeafPriors<G> {
    /// The codes of the actions and their priors; `None` if there are none.
    pub(super) fn priors(&self) -> Option<(impl Iterator<Item = u32> + '_, &[f32])> {
        (!self.priors.is_empty()).then(|| (self.actions.iter().map(|action| action.code()), &self.priors[..]))
    }
}

/// The evaluator of a search, and the code that is compiled for a game only if some search of it has one.
pub(super) struct Evaluation<G: Game> {
    pub(super) evaluator: Arc<dyn Evaluator<G>>,
    /// The work of a worker thread.
    pub(super) work: fn(&SharedSearch, GameRoot<'_, G>, usize),
    /// The work of the calling thread.
    pub(super) work_here: fn(&SharedSearch, GameRoot<'_, G>),
}

impl<G: Game> Evaluation<G> {
    pub(super) fn new(evaluator: Arc<dyn Evaluator<G>>) -> Evaluation<G> {
        Evaluation { evaluator, work, work_here }
    }
}

/// The evaluator that comes with a game, which declares its knowledge.
pub(super) fn evaluator_of_game<G: Game>(
    position: &G,
    declared: Knowledge,
    evaluator: fn(&G) -> Option<Arc<dyn Evaluator<G>>>,
) -> Result<Option<Arc<dyn Evaluator<G>>>, SearchError> {
    let (evaluator, knows) = guarded(|| {
        let evaluator = evaluator(position);
        let knows = evaluator.as_ref().map_or(Knowledge::None, |evaluator| evaluator.knowledge());
        (evaluator, knows)
    })?;
    if knows == declared {
        return Ok(evaluator);
    }
    Err(SearchError::Evaluator(format!(
        "the game declares EVALUATOR = Knowledge::{declared:?}, and the knowledge() of what its evaluator() returns is \
         Knowledge::{knows:?}; make both the same"
    )))
}

/// Asks an evaluator, whose panics and faults become errors.
fn asked(ask: impl FnOnce() -> Result<(), Malformed>) -> Result<(), SearchError> {
    let fault = match catch_unwind(AssertUnwindSafe(ask)) {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(fault)) => fault.to_string(),
        Err(panic) => format!("it panicked: {}", panic_text(&*panic)),
    };
    Err(SearchError::Evaluator(fault))
}

/// The work of a worker thread in a search with an evaluator.
fn work<G: Game>(search: &SharedSearch, game: GameRoot<'_, G>, number: usize) {
    worker::run_guarded(search, game, number, drive);
}

/// The work of the calling thread in a search with an evaluator.
fn work_here<G: Game>(search: &SharedSearch, game: GameRoot<'_, G>) {
    worker::run_here(search, game, drive);
    search.status.finish_worker();
}

/// Makes simulations until the search ends.
fn drive<'s, G: Game>(worker: &mut dyn Worker<'s, G>, traversals: &mut Vec<Traversal<G>>) {
    let (search, game): (&SharedSearch, _) = (worker.search(), worker.game());
    let number = worker.number();
    let Some(evaluator) = game.evaluator else { return };
    let mut leaves = Leaves::new(search, evaluator, search.stream_of_worker(number));
    // Each tree has a worker that gives its root priors. The others go on with those of all children equal meanwhile.
    if let Some(tree) = search.trees.get(number)
        && !leaves.value_root(game.position, tree, number as u64)
    {
        return;
    }
    match &search.pool {
        None => iterate(worker, leaves, traversals),
        Some(pool) => batched::iterate(worker, pool, traversals, PIECES, &|traversals, first| {
            let mut leaves = Leaves::new(search, evaluator, first);
            let mut waiting = Vec::new();
            for (number, traversal) in (first..).zip(&mut *traversals) {
                if is_open(traversal) {
                    traversal.waits = true;
                    leaves.seeds = seeds(search, number);
                    leaves.list(traversal);
                    waiting.push(traversal);
                }
            }
            if !leaves.value(&mut waiting) {
                return;
            }
            for (number, traversal) in (first..).zip(traversals) {
                traversal.waits = false;
                let mut rng = Rng::new(search.settings.seed, number);
                finish(search, game, traversal, &mut rng, &mut Vec::new());
            }
        }),
    }
}

/// The leaves that one worker has evaluated.
struct Leaves<'s, G: Game> {
    search: &'s SharedSearch,
    evaluator: &'s dyn Evaluator<G>,
    has_priors: bool,
    /// The seeds of the next evaluations.
    seeds: Rng,
    evaluations: Evaluations,
}

/// The seeds of evaluations, of the stream with a number.
fn seeds(search: &SharedSearch, stream: u64) -> Rng {
    Rng::new(search.settings.seed, SEED_STREAM.wrapping_add(stream))
}

impl<'s, G: Game> Leaves<'s, G> {
    fn new(search: &'s SharedSearch, evaluator: &'s dyn Evaluator<G>, stream: u64) -> Leaves<'s, G> {
        let has_priors = evaluator.knowledge() == Knowledge::ValuesAndPriors;
        Leaves { search, evaluator, has_priors, seeds: seeds(search, stream), evaluations: Evaluations::default() }
    }

    /// Gives the children of the root their priors, with noise if the settings ask for it. Returns false after a fault,
    /// which ends the search.
    fn value_root(&mut self, position: &G, tree: &Tree, number: u64) -> bool {
        let Some(block) = tree.expansion(tree.root()).block() else { return true };
        if !self.has_priors || self.search.policy.is_none() {
            return true;
        }
        let (mut actions, mut priors) = (Vec::new(), Vec::new());
        position.actions(&mut actions);
        let players = position.players().min(MAX_PLAYERS);
        let Leaves { evaluator, evaluations, search, seeds, .. } = self;
        let end = SearchEnd::of(&search.status);
        let valued = asked(|| {
            evaluations.clear();
            evaluator.evaluate(&[Leaf { position, actions: &actions, seed: seeds.bits(), end: &end }], evaluations);
            evaluations.check_count(1)?;
            evaluations.take(0, (players, actions.len()), &mut [0.0; MAX_PLAYERS], &mut priors)
        });
        match valued {
            Ok(()) if end.is_seen() => false,
            Ok(()) => {
                add_noise(&mut priors, &search.settings, NOISE_STREAM - search.stream - number);
                tree.set_priors(block, &priors);
                search.root_is_valued.store(1, Relaxed);
                true
            }
            Err(error) => {
                search.status.fail(error);
                false
            }
        }
    }

    /// Lists the actions of a leaf and draws the seed of its evaluation.
    fn list(&mut self, traversal: &mut Traversal<G>) {
        let leaf = traversal.leaf.get_or_insert_with(Box::default);
        let position = &traversal.position;
        leaf.seed = self.seeds.bits();
        leaf.actions.clear();
        if self.has_priors && matches!(position.turn(), Turn::Player(_)) && self.evaluator.expands(position) {
            position.actions(&mut leaf.actions);
        }
    }

    /// Asks for the values of the leaves of some traversals. Returns false after a fault of the evaluator, which ends
    /// the search, and if an evaluation may have broken off because the search has ended.
    fn value(&mut self, waiting: &mut [&mut Traversal<G>]) -> bool {
        if waiting.is_empty() {
            return true;
        }
        let end = SearchEnd::of(&self.search.status);
        match asked(|| self.ask(waiting, &end)) {
            Ok(()) => !end.is_seen(),
            Err(error) => {
                self.search.status.fail(error);
                false
            }
        }
    }

    fn ask(&mut self, waiting: &mut [&mut Traversal<G>], end: &SearchEnd<'_>) -> Result<(), Malformed> {
        self.evaluations.clear();
        match &mut *waiting {
            // Needs no list, for evaluators that are about as quick as a list is made.
            [only] => self.evaluator.evaluate(&[leaf_of(only, end)], &mut self.evaluations),
            all => {
                let leaves: Vec<_> = all.iter().map(|traversal| leaf_of(traversal, end)).collect();
                self.evaluator.evaluate(&leaves, &mut self.evaluations);
            }
        }
        self.evaluations.check_count(waiting.len())?;
        for (number, traversal) in waiting.iter_mut().enumerate() {
            let players = traversal.position.players().min(MAX_PLAYERS);
            if let Some(leaf) = &mut traversal.leaf {
                let actions = leaf.actions.len();
                self.evaluations.take(number, (players, actions), &mut traversal.values, &mut leaf.priors)?;
                leaf.values = traversal.values;
            }
            traversal.end = End::Truncated;
        }
        Ok(())
    }
}

fn leaf_of<'l, G: Game>(traversal: &'l Traversal<G>, end: &'l SearchEnd<'l>) -> Leaf<'l, G> {
    let (actions, seed): (&[_], _) = traversal.leaf.as_ref().map_or((&[], 0), |leaf| (&leaf.actions, leaf.seed));
    Leaf { position: &traversal.position, actions, seed, end }
}

/// Returns true if a leaf has no value but that of an evaluator.
fn is_open<G: Game>(traversal: &Traversal<G>) -> bool {
    traversal.outcome.is_open() && traversal.position.turn() != Turn::Over
}

/// Plays a game out from a leaf where the value is not that of the evaluator alone.
fn finish<G: Game>(
    search: &SharedSearch,
    game: GameRoot<'_, G>,
    traversal: &mut Traversal<G>,
    rng: &mut Rng,
    scratch: &mut Vec<G::Action>,
) {
    let mix = search.settings.mix;
    if !is_open(traversal) {
        traversal.play_out(search, game, rng, scratch);
    } else if mix > 0.0 {
        // A truncated playout writes its own values there.
        let evaluated = traversal.values;
        traversal.play_out(search, game, rng, scratch);
        match traversal.end {
            End::Over | End::Truncated => {}
            End::Cut => search.warn(&Warning::PlayoutCut),
            End::Stuck => search.warn(&Warning::NoLegalAction),
        }
        let players = traversal.position.players().min(MAX_PLAYERS);
        let played = traversal.rewards(players);
        for player in 0..players {
            traversal.values[player] = evaluated[player] + mix * (played[player] - evaluated[player]);
        }
        traversal.end = End::Truncated;
    }
}

/// Makes simulations until the search ends. While one traversal waits for memory the others go on.
fn iterate<'s, G: Game>(worker: &mut dyn Worker<'s, G>, mut leaves: Leaves<'s, G>, traversals: &mut Vec<Traversal<G>>) {
    let (search, game): (&SharedSearch, _) = (worker.search(), worker.game());
    let batch = search.settings.leaves();
    let slots = batch.max(search.settings.traversals) as usize;
    traversals.resize_with(slots, || Traversal::new(game));
    let mut pace = Pace::new(search, batch);
    let mut queue = Queue::new(search, batch);
    // The traversal to go on with.
    let mut next = 0;
    loop {
        let mut has_begun = false;
        for _ in 0..slots {
            let traversal = &mut traversals[next];
            next = if next + 1 < slots { next + 1 } else { 0 };
            if traversal.waits {
                continue;
            }
            if traversal.path.is_empty() {
                match pace.next(worker.as_paced()) {
                    Next::Begin => worker.begin_next(traversal),
                    Next::Wait => continue,
                    Next::End => return,
                }
                has_begun = true;
            }
            if !worker.select(traversal, true) {
                continue;
            }
            if is_open(traversal) {
                traversal.waits = true;
                queue.add();
                if queue.is_full() {
                    break;
                }
            } else {
                worker.play_out(traversal);
                worker.backpropagate(traversal);
                pace.end(1);
                queue.passed += 1;
            }
        }
        if search.status.is_stopped() {
            return;
        }
        // While others begin, the batch may still be filled.
        let are_all = queue.waiting == pace.under_way() && !has_begun;
        if queue.is_due(are_all) {
            evaluate(worker, &mut leaves, traversals);
            pace.end(std::mem::take(&mut queue.waiting));
            if search.status.is_stopped() {
                return;
            }
        }
    }
}

/// The leaves of a worker that wait for their evaluation.
struct Queue {
    /// The number of leaves of a batch.
    batch: u32,
    /// The longest time that a leaf waits, if the worker keeps to one.
    longest: Option<Duration>,
    /// The number of leaves that wait, and the time since when the first one does.
    waiting: u32,
    since: Option<Instant>,
    /// The simulations that have ended without an evaluation meanwhile.
    passed: u32,
}

impl Queue {
    fn new(search: &SharedSearch, batch: u32) -> Queue {
        let keeps_time = batch > 1 && search.finished.workers() > 1;
        let longest = keeps_time.then(|| Duration::from_micros(u64::from(search.settings.wait)));
        Queue { batch, longest, waiting: 0, since: None, passed: 0 }
    }

    /// Adds a leaf.
    fn add(&mut self) {
        self.waiting += 1;
        if self.waiting == 1 {
            (self.since, self.passed) = (self.longest.map(|_| now()), 0);
        }
    }

    /// Returns true if the leaves that wait are a whole batch.
    fn is_full(&self) -> bool {
        self.waiting == self.batch
    }

    /// Returns true if the leaves that wait are to be evaluated. `are_all` if every traversal of the worker waits.
    fn is_due(&self, are_all: bool) -> bool {
        let is_late = || {
            let (Some(since), Some(longest)) = (self.since, self.longest) else { return false };
            since.elapsed() >= longest
        };
        let is_passed = self.passed >= MOST_PASSED * self.batch;
        self.is_full() || self.waiting > 0 && (are_all || is_passed || is_late())
    }
}

/// Evaluates and backpropagates the leaves that wait.
fn evaluate<'s, G: Game>(worker: &mut dyn Worker<'s, G>, leaves: &mut Leaves<'s, G>, traversals: &mut [Traversal<G>]) {
    let (search, game): (&SharedSearch, _) = (worker.search(), worker.game());
    let started = search.is_reported.then(now);
    let mut scratch = Vec::new();
    let mut waiting: Vec<_> = traversals.iter_mut().filter(|traversal| traversal.waits).collect();
    let count = waiting.len() as u64;
    waiting.iter_mut().for_each(|traversal| leaves.list(traversal));
    if !leaves.value(&mut waiting) {
        return;
    }
    for traversal in traversals.iter_mut().filter(|traversal| traversal.waits) {
        traversal.waits = false;
        finish(search, game, traversal, worker.rng(), &mut scratch);
        worker.expand_with_priors(traversal);
        worker.backpropagate(traversal);
    }
    if let Some(started) = started {
        search.took(count, started.elapsed());
    }
}
