//! Positions as text for a person.

use boughs::notation::counted;

use super::cell::Cell;
use super::position::{DAYS, Position};

/// The letters of the players' trees, awake and dormant.
const LETTERS: [[char; 2]; 2] = [['X', 'x'], ['O', 'o']];
const SUN: [&str; 6] = ["right", "up and right", "up and left", "left", "down and left", "down and right"];
/// The width of a cell in columns, and of the text in it.
const WIDTH: usize = 6;
const TEXT: usize = 4;

/// The cells as they lie on the screen, from left to right in rows from above.
pub(super) fn rows() -> [Vec<Cell>; 7] {
    [-3, -2, -1, 0, 1, 2, 3].map(|row| {
        let is_there = |cell: &Cell| {
            let (x, y) = cell.coordinates();
            -(x + y) == row
        };
        let mut cells: Vec<Cell> = Cell::all().filter(is_there).collect();
        cells.sort_by_key(|cell| cell.coordinates().0);
        cells
    })
}

/// Draws the board as it lies on the screen, with the sun shining from left to right on day 0, and the points and sun
/// of the players.
///
/// A tree is a letter and its size, a small letter if it is dormant; a free cell is a dot and its richness, and `##` is
/// a hole. The number after a stroke is the size of the tree that shades the cell today. Every cell has its fixed place
/// in the text.
pub(super) fn draw(position: &Position, has_chosen: bool) -> String {
    let day = position.day().min(DAYS - 1);
    let mut board = String::new();
    for (row, cells) in rows().iter().enumerate() {
        let mut line = " ".repeat(row.abs_diff(3) * WIDTH / 2);
        for &cell in cells {
            line += &format!("{:<WIDTH$}", cell_text(position, cell, usize::from(day % 6)));
        }
        line.truncate(line.len() - (WIDTH - TEXT));
        board += &line;
        board.push('\n');
    }
    board += &match position.has_map() {
        true => {
            let sun = SUN[usize::from(day % 6)];
            format!("day {day}, the sun shines {sun}, nutrients {}\n", position.nutrients())
        }
        false => "there is no map yet\n".into(),
    };
    let scores = position.final_scores();
    for player in 0..2 {
        let (letter, sun, score) = (LETTERS[player][0], position.sun(player), position.score(player));
        board += &format!("player {} ({letter}): {}, {sun} sun", player + 1, counted(score, "points"));
        if position.is_over() && position.has_map() {
            board += &format!(", {} in the end", counted(scores[player], "points"));
        } else if position.is_asleep(player) {
            board += ", asleep";
        } else if has_chosen && player == 0 {
            board += ", has chosen";
        }
        board.push('\n');
    }
    board
}

fn cell_text(position: &Position, cell: Cell, direction: usize) -> String {
    let holds = |set: u64| set & cell.bit() != 0;
    let mut trees = (0..2).flat_map(|player| (0..4).map(move |size| (player, size)));
    let tree = trees.find(|&(player, size)| holds(position.trees_of_size(player, size)));
    let text = match tree {
        Some((player, size)) => format!("{}{size}", LETTERS[player][usize::from(holds(position.dormant()))]),
        None if holds(position.ground().usable()) => format!(".{}", position.ground().richness(cell)),
        None => "##".into(),
    };
    match position.shadows(direction).iter().filter(|&&shadow| holds(shadow)).count() {
        0 => text,
        shadow => format!("{text}/{shadow}"),
    }
}
