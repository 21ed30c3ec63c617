//! A player's view: the ground once, the rest before each of the player's turns.

use std::fmt::{Display, Formatter, Result as Written};

use super::super::action::Action;
use super::super::cell::{CELLS, Cell, DIRECTIONS, TALL, in_spiral};
use super::super::map::Ground;
use super::super::position::{DAYS, Position};

/// A player's view before a turn. In pairs the player's own number comes first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The day, counted from 0.
    pub day: u8,
    /// See [`Position::nutrients`].
    pub nutrients: u8,
    /// The sun of both players.
    pub sun: [u16; 2],
    /// The points of both players.
    pub score: [i32; 2],
    /// True if the other player sleeps until the next day.
    pub other_is_asleep: bool,
    /// All trees, by the index of their cell.
    pub trees: Vec<Tree>,
    /// All legal actions of the player.
    pub actions: Vec<Action>,
}

/// A tree in a player's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// The cell of the tree.
    pub cell: Cell,
    /// Its size, from 0 to 3.
    pub size: usize,
    /// True for the player's own tree.
    pub is_own: bool,
    /// True for a tree that has acted today.
    pub is_dormant: bool,
}

/// The lines that tell a player the ground.
pub fn ground_text(ground: &Ground) -> String {
    let mut text = format!("{CELLS}\n");
    for cell in Cell::all() {
        let neighbours = neighbours(cell).map(|index| format!(" {index}")).concat();
        text += &format!("{} {}{neighbours}\n", cell.index(), ground.richness(cell));
    }
    text
}

/// The indices of the cells around one, -1 where there is no cell.
pub(super) fn neighbours(cell: Cell) -> [i64; DIRECTIONS] {
    std::array::from_fn(|side| cell.neighbour(side).map_or(-1, |next| i64::from(next.index())))
}

impl View {
    /// Returns a player's view of a position, with the `actions` that the player is told of.
    pub fn of(position: &Position, player: usize, actions: &[Action]) -> View {
        let order = [player, 1 - player];
        let all = position.trees(0) | position.trees(1);
        let tree = |cell: Cell| Tree {
            cell,
            size: (1..=TALL).filter(|&size| position.of_size(size) & cell.bit() != 0).sum(),
            is_own: position.trees(player) & cell.bit() != 0,
            is_dormant: position.dormant() & cell.bit() != 0,
        };
        View {
            day: position.day(),
            nutrients: position.nutrients(),
            sun: order.map(|player| position.sun(player)),
            score: order.map(|player| position.score(player)),
            other_is_asleep: position.is_asleep(1 - player),
            trees: in_spiral(all).map(tree).collect(),
            actions: actions.to_vec(),
        }
    }

    /// Returns the position that the player sees on this ground. The player becomes player 0 and is awake.
    ///
    /// # Errors
    /// One sentence about the impossible part of the view.
    pub fn position(&self, ground: Ground) -> Result<Position, String> {
        if self.day >= DAYS {
            return Err(format!("there is no day {}; the last is day {}", self.day, DAYS - 1));
        }
        let mut position = Position {
            ground,
            trees: [[0; TALL + 1]; 2],
            dormant: 0,
            sun: self.sun,
            score: self.score,
            nutrients: self.nutrients,
            day: self.day,
            asleep: [false, self.other_is_asleep],
            disqualified: [false; 2],
        };
        for tree in &self.trees {
            let (bit, index) = (tree.cell.bit(), tree.cell.index());
            if position.free() & bit == 0 {
                return Err(format!("cell {index} has no room for a tree, so there cannot be one"));
            }
            let owner = usize::from(!tree.is_own);
            match position.trees[owner].get_mut(tree.size) {
                Some(trees) => *trees |= bit,
                None => {
                    return Err(format!("the tree on cell {index} has size {}, but {TALL} is the largest", tree.size));
                }
            }
            position.dormant |= if tree.is_dormant { bit } else { 0 };
        }
        Ok(position)
    }
}

/// Writes the lines of the protocol.
impl Display for View {
    fn fmt(&self, f: &mut Formatter<'_>) -> Written {
        let ([own_sun, sun], [own_score, score]) = (self.sun, self.score);
        writeln!(f, "{}\n{}\n{own_sun} {own_score}", self.day, self.nutrients)?;
        writeln!(f, "{sun} {score} {}\n{}", u8::from(self.other_is_asleep), self.trees.len())?;
        for tree in &self.trees {
            let Tree { cell, size, is_own, is_dormant } = *tree;
            writeln!(f, "{} {size} {} {}", cell.index(), u8::from(is_own), u8::from(is_dormant))?;
        }
        writeln!(f, "{}", self.actions.len())?;
        for action in &self.actions {
            writeln!(f, "{action}")?;
        }
        Ok(())
    }
}
