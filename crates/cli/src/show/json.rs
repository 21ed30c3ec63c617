//! A report as JSON.

use boughs::{Child, Report};
use serde::Serialize;

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
    mean: f64,
    proven: Option<f64>,
    /// Present with regret matching only.
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<f64>,
}

impl<'r> JsonReport<'r> {
    pub(crate) fn of(report: &'r Report) -> JsonReport<'r> {
        let child = |child: &'r Child| JsonChild {
            action: &child.text,
            playouts: child.playouts,
            mean: child.mean,
            proven: child.proven,
            strategy: child.strategy,
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
            warnings: report.warnings.iter().map(ToString::to_string).collect(),
        }
    }
}
