//! The protocol of Green Circle: what the player sees before each decision, answered with a command.

use std::io::{Cursor, Read};
use std::time::Instant;

use boughs::Agent;
use boughs_games::Listed;
use boughs_games::green_circle::protocol::{Follower, View, command_text};
use boughs_games::green_circle::{GreenCircle, Step};

use super::{Lines, Setup, Turns, tell};
use crate::failure::Failure;
use crate::output::print;

pub(super) const GAME: &str = GreenCircle::NAME;

/// Plays a game. Whatever cannot be used is answered with RANDOM, which is legal always.
pub(super) fn play(first: &str, lines: &mut Lines, setup: &Setup<'_>) -> Result<(), Failure> {
    let mut agent = setup.agent.spec::<GreenCircle>()?.build(GreenCircle::not_dealt())?;
    let mut input = Cursor::new(format!("{first}\n")).chain(&mut lines.input);
    let (mut follower, mut turns) = (Follower::default(), Turns::new(setup));
    while super::waits(&mut input)? {
        let asked = Instant::now();
        let step = match View::read(&mut input) {
            Ok(None) => break,
            Ok(Some(view)) => think(&mut *agent, &view, &mut follower, &mut turns, asked),
            Err(_) if !super::waits(&mut input)? => break,
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
    turns: &mut Turns,
    asked: Instant,
) -> Result<Step, Failure> {
    agent.reset(follower.see(view)?);
    turns.choose(agent, asked)
}
