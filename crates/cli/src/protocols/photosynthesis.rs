//! The protocol of Photosynthesis: the ground once, then before each turn what the player sees, answered with an action.

use std::io::{Cursor, Read};
use std::time::Instant;

use boughs::{Agent, Budget, Rng};
use boughs_games::Listed;
use boughs_games::photosynthesis::protocol::{InputFault, Listener, View};
use boughs_games::photosynthesis::{Action, Ground, Photosynthesis};

use super::{Lines, Setup, Turns, choose, tell};
use crate::failure::Failure;
use crate::output::print;

pub(super) const GAME: &str = Photosynthesis::NAME;

/// Plays a game. Whatever cannot be used is answered with WAIT, because the answer that is missing would lose the game.
pub(super) fn play(first: &str, lines: &mut Lines, setup: &Setup<'_>) -> Result<(), Failure> {
    let mut agent = setup.agent.spec::<Photosynthesis>()?.build(Photosynthesis::default())?;
    let mut listener = Listener::new(Cursor::new(format!("{first}\n")).chain(&mut lines.input));
    let ground = match listener.ground() {
        Ok(ground) => ground,
        Err(fault) => {
            tell(&format!("{fault}; the ground is taken to have no holes"));
            Ground::whole()
        }
    };
    let (mut turns, mut was_wrong) = (Turns::new(setup), false);
    while listener.waits()? {
        let asked = Instant::now();
        let turn = listener.turn();
        // After a fault what waited may have been the rest of the turn before.
        let budget = turns.next(if was_wrong { Instant::now() } else { asked });
        was_wrong = turn.is_err();
        let action = match turn {
            Ok(None) | Err(InputFault::Ended) => break,
            Ok(Some(view)) => think(&mut *agent, &view, ground, budget, &mut turns.rng),
            Err(fault) => Err(fault.into()),
        };
        let action = action.unwrap_or_else(|why| {
            tell(&format!("{}; the answer is WAIT", why.sentence()));
            Action::Wait
        });
        print(&format!("{action}\n"))?;
    }
    Ok(())
}

/// What the agent does where it sees this.
fn think(
    agent: &mut dyn Agent<Photosynthesis>,
    view: &View,
    ground: Ground,
    budget: Budget,
    rng: &mut Rng,
) -> Result<Action, Failure> {
    agent.reset(view.position(ground).map_err(Failure::new)?.into());
    choose(agent, budget, rng, |action| view.actions.contains(&action))
}
