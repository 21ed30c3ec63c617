//! The tree: nodes that are atomics in one arena, shared by all workers without a lock.
//!
//! It knows no game. An action is a number, and whose turn it is is the caller's business.
//!
//! # Layout
//! The children of a node are one *block* of words: a header (how many children, how many words), the counters of each
//! child, and a *link* of each child: its action in the high half, its own children in the low half. A child takes 16
//! bytes where counters fit in one word and 24 where they take two ([`counters`]). The root is the only child of the
//! first block, so it is a node like any other.
//!
//! # How children appear
//! A link without children is `BARE`. Whoever wants to expand the node claims it by a compare-exchange to `CLAIMED`,
//! writes a block that nobody else can see yet, and publishes it by storing its place in the link. Nobody waits: a
//! descent that meets a claim plays out from there.
//!
//! # Memory orderings
//! The publishing store is `Release` and every read of a link is `Acquire`. That pair is the only ordering the tree
//! needs: whoever reads the place of a block sees the header, the actions and the zeroed counters written before it was
//! published. Everything else is `Relaxed`. Counters are sums of additions, which commute; a reader may see a child's
//! visit before or after its parent's, and selection lives with either. The claim needs no ordering, because the claimer
//! reads nothing that another claimer wrote. What happens between searches (emptying, [`Tree::advance`]) happens when
//! no worker is in the tree; threads begin by a channel and end by a mutex, and both order everything.
//!
//! The model checker loom plays all interleavings of claim, publish and read (`loom_tests`), and shows that the
//! test fails when the publishing store is `Relaxed`.

mod arena;
mod choice;
pub(crate) mod counters;
mod dump;
mod informed;
#[cfg(all(test, loom))]
mod loom_tests;
mod mirror;
mod outcome;
mod prefetch;
mod proof;
mod view;
pub(crate) mod weights;

pub(crate) use arena::Scraps;
use arena::{Arena, FIRST};
use counters::{Counters, Tally, Writers};
pub use dump::NodeDump;
pub(crate) use outcome::Outcome;
pub(crate) use view::{Entered, Step, View};

use crate::MAX_PLAYERS;
use crate::sync::{AtomicU32, AtomicU64, Ordering::Acquire, Ordering::Relaxed, Ordering::Release};

/// A link whose node has no children yet.
const BARE: u64 = 0;
/// A link whose node is being expanded by some worker.
const CLAIMED: u64 = 1;
/// Links from here on are places of blocks.
const LINKED: u32 = 2;

/// The bit of a link that says that the outcome of the node is known ([`proof`]).
const PROVEN: u64 = 1 << 31;

/// The part of a link that says where the children are.
const PLACE: u64 = PROVEN - 1;
/// The part of a link that is not its action.
const BELOW: u64 = PROVEN | PLACE;

/// The ordering that publishes a block. `--cfg weak_publish` breaks it, to see the model checker notice.
const PUBLISH: crate::sync::Ordering = if cfg!(weak_publish) { Relaxed } else { Release };

/// How the counters of a child are laid out; see [`counters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Packed,
    Wide,
    Unobserved,
    Scores,
    Informed,
}

/// Runs an expression with `$counters` standing for the type of a layout.
macro_rules! with_counters {
    ($layout:expr, $counters:ident => $run:expr) => {
        match $layout {
            $crate::tree::Layout::Packed => {
                type $counters = $crate::tree::counters::Packed;
                $run
            }
            $crate::tree::Layout::Wide => {
                type $counters = $crate::tree::counters::Wide;
                $run
            }
            $crate::tree::Layout::Unobserved => {
                type $counters = $crate::tree::counters::Unobserved;
                $run
            }
            $crate::tree::Layout::Scores => {
                type $counters = $crate::tree::counters::Scores;
                $run
            }
            $crate::tree::Layout::Informed => {
                type $counters = $crate::tree::counters::Informed;
                $run
            }
        }
    };
}

impl Layout {
    /// Words a block has before its counters.
    fn head(self) -> u32 {
        with_counters!(self, C => C::HEAD)
    }

    /// How many children the first block has: the root, and in a tree of what players know one for each player.
    fn roots(self) -> usize {
        if self == Layout::Informed { 1 + MAX_PLAYERS } else { 1 }
    }

    /// Words of counters a child has.
    fn words(self) -> u32 {
        with_counters!(self, C => C::WORDS as u32)
    }

    /// Units of a sum that make a reward of 1.
    pub(crate) fn units(self) -> f64 {
        with_counters!(self, C => C::UNITS)
    }
}

/// The children of one node: the place of their header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block(u32);

impl Block {
    /// A header, one child's counters in one word, and its link.
    const SMALLEST: u32 = 3;
    /// Words a block may have, so that its size and the number of its children fit into a header with its outcome.
    const LARGEST: u32 = (1 << 24) - 1;

    fn size(self, arena: &Arena) -> u32 {
        (arena.words[self.0 as usize].load(Relaxed) >> 40) as u32
    }
}

/// One node: the places of its counters and its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    counters: u32,
    link: u32,
}

/// The word of a child that says where it leads: its action, and the place of its own children.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Link(u64);

impl Link {
    #[inline(always)]
    pub(crate) fn action(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The children, if they have been published and it is not known what they come to.
    #[inline(always)]
    pub(crate) fn children(self) -> Option<Block> {
        // With the mark of a known outcome it is negative.
        let place = (self.0 as u32).cast_signed();
        (place >= LINKED.cast_signed()).then_some(Block(place.cast_unsigned()))
    }

    /// The block that holds the outcome of the node, if that is known.
    #[inline(always)]
    pub(crate) fn proven(self) -> Option<Block> {
        (self.0 & PROVEN != 0).then_some(Block((self.0 & PLACE) as u32))
    }
}

/// What a descent finds below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Below {
    Children(Block),
    /// Nothing yet; the node may be expanded.
    Bare,
    /// Some worker is expanding the node right now.
    Claimed,
}

impl Below {
    /// The children, if there are any.
    pub(crate) fn block(self) -> Option<Block> {
        match self {
            Below::Children(block) => Some(block),
            Below::Bare | Below::Claimed => None,
        }
    }
}

/// One search tree in one arena.
#[derive(Debug)]
pub(crate) struct Tree {
    arena: Arena,
    layout: Layout,
    writers: Writers,
    /// How often something was proven that workers may have copies of.
    proofs: AtomicU32,
}

/// The memory bound has no room for a root and its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooSmall;

impl Tree {
    /// An empty tree that takes at most `bytes`.
    pub(crate) fn new(bytes: usize, layout: Layout, writers: Writers) -> Result<Tree, TooSmall> {
        let arena = Arena::new(bytes).ok_or(TooSmall)?;
        let tree = Tree { arena, layout, writers, proofs: AtomicU32::new(0) };
        tree.plant().ok_or(TooSmall)?;
        Ok(tree)
    }

    /// Forgets everything; takes the same short time however large the tree is. No worker may be in it.
    pub(crate) fn clear(&self) {
        self.arena.clear();
        let planted = self.plant();
        debug_assert!(planted.is_some(), "there was room for a root before");
    }

    fn plant(&self) -> Option<Block> {
        let mut scraps = Scraps::default();
        let roots = [0; 1 + MAX_PLAYERS];
        let root = self.write_block(roots[..self.layout.roots()].iter().copied(), &mut scraps);
        self.give_back(scraps);
        debug_assert!(root.is_none_or(|block| block == Block(FIRST)));
        root
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    pub(crate) fn root(&self) -> Node {
        self.child(Block(FIRST), self.layout.roots() as u32, 0)
    }

    /// The block that the root stands in.
    pub(crate) fn first(&self) -> Block {
        Block(FIRST)
    }

    /// Bytes the tree has taken of its arena.
    pub(crate) fn bytes(&self) -> usize {
        self.arena.bytes()
    }

    /// No node can be expanded any more.
    pub(crate) fn is_full(&self) -> bool {
        self.arena.is_full()
    }

    /// Whether expanding a node is worth trying.
    pub(crate) fn has_room(&self, scraps: &Scraps) -> bool {
        self.arena.has_room(scraps)
    }

    pub(crate) fn take_scraps(&self) -> Scraps {
        self.arena.take_scraps()
    }

    pub(crate) fn give_back(&self, scraps: Scraps) {
        self.arena.give_back(scraps);
    }

    fn child(&self, block: Block, children: u32, index: u32) -> Node {
        with_counters!(self.layout, C => self.nth::<C>(block, children, index))
    }

    /// How many children a block holds.
    #[inline]
    pub(crate) fn width(&self, block: Block) -> u32 {
        self.arena.words[block.0 as usize].load(Relaxed) as u32 & Block::LARGEST
    }

    /// The children of a block, in the order they were listed.
    pub(crate) fn children(&self, block: Block) -> impl Iterator<Item = Node> + '_ {
        let children = self.width(block);
        (0..children).map(move |index| self.child(block, children, index))
    }

    /// The action that leads to a node.
    #[inline]
    pub(crate) fn action(&self, node: Node) -> u32 {
        (self.arena.words[node.link as usize].load(Relaxed) >> 32) as u32
    }

    /// What is below a node; the contents of its block are visible to the caller.
    #[inline]
    pub(crate) fn below(&self, node: Node) -> Below {
        match self.link(node).0 & PLACE {
            BARE => Below::Bare,
            CLAIMED => Below::Claimed,
            place => Below::Children(Block(place as u32)),
        }
    }

    /// The link of a node; the contents of the block it leads to are visible to the caller.
    #[inline]
    fn link(&self, node: Node) -> Link {
        Link(self.arena.words[node.link as usize].load(Acquire))
    }

    /// Adds to the counters of a node and returns what they were.
    #[inline(always)]
    fn add<C: Counters>(&self, node: Node, change: C::Words) -> C::Words {
        C::add(self.counters::<C>(node), change, self.writers)
    }

    /// Child number `index` of a block of so many.
    #[inline(always)]
    fn nth<C: Counters>(&self, block: Block, children: u32, index: u32) -> Node {
        let words = C::WORDS as u32;
        Node { counters: block.0 + C::HEAD + index * words, link: block.0 + C::HEAD + children * words + index }
    }

    #[inline(always)]
    fn counters<C: Counters>(&self, node: Node) -> &[AtomicU64] {
        let at = node.counters as usize;
        &self.arena.words[at..at + C::WORDS]
    }

    /// Gives a node its children and returns them, unless some other worker has it claimed or there is no room.
    pub(crate) fn expand(
        &self,
        node: Node,
        actions: impl ExactSizeIterator<Item = u32>,
        scraps: &mut Scraps,
    ) -> Option<Block> {
        self.hang(node, actions, scraps, |_| 0)
    }

    /// Hangs a block below a node, with the marks that `finish` gives its link once it is written.
    fn hang(
        &self,
        node: Node,
        actions: impl ExactSizeIterator<Item = u32>,
        scraps: &mut Scraps,
        finish: impl FnOnce(Block) -> u64,
    ) -> Option<Block> {
        let link = &self.arena.words[node.link as usize];
        let action = link.load(Relaxed) & !BELOW;
        // Losing this race is no harm: the loser plays out from the node it is at.
        if link.compare_exchange(action | BARE, action | CLAIMED, Relaxed, Relaxed).is_err() {
            return None;
        }
        let block = self.write_block(actions, scraps);
        // With no room the claim is given up and the node stays a leaf.
        let below = block.map_or(BARE, |block| finish(block) | u64::from(block.0));
        link.store(action | below, PUBLISH);
        block
    }

    /// A block with no visits, which nobody can see yet.
    fn write_block(&self, actions: impl ExactSizeIterator<Item = u32>, scraps: &mut Scraps) -> Option<Block> {
        let children = u32::try_from(actions.len()).ok()?;
        let head = self.layout.head();
        let counters = children.checked_mul(self.layout.words())?;
        let size = counters.checked_add(children)?.checked_add(head)?.max(Block::SMALLEST);
        if size > Block::LARGEST - Block::SMALLEST {
            return None;
        }
        let (block, size) = self.arena.allocate(size, scraps, |block, list| self.list_blocks_below(block, list))?;
        let words = &self.arena.words[block.0 as usize..][..size as usize];
        words[0].store(u64::from(size) << 40 | u64::from(children), Relaxed);
        let (counters, links) = words[head as usize..].split_at(counters as usize);
        for word in counters {
            word.store(0, Relaxed);
        }
        for (link, action) in links.iter().zip(actions) {
            link.store(u64::from(action) << 32 | BARE, Relaxed);
        }
        Some(block)
    }

    fn list_blocks_below(&self, block: Block, list: &mut Vec<u32>) {
        if self.layout == Layout::Informed {
            list.extend(self.chained(block).map(|block| block.0));
        }
        for node in self.children(block) {
            if let Below::Children(block) = self.below(node) {
                list.push(block.0);
            }
        }
    }

    /// The counters of a node.
    pub(crate) fn read(&self, node: Node) -> Tally {
        with_counters!(self.layout, C => C::read(C::load(self.counters::<C>(node))))
    }

    /// Sets the counters of a node. No worker may be in the tree.
    pub(crate) fn write(&self, node: Node, tally: Tally) {
        with_counters!(self.layout, C => C::store(self.counters::<C>(node), C::pack(tally)));
    }

    /// Makes the child that `action` leads to the root and leaves the rest to be reused. Says whether there was such
    /// a child; if not, the tree is empty now. No worker may be in it.
    ///
    /// Nothing is copied or walked: the subtree stays where it is, and the rest is taken apart as its memory is needed.
    pub(crate) fn advance(&self, action: u32) -> bool {
        let root = self.root();
        let Below::Children(block) = self.below(root) else {
            self.clear();
            return false;
        };
        let Some(chosen) = self.children(block).find(|&child| self.action(child) == action) else {
            self.clear();
            return false;
        };
        let below = match self.below(chosen) {
            Below::Children(below) => u64::from(below.0),
            Below::Bare | Below::Claimed => BARE,
        };
        // Nobody chooses a root, so it has no sum.
        self.write(root, Tally { sum: 0, ..self.read(chosen) });
        self.arena.words[root.link as usize].store(below, Relaxed);
        // The chosen child no longer owns its children, so they are not dropped with the block it stood in.
        self.arena.words[chosen.link as usize].store(u64::from(action) << 32 | BARE, Relaxed);
        self.arena.drop_subtree(block);
        true
    }
}
