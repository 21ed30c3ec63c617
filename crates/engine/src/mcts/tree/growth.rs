//! Growing the tree: writing a block of children and publishing it, and dropping what advancing leaves behind.

use super::lines::{self, Lines};
use super::node::{BELOW, Block, CLAIMED, Expansion, Node, UNEXPANDED, publishing};
use super::{LayoutKind, NodeStats, Stock, Tree};
use crate::MAX_PLAYERS;
use crate::mcts::tree::sync::Ordering::Relaxed;

impl Tree {
    /// Writes the first block, which holds the root.
    pub(super) fn init_root(&self) -> Option<Block> {
        let mut stock = Stock::default();
        let roots = [0; 1 + MAX_PLAYERS];
        let mut root = self.write_block(&roots[..self.layout.roots()], &mut stock);
        if self.layout == LayoutKind::Narrow {
            root = root.and_then(|narrow| self.write_wide(narrow, &mut stock));
        }
        self.give_back(stock);
        debug_assert!(root.is_none_or(|block| block == self.first()));
        root
    }

    /// Gives a node its children and returns them, unless some other worker has it claimed or there is no room.
    pub(crate) fn expand(&self, node: Node, actions: &[u32], stock: &mut Stock) -> Option<Block> {
        self.attach(node, actions, stock, |_| 0)
    }

    /// Attaches a block below a node, with the marks that `finish` gives its link once it is written.
    pub(super) fn attach(
        &self,
        node: Node,
        actions: &[u32],
        stock: &mut Stock,
        finish: impl FnOnce(Block) -> u64,
    ) -> Option<Block> {
        if self.is_narrow() {
            let (lines, place) = self.lines_of(node);
            if !lines.claim(place, self.writers()) {
                return None;
            }
            let block = self.write_block(actions, stock);
            lines.publish(
                place,
                block.map_or(UNEXPANDED, |block| finish(block) | u64::from(block.0)) as u32,
                self.writers(),
            );
            return block;
        }
        let link = &self.arena.words[node.link as usize];
        let action = link.load(Relaxed) & !BELOW;
        // Losing this race is no harm: the loser plays out from the node it is at.
        if self.writers().compare_exchange(link, action | UNEXPANDED, action | CLAIMED, [Relaxed; 2]).is_err() {
            return None;
        }
        let block = self.write_block(actions, stock);
        // With no room the claim is given up and the node stays a leaf.
        let below = block.map_or(UNEXPANDED, |block| finish(block) | u64::from(block.0));
        link.store(action | below, publishing());
        block
    }

    /// Writes a block with no visits, which no other worker can see yet.
    pub(super) fn write_block(&self, actions: &[u32], stock: &mut Stock) -> Option<Block> {
        if self.layout == LayoutKind::Narrow {
            return self.write_lines(actions, stock);
        }
        let children = u32::try_from(actions.len()).ok()?;
        let counters = children.checked_mul(self.shape.words)?;
        let size = counters.checked_add(children)?.checked_add(self.shape.head)?;
        if size > Block::LARGEST {
            return None;
        }
        let block = self.arena.allocate(size, stock, &|block, list| self.list_blocks_below(block, list))?;
        let words = &self.arena.words[block.0 as usize..][..size as usize];
        words[0].store(u64::from(size) << Block::SIZE | u64::from(children), Relaxed);
        let (counters, links) = words[self.shape.head as usize..].split_at(counters as usize);
        for word in counters {
            word.store(0, Relaxed);
        }
        for (link, &action) in links.iter().zip(actions) {
            link.store(u64::from(action) << 32 | UNEXPANDED, Relaxed);
        }
        Some(block)
    }

    fn write_lines(&self, actions: &[u32], stock: &mut Stock) -> Option<Block> {
        if actions.iter().any(|&action| action > u32::from(u8::MAX)) {
            return None;
        }
        let size = u32::try_from(lines::lines_for(actions.len()) * lines::LINE).ok()?;
        let block = self.arena.allocate(size, stock, &|block, list| self.list_blocks_below(block, list))?;
        lines::write(&self.arena.words[block.0 as usize..][..size as usize], actions);
        Some(block)
    }

    /// Writes wide lines for a block of narrow ones, which no other worker can see yet.
    fn write_wide(&self, narrow: Block, stock: &mut Stock) -> Option<Block> {
        let size = (Lines::of(&self.arena.words, narrow).count() * lines::LINE) as u32;
        let wide = self.arena.allocate_from_reserve(size, stock, &|block, list| self.list_blocks_below(block, list))?;
        lines::write_wide(&self.arena.words[wide.0 as usize..][..size as usize], narrow.line());
        Some(lines::wide_block(wide.0))
    }

    /// Gives the children of a node wide counters, and returns the block they then are. `None` if there is no room.
    #[cold]
    pub(crate) fn widen(&self, node: Node, narrow: Block, stock: &mut Stock) -> Option<Block> {
        let is_wide = || self.link(node).children().filter(|block| block.is_wide());
        if let Some(wide) = is_wide() {
            return Some(wide);
        }
        if !self.is_narrow() {
            return None;
        }
        let (lines, place) = self.lines_of(node);
        let wide = self.write_wide(narrow, stock)?;
        if lines.swing(place, narrow.0, wide.0, self.writers()) {
            return Some(wide);
        }
        self.arena.free_block(self.arena.tiles.start_of(wide), stock);
        is_wide()
    }

    /// Lists the blocks below a block. Returns the narrow lines of a wide block.
    fn list_blocks_below(&self, block: Block, list: &mut Vec<u32>) -> Option<Block> {
        if self.layout == LayoutKind::InformationSets {
            list.extend(self.after(block).map(|block| block.0));
        }
        for node in self.children(block) {
            if let Expansion::Children(block) = self.expansion(node) {
                list.push(block.0);
            }
        }
        if self.is_narrow() && block.is_wide() { Some(Block(self.lines(block).narrow() as u32)) } else { None }
    }

    /// Sets the link of a node. No worker may be in the tree.
    fn set_link(&self, node: Node, action: u32, below: u64) {
        if self.is_narrow() {
            let (lines, place) = self.lines_of(node);
            return lines.set_link(place, below as u32);
        }
        self.arena.words[node.link as usize].store(u64::from(action) << 32 | below, Relaxed);
    }

    /// Makes the child that `action` leads to the root and leaves the rest to be reused. Returns false if there was no
    /// such child; then the tree is empty now. No worker may be in it.
    ///
    /// Nothing is copied or walked: the subtree stays where it is, and the rest is taken apart as its memory is needed.
    pub(crate) fn advance(&self, action: u32) -> bool {
        let root = self.root();
        let Expansion::Children(block) = self.expansion(root) else {
            self.clear();
            return false;
        };
        let Some(chosen) = self.children(block).find(|&child| self.action(child) == action) else {
            self.clear();
            return false;
        };
        let below = self.expansion(chosen).block().map_or(UNEXPANDED, |below| u64::from(below.0));
        // No player chooses a root, so it has no sum.
        self.write(root, NodeStats { sum: 0, ..self.read(chosen) });
        self.set_link(root, 0, below);
        // The chosen child no longer owns its children, so they are not dropped with the block it stood in.
        self.set_link(chosen, action, UNEXPANDED);
        self.arena.drop_subtree(block);
        true
    }
}
