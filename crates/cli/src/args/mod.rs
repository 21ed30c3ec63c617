//! Arguments that several commands share, one file each, and the readers of their values.

mod agent;
mod conditions;
mod limits;
mod openings;
mod plan;
mod results;
mod values;

use boughs::Session;
use boughs_games::{StartedGame, entries, start};

use crate::failure::Failure;

pub(crate) use agent::{AgentArgs, settings_for};
pub(crate) use conditions::{ConditionArgs, milliseconds, replay};
pub(crate) use limits::Limits;
pub(crate) use openings::openings;
pub(crate) use plan::{PlanArgs, write as write_plan};
pub(crate) use results::{PageArgs, ResultArgs};
pub(crate) use values::{
    duration, list, milliseconds_of, number_within, some_threads, some_workers, threads, whole, whole_within,
};

/// The game.
#[derive(clap::Args)]
pub(crate) struct GameArg {
    /// The game as it was typed, with its options.
    #[arg(value_name = "GAME", help = game_help())]
    pub(crate) game: String,
}

impl GameArg {
    /// Starts the game.
    pub(crate) fn start(&self) -> Result<StartedGame, Failure> {
        Ok(start(&self.game)?)
    }
}

/// Help on how a game is named, with all names.
pub(crate) fn game_help() -> String {
    let names: Vec<&str> = entries().iter().map(|entry| entry.name).collect();
    format!("The game, with options as in hex:size=7; one of {}", names.join(", "))
}

/// Help of `--agent`, with the default of the command.
pub(crate) fn agent_help(default: &str) -> String {
    format!("The agent, such as mcts:c=1.4; 'boughs agents' lists them all [default: {default}]")
}

/// Plays the moves of `--position` from the start of a game. Returns their codes.
pub(crate) fn play_to(position: &mut dyn Session, moves: &str) -> Result<Vec<u32>, Failure> {
    position.play_moves(moves).map_err(|error| Failure::new(format!("--position, {error}")))
}
