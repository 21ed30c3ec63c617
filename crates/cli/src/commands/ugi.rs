//! `boughs ugi`: an engine for programs that speak UGI, UAI or TEI.

use crate::args;
use crate::failure::Failure;
use crate::protocols::ugi;

/// Play a game by UGI, the Universal Game Interface, by UAI or by TEI
///
/// The first line of the client tells which of them it speaks. Every key of the agent is an option of 'setoption'.
/// Moves are written as the game writes them. docs/PROTOCOL.md names all commands.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  printf 'ugi\\ngo nodes 1000\\n' | boughs ugi breakthrough")]
pub(crate) struct Args {
    /// The game, with options as in hex:size=7
    #[arg(value_name = "GAME", default_value = "breakthrough", help = args::game_help())]
    game: String,
    #[command(flatten)]
    agent: args::AgentArgs,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let started = boughs_games::start(&self.game)?;
        let agent = self.agent.lenient_spec(started.entry.name);
        ugi::play(&started, &self.game, agent)
    }
}
