//! A game of a contest on the page: its row of the list and its data for the viewer.

use boughs::Turn;
use boughs::notation::counted;
use boughs_arena::{ArenaError, Clock, Fault, Frame, Record, StoredGame, frames};
use boughs_games::start;
use maud::{Markup, html};
use serde_json::Value;

use crate::board::{Change, Shape, index_of, picture};
use crate::text::{ending, grouped, letter, millis, reward, short};
use crate::viewer::{GameData, Graph, PlyData, Remark};

/// Bytes of a program's output on the page, from the beginning and from the end.
const NOTES: usize = 2 << 10;

/// The output of a program: its notes without the referee's remarks at the end.
fn said(notes: &str) -> &str {
    let length: usize = notes.split_inclusive('\n').rev().map_while(|line| remark(line).map(|_| line.len())).sum();
    &notes[..notes.len() - length]
}

/// The referee's remarks at the end of the notes.
fn remarks(notes: &str, seat: usize) -> impl Iterator<Item = Remark<'_>> {
    notes[said(notes).len()..].lines().filter_map(remark).map(move |(ply, text)| Remark { seat, ply, text })
}

fn remark(line: &str) -> Option<(usize, &str)> {
    let (ply, text) = line.strip_prefix("[referee] move ")?.split_once(": ")?;
    Some((ply.parse().ok()?, text.trim_end()))
}

/// The graphs of a game.
fn graphs(frames: &[Frame]) -> Vec<Graph> {
    let Some(first) = frames.first() else { return Vec::new() };
    // A game of one's own may tally less in some positions; the line ends there.
    let number = |frame: &Frame, tally: usize, player: usize| frame.tallies.get(tally)?.1.get(player).copied();
    let line = |tally: usize, player: usize| frames.iter().map_while(|frame| number(frame, tally, player)).collect();
    let graph = |(tally, (name, of)): (usize, &(&'static str, Vec<f64>))| Graph {
        name,
        lines: (0..of.len()).map(|player| line(tally, player)).collect(),
    };
    first.tallies.iter().enumerate().map(graph).collect()
}

/// The frames of a game, or the reason why its moves cannot be played again.
type Played = Result<Vec<Frame>, ArenaError>;

/// The boards of a game with its moves.
struct Boards<'a> {
    start: String,
    picture: Vec<Value>,
    plies: Vec<PlyData<'a>>,
    shape: Option<usize>,
    graphs: Vec<Graph>,
}

impl<'a> Boards<'a> {
    /// Plays the moves. Moves that the rules do not allow are listed without boards, and `start` says why.
    fn of(game: &str, moves: &'a [String], played: &'a Played, shapes: &mut Vec<Shape>) -> Boards<'a> {
        match played {
            Ok(frames) => Boards::of_frames(game, moves, frames, shapes),
            Err(error) => Boards {
                start: format!("no board: {error}"),
                picture: Vec::new(),
                plies: moves.iter().map(|text| PlyData::of_text(text)).collect(),
                shape: None,
                graphs: Vec::new(),
            },
        }
    }

    fn of_frames(game: &str, moves: &'a [String], frames: &'a [Frame], shapes: &mut Vec<Shape>) -> Boards<'a> {
        // A picture stands instead of the text.
        let has_picture = frames.iter().any(|frame| !frame.picture.is_empty());
        let text = |frame: &'a Frame| if has_picture { "" } else { frame.board.as_str() };
        let boards: Vec<&str> = frames.iter().map(text).collect();
        let ply = |(place, text): (usize, &'a String)| PlyData {
            seat: match frames[place].turn {
                Turn::Player(seat) => Some(seat),
                Turn::Chance | Turn::Over => None,
            },
            words: &frames[place + 1].words,
            change: Change::between(boards[place], boards[place + 1]),
            parts: picture::changed(&frames[place].picture, &frames[place + 1].picture),
            ..PlyData::of_text(text)
        };
        let entry = start(game).ok().map(|game| game.entry);
        Boards {
            start: boards[0].to_string(),
            picture: frames[0].picture.iter().map(picture::part).collect(),
            plies: moves.iter().enumerate().map(ply).collect(),
            shape: Shape::of_game(entry, &boards).map(|shape| index_of(shape, shapes)),
            graphs: graphs(frames),
        }
    }
}

/// The data of a game in JSON. Adds the shape of its boards to the page's.
pub(super) fn json(kept: &StoredGame, game: &str, shapes: &mut Vec<Shape>) -> String {
    let record = &kept.record;
    let moves = [&record.opening[..], &record.moves[..]].concat();
    let played = frames(game, &moves);
    let Boards { start, picture, plies, shape, graphs } = Boards::of(game, &moves, &played, shapes);
    let data = GameData {
        number: record.number,
        name: None,
        seats: &record.seats,
        did: (0..record.seats.len()).map(|seat| did(record, seat)).collect(),
        ending: ending(record),
        opening: record.opening.len(),
        start,
        plies,
        shape,
        picture,
        notes: record.notes.iter().map(|notes| abridged(said(notes))).collect(),
        remarks: record.notes.iter().enumerate().flat_map(|(seat, notes)| remarks(notes, seat)).collect(),
        graphs,
        replay: &kept.replay,
    };
    data.json()
}

/// The results of a seat in a game, in words.
fn did(record: &Record, seat: usize) -> String {
    let Clock { moves, total, longest, playouts } = record.clocks[seat];
    let mut parts = vec![format!("gets {}", reward(record.rewards[seat]))];
    if moves > 0 {
        parts.push(format!("{:.2} ms a move, {:.2} at most", millis(total) / moves as f64, millis(longest)));
    }
    if playouts > 0 {
        parts.push(format!("{} a move", counted(grouped(playouts / moves.max(1)), "playouts")));
    }
    parts.extend(record.columns[seat].iter().map(|(name, value)| format!("{name} {}", short(*value, 3))));
    parts.join("; ")
}

/// Shortens a text to its beginning and its end.
fn abridged(text: &str) -> String {
    if text.len() <= 2 * NOTES {
        return text.to_string();
    }
    let (head, tail) = (text.floor_char_boundary(NOTES), text.ceil_char_boundary(text.len() - NOTES));
    format!("{}\n[{} left out here]\n{}", &text[..head], counted(tail - head, "bytes"), &text[tail..])
}

/// The row of a game in the list.
pub(super) fn row(record: &Record) -> Markup {
    let best = record.rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let wins = |reward: f64| reward == best && record.rewards.iter().any(|&other| other < best);
    let is_forfeit = record.ending.faults().iter().any(|(_, fault)| *fault != Fault::Resigned);
    html! {
        tr data-game=(record.number) {
            td { button type="button" aria-label={ "game " (record.number) } { (record.number) } }
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
    use super::super::tests::kept;
    use super::*;

    fn shown(kept: &StoredGame, game: &str) -> Value {
        serde_json::from_str(&json(kept, game, &mut Vec::new())).unwrap()
    }

    #[test]
    fn a_game_has_its_first_board_and_the_change_of_each_move() {
        let game = shown(&kept(3, &["4", "4"]), "connect4");
        assert!(game["start"].as_str().unwrap().starts_with(" . . ."));
        assert_eq!(game["plies"][0]["change"], serde_json::json!([[82, "X"]]));
        assert_eq!(game["plies"][1]["change"], serde_json::json!([[67, "O"]]));
        assert_eq!((&game["plies"][1]["seat"], &game["shape"]), (&1.into(), &0.into()));
    }

    #[test]
    fn tallies_are_drawn_as_graphs() {
        let game = shown(&kept(0, &["map:7", "wait", "wait"]), "photosynthesis:seed=any");
        let lines = serde_json::json!([[0.0, 2.0, 2.0, 4.0], [0.0, 2.0, 2.0, 4.0]]);
        assert_eq!((&game["graphs"][1]["name"], &game["graphs"][1]["lines"]), (&"sun".into(), &lines));
        assert_eq!(shown(&kept(0, &["4"]), "connect4")["graphs"], Value::Null);
    }

    #[test]
    fn desks_hands_and_applications_are_a_picture_and_moves_have_words() {
        let game = shown(&kept(0, &["s77", "m5"]), "green-circle:seed=any");
        assert_eq!((&game["start"], &game["shape"]), (&"".into(), &Value::Null));
        let before = game["picture"].as_array().unwrap();
        assert_eq!(before[1], serde_json::json!({"ring": [0, 0, 0, 0, 0, 0, 0, 0], "pieces": [null, null]}));
        let (deal, to_desk) = (&game["plies"][0], &game["plies"][1]);
        let changed = |ply: &Value, index: u64| {
            let parts = ply["parts"].as_array().unwrap();
            parts.iter().find(|part| part[0] == index).map(|part| part[1].clone())
        };
        let sets = changed(deal, 3).unwrap()["sets"].as_array().unwrap().len();
        assert_eq!((sets, &to_desk["words"]), (12, &"goes to Continuous Integration".into()));
        let ring = serde_json::json!({"ring": [5, 5, 5, 5, 5, 4, 5, 5], "pieces": [5, null]});
        assert_eq!((changed(to_desk, 1), changed(to_desk, 3)), (Some(ring), None));
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
    fn moves_of_chance_have_no_seat() {
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
    fn of_long_output_the_beginning_and_the_end_are_shown() {
        assert_eq!(abridged("hello"), "hello");
        let much = "ä".repeat(50_000);
        let few = abridged(&much);
        assert!(few.len() < 2 * NOTES + 100 && few.contains("left out here") && few.ends_with('ä'), "{}", few.len());
    }
}
