//! All earlier boards of a game of Go, because none of them may repeat.
//!
//! A board is known by a hash of 64 bits: a number for each stone on it, all combined by exclusive or (Zobrist 1970).
//! In the longest game, two different boards have the same hash with a chance of one in a million million.
//!
//! Playouts ask at nearly every move if a board is new, and it nearly always is. So beside the list of hashes there is
//! a small Bloom filter with one mark for each hash: if the mark is missing, the list is not searched.

use super::points::Points;

/// The boards so far, in the order of the game, in an array of fixed size, so that positions are quick to copy.
#[derive(Clone, Debug)]
pub(super) struct History<P: Points> {
    /// The board as it stands.
    hash: u64,
    count: u16,
    marks: P::Marks,
    hashes: P::OfMoves<u64>,
}

impl<P: Points> History<P> {
    /// The list leaves out the empty board. It never repeats, because the stone just played is on the board.
    pub(super) fn new() -> Self {
        History { hash: 0, count: 0, marks: P::no_marks(), hashes: P::of_moves(0) }
    }

    /// The hash of the board after `player` has put a stone on a point and captured these stones of the other player.
    #[inline]
    fn hash_after(&self, player: usize, point: u16, captured: P) -> u64 {
        let stone = self.hash ^ P::key(player, point);
        if P::LOOKS_ONE_BY_ONE && captured.is_empty() {
            return stone;
        }
        captured.each().fold(stone, |hash, stone| hash ^ P::key(1 - player, stone))
    }

    /// Returns true if such a move leads to an earlier board.
    #[inline]
    pub(super) fn would_repeat(&self, player: usize, point: u16, captured: P) -> bool {
        let hash = self.hash_after(player, point, captured);
        let (word, mark) = self.place(hash);
        self.marks[word] & mark != 0 && self.has(hash)
    }

    #[cold]
    #[inline(never)]
    fn has(&self, hash: u64) -> bool {
        self.hashes.as_ref()[..usize::from(self.count)].contains(&hash)
    }

    /// Keeps the board after such a move.
    #[inline]
    pub(super) fn add(&mut self, player: usize, point: u16, captured: P) {
        self.hash = self.hash_after(player, point, captured);
        let (word, mark) = self.place(self.hash);
        self.marks[word] |= mark;
        self.hashes[usize::from(self.count)] = self.hash;
        self.count += 1;
    }

    /// The place of a hash's mark. More words make a position larger to copy, fewer make more hashes share a mark.
    #[inline]
    fn place(&self, hash: u64) -> (usize, u64) {
        ((hash >> 6) as usize % self.marks.as_ref().len(), 1 << (hash & 63))
    }
}
