//! The memory of a tree: one slice of words, handed out from the bottom up and from blocks that fell out of use.
//!
//! Nothing is ever moved or returned to the system before the tree is dropped. Emptying the arena sets one number,
//! however much was in it: a block is written in full when it is handed out.

use std::collections::BTreeMap;
use std::ops::Range;

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::{Block, LINKED, PLACE};
use crate::pages::{self, Words};
use crate::sync::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Words below this index are never handed out, so that small numbers can mean something else in a link.
pub(super) const FIRST: u32 = LINKED;

/// How many fresh words a worker takes at a time while there are plenty: so its blocks stand together, away from those that
/// others are writing, and nobody waits for the number that says what is still fresh.
const CHUNK: u64 = 512;
/// Plenty is as many chunks as there can be workers.
const PLENTY: u64 = 1024;

/// How many blocks of dropped subtrees are taken apart for one new block, at most: nobody's playout waits for a sweep.
const TAKEN_APART_AT_ONCE: usize = 64;

#[derive(Debug)]
pub(super) struct Arena {
    pub(super) words: Words,
    /// The first word not handed out yet. Away from the words, whose place everybody reads all the time.
    top: CachePadded<AtomicU64>,
    /// An allocation failed, so it is not worth asking again before something is freed.
    full: AtomicBool,
    /// There is something in `scraps`.
    scrapped: AtomicBool,
    scraps: Mutex<Vec<Scraps>>,
}

/// What a worker may use before it takes fresh words: subtrees that were dropped, and blocks found in them.
///
/// A dropped subtree is taken apart only as its blocks are needed, so that dropping it takes no time. Each worker
/// holds a share of its own; nobody else can reach these blocks.
#[derive(Debug, Default)]
pub(crate) struct Scraps {
    /// Roots of dropped subtrees.
    dropped: Vec<u32>,
    /// Free blocks by their size in words: the first and the last of a list linked through the word after the header.
    free: BTreeMap<u32, (u32, u32)>,
    /// What is left here was too small for the last block asked for.
    exhausted: bool,
    /// Fresh words, from the first to before the last.
    fresh: Range<u32>,
}

impl Scraps {
    fn is_empty(&self) -> bool {
        self.dropped.is_empty() && self.free.is_empty()
    }
}

impl Arena {
    /// An arena of at most `bytes`, or `None` if the system refuses or it would have no room at all.
    pub(super) fn new(bytes: usize) -> Option<Arena> {
        let words = (bytes / size_of::<AtomicU64>()).min(PLACE as usize);
        if words <= FIRST as usize {
            return None;
        }
        Some(Arena {
            words: pages::zeroed(words)?,
            top: CachePadded::new(AtomicU64::new(u64::from(FIRST))),
            full: AtomicBool::new(false),
            scrapped: AtomicBool::new(false),
            scraps: Mutex::new(Vec::new()),
        })
    }

    pub(super) fn clear(&self) {
        self.scraps.lock().clear();
        self.scrapped.store(false, Relaxed);
        self.full.store(false, Relaxed);
        self.top.store(u64::from(FIRST), Relaxed);
    }

    pub(super) fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    /// Whether asking for a block is worth the effort.
    pub(super) fn has_room(&self, scraps: &Scraps) -> bool {
        !self.is_full() || !(scraps.exhausted || scraps.is_empty())
    }

    /// Bytes that were handed out since the arena was last empty.
    pub(super) fn bytes(&self) -> usize {
        self.top.load(Relaxed) as usize * size_of::<AtomicU64>()
    }

    /// Leaves a subtree to whoever needs its memory. Nobody may be in it.
    pub(super) fn drop_subtree(&self, block: Block) {
        self.give_back(Scraps { dropped: vec![block.0], ..Scraps::default() });
        self.full.store(false, Relaxed);
    }

    /// A share of what fell out of use.
    pub(super) fn take_scraps(&self) -> Scraps {
        if !self.scrapped.load(Relaxed) {
            return Scraps::default();
        }
        let mut all = self.scraps.lock();
        let scraps = all.pop().unwrap_or_default();
        self.scrapped.store(!all.is_empty(), Relaxed);
        scraps
    }

    pub(super) fn give_back(&self, mut scraps: Scraps) {
        // The worker that took fresh words last can put the rest back.
        let Range { start, end } = scraps.fresh;
        match self.top.compare_exchange(u64::from(end), u64::from(start), Relaxed, Relaxed) {
            Ok(_) => scraps.fresh = 0..0,
            Err(_) => self.leave_fresh(&mut scraps),
        }
        if !scraps.is_empty() {
            self.scraps.lock().push(scraps);
            self.scrapped.store(true, Relaxed);
        }
    }

    /// A block of at least `size` words and the size it has, or `None` if there is no room.
    ///
    /// `children` lists the blocks that hang below a block of a dropped subtree.
    pub(super) fn allocate(
        &self,
        size: u32,
        scraps: &mut Scraps,
        children: impl Fn(Block, &mut Vec<u32>),
    ) -> Option<(Block, u32)> {
        if scraps.dropped.is_empty() {
            // Others' leavings come before fresh words: they are warm memory.
            self.join(scraps, self.take_scraps());
        }
        if let Some(found) = self.reuse(size, scraps, &children) {
            return Some(found);
        }
        if self.refresh(size, scraps) {
            let block = Block(scraps.fresh.start);
            scraps.fresh.start += size;
            return Some((block, size));
        }
        // What was dropped may still yield a block next time.
        if scraps.dropped.is_empty() {
            self.full.store(true, Relaxed);
            scraps.exhausted = true;
        }
        None
    }

    /// Sees to it that a worker has so many fresh words. Says whether it has.
    fn refresh(&self, size: u32, scraps: &mut Scraps) -> bool {
        if scraps.fresh.len() >= size as usize {
            return true;
        }
        let all = self.words.len() as u64;
        let size = u64::from(size);
        // What is left of a chunk may be of no use, so it is small beside the chunk.
        let wanted = |top| if all - top > PLENTY * CHUNK && size <= CHUNK { CHUNK.max(8 * size) } else { size };
        let taken = self.top.fetch_update(Relaxed, Relaxed, |top| Some(top + wanted(top)).filter(|&end| end <= all));
        let Ok(top) = taken else { return false };
        let (start, end) = (top as u32, (top + wanted(top)) as u32);
        if scraps.fresh.end == start {
            scraps.fresh.end = end;
        } else {
            self.leave_fresh(scraps);
            scraps.fresh = start..end;
        }
        true
    }

    /// Makes a free block of the fresh words a worker still has.
    fn leave_fresh(&self, scraps: &mut Scraps) {
        let rest = std::mem::take(&mut scraps.fresh);
        if rest.len() >= Block::SMALLEST as usize {
            self.link(rest.start, rest.len() as u32, scraps);
        }
    }

    /// The smallest free block that fits, taking dropped subtrees apart to find one, but not for long.
    fn reuse(&self, size: u32, scraps: &mut Scraps, children: impl Fn(Block, &mut Vec<u32>)) -> Option<(Block, u32)> {
        for _ in 0..TAKEN_APART_AT_ONCE {
            if let Some((&found, _)) = scraps.free.range(size..).next() {
                let at = self.unlink(found, scraps);
                return Some((Block(at), self.split(at, found, size, scraps)));
            }
            let block = Block(scraps.dropped.pop()?);
            children(block, &mut scraps.dropped);
            self.link(block.0, block.size(self), scraps);
            self.share(scraps);
        }
        None
    }

    /// Leaves half of the dropped subtrees, the largest ones, to a worker that has none.
    fn share(&self, scraps: &mut Scraps) {
        if scraps.dropped.len() > 1 && !self.scrapped.load(Relaxed) {
            let rest = scraps.dropped.split_off(scraps.dropped.len() / 2);
            let dropped = std::mem::replace(&mut scraps.dropped, rest);
            self.give_back(Scraps { dropped, ..Scraps::default() });
            self.full.store(false, Relaxed);
        }
    }

    /// Cuts a free block to `size` if the rest is worth keeping, and returns the size it has then.
    fn split(&self, at: u32, has: u32, size: u32, scraps: &mut Scraps) -> u32 {
        let rest = has - size;
        if rest < Block::SMALLEST {
            return has;
        }
        self.link(at + size, rest, scraps);
        size
    }

    /// Leaves a block that nobody has seen to the worker it was made by.
    pub(super) fn free(&self, block: Block, scraps: &mut Scraps) {
        self.link(block.0, block.size(self), scraps);
    }

    fn link(&self, at: u32, size: u32, scraps: &mut Scraps) {
        self.link_list(size, (at, at), scraps);
    }

    /// Puts a list of free blocks of one size before those there are.
    fn link_list(&self, size: u32, (first, last): (u32, u32), scraps: &mut Scraps) {
        let (next, end) = scraps.free.get(&size).copied().unwrap_or((0, last));
        self.words[last as usize + 1].store(u64::from(next), Relaxed);
        scraps.free.insert(size, (first, end));
    }

    /// Takes the first free block of a size there is.
    fn unlink(&self, size: u32, scraps: &mut Scraps) -> u32 {
        let Some((first, last)) = scraps.free.remove(&size) else { return 0 };
        if first != last {
            let next = self.words[first as usize + 1].load(Relaxed) as u32;
            scraps.free.insert(size, (next, last));
        }
        first
    }

    fn join(&self, scraps: &mut Scraps, more: Scraps) {
        scraps.exhausted &= more.is_empty();
        scraps.dropped.extend(more.dropped);
        for (size, list) in more.free {
            self.link_list(size, list, scraps);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn what_workers_leave_of_their_chunks_is_used_again() {
        let arena = Arena::new(((PLENTY + 8) * CHUNK) as usize * size_of::<AtomicU64>()).unwrap();
        let allocate = |scraps: &mut Scraps| arena.allocate(15, scraps, |_, _| {}).unwrap().0.0;
        let (mut one, mut other) = (Scraps::default(), Scraps::default());
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
        let mut next = arena.take_scraps();
        assert_eq!(allocate(&mut next), first + 30, "the rest of the other is a free block");
    }
}
