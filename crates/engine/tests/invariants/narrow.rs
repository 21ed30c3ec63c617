//! Narrow counters and many writers: no field carries into the next one.

use std::sync::Arc;

use boughs::inspect::NodeDump;
use boughs::{Budget, Game, Playout, Rewards, Rng, Search, Turn};

use crate::common::check_dumped;
use crate::settings;

/// A corridor: for the first plies there is one good action, beside one after which no player wins. Then come
/// many actions, all of them good. Who wins, wins with all others.
#[derive(Clone)]
struct Corridor {
    ply: u32,
    is_lost: bool,
}

/// More nodes than there are wide lines in a small memory.
const FIRST: u32 = 60;
const GOOD: u8 = 0;
const BAD: u8 = 1;

impl Game for Corridor {
    type Action = u8;
    const REWARDS: Rewards = Rewards { halves: true, ..Rewards::ANY };
    const MAX_PLIES: u32 = FIRST + 4;

    fn turn(&self) -> Turn {
        if self.ply == Self::MAX_PLIES { Turn::Over } else { Turn::Player(self.ply as usize % 2) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(if self.ply < FIRST { GOOD..=BAD } else { 0..=19 });
    }
    fn apply(&mut self, action: u8) {
        self.is_lost |= self.ply < FIRST && action == BAD;
        self.ply += 1;
    }
    fn reward(&self, _: usize) -> f64 {
        if self.is_lost { 0.0 } else { 1.0 }
    }
}

/// Playouts of nothing but the first action, which is good.
struct Good;

impl Playout<Corridor> for Good {
    fn choose(&self, _: &Corridor, _: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
        Some(GOOD)
    }
}

/// Checks that every visit of a node has its reward, but for those that took a bad action below it. Halves that carried
/// into the next field would be visits of the bad action.
fn check_corridor(nodes: &[NodeDump], units: f64, first: usize, name: &str) {
    let mut bad = vec![0; first + 1];
    let is_lost = |path: &[u32]| path.iter().take(first).any(|&action| action == u32::from(BAD));
    for node in nodes.iter().filter(|node| is_lost(&node.path)) {
        assert_eq!(node.sum, 0, "the sum of {:?}, {name}", node.path);
        if let [path @ .., _] = &node.path[..]
            && !is_lost(path)
        {
            bad[path.len()] = i64::from(node.visits);
        }
    }
    for node in nodes.iter().skip(1).filter(|node| !is_lost(&node.path)) {
        let lost: i64 = bad.iter().skip(node.path.len()).sum();
        assert_eq!(node.sum, units as i64 * (i64::from(node.visits) - lost), "the sum of {:?}, {name}", node.path);
    }
}

#[test]
fn no_narrow_counter_carries_with_64_threads_and_large_bulks() {
    // With room for wide lines, and without: then no more visits pass where the narrow counters have no room for more.
    for memory in [1 << 20, 65_536] {
        let batched = "parallel=batched,batch=65536,loss=0";
        for mode in ["bulk=512", "bulk=512,loss=0", "bulk=65536,traversals=64", batched] {
            let name = format!("mcts:{mode},memory={memory}");
            let start = Corridor { ply: 0, is_lost: false };
            let mut search = Search::with_playout(start, settings(&name, 64, memory), Arc::new(Good)).unwrap();
            for advanced in 0..2 {
                search.run(Budget::iterations(70_000).early_stop(false)).unwrap();
                let trees = search.dump(usize::MAX);
                check_dumped(&search, &trees);
                check_corridor(&trees[0], search.units(), FIRST as usize - advanced, &name);
                if advanced == 0 {
                    let of_root = trees[0].iter().filter(|node| node.path.len() == 1);
                    let below: u32 = of_root.map(|node| node.visits).sum();
                    assert_eq!(below, 70_000, "no playout ends at the root, {name}");
                }
                search.advance(GOOD).unwrap();
            }
        }
    }
}
