//! All chains of actions that one player can make in one turn.
//!
//! A *chain* leads from a position to the end of the player's own turn: to a position where another player acts, or
//! chance, or the game is over. Events of chance within the turn ([`Game::ends_turn`](boughs::Game::ends_turn))
//! belong to the chain. Each traversal takes a path that no traversal took before: it picks at random among the
//! children that still have unsearched leaves below them. So every traversal ends at a new leaf, and the search is
//! over when the root has no unsearched leaf. The path costs more than its last step, so a traversal searches the
//! siblings of its leaf too.
//!
//! A position where the player acts is worth the best of its children; one where chance acts, their mean by weight.
//! As long as some children are unsearched, only the searched ones count. A completely searched node needs only its
//! value, and its memory is used again.

use boughs::{Rng, Turn};

use super::TurnPosition;
use super::node::{Node, UNKNOWN, room, worth};
use crate::search::CERTAIN;

/// The result of a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traversal {
    /// It searched at least one new chain.
    Made,
    /// All chains are searched.
    Exhausted,
    /// The memory bound is reached.
    Full,
}

/// All chains from one position.
pub(crate) struct Chains<P: TurnPosition> {
    pub(super) start: P,
    pub(super) player: usize,
    /// The greatest length of a chain.
    pub(super) depth: usize,
    /// The greatest number of nodes.
    room: usize,
    /// The nodes. The first one is the start.
    pub(super) nodes: Vec<Node<P::Action>>,
    /// The free blocks of each size, by the index of their first node.
    unused: Vec<Vec<u32>>,
    pub(super) rng: Rng,
    /// The bounds of the rewards, if they have any.
    pub(super) bounds: Option<(f64, f64)>,
    /// The path of the current traversal, without its last position.
    path: Vec<u32>,
    position: P,
    /// The position before the last action.
    before: P,
    actions: Vec<P::Action>,
    /// The length of the longest chain so far.
    longest: usize,
    /// The number of chains that were searched.
    made: u64,
}

impl<P: TurnPosition> Chains<P> {
    /// Creates the chains of a player from the position that `action` has led to: with at most `depth` more actions,
    /// in this much memory.
    pub(crate) fn new(start: P, action: P::Action, player: usize, depth: usize, bytes: usize, rng: Rng) -> Chains<P> {
        let root = Node { action, weight: 1, value: UNKNOWN, first: 0, count: 0, open: 1, is_luck: false };
        Chains {
            position: start.clone(),
            before: start.clone(),
            start,
            player,
            depth,
            room: room::<P>(bytes),
            nodes: vec![root],
            unused: Vec::new(),
            rng,
            bounds: None,
            path: Vec::new(),
            actions: Vec::new(),
            longest: 0,
            made: 0,
        }
    }

    /// Declares the bounds of the rewards.
    pub(crate) fn within(self, bounds: Option<(f64, f64)>) -> Chains<P> {
        Chains { bounds, ..self }
    }

    /// Searches at least one and at most `most` more chains: those that differ in their last action only. `leaf`
    /// gives the value of a last position and may draw random numbers.
    #[inline]
    pub(crate) fn traverse(&mut self, most: u64, leaf: &mut impl FnMut(&P, &mut Rng) -> f64) -> Traversal {
        if self.nodes[0].open == 0 {
            return Traversal::Exhausted;
        }
        self.position.clone_from(&self.start);
        self.path.clear();
        let mut node = 0;
        loop {
            if self.nodes[node as usize].count == 0 {
                match self.expand(node) {
                    Some(true) => {}
                    Some(false) => break,
                    None => return Traversal::Full,
                }
            }
            self.path.push(node);
            node = self.pick(node);
            let Node { action, count, .. } = self.nodes[node as usize];
            if count == 0 && most > 1 {
                self.before.clone_from(&self.position);
            }
            self.position.apply(action);
        }
        self.longest = self.longest.max(self.path.len());
        let mut value = self.end(node, leaf);
        if let Some(&parent) = self.path.last() {
            self.close(parent, node);
            value = value.max(self.search_siblings(parent, most - 1, leaf));
            self.backpropagate(value);
        }
        Traversal::Made
    }

    /// Searches at most `most` chains that end with other actions of a node. Returns the best of their values.
    fn search_siblings(&mut self, parent: u32, most: u64, leaf: &mut impl FnMut(&P, &mut Rng) -> f64) -> f64 {
        let (mut best, mut left) = (UNKNOWN, most);
        let Node { first, open, is_luck, .. } = self.nodes[parent as usize];
        // A part of the outcomes stands for all only if it was drawn at random.
        if is_luck && u64::from(open) > most {
            return UNKNOWN;
        }
        for node in (first..first + open).rev() {
            if left == 0 {
                break;
            }
            let Node { action, count, .. } = self.nodes[node as usize];
            if count > 0 {
                continue;
            }
            self.position.clone_from(&self.before);
            self.position.apply(action);
            if self.goes_on().is_none() {
                best = best.max(self.end(node, leaf));
                // The node that takes its place in the block was visited before.
                self.close(parent, node);
                left -= 1;
            }
        }
        best
    }

    /// Ends a chain in a node. Returns its value.
    #[inline]
    fn end(&mut self, node: u32, leaf: &mut impl FnMut(&P, &mut Rng) -> f64) -> f64 {
        let value = leaf(&self.position, &mut self.rng);
        // A value that is no number is the worst, and no value equals the unknown one, also not in a mean.
        let value = if value.is_nan() { -CERTAIN } else { value.clamp(-CERTAIN, CERTAIN) };
        let node = &mut self.nodes[node as usize];
        (node.value, node.open) = (value, 0);
        self.made += 1;
        value
    }

    /// Returns true if chance acts next and false if the player does; `None` if the turn ends in the current
    /// position.
    #[inline]
    fn goes_on(&self) -> Option<bool> {
        let goes_on = self.path.len() < self.depth && self.position.turn_goes_on(self.player);
        goes_on.then(|| self.position.turn() == Turn::Chance)
    }

    /// Expands a node if the turn goes on there. Returns false if it ends, and `None` without memory.
    fn expand(&mut self, node: u32) -> Option<bool> {
        let Some(is_luck) = self.goes_on() else { return Some(false) };
        self.actions.clear();
        self.position.actions(&mut self.actions);
        let count = self.actions.len();
        if count == 0 {
            return Some(false);
        }
        let first = match self.unused.get_mut(count).and_then(Vec::pop) {
            Some(first) => first as usize,
            None => self.grow(count)?,
        };
        for (slot, &action) in self.nodes[first..first + count].iter_mut().zip(&self.actions) {
            let weight = if is_luck { self.position.weight(action) } else { 1 };
            *slot = Node { action, weight, value: UNKNOWN, first: 0, count: 0, open: 1, is_luck: false };
        }
        let node = &mut self.nodes[node as usize];
        (node.first, node.count, node.open, node.is_luck) = (first as u32, count as u32, count as u32, is_luck);
        Some(true)
    }

    /// Allocates a block at the end of the nodes.
    fn grow(&mut self, count: usize) -> Option<usize> {
        let first = self.nodes.len();
        if first + count > self.room {
            return None;
        }
        if first + count > self.nodes.capacity() {
            let wanted = (2 * self.nodes.capacity()).clamp(first + count, self.room);
            self.nodes.try_reserve_exact(wanted - first).ok()?;
        }
        let blank = self.nodes[0];
        self.nodes.resize(first + count, blank);
        Some(first)
    }

    /// Picks a child that is not completely searched: uniformly, or by weight where chance acts.
    #[inline]
    fn pick(&mut self, node: u32) -> u32 {
        let Node { first, open, is_luck, .. } = self.nodes[node as usize];
        if !is_luck {
            return first + self.rng.below(open);
        }
        let weights = self.nodes[first as usize..(first + open) as usize].iter().map(|node| node.weight);
        first + self.rng.pick_weighted(weights).unwrap_or(0) as u32
    }

    /// Marks a child of `parent` as completely searched.
    #[inline]
    fn close(&mut self, parent: u32, node: u32) {
        let above = &mut self.nodes[parent as usize];
        above.open -= 1;
        let last = above.first + above.open;
        self.nodes.swap(node as usize, last as usize);
    }

    /// Backpropagates the best value of new leaves along the path.
    #[inline]
    fn backpropagate(&mut self, value: f64) {
        let (mut value, mut before) = (value, UNKNOWN);
        while let Some(number) = self.path.pop() {
            let node = self.nodes[number as usize];
            value = match () {
                () if node.is_luck => self.worth(&node),
                () if value >= node.value => value,
                // Another child may be the best only if the best one has lost value.
                () if before == node.value => self.worth(&node),
                () => node.value,
            };
            before = std::mem::replace(&mut self.nodes[number as usize].value, value);
            if node.open == 0 {
                self.put_away(node.first, node.count as usize);
                if let Some(&parent) = self.path.last() {
                    self.close(parent, number);
                }
            } else if before == value {
                // The ancestors see no difference.
                return;
            }
        }
    }

    #[inline]
    fn worth(&self, node: &Node<P::Action>) -> f64 {
        let block = &self.nodes[node.first as usize..(node.first + node.count) as usize];
        worth(node.is_luck, self.bounds, block.iter().map(|node| (node.weight, node.value)))
    }

    fn put_away(&mut self, first: u32, count: usize) {
        if self.unused.len() <= count {
            self.unused.resize_with(count + 1, Vec::new);
        }
        self.unused[count].push(first);
    }

    /// The value of the start by the leaves that were searched so far; `None` if there are none.
    pub(crate) fn value(&self) -> Option<f64> {
        Some(self.nodes[0].value).filter(|&value| value != UNKNOWN)
    }

    /// Returns true if all chains were searched.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.nodes[0].open == 0
    }

    /// The length of the longest chain so far.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }

    /// The number of chains that were searched.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// Replaces the memory bound.
    pub(crate) fn limit(&mut self, bytes: usize) {
        self.room = room::<P>(bytes);
    }

    /// The memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<P::Action>>()
    }
}
