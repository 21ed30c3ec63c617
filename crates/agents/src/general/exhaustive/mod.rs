//! Exhaustive search of the own turn: every chain of actions to its end, each once.
//!
//! It suits games whose turns are chains of many small decisions: one of them can make all the difference within the
//! turn, while the result of the turn is easily judged. A small turn is searched completely, and then the search
//! stops. Of a large turn as many chains are searched as the budget allows: in random order, except that the last
//! steps from one position are taken together. Chains end where the turn ends, and their last position is valued by
//! [`Game::evaluation`](boughs::Game::evaluation) or by playouts. (This is the search of a player of CodinGame's
//! contest Green Circle, 16th of 1,758, 2022.)
//!
//! Each action has its own search ([`Chains`](crate::turn::Chains)) with its own random numbers, and in each round
//! all actions get the same number of chains, except those that are searched completely. When few searches are left,
//! the largest is split between rounds into one for each of its next actions, so that many threads have work to the
//! end; a [`SplitTree`] combines their values. The assignment of work to searches does not depend on the number of
//! threads, so the result of an iteration budget does not either, and no thread waits for another within a round.
//!
//! Where players choose at the same time, the others choose by a playout's choices before a chain is valued, as in beam
//! search. With hidden information, chains are followed in one determinization of the position, and each playout begins
//! with another one. A chain that ends the game has the reward of the one determinization, and so has the evaluation
//! after simultaneous choices; a warning says so.

mod branch;
mod split_tree;

use std::sync::Mutex;

use boughs::memory::default_memory;
use boughs::spec::{Key, Spec};
use boughs::{Agent, PlayoutKind, SearchError, Session, StopReason};

use self::branch::{Branch, Judge, bytes};
use self::split_tree::SplitTree;
use crate::entry::{Build, WITHOUT_A_TREE};
use crate::search::{self, LineSearch, SharedSearch, lock};

/// The options of exhaustive search.
#[derive(Clone, Debug, PartialEq)]
pub struct Exhaustive {
    /// The greatest length of a chain in actions, those of chance included; at least 1.
    pub depth: u32,
    /// The number of playouts from the end of each chain. 0 stands for the game's evaluation, or for one playout if
    /// the game has none.
    pub playouts: u32,
    /// The kind of playouts.
    pub playout: PlayoutKind,
    /// The number of threads that search, 0 for as many as there are cores. The result of an iteration budget does
    /// not depend on it.
    pub threads: usize,
    /// The memory bound of the chains that are not completely searched, in bytes.
    pub memory: usize,
    /// The seed of all randomness. It is not part of the text.
    pub seed: u64,
}

impl Default for Exhaustive {
    fn default() -> Exhaustive {
        let memory = default_memory();
        Exhaustive { depth: 40, playouts: 0, playout: PlayoutKind::Light, threads: 1, memory, seed: 0 }
    }
}

impl Spec for Exhaustive {
    const NAME: &'static str = "exhaustive";
    const SUMMARY: &'static str = "exhaustive search: every chain of actions to the end of the own turn";
    fn keys() -> Vec<Key<Exhaustive>> {
        vec![
            Key::number("depth", "most actions of a chain, those of chance included", 1..=10_000, |set| &mut set.depth),
            Key::number(
                "playouts",
                "playouts of the end of each chain; 0 for the game's evaluation, or for one where it has none",
                0..=1_000_000,
                |set| &mut set.playouts,
            ),
            Key::playout("how a game is played out", |set| &mut set.playout),
            Key::threads(|set| &mut set.threads),
            Key::memory("most memory for chains that are not fully searched", |set| &mut set.memory),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

/// The chains of an action in the first round. Each round has twice as many, up to the most.
const FIRST_SLICE: u64 = 16;
const MOST_SLICE: u64 = 4096;

/// The number of open searches below which the largest is split.
const WANTED: usize = 16;

/// The smallest search that is split, in nodes.
const LEAST_SPLIT: usize = 128;

impl Build for Exhaustive {
    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        search::start(self, position)
    }

    fn memory(&self, _: &dyn Session) -> usize {
        self.memory.saturating_add(WITHOUT_A_TREE)
    }
}

impl LineSearch for Exhaustive {
    fn playout(&self) -> PlayoutKind {
        self.playout
    }

    fn search(&self, search: &SharedSearch) {
        search.result.stats(|stats| stats.guess = Some(0));
        let mut scratch = search.scratch();
        scratch.rng = search.rng(0);
        if search.determinize(&mut scratch).is_some() {
            return;
        }
        let tree = Mutex::new(SplitTree::new(search.actions.len(), search.facts.rewards.bounds));
        let judge = Judge::new(search, self.playouts);
        let depth = self.depth.saturating_sub(1) as usize;
        let start = |number| Branch::start(search, &*scratch.position, number, depth);
        let mut branches: Vec<Branch> = (0..search.actions.len()).map(start).collect();
        let mut slice = FIRST_SLICE;
        loop {
            self.share_memory(&mut branches);
            let mut plan = plan(search, &mut branches, slice);
            if plan.is_empty() {
                if branches.iter().any(|branch| branch.is_full) {
                    search.result.status.stop(StopReason::MemoryFull);
                }
                return;
            }
            let plan: Vec<_> = plan.iter_mut().map(Mutex::new).collect();
            search.map(plan.len(), None, &|scratch, n| {
                let (branch, share) = &mut **lock(&plan[n]);
                branch.search(&judge, scratch, &tree, *share);
            });
            search.result.stats(|stats| stats.bytes = stats.bytes.max(bytes(&branches)));
            if search.result.is_done() {
                return;
            }
            // The split tree keeps the values of finished branches. Their memory goes to the branches that had none.
            let before = branches.len();
            branches.retain(|branch| branch.is_open() || branch.is_full);
            if branches.len() < before {
                branches.iter_mut().for_each(|branch| branch.is_full = false);
            }
            self.split_branches(&mut lock(&tree), &mut branches);
            slice = (2 * slice).min(MOST_SLICE);
        }
    }
}

impl Exhaustive {
    /// Splits the largest branches until there are enough, as long as there is memory for a copy.
    fn split_branches(&self, tree: &mut SplitTree, branches: &mut Vec<Branch>) {
        while branches.iter().filter(|branch| branch.is_open()).count() < WANTED {
            let sizes = branches.iter().map(|branch| if branch.is_open() { branch.chains.size() } else { 0 });
            // Of equally large branches the first is split.
            let largest = sizes.enumerate().max_by_key(|&(place, size)| (size, std::cmp::Reverse(place)));
            let Some((place, _)) = largest.filter(|&(_, size)| size >= LEAST_SPLIT) else { return };
            if branches[place].chains.bytes() > self.memory.saturating_sub(bytes(branches)) {
                return;
            }
            let branch = branches.remove(place);
            branches.extend(branch.split(tree));
        }
    }

    /// Shares the free memory among the open branches.
    fn share_memory(&self, branches: &mut [Branch]) {
        let left = self.memory.saturating_sub(bytes(branches));
        let open = branches.iter().filter(|branch| branch.is_open()).count().max(1);
        for branch in branches.iter_mut().filter(|branch| branch.is_open()) {
            branch.chains.limit(branch.chains.bytes() + left / open);
        }
    }
}

/// The branches that the next round searches, each with its number of chains. Each action gets the same number,
/// shared by its branches.
fn plan<'b>(search: &SharedSearch, branches: &'b mut [Branch], slice: u64) -> Vec<(&'b mut Branch, u64)> {
    let mut counts = vec![0; search.actions.len()];
    branches.iter().filter(|branch| branch.is_open()).for_each(|branch| counts[branch.action] += 1);
    let open = counts.iter().filter(|&&count| count > 0).count().max(1) as u64;
    let room = search.result.room();
    let mut more = room % open;
    let shares: Vec<u64> = counts
        .iter()
        .map(|&count| {
            let extra = u64::from(count > 0 && more > 0);
            more -= extra;
            slice.min(room / open + extra)
        })
        .collect();
    let mut places = vec![0; counts.len()];
    let open = branches.iter_mut().filter(|branch| branch.is_open());
    open.map(|branch| {
        let (share, count, place) = (shares[branch.action], counts[branch.action], places[branch.action]);
        places[branch.action] += 1;
        (branch, share * (place + 1) / count - share * place / count)
    })
    .collect()
}
