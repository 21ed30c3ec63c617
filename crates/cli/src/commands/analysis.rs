//! `boughs analysis`: answers to queries about positions, as KataGo's analysis engine gives them.

use crate::args;
use crate::failure::Failure;
use crate::protocols::analysis::{self, AnalysisSettings};

/// Answer queries about positions in lines of JSON, as KataGo's analysis engine does
///
/// Each line of the input is a query, and each line of the output an answer. Many positions are searched at a time.
/// docs/PROTOCOL.md names all fields.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  echo '{\"id\":\"a\",\"moves\":[[\"B\",\"E5\"]],\"maxVisits\":1000}' | boughs analysis go"
)]
pub(crate) struct Args {
    /// The game, with options as in hex:size=7
    #[arg(value_name = "GAME", default_value = "go", help = args::game_help())]
    game: String,
    #[command(flatten)]
    agent: args::AgentArgs,
    /// Positions that are searched at a time
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = args::whole_within(1, 1_024))]
    positions: u64,
    /// Playouts of a position whose query has no maxVisits
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = args::whole(1u64))]
    visits: u64,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let started = boughs_games::start(&self.game)?;
        let agent = self.agent.lenient_spec(started.entry.name);
        let positions = self.positions as usize;
        analysis::play(&started, &AnalysisSettings { spec: self.game, agent, positions, visits: self.visits })
    }
}
