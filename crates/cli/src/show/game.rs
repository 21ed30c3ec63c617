//! A single game of a match: its moves and its ending.

use std::fmt::Write;

use boughs_arena::{Contest, Ending, Fault, Record, Referee, boards, harmless, harmless_line};
use serde::Serialize;

use crate::failure::Failure;
use crate::interrupt;
use crate::output::{print, print_json};

/// A single game.
#[derive(Serialize)]
struct GameReport {
    number: u64,
    seats: Vec<String>,
    opening: Vec<String>,
    moves: Vec<String>,
    rewards: Vec<f64>,
    ending: String,
    notes: Vec<String>,
    /// Standard error of a referee that is a program.
    #[serde(skip_serializing_if = "String::is_empty")]
    referee: String,
}

impl GameReport {
    fn new(contest: &Contest<'_>, record: &Record, referee: &str) -> GameReport {
        GameReport {
            number: record.number,
            seats: record.seats.iter().map(|&seat| contest.conditions().contestants[seat].to_string()).collect(),
            opening: record.opening.clone(),
            moves: record.moves.clone(),
            rewards: record.rewards.clone(),
            ending: ending(record),
            notes: record.notes.clone(),
            referee: referee.to_string(),
        }
    }
}

fn ending(record: &Record) -> String {
    match &record.ending {
        Ending::Over => "the game is over".to_string(),
        Ending::Cut => "the game was cut at its greatest length".to_string(),
        Ending::Forfeit(faults) => {
            let lost = |(seat, fault): &(usize, Fault)| {
                format!("seat {} {}", seat + 1, fault.with_last_words(&record.notes[*seat]))
            };
            faults.iter().map(lost).collect::<Vec<_>>().join("; ")
        }
    }
}

/// A single game for people.
fn game_text(contest: &Contest<'_>, record: &Record, referee: &str) -> Result<String, Failure> {
    let report = GameReport::new(contest, record, referee);
    let moves = [&record.opening[..], &record.moves[..]].concat();
    let mut text = format!("game {} of {}\n\n", record.number, contest.conditions().game);
    for (seat, (who, reward)) in report.seats.iter().zip(&report.rewards).enumerate() {
        let _ = writeln!(text, " seat {}     {who}, gets {reward}", seat + 1);
    }
    let _ = writeln!(text, " opening    {}\n moves      {}\n", report.opening.join(" "), report.moves.join(" "));
    let game = &contest.conditions().game;
    // What a referee plays, only the referee can draw.
    let boards = if Referee::of(game).is_some() { Vec::new() } else { boards(game, &moves)? };
    if let Some(board) = boards.last() {
        let _ = writeln!(text, "{}\n", board.trim_end());
    }
    let _ = writeln!(text, " {}", harmless_line(&report.ending));
    let seats = report.notes.iter().enumerate().map(|(seat, notes)| (format!("seat {}", seat + 1), notes));
    for (who, notes) in seats.chain([("the referee".to_string(), &report.referee)]).filter(|(_, it)| !it.is_empty()) {
        let _ = writeln!(text, "\n{who} on standard error:\n{}", harmless(notes.trim_end()));
    }
    Ok(text)
}

/// Plays a single game and prints it.
pub(crate) fn play_only(contest: &Contest<'_>, number: u64, json: bool) -> Result<(), Failure> {
    let stop = interrupt::stops_search();
    let record = contest.play_only(number, &stop)?;
    let (record, referee) = record.ok_or_else(|| Failure::new("interrupted before the game was over"))?;
    match json {
        true => print_json(&GameReport::new(contest, &record, &referee)),
        false => print(&game_text(contest, &record, &referee)?),
    }
}
