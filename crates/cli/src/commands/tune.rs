//! `boughs tune`: the strongest values of an agent's keys.

use boughs_arena::statistics::Sprt;
use boughs_arena::{Contest, Contestant, News, Param, Tuned, Tuning, Venue, candidates};
use boughs_bots::BotSpec;
use serde::Serialize;

use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::progress::Live;
use crate::show::tuning::text;
use crate::terms;

/// Find stronger values for some keys of an agent, and prove that they are
///
/// Candidates drawn over the ranges play the agent as it is; the better half goes on with twice as many games, until one is
/// left. That one has been lucky too, so fresh games and a sequential test decide whether it is stronger.
///
/// Ctrl-C ends the tuning and prints what was found so far; with --store the same command goes on from there.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  boughs tune connect4 mcts --param c=0.2..3:log --iterations 100 --candidates 4 --rounds 10 --sprt 0,60 --openings random:4"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    /// The agent as it is
    #[arg(value_name = "SPEC", long_help = args::agents_help())]
    agent: BotSpec,
    /// A key and the values to try: c=0.3..2.0, c=0.1..10:log or playout=light|decisive; may stand several times
    #[arg(long = "param", value_name = "KEY=VALUES", required = true)]
    params: Vec<Param>,
    /// How many candidates there are at first
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = args::whole(1usize))]
    candidates: usize,
    /// Rounds each of them plays at first
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = args::whole_within(1, 1 << 32))]
    rounds: u64,
    /// The test of the best: whether it is stronger by ELO0 or by ELO1
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,20", allow_hyphen_values = true)]
    sprt: Sprt,
    /// The most rounds of that test
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = args::whole_within(1, 1 << 32))]
    most_rounds: u64,
    #[command(flatten)]
    terms: terms::Terms,
    #[command(flatten)]
    output: terms::Output,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        /// Stages double the games, so more candidates would only be a typing error.
        const MOST: usize = 1 << 12;
        if self.candidates > MOST {
            return Err(Failure::new(format!("--candidates {} are too many; take {MOST} at most", self.candidates)));
        }
        let base = Contestant::Agent(self.agent.clone());
        let conditions = self.terms.conditions(&self.game.game, vec![base], Vec::new())?;
        let candidates = candidates(&self.agent, &self.params, self.candidates, conditions.seed)?;
        if candidates.is_empty() {
            return Err(Failure::new("--param leaves no candidate but the agent itself; give a wider range"));
        }
        let command = terms::given();
        if Contest::new(conditions.clone())?.players() > 2 {
            return Err(Failure::new(format!(
                "tuning compares pairs of games, and {} is for more than two players; 'boughs match' compares two agents in it",
                self.game.game
            )));
        }
        let mut store = self.output.store()?;
        let tables = self.output.tables(&conditions);
        let tuning =
            Tuning { conditions, candidates, rounds: self.rounds, sprt: self.sprt, most_rounds: self.most_rounds };
        let stop = interrupt::stops_search();
        let live = Live::new(None);
        let mut games = 0;
        let mut venue =
            Venue { kind: "tune", store: &mut store, command: &command, replay: terms::replay, tables, stop: &stop };
        let tuned = tuning.run(&mut venue, &mut |what, News { .. }| {
            games += 1;
            live.show(games, || what.to_string());
        })?;
        drop(live);
        if self.output.json {
            print_json(&Asked::of(&self, &command, &tuned))
        } else {
            print(&text(&tuned, &self.agent.to_string(), &command))
        }
    }
}

/// What was asked and what was found, as it stands in JSON.
#[derive(Serialize)]
struct Asked<'a> {
    game: &'a str,
    agent: String,
    command: &'a str,
    #[serde(flatten)]
    tuned: &'a Tuned,
}

impl<'a> Asked<'a> {
    fn of(args: &'a Args, command: &'a str, tuned: &'a Tuned) -> Asked<'a> {
        Asked { game: &args.game.game, agent: args.agent.to_string(), command, tuned }
    }
}
