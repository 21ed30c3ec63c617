//! The bulks of all workers under way through one block of narrow counters at the same time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use super::Search;
use crate::mcts::tree::narrow::Narrow;
use crate::mcts::tree::ucb::Ucb;
use crate::mcts::tree::{Layout, NodeStats, Tree, TreeCursor};
use crate::{Budget, Game, Playout, Rewards, Rng, Settings, Turn};

const WORKERS: usize = 64;

/// A corridor: the game goes on in one way for more plies than a small memory has wide lines, and in many ways after
/// that. All players win.
#[derive(Clone)]
struct Corridor(u32);

const FIRST: u32 = 500;

impl Game for Corridor {
    type Action = u8;
    const REWARDS: Rewards = Rewards { halves: true, ..Rewards::ANY };
    const MAX_PLIES: u32 = FIRST + 8;

    fn turn(&self) -> Turn {
        if self.0 == Self::MAX_PLIES { Turn::Over } else { Turn::Player(self.0 as usize % 2) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..if self.0 < FIRST { 1 } else { 7 });
    }
    fn apply(&mut self, _: u8) {
        self.0 += 1;
    }
    fn reward(&self, _: usize) -> f64 {
        1.0
    }
}

/// Playouts that wait, while the gate is closed, until every worker is in one.
struct Gate {
    is_closed: AtomicBool,
    arrived: AtomicUsize,
}

impl Playout<Corridor> for Gate {
    fn choose(&self, _: &Corridor, _: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        if self.is_closed.load(Relaxed) && self.arrived.fetch_add(1, Relaxed) < WORKERS {
            let begun = crate::clock::now();
            while self.arrived.load(Relaxed) < WORKERS {
                assert!(begun.elapsed() < Duration::from_secs(60), "some worker does not come");
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        Some(0)
    }
}

/// The visits of the corridor's nodes, from the root on, as selection sees them; the number of those whose children
/// should have wide counters and have not.
fn visits(search: &Search<Corridor>, tree: &Tree) -> (Vec<u32>, usize) {
    let ucb = Ucb::new(search.core.tables.clone(), 1.0, f64::INFINITY);
    let cursor = TreeCursor::<Narrow>::new(tree, ucb, 1, 2);
    let (mut node, mut seen, mut narrow) = (cursor.root(), Vec::new(), 0);
    while seen.len() < FIRST as usize {
        seen.push(node.state.visits);
        let Some(block) = node.state.link.children() else { break };
        narrow += usize::from(Narrow::must_widen(block, node.state.visits));
        node = cursor.nth(block, 0);
        let stats = tree.read(cursor.node(node.step));
        assert_eq!(stats.sum, 2 * u64::from(stats.visits), "every visit has its reward");
    }
    (seen, narrow)
}

#[test]
fn the_bulks_of_64_workers_at_once_have_room_in_narrow_counters() {
    for bulk in [128, 512, 4096] {
        let gate = Arc::new(Gate { is_closed: AtomicBool::new(false), arrived: AtomicUsize::new(0) });
        let settings = Settings { threads: WORKERS, bulk, memory: 64 << 10, ..Settings::default() };
        let mut search = Search::with_playout(Corridor(0), settings, gate.clone()).unwrap();
        let tree = search.core.trees[0].clone();
        search.run(Budget::iterations(5_000).early_stop(false)).unwrap();
        search.core.join_all_workers();
        assert!(visits(&search, &tree).1 > 0, "memory is too small for wide counters everywhere");
        // From now on workers take as many simulations as they may.
        tree.write(tree.root(), NodeStats { visits: 64 << 20, unobserved: 0, sum: 0 });
        gate.is_closed.store(true, Relaxed);
        let more = WORKERS as u64 * u64::from(bulk) * 3;
        search.run(Budget::iterations(more).early_stop(false)).unwrap();
        search.core.join_all_workers();
        assert!(gate.arrived.load(Relaxed) >= WORKERS);
        let (seen, _) = visits(&search, &tree);
        assert!(seen[1..].is_sorted_by(|above, below| above >= below), "bulks of {bulk}: {seen:?}");
        assert!(u64::from(seen[1]) == 5_000 + more, "bulks of {bulk}: {seen:?}");
    }
}
