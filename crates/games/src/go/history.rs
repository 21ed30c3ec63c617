//! All earlier boards of a game of Go, because none of them may repeat.
//!
//! A board is known by a hash of 64 bits: a number for each stone on it, all combined by exclusive or (Zobrist 1970).
//! In the longest game, two different boards have the same hash with a chance of one in a million million.
//!
//! Playouts ask at nearly every move if a board is new, and it nearly always is. So beside the list of hashes there is
//! a small Bloom filter with one mark for each hash: if the mark is missing, the list is not searched.

use super::board::{POINTS, each};

/// The number of words of marks. More of them make a position larger to copy, fewer make more hashes share a mark.
const WORDS: usize = 32;

/// The boards so far, in the order of the game, in an array of fixed size, so that positions are quick to copy.
#[derive(Clone, Debug)]
pub(super) struct History<const MOST: usize> {
    /// The board as it stands.
    hash: u64,
    count: u16,
    marks: [u64; WORDS],
    hashes: [u64; MOST],
}

impl<const MOST: usize> History<MOST> {
    /// The list leaves out the empty board. It never repeats, because the stone just played is on the board.
    pub(super) fn new() -> Self {
        History { hash: 0, count: 0, marks: [0; WORDS], hashes: [0; MOST] }
    }

    /// The hash of the board after `player` has put a stone on a point and captured these stones of the other player.
    #[inline]
    fn hash_after(&self, player: usize, point: u8, captured: u128) -> u64 {
        let stone = self.hash ^ KEYS[player][usize::from(point)];
        each(captured).fold(stone, |hash, stone| hash ^ KEYS[1 - player][usize::from(stone)])
    }

    /// Returns true if such a move leads to an earlier board.
    #[inline]
    pub(super) fn would_repeat(&self, player: usize, point: u8, captured: u128) -> bool {
        let hash = self.hash_after(player, point, captured);
        let (word, mark) = place(hash);
        self.marks[word] & mark != 0 && self.has(hash)
    }

    #[cold]
    #[inline(never)]
    fn has(&self, hash: u64) -> bool {
        self.hashes[..usize::from(self.count)].contains(&hash)
    }

    /// Keeps the board after such a move.
    #[inline]
    pub(super) fn add(&mut self, player: usize, point: u8, captured: u128) {
        self.hash = self.hash_after(player, point, captured);
        let (word, mark) = place(self.hash);
        self.marks[word] |= mark;
        self.hashes[usize::from(self.count)] = self.hash;
        self.count += 1;
    }
}

/// The place of a hash's mark.
#[inline]
fn place(hash: u64) -> (usize, u64) {
    ((hash >> 6) as usize % WORDS, 1 << (hash & 63))
}

/// A random number for each stone of each player: the outputs of splitmix64 (Steele, Lea and Flood 2014).
static KEYS: [[u64; POINTS]; 2] = {
    let mut keys = [[0; POINTS]; 2];
    let mut i = 0;
    while i < 2 * POINTS {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(i as u64 + 1);
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[i / POINTS][i % POINTS] = word ^ (word >> 31);
        i += 1;
    }
    keys
};
