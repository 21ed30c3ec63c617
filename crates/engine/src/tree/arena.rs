//! The memory of a tree: one slice of words, handed out from the bottom up and from blocks that fell out of use.
//!
//! Nothing is ever moved or returned to the system before the tree is dropped. Emptying the arena sets one number,
//! however much was in it: a block is written in full when it is handed out.

use std::collections::BTreeMap;

use crossbeam::utils::CachePadded;
use parking_lot::Mutex;

use super::{Block, LINKED};
use crate::pages::{self, Words};
use crate::sync::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Words below this index are never handed out, so that small numbers can mean something else in a link.
pub(super) const FIRST: u32 = LINKED;

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
}

impl Scraps {
    fn is_empty(&self) -> bool {
        self.dropped.is_empty() && self.free.is_empty()
    }
}

impl Arena {
    /// An arena of at most `bytes`, or `None` if the system refuses or it would have no room at all.
    pub(super) fn new(bytes: usize) -> Option<Arena> {
        let words = (bytes / size_of::<AtomicU64>()).min(u32::MAX as usize);
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

    pub(super) fn give_back(&self, scraps: Scraps) {
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
        let fresh = self.top.fetch_update(Relaxed, Relaxed, |top| {
            let end = top + u64::from(size);
            (end <= self.words.len() as u64).then_some(end)
        });
        match fresh {
            Ok(top) => Some((Block(top as u32), size)),
            // What was dropped may still yield a block next time.
            Err(_) if !scraps.dropped.is_empty() => None,
            Err(_) => {
                self.full.store(true, Relaxed);
                scraps.exhausted = true;
                None
            }
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
