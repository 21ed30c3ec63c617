//! `boughs play`: a person against the engine.

use std::io::{self, IsTerminal};
use std::time::Duration;

use boughs::{GameClock, Rng};
use clap::ValueEnum;

use crate::args;
use crate::failure::Failure;
use crate::opponent::GameAgainstPerson;
use crate::output::print;

/// Play against the engine
///
/// Type a move, or: hint, undo, moves, help, quit. Ctrl-C makes the engine move at once while it searches.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  printf '4\\nhint\\nquit\\n' | boughs play connect4 --time 100ms")]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::GameArg,
    #[command(flatten)]
    agent: args::AgentArgs,
    #[command(flatten)]
    limits: args::Limits,
    /// Time of the engine for the whole game, such as 5min
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    clock: Option<Duration>,
    /// The player who makes the first move
    #[arg(long, value_name = "WHO", default_value = "me")]
    first: First,
}

// A doc comment on a value would make the help of the command long.
#[derive(Clone, Copy, ValueEnum)]
enum First {
    Me,
    Engine,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let game = self.game.start()?;
        let mut game = GameAgainstPerson {
            person: match self.first {
                First::Me => 0,
                First::Engine => 1,
            },
            limits: &self.limits,
            clock: self.clock.map(GameClock::new),
            agent: self.agent.spec(game.entry.name)?.build(&*game.position)?,
            chance: Rng::new(self.agent.seed, u64::MAX),
            rounds: Vec::new(),
            input: &mut io::stdin().lock(),
            say: &mut print,
            prompt: if io::stdin().is_terminal() { "your move: " } else { "" },
        };
        game.play()
    }
}
