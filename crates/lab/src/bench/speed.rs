//! How fast a game is searched, and how fast it could be.

use std::thread;
use std::time::Duration;

use boughs::{Game, Search};
use boughs_games::{Listed, Visitor};

use super::{BenchError, Line, Plan};
use crate::measure::{Spread, Timed, first_decision, roof};

/// Measures roof and search in turns, from the first position in which a player acts.
pub(super) struct Stopwatch<'p> {
    pub(super) plan: &'p Plan,
    pub(super) game: &'p str,
    pub(super) checksum: Option<String>,
}

impl Visitor for Stopwatch<'_> {
    type Output = Result<Line, BenchError>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let Stopwatch { plan, game, checksum } = self;
        let start = first_decision(start);
        let rounds: Vec<Round> = (0..plan.rounds.max(1)).map(|_| Round::run(&start, plan)).collect::<Result<_, _>>()?;
        let of = |value: fn(&Round) -> f64| Spread::of(rounds.iter().map(value)).median;
        let busy: Option<Vec<f64>> = rounds.iter().map(|round| round.cores_busy).collect();
        Ok(Line {
            game: game.to_string(),
            checksum,
            playouts_per_second: of(|round| round.speed),
            roof: of(|round| round.roof),
            share: of(|round| round.speed / round.roof),
            bytes_per_playout: of(|round| round.bytes_per_playout),
            cores_busy: busy.map(|busy| Spread::of(busy).median),
            release_ms: of(|round| round.release_ms),
            return_ms: of(|round| round.return_ms),
        })
    }
}

/// The roof and one search under it.
struct Round {
    roof: f64,
    speed: f64,
    bytes_per_playout: f64,
    cores_busy: Option<f64>,
    release_ms: f64,
    return_ms: f64,
}

impl Round {
    fn run<G: Game>(start: &G, plan: &Plan) -> Result<Round, BenchError> {
        let (playouts, without_tree) = roof(start, plan.iterations, plan.threads())?;
        let mut search = Search::new(start.clone(), plan.settings.clone())?;
        let (report, timed) = Timed::run(|| search.run(plan.budget()));
        let report = report?;
        let ((), release) = Timed::run(|| search.reset(start.clone()));
        // A worker that is just leaving holds the tree a moment longer, and would return its memory instead.
        thread::sleep(Duration::from_millis(1));
        let ((), memory_return) = Timed::run(|| drop(search));
        Ok(Round {
            roof: playouts as f64 / without_tree.wall,
            speed: report.playouts_per_second,
            bytes_per_playout: report.bytes as f64 / report.iterations.max(1) as f64,
            cores_busy: timed.cores_busy(),
            release_ms: release.wall * 1e3,
            return_ms: memory_return.wall * 1e3,
        })
    }
}
