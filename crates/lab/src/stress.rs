//! Timed moves, made as a contest asks for them, and how late their answers were.
//!
//! A bot that is late once loses, so what counts is not the usual move but the worst of thousands. The clock of a move
//! starts when the request arrives; then the move played before is read, which keeps the tree, or a new game begins; the
//! search has what is left until `time - margin` after the request; and the clock stops when the answer is in the
//! caller's hands. The *overrun* is how much later than `time` that was, and negative where it was earlier.
//!
//! What makes bots late in contests can be had here: pauses between the moves, in which threads fall asleep and caches
//! go cold ([`Plan::jitter`]), and other threads that want the same cores ([`Plan::load`]).

mod bot;
mod cost;
mod load;
mod overrun;

use std::time::Duration;

use boughs::{Game, SearchError, Settings, StopFlag};
use boughs_games::Listed;
use serde::Serialize;

use crate::measure::{Spread, Timed};
use bot::{Answer, Bot};
pub use cost::Cost;
use load::under_load;
pub use overrun::{Beyond, Bucket, Overrun};

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The agent that plays both sides.
    pub settings: Settings,
    /// The limit of a move.
    pub time: Duration,
    /// How long before the limit the search is to end.
    pub margin: Duration,
    /// Moves to make.
    pub moves: u64,
    /// Before each request nothing happens for a random time of at most this, as while an opponent thinks.
    pub jitter: Duration,
    /// Threads that compete for the cores meanwhile.
    pub load: usize,
}

impl Default for Plan {
    /// A contest's usual move, on an idle machine.
    fn default() -> Plan {
        Plan {
            settings: Settings::default(),
            time: Duration::from_millis(50),
            margin: Duration::ZERO,
            moves: 2_000,
            jitter: Duration::ZERO,
            load: 0,
        }
    }
}

/// What a run measured.
#[derive(Clone, Debug, Serialize)]
pub struct Stress {
    /// The agent that played.
    pub agent: String,
    /// Threads that searched.
    pub threads: usize,
    /// Threads that competed with them.
    pub load: usize,
    /// The limit of a move in milliseconds.
    pub time_ms: f64,
    /// How long before the limit the search was to end, in milliseconds.
    pub margin_ms: f64,
    /// The longest pause before a move in milliseconds.
    pub jitter_ms: f64,
    /// Moves that were asked for.
    pub asked: u64,
    /// Moves that were made, fewer if the run was stopped.
    pub moves: u64,
    /// Games that were begun.
    pub games: u64,
    /// How much later than the limit the answers were.
    pub overrun: Overrun,
    /// Playouts of a move.
    pub playouts: Spread,
    /// The share of a core that each searching thread got while a move was on the clock, where the system tells.
    pub utilisation: Option<f64>,
    /// What the margin costs; `None` if there is no margin, or the run was stopped.
    pub cost: Option<Cost>,
}

/// Makes the moves of the plan until the flag is raised. `see` hears after each move how many are done.
///
/// Returns `None` if there was no move at all.
///
/// # Errors
/// If the game cannot be searched, or the system has no threads to give.
pub fn run<G: Listed>(
    start: &G,
    plan: &Plan,
    stop: &StopFlag,
    see: &mut dyn FnMut(u64),
) -> Result<Option<Stress>, SearchError> {
    let mut bot = Bot::new(start, plan, stop)?;
    let ((answers, timed), load_seconds) = under_load(plan.load, || Timed::run(|| play(&mut bot, plan.moves, see)))?;
    let answers = answers?;
    if answers.is_empty() {
        return Ok(None);
    }
    let (threads, games) = (bot.threads(), bot.games());
    // Its memory is wanted by the next search.
    drop(bot);
    let on_the_clock: f64 = answers.iter().map(|answer| plan.time.as_secs_f64() + answer.overrun).sum();
    let own_seconds = timed.cpu.zip(load_seconds).map(|(all, load)| all - load);
    let cost =
        if plan.margin.is_zero() { None } else { under_load(plan.load, || cost::measure(start, plan, stop))?.0? };
    Ok(Some(Stress {
        agent: plan.settings.to_string(),
        threads,
        load: plan.load,
        time_ms: milliseconds(plan.time),
        margin_ms: milliseconds(plan.margin),
        jitter_ms: milliseconds(plan.jitter),
        asked: plan.moves,
        moves: answers.len() as u64,
        games,
        overrun: Overrun::of(answers.iter().map(|answer| answer.overrun * 1e3)),
        playouts: Spread::of(answers.iter().map(|answer| answer.playouts as f64)),
        utilisation: own_seconds.map(|seconds| seconds.max(0.0) / (threads as f64 * on_the_clock)),
        cost,
    }))
}

fn play<G: Game>(bot: &mut Bot<'_, G>, moves: u64, see: &mut dyn FnMut(u64)) -> Result<Vec<Answer>, SearchError> {
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
    use boughs_games::connect4::Connect4;
    use boughs_games::tictactoe::TicTacToe;

    fn plan(moves: u64) -> Plan {
        let settings = Settings { memory: 16 << 20, ..Settings::default() };
        Plan { settings, time: Duration::from_millis(2), moves, ..Plan::default() }
    }

    fn stress<G: Listed>(start: G, plan: &Plan) -> Stress {
        run(&start, plan, &StopFlag::default(), &mut |_| {}).unwrap().unwrap()
    }

    #[test]
    fn every_move_is_measured_over_as_many_games_as_it_takes() {
        let mut seen = Vec::new();
        let stress = run(&TicTacToe::default(), &plan(25), &StopFlag::default(), &mut |moves| seen.push(moves));
        let stress = stress.unwrap().unwrap();
        assert_eq!(seen, (1..=25).collect::<Vec<u64>>());
        assert_eq!(stress.moves, 25);
        assert!((3..=5).contains(&stress.games), "{stress:?}");
        assert_eq!(stress.overrun.histogram.iter().map(|bucket| bucket.moves).sum::<u64>(), 25);
        assert!(stress.playouts.high > 0.0 && stress.cost.is_none());
    }

    #[test]
    fn a_margin_makes_answers_earlier_and_costs_playouts() {
        let early = Plan { margin: Duration::from_micros(1_500), ..plan(20) };
        let (early, late) = (stress(Connect4::default(), &early), stress(Connect4::default(), &plan(20)));
        assert!(early.overrun.min < -0.5, "{early:?}");
        assert!(late.overrun.min > -0.5, "searches use their time: {late:?}");
        let cost = early.cost.unwrap();
        assert!(cost.playouts_without > cost.playouts_with && cost.share_lost > 0.0, "{cost:?}");
    }

    #[test]
    fn pauses_are_not_on_the_clock_of_a_move() {
        let paused = Plan { jitter: Duration::from_millis(60), ..plan(10) };
        let (stress, timed) = Timed::run(|| stress(Connect4::default(), &paused));
        // The pauses alone take 30 ms on average.
        assert!(timed.wall > 0.1, "{timed:?}");
        assert!(stress.overrun.p50 < 20.0, "{stress:?}");
    }

    #[test]
    fn the_processor_time_of_the_load_is_not_the_searches() {
        let loaded = Plan { load: 2, time: Duration::from_millis(20), ..plan(5) };
        let stress = stress(Connect4::default(), &loaded);
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
        let stress = run(&Connect4::default(), &plan(1_000_000), &stop, &mut see).unwrap().unwrap();
        assert_eq!(stress.moves, 7);
        assert!(run(&Connect4::default(), &plan(5), &stop, &mut |_| {}).unwrap().is_none());
    }
}
