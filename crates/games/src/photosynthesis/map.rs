//! Maps: the richness of the cells and the first trees, made from a seed as the official referee makes them.

use super::cell::{BOARD, Cell, in_spiral};
use super::random::JavaRandom;

/// The richness of each cell: from 0, where nothing grows, to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ground {
    /// The cells that are at least 1, 2 and 3 rich.
    at_least: [u64; 3],
}

/// A map before the first day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    /// The richness of the cells.
    pub ground: Ground,
    /// The cells of each player's first trees, which are small.
    pub trees: [u64; 2],
}

/// The cells in the order in which holes are drawn: the official referee keeps them in a hash map.
const DRAWN_FROM: [u8; 37] = [
    1, 6, 8, 16, 21, 32, 19, 34, 35, 36, 11, 12, 13, 24, 29, 0, 2, 5, 9, 15, 22, 31, 7, 17, 18, 20, 33, 25, 26, 27, 28,
    3, 4, 10, 14, 23, 30,
];
/// One more than the most holes there can be.
const HOLES: u32 = 11;
/// First trees stand more than this far apart.
const APART: usize = 2;

impl Ground {
    /// The ground of a map without holes: 3 rich in the centre and around it, 1 on the rim, 2 between.
    pub fn whole() -> Ground {
        Ground { at_least: [BOARD, Cell::CENTRE.within(2), Cell::CENTRE.within(1)] }
    }

    /// Ground without a usable cell.
    pub fn bare() -> Ground {
        Ground { at_least: [0; 3] }
    }

    /// Ground with these values of `richness`; `None` if one is above 3.
    pub fn new(richness: impl Fn(Cell) -> u32) -> Option<Ground> {
        let mut ground = Ground::bare();
        for cell in Cell::all() {
            let rich = richness(cell) as usize;
            for set in ground.at_least.get_mut(..rich)? {
                *set |= cell.bit();
            }
        }
        Some(ground)
    }

    /// The richness of a cell.
    pub fn richness(&self, cell: Cell) -> u32 {
        self.at_least.iter().filter(|&set| set & cell.bit() != 0).count() as u32
    }

    /// The cells where trees can grow.
    #[inline]
    pub fn usable(&self) -> u64 {
        self.at_least[0]
    }

    /// The points that a tree completed on a cell brings beside the nutrients.
    #[inline]
    pub fn bonus(&self, cell: Cell) -> i32 {
        let rich = |level: usize| (self.at_least[level] >> cell.place() & 1) as i32;
        2 * (rich(1) + rich(2))
    }

    /// The cells that bring 0, 2 and 4 such points.
    #[inline]
    pub fn by_bonus(&self) -> [u64; 3] {
        let [all, some, most] = self.at_least;
        [all & !some, some & !most, most]
    }

    fn punch(&mut self, holes: u64) {
        for set in &mut self.at_least {
            *set &= !holes;
        }
    }
}

impl Map {
    /// The map of a seed.
    ///
    /// ```
    /// use boughs_games::photosynthesis::{Cell, Map};
    ///
    /// let map = Map::from_seed(1);
    /// let richness: String = Cell::all().map(|cell| map.ground.richness(cell).to_string()).collect();
    /// assert_eq!(richness, "3033033222222222222111110111111110111");
    /// ```
    pub fn from_seed(seed: i64) -> Map {
        Map::generate(&mut JavaRandom::new(seed))
    }

    /// Makes the next map of a generator.
    pub fn generate(random: &mut JavaRandom) -> Map {
        let ground = draw_ground(random);
        loop {
            if let Some(trees) = draw_trees(&ground, random) {
                return Map { ground, trees };
            }
        }
    }
}

fn draw_ground(random: &mut JavaRandom) -> Ground {
    let mut ground = Ground::whole();
    let wanted = random.below(HOLES);
    let mut made = 0;
    while made + 1 < wanted {
        let drawn = DRAWN_FROM[random.below(DRAWN_FROM.len() as u32) as usize];
        let Some(cell) = Cell::new(u32::from(drawn)) else { continue };
        let holes = (cell.bit() | cell.opposite().bit()) & ground.usable();
        made += holes.count_ones();
        ground.punch(holes);
    }
    ground
}

/// Draws two trees for each player, opposite each other; `None` if there is no room for the second pair.
fn draw_trees(ground: &Ground, random: &mut JavaRandom) -> Option<[u64; 2]> {
    let rim = BOARD & !Cell::CENTRE.within(2);
    let (mut candidates, mut trees) = (ground.usable() & rim, [0; 2]);
    for _ in 0..2 {
        let drawn = random.below(candidates.count_ones());
        let cell = in_spiral(candidates).nth(drawn as usize)?;
        for (owned, cell) in trees.iter_mut().zip([cell, cell.opposite()]) {
            *owned |= cell.bit();
            candidates &= !cell.within(APART);
        }
    }
    Some(trees)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_is_richest_in_the_centre() {
        let richness: Vec<u32> = Cell::all().map(|cell| Ground::whole().richness(cell)).collect();
        assert!(richness[..7].iter().all(|&rich| rich == 3) && richness[7..19].iter().all(|&rich| rich == 2));
        assert!(richness[19..].iter().all(|&rich| rich == 1));
        let bonus = |index| Ground::whole().bonus(Cell::new(index).expect("a cell"));
        assert_eq!([0, 6, 7, 18, 19, 36].map(bonus), [4, 4, 2, 2, 0, 0]);
        let by_bonus = Ground::whole().by_bonus();
        let is_there = |cell: &Cell| by_bonus.map(|cells| cells & cell.bit() != 0);
        assert!(
            Cell::all().all(|cell| is_there(&cell) == [0, 2, 4].map(|points| Ground::whole().bonus(cell) == points))
        );
        assert_eq!(Ground::new(|cell| Ground::whole().richness(cell)), Some(Ground::whole()));
        assert_eq!(Ground::new(|_| 4), None);
    }

    /// Seeds, how rich their cells are, and the cells of player 0 followed by those opposite.
    #[test]
    fn seeds_give_the_maps_of_the_official_referee() {
        let mut boards = 0;
        for line in include_str!("../../tests/photosynthesis_boards.csv").lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let map = Map::from_seed(fields[0].parse().expect(line));
            let richness: String = Cell::all().map(|cell| map.ground.richness(cell).to_string()).collect();
            assert_eq!(richness, fields[1], "seed {}", fields[0]);
            let cell = |field: usize| Cell::new(fields[field].parse().expect(line)).expect(line).bit();
            assert_eq!(map.trees, [cell(2) | cell(4), cell(3) | cell(5)], "seed {}", fields[0]);
            boards += 1;
        }
        assert_eq!(boards, 48);
    }
}
