//! `boughs bot`: an agent as a program that plays in matches and contests, here or elsewhere.

use std::time::Duration;

use crate::args;
use crate::failure::Failure;
use crate::protocols::{self, BotLimits};
use crate::ranks::{Builder, RanksArgs, Role, follow};

/// Play a game over standard input and output, by docs/PROTOCOL.md or contest lines
///
/// Any program that speaks these lines can let it play: 'boughs match' with 'cmd:boughs bot ...', or a referee of your
/// own. In the plain lines the tree is kept from turn to turn; in those of a contest some agents keep it (woods). After
/// each move standard error tells the number of playouts, as `[PDATA] rollouts = N`.
///
/// A game of a contest (ahc015, photosynthesis, green-circle) is played by the lines of the contest; ahc015 also by the
/// plain lines, if the first one says 'game'. 'boughs match' and 'boughs judge' tell the limit by the variable
/// BOUGHS_TIME_MS; elsewhere --time has to be that of the contest.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  printf 'playouts 1000\\nready\\nmoves 4 4\\ngo\\n' | boughs bot connect4 2>/dev/null"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::GameArg,
    #[command(flatten)]
    agent: args::AgentArgs,
    /// Time for one case or one answer of a contest; in the plain lines the referee tells it [default: that of
    /// BOUGHS_TIME_MS, else 2s in ahc015, 100ms in photosynthesis, 50ms in green-circle; 1s for the first answer of the
    /// last two]
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    time: Option<Duration>,
    /// Least time before the limit at which the search ends, for the way of the answer; it is wider while the machine
    /// wakes threads late, as beside an opponent on the same cores [default: 2ms, at most half of the time; by the
    /// lines of ahc015 100ms, at most a twentieth of the time; of photosynthesis 12ms and of green-circle 10ms, at most
    /// half of it, and at least 200ms of the second for a first answer]
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    margin: Option<Duration>,
    /// Playouts of each answer of a contest, instead of its time; with one thread the answers are equal on every run
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "margin"], value_parser = args::whole(1u64))]
    iterations: Option<u64>,
    #[command(flatten)]
    ranks: RanksArgs,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let builder = match self.ranks.join()? {
            Role::Alone => Builder::default(),
            Role::First(ranks) => Builder::with(ranks, &self.game.game),
            Role::Other(link) => return follow(link),
        };
        let limits = BotLimits { time: self.time, margin: self.margin, iterations: self.iterations };
        protocols::play(self.game.start()?, &self.agent, &limits, &builder)
    }
}
