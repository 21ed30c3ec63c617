//! Narrow counters and many writers: no field carries into the next one.

use std::sync::Arc;

use boughs::inspect::NodeDump;
use boughs::{Budget, Playout, Rng, Search};

use super::settings;
use crate::common::{Code, Halves, Spot, check_dumped};

/// More nodes than there are wide lines in a small memory.
const FIRST: u64 = 60;
const GOOD: u32 = 0;
const BAD: u32 = 1;

/// The plies of the game.
const PLIES: u64 = FIRST + 4;

/// The start of a corridor: for the first plies there is one good action, beside one after which no player wins. Then
/// come many actions, all of them good. Who wins, wins with all others.
fn corridor() -> Halves {
    Halves::table(2, [0, 0], |[ply, lost]| match ply {
        PLIES => Spot::over(&[if lost == 1 { 0.0 } else { 1.0 }; 2]),
        0..FIRST => Spot::player(ply % 2, [(GOOD, [ply + 1, lost]), (BAD, [ply + 1, 1])]),
        _ => Spot::player(ply % 2, (0..=19).map(|action| (action, [ply + 1, lost]))),
    })
}

/// Playouts of nothing but the first action, which is good.
struct Good;

impl Playout<Halves> for Good {
    fn choose(&self, _: &Halves, _: &mut Rng, _: &mut Vec<Code<200>>) -> Option<Code<200>> {
        Some(Code(GOOD))
    }
}

/// Checks that every visit of a node has its reward, but for those that took a bad action below it. Halves that carried
/// into the next field would be visits of the bad action.
fn check_corridor(nodes: &[NodeDump], units: f64, first: usize, name: &str) {
    let mut bad = vec![0; first + 1];
    let is_lost = |path: &[u32]| path.iter().take(first).any(|&action| action == BAD);
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
            let mut search = Search::with_playout(corridor(), settings(&name, 64, memory), Arc::new(Good)).unwrap();
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
                search.advance(Code(GOOD)).unwrap();
            }
        }
    }
}
