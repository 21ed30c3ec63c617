//! The protocol of Green Circle: before each decision the lines that the player sees, answered with a command.

use boughs::{Action as _, Agent, Budget, Rng};
use boughs_games::NamedGame as _;
use boughs_games::green_circle::protocol::{Follower, InputFault, View, command_text};
use boughs_games::green_circle::{GreenCircle, Step};

use crate::turns::Turns;
use crate::{Fault, Lines, Setup, choose, print};

/// Plays a game. Lines that cannot be used are answered with RANDOM, which is always legal.
///
/// # Errors
/// If the input cannot be read, the answer cannot be written, or there is no agent.
pub fn play(lines: &mut Lines, setup: &Setup<'_>) -> Result<(), Fault> {
    let mut agent = (setup.build)(GreenCircle::not_dealt().as_session())?;
    let input = &mut lines.input;
    let (mut follower, mut turns) = (Follower::default(), Turns::new(setup));
    loop {
        let phase = match View::read_phase(input) {
            Err(fault @ InputFault::Unreadable(_)) => return Err(fault.into()),
            phase => phase,
        };
        let deadline = turns.next(input.arrived());
        input.wait_until(deadline);
        let found = match phase {
            Ok(None) => return Ok(()),
            Ok(Some(phase)) => View::read_rest(phase, input)
                .map_err(Fault::from)
                .and_then(|view| search(&mut *agent, &view, &mut follower, turns.budget(deadline), &mut turns.rng)),
            Err(fault) => Err(fault.into()),
        };
        input.wait_until(None);
        let (answer, playouts) = match found {
            Ok((step, playouts)) => {
                follower.act(step);
                (command_text(step), playouts)
            }
            Err(why) => {
                (setup.tell)(&format!("{why}; the answer is RANDOM"));
                ("RANDOM".to_string(), 0)
            }
        };
        print(&format!("{answer}\n"))?;
        turns.answered(deadline);
        setup.tell_rollouts(playouts);
    }
}

/// Searches the position of these lines. Returns the step of the agent and the number of playouts.
fn search(
    agent: &mut dyn Agent,
    view: &View,
    follower: &mut Follower,
    budget: Budget,
    rng: &mut Rng,
) -> Result<(Step, u64), Fault> {
    agent.reset(follower.see(view)?.as_session())?;
    let is_offered = |code| view.offers.contains(&command_text(Step::from_code(code)));
    let (code, playouts) = choose(GreenCircle::NAME, agent, budget, rng, &is_offered)?;
    Ok((Step::from_code(code), playouts))
}
