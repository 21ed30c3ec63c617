//! The protocol of Green Circle: before each decision the lines that the player sees, answered with a command.

use boughs::{Action as _, Agent, Budget, Rng};
use boughs_games::NamedGame as _;
use boughs_games::green_circle::protocol::{Follower, InputFault, View, command_text};
use boughs_games::green_circle::{GreenCircle, Step};

use super::{Lines, Setup, Turns, budget, choose, tell, tell_rollouts};
use crate::failure::Failure;
use crate::output::print;

pub(super) const GAME: &str = GreenCircle::NAME;

/// Plays a game. Lines that cannot be used are answered with RANDOM, which is always legal.
pub(super) fn play(first: &str, lines: &mut Lines, setup: &Setup<'_>) -> Result<(), Failure> {
    let mut agent = setup.agent.lenient_spec(GAME).build(&GreenCircle::not_dealt())?;
    lines.put_back(first);
    let input = &mut lines.input;
    let (mut follower, mut turns) = (Follower::default(), Turns::new(setup));
    loop {
        let phase = match View::read_phase(input) {
            Err(InputFault::Unreadable(error)) => return Err(super::unreadable(&error)),
            phase => phase,
        };
        let deadline = turns.next(input.arrived());
        input.wait_until(deadline);
        let found = match phase {
            Ok(None) => return Ok(()),
            Ok(Some(phase)) => View::read_rest(phase, input)
                .map_err(Failure::from)
                .and_then(|view| search(&mut *agent, &view, &mut follower, budget(deadline), &mut turns.rng)),
            Err(fault) => Err(fault.into()),
        };
        input.wait_until(None);
        let (answer, playouts) = match found {
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
        turns.answered(deadline);
        tell_rollouts(playouts);
    }
}

/// Searches the position of these lines. Returns the step of the agent and the number of playouts.
fn search(
    agent: &mut dyn Agent,
    view: &View,
    follower: &mut Follower,
    budget: Budget,
    rng: &mut Rng,
) -> Result<(Step, u64), Failure> {
    agent.reset(&follower.see(view)?)?;
    let is_offered = |code| view.offers.contains(&command_text(Step::from_code(code)));
    let (code, playouts) = choose(GAME, agent, budget, rng, &is_offered)?;
    Ok((Step::from_code(code), playouts))
}
