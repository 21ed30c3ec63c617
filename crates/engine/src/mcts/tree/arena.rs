//! The memory of a tree: one slice of words, handed out from the bottom up and from blocks that fell out of use.
//!
//! Nothing is ever moved or returned to the system before the tree is dropped. Emptying the arena sets one number,
//! however much was in it: a block is written in full when it is handed out.

use std::ops::Range;

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::free_list::FreeList;
use super::node::{Block, FIRST, PLACE};
use crate::mcts::tree::huge_pages::{self, Words};
use crate::mcts::tree::sync::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Fresh words that a worker takes at a time while there are plenty. So its blocks stand together, away from those that
/// other workers are writing, and no worker waits for the counter of fresh words.
const CHUNK: u64 = 512;
/// The number of chunks that is plenty: one for each worker there can be.
const PLENTY: u64 = 1024;

/// The most blocks of dropped subtrees that are taken apart for one new block: no playout waits for a sweep.
const TAKEN_APART_AT_ONCE: usize = 64;

#[derive(Debug)]
pub(super) struct Arena {
    pub(super) words: Words,
    /// The first word not handed out yet. Away from the words, whose place all workers read all the time.
    top: CachePadded<AtomicU64>,
    /// An allocation failed, so it is not worth asking again before something is freed.
    full: AtomicBool,
    /// True if there is something in `shared`.
    has_shared: AtomicBool,
    /// Free lists that no worker holds.
    shared: Mutex<Vec<FreeList>>,
}

impl Arena {
    /// An arena of at most `bytes`, or `None` if the system refuses or it would have no room at all.
    pub(super) fn new(bytes: usize) -> Option<Arena> {
        let words = (bytes / size_of::<AtomicU64>()).min(PLACE as usize);
        if words <= FIRST as usize {
            return None;
        }
        Some(Arena {
            words: huge_pages::zeroed(words)?,
            top: CachePadded::new(AtomicU64::new(u64::from(FIRST))),
            full: AtomicBool::new(false),
            has_shared: AtomicBool::new(false),
            shared: Mutex::new(Vec::new()),
        })
    }

    pub(super) fn clear(&self) {
        self.shared.lock().clear();
        self.has_shared.store(false, Relaxed);
        self.full.store(false, Relaxed);
        self.top.store(u64::from(FIRST), Relaxed);
    }

    pub(super) fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    /// Returns true if asking for a block is worth the effort.
    #[inline]
    pub(super) fn has_room(&self, free_list: &FreeList) -> bool {
        !self.is_full() || !(free_list.exhausted || free_list.is_empty())
    }

    /// Bytes that were handed out since the arena was last empty.
    pub(super) fn bytes(&self) -> usize {
        self.top.load(Relaxed) as usize * size_of::<AtomicU64>()
    }

    /// Leaves a subtree to the workers that need its memory. No worker may be in it.
    pub(super) fn drop_subtree(&self, block: Block) {
        self.give_back(FreeList { dropped: vec![block.0], ..FreeList::default() });
        self.full.store(false, Relaxed);
    }

    /// Takes one of the shared free lists, or an empty one.
    pub(super) fn take_free_list(&self) -> FreeList {
        if !self.has_shared.load(Relaxed) {
            return FreeList::default();
        }
        let mut all = self.shared.lock();
        let free_list = all.pop().unwrap_or_default();
        self.has_shared.store(!all.is_empty(), Relaxed);
        free_list
    }

    pub(super) fn give_back(&self, mut free_list: FreeList) {
        // The worker that took fresh words last can put the rest back.
        let Range { start, end } = free_list.fresh;
        match self.top.compare_exchange(u64::from(end), u64::from(start), Relaxed, Relaxed) {
            Ok(_) => free_list.fresh = 0..0,
            Err(_) => self.leave_fresh(&mut free_list),
        }
        if !free_list.is_empty() {
            self.shared.lock().push(free_list);
            self.has_shared.store(true, Relaxed);
        }
    }

    /// A block of at least `size` words and the size it has, or `None` if there is no room.
    ///
    /// `children` lists the blocks below a block of a dropped subtree.
    pub(super) fn allocate(
        &self,
        size: u32,
        free_list: &mut FreeList,
        children: &dyn Fn(Block, &mut Vec<u32>),
    ) -> Option<(Block, u32)> {
        if free_list.dropped.is_empty() {
            // Memory that other workers have left comes before fresh words, because it is warm.
            self.join(free_list, self.take_free_list());
        }
        if let Some(found) = self.reuse(size, free_list, children) {
            return Some(found);
        }
        if self.refresh(size, free_list) {
            let block = Block(free_list.fresh.start);
            free_list.fresh.start += size;
            return Some((block, size));
        }
        // Dropped subtrees may still yield a block next time.
        if free_list.dropped.is_empty() {
            self.full.store(true, Relaxed);
            free_list.exhausted = true;
        }
        None
    }

    /// Takes fresh words until a worker has `size` of them. Returns false if there are too few left.
    fn refresh(&self, size: u32, free_list: &mut FreeList) -> bool {
        if free_list.fresh.len() >= size as usize {
            return true;
        }
        let all = self.words.len() as u64;
        let size = u64::from(size);
        // The rest of a chunk may be of no use, so a block must be small beside the chunk.
        let wanted = |top| if all - top > PLENTY * CHUNK && size <= CHUNK { CHUNK.max(8 * size) } else { size };
        let taken = self.top.fetch_update(Relaxed, Relaxed, |top| Some(top + wanted(top)).filter(|&end| end <= all));
        let Ok(top) = taken else { return false };
        let (start, end) = (top as u32, (top + wanted(top)) as u32);
        if free_list.fresh.end == start {
            free_list.fresh.end = end;
        } else {
            self.leave_fresh(free_list);
            free_list.fresh = start..end;
        }
        true
    }

    /// Makes a free block of the fresh words a worker still has.
    fn leave_fresh(&self, free_list: &mut FreeList) {
        let rest = std::mem::take(&mut free_list.fresh);
        if rest.len() >= Block::SMALLEST as usize {
            self.link(rest.start, rest.len() as u32, free_list);
        }
    }

    /// The smallest free block that fits, taking dropped subtrees apart to find one, but not for long.
    fn reuse(
        &self,
        size: u32,
        free_list: &mut FreeList,
        children: &dyn Fn(Block, &mut Vec<u32>),
    ) -> Option<(Block, u32)> {
        for _ in 0..TAKEN_APART_AT_ONCE {
            if let Some((&found, _)) = free_list.free.range(size..).next() {
                let at = self.unlink(found, free_list);
                return Some((Block(at), self.split(at, found, size, free_list)));
            }
            let block = Block(free_list.dropped.pop()?);
            children(block, &mut free_list.dropped);
            self.link(block.0, block.size(self), free_list);
            self.share(free_list);
        }
        None
    }

    /// Leaves half of the dropped subtrees, the largest ones, to a worker that has none.
    fn share(&self, free_list: &mut FreeList) {
        if free_list.dropped.len() > 1 && !self.has_shared.load(Relaxed) {
            let rest = free_list.dropped.split_off(free_list.dropped.len() / 2);
            let dropped = std::mem::replace(&mut free_list.dropped, rest);
            self.give_back(FreeList { dropped, ..FreeList::default() });
            self.full.store(false, Relaxed);
        }
    }

    /// Cuts a free block to `size` if the rest is worth keeping, and returns the size it has then.
    fn split(&self, at: u32, has: u32, size: u32, free_list: &mut FreeList) -> u32 {
        let rest = has - size;
        if rest < Block::SMALLEST {
            return has;
        }
        self.link(at + size, rest, free_list);
        size
    }

    /// Leaves a block that no other worker has seen to the worker that made it.
    pub(super) fn free(&self, block: Block, free_list: &mut FreeList) {
        self.link(block.0, block.size(self), free_list);
    }

    fn link(&self, at: u32, size: u32, free_list: &mut FreeList) {
        self.link_list(size, (at, at), free_list);
    }

    /// Puts a list of free blocks of one size before those there are.
    fn link_list(&self, size: u32, (first, last): (u32, u32), free_list: &mut FreeList) {
        let (next, end) = free_list.free.get(&size).copied().unwrap_or((0, last));
        self.words[last as usize + 1].store(u64::from(next), Relaxed);
        free_list.free.insert(size, (first, end));
    }

    /// Takes the first free block of a size there is.
    fn unlink(&self, size: u32, free_list: &mut FreeList) -> u32 {
        let Some((first, last)) = free_list.free.remove(&size) else { return 0 };
        if first != last {
            let next = self.words[first as usize + 1].load(Relaxed) as u32;
            free_list.free.insert(size, (next, last));
        }
        first
    }

    fn join(&self, free_list: &mut FreeList, more: FreeList) {
        free_list.exhausted &= more.is_empty();
        free_list.dropped.extend(more.dropped);
        for (size, list) in more.free {
            self.link_list(size, list, free_list);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn rests_of_chunks_are_used_again() {
        let arena = Arena::new(((PLENTY + 8) * CHUNK) as usize * size_of::<AtomicU64>()).unwrap();
        let allocate = |free_list: &mut FreeList| arena.allocate(15, free_list, &|_, _| {}).unwrap().0.0;
        let (mut one, mut other) = (FreeList::default(), FreeList::default());
        let (first, second) = (allocate(&mut one), allocate(&mut other));
        assert_eq!(second, first + CHUNK as u32, "each has a chunk of its own");
        assert_eq!(allocate(&mut one), first + 15);
        arena.give_back(other);
        assert_eq!(
            arena.bytes(),
            (second + 15) as usize * size_of::<AtomicU64>(),
            "the last chunk shrinks to what is used"
        );
        arena.give_back(one);
        let mut next = arena.take_free_list();
        assert_eq!(allocate(&mut next), first + 30, "the rest of the other is a free block");
    }
}
