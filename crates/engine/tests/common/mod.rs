//! Games for tests of the engine's promises.

#![allow(dead_code, reason = "each test file uses a part of this")]

mod bomb;
mod odd;
mod rewarded;
mod weather;

#[allow(unused_imports, reason = "each test file uses a part of this")]
pub(crate) use bomb::{Bomb, EVERY, Fuse, METHODS};
use boughs::inspect::NodeDump;
use boughs::{Game, Rewards, Search, TreeKind, Turn};
#[allow(unused_imports, reason = "each test file uses a part of this")]
pub(crate) use odd::{FORTUNE, Fault, Odd, Riches};
#[allow(unused_imports, reason = "each test file uses a part of this")]
pub(crate) use rewarded::{Rewarded, SCORES, WINS_AS_HALVES, WINS_AS_SCORES, WINS_AS_SHARES};
#[allow(unused_imports, reason = "each test file uses a part of this")]
pub(crate) use weather::Weather;

/// A random tree of positions grown from a hash: one to five actions each and now and then many, players in any order,
/// games of very different lengths, and rewards that are halves or any number.
#[derive(Clone, Debug)]
pub(crate) struct Thicket<const HALVES: bool> {
    hash: u64,
    ply: u32,
    players: usize,
}

impl<const HALVES: bool> Thicket<HALVES> {
    pub(crate) fn new(seed: u64, players: usize) -> Self {
        Thicket { hash: mix(seed), ply: 0, players }
    }
}

pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ (word >> 29)
}

impl<const HALVES: bool> Game for Thicket<HALVES> {
    type Action = u8;
    const REWARDS: Rewards = Rewards { halves: HALVES, ..Rewards::ANY };
    const MAX_PLIES: u32 = 20;

    fn players(&self) -> usize {
        self.players
    }
    fn turn(&self) -> Turn {
        match self.ply > 2 && self.hash.is_multiple_of(9) || self.ply >= 16 {
            true => Turn::Over,
            false => Turn::Player((self.hash >> 8) as usize % self.players),
        }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        let count = match self.ply {
            0 => 5,
            _ if (self.hash >> 24).is_multiple_of(8) => 6 + (self.hash >> 16) % 20,
            _ => 1 + (self.hash >> 16) % 5,
        };
        out.extend((0..count as u8).map(|action| action * 3 + 1));
    }
    fn apply(&mut self, action: u8) {
        self.hash = mix(self.hash.wrapping_add(u64::from(action) * 0x1234_5678_9abc));
        self.ply += 1;
    }
    fn reward(&self, player: usize) -> f64 {
        let word = mix(self.hash ^ player as u64) >> 40;
        if HALVES { (word % 3) as f64 / 2.0 } else { word as f64 / (1 << 24) as f64 }
    }
}

/// Checks the invariants of all trees while no worker is in them, and returns the visits of the roots.
pub(crate) fn check_trees<G: Game>(search: &mut Search<G>) -> u64 {
    let trees = search.dump(usize::MAX);
    check_dumped(search, &trees)
}

/// Checks the invariants of dumped trees, and returns the visits of the roots.
pub(crate) fn check_dumped<G: Game>(search: &Search<G>, trees: &[Vec<NodeDump>]) -> u64 {
    let units = search.units();
    let mut roots = 0;
    for nodes in trees {
        let root = nodes.first().expect("a tree has a root");
        roots += u64::from(root.visits);
        for node in nodes {
            assert_eq!(node.in_flight, 0, "no visit is in flight: {node:?}");
            let most = f64::from(node.visits) * units * G::REWARDS.bounds.map_or(1_000.0, |_| 1.0);
            let least = G::REWARDS.bounds.map_or(-most, |_| 0.0);
            assert!((least..=most).contains(&(node.sum as f64)), "the sum is within bounds: {node:?}");
        }
        check_visits(nodes, search.tree_kind() == TreeKind::Single);
    }
    roots
}

/// Checks that a node has at least as many visits as its children together. In SO-ISMCTS this holds for the children of
/// each information set, because a tree goes on below the choices of one player only, past those of others.
fn check_visits(nodes: &[NodeDump], by_information_set: bool) {
    let visits: std::collections::BTreeMap<&[u32], u32> =
        nodes.iter().map(|node| (&node.path[..], node.visits)).collect();
    let mut spent = std::collections::BTreeMap::<&[u32], u32>::new();
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
