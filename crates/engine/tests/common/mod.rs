//! Games for tests of the engine's promises.

#![allow(dead_code, unused_imports, reason = "each test file uses a part of this")]

mod bomb;
mod grown;
mod odd;
mod table;
mod toy;

use std::collections::HashMap;

pub(crate) use bomb::{BURNT, Bomb, EVERY, Fuse, METHODS, Method};
use boughs::inspect::NodeDump;
use boughs::{TreeKind, TreeSearch};
pub(crate) use grown::{mix, share};
pub(crate) use odd::{FORTUNE, Fault, odd, riches};
pub(crate) use table::{Event, Key, Spot};
pub(crate) use toy::{ByValue, Code, HIDDEN, IN_TURN, OUTCOMES, SCORES, Toy};
pub(crate) use toy::{Halves, Hidden, HiddenScores, InTurn, Outcomes, Scores, Shares, WideOutcomes};

/// Checks the invariants of all trees while no worker is in them, and returns the visits of the roots.
pub(crate) fn check_trees(search: &mut dyn TreeSearch) -> u64 {
    let trees = search.dump(usize::MAX);
    check_dumped(search, &trees)
}

/// Checks the invariants of dumped trees, and returns the visits of the roots.
pub(crate) fn check_dumped(search: &dyn TreeSearch, trees: &[Vec<NodeDump>]) -> u64 {
    let (units, bounds) = (search.units(), search.position().facts().rewards.bounds);
    let mut roots = 0;
    for nodes in trees {
        let root = nodes.first().expect("a tree has a root");
        roots += u64::from(root.visits);
        for node in nodes {
            assert_eq!(node.in_flight, 0, "no visit is in flight: {node:?}");
            let most = f64::from(node.visits) * units * bounds.map_or(1_000.0, |_| 1.0);
            let least = bounds.map_or(-most, |_| 0.0);
            assert!((least..=most).contains(&(node.sum as f64)), "the sum is within bounds: {node:?}");
        }
        check_visits(nodes, search.tree_kind() == TreeKind::Single);
    }
    roots
}

/// Checks that a node has at least as many visits as its children together. In SO-ISMCTS this holds for the children of
/// each information set, because a tree goes on below the choices of one player only, past those of others.
fn check_visits(nodes: &[NodeDump], by_information_set: bool) {
    let visits: HashMap<&[u32], u32> = nodes.iter().map(|node| (&node.path[..], node.visits)).collect();
    let mut spent = HashMap::<&[u32], u32>::new();
    for node in nodes.iter().filter(|node| !node.path.is_empty()) {
        let path = &node.path[..];
        if let [u32::MAX, _] = path {
            assert_eq!(node.visits, nodes[0].visits, "every traversal begins at the root of each player's tree");
            continue;
        }
        // In information-set trees, two numbers for the information set come before an action.
        let mut above = [1, 3].into_iter().filter_map(|step| path.get(..path.len().checked_sub(step)?));
        let parent = above.find(|above| visits.contains_key(above)).expect("a node has a parent");
        let spent = spent.entry(if by_information_set { &path[..path.len() - 1] } else { parent }).or_default();
        *spent += node.visits;
        assert!(*spent <= visits[parent], "the children of {parent:?} have more visits than it has");
    }
}
