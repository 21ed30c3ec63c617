//! The interactive protocol of AHC015: a line with the flavours of all candies, then a hundred times the number of the
//! empty cell that a candy is put into, each answered with a tilt.

use std::time::Instant;

use boughs::StopFlag;
use boughs_agents::ahc015::{CaseClock, Player};
use boughs_games::ahc015::{Ahc015, CELLS, flavours_of};

use crate::{Fault, Lines, Setup, print};

/// Plays a case.
///
/// # Errors
/// If a line is not as it should be, or the agent fails.
pub fn play(lines: &mut Lines, setup: &Setup<'_>) -> Result<(), Fault> {
    let flavours = flavours_of(&lines.next_line()?.unwrap_or_default())?;
    let deadline = setup.began.checked_add(setup.time.saturating_sub(setup.margin));
    let clock = match (setup.iterations, deadline) {
        (Some(iterations), _) => CaseClock::playouts(iterations.saturating_mul(CELLS as u64)),
        (None, Some(deadline)) => CaseClock::until(deadline),
        (None, None) => CaseClock::time(setup.time),
    };
    let mut agent = (setup.build)(Ahc015::new(flavours).as_session())?;
    let mut player = Player::begin(&mut *agent, flavours, setup.seed, clock, StopFlag::default())?;
    let mut answered = setup.began;
    for come in 0..CELLS {
        let line = lines.next_line()?.ok_or_else(|| {
            format!("the input ended after {come} of {CELLS} candies; each is a line with its empty cell")
        })?;
        setup.meter.asked(lines.input.arrived().max(answered));
        player.reserve(setup.meter.margin(setup.margin, setup.time).saturating_sub(setup.margin));
        let answer = player.answer_alone(placement(&line, CELLS - come, lines.read)?)?;
        print(&format!("{}\n", answer.tilt.letter()))?;
        answered = Instant::now();
        setup.meter.answered(None);
        setup.tell_rollouts(answer.playouts);
    }
    Ok(())
}

/// Reads the number of the cell that a candy is put into, one of the `empty` ones.
fn placement(line: &str, empty: usize, number: u64) -> Result<u8, Fault> {
    let placement = line.trim().parse().ok().filter(|placement| (1..=empty).contains(&usize::from(*placement)));
    placement.ok_or_else(|| {
        format!("line {number} should be a number from 1 to {empty}, an empty cell, not '{line}'").into()
    })
}
