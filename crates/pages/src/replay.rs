//! Games of one player as a page with the viewer.

use std::io::Write;

use maud::html;

use crate::PageError;
use crate::board::{Change, Shape, index_of};
use crate::document::{source, top, write_end};
use crate::viewer::{Common, GameData, PlyData, SCRIPT, ViewerGame, viewer, write_data};

/// A page of the games of one player, move by move, with facts about them.
///
/// ```
/// use boughs_pages::{Replay, ReplayMove, ReplayPage};
///
/// let moves = vec![ReplayMove { text: "L".into(), is_chance: false, board: "X .\n. .\n".into(), values: Vec::new() }];
/// let replay = Replay {
///     name: "Seed 7".into(),
///     cells: vec!["7".into(), "812345".into()],
///     did: "scores 812345".into(),
///     ending: "by its rules".into(),
///     is_bad: false,
///     start: ". .\n. .\n".into(),
///     moves,
///     notes: String::new(),
///     command: "boughs judge ahc015 --seeds 7..8".into(),
/// };
/// let page = ReplayPage {
///     title: "Cases".into(),
///     player: "flat".into(),
///     facts: vec![("mean".into(), "812345".into())],
///     remarks: Vec::new(),
///     legend: "X is a candy.".into(),
///     columns: vec!["seed".into(), "score".into()],
///     replays: vec![replay],
/// };
/// let mut html = Vec::new();
/// page.write(&mut html)?;
/// assert!(String::from_utf8(html)?.contains("<h1>Cases</h1>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReplayPage {
    /// The title on top.
    pub title: String,
    /// The player.
    pub player: String,
    /// Results and conditions, each with its name.
    pub facts: Vec<(String, String)>,
    /// Further remarks, a sentence or two each.
    pub remarks: Vec<String>,
    /// The legend of the boards.
    pub legend: String,
    /// The titles of the columns of the list.
    pub columns: Vec<String>,
    /// The games.
    pub replays: Vec<Replay>,
}

/// A game, move by move.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The name of the game.
    pub name: String,
    /// Its row of the list.
    pub cells: Vec<String>,
    /// The results of its player, in words.
    pub did: String,
    /// Its ending, in words.
    pub ending: String,
    /// True if it ended by a fault.
    pub is_bad: bool,
    /// The board before the first move.
    pub start: String,
    /// The moves.
    pub moves: Vec<ReplayMove>,
    /// The output of its player on standard error.
    pub notes: String,
    /// The command that plays it again.
    pub command: String,
}

/// A move and its result.
#[derive(Clone, Debug)]
pub struct ReplayMove {
    /// The move.
    pub text: String,
    /// True if chance made it.
    pub is_chance: bool,
    /// The board after it. A grid is drawn: capitals are pieces, dots empty cells, small letters labels, with spaces
    /// between them. Any other text is shown as it is.
    pub board: String,
    /// The estimated value of each choice, by its text.
    pub values: Vec<(String, String)>,
}

impl ReplayPage {
    /// Writes the page.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> Result<(), PageError> {
        let mut shapes = Vec::new();
        let games: Vec<ViewerGame> =
            self.replays.iter().zip(0..).map(|(replay, number)| replay.viewer_game(number, &mut shapes)).collect();
        let columns: Vec<(&str, &str)> =
            self.columns.iter().map(|title| (title.as_str(), "")).chain([("ended", "words")]).collect();
        let page = html! {
            (top(&self.title, Some(&source(SCRIPT, None))))
            ul.names { li { code { (self.player) } } }
            dl { @for (name, fact) in &self.facts { dt { (name) } dd { (fact) } } }
            @for remark in &self.remarks { p { (remark) } }
            (viewer(&columns, &games))
        };
        write!(out, "{}", page.into_string())?;
        let names = [(String::new(), self.player.clone())];
        write_data(&Common { names: &names, shapes: &shapes, legend: &self.legend, cards: &[] }, &games, out)?;
        write_end((!games.is_empty()).then_some(SCRIPT), None, out)?;
        Ok(())
    }
}

impl Replay {
    fn viewer_game(&self, number: u64, shapes: &mut Vec<Shape>) -> ViewerGame {
        let boards: Vec<&str> =
            [self.start.as_str()].into_iter().chain(self.moves.iter().map(|made| made.board.as_str())).collect();
        let plies = self.moves.iter().enumerate().map(|(place, made)| PlyData {
            seat: (!made.is_chance).then_some(0),
            change: Change::between(boards[place], boards[place + 1]),
            values: &made.values,
            ..PlyData::of_text(&made.text)
        });
        let data = GameData {
            number,
            name: Some(&self.name),
            seats: &[0],
            did: vec![self.did.clone()],
            ending: self.ending.clone(),
            opening: 0,
            start: self.start.clone(),
            plies: plies.collect(),
            shape: Shape::of_game(None, &boards).map(|shape| index_of(shape, shapes)),
            picture: Vec::new(),
            notes: vec![self.notes.clone()],
            remarks: Vec::new(),
            graphs: Vec::new(),
            replay: &self.command,
        };
        let row = html! {
            tr data-game=(number) {
                @for (place, cell) in self.cells.iter().enumerate() {
                    td {
                        @if place == 0 { button type="button" aria-label=(self.name) { (cell) } } @else { (cell) }
                    }
                }
                td.words.forfeit[self.is_bad] { (self.ending) }
            }
        };
        ViewerGame { number, row: row.into_string(), json: data.json() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Markup and an end of a script, which must not become a part of the page.
    const NASTY: &str = "</script><img src=x onerror=alert(1)>&amp;\"'";

    fn replay(board: &str) -> Replay {
        Replay {
            name: NASTY.into(),
            cells: vec![NASTY.into(), "5".into()],
            did: NASTY.into(),
            ending: NASTY.into(),
            is_bad: true,
            start: ". .\n. .\n".into(),
            moves: vec![ReplayMove {
                text: "F".into(),
                is_chance: false,
                board: board.into(),
                values: vec![("F".into(), NASTY.into())],
            }],
            notes: NASTY.into(),
            command: NASTY.into(),
        }
    }

    #[test]
    fn no_text_on_the_page_becomes_a_part_of_it() {
        let page = ReplayPage {
            title: NASTY.into(),
            player: NASTY.into(),
            facts: vec![(NASTY.into(), NASTY.into())],
            remarks: vec![NASTY.into()],
            legend: NASTY.into(),
            columns: vec![NASTY.into(), "score".into()],
            replays: vec![replay("X .\n. .\n")],
        };
        let html = |page: &ReplayPage| {
            let mut html = Vec::new();
            page.write(&mut html).unwrap();
            String::from_utf8(html).unwrap()
        };
        let text = html(&page);
        assert!(!text.contains("<img") && text.matches("</script>").count() == 2, "{text}");
        assert!(!html(&ReplayPage { replays: Vec::new(), ..page }).contains("<script"));
    }

    #[test]
    fn boards_that_are_grids_are_drawn() {
        let mut shapes = Vec::new();
        let data = |replay: Replay, shapes: &mut Vec<Shape>| -> serde_json::Value {
            serde_json::from_str(&replay.viewer_game(3, shapes).json).unwrap()
        };
        let grid = data(replay("X .\n. .\n"), &mut shapes);
        assert_eq!((&grid["shape"], &grid["plies"][0]["change"]), (&0.into(), &serde_json::json!([[0, "X"]])));
        assert_eq!((&grid["plies"][0]["values"][0][0], &grid["name"]), (&"F".into(), &NASTY.into()));
        assert_eq!(data(replay("some words\n"), &mut shapes)["shape"], serde_json::Value::Null);
    }
}
