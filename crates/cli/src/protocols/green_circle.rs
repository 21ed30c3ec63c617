//! The protocol of Green Circle: what the player sees before each decision, answered with a command.

use std::io::{Cursor, Read};
use std::time::Instant;

use boughs::{Agent, Budget, Rng};
use boughs_games::Listed;
use boughs_games::green_circle::protocol::{Follower, InputFault, View, command_text};
use boughs_games::green_circle::{GreenCircle, Step};

use super::{Lines, Setup, Turns, choose, tell};
use crate::failure::Failure;
use crate::output::print;

pub(super) const GAME: &str = GreenCircle::NAME;

/// Plays a game. Whatever cannot be used is answered with RANDOM, which is legal always.
pub(super) fn play(first: &str, lines: &mut Lines, setup: &Setup<'_>) -> Result<(), Failure> {
    let mut agent = setup.agent.spec::<GreenCircle>()?.build(GreenCircle::not_dealt())?;
    let mut input = Cursor::new(format!("{first}\n")).chain(&mut lines.input);
    let (mut follower, mut turns, mut was_wrong) = (Follower::default(), Turns::new(setup), false);
    while super::waits(&mut input)? {
        let asked = Instant::now();
        let view = if was_wrong { View::read_next(&mut input) } else { View::read(&mut input) };
        // After a fault what waited may have been the rest of the decision before.
        let budget = turns.next(if was_wrong { Instant::now() } else { asked });
        was_wrong = view.is_err();
        let step = match view {
            Ok(None) | Err(InputFault::Ended { .. }) => break,
            Ok(Some(view)) => think(&mut *agent, &view, &mut follower, budget, &mut turns.rng),
            Err(fault) => Err(fault.into()),
        };
        let answer = match step {
            Ok(step) => {
                follower.act(step);
                command_text(step)
            }
            Err(why) => {
                tell(&format!("{}; the answer is RANDOM", why.sentence()));
                "RANDOM".to_string()
            }
        };
        print(&format!("{answer}\n"))?;
    }
    Ok(())
}

/// What the agent does where it sees this.
fn think(
    agent: &mut dyn Agent<GreenCircle>,
    view: &View,
    follower: &mut Follower,
    budget: Budget,
    rng: &mut Rng,
) -> Result<Step, Failure> {
    agent.reset(follower.see(view)?);
    choose(agent, budget, rng, |step| view.offers.contains(&command_text(step)))
}
