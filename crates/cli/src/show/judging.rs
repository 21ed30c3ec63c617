//! Judged cases: text for people, JSON for programs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use boughs::notation::counted;
use boughs_arena::judge::{CaseVerdict, JudgeSettings, NamedCase};
use boughs_arena::statistics::Mean;
use boughs_arena::{Contestant, harmless, harmless_line};
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanCount;
use serde::Serialize;

use super::{percent, plain_table};
use crate::failure::Failure;

/// Number of cases that are shown while a run goes on.
const LIVE: usize = 12;

/// Number of lines that are shown of the standard error of a program.
const SAID: usize = 10;

/// A case with its score.
#[derive(Serialize)]
pub(crate) struct Judged {
    pub(crate) case: String,
    pub(crate) score: u32,
    /// The best score before, if the store has one.
    best: Option<f64>,
    /// The score as a share of the best one.
    pub(crate) relative: Option<f64>,
    /// The mean score of all cases up to this one.
    mean: f64,
    seconds: f64,
    slowest_ms: f64,
    playouts: u64,
    /// The fault in one or two words, and in a sentence.
    fault: Option<&'static str>,
    reason: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    said: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    columns: BTreeMap<String, f64>,
    /// The number of cases up to this one.
    #[serde(skip)]
    number: u64,
}

impl Judged {
    /// The case after the one before it, given the best score so far.
    pub(crate) fn of(named: &NamedCase, verdict: &CaseVerdict, best: Option<f64>, before: Option<&Judged>) -> Judged {
        let (score, number) = (f64::from(verdict.score), before.map_or(0, |before| before.number) + 1);
        let mean = before.map_or(0.0, |before| before.mean);
        Judged {
            case: named.name.clone(),
            score: verdict.score,
            best,
            relative: best.filter(|&best| best > 0.0).map(|best| score / best),
            mean: mean + (score - mean) / number as f64,
            seconds: verdict.time.as_secs_f64(),
            slowest_ms: verdict.slowest.as_secs_f64() * 1e3,
            playouts: verdict.playouts,
            fault: verdict.fault.as_ref().map(|fault| fault.name()),
            reason: verdict.reason(),
            said: verdict.said.clone(),
            columns: verdict.columns.clone(),
            number,
        }
    }

    fn cells(&self) -> [String; 6] {
        [
            harmless_line(&self.case),
            format!("Score = {}", self.score),
            self.relative.map_or("-".to_string(), percent),
            format!("{:.0}", self.mean),
            format!("{:.3}", self.seconds),
            harmless_line(self.reason.as_deref().unwrap_or_default()),
        ]
    }
}

/// The report of a run.
#[derive(Serialize)]
pub(crate) struct Judgement {
    game: String,
    contestant: String,
    #[serde(skip)]
    is_program: bool,
    limit: String,
    interrupted: bool,
    pub(crate) cases: Vec<Judged>,
    mean: Option<Mean>,
    total: u64,
    /// The mean share of the best scores before.
    relative: Option<f64>,
    /// Cases with an earlier best score, and cases that beat it.
    compared: usize,
    new_bests: usize,
    /// The case that took the longest time.
    slowest: Option<Slowest>,
    faults: BTreeMap<&'static str, u64>,
    concurrency: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct Slowest {
    case: String,
    seconds: f64,
}

impl Judgement {
    pub(crate) fn new(
        game: &str,
        contestant: &Contestant,
        settings: &JudgeSettings,
        cases: Vec<Judged>,
        interrupted: bool,
        took: Duration,
    ) -> Judgement {
        let scores: Vec<f64> = cases.iter().map(|case| f64::from(case.score)).collect();
        let shares: Vec<f64> = cases.iter().filter_map(|case| case.relative).collect();
        let mut faults = BTreeMap::new();
        for fault in cases.iter().filter_map(|case| case.fault) {
            *faults.entry(fault).or_default() += 1;
        }
        let slowest = cases.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
        Judgement {
            game: game.to_string(),
            contestant: contestant.to_string(),
            is_program: matches!(contestant, Contestant::Program(_)),
            limit: format!("{} a case", settings.limit),
            interrupted,
            mean: Mean::of(&scores),
            total: cases.iter().map(|case| u64::from(case.score)).sum(),
            relative: Mean::of(&shares).and_then(|mean| mean.value()),
            compared: cases.iter().filter(|case| case.best.is_some()).count(),
            new_bests: cases.iter().filter(|case| case.best.is_some_and(|best| f64::from(case.score) > best)).count(),
            slowest: slowest.map(|case| Slowest { case: case.case.clone(), seconds: case.seconds }),
            faults,
            concurrency: settings.concurrency,
            seconds: took.as_secs_f64(),
            cases,
        }
    }

    /// Fails if every case ended by a fault.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match &self.cases[..] {
            [first, ..] if self.cases.iter().all(|case| case.fault.is_some()) => {
                let reason = first.reason.as_deref().unwrap_or_default();
                Err(Failure::of_check(format!("no case was played to its end; in case {} {reason}", first.case)))
            }
            _ => Ok(()),
        }
    }

    /// The facts beside the cases, each with its name.
    pub(crate) fn facts(&self) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        let mut fact = |name: &str, value: String| facts.push((name.to_string(), value));
        let count = match self.interrupted {
            true => format!("{}; interrupted, so only those until then", counted(self.cases.len(), "cases")),
            false => counted(self.cases.len(), "cases"),
        };
        let interval = if self.cases.len() > 1 { " (95 % interval)" } else { "" };
        if let Some(mean) = self.mean {
            fact("mean", format!("{mean:.0}{interval}, {count}"));
        }
        fact("total", HumanCount(self.total).to_string());
        if let Some(relative) = self.relative {
            fact(
                "of best",
                format!(
                    "{} on average; new bests: {} of {}",
                    percent(relative),
                    self.new_bests,
                    counted(self.compared, "cases")
                ),
            );
        }
        if let Some(Slowest { case, seconds }) = &self.slowest {
            fact("slowest", format!("{seconds:.3} s, case {case}"));
        }
        if let Some(worst) = self.cases.iter().find(|case| case.fault.is_some()) {
            let all: Vec<String> = self.faults.iter().map(|(fault, count)| format!("{fault} {count}")).collect();
            let reason = worst.reason.as_deref().unwrap_or_default();
            let is_mute = self.is_program && worst.fault == Some("late") && reason.starts_with("in turn 1 ");
            let cure = if is_mute { "; a line arrives only when the program flushes it" } else { "" };
            fact("faults", format!("{}; the first in case {}: {reason}{cure}", all.join(", "), worst.case));
        }
        fact("limit", self.limit.clone());
        fact("took", format!("{:.1} s, {} at a time", self.seconds, self.concurrency));
        facts
    }
}

/// The last cases, while a run goes on.
pub(crate) fn live_rows(cases: &[Judged]) -> String {
    table(&cases[cases.len().saturating_sub(LIVE)..])
}

/// The report as text: a line for each case, and the totals.
pub(crate) fn text(judgement: &Judgement) -> String {
    let mut text = table(&judgement.cases) + "\n\n";
    for (name, value) in judgement.facts() {
        let _ = writeln!(text, " {name:<9} {value}");
    }
    if let Some(case) = judgement.cases.iter().find(|case| !case.said.trim().is_empty()) {
        let lines: Vec<&str> = case.said.trim_end().lines().collect();
        let last = lines[lines.len().saturating_sub(SAID)..].join("\n");
        let _ =
            writeln!(text, "\nstandard error of case {} ends with:\n{}", harmless_line(&case.case), harmless(&last));
    }
    text
}

fn table(cases: &[Judged]) -> String {
    let columns =
        [("case", Left), ("score", Right), ("of best", Right), ("mean", Right), ("seconds", Right), ("fault", Left)];
    let mut table = plain_table(&columns);
    for case in cases {
        table.add_row(case.cells());
    }
    table.trim_fmt()
}
