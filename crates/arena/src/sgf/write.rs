//! A game as the text of a file.

use boughs::{Session, Turn};
use boughs_games::{Names, StartedGame};

use super::read::{MOST_NODES, too_large};
use super::{Format, SgfError, TreeMove};
use crate::{Ending, Fault, Record, harmless_line};

/// The properties of the moves of both colours.
const COLOURS: [&str; 2] = ["B", "W"];

/// Writes a game from its start. `players` are the names of Black and White, `result` is as in `B+3.5`, `B+R` or `0`.
///
/// ```
/// let game = boughs_games::start("hex:size=5").unwrap();
/// let moves = ["c3", "d2"].map(str::to_string);
/// let text = boughs_arena::sgf::write(&game, &moves, ["Ada", "Bo"], "?").unwrap();
/// assert!(text.starts_with("(;FF[4]GM[11]"));
/// assert!(text.ends_with(";B[c3];W[d2])\n"));
/// ```
///
/// # Errors
/// If the game is none of the format, or a move is not legal.
pub fn write(start: &StartedGame, moves: &[String], players: [&str; 2], result: &str) -> Result<String, SgfError> {
    let after = |at: usize| at.checked_sub(1);
    let moves = moves.iter().enumerate().map(|(at, text)| TreeMove { after: after(at), text: text.clone() });
    write_tree(start, &moves.collect::<Vec<_>>(), players, result)
}

/// Writes a game with its variations from its start, as [`write`](fn@write) does.
///
/// # Errors
/// If the game is none of the format, a move is not legal, or one stands before the move that it follows.
pub fn write_tree(
    start: &StartedGame,
    moves: &[TreeMove],
    players: [&str; 2],
    result: &str,
) -> Result<String, SgfError> {
    /// A part that is still to be written.
    enum Open {
        /// A move after a position, in parentheses if it is one of several.
        Move { at: usize, position: Box<dyn Session>, is_apart: bool },
        /// The end of a variation.
        End,
    }
    let format = Format::of(start.entry.name)?;
    let size = start.entry.grid(&*start.position).map_or(0, |grid| grid.columns);
    let mut file = format!(
        "(;FF[4]GM[{}]CA[UTF-8]AP[Boughs:{}]SZ[{size}]PB[{}]PW[{}]RE[{result}]",
        format.number,
        env!("CARGO_PKG_VERSION"),
        escaped(players[0]),
        escaped(players[1]),
    );
    if format.number == 1
        && let [(_, points)] = &start.entry.tallies(&*start.position)[..]
    {
        // White begins with the komi.
        file += &format!("KM[{}]", points[1]);
    }
    let mut first = Vec::new();
    let mut next = vec![Vec::new(); moves.len()];
    for (at, one) in moves.iter().enumerate() {
        match one.after {
            None => first.push(at),
            Some(after) if after < at => next[after].push(at),
            Some(_) => return Err(SgfError(format!("'{}' stands before the move that it follows", one.text))),
        }
    }
    let followers = |places: &[usize], position: &dyn Session| {
        let made = places.iter().rev().map(|&at| Open::Move {
            at,
            position: position.clone_session(),
            is_apart: places.len() > 1,
        });
        made.collect::<Vec<_>>()
    };
    let mut open = followers(&first, &*start.position);
    // The first node holds the properties of the game.
    if moves.len() >= MOST_NODES {
        return Err(too_large());
    }
    while let Some(one) = open.pop() {
        let Open::Move { at, mut position, is_apart } = one else {
            file.push(')');
            continue;
        };
        let text = &moves[at].text;
        let legal = position.find_move(text).zip(player(&*position));
        let Some((action, player)) = legal else { return Err(SgfError(format!("'{text}' is no legal move"))) };
        let point = start.entry.place(&*position, action).map(|place| format.point(place)).unwrap_or_default();
        if is_apart {
            file.push('(');
            open.push(Open::End);
        }
        file += &format!(";{}[{point}]", COLOURS[player]);
        position.apply(action);
        open.extend(followers(&next[at], &*position));
    }
    Ok(file + ")\n")
}

/// Writes a game of a contest. `start` is the start of the game, `contestants` are the names of all contestants.
///
/// # Errors
/// Fails as [`write`](fn@write) does.
pub fn write_record(start: &StartedGame, record: &Record, contestants: &[String]) -> Result<String, SgfError> {
    let moves = [&record.opening[..], &record.moves[..]].concat();
    let name = |seat: usize| record.seats.get(seat).and_then(|&who| contestants.get(who)).map_or("?", String::as_str);
    write(start, &moves, [name(0), name(1)], &result(start, &moves, record))
}

/// The result of a game, as in `B+3.5`, `W+R` or `0`. A game that was cut is `Void`.
fn result(start: &StartedGame, moves: &[String], record: &Record) -> String {
    let [black, white] = record.rewards[..] else { return "?".to_string() };
    let winner = if black > white { "B" } else { "W" };
    let reason = match &record.ending {
        _ if black == white => return "0".to_string(),
        Ending::Cut => return "Void".to_string(),
        Ending::Over => lead(start, moves),
        Ending::Forfeit(faults) => match faults.first() {
            Some((_, Fault::Resigned)) => "R".to_string(),
            Some((_, Fault::Late { .. })) => "T".to_string(),
            _ => "F".to_string(),
        },
    };
    format!("{winner}+{reason}")
}

/// The lead of the winner in points, of a game that counts them.
fn lead(start: &StartedGame, moves: &[String]) -> String {
    let mut position = start.position.clone();
    for text in moves {
        let Some(action) = position.find_move(text) else { return String::new() };
        position.apply(action);
    }
    let has_points = start.entry.grid(&*position).is_some_and(|grid| grid.names == Names::Go);
    match &start.entry.tallies(&*position)[..] {
        [(_, points), ..] if has_points => (points[0] - points[1]).abs().to_string(),
        _ => String::new(),
    }
}

fn player(position: &dyn Session) -> Option<usize> {
    match position.turn() {
        Turn::Player(player) => Some(player),
        Turn::Chance | Turn::Over => None,
    }
}

/// A name on one line, as the value of a property.
fn escaped(name: &str) -> String {
    harmless_line(name).replace('\\', "\\\\").replace(']', "\\]")
}
