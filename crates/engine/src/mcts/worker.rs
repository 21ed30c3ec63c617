//! Workers: the four steps of Monte Carlo Tree Search, over and over.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::batched;
use super::information_sets::InformationSetWorker;
use super::plain::PlainWorker;
use super::shared::SharedSearch;
use super::traversal::Traversal;
use super::worker_base::WorkerBase;
use crate::mcts::tree::informed::Informed;
use crate::mcts::tree::layouts::{Packed, Scores, Wide};
use crate::mcts::tree::narrow::Narrow;
use crate::mcts::tree::{Layout, LayoutKind};
use crate::run::{RunStatus, WorkerGuard, panic_text};
use crate::{Evaluator, Game, Playout};

/// One take from the budget in this many has its last playout timed.
const TIMED: u32 = 8;

/// The game at the root of a search.
pub(super) struct GameRoot<'s, G: Game> {
    pub(super) position: &'s G,
    pub(super) playout: &'s dyn Playout<G>,
    /// The evaluator of leaves, if the search has one.
    pub(super) evaluator: Option<&'s dyn Evaluator<G>>,
}

impl<G: Game> Clone for GameRoot<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for GameRoot<'_, G> {}

/// A worker of one kind of tree. A traversal goes through the four steps in their order: `select` also expands.
pub(super) trait Worker<'s, G: Game>: Sized + Send {
    /// The counters of its tree.
    type Layout: Layout;
    /// The further state of its traversals.
    type State: Default + Send;

    fn new(search: &'s SharedSearch, game: GameRoot<'s, G>, number: usize) -> Self;

    /// The part that all workers have.
    fn base(&mut self) -> &mut WorkerBase<'s, Self::Layout>;

    /// The game at the root.
    fn game(&self) -> GameRoot<'s, G>;

    /// Enters the root.
    fn begin(&mut self, traversal: &mut Traversal<G, Self::State>);

    /// The number of simulations to take from the budget at once. It does not depend on the clock, so that the tree of
    /// one thread does not.
    fn wanted(&mut self) -> u64 {
        self.base().search.few()
    }

    /// The most traversals to have under way at a time.
    fn most_under_way(&mut self) -> u32 {
        self.base().search.settings.traversals
    }

    /// Leads simulations down the top of the tree together, as far as they go together.
    fn share_out(&mut self, _simulations: u64) {}

    /// Returns true if simulations that went together have not been gathered.
    fn must_gather(&self) -> bool {
        false
    }

    /// Begins the next of the simulations that were shared out.
    fn begin_next(&mut self, traversal: &mut Traversal<G, Self::State>) {
        self.begin(traversal);
    }

    /// Adds the simulations that went together to the nodes they went through together.
    fn gather(&mut self) {}

    /// Hands out all copies of the game that the worker has beside those of traversals.
    fn take_positions(&mut self) -> Vec<G> {
        Vec::new()
    }

    /// Takes back the visits of a traversal that did not reach its end.
    fn take_back(&mut self, traversal: &mut Traversal<G, Self::State>) {
        self.base().take_back(traversal);
    }

    /// Adds to the tree what this worker alone has counted.
    fn merge(&mut self) {}

    /// Selection and expansion: goes down to a leaf, and one step further if the leaf can be expanded. With `ahead` the
    /// worker prefetches memory it needs next and returns false; the caller comes back later. Returns true at a leaf.
    fn select(&mut self, traversal: &mut Traversal<G, Self::State>, ahead: bool) -> bool;

    /// Expands the leaf of a traversal that was selected without expansion, to time that step alone.
    #[cfg(any(test, feature = "steps"))]
    fn expand(&mut self, traversal: &mut Traversal<G, Self::State>);

    /// Expansion of a leaf that an evaluator has given priors.
    fn expand_with_priors(&mut self, _: &mut Traversal<G, Self::State>) {}

    /// Simulation: plays the game from the leaf to its end.
    fn play_out(&mut self, traversal: &mut Traversal<G, Self::State>);

    /// Backpropagation: adds the rewards to every node on the path, for the player who chose it.
    fn backpropagate(&mut self, traversal: &mut Traversal<G, Self::State>);
}

/// Makes playouts until the search ends. While one traversal waits for memory the others go on.
fn iterate<'s, G: Game, W: Worker<'s, G>>(worker: &mut W, traversals: &mut Vec<Traversal<G, W::State>>) {
    let search: &SharedSearch = worker.base().search;
    let game = worker.game();
    let several = search.settings.traversals;
    traversals.resize_with(several as usize, || Traversal::new(game));
    // Simulations taken from the budget and not begun, those of them before the next look at the clock, traversals
    // under way and how many may be.
    let (mut taken, mut before_look, mut under_way, mut most) = (0, 0, 0, several);
    // The number of takes in a search that times playouts.
    let mut takes = 0u32;
    loop {
        for traversal in &mut *traversals {
            if traversal.path.is_empty() {
                if taken == 0 {
                    if under_way > 0 && worker.must_gather() {
                        continue;
                    }
                    worker.gather();
                    taken = search.take(worker.wanted());
                    worker.share_out(taken);
                    most = worker.most_under_way();
                    before_look = search.share();
                    if search.is_reported {
                        takes += 1;
                    }
                } else if before_look == 0 {
                    before_look = search.share();
                    if !search.goes_on() {
                        taken = 0;
                    }
                }
                if taken == 0 && under_way == 0 {
                    return;
                }
                if taken == 0 || under_way >= most {
                    continue;
                }
                taken -= 1;
                before_look = before_look.saturating_sub(1);
                under_way += 1;
                worker.begin_next(traversal);
            }
            if worker.select(traversal, several > 1) {
                // Several may be about to play out, and the caller that stops a search waits for the playouts of one
                // leaf at most.
                if search.status.is_stopped() {
                    return;
                }
                if search.is_reported && taken == 0 && takes.is_multiple_of(TIMED) {
                    play_out_timed(worker, traversal);
                } else {
                    worker.play_out(traversal);
                }
                worker.backpropagate(traversal);
                under_way -= 1;
            }
        }
    }
}

#[cold]
fn play_out_timed<'s, G: Game, W: Worker<'s, G>>(worker: &mut W, traversal: &mut Traversal<G, W::State>) {
    let started = crate::clock::now();
    worker.play_out(traversal);
    worker.base().search.took(1, started.elapsed());
}

/// Runs worker number `number` until its search ends. Panics of the game end the search.
pub(super) fn work<'s, G: Game>(search: &'s SharedSearch, game: GameRoot<'s, G>, number: usize) {
    with_worker(search.layout(), Work { search, game, number });
}

struct Work<'s, G: Game> {
    search: &'s SharedSearch,
    game: GameRoot<'s, G>,
    number: usize,
}

impl<'s, G: Game> WithWorker<'s, G> for Work<'s, G> {
    type Output = ();

    fn run<W: Worker<'s, G>>(self) {
        let Work { search, game, number } = self;
        run_guarded(
            &search.status,
            || W::new(search, game, number),
            |worker, traversals| match &search.pool {
                Some(pool) => batched::iterate_by_playouts(worker, pool, traversals),
                None => iterate(worker, traversals),
            },
        );
    }
}

/// Runs a worker until its search ends. Panics of the game end the search.
pub(super) fn run_guarded<'s, G: Game, W: Worker<'s, G>>(
    status: &RunStatus,
    make: impl FnOnce() -> W,
    drive: impl FnOnce(&mut W, &mut Vec<Traversal<G, W::State>>),
) {
    let _guard = WorkerGuard(status);
    let mut worker = make();
    let mut traversals = Vec::new();
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drive(&mut worker, &mut traversals))) {
        status.panicked(panic_text(&*panic));
    }
    leave(&mut worker, &mut traversals);
    // A game may panic when it is dropped too, each copy of it.
    worker.take_positions().into_iter().for_each(|position| drop_guarded(position, status));
    traversals.into_iter().for_each(|traversal| drop_guarded(traversal, status));
}

/// Makes the playouts of a search on the calling thread. A panic of the game goes through.
pub(super) fn work_here<'s, G: Game>(search: &'s SharedSearch, game: GameRoot<'s, G>) {
    with_worker(search.layout(), WorkHere { search, game });
    if search.is_reported {
        search.status.finish_worker();
    }
}

struct WorkHere<'s, G: Game> {
    search: &'s SharedSearch,
    game: GameRoot<'s, G>,
}

impl<'s, G: Game> WithWorker<'s, G> for WorkHere<'s, G> {
    type Output = ();

    fn run<W: Worker<'s, G>>(self) {
        let mut worker = W::new(self.search, self.game, 0);
        let mut traversals = Vec::new();
        iterate(&mut worker, &mut traversals);
        leave(&mut worker, &mut traversals);
    }
}

/// Leaves the tree as it is after the finished playouts. In a search that was stopped or failed some traversals are
/// still under way.
pub(super) fn leave<'s, G: Game, W: Worker<'s, G>>(worker: &mut W, traversals: &mut [Traversal<G, W::State>]) {
    traversals.iter_mut().for_each(|traversal| worker.take_back(traversal));
    worker.gather();
    worker.merge();
    worker.base().leave();
}

fn drop_guarded<T>(value: T, status: &RunStatus) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        status.panicked(panic_text(&*panic));
    }
}

/// Code that is generic in the kind of worker.
pub(super) trait WithWorker<'s, G: Game> {
    type Output: Default;
    fn run<W: Worker<'s, G>>(self) -> Self::Output;
}

/// Runs code with the worker for a layout. Nothing is compiled for a layout that the game cannot have.
pub(super) fn with_worker<'s, G: Game, F: WithWorker<'s, G>>(layout: LayoutKind, code: F) -> F::Output {
    match layout {
        LayoutKind::Narrow => with_plain_worker::<G, Narrow, F>(code),
        LayoutKind::Packed => with_plain_worker::<G, Packed, F>(code),
        LayoutKind::Wide => with_plain_worker::<G, Wide, F>(code),
        LayoutKind::Scores => with_plain_worker::<G, Scores, F>(code),
        LayoutKind::Informed | LayoutKind::InformationSets => with_informed_worker(layout, code),
    }
}

/// The same for the layouts that a search with an evaluator may have.
pub(super) fn with_informed_worker<'s, G: Game, F: WithWorker<'s, G>>(layout: LayoutKind, code: F) -> F::Output {
    if layout == LayoutKind::Informed {
        return with_plain_worker::<G, Informed, F>(code);
    }
    if const { LayoutKind::InformationSets.is_possible::<G>() } {
        code.run::<InformationSetWorker<'s, G>>()
    } else {
        F::Output::default()
    }
}

fn with_plain_worker<'s, G: Game, L: Layout, F: WithWorker<'s, G>>(code: F) -> F::Output {
    if const { L::KIND.is_possible::<G>() } { code.run::<PlainWorker<'s, G, L>>() } else { F::Output::default() }
}
