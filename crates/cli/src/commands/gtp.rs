//! `boughs gtp`: an engine for programs that speak GTP.

use std::time::Duration;

use crate::args;
use crate::failure::Failure;
use crate::protocols::gtp::{self, GtpSettings, MoveLimit};
use crate::ranks::{Builder, RanksArgs, Role, follow};

/// Play a game by GTP, the Go Text Protocol, as GoGui, Sabaki and other programs do
///
/// GTP 2 is for Go, and other games of two players who see everything speak it too: in Hex and Othello moves are
/// written as their clients write them, and GoGui draws every game whose moves are points of a grid. The time for a
/// move is that of the client's clock.
///
/// Analysis (lz-analyze, kata-analyze, Sabaki's analyze) goes on until the next line. docs/PROTOCOL.md names all
/// commands.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  printf 'boardsize 9\\ngenmove black\\nquit\\n' | boughs gtp go --time 1s")]
pub(crate) struct Args {
    /// The game, with options as in hex:size=7
    #[arg(value_name = "GAME", default_value = "go", help = args::game_help())]
    game: String,
    #[command(flatten)]
    agent: args::AgentArgs,
    /// Time for a move where the client sets none
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = args::duration)]
    time: Duration,
    /// Playouts for a move where the client sets no time
    #[arg(long, value_name = "N", conflicts_with = "time", value_parser = args::whole(1u64))]
    iterations: Option<u64>,
    #[command(flatten)]
    ranks: RanksArgs,
    /// Think on the opponent's time
    #[arg(long)]
    ponder: bool,
    /// Resign where the win rate is below PERCENT
    #[arg(long, value_name = "PERCENT", default_value = "0", value_parser = args::number_within(0.0, 50.0))]
    resign: f64,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let builder = match self.ranks.join()? {
            Role::Alone => Builder::default(),
            Role::First(ranks) => Builder::with(ranks, &self.game),
            Role::Other(link) => return follow(link),
        };
        let started = boughs_games::start(&self.game)?;
        let agent = self.agent.lenient_spec(started.entry.name);
        let limit = self.iterations.map_or(MoveLimit::Time(self.time), MoveLimit::Iterations);
        gtp::play(
            &started,
            GtpSettings {
                spec: self.game,
                agent,
                limit,
                ponders: self.ponder,
                resigns_below: self.resign / 100.0,
                builder,
            },
        )
    }
}
