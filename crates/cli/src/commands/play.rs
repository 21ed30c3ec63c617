//! `boughs play`: a person against the engine.

use std::io::{self, IsTerminal};
use std::time::Duration;

use boughs::{GameClock, Rng};
use boughs_games::{Listed, Visitor};
use clap::ValueEnum;

use crate::args;
use crate::failure::Failure;
use crate::opponent::Match;
use crate::output::print;

/// Play against the engine
///
/// Type a move, or: hint, undo, moves, help, quit. Ctrl-C makes the engine move at once when it is thinking.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  printf '4\\nhint\\nquit\\n' | boughs play connect4 --time 100ms")]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    #[command(flatten)]
    agent: args::Agent,
    #[command(flatten)]
    limits: args::Limits,
    /// Time of the engine for the whole game, such as 5min
    #[arg(long, value_name = "TIME", value_parser = args::duration)]
    clock: Option<Duration>,
    /// Who makes the first move
    #[arg(long, value_name = "WHO", default_value = "me")]
    first: First,
}

#[derive(Clone, Copy, ValueEnum)]
enum First {
    /// The person
    Me,
    /// The engine
    Engine,
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
        let Play(args) = self;
        let mut game = Match {
            me: match args.first {
                First::Me => 0,
                First::Engine => 1,
            },
            limits: &args.limits,
            clock: args.clock.map(GameClock::new),
            agent: args.agent.spec::<G>()?.build(start)?,
            chance: Rng::new(args.agent.seed, u64::MAX),
            rounds: Vec::new(),
            input: &mut io::stdin().lock(),
            say: &mut print,
            prompt: if io::stdin().is_terminal() { "your move: " } else { "" },
        };
        game.play()
    }
}
