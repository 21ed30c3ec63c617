//! The stones on a board of Go as bits, the chains they form, and which points may be played.
//!
//! A chain is a set of connected stones of one colour. Its name is one of its points; a table leads from points to
//! names and another from names to all stones of the chain as bits, so joining chains is an `or`. Liberties are not
//! stored: four shifts find the empty points next to a chain when they are needed.
//!
//! The board stores which stones are in *atari*, that is, have one liberty left. From it, the playable points follow
//! for all points at once: those next to an empty point, to an own chain that has another liberty, or to a chain of the
//! other player that is in atari and is captured.

use boughs::Rng;

use super::kept::{BESIDE_THE_BOARD, BOTH, EMPTY, Kept, add_liberty};
use super::points::Points;

/// The stones, as the player to move sees them.
#[derive(Clone, Debug)]
pub(super) struct Board<P: Points> {
    pub(super) mine: P,
    pub(super) theirs: P,
    /// The stones of either player whose chain has one liberty.
    pub(super) atari: P,
    pub(super) points: P,
    /// The points with fewer than four neighbours.
    rim: P,
    /// The name of each stone's chain.
    names: P::OfPoints<u16>,
    /// The stones of each chain, by its name.
    chains: P::OfPoints<P>,
    /// The part of a board that looks at points one by one.
    kept: Kept<P>,
}

impl<P: Points> Board<P> {
    pub(super) fn new(size: u8) -> Board<P> {
        let places = (0..size).flat_map(|row| (0..size).map(move |column| P::point(row, column)));
        let points = places.fold(P::NONE, |points, point| points | P::one(point));
        let rim = points.each().filter(|&at| (P::neighbours(at) & points).count() < 4);
        let rim = rim.fold(P::NONE, |rim, at| rim | P::one(at));
        Board {
            mine: P::NONE,
            theirs: P::NONE,
            atari: P::NONE,
            points,
            rim,
            names: P::of_points(0),
            chains: P::of_points(P::NONE),
            kept: Kept::new(points),
        }
    }

    /// The stones of the player to move, and those of the other.
    pub(super) fn stones(&self) -> [P; 2] {
        [self.mine, self.theirs]
    }

    #[inline]
    pub(super) fn empty(&self) -> P {
        if P::LOOKS_ONE_BY_ONE { self.kept.empty } else { self.points & !(self.mine | self.theirs) }
    }

    /// An empty point, each equally likely. There has to be one, on a board that looks at points one by one.
    #[inline]
    pub(super) fn random_empty(&self, rng: &mut Rng) -> u16 {
        self.kept.list[rng.below(self.kept.count) as usize]
    }

    /// The points that [`random_empty`](Board::random_empty) draws from.
    #[cfg(test)]
    pub(super) fn random_empties(&self) -> P {
        let list = &self.kept.list.as_ref()[..self.kept.count as usize];
        list.iter().fold(P::NONE, |points, &point| points | P::one(point))
    }

    /// Removes the chain of one of these stones from them and returns it; `None` when no stone is left.
    #[inline]
    pub(super) fn take_chain(&self, stones: &mut P) -> Option<P> {
        if stones.is_empty() {
            return None;
        }
        let chain = self.chains[usize::from(self.names[usize::from(stones.first())])];
        *stones &= !chain;
        Some(chain)
    }

    /// All stones of the chains that have a stone among these.
    #[inline]
    pub(super) fn all_of_chains(&self, mut stones: P) -> P {
        let mut all = P::NONE;
        while let Some(chain) = self.take_chain(&mut stones) {
            all |= chain;
        }
        all
    }

    /// The points where the player to move may put a stone, before repetition is checked.
    #[inline]
    pub(super) fn playable(&self) -> P {
        let closed = self.mine & self.atari | self.theirs & !self.atari;
        self.empty() & (self.points & !closed).next_to()
    }

    /// Returns true if an empty point is playable and no eye of the player to move, on a board that looks at points one
    /// by one.
    #[inline]
    pub(super) fn is_candidate(&self, point: u16) -> bool {
        let cells = self.kept.cells_at(P::beside(point));
        if cells.contains(&EMPTY) {
            return true;
        }
        let theirs = self.kept.mover ^ BOTH;
        if !cells.contains(&theirs) && !self.is_false_eye(point) {
            return false;
        }
        // Next to an own chain with another liberty, or to one that is captured.
        let beside = P::beside(point).into_iter().zip(cells).filter(|(_, cell)| *cell != BESIDE_THE_BOARD);
        beside.into_iter().any(|(beside, cell)| (cell == theirs) == self.atari.has(beside))
    }

    /// Returns true if the other player has enough stones at the corners of a surrounded point to cut its neighbours
    /// apart.
    #[inline]
    fn is_false_eye(&self, point: u16) -> bool {
        let cells = self.kept.cells_at(P::corners(point));
        let theirs = cells.into_iter().filter(|&cell| cell == self.kept.mover ^ BOTH).count();
        theirs >= if cells.contains(&BESIDE_THE_BOARD) { 1 } else { 2 }
    }

    /// Removes the eyes of the player to move from some empty points. An eye is surrounded by own stones, with too few
    /// stones of the other player at its corners to cut them apart.
    #[inline]
    pub(super) fn without_eyes(&self, empty: P) -> P {
        let surrounded = empty & !(self.points & !self.mine).next_to();
        if surrounded.is_empty() {
            return empty;
        }
        let (above, below) = (self.theirs.up(), self.theirs.down());
        let corners = [above.right(), above.left(), below.right(), below.left()];
        let one = corners[0] | corners[1] | corners[2] | corners[3];
        let two =
            corners[0] & corners[1] | corners[2] & corners[3] | (corners[0] | corners[1]) & (corners[2] | corners[3]);
        empty & !(surrounded & !(two | one & self.rim))
    }

    /// The stones that a stone of the player to move captures on this point.
    #[inline]
    pub(super) fn captured(&self, point: u16) -> P {
        self.all_of_chains(P::neighbours(point) & self.theirs & self.atari)
    }

    /// Returns false if a stone of the player to move surely captures none on this point.
    #[inline]
    pub(super) fn may_capture(&self, point: u16) -> bool {
        if !P::LOOKS_ONE_BY_ONE {
            return true;
        }
        let theirs = self.kept.mover ^ BOTH;
        let is_captured = |beside: u16| self.kept.cells[usize::from(beside)] == theirs && self.atari.has(beside);
        P::beside(point).into_iter().any(is_captured)
    }

    /// Puts a stone of the player to move on a [`playable`](Board::playable) point, removes the captured stones and
    /// returns them. Then it is the other player's move.
    #[inline]
    pub(super) fn place(&mut self, point: u16) -> P {
        let may_capture = self.may_capture(point);
        let captured = if may_capture { self.captured(point) } else { P::NONE };
        self.mine.insert(point);
        if P::LOOKS_ONE_BY_ONE {
            self.kept.fill(point);
        }
        if may_capture && !captured.is_empty() {
            self.theirs ^= captured;
            self.atari &= !captured;
            // The chains next to the captured stones had one liberty at another point, so now they have two.
            self.atari &= !self.all_of_chains(captured.next_to() & self.mine & self.atari);
            if P::LOOKS_ONE_BY_ONE {
                self.kept.clear(captured);
            }
        }
        if P::LOOKS_ONE_BY_ONE {
            self.attack_and_join_one_by_one(point);
        } else {
            self.attack_and_join(point);
        }
        self.pass();
        captured
    }

    /// Finds which chains of the other player a new stone leaves one liberty, and makes one chain of it and its
    /// neighbours.
    #[inline]
    fn attack_and_join(&mut self, point: u16) {
        let (neighbours, empty) = (P::neighbours(point), self.empty());
        let mut attacked = neighbours & self.theirs;
        while let Some(chain) = self.take_chain(&mut attacked) {
            if chain.touches_at_most_one_of(empty) {
                self.atari |= chain;
            }
        }
        let chain = self.join(point, P::one(point), neighbours & self.mine);
        self.atari &= !chain;
        if chain.touches_at_most_one_of(empty) {
            self.atari |= chain;
        }
    }

    /// The same, one neighbour after the other.
    #[inline]
    fn attack_and_join_one_by_one(&mut self, point: u16) {
        let mut name = point;
        let mut liberties = [P::NOWHERE; 2];
        let mut leaves_atari = false;
        let mine = self.kept.mover;
        for beside in P::beside(point) {
            let cell = self.kept.cells[usize::from(beside)];
            if cell == mine ^ BOTH {
                let other = usize::from(self.names[usize::from(beside)]);
                if !self.kept.has_two_liberties(other, &self.chains[other]) {
                    self.atari |= self.chains[other];
                }
            } else if cell == mine {
                let other = self.names[usize::from(beside)];
                if other != name {
                    leaves_atari |= self.atari.has(beside);
                    for at in self.kept.liberties[usize::from(other)] {
                        add_liberty(&mut liberties, at, &self.kept.empty);
                    }
                    name = self.merge(name, other, point);
                }
            } else if cell == EMPTY {
                add_liberty(&mut liberties, beside, &self.kept.empty);
            }
        }
        self.names[usize::from(point)] = name;
        let chain = &mut self.chains[usize::from(name)];
        if name == point {
            *chain = P::NONE;
            self.kept.sizes[usize::from(name)] = 0;
        }
        chain.insert(point);
        self.kept.sizes[usize::from(name)] += 1;
        self.kept.liberties[usize::from(name)] = liberties;
        let is_safe = self.kept.has_two_liberties(usize::from(name), chain);
        if leaves_atari && is_safe {
            self.atari &= !*chain;
        }
        if !is_safe {
            self.atari |= *chain;
        }
    }

    /// Makes one chain of the chains of two names, of which the first may be that of a new stone alone. Returns its
    /// name.
    #[inline]
    fn merge(&mut self, name: u16, other: u16, new: u16) -> u16 {
        if name == new {
            return other;
        }
        // The stones of the smaller chain get the name of the other.
        let sizes = &mut self.kept.sizes;
        let is_larger = sizes[usize::from(name)] >= sizes[usize::from(other)];
        let (name, other) = if is_larger { (name, other) } else { (other, name) };
        sizes[usize::from(name)] += sizes[usize::from(other)];
        let chain = self.chains[usize::from(other)];
        self.chains[usize::from(name)] |= chain;
        chain.each().for_each(|stone| self.names[usize::from(stone)] = name);
        name
    }

    /// Makes one chain of a new stone and the chains of some neighbours, and returns it.
    #[inline]
    fn join(&mut self, point: u16, stone: P, mut neighbours: P) -> P {
        let (mut name, mut joined) = (point, stone);
        if !neighbours.is_empty() {
            name = self.names[usize::from(neighbours.first())];
            joined |= self.chains[usize::from(name)];
            neighbours &= !joined;
        }
        while let Some(chain) = self.take_chain(&mut neighbours) {
            joined |= chain;
            chain.each().for_each(|stone| self.names[usize::from(stone)] = name);
        }
        self.names[usize::from(point)] = name;
        self.chains[usize::from(name)] = joined;
        joined
    }

    /// Passes the move to the other player.
    #[inline]
    pub(super) fn pass(&mut self) {
        self.kept.mover ^= BOTH;
        (self.mine, self.theirs) = (self.theirs, self.mine);
    }

    /// The points of the player to move and of the other: their stones, and the empty points from which ways over empty
    /// points lead to their stones only.
    #[inline]
    pub(super) fn area(&self) -> [u32; 2] {
        let [mine, theirs] = self.stones().map(|stones| stones | self.reached_from(stones));
        [mine & !theirs, theirs & !mine].map(P::count)
    }

    /// The empty points that ways over empty points reach from these.
    #[inline]
    fn reached_from(&self, stones: P) -> P {
        let empty = self.empty();
        let mut reached = stones.next_to() & empty;
        loop {
            let further = (reached | reached.next_to()) & empty;
            if further == reached {
                return reached;
            }
            reached = further;
        }
    }
}
