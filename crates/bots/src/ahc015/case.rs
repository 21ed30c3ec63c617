//! One case, played by an agent from the first candy to the last.

use std::time::{Duration, Instant};

use boughs::{Agent, Game, SearchError};
use boughs_games::ahc015::{Ahc015, CELLS, Case, Step, Tilt};

use super::CaseClock;

/// How a case went.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The contest's score.
    pub score: u32,
    /// The tilts.
    pub tilts: Vec<Tilt>,
    /// What each tilt was thought to be worth in each turn, in the order of [`Tilt::ALL`]; `None` where it was not looked at.
    pub values: Vec<[Option<f64>; 4]>,
    /// Playouts of the whole case.
    pub playouts: u64,
    /// How long it took.
    pub time: Duration,
    /// How long its slowest turn took.
    pub slowest: Duration,
}

/// Plays a case. The agent is told nothing but the flavours and, one by one, the placements.
///
/// # Errors
/// If the agent fails.
pub fn play_case(
    agent: &mut dyn Agent<Ahc015>,
    case: &Case,
    seed: u64,
    mut clock: CaseClock,
) -> Result<Outcome, SearchError> {
    let began = Instant::now();
    agent.begin(Ahc015::new(case.flavours), seed);
    let mut outcome = Outcome {
        score: 0,
        tilts: Vec::with_capacity(CELLS),
        values: Vec::with_capacity(CELLS),
        playouts: 0,
        time: Duration::ZERO,
        slowest: Duration::ZERO,
    };
    for (turn, &placement) in case.placements.iter().enumerate() {
        let asked = Instant::now();
        agent.advance(Step::Place(placement))?;
        let report = agent.search(clock.for_turn(turn), &mut |_| ())?;
        clock.spend(report.iterations);
        let tilt = match report.best_action() {
            Some(Step::Tilt(tilt)) => tilt,
            // A deadline may come before the first playout.
            _ => Tilt::Front,
        };
        let value = |tilt| report.children.iter().find(|child| child.action == Step::Tilt(tilt) && child.playouts > 0);
        outcome.values.push(Tilt::ALL.map(|tilt| value(tilt).map(|child| child.mean)));
        outcome.tilts.push(tilt);
        outcome.playouts += report.iterations;
        agent.advance(Step::Tilt(tilt))?;
        outcome.slowest = outcome.slowest.max(asked.elapsed());
    }
    outcome.score = agent.position().reward(0) as u32;
    outcome.time = began.elapsed();
    Ok(outcome)
}
