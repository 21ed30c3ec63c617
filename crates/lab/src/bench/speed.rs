//! How fast a game is searched, and how fast it could be.

use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

use boughs::{Game, Rng, Search, SearchError, Turn};
use boughs_games::{Listed, Visitor};

use super::{BenchError, Line, Plan};
use crate::cpu;

/// Measures roof and search in turns, from the start of the game.
pub(super) struct Stopwatch<'p> {
    pub(super) plan: &'p Plan,
    pub(super) game: &'p str,
    pub(super) checksum: Option<String>,
}

impl Visitor for Stopwatch<'_> {
    type Output = Result<Line, BenchError>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let Stopwatch { plan, game, checksum } = self;
        let rounds: Vec<Round> = (0..plan.rounds.max(1)).map(|_| Round::run(&start, plan)).collect::<Result<_, _>>()?;
        let of = |value: fn(&Round) -> f64| median(rounds.iter().map(value).collect());
        let busy: Option<Vec<f64>> = rounds.iter().map(|round| round.cores_busy).collect();
        Ok(Line {
            game: game.to_string(),
            checksum,
            playouts_per_second: of(|round| round.speed),
            roof: of(|round| round.roof),
            share: of(|round| round.speed / round.roof),
            bytes_per_playout: of(|round| round.bytes_per_playout),
            cores_busy: busy.map(median),
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
        let roof = roof(start, plan.iterations, plan.threads())?;
        let mut search = Search::new(start.clone(), plan.settings.clone())?;
        let before = cpu::seconds();
        let report = search.run(plan.budget())?;
        let used = before.zip(cpu::seconds()).map(|(before, after)| after - before);
        let release_ms = milliseconds(|| search.reset(start.clone()));
        // A worker that is just leaving holds the tree a moment longer, and would return its memory instead.
        thread::sleep(Duration::from_millis(1));
        Ok(Round {
            roof,
            speed: report.playouts_per_second,
            bytes_per_playout: report.bytes as f64 / report.iterations.max(1) as f64,
            cores_busy: used.map(|used| used / report.seconds.max(1e-9)),
            release_ms,
            return_ms: milliseconds(|| drop(search)),
        })
    }
}

fn milliseconds(action: impl FnOnce()) -> f64 {
    let started = Instant::now();
    action();
    started.elapsed().as_secs_f64() * 1e3
}

/// Uniformly random playouts in a second, without a tree.
fn roof<G: Game>(start: &G, playouts: u64, threads: usize) -> Result<f64, SearchError> {
    let share = playouts.div_ceil(threads as u64);
    let started = Instant::now();
    thread::scope(|scope| {
        (0..threads as u64).try_for_each(|stream| {
            let work = move || play_out(start, share, Rng::new(0, stream));
            thread::Builder::new().spawn_scoped(scope, work).map(|_| ())
        })
    })
    .map_err(|error| SearchError::Threads(error.to_string()))?;
    Ok(share as f64 * threads as f64 / started.elapsed().as_secs_f64().max(1e-9))
}

/// Plays games out, as [`boughs::Light`] does, with everything in this loop: nothing the compiler could do better here
/// than in a search is held against the search.
#[inline(never)]
fn play_out<G: Game>(start: &G, playouts: u64, mut rng: Rng) {
    let mut scratch = Vec::new();
    for _ in 0..playouts {
        let mut position = start.clone();
        for _ in 0..G::MAX_PLIES {
            if position.turn() == Turn::Over {
                break;
            }
            let Some(action) = position.random_action(&mut rng, &mut scratch) else { break };
            position.apply(action);
        }
        black_box(position.reward(0));
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(vec![]), 0.0);
    }
}
