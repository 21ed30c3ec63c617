//! The protocol of Photosynthesis: the ground once, then before each turn the lines that the player sees, answered with
//! an action.

use boughs::{Action as _, Agent, Budget, Rng};
use boughs_games::NamedGame as _;
use boughs_games::photosynthesis::protocol::{Listener, View};
use boughs_games::photosynthesis::{Action, Ground, Photosynthesis};

use crate::turns::Turns;
use crate::{Fault, Lines, Setup, choose, print};

/// Plays a game. Lines that cannot be used are answered with WAIT, because a missing answer would lose the game.
///
/// # Errors
/// If the input cannot be read, the answer cannot be written, or there is no agent.
pub fn play(lines: &mut Lines, setup: &Setup<'_>) -> Result<(), Fault> {
    let mut agent = (setup.build)(Photosynthesis::default().as_session())?;
    let mut listener = Listener::new(&mut lines.input);
    let (ground, read) = listener.ground();
    if let Err(fault) = read {
        (setup.tell)(&format!("{fault}; cells that are not told of are taken to be no holes"));
    }
    let mut turns = Turns::new(setup);
    while listener.begins_turn()? {
        let deadline = turns.next(listener.source().arrived());
        listener.source().wait_until(deadline);
        let turn = listener.turn();
        listener.source().wait_until(None);
        let found = match turn {
            Ok(None) => break,
            Ok(Some(view)) => search(&mut *agent, &view, ground, turns.budget(deadline), &mut turns.rng),
            Err(fault) => Err(fault.into()),
        };
        let (action, playouts) = found.unwrap_or_else(|why| {
            (setup.tell)(&format!("{why}; the answer is WAIT"));
            (Action::Wait, 0)
        });
        print(&format!("{action}\n"))?;
        turns.answered(deadline);
        setup.tell_rollouts(playouts);
    }
    Ok(())
}

/// Searches the position of these lines. Returns the action of the agent and the number of playouts.
fn search(
    agent: &mut dyn Agent,
    view: &View,
    ground: Ground,
    budget: Budget,
    rng: &mut Rng,
) -> Result<(Action, u64), Fault> {
    let position = view.position(ground)?;
    agent.reset(Photosynthesis::from(position).as_session())?;
    let is_offered = |code| view.actions.contains(&Action::from_code(code));
    let (code, playouts) = choose(Photosynthesis::NAME, agent, budget, rng, &is_offered)?;
    Ok((Action::from_code(code), playouts))
}
