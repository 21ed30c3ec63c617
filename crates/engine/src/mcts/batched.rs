//! The batched driver, a form of leaf parallelisation: leaves are chosen in order, played out in parallel, and
//! backpropagated in order.
//!
//! A batch has two halves: while one is played out, one thread chooses the leaves of the other, and then helps. Each
//! half is chosen before the rewards of the one before it are added, and each playout draws from the stream of its own
//! number. So the result depends on the batch and the seed, never on the number of threads or their timing. The other
//! threads wait while rewards are added, and where choosing takes longer than playing out.

use super::shared::SharedSearch;
use super::traversal::Traversal;
use super::worker::{GameRoot, Worker};
use crate::clock::now;
use crate::run::Pool;
use crate::{Game, Rng};

/// Pieces of work for each thread: enough of them even out playouts of different lengths.
const PIECES: usize = 16;

/// One playout in this many is timed.
const TIMED: u64 = 32;

/// Values the leaves of some traversals, of which the first has the playout with this number.
type Value<'v, G> = &'v (dyn Fn(&mut [Traversal<G>], u64) + Sync);

/// Makes batches of playouts until the search ends.
pub(super) fn iterate_by_playouts<'s, G: Game>(
    worker: &mut dyn Worker<'s, G>,
    pool: &Pool,
    traversals: &mut Vec<Traversal<G>>,
) {
    let (search, game): (&SharedSearch, _) = (worker.search(), worker.game());
    iterate(worker, pool, traversals, PIECES * pool.threads(), &|traversals, first| {
        play_out(search, game, traversals, first);
    });
}

/// Makes batches of simulations until the search ends, and values the leaves of half a batch in this number of pieces.
pub(super) fn iterate<'s, G: Game>(
    worker: &mut dyn Worker<'s, G>,
    pool: &Pool,
    traversals: &mut Vec<Traversal<G>>,
    pieces: usize,
    value: Value<'_, G>,
) {
    // The thread that chooses is one of the pool, so it wakes only the threads it needs.
    pool.install(&mut || iterate_in_pool(worker, pool, traversals, pieces, value));
}

fn iterate_in_pool<'s, G: Game>(
    worker: &mut dyn Worker<'s, G>,
    pool: &Pool,
    traversals: &mut Vec<Traversal<G>>,
    pieces: usize,
    value: Value<'_, G>,
) {
    let (search, game): (&SharedSearch, _) = (worker.search(), worker.game());
    let batch = search.settings.leaves() as usize;
    traversals.resize_with(batch, || Traversal::new(game));
    let (mut next, mut current) = traversals.split_at_mut(batch.div_ceil(2));
    // The traversals of the current half that wait to be played out, and the number of the first of these playouts.
    let (mut waiting, mut stream) = (0, search.stream);
    loop {
        // In a batch of one the second half is empty: every playout is added before the next leaf is chosen.
        let chosen = if next.is_empty() { 0 } else { search.take(next.len() as u64) as usize };
        // A search that was stopped has no time for the playouts that wait.
        if chosen == 0 && (waiting == 0 || search.status.is_stopped()) {
            return;
        }
        let current_half = &mut current[..waiting];
        pool.join(
            &mut || {
                for traversal in &mut next[..chosen] {
                    worker.begin(traversal);
                    worker.select(traversal, false);
                }
            },
            &mut || {
                let length = current_half.len().div_ceil(pieces).max(1);
                let mut all: Vec<&mut [Traversal<G>]> = current_half.chunks_mut(length).collect();
                pool.for_each(&mut all, &|piece, traversals| value(traversals, stream + (piece * length) as u64));
            },
        );
        if search.status.failure().is_some() {
            return;
        }
        for traversal in &mut current[..waiting] {
            // An evaluation that was broken off has no value.
            if std::mem::take(&mut traversal.waits) {
                worker.take_back(traversal);
                continue;
            }
            worker.expand_with_priors(traversal);
            worker.backpropagate(traversal);
        }
        stream += waiting as u64;
        waiting = chosen;
        std::mem::swap(&mut next, &mut current);
    }
}

/// Plays these out, the first with the random numbers of stream `first`.
fn play_out<G: Game>(search: &SharedSearch, game: GameRoot<'_, G>, traversals: &mut [Traversal<G>], first: u64) {
    let mut scratch = Vec::new();
    for (number, traversal) in (first..).zip(traversals) {
        let started = (number - first).is_multiple_of(TIMED).then(now);
        let mut rng = Rng::new(search.settings.seed, number);
        traversal.play_out(search, game, &mut rng, &mut scratch);
        if let Some(started) = started {
            search.took(1, started.elapsed());
        }
    }
}
