//! The tree that recorded playouts build.

use std::collections::BTreeMap;

use super::selection::{Candidate, choose};
use super::{Explanation, Playout, Step};
use crate::logarithm::ln;

/// A search tree whose moves are letters.
///
/// ```
/// use boughs::puzzle::{Playout, Tree};
///
/// let playouts = [("baa", 30.0), ("ab", 20.0), ("bbb", 4.0)];
/// let tree = Tree::build(&playouts.map(|(word, score)| Playout { word: word.into(), score }));
/// assert_eq!(tree.statistics("b"), Some((2, 34.0)));
/// assert_eq!(tree.statistics("ba"), None); // "baa" created only "b"
/// assert_eq!(tree.select(0.1), "a");
/// assert_eq!(tree.select(1_000.0), "a");
/// assert_eq!(tree.select(-1_000.0), "bb");
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    /// The root comes first; a child comes after its parent.
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    visits: u64,
    sum: f64,
    /// The index of the child of each letter. Ascending letters break ties, so the map is ordered.
    children: BTreeMap<char, usize>,
}

const ROOT: usize = 0;

impl Tree {
    /// The tree after these playouts, in this order.
    ///
    /// Words and scores are not restricted to the text of a [`Puzzle`](super::Puzzle): an empty word
    /// counts at the root, and a score that is not a number makes the sums it enters not a number.
    pub fn build(playouts: &[Playout]) -> Tree {
        let mut tree = Tree { nodes: vec![Node::default()] };
        for playout in playouts {
            tree.add(playout);
        }
        tree
    }

    fn add(&mut self, playout: &Playout) {
        self.nodes[ROOT].count(playout.score);
        let mut here = ROOT;
        for letter in playout.word.chars() {
            let new = self.nodes.len();
            here = *self.nodes[here].children.entry(letter).or_insert(new);
            if here == new {
                self.nodes.push(Node::default());
            }
            self.nodes[here].count(playout.score);
            if here == new {
                return;
            }
        }
    }

    /// The visits and the sum of scores of the node that these letters lead to, if there is one.
    pub fn statistics(&self, letters: &str) -> Option<(u64, f64)> {
        let child = |here: usize, letter| self.nodes[here].children.get(&letter).copied();
        let node = &self.nodes[letters.chars().try_fold(ROOT, child)?];
        Some((node.visits, node.sum))
    }

    /// The letters on the path from the root to a leaf, always to the child of greatest UCB1 value.
    ///
    /// Empty only for a tree without moves.
    pub fn select(&self, constant: f64) -> String {
        self.walk(constant).map(|(_, candidates, chosen)| candidates[chosen].letter).collect()
    }

    /// The same path with every value that was compared.
    pub fn explain(&self, constant: f64) -> Explanation {
        let mut path = String::new();
        let step = |(node, candidates, chosen): (&Node, Vec<Candidate>, usize)| {
            let letter = candidates[chosen].letter;
            let step = Step::new(path.clone(), node.visits, candidates, chosen);
            path.push(letter);
            step
        };
        Explanation { constant, steps: self.walk(constant).map(step).collect() }
    }

    /// The nodes on the path to the leaf, each with its children and the index of the chosen one.
    fn walk(&self, constant: f64) -> impl Iterator<Item = (&Node, Vec<Candidate>, usize)> {
        let mut here = ROOT;
        std::iter::from_fn(move || {
            let node = &self.nodes[here];
            let candidates = self.candidates(node, constant);
            let chosen = choose(&candidates)?;
            here = node.children[&candidates[chosen].letter];
            Some((node, candidates, chosen))
        })
    }

    fn candidates(&self, parent: &Node, constant: f64) -> Vec<Candidate> {
        // A node without visits has no children, and its logarithm is never used.
        let ln_visits = ln(parent.visits.max(1) as f64);
        let candidate = |(&letter, &child): (&char, &usize)| {
            let Node { visits, sum, .. } = self.nodes[child];
            Candidate::new(letter, visits, sum, ln_visits, constant)
        };
        parent.children.iter().map(candidate).collect()
    }
}

impl Node {
    fn count(&mut self, score: f64) {
        self.visits += 1;
        self.sum += score;
    }
}
