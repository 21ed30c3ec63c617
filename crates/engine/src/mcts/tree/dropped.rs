//! Dropped subtrees: left whole to the workers, which take them apart as they need memory.

use super::arena::{Arena, BlocksBelow};
use super::node::Block;
use super::stock::Stock;
use crate::mcts::tree::sync::Ordering::Relaxed;
use crate::mcts::tree::words::Writers;

/// The most blocks of dropped subtrees that are taken apart for one new block: no playout waits for all of them.
const TAKEN_APART_AT_ONCE: u32 = 64;

impl Arena {
    /// Leaves a subtree to the workers that need its memory. No worker may be in it.
    pub(super) fn drop_subtree(&self, block: Block) {
        self.writers().fetch_add(&self.lists, 1, Relaxed);
        self.leave_dropped(vec![block.0]);
        self.full.store(false, Relaxed);
    }

    pub(super) fn leave_dropped(&self, dropped: Vec<u32>) {
        self.shared.lock().push(dropped);
        self.has_shared.store(true, Relaxed);
    }

    /// Takes dropped subtrees apart, ahead of the need but not for long.
    pub(super) fn take_apart(&self, size: u32, stock: &mut Stock, children: &BlocksBelow<'_>) {
        if stock.dropped.is_empty() && !self.take_dropped(stock) {
            return;
        }
        let (mut freed, wanted) = (0, 2 * u64::from(size.max(self.regions.size())));
        for _ in 0..TAKEN_APART_AT_ONCE {
            let Some(block) = stock.dropped.pop().map(Block) else { break };
            if let Some(further) = children(block, &mut stock.dropped) {
                freed += self.free_tile(further);
            }
            freed += self.free_tile(self.tiles.start_of(block));
            self.share(stock);
            if freed >= wanted {
                break;
            }
        }
        self.writers().fetch_add(&self.free, freed, Relaxed);
        if stock.dropped.is_empty() {
            self.writers().fetch_sub(&self.lists, 1, Relaxed);
        }
    }

    fn take_dropped(&self, stock: &mut Stock) -> bool {
        if !stock.half.is_empty() {
            stock.dropped = std::mem::take(&mut stock.half);
            return true;
        }
        if !self.has_shared.load(Relaxed) {
            return false;
        }
        let mut all = self.shared.lock();
        stock.dropped = all.pop().unwrap_or_default();
        self.has_shared.store(!all.is_empty(), Relaxed);
        !stock.dropped.is_empty()
    }

    /// Leaves half of the dropped subtrees, the largest ones, to a worker that has none. The only worker of a tree puts
    /// them aside, which takes no lock.
    fn share(&self, stock: &mut Stock) {
        if stock.dropped.len() > 1 && stock.half.is_empty() && !self.has_shared.load(Relaxed) {
            let rest = stock.dropped.split_off(stock.dropped.len() / 2);
            let dropped = std::mem::replace(&mut stock.dropped, rest);
            self.writers().fetch_add(&self.lists, 1, Relaxed);
            match self.writers() {
                Writers::One => stock.half = dropped,
                Writers::Many => self.leave_dropped(dropped),
            }
        }
    }
}
