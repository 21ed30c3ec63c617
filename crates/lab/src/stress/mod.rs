//! Timed moves, requested as a contest requests them, and how late their answers come.
//!
//! A bot that is late once loses, so the worst of thousands of moves counts, not the usual one. The clock of a move
//! starts when the request arrives. Then the previous move is applied, which keeps the tree, or a new game begins. The
//! search has the time until `time - margin` after the request, and the clock stops when the caller has the answer. The
//! *overrun* is the time from the limit to the answer; it is negative for an early answer. The margin is at least the
//! one asked for, and wider by the delays of the machine ([`DelayMeter`](boughs::DelayMeter)), as in `boughs bot`.
//!
//! A bare thread sleeps until the deadline of each search too: what the system alone makes late.
//!
//! Two causes of late answers in contests can be reproduced: pauses between moves, in which threads fall asleep and
//! caches go cold ([`StressPlan::jitter`]), and other threads that want the same cores ([`StressPlan::load`]).

mod bot;
mod cost;
mod load;
mod overrun;
mod sleeper;

use std::time::Duration;

use boughs::{SearchError, Settings, StopFlag};
use boughs_games::StartedGame;
use serde::Serialize;

use crate::measure::{Spread, Timed};
use bot::{Answer, Bot};
pub use cost::Cost;
use load::under_load;
pub use overrun::{Beyond, Bucket, Overrun};

/// The moves of a stress run.
#[derive(Clone, Debug)]
pub struct StressPlan {
    /// The agent that plays both sides.
    pub settings: Settings,
    /// The limit of a move.
    pub time: Duration,
    /// The least time before the limit at which the search ends.
    pub margin: Duration,
    /// The number of moves.
    pub moves: u64,
    /// The longest pause before a request. Each pause has a random length, as if an opponent were thinking.
    pub jitter: Duration,
    /// The number of threads that compete for the cores meanwhile.
    pub load: usize,
}

impl Default for StressPlan {
    /// A contest's usual move, on an idle machine.
    fn default() -> StressPlan {
        StressPlan {
            settings: Settings::default(),
            time: Duration::from_millis(50),
            margin: Duration::ZERO,
            moves: 2_000,
            jitter: Duration::ZERO,
            load: 0,
        }
    }
}

/// The results of a stress run.
#[derive(Clone, Debug, Serialize)]
pub struct Stress {
    /// The agent that played.
    pub agent: String,
    /// The number of threads that searched.
    pub threads: usize,
    /// The number of threads that competed with them.
    pub load: usize,
    /// The limit of a move in milliseconds.
    pub time_ms: f64,
    /// The least time before the limit at which searches ended, in milliseconds.
    pub margin_ms: f64,
    /// That time as the delays of the machine made it, in milliseconds.
    pub margins_ms: Spread,
    /// The delay of the machine before each move, in milliseconds: how late threads woke in the last seconds.
    pub delays_ms: Spread,
    /// The fixed margin that would have kept all answers within the limit, in milliseconds.
    pub enough_ms: f64,
    /// The same for 999 in 1,000 answers.
    pub enough_999_ms: f64,
    /// The mean share of a move's time that delays took off the search, beyond the least margin.
    pub share_widened: f64,
    /// The longest pause before a move in milliseconds.
    pub jitter_ms: f64,
    /// The number of moves asked for.
    pub asked: u64,
    /// The number of moves made, which is smaller if the run was stopped.
    pub moves: u64,
    /// The number of games begun.
    pub games: u64,
    /// The overrun of the answers.
    pub overrun: Overrun,
    /// The same of a bare thread that slept until the deadline of each search: what the system alone makes late.
    pub sleeps: Overrun,
    /// Playouts of a move.
    pub playouts: Spread,
    /// The share of a core that each searching thread got while a move was on the clock, where the system tells.
    pub utilisation: Option<f64>,
    /// The cost of the least margin; `None` if there is none, or the run was stopped.
    pub cost: Option<Cost>,
}

/// Makes the moves of the plan until the flag is raised. `see` is called after each move with the number of moves made.
///
/// Returns `None` if no move was made.
///
/// # Errors
/// If the game cannot be searched, or the system has no threads to give.
pub fn run(
    game: &StartedGame,
    plan: &StressPlan,
    stop: &StopFlag,
    see: &mut dyn FnMut(u64),
) -> Result<Option<Stress>, SearchError> {
    let mut bot = Bot::new(&*game.position, plan, stop)?;
    let ((answers, timed), load_seconds) = under_load(plan.load, || Timed::run(|| play(&mut bot, plan.moves, see)))?;
    let answers = answers?;
    if answers.is_empty() {
        return Ok(None);
    }
    let (threads, games) = (bot.threads(), bot.games());
    // The next search needs its memory.
    // A search that was interrupted has no answer.
    let sleeps = bot.sleeps(answers.len());
    let on_the_clock: f64 = answers.iter().map(|answer| plan.time.as_secs_f64() + answer.overrun).sum();
    let own_seconds = timed.cpu.zip(load_seconds).map(|(all, load)| all - load);
    let cost =
        if plan.margin.is_zero() { None } else { under_load(plan.load, || cost::measure(game, plan, stop))?.0? };
    let milliseconds_of = |of: fn(&Answer) -> f64| Spread::of(answers.iter().map(|answer| of(answer) * 1e3));
    let enough = Overrun::of(answers.iter().map(|answer| (answer.margin + answer.overrun).max(0.0) * 1e3));
    let widened = answers.iter().map(|answer| answer.margin - plan.margin.as_secs_f64()).sum::<f64>();
    let to_search = plan.time.saturating_sub(plan.margin).as_secs_f64() * answers.len() as f64;
    Ok(Some(Stress {
        agent: plan.settings.to_string(),
        threads,
        load: plan.load,
        time_ms: milliseconds(plan.time),
        margin_ms: milliseconds(plan.margin),
        margins_ms: milliseconds_of(|answer| answer.margin),
        delays_ms: milliseconds_of(|answer| answer.delay),
        enough_ms: enough.max,
        enough_999_ms: enough.p999,
        share_widened: widened / to_search,
        jitter_ms: milliseconds(plan.jitter),
        asked: plan.moves,
        moves: answers.len() as u64,
        games,
        overrun: Overrun::of(answers.iter().map(|answer| answer.overrun * 1e3)),
        sleeps: Overrun::of(sleeps.into_iter().map(|overrun| overrun * 1e3)),
        playouts: Spread::of(answers.iter().map(|answer| answer.playouts as f64)),
        utilisation: own_seconds.map(|seconds| seconds.max(0.0) / (threads as f64 * on_the_clock)),
        cost,
    }))
}

fn play(bot: &mut Bot<'_>, moves: u64, see: &mut dyn FnMut(u64)) -> Result<Vec<Answer>, SearchError> {
    let mut answers = Vec::new();
    while (answers.len() as u64) < moves {
        let Some(answer) = bot.answer()? else { break };
        answers.push(answer);
        see(answers.len() as u64);
    }
    Ok(answers)
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs_games::start;

    fn plan(moves: u64) -> StressPlan {
        let settings = Settings { memory: 16 << 20, ..Settings::default() };
        StressPlan { settings, time: Duration::from_millis(2), moves, ..StressPlan::default() }
    }

    fn stress(game: &str, plan: &StressPlan) -> Stress {
        run(&start(game).unwrap(), plan, &StopFlag::default(), &mut |_| {}).unwrap().unwrap()
    }

    #[test]
    fn every_move_is_measured_over_as_many_games_as_it_takes() {
        let mut seen = Vec::new();
        let game = start("tictactoe").unwrap();
        let stress = run(&game, &plan(25), &StopFlag::default(), &mut |moves| seen.push(moves));
        let stress = stress.unwrap().unwrap();
        assert_eq!(seen, (1..=25).collect::<Vec<u64>>());
        assert_eq!(stress.moves, 25);
        assert!((3..=5).contains(&stress.games), "{stress:?}");
        assert_eq!(stress.overrun.histogram.iter().map(|bucket| bucket.moves).sum::<u64>(), 25);
        assert_eq!(stress.sleeps.histogram.iter().map(|bucket| bucket.moves).sum::<u64>(), 25);
        assert!(stress.playouts.high > 0.0 && stress.cost.is_none());
    }

    #[test]
    fn a_margin_makes_answers_earlier_and_costs_playouts() {
        let early = StressPlan { margin: Duration::from_micros(1_500), ..plan(20) };
        let (early, late) = (stress("connect4", &early), stress("connect4", &plan(20)));
        assert!(early.overrun.min < -0.5, "{early:?}");
        assert!(late.overrun.min > -1.1, "delays take half of the time at most: {late:?}");
        assert!(late.margins_ms.high <= 1.0 && early.margins_ms.low >= 1.5, "{early:?}");
        let cost = early.cost.unwrap();
        assert!(cost.playouts_without > cost.playouts_with && cost.share_lost > 0.0, "{cost:?}");
    }

    #[test]
    fn pauses_are_not_on_the_clock_of_a_move() {
        let paused = StressPlan { jitter: Duration::from_millis(60), ..plan(10) };
        let (stress, timed) = Timed::run(|| stress("connect4", &paused));
        // The pauses alone take 30 ms on average.
        assert!(timed.wall > 0.1, "{timed:?}");
        assert!(stress.overrun.p50 < 20.0, "{stress:?}");
    }

    #[test]
    fn the_processor_time_of_the_load_is_not_the_searches() {
        let loaded = StressPlan { load: 2, time: Duration::from_millis(20), ..plan(5) };
        let stress = stress("connect4", &loaded);
        assert_eq!(stress.load, 2);
        // Half as much again leaves room for the reading of answers, but not for a second thread.
        assert!(stress.utilisation.is_none_or(|share| share > 0.0 && share < 1.5), "{stress:?}");
    }

    #[test]
    fn a_raised_flag_ends_the_run_with_the_moves_so_far() {
        let stop = StopFlag::default();
        let mut see = |moves| {
            if moves == 7 {
                stop.raise();
            }
        };
        let game = start("connect4").unwrap();
        let stress = run(&game, &plan(1_000_000), &stop, &mut see).unwrap().unwrap();
        assert_eq!(stress.moves, 7);
        assert!(run(&game, &plan(5), &stop, &mut |_| {}).unwrap().is_none());
    }
}
