//! Results of matches: text for people, JSON for programs.

use std::fmt::Write;

use boughs::notation::counted;
use boughs_arena::statistics::{Decision, Estimate, Sprt, SprtState, Strength, elo_words};
use boughs_arena::{Limit, Load, PairScore, Side};
use indicatif::HumanCount;
use serde::Serialize;

use super::contest::{
    Played, changed_files_warning, duplicates_warning, fault_text, load_text, rounding_warning, side_text,
    unsuited_warning,
};
use super::percent;

/// The report of a match.
#[derive(Serialize)]
pub(crate) struct MatchReport {
    game: String,
    contestants: Vec<String>,
    limit: String,
    /// True if the limit is a time.
    #[serde(skip)]
    is_timed: bool,
    command: String,
    interrupted: bool,
    unpaired: usize,
    /// Games that the store had already.
    kept: u64,
    /// Games of this run.
    #[serde(skip)]
    played: u64,
    #[serde(flatten)]
    strength: Strength,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtReport>,
    /// Mean rewards, and their difference.
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
    /// True if rewards are more than a win, a draw or a loss.
    #[serde(skip)]
    has_scores: bool,
}

#[derive(Serialize)]
struct SprtReport {
    elo0: f64,
    elo1: f64,
    #[serde(flatten)]
    state: SprtState,
    #[serde(skip)]
    only_faults: bool,
}

impl MatchReport {
    /// The report of a match that was asked for `games` games.
    pub(crate) fn new(played: &Played<'_>, sprt: Option<Sprt>, games: Option<u64>) -> MatchReport {
        let &Played { contest, ref progress, load, command, interrupted } = played;
        let (conditions, score) = (contest.conditions(), &contest.standings()[0]);
        let mut report = MatchReport {
            game: conditions.game.clone(),
            contestants: conditions.contestants.iter().map(ToString::to_string).collect(),
            limit: conditions.limit.to_string(),
            is_timed: matches!(conditions.limit, Limit::Time(_)),
            command: command.to_string(),
            interrupted,
            unpaired: score.unpaired(),
            kept: progress.kept,
            played: progress.games,
            strength: score.strength(),
            sprt: sprt.map(|test| SprtReport {
                elo0: test.elo0(),
                elo1: test.elo1(),
                state: test.state(score.tally().pairs),
                only_faults: score.has_only_faults(),
            }),
            rewards: [0, 1].map(|side| score.rewards()[side].estimate()),
            difference: score.difference().estimate(),
            means: [0, 1].map(|side| score.rewards()[side].value()),
            sides: score.sides().clone(),
            plies: score.plies().value(),
            duplicates: score.duplicates(),
            seconds: progress.took.as_secs_f64(),
            tables: progress.tables,
            overhead: progress.overhead(),
            load,
            warnings: changed_files_warning(contest.changed_files())
                .into_iter()
                .chain(unsuited_warning(conditions))
                .collect(),
            players: contest.players(),
            has_scores: contest.has_scores(),
        };
        report.warnings.extend(report.find_warnings(conditions.limit, games));
        report
    }

    fn find_warnings(&self, limit: Limit, games: Option<u64>) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.contestants[0] == self.contestants[1] {
            warnings.push("A and B are the same, so only luck is measured".to_string());
        }
        warnings.extend(games.and_then(|games| rounding_warning(games, self.players)));
        warnings.extend(duplicates_warning(self.duplicates, &self.game));
        for (name, side) in ["A", "B"].iter().zip(&self.sides) {
            warnings.extend(fault_text(side, limit).map(|text| format!("{name} {text}")));
        }
        if self.is_timed && self.load.is_some_and(|load| load.is_disturbed()) {
            warnings.push("other programs kept the machine busy, so timed moves had less than their time".to_string());
        }
        warnings
    }
}

/// The standing of A while a match goes on, in a few words.
pub(crate) fn score(score: &PairScore, sprt: Option<Sprt>) -> String {
    let games = score.tally().games;
    let mut text = format!("A won {}, drew {}, lost {}", games.wins, games.draws, games.losses);
    let _ = write!(text, "\nElo {}", elo_words(score.strength().elo));
    if let Some(test) = sprt {
        let state = test.state(score.tally().pairs);
        let _ = write!(text, "\nLLR {:.2} of {:.2} to {:.2}", state.llr, state.lower, state.upper);
        if let Some(pairs) = state.pairs_more {
            let _ = write!(text, ", about {} games more", HumanCount(2 * pairs));
        }
    }
    text
}

/// The report as text.
pub(crate) fn text(report: &MatchReport) -> String {
    let mut text = format!("{}, {} a move\n\n", report.game, report.limit);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, " {name:<10} {value}");
    };
    line("A", report.contestants[0].clone());
    line("B", report.contestants[1].clone());
    let games = report.strength.tally.games;
    let unpaired = match report.unpaired {
        0 => String::new(),
        games => format!("; beside {games} of rounds that are not all played, which do not count yet"),
    };
    let (count, rounds) = (HumanCount(games.count()), rounds(report));
    line(
        "games",
        format!("{count} in {rounds}: A won {}, drew {}, lost {}{unpaired}", games.wins, games.draws, games.losses),
    );
    let strength = &report.strength;
    if report.players <= 2 {
        line("Elo", elo_words(strength.elo) + &interval(strength.elo));
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
        0 if report.interrupted => format!("no game was over before the interruption{plies}"),
        0 => format!("no game was to be played{plies}"),
        _ => {
            format!("{:.1} s, {tables} at a time{plies}; no side searched for {overhead} of that time", report.seconds)
        }
    };
    let kept = match report.kept {
        0 => String::new(),
        kept => format!("; from the store: {}", counted(HumanCount(kept), "games")),
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
        2 => counted(HumanCount(report.strength.tally.pairs.count()), "pairs"),
        players => format!("rounds of {}", players.max(2)),
    }
}

fn interval(estimate: Estimate) -> String {
    match estimate {
        Estimate::Between { low, high, .. } => format!(" ({low:+.1} to {high:+.1})"),
        _ => String::new(),
    }
}

fn sprt_text(SprtReport { elo0, elo1, state, only_faults }: &SprtReport) -> String {
    let bounds = format!("{:.2} of {:.2} to {:.2}", state.llr, state.lower, state.upper);
    let decision = match state.decision {
        _ if *only_faults => "every game ended by a fault, so the test says nothing of strength".to_string(),
        Decision::Continue => format!("not decided between Elo {elo0} and {elo1}"),
        Decision::AcceptH0 => format!("decided: A is stronger by Elo {elo0} at most"),
        Decision::AcceptH1 => format!("decided: A is stronger by Elo {elo1} at least"),
    };
    format!("{bounds}: {decision}")
}
