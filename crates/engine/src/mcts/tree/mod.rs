//! The tree: nodes that are atomics in one arena, shared by all workers without a lock.
//!
//! It knows no game. An action is a number, and the caller knows whose turn it is.
//!
//! # Layout
//! The children of a node are one *block* of words: a header (how many children, how many words), the counters of each
//! child, and a *link* of each child: its action in the high half, the place of its own children in the low half. A
//! child takes 16 bytes where counters fit in one word, 24 where they take two, and 32 in trees of information sets,
//! where they take three ([`layouts`]). Where rewards are halves and actions are below 256, a block is whole cache
//! lines with the same contents, seven children a line ([`lines`]). The root is the only child of the first block, so
//! it is a node like any other.
//!
//! # Expansion
//! A link without children is `UNEXPANDED`. A worker that expands the node claims it by a compare-exchange to
//! `CLAIMED`, writes a block that no other worker can see yet, and publishes it by storing its place in the link. No
//! worker waits: a traversal that meets a claim plays out from there. A link of a line is half of a word, and the other
//! half may change meanwhile. There the compare-exchange is repeated until this half decides, and the place is
//! published by an exclusive or, which leaves the other half as it is.
//!
//! # Memory orderings
//! The publishing store (in lines the exclusive or) is `Release` and every read of a link is `Acquire`. While the tree
//! grows that pair is the only ordering it needs: a worker that reads the place of a block sees the header, the actions
//! and the zeroed counters written before it was published. Everything else is `Relaxed`. Counters are sums of
//! additions, which commute; a reader may see a child's visit before or after its parent's, and selection lives with
//! either. The claim needs no ordering, because the claimer reads nothing that another claimer wrote. Emptying the
//! tree and [`Tree::advance`] happen between searches, when no worker is in the tree; threads begin by a channel and
//! end by a mutex, and both order everything. Memory that fell out of use has a contract of its own, in [`regions`].
//!
//! The link to a block of lines is swung once more, to its wide lines, by a compare-exchange that publishes them as the
//! block was published. While the tree grows each change of two links in one word is a read-modify-write, so a reader
//! that sees the later one of them sees what either published.
//!
//! The model checker loom plays all interleavings of claim, publish and read (`loom_tests`, `loom_lines`), and shows
//! that the test fails when the publishing store is `Relaxed`.

mod allocation;
mod arena;
mod choice;
mod cursor;
mod dropped;
mod dump;
mod foreign;
mod fresh;
mod growth;
pub(crate) mod huge_pages;
mod information_sets;
pub(crate) mod informed;
mod layout;
pub(crate) mod layouts;
mod lines;
#[cfg(all(test, loom))]
mod loom_lines;
#[cfg(all(test, loom))]
mod loom_tests;
pub(crate) mod narrow;
mod node;
mod observations;
mod outcome;
mod proof;
mod regions;
mod stock;
mod sweep;
pub(crate) mod sync;
mod tiles;
pub(crate) mod ucb;
pub(crate) mod words;

pub(crate) use allocation::Allocation;
use arena::Arena;
pub(crate) use cursor::{Entered, NodeState, Step, TreeCursor};
pub use dump::NodeDump;
pub(crate) use foreign::Foreign;
use layout::Shape;
pub(crate) use layout::{Layout, LayoutKind, NodeStats};
use layouts::Packed;
use lines::{Lines, Place};
pub(crate) use lines::{MOST_LATE, MOST_NARROW};
pub(crate) use node::{Block, Expansion, Link, Node};
use node::{CLAIMED, PLACE, UNEXPANDED};
pub(crate) use outcome::Outcome;
pub(crate) use stock::Stock;
use words::{Words, Writers};

use crate::mcts::tree::sync::{AtomicU64, Ordering::Acquire, Ordering::Relaxed};

/// One search tree in one arena.
#[derive(Debug)]
pub(crate) struct Tree {
    arena: Arena,
    layout: LayoutKind,
    shape: Shape,
}

/// The memory bound has no room for a root and its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooSmall;

impl Tree {
    /// The most bytes that a tree takes: 16 GiB, because a link has 31 bits for the place of a word.
    pub(crate) const MOST_BYTES: usize = (PLACE as usize + 1).saturating_mul(size_of::<AtomicU64>());

    /// An empty tree that takes at most `bytes`.
    pub(crate) fn new(bytes: usize, layout: LayoutKind, writers: Writers) -> Result<Tree, TooSmall> {
        let arena = Arena::new(bytes, layout.tiles(), writers).ok_or(TooSmall)?;
        let tree = Tree { arena, layout, shape: layout.shape() };
        tree.init_root().ok_or(TooSmall)?;
        Ok(tree)
    }

    /// Forgets everything; takes the same short time however large the tree is. No worker may be in it.
    pub(crate) fn clear(&self) {
        self.arena.clear();
        let root = self.init_root();
        debug_assert!(root.is_some(), "there was room for a root before");
    }

    pub(crate) fn layout(&self) -> LayoutKind {
        self.layout
    }

    /// The number of workers in the tree.
    #[inline(always)]
    pub(super) fn writers(&self) -> Writers {
        self.arena.writers()
    }

    /// Units of a node's sum that make a reward of 1.
    pub(crate) fn units(&self) -> f64 {
        self.shape.units
    }

    pub(crate) fn root(&self) -> Node {
        self.child(self.first(), self.layout.roots() as u32, 0)
    }

    /// The block of the root.
    pub(crate) fn first(&self) -> Block {
        match self.layout {
            // Its narrow line comes first.
            LayoutKind::Narrow => lines::wide_block(self.arena.tiles.first() + lines::LINE as u32),
            _ => Block(self.arena.tiles.first()),
        }
    }

    /// Returns true if blocks are lines.
    #[inline(always)]
    fn is_narrow(&self) -> bool {
        self.layout == LayoutKind::Narrow
    }

    /// The lines of a block, in the narrow layout.
    #[inline(always)]
    fn lines(&self, block: Block) -> Lines<'_> {
        Lines::of(&self.arena.words, block)
    }

    /// The lines that a node is in and its number there, in the narrow layout.
    #[inline(always)]
    fn lines_of(&self, node: Node) -> (Lines<'_>, Place) {
        (self.lines(Block(node.counters)), Place::of(node.link))
    }

    /// Bytes of the arena that are in use. Those of dropped subtrees are until workers take the subtrees apart.
    pub(crate) fn bytes(&self) -> usize {
        self.arena.bytes()
    }

    /// Returns true if the children of some node found no place.
    pub(crate) fn is_full(&self) -> bool {
        self.arena.is_full()
    }

    /// Returns true if expanding a node is worth trying.
    #[inline]
    pub(crate) fn has_room(&self, stock: &Stock) -> bool {
        !stock.exhausted
    }

    pub(crate) fn new_stock(&self) -> Stock {
        self.arena.new_stock()
    }

    pub(crate) fn give_back(&self, stock: Stock) {
        self.arena.give_back(stock);
    }

    /// Child number `index` of a block of `children` children.
    #[inline]
    fn child(&self, block: Block, children: u32, index: u32) -> Node {
        if self.layout == LayoutKind::Narrow {
            return lines::node(block, index);
        }
        let first = block.0 + self.shape.head;
        Node { counters: first + index * self.shape.words, link: first + children * self.shape.words + index }
    }

    /// The same where the layout is known at compile time.
    #[inline(always)]
    fn nth<L: Layout>(&self, block: Block, children: u32, index: u32) -> Node {
        let words = L::WORDS as u32;
        Node { counters: block.0 + L::HEAD + index * words, link: block.0 + L::HEAD + children * words + index }
    }

    /// The number of children of a block.
    #[inline]
    pub(crate) fn width(&self, block: Block) -> u32 {
        if self.is_narrow() {
            let lines = self.lines(block);
            return lines.width();
        }
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
        if self.is_narrow() {
            let (lines, place) = self.lines_of(node);
            return lines.action(place);
        }
        (self.arena.words[node.link as usize].load(Relaxed) >> 32) as u32
    }

    /// The state of a node's children; the contents of their block are visible to the caller.
    #[inline]
    pub(crate) fn expansion(&self, node: Node) -> Expansion {
        match u64::from(self.link(node).below) & PLACE {
            UNEXPANDED => Expansion::Unexpanded,
            CLAIMED => Expansion::Claimed,
            place => Expansion::Children(Block(place as u32)),
        }
    }

    /// The link of a node; the contents of the block it leads to are visible to the caller.
    #[inline]
    fn link(&self, node: Node) -> Link {
        if self.is_narrow() {
            let (lines, place) = self.lines_of(node);
            return lines.link(place);
        }
        Link::of_word(self.arena.words[node.link as usize].load(Acquire))
    }

    /// Adds to the counters of a node and returns their values before the addition.
    #[inline(always)]
    fn add<L: Layout>(&self, node: Node, change: L::Words) -> L::Words {
        L::Words::add(self.counters(node, L::WORDS), change, self.writers())
    }

    #[inline(always)]
    fn counters(&self, node: Node, words: usize) -> &[AtomicU64] {
        let at = node.counters as usize;
        &self.arena.words[at..at + words]
    }

    /// The counters of a node.
    pub(crate) fn read(&self, node: Node) -> NodeStats {
        if self.is_narrow() {
            let (lines, place) = self.lines_of(node);
            return Packed::unpack([lines.load(place)]);
        }
        self.layout.read(self.counters(node, self.shape.words as usize))
    }

    /// Sets the counters of a node. No worker may be in the tree.
    pub(crate) fn write(&self, node: Node, stats: NodeStats) {
        if self.is_narrow() {
            let (lines, place) = self.lines_of(node);
            let [counters] = Packed::pack(stats);
            return lines.set(place, counters);
        }
        self.layout.write(self.counters(node, self.shape.words as usize), stats);
    }
}
