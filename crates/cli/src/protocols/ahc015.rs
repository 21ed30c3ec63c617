//! The interactive protocol of AHC015: a line with the flavours of all candies, then a hundred times the number of the
//! empty cell that a candy is put into, each answered with a tilt.

use std::time::Instant;

use boughs::StopFlag;
use boughs_agents::ahc015::{CaseClock, Player};
use boughs_games::NamedGame as _;
use boughs_games::ahc015::{Ahc015, CELLS, flavours_of};

use super::{Lines, Setup, tell_rollouts};
use crate::failure::Failure;
use crate::output::print;

pub(super) const GAME: &str = Ahc015::NAME;

/// Plays a case.
pub(super) fn play(first: &str, lines: &mut Lines, setup: &Setup<'_>) -> Result<(), Failure> {
    let flavours = flavours_of(first)?;
    let clock = match setup.began.checked_add(setup.time.saturating_sub(setup.margin)) {
        Some(deadline) => CaseClock::until(deadline),
        None => CaseClock::time(setup.time),
    };
    let mut agent = setup.agent.lenient_spec(GAME).build(&Ahc015::new(flavours))?;
    let mut player = Player::begin(&mut *agent, flavours, setup.agent.seed, clock, StopFlag::default())?;
    let mut answered = setup.began;
    for come in 0..CELLS {
        let line = lines.next()?.ok_or_else(|| {
            Failure::new(format!("the input ended after {come} of {CELLS} candies; each is a line with its empty cell"))
        })?;
        setup.meter.asked(lines.input.arrived().max(answered));
        player.reserve(setup.meter.margin(setup.margin, setup.time).saturating_sub(setup.margin));
        let answer = player.answer(placement(&line, CELLS - come, lines.read)?)?;
        print(&format!("{}\n", answer.tilt.letter()))?;
        answered = Instant::now();
        setup.meter.answered(None);
        tell_rollouts(answer.playouts);
    }
    Ok(())
}

/// Reads the number of the cell that a candy is put into, one of the `empty` ones.
fn placement(line: &str, empty: usize, number: u64) -> Result<u8, Failure> {
    let placement = line.trim().parse().ok().filter(|placement| (1..=empty).contains(&usize::from(*placement)));
    placement.ok_or_else(|| {
        Failure::new(format!("line {number} should be a number from 1 to {empty}, an empty cell, not '{line}'"))
    })
}
