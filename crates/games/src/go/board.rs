//! The stones on a board of Go as bits, the chains they form, and which points may be played.
//!
//! A chain is a set of connected stones of one colour. Its name is one of its points; a table leads from points to
//! names and another from names to all stones of the chain as bits, so joining chains is an `or`. Liberties are not
//! stored: four shifts find the empty points next to a chain when they are needed.
//!
//! The board stores which stones are in *atari*, that is, have one liberty left. From it, the playable points follow
//! for all points at once: those next to an empty point, to an own chain that has another liberty, or to a chain of the
//! other player that is in atari and is captured.

/// Bits from one row to the next: one more than the widest board has, so that no row touches the end of another.
pub(super) const STRIDE: usize = 10;
/// The largest size of the board.
pub(super) const MAX_SIZE: usize = 9;
/// The number of bits that the largest board takes up.
pub(super) const POINTS: usize = MAX_SIZE * STRIDE;

/// The neighbours of each point, those outside of the board included.
pub(super) static NEIGHBOURS: [u128; POINTS] = {
    let mut neighbours = [0; POINTS];
    let mut point = 0;
    while point < POINTS {
        neighbours[point] = next_to(1 << point);
        point += 1;
    }
    neighbours
};

/// All points above, below, left or right of some points.
#[inline]
pub(super) const fn next_to(points: u128) -> u128 {
    points << 1 | points >> 1 | points << STRIDE | points >> STRIDE
}

/// The point in a row and column counted from 0: the number of its bit.
pub(super) const fn point(row: u8, column: u8) -> u8 {
    row * STRIDE as u8 + column
}

/// The row and column of a point.
pub(super) const fn row_and_column(point: u8) -> (u8, u8) {
    (point / STRIDE as u8, point % STRIDE as u8)
}

/// The points of a set, lowest first.
#[inline]
pub(super) fn each(mut points: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let point = points.trailing_zeros() as u8;
        let found = points != 0;
        points &= points.wrapping_sub(1);
        found.then_some(point)
    })
}

#[inline]
pub(super) const fn bit(point: u8) -> u128 {
    1 << point
}

/// A set of points without one of them.
#[inline]
pub(super) fn without(points: u128, point: u8) -> u128 {
    points & !bit(point)
}

/// The stones, as the player to move sees them.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub(super) mine: u128,
    pub(super) theirs: u128,
    /// The stones of either player whose chain has one liberty.
    pub(super) atari: u128,
    pub(super) points: u128,
    /// The points with fewer than four neighbours.
    rim: u128,
    /// The name of each stone's chain.
    names: [u8; POINTS],
    /// The stones of each chain, by its name.
    chains: [u128; POINTS],
}

impl Board {
    pub(super) fn new(size: u8) -> Board {
        let points = (0..size).fold(0, |points, row| points | ((1 << size) - 1) << point(row, 0));
        let rim = each(points).filter(|&at| (NEIGHBOURS[usize::from(at)] & points).count_ones() < 4);
        let rim = rim.fold(0, |rim, at| rim | bit(at));
        Board { mine: 0, theirs: 0, atari: 0, points, rim, names: [0; _], chains: [0; _] }
    }

    /// The stones of the player to move, and those of the other.
    pub(super) fn stones(&self) -> [u128; 2] {
        [self.mine, self.theirs]
    }

    #[inline]
    pub(super) fn empty(&self) -> u128 {
        self.points & !(self.mine | self.theirs)
    }

    /// Removes the chain of one of these stones from them and returns it; `None` when no stone is left.
    #[inline]
    pub(super) fn take_chain(&self, stones: &mut u128) -> Option<u128> {
        if *stones == 0 {
            return None;
        }
        let chain = self.chains[usize::from(self.names[stones.trailing_zeros() as usize])];
        *stones &= !chain;
        Some(chain)
    }

    /// All stones of the chains that have a stone among these.
    #[inline]
    pub(super) fn all_of_chains(&self, mut stones: u128) -> u128 {
        let mut all = 0;
        while let Some(chain) = self.take_chain(&mut stones) {
            all |= chain;
        }
        all
    }

    /// The points where the player to move may put a stone, before repetition is checked.
    #[inline]
    pub(super) fn playable(&self) -> u128 {
        let closed = self.mine & self.atari | self.theirs & !self.atari;
        self.empty() & next_to(self.points & !closed)
    }

    /// Removes the eyes of the player to move from some empty points. An eye is surrounded by own stones, with too few
    /// stones of the other player at its corners to cut them apart.
    #[inline]
    pub(super) fn without_eyes(&self, empty: u128) -> u128 {
        let surrounded = empty & !next_to(self.points & !self.mine);
        if surrounded == 0 {
            return empty;
        }
        let (above, below) = (self.theirs << STRIDE, self.theirs >> STRIDE);
        let corners = [above << 1, above >> 1, below << 1, below >> 1];
        let one = corners[0] | corners[1] | corners[2] | corners[3];
        let two =
            corners[0] & corners[1] | corners[2] & corners[3] | (corners[0] | corners[1]) & (corners[2] | corners[3]);
        empty & !(surrounded & !(two | one & self.rim))
    }

    /// The stones that a stone of the player to move captures on this point.
    #[inline]
    pub(super) fn captured(&self, point: u8) -> u128 {
        self.all_of_chains(NEIGHBOURS[usize::from(point)] & self.theirs & self.atari)
    }

    /// Puts a stone of the player to move on a [`playable`](Board::playable) point, removes the captured stones and
    /// returns them. Then it is the other player's move.
    #[inline]
    pub(super) fn place(&mut self, point: u8) -> u128 {
        let (stone, neighbours) = (bit(point), NEIGHBOURS[usize::from(point)]);
        let captured = self.captured(point);
        self.mine |= stone;
        if captured != 0 {
            self.theirs ^= captured;
            self.atari &= !captured;
            // The chains next to the captured stones had one liberty at another point, so now they have two.
            self.atari &= !self.all_of_chains(next_to(captured) & self.mine & self.atari);
        }
        let empty = self.empty();
        let mut attacked = neighbours & self.theirs;
        while let Some(chain) = self.take_chain(&mut attacked) {
            if at_most_one(next_to(chain) & empty) {
                self.atari |= chain;
            }
        }
        let chain = self.join(point, stone, neighbours & self.mine);
        self.atari &= !chain;
        if at_most_one(next_to(chain) & empty) {
            self.atari |= chain;
        }
        self.pass();
        captured
    }

    /// Makes one chain of a new stone and the chains of some neighbours, and returns it.
    #[inline]
    fn join(&mut self, point: u8, stone: u128, mut neighbours: u128) -> u128 {
        let (mut name, mut joined) = (point, stone);
        if neighbours != 0 {
            name = self.names[neighbours.trailing_zeros() as usize];
            joined |= self.chains[usize::from(name)];
            neighbours &= !joined;
        }
        while let Some(chain) = self.take_chain(&mut neighbours) {
            joined |= chain;
            each(chain).for_each(|stone| self.names[usize::from(stone)] = name);
        }
        self.names[usize::from(point)] = name;
        self.chains[usize::from(name)] = joined;
        joined
    }

    /// Passes the move to the other player.
    #[inline]
    pub(super) fn pass(&mut self) {
        (self.mine, self.theirs) = (self.theirs, self.mine);
    }

    /// The points of the player to move and of the other: their stones, and the empty points from which ways over empty
    /// points lead to their stones only.
    #[inline]
    pub(super) fn area(&self) -> [u32; 2] {
        let [mine, theirs] = self.stones().map(|stones| stones | self.reached_from(stones));
        [mine & !theirs, theirs & !mine].map(u128::count_ones)
    }

    /// The empty points that ways over empty points reach from these.
    #[inline]
    fn reached_from(&self, stones: u128) -> u128 {
        let empty = self.empty();
        let mut reached = next_to(stones) & empty;
        loop {
            let further = (reached | next_to(reached)) & empty;
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }
}

/// Returns true if no more than one bit is set.
#[inline]
pub(super) const fn at_most_one(bits: u128) -> bool {
    bits & bits.wrapping_sub(1) == 0
}
