//! Growing the tree: writing a block of children and publishing it, and dropping what advancing leaves behind.

use super::node::{BELOW, Block, CLAIMED, Expansion, FIRST, Node, PUBLISH, UNEXPANDED};
use super::{LayoutKind, NodeStats, Stock, Tree};
use crate::MAX_PLAYERS;
use crate::mcts::tree::sync::Ordering::Relaxed;

impl Tree {
    /// Writes the first block, which holds the root.
    pub(super) fn init_root(&self) -> Option<Block> {
        let mut stock = Stock::default();
        let roots = [0; 1 + MAX_PLAYERS];
        let root = self.write_block(&roots[..self.layout.roots()], &mut stock);
        self.give_back(stock);
        debug_assert!(root.is_none_or(|block| block == Block(FIRST)));
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
        let link = &self.arena.words[node.link as usize];
        let action = link.load(Relaxed) & !BELOW;
        // Losing this race is no harm: the loser plays out from the node it is at.
        if link.compare_exchange(action | UNEXPANDED, action | CLAIMED, Relaxed, Relaxed).is_err() {
            return None;
        }
        let block = self.write_block(actions, stock);
        // With no room the claim is given up and the node stays a leaf.
        let below = block.map_or(UNEXPANDED, |block| finish(block) | u64::from(block.0));
        link.store(action | below, PUBLISH);
        block
    }

    /// Writes a block with no visits, which no other worker can see yet.
    pub(super) fn write_block(&self, actions: &[u32], stock: &mut Stock) -> Option<Block> {
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

    fn list_blocks_below(&self, block: Block, list: &mut Vec<u32>) {
        if self.layout == LayoutKind::InformationSets {
            list.extend(self.after(block).map(|block| block.0));
        }
        for node in self.children(block) {
            if let Expansion::Children(block) = self.expansion(node) {
                list.push(block.0);
            }
        }
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
        self.arena.words[root.link as usize].store(below, Relaxed);
        // The chosen child no longer owns its children, so they are not dropped with the block it stood in.
        self.arena.words[chosen.link as usize].store(u64::from(action) << 32 | UNEXPANDED, Relaxed);
        self.arena.drop_subtree(block);
        true
    }
}
