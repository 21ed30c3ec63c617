//! `boughs bot`: an agent as a program that plays in matches and contests, here or elsewhere.

use std::time::{Duration, Instant};

use boughs_games::{Listed, Visitor};

use crate::args;
use crate::failure::Failure;
use crate::protocols::{self, Setup};

/// Play a game over standard input and output, by the lines of docs/PROTOCOL.md or those of its contest
///
/// Any program that speaks these lines can let it play: 'boughs match' with 'cmd:boughs bot ...', or a referee of your own.
/// The tree is kept from turn to turn. After each move the playouts made stand on standard error, as [PDATA] rollouts = N.
///
/// A game of a contest (ahc015) is played by the contest's own lines, unless the first one says 'game'.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  printf 'playouts 1000\\nready\\nmoves 4 4\\ngo\\n' | boughs bot connect4 2>/dev/null"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    #[command(flatten)]
    agent: args::Agent,
    /// Time for a whole case of a contest, counted from the start of the program; in the plain lines the referee says it
    #[arg(long, value_name = "TIME", default_value = "1.9s", value_parser = args::duration)]
    time: Duration,
    /// How long before the end of its time it stops thinking, for the way of the answer
    #[arg(long, value_name = "TIME", default_value = "2ms", value_parser = args::duration)]
    margin: Duration,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let setup = Setup { agent: &self.agent, time: self.time, margin: self.margin, began: Instant::now() };
        self.game.visit(Play(&setup))
    }
}

struct Play<'a>(&'a Setup<'a>);

impl Visitor for Play<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        protocols::play(start, self.0)
    }
}
