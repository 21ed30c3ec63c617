//! Results of matches: text for people, JSON for programs.

use std::fmt::Write;

use boughs_arena::statistics::{Decision, Estimate, Sprt, SprtState, Strength};
use boughs_arena::{Conditions, Contest, Ending, Fault, Limit, Load, Progress, Record, Side, Standing, boards};
use indicatif::HumanCount;
use serde::Serialize;

use super::percent;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{print, print_json};

/// What there is to say about a match.
#[derive(Serialize)]
pub(crate) struct MatchReport {
    game: String,
    contestants: Vec<String>,
    limit: String,
    /// Whether that is time.
    #[serde(skip)]
    is_timed: bool,
    command: String,
    interrupted: bool,
    unpaired: usize,
    /// Games that were in the store before.
    kept: u64,
    /// Games that were played now.
    #[serde(skip)]
    played: u64,
    #[serde(flatten)]
    strength: Strength,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtReport>,
    /// Mean rewards, and the difference between them.
    rewards: [Estimate; 2],
    difference: Estimate,
    #[serde(skip)]
    means: [Option<f64>; 2],
    sides: [Side; 2],
    plies: Option<f64>,
    duplicates: u64,
    seconds: f64,
    tables: usize,
    overhead: f64,
    load: Option<Load>,
    warnings: Vec<String>,
    #[serde(skip)]
    players: usize,
    /// Rewards are more than a win, a draw or a loss.
    #[serde(skip)]
    has_scores: bool,
}

#[derive(Serialize)]
struct SprtReport {
    elo0: f64,
    elo1: f64,
    #[serde(flatten)]
    state: SprtState,
}

impl MatchReport {
    pub(crate) fn new(
        contest: &Contest<'_>,
        sprt: Option<Sprt>,
        progress: Progress,
        load: Option<Load>,
        command: &str,
        interrupted: bool,
    ) -> MatchReport {
        let (conditions, standing) = (contest.conditions(), &contest.standings()[0]);
        let mut report = MatchReport {
            game: conditions.game.clone(),
            contestants: conditions.contestants.iter().map(ToString::to_string).collect(),
            limit: conditions.limit.to_string(),
            is_timed: matches!(conditions.limit, Limit::Time(_)),
            command: command.to_string(),
            interrupted,
            unpaired: standing.unpaired(),
            kept: progress.kept,
            played: progress.games,
            strength: standing.strength(),
            sprt: sprt.map(|test| SprtReport {
                elo0: test.elo0(),
                elo1: test.elo1(),
                state: test.state(standing.tally().pairs),
            }),
            rewards: [0, 1].map(|side| standing.rewards()[side].estimate()),
            difference: standing.difference().estimate(),
            means: [0, 1].map(|side| standing.rewards()[side].value()),
            sides: standing.sides().clone(),
            plies: standing.plies().value(),
            duplicates: standing.duplicates(),
            seconds: progress.took.as_secs_f64(),
            tables: progress.tables,
            overhead: progress.overhead(),
            load,
            warnings: Vec::new(),
            players: contest.players(),
            has_scores: contest.has_scores(),
        };
        report.warnings = report.find_warnings();
        report
    }

    fn find_warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.contestants[0] == self.contestants[1] {
            warnings.push("A and B are the same, so only luck is measured".to_string());
        }
        if self.duplicates > 0 {
            warnings.push(format!(
                "{} of the games were move for move like another and say nothing new; more varied --openings keep them apart",
                self.duplicates
            ));
        }
        for (name, side) in ["A", "B"].iter().zip(&self.sides) {
            if let Some(fault) = &side.last_fault {
                let all: Vec<String> = side.faults.iter().map(|(fault, count)| format!("{fault} {count}")).collect();
                warnings.push(format!("{name} lost games by what it did ({}); {fault}", all.join(", ")));
            }
        }
        if self.is_timed && self.load.is_some_and(|load| load.is_disturbed()) {
            warnings.push("other programs kept the machine busy, so timed moves had less than their time".to_string());
        }
        warnings
    }
}

/// How the first stands, in a few words, for as long as a match goes on.
pub(crate) fn score(standing: &Standing, sprt: Option<Sprt>) -> String {
    let games = standing.tally().games;
    let mut text = format!("A won {}, drew {}, lost {}", games.wins, games.draws, games.losses);
    let _ = write!(text, "\nElo {:+.1}", standing.strength().elo);
    if let Some(test) = sprt {
        let state = test.state(standing.tally().pairs);
        let _ = write!(text, "\nLLR {:.2} of {:.2} to {:.2}", state.llr, state.lower, state.upper);
        if let Some(pairs) = state.pairs_more {
            let _ = write!(text, ", about {} games more", HumanCount(2 * pairs));
        }
    }
    text
}

/// A match for people.
pub(crate) fn match_text(report: &MatchReport) -> String {
    let mut text = format!("{}, {} a move\n\n", report.game, report.limit);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, " {name:<10} {value}");
    };
    line("A", report.contestants[0].clone());
    line("B", report.contestants[1].clone());
    let games = report.strength.tally.games;
    let unpaired = match report.unpaired {
        0 => String::new(),
        games => format!("; {games} more do not count before all of the same round and those before it are played"),
    };
    let (count, rounds) = (HumanCount(games.count()), rounds(report));
    line(
        "games",
        format!("{count} in {rounds}: A won {}, drew {}, lost {}{unpaired}", games.wins, games.draws, games.losses),
    );
    let strength = &report.strength;
    if report.players <= 2 {
        line("Elo", format!("{:+.1}{}", strength.elo, interval(strength.elo)));
        line("nElo", format!("{:+.1}", strength.normalised_elo));
        line("LOS", percent(strength.los));
        line("draws", strength.draw_ratio.map_or("none".to_string(), percent));
        line(
            "pairs",
            strength.tally.pairs.0.map(|count| count.to_string()).join(" ") + " with 0, 1/2, 1, 3/2, 2 points of A",
        );
    }
    if let Some(sprt) = &report.sprt {
        line("LLR", sprt_text(sprt));
    }
    if report.has_scores {
        let [a, b] = [0, 1].map(|side| mean_text(report.rewards[side], report.means[side]));
        line("rewards", format!("A {a}, B {b}; difference {:+.4}", report.difference));
    }
    for (name, side) in ["A", "B"].into_iter().zip(&report.sides) {
        line(name, side_text(side));
    }
    let plies = report.plies.map_or(String::new(), |plies| format!(", {plies:.1} plies a game"));
    let overhead = percent(report.overhead);
    let tables = if report.tables == 1 { "one game".to_string() } else { format!("{} games", report.tables) };
    let played = match report.played {
        0 => format!("no game was to be played{plies}"),
        _ => format!("{:.1} s, {tables} at a time{plies}; {overhead} of that time nobody was thinking", report.seconds),
    };
    let kept = match report.kept {
        0 => String::new(),
        kept => format!("; {} games are from the store", HumanCount(kept)),
    };
    line("arena", played + &kept);
    if let Some(load) = report.load {
        line("machine", load_text(load));
    }
    for warning in &report.warnings {
        line("warning", warning.clone());
    }
    if report.interrupted {
        line("ended by", "an interruption".to_string());
    }
    line("command", report.command.clone());
    text
}

/// A mean, with its interval where it has one.
fn mean_text(estimate: Estimate, mean: Option<f64>) -> String {
    match (estimate, mean) {
        (Estimate::Unknown { .. }, Some(mean)) => format!("{mean:.4}"),
        _ => format!("{estimate:.4}"),
    }
}

fn rounds(report: &MatchReport) -> String {
    match report.players {
        2 => match report.strength.tally.pairs.count() {
            1 => "1 pair".to_string(),
            pairs => format!("{} pairs", HumanCount(pairs)),
        },
        players => format!("rounds of {}", players.max(2)),
    }
}

fn interval(estimate: Estimate) -> String {
    match estimate {
        Estimate::Between { low, high, .. } => format!(" ({low:+.1} to {high:+.1})"),
        _ => String::new(),
    }
}

fn sprt_text(SprtReport { elo0, elo1, state }: &SprtReport) -> String {
    let bounds = format!("{:.2} of {:.2} to {:.2}", state.llr, state.lower, state.upper);
    let decision = match state.decision {
        Decision::Continue => format!("not decided between Elo {elo0} and {elo1}"),
        Decision::AcceptH0 => format!("decided: A is stronger by Elo {elo0} at most"),
        Decision::AcceptH1 => format!("decided: A is stronger by Elo {elo1} at least"),
    };
    format!("{bounds}: {decision}")
}

pub(crate) fn side_text(side: &Side) -> String {
    let mut text = format!("{:.2} ms a move, {:.2} at most", side.ms_a_move(), side.longest_ms);
    if side.playouts > 0 {
        let _ = write!(text, "; {} playouts a move", HumanCount(side.playouts / side.moves.max(1)));
    }
    // What never happened is not worth a word.
    for (name, mean) in side.columns.iter().filter(|(_, mean)| **mean != 0.0) {
        let _ = match mean.abs() {
            0.0..1.0 => write!(text, "; {name} {mean:.3}"),
            1.0..1e4 => write!(text, "; {name} {mean:.1}"),
            size => {
                let sign = if *mean < 0.0 { "-" } else { "" };
                write!(text, "; {name} {sign}{}", HumanCount(size.round() as u64))
            }
        };
    }
    text
}

pub(crate) fn load_text(load: Load) -> String {
    format!("{:.2} of {} cores busy, {:.2} for these games", load.busy, load.cores, load.own)
}

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
}

impl GameReport {
    fn new(contest: &Contest<'_>, record: &Record) -> GameReport {
        GameReport {
            number: record.number,
            seats: record.seats.iter().map(|&seat| contest.conditions().contestants[seat].to_string()).collect(),
            opening: record.opening.clone(),
            moves: record.moves.clone(),
            rewards: record.rewards.clone(),
            ending: ending(record),
            notes: record.notes.clone(),
        }
    }
}

fn ending(record: &Record) -> String {
    match &record.ending {
        Ending::Over => "the game is over".to_string(),
        Ending::Cut => "the game was cut at its greatest length".to_string(),
        Ending::Forfeit(faults) => {
            let lost = |(seat, fault): &(usize, Fault)| format!("seat {} {fault}", seat + 1);
            faults.iter().map(lost).collect::<Vec<_>>().join("; ")
        }
    }
}

/// A single game for people.
fn game_text(contest: &Contest<'_>, record: &Record) -> Result<String, Failure> {
    let report = GameReport::new(contest, record);
    let moves = [&record.opening[..], &record.moves[..]].concat();
    let mut text = format!("game {} of {}\n\n", record.number, contest.conditions().game);
    for (seat, (who, reward)) in report.seats.iter().zip(&report.rewards).enumerate() {
        let _ = writeln!(text, " seat {}     {who}, gets {reward}", seat + 1);
    }
    let _ = writeln!(text, " opening    {}\n moves      {}\n", report.opening.join(" "), report.moves.join(" "));
    if let Some(board) = boards(&contest.conditions().game, &moves)?.pop() {
        let _ = writeln!(text, "{}\n", board.trim_end());
    }
    let _ = writeln!(text, " {}", report.ending);
    for (seat, notes) in report.notes.iter().enumerate().filter(|(_, notes)| !notes.is_empty()) {
        let _ = writeln!(text, "\nseat {} on standard error:\n{}", seat + 1, notes.trim_end());
    }
    Ok(text)
}

/// Plays a single game and prints it.
pub(crate) fn only(conditions: Conditions, number: u64, json: bool) -> Result<(), Failure> {
    let stop = interrupt::stops_search();
    let contest = Contest::new(conditions)?;
    let record = contest.play_only(number, &stop)?;
    let record = record.ok_or_else(|| Failure::new("interrupted before the game was over"))?;
    if json { print_json(&GameReport::new(&contest, &record)) } else { print(&game_text(&contest, &record)?) }
}
