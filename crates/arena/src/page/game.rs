//! A game on the page: a line of the list, and what a script needs to show it move by move.

use boughs::Turn;
use maud::{Markup, html};
use serde::Serialize;

use super::change::Change;
use super::shape::Shape;
use super::words::{ending, grouped, letter, millis, reward, short};
use crate::scene::{Scene, cell_names, scenes};
use crate::{Clock, Kept, Record};

/// How much of what a program said stands on the page, from the beginning and from the end.
const NOTES: usize = 2 << 10;

/// A game as the script reads it.
#[derive(Serialize)]
pub(super) struct Shown<'a> {
    pub(super) number: u64,
    /// What it is called, where that is not its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<&'a str>,
    pub(super) seats: &'a [usize],
    /// What each seat did, in words.
    pub(super) did: Vec<String>,
    pub(super) ending: String,
    /// How many plies nobody chose.
    pub(super) opening: usize,
    /// The board before any move.
    pub(super) start: String,
    pub(super) plies: Vec<Ply<'a>>,
    /// Which of the page's shapes the boards have.
    pub(super) shape: Option<usize>,
    pub(super) notes: Vec<String>,
    /// What the referee had to say of moves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) remarks: Vec<Remark<'a>>,
    /// What can be drawn as graphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) graphs: Vec<Graph>,
    pub(super) replay: &'a str,
}

/// What the referee had to say of a move.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Remark<'a> {
    seat: usize,
    /// The number of the move, counted from 1.
    ply: usize,
    text: &'a str,
}

/// What a program said itself: its notes without the remarks at the end.
fn said(notes: &str) -> &str {
    let length: usize = notes.split_inclusive('\n').rev().map_while(|line| remark(line).map(|_| line.len())).sum();
    &notes[..notes.len() - length]
}

/// The remarks at the end of the notes.
fn remarks(notes: &str, seat: usize) -> impl Iterator<Item = Remark<'_>> {
    notes[said(notes).len()..].lines().filter_map(remark).map(move |(ply, text)| Remark { seat, ply, text })
}

fn remark(line: &str) -> Option<(usize, &str)> {
    let (ply, text) = line.strip_prefix("[referee] move ")?.split_once(": ")?;
    Some((ply.parse().ok()?, text.trim_end()))
}

/// What players have, before any move and after each.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Graph {
    name: &'static str,
    /// A line for each player.
    lines: Vec<Vec<f64>>,
}

impl Graph {
    /// The graphs of a game.
    fn of(scenes: &[Scene]) -> Vec<Graph> {
        let Some(first) = scenes.first() else { return Vec::new() };
        let line = |tally: usize, player: usize| scenes.iter().map(|scene| scene.tallies[tally].1[player]).collect();
        let graph = |(tally, (name, of)): (usize, &(&'static str, Vec<f64>))| Graph {
            name,
            lines: (0..of.len()).map(|player| line(tally, player)).collect(),
        };
        first.tallies.iter().enumerate().map(graph).collect()
    }
}

#[derive(Serialize)]
pub(super) struct Ply<'a> {
    /// Whose move it is; nobody's where chance acts.
    pub(super) seat: Option<usize>,
    #[serde(rename = "move")]
    pub(super) text: &'a str,
    pub(super) change: Change,
    /// What each choice was thought to be worth, by its text.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) values: &'a [(String, String)],
}

/// A game as the script reads it, in JSON. Shapes that are not there yet are added.
pub(super) fn json(kept: &Kept, game: &str, shapes: &mut Vec<Shape>) -> String {
    let record = &kept.record;
    let moves = [&record.opening[..], &record.moves[..]].concat();
    let (start, plies, shape, graphs) = match scenes(game, &moves) {
        Ok(scenes) => {
            let boards: Vec<&str> = scenes.iter().map(|scene| scene.board.as_str()).collect();
            let ply = |(place, text): (usize, _)| Ply {
                seat: match scenes[place].turn {
                    Turn::Player(seat) => Some(seat),
                    Turn::Chance | Turn::Over => None,
                },
                text,
                change: Change::between(boards[place], boards[place + 1]),
                values: &[],
            };
            let plies = moves.iter().map(String::as_str).enumerate().map(ply).collect();
            (boards[0].to_string(), plies, common_shape(&boards, &cell_names(game), shapes), Graph::of(&scenes))
        }
        Err(error) => {
            let ply = |text| Ply { seat: None, text, change: Change::Parts(Vec::new()), values: &[] };
            (format!("no board: {error}"), moves.iter().map(String::as_str).map(ply).collect(), None, Vec::new())
        }
    };
    let shown = Shown {
        number: record.number,
        name: None,
        seats: &record.seats,
        did: (0..record.seats.len()).map(|seat| did(record, seat)).collect(),
        ending: ending(record),
        opening: record.opening.len(),
        start,
        plies,
        shape,
        notes: record.notes.iter().map(|notes| abridged(said(notes))).collect(),
        remarks: record.notes.iter().enumerate().flat_map(|(seat, notes)| remarks(notes, seat)).collect(),
        graphs,
        replay: &kept.replay,
    };
    serde_json::to_string(&shown).unwrap_or_default()
}

/// The shape all boards of a game have, whose cells have these names, by its place among those of the page.
pub(super) fn common_shape(boards: &[&str], names: &[String], shapes: &mut Vec<Shape>) -> Option<usize> {
    let shape = Shape { names: names.to_vec(), ..Shape::common(boards)? };
    Some(shapes.iter().position(|known| *known == shape).unwrap_or_else(|| {
        shapes.push(shape);
        shapes.len() - 1
    }))
}

/// What a seat did in a game.
fn did(record: &Record, seat: usize) -> String {
    let Clock { moves, total, longest, playouts } = record.clocks[seat];
    let mut parts = vec![format!("gets {}", reward(record.rewards[seat]))];
    if moves > 0 {
        parts.push(format!("{:.2} ms a move, {:.2} at most", millis(total) / moves as f64, millis(longest)));
    }
    if playouts > 0 {
        parts.push(format!("{} playouts a move", grouped(playouts / moves.max(1))));
    }
    parts.extend(record.columns[seat].iter().map(|(name, value)| format!("{name} {}", short(*value, 3))));
    parts.join("; ")
}

/// The beginning and the end of a text.
fn abridged(text: &str) -> String {
    if text.len() <= 2 * NOTES {
        return text.to_string();
    }
    let (head, tail) = (text.floor_char_boundary(NOTES), text.ceil_char_boundary(text.len() - NOTES));
    format!("{}\n[{} bytes are left out here]\n{}", &text[..head], tail - head, &text[tail..])
}

/// A game as a line of the list.
pub(super) fn row(record: &Record) -> Markup {
    let best = record.rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let wins = |reward: f64| reward == best && record.rewards.iter().any(|&other| other < best);
    let is_forfeit = !record.ending.faults().is_empty();
    html! {
        tr data-game=(record.number) {
            td { button type="button" { (record.number) } }
            td {
                @for (seat, &contestant) in record.seats.iter().enumerate() {
                    @if seat > 0 { " : " }
                    span class={ "seat s" (seat) } { (letter(contestant)) }
                }
            }
            td {
                @for (seat, &got) in record.rewards.iter().enumerate() {
                    @if seat > 0 { " : " }
                    @if wins(got) { b { (reward(got)) } } @else { (reward(got)) }
                }
            }
            td { (record.opening.len() + record.moves.len()) }
            td.words.forfeit[is_forfeit] { (ending(record)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::tests::kept;
    use super::*;

    fn shown(kept: &Kept, game: &str) -> Value {
        serde_json::from_str(&json(kept, game, &mut Vec::new())).unwrap()
    }

    #[test]
    fn a_game_has_its_first_board_and_what_each_move_changes() {
        let game = shown(&kept(3, &["4", "4"]), "connect4");
        assert!(game["start"].as_str().unwrap().starts_with(" . . ."));
        assert_eq!(game["plies"][0]["change"], serde_json::json!([[82, "X"]]));
        assert_eq!(game["plies"][1]["change"], serde_json::json!([[67, "O"]]));
        assert_eq!((&game["plies"][1]["seat"], &game["shape"]), (&1.into(), &0.into()));
    }

    #[test]
    fn what_players_have_is_drawn_over_the_game() {
        let game = shown(&kept(0, &["map:7", "wait", "wait"]), "photosynthesis:seed=any");
        let lines = serde_json::json!([[0.0, 2.0, 2.0, 4.0], [0.0, 2.0, 2.0, 4.0]]);
        assert_eq!((&game["graphs"][1]["name"], &game["graphs"][1]["lines"]), (&"sun".into(), &lines));
        assert_eq!(shown(&kept(0, &["4"]), "connect4")["graphs"], Value::Null);
    }

    #[test]
    fn remarks_stand_beside_their_moves_and_not_in_the_notes() {
        let mut kept = kept(0, &["map:7", "wait", "wait"]);
        kept.record.notes[1] = "[referee] move 1: says 'me'\nhello\n[referee] move 3: says 'x: y'\n".into();
        let game = shown(&kept, "photosynthesis:seed=any");
        assert_eq!(game["remarks"], serde_json::json!([{"seat": 1, "ply": 3, "text": "says 'x: y'"}]));
        assert_eq!(game["notes"][1], "[referee] move 1: says 'me'\nhello\n");
    }

    #[test]
    fn chance_is_nobodys_move() {
        let game = shown(&kept(0, &["roll", "4", "hold"]), "pig");
        let seats: Vec<_> = game["plies"].as_array().unwrap().iter().map(|ply| ply["seat"].clone()).collect();
        assert_eq!(seats, [0.into(), Value::Null, 0.into()]);
        assert_eq!(game["shape"], Value::Null);
    }

    #[test]
    fn a_game_that_cannot_be_played_again_has_its_moves_and_says_why_there_is_no_board() {
        let game = shown(&kept(0, &["4", "b7"]), "connect4");
        assert_eq!(game["plies"].as_array().unwrap().len(), 2);
        assert!(game["start"].as_str().unwrap().contains("'b7' is no legal move"));
    }

    #[test]
    fn of_much_that_was_said_the_beginning_and_the_end_are_shown() {
        assert_eq!(abridged("hello"), "hello");
        let much = "ä".repeat(50_000);
        let few = abridged(&much);
        assert!(few.len() < 2 * NOTES + 100 && few.contains("left out here") && few.ends_with('ä'), "{}", few.len());
    }
}
