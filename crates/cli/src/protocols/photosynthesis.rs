//! The protocol of Photosynthesis: the ground once, then before each turn what the player sees, answered with an action.

use std::time::Instant;

use boughs::{Agent, Budget, Rng};
use boughs_games::Listed;
use boughs_games::photosynthesis::protocol::{Listener, View};
use boughs_games::photosynthesis::{Action, Ground, Photosynthesis};

use super::{Lines, Setup, Turns, budget, choose, tell, tell_rollouts};
use crate::failure::Failure;
use crate::output::print;

pub(super) const GAME: &str = Photosynthesis::NAME;

/// Plays a game. Whatever cannot be used is answered with WAIT, because the answer that is missing would lose the game.
pub(super) fn play(first: &str, lines: &mut Lines, setup: &Setup<'_>) -> Result<(), Failure> {
    let mut agent = setup.agent.player::<Photosynthesis>()?.build(Photosynthesis::default())?;
    lines.put_back(first);
    let mut listener = Listener::new(&mut lines.input);
    let (ground, read) = listener.ground();
    if let Err(fault) = read {
        tell(&format!("{fault}; cells that are not told of are taken to be no holes"));
    }
    let mut turns = Turns::new(setup);
    while listener.begins_turn()? {
        let deadline = turns.next(Instant::now());
        listener.source().wait_until(deadline);
        let turn = listener.turn();
        listener.source().wait_until(None);
        let thought = match turn {
            Ok(None) => break,
            Ok(Some(view)) => think(&mut *agent, &view, ground, budget(deadline), &mut turns.rng),
            Err(fault) => Err(fault.into()),
        };
        let (action, playouts) = thought.unwrap_or_else(|why| {
            tell(&format!("{}; the answer is WAIT", why.sentence()));
            (Action::Wait, 0)
        });
        print(&format!("{action}\n"))?;
        tell_rollouts(playouts);
    }
    Ok(())
}

/// What the agent does where it sees this, and how much it searched.
fn think(
    agent: &mut dyn Agent<Photosynthesis>,
    view: &View,
    ground: Ground,
    budget: Budget,
    rng: &mut Rng,
) -> Result<(Action, u64), Failure> {
    agent.reset(view.position(ground).map_err(Failure::new)?.into());
    choose(agent, budget, rng, |action| view.actions.contains(&action))
}
