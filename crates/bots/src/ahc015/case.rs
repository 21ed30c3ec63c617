//! One case, played by an agent from the first candy to the last.

use std::time::{Duration, Instant};

use boughs::{Agent, SearchError, StopFlag};
use boughs_games::ahc015::{Ahc015, CELLS, Case, Tilt};

use super::{CaseClock, Choice, Player};

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
    clock: CaseClock,
) -> Result<Outcome, SearchError> {
    let began = Instant::now();
    let mut outcome = Outcome {
        score: 0,
        tilts: Vec::with_capacity(CELLS),
        values: Vec::with_capacity(CELLS),
        playouts: 0,
        time: Duration::ZERO,
        slowest: Duration::ZERO,
    };
    let mut player = Player::begin(agent, case.flavours, seed, clock, StopFlag::default());
    for placement in case.placements {
        let asked = Instant::now();
        let Choice { tilt, values, playouts } = player.answer(placement)?;
        outcome.tilts.push(tilt);
        outcome.values.push(values);
        outcome.playouts += playouts;
        outcome.slowest = outcome.slowest.max(asked.elapsed());
    }
    outcome.score = player.position().score();
    outcome.time = began.elapsed();
    Ok(outcome)
}
