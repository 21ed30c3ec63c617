//! The agent that searches.

use std::io::Write;

use boughs::Settings;
use boughs::memory::{parse_size, write_size};
use boughs_agents::{AgentSpec, default_agent};
use boughs_arena::harmless_line;

use super::{agent_help, threads, whole};
use crate::failure::Failure;

/// The agent that searches, with its threads, memory and seed.
#[derive(clap::Args)]
pub(crate) struct AgentArgs {
    #[arg(long, value_name = "SPEC", help = agent_help("the one that 'boughs games' names"))]
    agent: Option<AgentSpec>,
    /// Threads that search, 0 for all cores [default: those of the agent, else 1]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Most memory for the tree, such as 64M [default: that of the agent, else a quarter of all, at most 1G]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory: Option<usize>,
    /// Seed of all randomness
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0u64))]
    pub(crate) seed: u64,
}

impl AgentArgs {
    /// Returns the agent, by default that of the game, with `--threads`, `--memory` and `--seed`.
    pub(crate) fn spec(&self, game: &str) -> Result<AgentSpec, Failure> {
        let mut agent = self.named(game);
        for (key, value) in self.keys() {
            agent.set(key, &value)?;
        }
        Ok(agent.with_seed(self.seed))
    }

    /// Returns the same agent for a program that must play: a key that the agent does not have is left out, with a
    /// sentence on standard error.
    pub(crate) fn lenient_spec(&self, game: &str) -> AgentSpec {
        let mut agent = self.named(game);
        for (key, value) in self.keys() {
            if let Err(error) = agent.set(key, &value) {
                // A closed standard error loses nothing that the program needs.
                let error = harmless_line(&error.to_string());
                let _ = writeln!(std::io::stderr(), "{error}, so --{key} {value} is left out");
            }
        }
        agent.with_seed(self.seed)
    }

    /// Returns the settings of a tree search. `purpose` is the argument or command that needs one.
    pub(crate) fn settings(&self, game: &str, purpose: &str) -> Result<Settings, Failure> {
        let settings = |agent: &AgentSpec| {
            agent.settings().cloned().ok_or_else(|| {
                Failure::new(format!("{purpose} is for the agent mcts, and '{agent}' is another; try --agent mcts"))
            })
        };
        // Another agent may lack the keys of other arguments too, which is not the fault to tell.
        settings(&self.named(game))?;
        settings(&self.spec(game)?)
    }

    fn named(&self, game: &str) -> AgentSpec {
        self.agent.clone().unwrap_or_else(|| default_agent(game))
    }

    /// The keys that other arguments set, and their values.
    fn keys(&self) -> Vec<(&'static str, String)> {
        let threads = self.threads.map(|threads| ("threads", threads.to_string()));
        let memory = self.memory.map(|memory| ("memory", write_size(memory)));
        threads.into_iter().chain(memory).collect()
    }
}

/// Returns the settings of `--agent`, by default those of the game's agent if that is `mcts`.
pub(crate) fn settings_for(game: &str, given: Option<&Settings>) -> Settings {
    given.cloned().unwrap_or_else(|| default_agent(game).settings().cloned().unwrap_or_default())
}
