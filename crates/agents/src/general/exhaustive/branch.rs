//! A branch of an exhaustive search: the chains with the same first actions.

use std::sync::Mutex;

use boughs::{Information, Rng, Session, Turn, Warning};

use super::split_tree::SplitTree;
use crate::search::{PlayoutScratch, SharedSearch, lock};
use crate::turn::{AnyPosition, Chains, Traversal};

/// The stream of random numbers by which others choose after a chain.
const LUCK: u64 = 1 << 63;

/// The chains between two looks at the clock, and between two merges, if no playouts are made.
const AT_ONCE: u64 = 16;

/// The chains with the same first actions.
pub(super) struct Branch {
    pub(super) chains: Chains<AnyPosition>,
    /// The index of the first action among the legal ones.
    pub(super) action: usize,
    /// The node of the split tree that takes its value.
    node: usize,
    /// The number of actions that lead to it.
    level: usize,
    /// True if its memory is used up.
    pub(super) is_full: bool,
}

/// The memory of all branches, in bytes.
pub(super) fn bytes(branches: &[Branch]) -> usize {
    branches.iter().map(|branch| branch.chains.bytes()).sum()
}

/// The value of the last positions of chains.
pub(super) struct Judge<'s> {
    search: &'s SharedSearch,
    /// The number of playouts; 0 for the game's evaluation.
    playouts: u32,
    /// The evaluation of the searched position, if chains are valued by evaluations.
    before: Option<f64>,
}

impl<'s> Judge<'s> {
    /// Creates a judge with this number of playouts. A game without an evaluation needs at least one.
    pub(super) fn new(search: &'s SharedSearch, playouts: u32) -> Judge<'s> {
        let before = if playouts == 0 { search.position.evaluation(search.player) } else { None };
        search.result.stats(|stats| stats.has_values = before.is_some());
        Judge { search, playouts: if before.is_none() { playouts.max(1) } else { 0 }, before }
    }

    fn value(&self, position: &dyn Session, scratch: &mut PlayoutScratch, rng: &mut Rng) -> f64 {
        let turn = position.turn();
        let is_drawn_once = match self.search.facts.information {
            Information::Perfect => false,
            Information::Hidden => turn == Turn::Over,
            Information::Simultaneous => turn == Turn::Over || self.before.is_some(),
        };
        if is_drawn_once {
            self.search.result.status.warn(&Warning::OneDraw);
        }
        match turn {
            _ if self.before.is_some() => self.evaluate(position, scratch),
            Turn::Over => position.reward(self.search.player),
            _ => {
                let sum: f64 = (0..self.playouts).map(|_| self.play_out(position, scratch, rng)).sum();
                sum / f64::from(self.playouts)
            }
        }
    }

    /// Values a position without playouts. Where players choose at the same time, the position after a chain does not
    /// have its choices yet, so the others choose first. They draw the same random numbers after every chain.
    fn evaluate(&self, position: &dyn Session, scratch: &mut PlayoutScratch) -> f64 {
        let search = self.search;
        if search.facts.information != Information::Simultaneous || position.turn() == Turn::Over {
            return search.value(position, self.before);
        }
        scratch.position.copy_from(position.as_position());
        (scratch.plies, scratch.rng) = (0, search.rng(LUCK));
        if let Some(end) = search.pass(scratch) {
            search.warn_of(end);
        }
        search.value(&*scratch.position, self.before)
    }

    /// Plays a position out, with everything that the player does not know drawn anew. Returns the reward.
    fn play_out(&self, position: &dyn Session, scratch: &mut PlayoutScratch, rng: &mut Rng) -> f64 {
        let search = self.search;
        scratch.position.copy_from(position.as_position());
        if !search.has_perfect_information() {
            scratch.position.determinize(search.player, rng);
        }
        let end = scratch.position.play_out(search.playout, rng, search.facts.max_plies, None);
        search.declared(search.reward(&*scratch.position, end))
    }
}

impl Branch {
    /// Starts the branch of the action with this index, with chains of at most `depth` more actions.
    pub(super) fn start(search: &SharedSearch, position: &dyn Session, number: usize, depth: usize) -> Branch {
        let (mut start, action) = (position.clone_session(), search.actions[number]);
        start.apply(action);
        let rng = search.rng(number as u64 + 1);
        let chains = Chains::new(start, action, search.player, depth, 0, rng).within(search.facts.rewards.bounds);
        Branch { chains, action: number, node: number, level: 1, is_full: false }
    }

    /// Returns true if there are more chains and there is memory for them.
    pub(super) fn is_open(&self) -> bool {
        !self.is_full && !self.chains.is_exhausted()
    }

    /// Splits the branch into one for each of its next actions.
    pub(super) fn split(self, tree: &mut SplitTree) -> Vec<Branch> {
        let Branch { chains, action, node, level, .. } = self;
        let (is_luck, next) = chains.split();
        let first = tree.split(node, is_luck, next.iter().map(|next| (next.weight, next.value)));
        let open = next.into_iter().enumerate().filter_map(|(n, next)| Some((first + n, next.chains?)));
        open.map(|(node, chains)| Branch { chains, action, node, level: level + 1, is_full: false }).collect()
    }

    /// Searches `share` more chains and merges their results.
    pub(super) fn search(
        &mut self,
        judge: &Judge<'_>,
        scratch: &mut PlayoutScratch,
        tree: &Mutex<SplitTree>,
        share: u64,
    ) {
        let at_once = if judge.playouts == 0 { AT_ONCE } else { 1 };
        let mut leaf = |position: &AnyPosition, rng: &mut Rng| judge.value(&**position, scratch, rng);
        let mut left = share;
        while left > 0 && self.is_open() && !judge.search.result.status.is_over() {
            let made = self.chains.made();
            let most = made + at_once.min(left);
            while self.is_open() && self.chains.made() < most {
                self.is_full = self.chains.traverse(most - self.chains.made(), &mut leaf) == Traversal::Full;
            }
            left = (left + made).saturating_sub(self.chains.made());
            self.merge(judge.search, tree, made);
        }
    }

    /// Merges the results since the branch had `made` chains.
    fn merge(&self, search: &SharedSearch, tree: &Mutex<SplitTree>, made: u64) {
        let Some(value) = self.chains.value() else { return };
        // The lock is held until everything is merged, so no older value is merged later.
        let mut tree = lock(tree);
        let value = tree.found(self.node, value);
        search.result.stats(|stats| {
            let made = self.chains.made() - made;
            stats.iterations += made;
            stats.depth = stats.depth.max((self.level + self.chains.longest()) as u32);
            let line = &mut stats.lines[self.action];
            line.playouts += made;
            search.set_value(line, value);
        });
    }
}
