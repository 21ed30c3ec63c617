//! The lists that a board of Go keeps from move to move where it looks at points one by one: above nine by nine.

use super::points::Points;

/// The cells of a board: empty, a stone of the first player, one of the second, or no point.
pub(super) const EMPTY: u8 = 0;
const FIRST: u8 = 1;
const SECOND: u8 = 2;
pub(super) const BESIDE_THE_BOARD: u8 = 4;

/// Changes the stones of a player into those of the other.
pub(super) const BOTH: u8 = FIRST | SECOND;

/// The lists of a board that looks at points one by one. Other boards use nothing of it.
#[derive(Clone, Debug)]
pub(super) struct Kept<P: Points> {
    pub(super) empty: P,
    /// The stone on each point.
    pub(super) cells: P::IfOneByOne<u8>,
    /// The stones of the player to move, in these cells.
    pub(super) mover: u8,
    /// The empty points in some order, and their number.
    pub(super) list: P::IfOneByOne<u16>,
    pub(super) count: u32,
    /// The place of each empty point in the list.
    places: P::IfOneByOne<u16>,
    /// The number of stones of each chain, by its name.
    pub(super) sizes: P::IfOneByOne<u16>,
    /// Two liberties of each chain, by its name, as they were found last; some other points if it had fewer.
    pub(super) liberties: P::IfOneByOne<[u16; 2]>,
}

impl<P: Points> Kept<P> {
    pub(super) fn new(points: P) -> Kept<P> {
        let mut kept = Kept {
            empty: P::NONE,
            cells: P::if_one_by_one(BESIDE_THE_BOARD),
            mover: FIRST,
            list: P::if_one_by_one(0),
            count: 0,
            places: P::if_one_by_one(0),
            sizes: P::if_one_by_one(0),
            liberties: P::if_one_by_one([P::NOWHERE; 2]),
        };
        if P::LOOKS_ONE_BY_ONE {
            kept.clear(points);
        }
        kept
    }

    /// The stones on four places.
    #[inline]
    pub(super) fn cells_at(&self, [a, b, c, d]: [u16; 4]) -> [u8; 4] {
        let cell = |place: u16| self.cells[usize::from(place)];
        [cell(a), cell(b), cell(c), cell(d)]
    }

    /// Notes that a stone is put on a point.
    #[inline]
    pub(super) fn fill(&mut self, point: u16) {
        self.empty.remove(point);
        self.cells[usize::from(point)] = self.mover;
        self.count -= 1;
        let (place, last) = (self.places[usize::from(point)], self.list[self.count as usize]);
        self.list[usize::from(place)] = last;
        self.places[usize::from(last)] = place;
    }

    /// Notes that points are empty.
    #[inline]
    pub(super) fn clear(&mut self, points: P) {
        self.empty |= points;
        for point in points.each() {
            self.cells[usize::from(point)] = EMPTY;
            self.list[self.count as usize] = point;
            self.places[usize::from(point)] = self.count as u16;
            self.count += 1;
        }
    }

    /// Returns true if a chain has two liberties. Looks for them only if one of those that were found last is taken.
    #[inline]
    pub(super) fn has_two_liberties(&mut self, name: usize, chain: &P) -> bool {
        let [first, second] = self.liberties[name];
        if self.empty.has(first) && self.empty.has(second) {
            return true;
        }
        let found = chain.two_beside(&self.empty);
        self.liberties[name] = found.unwrap_or([P::NOWHERE; 2]);
        found.is_some()
    }
}

/// Adds a liberty to up to two different ones, if it is empty.
#[inline]
pub(super) fn add_liberty<P: Points>([first, second]: &mut [u16; 2], point: u16, empty: &P) {
    if *second == P::NOWHERE && empty.has(point) && *first != point {
        (*first, *second) = (point, *first);
    }
}
