//! Reports of searches as data for the page.

use boughs::{Report, StopReason};
use serde_json::{Value, json};

/// The most children of a report that the page gets.
const MOST_CHILDREN: usize = 400;

/// The normal quantile of a 95 % interval.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// A report as data. `busy` is the number of cores that work, where the system tells.
pub(super) fn report(report: &Report, busy: Option<f64>) -> Value {
    let children: Vec<Value> = report
        .children
        .iter()
        .take(MOST_CHILDREN)
        .map(|child| {
            let interval = (!report.scores && child.playouts > 0).then(|| interval(child.mean, child.playouts));
            json!({
                "text": child.text, "playouts": child.playouts, "mean": child.mean, "interval": interval,
                "proven": child.proven, "strategy": child.strategy,
                "line": child.line.iter().map(|step| &step.text).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "best": report.best.as_ref().map(|best| &best.text), "children": children, "moves": report.children.len(),
        "line": report.pv.iter().map(|step| &step.text).collect::<Vec<_>>(), "scores": report.scores,
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
        "best": best, "children": [], "moves": 0, "line": [], "scores": report.scores, "isClosed": true,
        "iterations": report.iterations, "inherited": report.inherited, "perSecond": report.playouts_per_second,
        "depth": 0, "bytes": report.bytes, "seconds": report.seconds, "stop": "", "isProven": false,
        "busy": busy, "plan": null, "warnings": [],
    })
}

/// The 95 % interval of a win rate (Wilson 1927). Playouts of a tree search are no independent draws, because the
/// search goes where it wins: the interval says how far chance alone may have moved the mean.
fn interval(mean: f64, playouts: u64) -> [f64; 2] {
    let n = playouts as f64;
    let z2 = QUANTILE * QUANTILE;
    let middle = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = QUANTILE / (1.0 + z2 / n) * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    [(middle - half).max(0.0), (middle + half).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_their_mean_and_shrink() {
        let [low, high] = interval(0.5, 100);
        assert!((low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4, "{low} {high}");
        let [low, high] = interval(1.0, 10);
        assert!(high > 0.999_999 && (low - 0.7225).abs() < 1e-4, "{low}");
        assert!(interval(0.3, 10_000)[1] - interval(0.3, 10_000)[0] < 0.02);
    }
}
