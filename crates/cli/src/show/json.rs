//! An analysis as JSON.

use std::collections::BTreeMap;

use boughs::{Child, Report, StopReason, Warning};
use boughs_agents::AgentSpec;
use serde::Serialize;

use crate::args::Limits;

/// The question and its answer.
#[derive(Serialize)]
pub(crate) struct JsonAnalysis<'r> {
    #[serde(flatten)]
    pub(crate) question: JsonQuestion,
    #[serde(flatten)]
    pub(crate) ranks: Option<JsonRanks>,
    #[serde(flatten)]
    pub(crate) report: JsonReport<'r>,
}

/// The ranks of a search with `--mpi`.
#[derive(Serialize)]
pub(crate) struct JsonRanks {
    ranks: usize,
    /// True if another rank gave no sign in time.
    degraded: bool,
}

impl JsonRanks {
    pub(crate) fn of(ranks: usize, report: &Report) -> JsonRanks {
        JsonRanks { ranks, degraded: report.warnings.contains(&Warning::RankLost) }
    }
}

/// All that a search depends on.
#[derive(Serialize)]
pub(crate) struct JsonQuestion {
    /// The version of this program.
    version: &'static str,
    /// The game with its options.
    game: String,
    /// The moves that lead to the position, as the game writes them.
    position: String,
    /// The text of the agent.
    agent: String,
    /// Every key of the agent, those with their default included.
    settings: BTreeMap<&'static str, String>,
    seed: u64,
    threads: usize,
    limits: JsonLimits,
}

#[derive(Serialize)]
struct JsonLimits {
    /// The time in seconds; null without such a limit.
    time: Option<f64>,
    /// The playouts; null without such a limit.
    iterations: Option<u64>,
    early_stop: bool,
}

impl JsonQuestion {
    pub(crate) fn new(
        game: &str,
        position: String,
        agent: &AgentSpec,
        limits: &Limits,
        early_stop: bool,
    ) -> JsonQuestion {
        JsonQuestion {
            version: env!("CARGO_PKG_VERSION"),
            // A spec may contain white space, which says nothing.
            game: game.split_whitespace().collect(),
            position,
            agent: agent.to_string(),
            settings: agent.values().into_iter().collect(),
            seed: agent.seed(),
            threads: boughs::run::threads(agent.threads()),
            limits: JsonLimits {
                time: limits.time().map(|time| time.as_secs_f64()),
                iterations: limits.iterations,
                early_stop,
            },
        }
    }
}

/// The reason for fewer playouts than were asked for, and how to get all.
pub(crate) fn remark(report: &Report) -> Option<&'static str> {
    let remark = "no other move can overtake the best one; --no-early-stop uses up the limits";
    (report.stop == StopReason::Decided).then_some(remark)
}

/// A report with its keys in the order of reading. Actions are their texts.
#[derive(Serialize)]
pub(crate) struct JsonReport<'r> {
    best: Option<&'r str>,
    children: Vec<JsonChild<'r>>,
    pv: Vec<&'r str>,
    /// Present in games for one player only.
    #[serde(skip_serializing_if = "Option::is_none")]
    best_playout: Option<JsonPlan<'r>>,
    iterations: u64,
    inherited: u64,
    playouts_per_second: f64,
    depth: u32,
    bytes: usize,
    seconds: f64,
    stop: &'static str,
    /// The reason for fewer playouts than were asked for; null if there is nothing to say.
    remark: Option<&'static str>,
    warnings: Vec<String>,
}

#[derive(Serialize)]
struct JsonPlan<'r> {
    score: f64,
    moves: Vec<&'r str>,
}

#[derive(Serialize)]
struct JsonChild<'r> {
    action: &'r str,
    playouts: u64,
    /// The mean reward of the playouts; null where moves are compared by values.
    mean: Option<f64>,
    /// The value of the move in the scale of the game's evaluation. Present where moves are compared by values.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    proven: Option<f64>,
    /// Present with regret matching only.
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<f64>,
    /// Left out where there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<&'r str>,
}

impl<'r> JsonReport<'r> {
    pub(crate) fn of(report: &'r Report) -> JsonReport<'r> {
        let child = |child: &'r Child| JsonChild {
            action: &child.text,
            playouts: child.playouts,
            mean: child.value.is_none().then_some(child.mean),
            value: child.value,
            proven: child.proven,
            strategy: child.strategy,
            line: child.line.iter().map(|step| step.text.as_str()).collect(),
        };
        JsonReport {
            best: report.best.as_ref().map(|best| best.text.as_str()),
            children: report.children.iter().map(child).collect(),
            pv: report.pv.iter().map(|step| step.text.as_str()).collect(),
            best_playout: report.best_playout.as_ref().map(|plan| JsonPlan {
                score: plan.score,
                moves: plan.moves.iter().map(|step| step.text.as_str()).collect(),
            }),
            iterations: report.iterations,
            inherited: report.inherited,
            playouts_per_second: report.playouts_per_second,
            depth: report.depth,
            bytes: report.bytes,
            seconds: report.seconds,
            stop: report.stop.name(),
            remark: remark(report),
            warnings: report.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}
