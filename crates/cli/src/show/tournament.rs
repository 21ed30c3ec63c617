//! Results of tournaments.

use std::fmt::Write;

use boughs_arena::statistics::{Anchor, Games, Ratings, elo_words};
use boughs_arena::{Conditions, Load, PairScore, Side};
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanCount;
use serde::Serialize;

use super::contest::{
    Played, changed_files_warning, duplicates_warning, equals_warning, fault_text, load_text, side_text,
    unsuited_warning,
};
use super::{Column, percent, plain_table};

/// The report of a tournament.
#[derive(Serialize)]
pub(crate) struct TournamentReport {
    game: String,
    limit: String,
    command: String,
    interrupted: bool,
    contestants: Vec<String>,
    ratings: Ratings,
    meetings: Vec<Meeting>,
    seconds: f64,
    overhead: f64,
    load: Option<Load>,
    warnings: Vec<String>,
}

/// The result of a pairing.
#[derive(Serialize)]
struct Meeting {
    first: usize,
    second: usize,
    wins: u64,
    draws: u64,
    losses: u64,
    pairs: [u64; 5],
    sides: [Side; 2],
}

/// The statistics of a contestant in all its pairings.
fn side_of(meetings: &[Meeting], contestant: usize) -> Side {
    let sides = meetings.iter().filter_map(|meeting| match contestant {
        it if it == meeting.first => Some(&meeting.sides[0]),
        it if it == meeting.second => Some(&meeting.sides[1]),
        _ => None,
    });
    let mut all = Side::default();
    sides.for_each(|side| all.add_side(side));
    all
}

impl TournamentReport {
    pub(crate) fn new(played: &Played<'_>, gauntlet: bool) -> TournamentReport {
        let &Played { contest, ref progress, load, command, interrupted } = played;
        let conditions = contest.conditions();
        let meetings = conditions.pairings.iter().zip(contest.standings()).map(|(&[first, second], score)| {
            let tally = score.tally();
            Meeting {
                first,
                second,
                wins: tally.games.wins,
                draws: tally.games.draws,
                losses: tally.games.losses,
                pairs: tally.pairs.0,
                sides: score.sides().clone(),
            }
        });
        let meetings: Vec<Meeting> = meetings.collect();
        let duplicates = contest.standings().iter().map(PairScore::duplicates).sum();
        let mut warnings: Vec<String> = changed_files_warning(contest.changed_files()).into_iter().collect();
        warnings.extend(equals_warning(&conditions.contestants));
        warnings.extend(unsuited_warning(conditions));
        warnings.extend(duplicates_warning(duplicates, &conditions.game));
        for (contestant, name) in conditions.contestants.iter().enumerate() {
            let side = side_of(&meetings, contestant);
            warnings.extend(fault_text(&side, conditions.limit).map(|text| format!("{name} {text}")));
        }
        TournamentReport {
            game: conditions.game.clone(),
            limit: conditions.limit.to_string(),
            command: command.to_string(),
            interrupted,
            contestants: conditions.contestants.iter().map(ToString::to_string).collect(),
            ratings: ratings(conditions, contest.standings(), gauntlet),
            meetings,
            seconds: progress.took.as_secs_f64(),
            overhead: progress.overhead(),
            load,
            warnings,
        }
    }

    /// The points of `row` against `column`, of their games.
    fn result(&self, row: usize, column: usize) -> String {
        let found = self.meetings.iter().find_map(|meeting| match (meeting.first, meeting.second) {
            (first, second) if (first, second) == (row, column) => Some((meeting, meeting.wins)),
            (first, second) if (first, second) == (column, row) => Some((meeting, meeting.losses)),
            _ => None,
        });
        found.map_or(String::new(), |(meeting, wins)| {
            let games = meeting.wins + meeting.draws + meeting.losses;
            format!("{} of {games}", wins as f64 + meeting.draws as f64 / 2.0)
        })
    }
}

/// The ratings by the games so far.
pub(crate) fn ratings(conditions: &Conditions, scores: &[PairScore], gauntlet: bool) -> Ratings {
    conditions.ratings(scores, if gauntlet { Anchor::Contestant(0) } else { Anchor::Mean })
}

/// The ratings so far, as a table.
pub(crate) fn standings(conditions: &Conditions, scores: &[PairScore], gauntlet: bool) -> String {
    let names: Vec<String> = conditions.contestants.iter().map(ToString::to_string).collect();
    let table = conditions.cross_table(scores);
    rating_table(&ratings(conditions, scores, gauntlet), &names, &|row, column| {
        points(table.between(row, column).games)
    })
}

/// The points of a contestant and the number of games; empty without games.
fn points(games: Games) -> String {
    if games.count() == 0 { String::new() } else { format!("{} of {}", games.points(), games.count()) }
}

/// The table of ratings. `result` gives the points of one contestant against another: ratings may have the same bound
/// where the one above won every game.
fn rating_table(ratings: &Ratings, names: &[String], result: &dyn Fn(usize, usize) -> String) -> String {
    const COLUMNS: [Column; 6] = [
        ("", Right),
        ("contestant", Left),
        ("Elo", Left),
        ("games", Right),
        ("points", Right),
        ("against the one above", Right),
    ];
    let mut table = plain_table(&COLUMNS);
    for (place, rating) in ratings.table.iter().enumerate() {
        let share = rating.points / rating.games.max(1) as f64;
        let above = place.checked_sub(1).map(|above| ratings.table[above].contestant);
        let against = |above| match result(rating.contestant, above) {
            points if points.is_empty() => points,
            points => format!("{points} against place {place}"),
        };
        table.add_row([
            (place + 1).to_string(),
            names[rating.contestant].clone(),
            elo_words(rating.elo),
            HumanCount(rating.games).to_string(),
            percent(share),
            above.map_or(String::new(), against),
        ]);
    }
    table.trim_fmt()
}

/// The report as text.
pub(crate) fn text(report: &TournamentReport) -> String {
    let mut text = format!("{}, {} a move\n\n", report.game, report.limit);
    let _ = writeln!(
        text,
        "{}\n",
        rating_table(&report.ratings, &report.contestants, &|row, column| report.result(row, column))
    );
    let order: Vec<usize> = report.ratings.table.iter().map(|rating| rating.contestant).collect();
    let numbers: Vec<String> = (1..=order.len()).map(|place| place.to_string()).collect();
    let columns = [("", Right)].into_iter().chain(numbers.iter().map(|number| (number.as_str(), Right)));
    let mut table = plain_table(&columns.collect::<Vec<_>>());
    for (place, &row) in order.iter().enumerate() {
        let cells = order.iter().map(|&column| report.result(row, column));
        table.add_row([(place + 1).to_string()].into_iter().chain(cells));
    }
    let _ = writeln!(text, "{}\n", table.trim_fmt());
    for (contestant, name) in report.contestants.iter().enumerate() {
        let _ = writeln!(text, " {name}: {}", side_text(&side_of(&report.meetings, contestant)));
    }
    let _ =
        writeln!(text, "\n {:.1} s; no side searched for {} of that time", report.seconds, percent(report.overhead));
    if let Some(load) = report.load {
        let _ = writeln!(text, " {}", load_text(load));
    }
    for warning in &report.warnings {
        let _ = writeln!(text, " warning: {warning}");
    }
    if report.interrupted {
        text.push_str(" ended by an interruption\n");
    }
    let _ = writeln!(text, " {}", report.command);
    text
}
