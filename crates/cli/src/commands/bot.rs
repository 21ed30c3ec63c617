//! `boughs bot`: an agent as a program that plays in matches and contests, here or elsewhere.

use std::time::Duration;

use boughs_games::{Listed, Visitor};

use crate::args;
use crate::failure::Failure;
use crate::protocols;

/// Play a game over standard input and output, by the lines of docs/PROTOCOL.md or those of its contest
///
/// Any program that speaks these lines can let it play: 'boughs match' with 'cmd:boughs bot ...', or a referee of your own.
/// In the plain lines the tree is kept from turn to turn; in those of a contest an agent may keep what it can (woods does). After
/// each move the playouts made stand on standard error, as [PDATA] rollouts = N.
///
/// A game of a contest (ahc015, photosynthesis, green-circle) is played by the contest's own lines; ahc015 also by the plain
/// ones, if the first says 'game'. No contest tells its limits, so --time has to be that of the match.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  printf 'playouts 1000\\nready\\nmoves 4 4\\ngo\\n' | boughs bot connect4 2>/dev/null"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    #[command(flatten)]
    agent: args::Agent,
    /// Time for all that a contest gives one time for, a case or an answer; in the plain lines the referee says it [default: 1.9s
    /// in ahc015, 100ms in photosynthesis, 50ms in green-circle, and there 1s for the first answer]
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    time: Option<Duration>,
    /// How long before the end of its time it stops thinking, for the way of the answer [default: 2ms, 12ms in photosynthesis, 10ms
    /// in green-circle; 200ms at least before the end of the second that a first answer may take]
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    margin: Option<Duration>,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.game.visit(Play(&self))
    }
}

struct Play<'a>(&'a Args);

impl Visitor for Play<'_> {
    type Output = Result<(), Failure>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let Args { agent, time, margin, .. } = self.0;
        protocols::play(start, agent, [*time, *margin])
    }
}
