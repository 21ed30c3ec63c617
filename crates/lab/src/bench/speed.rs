//! The speed of a game's search beside the no-tree baseline.

use std::thread;
use std::time::Duration;

use boughs::Session;

use super::{BenchError, BenchPlan, BenchRow};
use crate::measure::{Spread, Timed, first_decision};
use crate::no_tree::no_tree_baseline;

/// Measures baseline and search in turns, from the first position in which a player acts.
pub(super) fn measure(
    game: &str,
    start: Box<dyn Session>,
    plan: &BenchPlan,
    checksum: Option<String>,
) -> Result<BenchRow, BenchError> {
    let start = first_decision(start);
    let rounds: Vec<Round> = (0..plan.rounds.max(1)).map(|_| Round::run(&*start, plan)).collect::<Result<_, _>>()?;
    let of = |value: fn(&Round) -> f64| Spread::of(rounds.iter().map(value)).median;
    let busy: Option<Vec<f64>> = rounds.iter().map(|round| round.cores_busy).collect();
    Ok(BenchRow {
        game: game.to_string(),
        checksum,
        playouts_per_second: of(|round| round.speed),
        no_tree_baseline: of(|round| round.no_tree_baseline),
        share: of(|round| round.speed / round.no_tree_baseline),
        bytes_per_playout: of(|round| round.bytes_per_playout),
        cores_busy: busy.map(|busy| Spread::of(busy).median),
        release_ms: of(|round| round.release_ms),
        return_ms: of(|round| round.return_ms),
    })
}

/// The baseline and one search.
struct Round {
    no_tree_baseline: f64,
    speed: f64,
    bytes_per_playout: f64,
    cores_busy: Option<f64>,
    release_ms: f64,
    return_ms: f64,
}

impl Round {
    fn run(start: &dyn Session, plan: &BenchPlan) -> Result<Round, BenchError> {
        let (playouts, without_tree) = no_tree_baseline(start, plan.iterations, plan.threads())?;
        let mut search = boughs_agents::tree_search(start, plan.settings.clone())?;
        let (report, timed) = Timed::run(|| search.run(plan.budget()));
        let report = report?;
        let (reset, release) = Timed::run(|| search.reset(start));
        reset?;
        // A worker that is just leaving holds the tree a moment longer, and would return its memory instead.
        thread::sleep(Duration::from_millis(1));
        let ((), memory_return) = Timed::run(|| drop(search));
        Ok(Round {
            no_tree_baseline: playouts as f64 / without_tree.wall,
            speed: report.playouts_per_second,
            bytes_per_playout: report.bytes as f64 / report.iterations.max(1) as f64,
            cores_busy: timed.cores_busy(),
            release_ms: release.wall * 1e3,
            return_ms: memory_return.wall * 1e3,
        })
    }
}
