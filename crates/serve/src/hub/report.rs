//! Reports of searches as data for the page.

use boughs::{Report, StopReason};
use boughs_arena::statistics::share_interval;
use serde_json::{Value, json};

/// The most children of a report that the page gets.
const MOST_CHILDREN: usize = 400;

/// A report as data. `busy` is the number of cores that work, where the system tells.
pub(super) fn report(report: &Report, busy: Option<f64>) -> Value {
    let unit = report.unit();
    let children: Vec<Value> = report
        .children
        .iter()
        .take(MOST_CHILDREN)
        .map(|child| {
            let has_interval = unit == "win rate" && child.playouts > 0;
            let interval = has_interval.then(|| share_interval(child.mean, child.playouts));
            let mean = child.value.unwrap_or(child.mean);
            json!({
                "text": child.text, "playouts": child.playouts, "mean": mean, "interval": interval,
                "proven": child.proven, "strategy": child.strategy,
                "line": child.line.iter().map(|step| &step.text).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "best": report.best.as_ref().map(|best| &best.text), "children": children, "moves": report.children.len(),
        "line": report.pv.iter().map(|step| &step.text).collect::<Vec<_>>(), "scores": unit != "win rate",
        "unit": unit,
        "iterations": report.iterations, "inherited": report.inherited, "perSecond": report.playouts_per_second,
        "depth": report.depth, "bytes": report.bytes, "seconds": report.seconds, "stop": report.stop.name(),
        "isProven": report.stop == StopReason::Proven, "busy": busy,
        "plan": report.best_playout.as_ref().map(|plan| json!({
            "score": plan.score, "moves": plan.moves.iter().map(|step| &step.text).collect::<Vec<_>>(),
        })),
        "warnings": report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

/// A report of a position that the viewer may not know: the figures of the search alone.
pub(super) fn closed(report: &Report, best: Option<String>, busy: Option<f64>) -> Value {
    json!({
        "best": best, "children": [], "moves": 0, "line": [], "scores": report.scores, "unit": report.unit(),
        "isClosed": true,
        "iterations": report.iterations, "inherited": report.inherited, "perSecond": report.playouts_per_second,
        "depth": 0, "bytes": report.bytes, "seconds": report.seconds, "stop": "", "isProven": false,
        "busy": busy, "plan": null, "warnings": [],
    })
}
