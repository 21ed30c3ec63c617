//! Chains of actions that one player makes in one turn, searched until there are no others.
//!
//! A *chain* goes from a position to the end of the player's own turn: to where another acts, or chance, or nobody any more. What
//! chance does within the turn ([`Game::ends_turn`]) belongs to the chain. Each descent goes a way that nobody went before: it
//! picks at random among the next positions of which something is still unsearched. So every descent ends at another leaf, and the
//! search is over when the root has nothing unsearched below it. As the way there costs more than the last step, a descent searches
//! other last steps too, from the position before.
//!
//! A position where the player acts is worth the best of what follows, one where chance acts the mean by weights; as long as not
//! all of it was searched, of what was. What is fully searched needs no more than its value, and its memory is used again.

use crate::game::turn_goes_on;
use crate::{Game, Rng, Turn};

/// A position on the way, seen from the one before it.
#[derive(Clone, Copy, Debug)]
struct Node<A> {
    /// What leads here.
    action: A,
    /// How likely that is, where it is an outcome of chance.
    weight: u32,
    /// What it is worth by what was searched so far.
    value: f64,
    /// Where the block of what follows begins.
    first: u32,
    /// How many follow; 0 where nobody has been.
    count: u32,
    /// How many of them are not fully searched; they come first in the block.
    open: u32,
    /// Whether chance acts here.
    is_luck: bool,
}

/// Evaluations are taken to lie within this and its opposite.
const WORST: f64 = 1e290;

/// Nothing was searched there yet.
pub(crate) const UNKNOWN: f64 = f64::NEG_INFINITY;

/// What a position is worth by what may follow, each with its weight and its value: the best, or where chance acts the mean of what is
/// known. (Where all that is known weighs nothing, the best of it.)
#[inline]
pub(crate) fn worth(is_luck: bool, next: impl Iterator<Item = (u32, f64)> + Clone) -> f64 {
    if is_luck {
        let known = next.clone().filter(|&(_, value)| value != UNKNOWN);
        let (sum, weights) = known.fold((0.0, 0.0), |(sum, weights), (weight, value)| {
            let weight = f64::from(weight);
            (sum + weight * value, weights + weight)
        });
        if weights > 0.0 {
            return sum / weights;
        }
    }
    next.map(|(_, value)| value).fold(UNKNOWN, f64::max)
}

/// What a descent comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Descent {
    /// The end of another chain.
    Made,
    /// There is no other chain.
    Exhausted,
    /// There is no memory for it.
    Full,
}

/// What follows on the start of chains that were split.
pub(crate) struct Next<G: Game> {
    pub(crate) weight: u32,
    /// What it is worth by what was searched.
    pub(crate) value: f64,
    /// The chains that begin with it, if some are left.
    pub(crate) chains: Option<Chains<G>>,
}

/// All chains from one position.
pub(crate) struct Chains<G: Game> {
    start: G,
    player: usize,
    /// The most actions of a chain.
    depth: usize,
    /// The most nodes at a time.
    room: usize,
    /// The first one is the start.
    nodes: Vec<Node<G::Action>>,
    /// Where unused blocks of each size begin.
    unused: Vec<Vec<u32>>,
    rng: Rng,
    /// The descent under way, without its last position.
    path: Vec<u32>,
    position: G,
    /// The position before the last action.
    before: G,
    actions: Vec<G::Action>,
    /// The longest chain so far.
    longest: usize,
    /// How many chains were searched.
    made: u64,
}

impl<G: Game> Chains<G> {
    /// The chains that a player can make from a position that `action` has led to, of so many more actions at most, in so much
    /// memory.
    pub(crate) fn new(start: G, action: G::Action, player: usize, depth: usize, bytes: usize, rng: Rng) -> Chains<G> {
        let root = Node { action, weight: 1, value: UNKNOWN, first: 0, count: 0, open: 1, is_luck: false };
        Chains {
            position: start.clone(),
            before: start.clone(),
            start,
            player,
            depth,
            room: room::<G>(bytes),
            nodes: vec![root],
            unused: Vec::new(),
            rng,
            path: Vec::new(),
            actions: Vec::new(),
            longest: 0,
            made: 0,
        }
    }

    /// Searches more chains, at least one and at most `most`: those that part from each other in their last action. `leaf` says what
    /// a last position is worth, and may draw random numbers.
    #[inline]
    pub(crate) fn descend(&mut self, most: u64, leaf: &mut impl FnMut(&G, &mut Rng) -> f64) -> Descent {
        if self.nodes[0].open == 0 {
            return Descent::Exhausted;
        }
        self.position.clone_from(&self.start);
        self.path.clear();
        let mut node = 0;
        loop {
            if self.nodes[node as usize].count == 0 {
                match self.expand(node) {
                    Some(true) => {}
                    Some(false) => break,
                    None => return Descent::Full,
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
            value = value.max(self.sweep(parent, most - 1, leaf));
            self.back_up(value);
        }
        Descent::Made
    }

    /// Searches the chains that end with other actions of a node, at most so many, and says what the best of them is worth.
    fn sweep(&mut self, parent: u32, most: u64, leaf: &mut impl FnMut(&G, &mut Rng) -> f64) -> f64 {
        let (mut best, mut left) = (UNKNOWN, most);
        let Node { first, open, is_luck, .. } = self.nodes[parent as usize];
        // Some outcomes of chance stand for all only if they were drawn.
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
                // What takes its place was looked at before.
                self.close(parent, node);
                left -= 1;
            }
        }
        best
    }

    /// A chain ends in a node: says what it is worth.
    #[inline]
    fn end(&mut self, node: u32, leaf: &mut impl FnMut(&G, &mut Rng) -> f64) -> f64 {
        let value = leaf(&self.position, &mut self.rng);
        // What is no number is the worst, and nothing is as bad as unknown, in no mean either.
        let value = if value.is_nan() { -WORST } else { value.clamp(-WORST, WORST) };
        let node = &mut self.nodes[node as usize];
        (node.value, node.open) = (value, 0);
        self.made += 1;
        value
    }

    /// Whether the turn goes on in the position that the path and one more action have led to, and if so whether by luck.
    #[inline]
    fn goes_on(&self) -> Option<bool> {
        let goes_on = self.path.len() < self.depth && turn_goes_on(&self.position, self.player);
        goes_on.then(|| self.position.turn() == Turn::Chance)
    }

    /// Makes a block of what follows on a node, if the turn goes on there; `None` if there is no memory.
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

    /// Takes new memory for a block.
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

    /// One of those that follow and are not fully searched: each as likely as the other, or by its weight.
    #[inline]
    fn pick(&mut self, node: u32) -> u32 {
        let Node { first, open, is_luck, .. } = self.nodes[node as usize];
        if !is_luck {
            return first + self.rng.below(open);
        }
        let weights = self.nodes[first as usize..(first + open) as usize].iter().map(|node| node.weight);
        let mut left = self.rng.below(weights.clone().fold(0, u32::wrapping_add));
        for (place, weight) in weights.enumerate() {
            if left < weight {
                return first + place as u32;
            }
            left -= weight;
        }
        first
    }

    /// Nothing is left to search below a node that another one leads to.
    #[inline]
    fn close(&mut self, parent: u32, node: u32) {
        let above = &mut self.nodes[parent as usize];
        above.open -= 1;
        let last = above.first + above.open;
        self.nodes.swap(node as usize, last as usize);
    }

    /// Tells everybody on the path what new leaves below its end are worth: the best of them.
    #[inline]
    fn back_up(&mut self, value: f64) {
        let (mut value, mut before) = (value, UNKNOWN);
        while let Some(number) = self.path.pop() {
            let node = self.nodes[number as usize];
            value = match () {
                () if node.is_luck => self.worth(&node),
                () if value >= node.value => value,
                // Only if the best one has lost another may be the best.
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
                // Nobody further up sees a difference.
                return;
            }
        }
    }

    #[inline]
    fn worth(&self, node: &Node<G::Action>) -> f64 {
        let block = &self.nodes[node.first as usize..(node.first + node.count) as usize];
        worth(node.is_luck, block.iter().map(|node| (node.weight, node.value)))
    }

    fn put_away(&mut self, first: u32, count: usize) {
        if self.unused.len() <= count {
            self.unused.resize_with(count + 1, Vec::new);
        }
        self.unused[count].push(first);
    }

    /// How many nodes there are, as long as it is known what follows on the start: what there is to split.
    pub(crate) fn size(&self) -> usize {
        if self.nodes[0].count > 0 { self.nodes.len() } else { 0 }
    }

    /// Whether chance acts at the start, and everything that may follow there. What was searched stays so.
    pub(crate) fn split(mut self) -> (bool, Vec<Next<G>>) {
        let Node { first, count, is_luck, .. } = self.nodes[0];
        let next = (first..first + count).map(|number| {
            let Node { weight, value, open, .. } = self.nodes[number as usize];
            Next { weight, value, chains: (open > 0).then(|| self.below(number)) }
        });
        (is_luck, next.collect())
    }

    /// The chains from a node that follows on the start, with no memory for more.
    fn below(&mut self, number: u32) -> Chains<G> {
        let mut nodes = vec![self.nodes[number as usize]];
        let mut place = 0;
        while place < nodes.len() {
            let Node { first, count, open, .. } = nodes[place];
            if open > 0 && count > 0 {
                nodes[place].first = nodes.len() as u32;
                nodes.extend_from_slice(&self.nodes[first as usize..(first + count) as usize]);
            }
            place += 1;
        }
        let (mut start, action) = (self.start.clone(), nodes[0].action);
        start.apply(action);
        let rng = Rng::new(self.rng.bits(), 0);
        Chains { nodes, ..Chains::new(start, action, self.player, self.depth - 1, 0, rng) }
    }

    /// What the start is worth by what was searched so far; `None` if nothing was.
    pub(crate) fn value(&self) -> Option<f64> {
        Some(self.nodes[0].value).filter(|&value| value != UNKNOWN)
    }

    /// Whether all chains were searched.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.nodes[0].open == 0
    }

    /// How many actions the longest chain so far has.
    pub(crate) fn longest(&self) -> usize {
        self.longest
    }

    /// How many chains were searched.
    pub(crate) fn made(&self) -> u64 {
        self.made
    }

    /// They may take so much memory from now on.
    pub(crate) fn limit(&mut self, bytes: usize) {
        self.room = room::<G>(bytes);
    }

    /// The memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<G::Action>>()
    }
}

/// How many nodes there are in so much memory.
fn room<G: Game>(bytes: usize) -> usize {
    (bytes / size_of::<Node<G::Action>>()).min(u32::MAX as usize)
}
