//! Position by the rules: everything that the rules depend on, in two cache lines.

use super::action::Action;
use super::cell::{TALL, step};
use super::map::{Ground, Map};

/// The number of days.
pub const DAYS: u8 = 24;
/// The nutrients of the first day.
pub const NUTRIENTS: u8 = 20;
/// The cost of completing a tree, in sun.
pub const COMPLETION: u16 = 4;
/// The base cost of growing a tree to each size, in sun; each tree of that size adds one.
const GROWTH: [u16; TALL + 1] = [0, 1, 3, 7];

/// The day of a position without a map.
const NO_DAY: u8 = u8::MAX;

/// A position between two turns, after the day's sun was collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) ground: Ground,
    /// The trees of each player by size; a seed is a tree of size 0.
    pub(super) trees: [[u64; TALL + 1]; 2],
    /// The trees that have acted today.
    pub(super) dormant: u64,
    pub(super) sun: [u16; 2],
    pub(super) score: [i32; 2],
    pub(super) nutrients: u8,
    pub(super) day: u8,
    pub(super) asleep: [bool; 2],
    pub(super) disqualified: [bool; 2],
}

impl Position {
    /// The first morning on a map.
    pub fn start(map: &Map) -> Position {
        let mut start = Position {
            ground: map.ground,
            trees: map.trees.map(|trees| [0, trees, 0, 0]),
            dormant: 0,
            sun: [0; 2],
            score: [0; 2],
            nutrients: NUTRIENTS,
            day: 0,
            asleep: [false; 2],
            disqualified: [false; 2],
        };
        start.harvest();
        start
    }

    /// A position without a map: no cell is usable.
    pub fn without_map() -> Position {
        let nowhere = Map { ground: Ground::bare(), trees: [0; 2] };
        Position { day: NO_DAY, ..Position::start(&nowhere) }
    }

    /// Returns true if there is a map.
    #[inline]
    pub fn has_map(&self) -> bool {
        self.day != NO_DAY
    }

    /// The same position with other nutrients.
    pub fn with_nutrients(self, nutrients: u8) -> Position {
        Position { nutrients, ..self }
    }

    /// The richness of the cells.
    pub fn ground(&self) -> Ground {
        self.ground
    }

    /// The day, counted from 0; at least 24 when the last day is over.
    #[inline]
    pub fn day(&self) -> u8 {
        self.day
    }

    /// The direction the sun shines in.
    #[inline]
    pub fn sun_direction(&self) -> usize {
        usize::from(self.day % 6)
    }

    /// The points that the next completed tree brings beside its bonus.
    #[inline]
    pub fn nutrients(&self) -> u8 {
        self.nutrients
    }

    /// The sun of a player.
    #[inline]
    pub fn sun(&self, player: usize) -> u16 {
        self.sun[player]
    }

    /// The points of a player without those that the end brings; -1 for a disqualified player.
    #[inline]
    pub fn score(&self, player: usize) -> i32 {
        self.score[player]
    }

    /// Returns true if a player sleeps until the next day.
    #[inline]
    pub fn is_asleep(&self, player: usize) -> bool {
        self.asleep[player]
    }

    /// Returns true if a player was disqualified.
    #[inline]
    pub fn is_disqualified(&self, player: usize) -> bool {
        self.disqualified[player]
    }

    /// Returns true if the game is over.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.day >= DAYS || self.disqualified != [false; 2]
    }

    /// The trees of a player of one size; seeds have size 0.
    #[inline]
    pub fn trees_of_size(&self, player: usize, size: usize) -> u64 {
        self.trees[player][size]
    }

    /// The trees of both players of one size.
    #[inline]
    pub fn of_size(&self, size: usize) -> u64 {
        self.trees[0][size] | self.trees[1][size]
    }

    /// All trees of a player, seeds among them.
    #[inline]
    pub fn trees(&self, player: usize) -> u64 {
        self.trees[player].iter().fold(0, |all, trees| all | trees)
    }

    /// The trees that have acted today.
    #[inline]
    pub fn dormant(&self) -> u64 {
        self.dormant
    }

    /// The cells where a seed could land.
    #[inline]
    pub fn free(&self) -> u64 {
        self.ground.usable() & !(self.trees(0) | self.trees(1))
    }

    /// The cells in a shadow of at least each size, from 1 to 3, while the sun shines in a direction. The first set is
    /// empty.
    #[inline]
    pub fn shadows(&self, direction: usize) -> [u64; TALL + 1] {
        let shadow = |size: usize| {
            let first = step(self.of_size(size), direction);
            if size == 1 {
                return first;
            }
            let second = step(first, direction);
            first | second | if size == 3 { step(second, direction) } else { 0 }
        };
        let tall = shadow(3);
        let medium = tall | shadow(2);
        [0, medium | shadow(1), medium, tall]
    }

    /// The sun that each player's trees collect on a day when it shines in a direction.
    #[inline]
    pub fn income(&self, direction: usize) -> [u16; 2] {
        let shadows = self.shadows(direction);
        self.trees.map(|trees| {
            let lit = |size: usize| (trees[size] & !shadows[size]).count_ones() as u16;
            lit(1) + 2 * lit(2) + 3 * lit(3)
        })
    }

    #[inline]
    pub(super) fn harvest(&mut self) {
        let income = self.income(self.sun_direction());
        for (sun, income) in self.sun.iter_mut().zip(income) {
            *sun += income;
        }
    }

    /// A player's cost of growing a tree to a size from 1 to 3, or of a seed for size 0, in sun.
    #[inline]
    pub fn cost(&self, player: usize, size: usize) -> u16 {
        GROWTH[size] + self.trees[player][size].count_ones() as u16
    }

    /// Returns true if an action of a player would be legal in the player's turn.
    #[inline]
    pub fn is_legal(&self, player: usize, action: Action) -> bool {
        let awake = !self.dormant;
        let is_tree = |size: usize, bit: u64| self.trees[player][size] & awake & bit != 0;
        match action {
            Action::Wait => true,
            Action::Grow(cell) => {
                (0..TALL).any(|size| is_tree(size, cell.bit()) && self.sun[player] >= self.cost(player, size + 1))
            }
            Action::Complete(cell) => is_tree(TALL, cell.bit()) && self.sun[player] >= COMPLETION,
            Action::Map(_) | Action::Disqualified => false,
            Action::Seed { from, to } => {
                let reaches = |size| is_tree(size, from.bit()) && from.within(size) & to.bit() != 0;
                (1..=TALL).any(reaches) && self.free() & to.bit() != 0 && self.sun[player] >= self.cost(player, 0)
            }
        }
    }

    /// The points of both players if the game ends here: a third of the sun is added, and a point for each tree if the
    /// players who are still in the game are level.
    #[inline]
    pub fn final_scores(&self) -> [i32; 2] {
        let mut scores = self.score;
        let active = |player: usize| !self.disqualified[player];
        for player in (0..2).filter(|&player| active(player)) {
            scores[player] += i32::from(self.sun[player] / 3);
        }
        // A player who is alone in the game counts as level.
        let is_level = !(active(0) && active(1)) || scores[0] == scores[1];
        for player in (0..2).filter(|&player| active(player) && is_level) {
            scores[player] += self.trees(player).count_ones() as i32;
        }
        scores
    }
}
