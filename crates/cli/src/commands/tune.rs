//! `boughs tune`: the strongest values of an agent's keys.

use boughs_agents::AgentSpec;
use boughs_arena::statistics::Sprt;
use boughs_arena::{Contest, ContestSetup, Contestant, News, Param, Tuned, Tuning, candidates};
use boughs_shards::{ContestKind, GamesJob, Job};
use serde::Serialize;

use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::progress::Live;
use crate::show::tuning::text;

/// Find stronger values for some keys of an agent, and prove that they are
///
/// Candidates drawn over the ranges play the agent as it is; the better half goes on with twice as many games, until
/// one is left (successive halving). That one has been lucky too, so fresh games and a sequential test decide if it is
/// stronger.
///
/// Ctrl-C ends the tuning and prints what was found so far; with --store the same command goes on from there.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  boughs tune connect4 mcts --param c=0.2..3:log --candidates 4 --iterations 99 --sprt 0,60"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::GameArg,
    /// The agent as it is; 'boughs agents' lists all agents and their keys
    #[arg(value_name = "SPEC")]
    agent: AgentSpec,
    /// A key and the values to try: c=0.3..2.0, c=0.1..10:log or playout=light|decisive; give one --param a key
    #[arg(long = "param", value_name = "KEY=VALUES", required = true)]
    params: Vec<Param>,
    /// Number of candidates at first
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = args::whole(1usize))]
    candidates: usize,
    /// Rounds each of them plays at first
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = args::whole_within(1, 1 << 32))]
    rounds: u64,
    /// Bounds of the sequential test that decides if the best candidate is stronger by ELO0 or by ELO1
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,20", allow_hyphen_values = true)]
    sprt: Sprt,
    /// Most rounds of that test
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = args::whole_within(1, 1 << 32))]
    most_rounds: u64,
    #[command(flatten)]
    conditions: args::ConditionArgs,
    #[command(flatten)]
    results: args::ResultArgs,
    #[command(flatten)]
    plan: args::PlanArgs,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        /// The most candidates. Every stage doubles the games, so a larger number is a typing error.
        const MOST: usize = 1 << 12;
        if self.candidates > MOST {
            return Err(Failure::new(format!("--candidates {} are too many; take {MOST} at most", self.candidates)));
        }
        let base = Contestant::Agent(self.agent.clone());
        let conditions = self.conditions.conditions(&self.game.game, vec![base], Vec::new())?;
        let candidates = candidates(&self.agent, &self.params, self.candidates, conditions.seed)?;
        if candidates.is_empty() {
            return Err(Failure::new("--param leaves no candidate but the agent itself; give a wider range"));
        }
        let command = self.plan.command();
        if Contest::new(conditions.clone())?.players() > 2 {
            return Err(Failure::new(format!(
                "tuning compares pairs of games, and {} is for more than two players; 'boughs match' compares two \
                 agents in it",
                self.game.game
            )));
        }
        self.plan.check(&[("--concurrency", self.results.has_concurrency())])?;
        if self.plan.plan.is_some() && !self.results.has_store() {
            return Err(Failure::new(
                "--plan plans one stage after the other and reads those that are over in a store; name it with --store",
            ));
        }
        let mut store = self.results.store()?;
        let tables = self.results.tables(&conditions);
        let tuning =
            Tuning { conditions, candidates, rounds: self.rounds, sprt: self.sprt, most_rounds: self.most_rounds };
        let stop = interrupt::stops_search();
        let live = Live::new(None);
        let mut games = 0;
        let mut setup = ContestSetup {
            kind: "tune",
            store: &mut store,
            command: &command,
            replay: args::replay,
            tables,
            stop: &stop,
        };
        let tuned = if self.plan.plan.is_some() {
            let (tuned, stage) = tuning.next_stage(&mut setup)?;
            drop(live);
            if let Some(stage) = stage {
                let games = stage.conditions.games(stage.rounds, 2);
                let job =
                    || Ok(Job::Games(GamesJob::new(ContestKind::Tune, &stage.conditions, games, stage.test, false)?));
                return self.plan.write(job, self.results.json).map(drop);
            }
            tuned
        } else {
            let tuned = tuning.run(&mut setup, &mut |what, News { .. }| {
                games += 1;
                live.show(games, || what.to_string());
            })?;
            drop(live);
            tuned
        };
        if stop.is_raised() && tuned.tried.iter().all(|tried| tried.strength.tally.games.count() == 0) {
            return Err(Failure::new(
                "interrupted before the first pair of games was over, so there is nothing to report",
            ));
        }
        if self.results.json {
            print_json(&JsonTuning::of(&self, &command, &tuned))
        } else {
            print(&text(&tuned, &self.agent.to_string(), &command))
        }?;
        self.plan.nothing_left()
    }
}

/// The output of `--json`.
#[derive(Serialize)]
struct JsonTuning<'a> {
    game: &'a str,
    agent: String,
    command: &'a str,
    #[serde(flatten)]
    tuned: &'a Tuned,
}

impl<'a> JsonTuning<'a> {
    fn of(args: &'a Args, command: &'a str, tuned: &'a Tuned) -> JsonTuning<'a> {
        JsonTuning { game: &args.game.game, agent: args.agent.to_string(), command, tuned }
    }
}
