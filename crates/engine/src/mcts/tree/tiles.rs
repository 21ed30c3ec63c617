//! Tiles: what the arena is a row of. The first word of a tile tells its size and whether it is free.

use super::lines;
use super::node::{Block, FIRST};
use crate::mcts::tree::sync::{AtomicU64, Ordering::Acquire, Ordering::Release};

/// The first word of a free tile: its size, and a number of children that no block has.
const FREE_TILE: u64 = Block::LARGEST as u64;
const FREE_TILE_SIZE: u32 = 24;

/// The kind of an arena's tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tiles {
    /// Blocks that begin with a header, of any number of words.
    Headed,
    /// Blocks of whole cache lines.
    Lines,
}

impl Tiles {
    /// The words that every size is a multiple of.
    pub(super) fn unit(self) -> u32 {
        match self {
            Tiles::Headed => 1,
            Tiles::Lines => lines::LINE as u32,
        }
    }

    /// The place of the first tile.
    pub(super) fn first(self) -> u32 {
        match self {
            Tiles::Headed => FIRST,
            Tiles::Lines => lines::LINE as u32,
        }
    }

    /// The tile that begins with a block.
    pub(super) fn start_of(self, block: Block) -> Block {
        match self {
            Tiles::Headed => block,
            Tiles::Lines => Block(block.line() as u32),
        }
    }

    /// The size of the tile at a place, and whether it is free.
    #[inline]
    pub(super) fn read(self, words: &[AtomicU64], at: u32) -> (u32, bool) {
        if self == Tiles::Lines {
            return lines::read_tile(words, at as usize);
        }
        let word = words[at as usize].load(Acquire);
        match word & FREE_TILE == FREE_TILE {
            true => ((word >> FREE_TILE_SIZE) as u32, true),
            false => ((word >> Block::SIZE) as u32, false),
        }
    }

    /// Makes a free tile. The caller reads and writes nothing of it any more.
    pub(super) fn write_free(self, first: &AtomicU64, size: u32) {
        match self {
            Tiles::Headed => first.store(u64::from(size) << FREE_TILE_SIZE | FREE_TILE, Release),
            Tiles::Lines => lines::write_free_tile(first, size),
        }
    }
}
