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
            let samples = report.samples_of(child).filter(|_| unit == "win rate");
            let interval = samples.map(|samples| share_interval(child.mean, samples));
            json!({
                "text": child.text, "playouts": child.playouts, "mean": child.value.unwrap_or(child.mean),
                "interval": interval, "proven": child.proven, "strategy": child.strategy,
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

/// A report of a position that the viewer may not know. Even the figures of a search tell how many moves a player has.
pub(super) fn closed(report: &Report, best: Option<String>) -> Value {
    json!({
        "best": best, "children": [], "line": [], "scores": report.scores, "unit": report.unit(), "isClosed": true,
        "warnings": [],
    })
}

#[cfg(test)]
mod tests {
    use boughs::Budget;
    use boughs_agents::AgentSpec;

    use super::*;

    #[test]
    fn a_proven_move_and_a_mean_that_is_not_over_playouts_have_no_interval() {
        let mut position = boughs_games::start("connect4").unwrap().position;
        position.play_moves("4 4 5 5").unwrap();
        for (agent, has_interval) in [("mcts:solver=on", true), ("beam", false), ("expectimax:net=built-in", false)] {
            let spec: AgentSpec = agent.parse().unwrap();
            let found = spec.build(&*position).unwrap().search(Budget::iterations(20_000), &mut |_| ()).unwrap();
            let shown = report(&found, None);
            for child in shown["children"].as_array().unwrap() {
                let expected = has_interval && child["proven"].is_null();
                assert_eq!(child["interval"].is_array(), expected, "{agent}: {child}");
            }
        }
    }
}
