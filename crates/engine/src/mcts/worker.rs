//! Workers: the four steps of Monte Carlo Tree Search, over and over.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::batched;
use super::information_sets::InformationSetWorker;
use super::pace::{Next, Pace, Paced};
use super::plain::PlainWorker;
use super::shared::SharedSearch;
use super::traversal::Traversal;
use crate::clock::now;
use crate::mcts::tree::informed::Informed;
use crate::mcts::tree::layouts::{Packed, Scores, Wide};
use crate::mcts::tree::narrow::Narrow;
use crate::mcts::tree::{Layout, LayoutKind};
use crate::run::{RunStatus, WorkerGuard, panic_text};
use crate::{Evaluator, Game, Playout, Rng};

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
///
/// A driver that calls a worker through this trait is compiled once a game. [`iterate`] is compiled for each worker of
/// a plain tree, so that the four steps are inlined there.
pub(super) trait Worker<'s, G: Game>: Paced<'s> + Send {
    /// The part that decides when traversals begin.
    fn as_paced(&mut self) -> &mut dyn Paced<'s>;

    /// The game at the root.
    fn game(&self) -> GameRoot<'s, G>;

    /// The number of this worker.
    fn number(&self) -> usize;

    /// The random numbers of this worker.
    fn rng(&mut self) -> &mut Rng;

    /// Makes playouts until the search ends.
    fn iterate(&mut self, traversals: &mut Vec<Traversal<G>>);

    /// Enters the root.
    fn begin(&mut self, traversal: &mut Traversal<G>);

    /// Begins the next of the simulations that were shared out.
    fn begin_next(&mut self, traversal: &mut Traversal<G>) {
        self.begin(traversal);
    }

    /// Hands out all copies of the game that the worker has beside those of traversals.
    fn take_positions(&mut self) -> Vec<G> {
        Vec::new()
    }

    /// Takes back the visits of a traversal that did not reach its end.
    fn take_back(&mut self, traversal: &mut Traversal<G>);

    /// Selection and expansion: goes down to a leaf, and one step further if the leaf can be expanded. With `ahead` the
    /// worker prefetches memory it needs next and returns false; the caller comes back later. Returns true at a leaf.
    fn select(&mut self, traversal: &mut Traversal<G>, ahead: bool) -> bool;

    /// Expands the leaf of a traversal that was selected without expansion, to time that step alone.
    #[cfg(any(test, feature = "steps"))]
    fn expand(&mut self, traversal: &mut Traversal<G>);

    /// Expansion of a leaf that an evaluator has given priors.
    fn expand_with_priors(&mut self, _: &mut Traversal<G>) {}

    /// Simulation: plays the game from the leaf to its end.
    fn play_out(&mut self, traversal: &mut Traversal<G>);

    /// Backpropagation: adds the rewards to every node on the path, for the player who chose it.
    fn backpropagate(&mut self, traversal: &mut Traversal<G>);

    /// Gives to the tree all that the worker has kept to itself.
    fn leave(&mut self);
}

/// Makes playouts until the search ends. While one traversal waits for memory the others go on.
#[inline(always)]
pub(super) fn iterate<'s, G: Game, W: Worker<'s, G> + ?Sized>(worker: &mut W, traversals: &mut Vec<Traversal<G>>) {
    let (search, game): (&SharedSearch, _) = (worker.search(), worker.game());
    let several = search.settings.traversals;
    traversals.resize_with(several as usize, || Traversal::new(game));
    let mut pace = Pace::new(search, 1);
    loop {
        for traversal in &mut *traversals {
            if traversal.path.is_empty() {
                match pace.next(worker.as_paced()) {
                    Next::Begin => worker.begin_next(traversal),
                    Next::Wait => continue,
                    Next::End => return,
                }
            }
            if worker.select(traversal, several > 1) {
                // Several may be about to play out, and the caller that stops a search waits for the playouts of one
                // leaf at most.
                if search.status.is_stopped() {
                    return;
                }
                if pace.is_timed() {
                    let started = now();
                    worker.play_out(traversal);
                    search.took(1, started.elapsed());
                } else {
                    worker.play_out(traversal);
                }
                worker.backpropagate(traversal);
                pace.end(1);
            }
        }
    }
}

/// The same by calls, compiled once a game.
#[inline(never)]
pub(super) fn iterate_by_calls<'s, G: Game>(worker: &mut dyn Worker<'s, G>, traversals: &mut Vec<Traversal<G>>) {
    iterate(worker, traversals);
}

/// A driver: makes simulations until the search ends.
pub(super) type Drive<G> = for<'s> fn(&mut dyn Worker<'s, G>, &mut Vec<Traversal<G>>);

/// The driver of searches by playouts.
fn drive<'s, G: Game>(worker: &mut dyn Worker<'s, G>, traversals: &mut Vec<Traversal<G>>) {
    let search: &SharedSearch = worker.search();
    match &search.pool {
        Some(pool) => batched::iterate_by_playouts(worker, pool, traversals),
        None => worker.iterate(traversals),
    }
}

/// Runs worker number `number` until its search ends. Panics of the game end the search.
pub(super) fn work<G: Game>(search: &SharedSearch, game: GameRoot<'_, G>, number: usize) {
    run_guarded(search, game, number, drive);
}

/// Makes the playouts of a search on the calling thread. A panic of the game goes through.
pub(super) fn work_here<G: Game>(search: &SharedSearch, game: GameRoot<'_, G>) {
    run_here(search, game, drive);
    if search.is_reported {
        search.status.finish_worker();
    }
}

/// Runs a worker until its search ends. Panics of the game end the search.
pub(super) fn run_guarded<G: Game>(search: &SharedSearch, game: GameRoot<'_, G>, number: usize, drive: Drive<G>) {
    let _guard = WorkerGuard(&search.status);
    let Some(mut worker) = new_worker(search, game, number) else { return };
    let mut traversals = Vec::new();
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drive(&mut *worker, &mut traversals))) {
        search.status.panicked(panic_text(&*panic));
    }
    leave(&mut *worker, &mut traversals);
    // A game may panic when it is dropped too, each copy of it.
    worker.take_positions().into_iter().for_each(|position| drop_guarded(position, &search.status));
    traversals.into_iter().for_each(|traversal| drop_guarded(traversal, &search.status));
}

/// Runs a worker on the calling thread until its search ends. A panic of the game goes through.
pub(super) fn run_here<G: Game>(search: &SharedSearch, game: GameRoot<'_, G>, drive: Drive<G>) {
    let Some(mut worker) = new_worker(search, game, 0) else { return };
    let mut traversals = Vec::new();
    drive(&mut *worker, &mut traversals);
    leave(&mut *worker, &mut traversals);
}

/// Leaves the tree as it is after the finished playouts. In a search that was stopped or failed some traversals are
/// still under way.
fn leave<'s, G: Game>(worker: &mut dyn Worker<'s, G>, traversals: &mut [Traversal<G>]) {
    traversals.iter_mut().for_each(|traversal| worker.take_back(traversal));
    worker.gather();
    worker.leave();
}

fn drop_guarded<T>(value: T, status: &RunStatus) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
        status.panicked(panic_text(&*panic));
    }
}

/// A worker of any kind.
type AnyWorker<'s, G> = Box<dyn Worker<'s, G> + 's>;

/// The worker for the layout of a search's trees. Nothing is compiled for a layout that the game cannot have.
pub(super) fn new_worker<'s, G: Game>(
    search: &'s SharedSearch,
    game: GameRoot<'s, G>,
    number: usize,
) -> Option<AnyWorker<'s, G>> {
    match search.layout() {
        LayoutKind::Narrow => plain_worker::<G, Narrow>(search, game, number),
        LayoutKind::Packed => plain_worker::<G, Packed>(search, game, number),
        LayoutKind::Wide => plain_worker::<G, Wide>(search, game, number),
        LayoutKind::Scores => plain_worker::<G, Scores>(search, game, number),
        LayoutKind::Informed => plain_worker::<G, Informed>(search, game, number),
        LayoutKind::InformationSets => {
            if const { LayoutKind::InformationSets.is_possible::<G>() } {
                return Some(Box::new(InformationSetWorker::new(search, game, number)));
            }
            None
        }
    }
}

fn plain_worker<'s, G: Game, L: Layout>(
    search: &'s SharedSearch,
    game: GameRoot<'s, G>,
    number: usize,
) -> Option<AnyWorker<'s, G>> {
    if const { L::KIND.is_possible::<G>() } {
        return Some(Box::new(PlainWorker::<G, L>::new(search, game, number)));
    }
    None
}
