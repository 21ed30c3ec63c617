//! The bulks of all workers under way through one block of narrow counters at the same time.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use super::Search;
use crate::mcts::tree::narrow::Narrow;
use crate::mcts::tree::ucb::Ucb;
use crate::mcts::tree::{Layout, NodeStats, Tree, TreeCursor};
use crate::testing;
use crate::{Budget, End, Game, Playout, Rng, SeeMove, Settings};

const WORKERS: usize = 64;
/// The most simulations that a worker takes at once before it has made many playouts in a search.
const TAKEN_BEFORE: u64 = 32;
/// The simulations with which the tree is filled.
const FIRST: u64 = 5_000;

type Corridor = testing::Corridor<2>;

/// Playouts that end at once. They wait at two gates, each closed until all workers are there.
#[derive(Default)]
struct Gates {
    is_closed: AtomicBool,
    /// The workers that came to the first gate, which the test opens.
    first: AtomicUsize,
    is_open: AtomicBool,
    /// The workers that came to the second gate, each on its first playout after those it had taken before the first.
    second: AtomicUsize,
}

thread_local! {
    /// The playouts of this worker since it was at the first gate.
    static PLAYOUTS: Cell<u64> = const { Cell::new(0) };
}

fn wait_until(is_so: impl Fn() -> bool) {
    let begun = crate::clock::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "some worker does not come");
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl Playout<Corridor> for Gates {
    fn choose(&self, _: &Corridor, _: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        Some(0)
    }

    fn play(&self, position: &mut Corridor, _: &mut Rng, _: &mut Vec<u8>, _: u32, _: Option<SeeMove<'_>>) -> End {
        if self.is_closed.load(Relaxed) {
            let playouts = PLAYOUTS.replace(PLAYOUTS.get() + 1);
            if playouts == 0 {
                self.first.fetch_add(1, Relaxed);
                wait_until(|| self.is_open.load(Relaxed));
            } else if playouts == TAKEN_BEFORE {
                self.second.fetch_add(1, Relaxed);
                wait_until(|| self.second.load(Relaxed) == WORKERS);
            }
        }
        position.0 = 0;
        End::Over
    }
}

/// The visits of the corridor's nodes, from the root on, as selection sees them; the number of those whose children
/// should have wide counters and have not.
fn visits(search: &Search<Corridor>, tree: &Tree) -> (Vec<u32>, usize) {
    let ucb = Ucb::new(search.core.state.tables.clone(), 1.0, f64::INFINITY);
    let cursor = TreeCursor::<Narrow>::new(tree, ucb, 1, 2);
    let (mut node, mut seen, mut narrow) = (cursor.root(), Vec::new(), 0);
    while seen.len() < (Corridor::MAX_PLIES - Corridor::LAST) as usize {
        seen.push(node.state.visits);
        let Some(block) = node.state.link.children() else { break };
        narrow += usize::from(Narrow::must_widen(block, node.state.visits));
        node = cursor.nth(block, 0);
        let stats = tree.read(cursor.node(node.step));
        assert_eq!(stats.sum, 2 * u64::from(stats.visits), "every visit has its reward");
    }
    (seen, narrow)
}

/// A search whose tree has no memory left for wide counters everywhere. Returns none if the workers happened to need
/// so little memory that it has, or so much that the tree ends early.
fn with_narrow_counters(bulk: u32) -> Option<(Arc<Gates>, Search<Corridor>)> {
    let gates = Arc::new(Gates::default());
    let settings = Settings { threads: WORKERS, bulk, memory: 64 << 10, ..Settings::default() };
    let mut search = Search::with_playout(testing::Corridor(Corridor::MAX_PLIES), settings, gates.clone()).unwrap();
    let tree = search.core.state.trees[0].clone();
    search.run(Budget::iterations(FIRST).early_stop(false)).unwrap();
    search.core.join_all_workers();
    let (_, narrow) = visits(&search, &tree);
    (narrow > 0).then_some((gates, search))
}

#[test]
fn the_bulks_of_64_workers_at_once_have_room_in_narrow_counters() {
    for bulk in [128, 512] {
        let (gates, mut search) = (0..100)
            .find_map(|_| with_narrow_counters(bulk))
            .expect("memory is mostly too small for wide counters everywhere");
        let tree = search.core.state.trees[0].clone();
        // Workers take as many simulations as they may once they have made this many playouts under such a root.
        tree.write(tree.root(), NodeStats { visits: 64 << 20, unobserved: 0, sum: 0 });
        let playouts = 8 * u64::from(bulk);
        gates.is_closed.store(true, Relaxed);
        let more = WORKERS as u64 * playouts;
        let running = search.start(Budget::iterations(more).early_stop(false)).unwrap();
        wait_until(|| gates.first.load(Relaxed) == WORKERS);
        let finished = &running.core.state.last.as_ref().unwrap().finished;
        for worker in 0..WORKERS {
            (0..playouts).for_each(|_| finished.count(worker, None));
        }
        gates.is_open.store(true, Relaxed);
        running.finish().unwrap();
        search.core.join_all_workers();
        assert_eq!(gates.second.load(Relaxed), WORKERS);
        let (seen, _) = visits(&search, &tree);
        assert!(seen[1..].is_sorted_by(|above, below| above >= below), "bulks of {bulk}: {seen:?}");
        assert!(u64::from(seen[1]) == FIRST + more, "bulks of {bulk}: {seen:?}");
    }
}
