//! Games that were not played in a contest, as a page with the same viewer.

use std::io::{self, Write};

use maud::html;

use super::change::Change;
use super::choice::Chosen;
use super::game::{Ply, Shown, common_shape};
use super::shape::Shape;
use super::{top, unwritten, viewer, write_end};
use crate::ArenaError;

/// Games of one player, to be looked at move by move, with what there is to say of them.
///
/// ```
/// use boughs_arena::{Album, Film, Shot};
///
/// let shots = vec![Shot { text: "L".into(), is_chance: false, board: "X .\n. .\n".into(), values: Vec::new() }];
/// let film = Film {
///     name: "Seed 7".into(),
///     cells: vec!["7".into(), "812345".into()],
///     did: "scores 812345".into(),
///     ending: "by its rules".into(),
///     is_bad: false,
///     start: ". .\n. .\n".into(),
///     shots,
///     notes: String::new(),
///     replay: "boughs judge ahc015 --seeds 7..8".into(),
/// };
/// let album = Album {
///     title: "Cases".into(),
///     player: "flat".into(),
///     facts: vec![("mean".into(), "812345".into())],
///     remarks: Vec::new(),
///     columns: vec!["seed".into(), "score".into()],
///     films: vec![film],
/// };
/// let mut html = Vec::new();
/// album.write(&mut html)?;
/// assert!(String::from_utf8(html)?.contains("<h1>Cases</h1>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Album {
    /// What stands on top.
    pub title: String,
    /// Who plays.
    pub player: String,
    /// Results and conditions, each with its name.
    pub facts: Vec<(String, String)>,
    /// What else there is to say, a sentence or two each.
    pub remarks: Vec<String>,
    /// The titles of the columns of the list.
    pub columns: Vec<String>,
    /// The games.
    pub films: Vec<Film>,
}

/// A game, move by move.
#[derive(Clone, Debug)]
pub struct Film {
    /// What it is called.
    pub name: String,
    /// Its row of the list.
    pub cells: Vec<String>,
    /// What its player did, in words.
    pub did: String,
    /// How it ended.
    pub ending: String,
    /// Whether that was by a fault.
    pub is_bad: bool,
    /// The board before any move.
    pub start: String,
    /// The moves.
    pub shots: Vec<Shot>,
    /// What its player said on standard error.
    pub notes: String,
    /// The command that plays it again.
    pub replay: String,
}

/// A move, and what it leads to.
#[derive(Clone, Debug)]
pub struct Shot {
    /// The move.
    pub text: String,
    /// Whether chance made it.
    pub is_chance: bool,
    /// The board after it, which is drawn where it is written as a grid: capitals are pieces, dots empty cells, small letters
    /// labels, with spaces between them.
    pub board: String,
    /// What each choice was thought to be worth, by its text.
    pub values: Vec<(String, String)>,
}

impl Album {
    /// Writes the page.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), ArenaError> {
        self.write_all(out).map_err(|error| unwritten(&error))
    }

    fn write_all(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut shapes = Vec::new();
        let games: Vec<Chosen> =
            self.films.iter().zip(0..).map(|(film, number)| film.chosen(number, &mut shapes)).collect();
        let columns: Vec<(&str, &str)> =
            self.columns.iter().map(|title| (title.as_str(), "")).chain([("ended", "words")]).collect();
        let page = html! {
            (top(&self.title))
            ul.names { li { code { (self.player) } } }
            dl { @for (name, fact) in &self.facts { dt { (name) } dd { (fact) } } }
            @for remark in &self.remarks { p { (remark) } }
            (viewer::viewer(&columns, games.iter().map(|game| game.row.as_str())))
        };
        write!(out, "{}", page.into_string())?;
        if !games.is_empty() {
            viewer::write_data(&[(String::new(), self.player.clone())], &shapes, &games, out)?;
        }
        write_end(!games.is_empty(), out)
    }
}

impl Film {
    fn chosen(&self, number: u64, shapes: &mut Vec<Shape>) -> Chosen {
        let boards: Vec<&str> =
            [self.start.as_str()].into_iter().chain(self.shots.iter().map(|shot| shot.board.as_str())).collect();
        let plies = self.shots.iter().enumerate().map(|(place, shot)| Ply {
            seat: (!shot.is_chance).then_some(0),
            text: &shot.text,
            change: Change::between(boards[place], boards[place + 1]),
            values: &shot.values,
        });
        let shown = Shown {
            number,
            name: Some(&self.name),
            seats: &[0],
            did: vec![self.did.clone()],
            ending: self.ending.clone(),
            opening: 0,
            start: self.start.clone(),
            plies: plies.collect(),
            shape: common_shape(&boards, &[], shapes),
            notes: vec![self.notes.clone()],
            remarks: Vec::new(),
            graphs: Vec::new(),
            replay: &self.replay,
        };
        let row = html! {
            tr data-game=(number) {
                @for (place, cell) in self.cells.iter().enumerate() {
                    @if place == 0 { td { button type="button" { (cell) } } } @else { td { (cell) } }
                }
                td.words.forfeit[self.is_bad] { (self.ending) }
            }
        };
        Chosen { number, row: row.into_string(), json: serde_json::to_string(&shown).unwrap_or_default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Markup and an end of a script that nobody wants to meet again.
    const NASTY: &str = "</script><img src=x onerror=alert(1)>&amp;\"'";

    fn film(board: &str) -> Film {
        Film {
            name: NASTY.into(),
            cells: vec![NASTY.into(), "5".into()],
            did: NASTY.into(),
            ending: NASTY.into(),
            is_bad: true,
            start: ". .\n. .\n".into(),
            shots: vec![Shot {
                text: "F".into(),
                is_chance: false,
                board: board.into(),
                values: vec![("F".into(), NASTY.into())],
            }],
            notes: NASTY.into(),
            replay: NASTY.into(),
        }
    }

    #[test]
    fn nothing_that_is_said_on_the_page_becomes_a_part_of_it() {
        let album = Album {
            title: NASTY.into(),
            player: NASTY.into(),
            facts: vec![(NASTY.into(), NASTY.into())],
            remarks: vec![NASTY.into()],
            columns: vec![NASTY.into(), "score".into()],
            films: vec![film("X .\n. .\n")],
        };
        let mut page = Vec::new();
        album.write(&mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        assert!(!page.contains("<img") && page.matches("</script>").count() == 2, "{page}");
        let none = Album { films: Vec::new(), ..album };
        let mut page = Vec::new();
        none.write(&mut page).unwrap();
        assert!(!String::from_utf8(page).unwrap().contains("<script"));
    }

    #[test]
    fn boards_that_are_grids_are_drawn() {
        let mut shapes = Vec::new();
        let shown = |film: Film, shapes: &mut Vec<Shape>| -> serde_json::Value {
            serde_json::from_str(&film.chosen(3, shapes).json).unwrap()
        };
        let grid = shown(film("X .\n. .\n"), &mut shapes);
        assert_eq!((&grid["shape"], &grid["plies"][0]["change"]), (&0.into(), &serde_json::json!([[0, "X"]])));
        assert_eq!((&grid["plies"][0]["values"][0][0], &grid["name"]), (&"F".into(), &NASTY.into()));
        assert_eq!(shown(film("some words\n"), &mut shapes)["shape"], serde_json::Value::Null);
    }
}
