//! The protocol of Green Circle: what the player sees before each decision, answered with a command.

use std::time::Instant;

use boughs::{Agent, Budget, Rng};
use boughs_games::Listed;
use boughs_games::green_circle::protocol::{Follower, InputFault, View, command_text};
use boughs_games::green_circle::{GreenCircle, Step};

use super::{Lines, Setup, Turns, budget, choose, tell, tell_rollouts};
use crate::failure::Failure;
use crate::output::print;

pub(super) const GAME: &str = GreenCircle::NAME;

/// Plays a game. Whatever cannot be used is answered with RANDOM, which is legal always.
pub(super) fn play(first: &str, lines: &mut Lines, setup: &Setup<'_>) -> Result<(), Failure> {
    let mut agent = setup.agent.player::<GreenCircle>()?.build(GreenCircle::not_dealt())?;
    lines.put_back(first);
    let input = &mut lines.input;
    let (mut follower, mut turns) = (Follower::default(), Turns::new(setup));
    loop {
        let phase = match View::read_phase(input) {
            Err(InputFault::Unreadable(error)) => return Err(super::unreadable(&error)),
            phase => phase,
        };
        let deadline = turns.next(Instant::now());
        input.wait_until(deadline);
        let thought = match phase {
            Ok(None) => return Ok(()),
            Ok(Some(phase)) => View::read_rest(phase, input)
                .map_err(Failure::from)
                .and_then(|view| think(&mut *agent, &view, &mut follower, budget(deadline), &mut turns.rng)),
            Err(fault) => Err(fault.into()),
        };
        input.wait_until(None);
        let (answer, playouts) = match thought {
            Ok((step, playouts)) => {
                follower.act(step);
                (command_text(step), playouts)
            }
            Err(why) => {
                tell(&format!("{}; the answer is RANDOM", why.sentence()));
                ("RANDOM".to_string(), 0)
            }
        };
        print(&format!("{answer}\n"))?;
        tell_rollouts(playouts);
    }
}

/// What the agent does where it sees this, and how much it searched.
fn think(
    agent: &mut dyn Agent<GreenCircle>,
    view: &View,
    follower: &mut Follower,
    budget: Budget,
    rng: &mut Rng,
) -> Result<(Step, u64), Failure> {
    agent.reset(follower.see(view)?);
    choose(agent, budget, rng, |step| view.offers.contains(&command_text(step)))
}
