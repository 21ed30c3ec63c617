//! The tree: its nodes in one list, and the children of a node side by side in it.

use std::mem::size_of;
use std::ops::Range;

use crate::prefetch::prefetch;

/// A node: what a search knows of the action that leads to it. The children of a node stand in one block behind a
/// header, a node whose `visits` are their number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<A> {
    pub(crate) visits: u32,
    /// The mean reward of the player who chose the action. Infinite if the solver has proven a win or a loss.
    pub(crate) mean: f32,
    /// The factor of exploration: 1 / sqrt(visits) in UCB1, and the prior of the action in PUCT.
    pub(crate) weight: f32,
    /// The place of the header of the children; 0 if there is none.
    children: u32,
    pub(crate) action: A,
}

impl<A> Node<A> {
    /// A node without a visit, which has a mean all the same.
    pub(crate) fn new(action: A, mean: f32, weight: f32) -> Node<A> {
        Node { visits: 0, mean, weight, children: 0, action }
    }

    /// Adds a visit with a reward. A proven value stays.
    #[inline]
    pub(crate) fn add(&mut self, reward: f32, is_ucb: bool) {
        self.visits += 1;
        let inverse = 1.0 / self.visits as f32;
        if self.mean.is_finite() {
            self.mean += (reward - self.mean) * inverse;
        }
        if is_ucb {
            self.weight = inverse.sqrt();
        }
    }
}

/// The place of the root.
pub(crate) const ROOT: usize = 0;

/// A tree in memory that is reserved once.
pub(crate) struct Tree<A> {
    nodes: Vec<Node<A>>,
    /// The most nodes, headers included.
    most: usize,
}

impl<A: Copy + Eq> Tree<A> {
    /// An empty tree that takes at most this many bytes.
    pub(crate) fn new(bytes: usize) -> Tree<A> {
        let most = (bytes / size_of::<Node<A>>()).min(u32::MAX as usize);
        Tree { nodes: Vec::with_capacity(most), most }
    }

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
    }

    /// The bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node<A>>()
    }

    /// Gives an empty tree its root, whose action means nothing. Returns false if there is no room for it.
    pub(crate) fn plant(&mut self, any: A) -> bool {
        if self.nodes.is_empty() && self.most > 0 {
            self.nodes.push(Node::new(any, 0.0, 0.0));
        }
        !self.nodes.is_empty()
    }

    #[inline]
    pub(crate) fn node(&self, place: usize) -> &Node<A> {
        &self.nodes[place]
    }

    /// The places of a node's children; none if it was not expanded.
    #[inline]
    pub(crate) fn children(&self, place: usize) -> Range<usize> {
        match self.nodes.get(place).map_or(0, |node| node.children as usize) {
            0 => 0..0,
            header => header + 1..header + 1 + self.nodes[header].visits as usize,
        }
    }

    #[inline]
    pub(crate) fn nodes(&self, places: Range<usize>) -> &[Node<A>] {
        &self.nodes[places]
    }

    /// Has the processor fetch the children of a node while the caller works on.
    #[inline]
    pub(crate) fn fetch_children(&self, place: usize) {
        if let Some(header) = self.nodes.get(self.nodes[place].children as usize) {
            prefetch(header);
        }
    }

    /// Gives a node its children. Returns false if there are none, or there is no room for them.
    pub(crate) fn expand(&mut self, place: usize, count: usize, children: impl Iterator<Item = Node<A>>) -> bool {
        let header = self.nodes.len();
        if count == 0 || header + 1 + count > self.most {
            return false;
        }
        let any = self.nodes[place].action;
        self.nodes.push(Node { visits: count as u32, ..Node::new(any, 0.0, 0.0) });
        self.nodes.extend(children);
        self.nodes[place].children = header as u32;
        true
    }

    #[inline]
    pub(crate) fn node_mut(&mut self, place: usize) -> &mut Node<A> {
        &mut self.nodes[place]
    }

    /// Makes the child with this action the root, and drops all nodes that are not below it. Returns false, and leaves
    /// the tree empty, if there is no such child.
    pub(crate) fn advance(&mut self, action: A) -> bool {
        let child = self.children(ROOT).find(|&child| self.nodes[child].action == action);
        match child {
            Some(child) => self.keep(child),
            None => self.clear(),
        }
        child.is_some()
    }

    /// Makes a node the root and slides the blocks below it together. Every block stands behind that of its parent, so
    /// one pass is enough. The header of a block that stays has its parent's place plus 1 in `children` until then.
    fn keep(&mut self, place: usize) {
        self.nodes[ROOT] = self.nodes[place];
        let (mut from, mut to) = (self.nodes[ROOT].children as usize, ROOT + 1);
        if from == 0 {
            return self.nodes.truncate(to);
        }
        self.nodes[from].children = ROOT as u32 + 1;
        while from < self.nodes.len() {
            let header = self.nodes[from];
            let end = from + 1 + header.visits as usize;
            if header.children > 0 {
                self.nodes.copy_within(from..end, to);
                self.nodes[header.children as usize - 1].children = to as u32;
                self.nodes[to].children = 0;
                let moved = to + 1..to + end - from;
                for child in moved.clone() {
                    let below = self.nodes[child].children as usize;
                    if below > 0 {
                        self.nodes[below].children = child as u32 + 1;
                    }
                }
                to = moved.end;
            }
            from = end;
        }
        self.nodes.truncate(to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// Every node below a place as the actions that lead to it and its visits.
    fn list(tree: &Tree<u8>, place: usize, path: &[u8], out: &mut Vec<(Vec<u8>, u32)>) {
        for child in tree.children(place) {
            let path = [path, &[tree.node(child).action]].concat();
            out.push((path.clone(), tree.node(child).visits));
            list(tree, child, &path, out);
        }
    }

    #[test]
    fn advancing_keeps_what_is_below_the_action_and_nothing_else() {
        let mut rng = Rng::new(3, 0);
        for _ in 0..50 {
            let mut tree = Tree::new(1 << 20);
            tree.plant(0);
            for _ in 0..300 {
                let mut place = ROOT;
                while !tree.children(place).is_empty() {
                    place = tree.children(place).start + rng.below(tree.children(place).len() as u32) as usize;
                    tree.node_mut(place).add(1.0, true);
                }
                let count = 1 + rng.below(4) as u8;
                tree.expand(place, count.into(), (0..count).map(|action| Node::new(action, 0.0, 1.0)));
            }
            while !tree.children(ROOT).is_empty() {
                let (action, mut before, mut after) = (rng.below(2) as u8, Vec::new(), Vec::new());
                list(&tree, ROOT, &[], &mut before);
                assert_eq!(tree.advance(action), before.iter().any(|(path, _)| path[0] == action));
                list(&tree, ROOT, &[], &mut after);
                let kept = before.into_iter().filter(|(path, _)| path[0] == action && path.len() > 1);
                assert_eq!(after, kept.map(|(path, visits)| (path[1..].to_vec(), visits)).collect::<Vec<_>>());
                let nodes =
                    after.iter().map(|(path, _)| &path[..path.len() - 1]).collect::<std::collections::BTreeSet<_>>();
                assert_eq!(
                    tree.nodes.len(),
                    tree.nodes.len().min(1) + after.len() + nodes.len(),
                    "no node is left over"
                );
            }
        }
    }

    #[test]
    fn a_full_tree_takes_no_more_children() {
        let mut tree = Tree::new(size_of::<Node<u8>>() * 5);
        let children = |count| (0..count).map(|action| Node::new(action, 0.0, 1.0));
        assert!(tree.plant(0) && tree.expand(ROOT, 3, children(3)));
        assert!(!tree.expand(2, 1, children(1)) && tree.children(2).is_empty());
        assert!(!Tree::<u8>::new(3).plant(0));
    }
}
