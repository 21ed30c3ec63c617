//! The one list of agents, from which the parser, the help of the program and the tests learn which there are.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use boughs::spec::{self, Spec, SpecError};
use boughs::{Agent, SearchError, Session, Settings};
use boughs_games::ahc015::Ahc015;
use boughs_games::breakthrough::Breakthrough;
use boughs_games::connect4::Connect4;
use boughs_games::game2048::Game2048;
use boughs_games::go;
use boughs_games::green_circle::GreenCircle;
use boughs_games::hex::Hex;
use boughs_games::othello::Othello;
use boughs_games::photosynthesis::Photosynthesis;
use boughs_games::pig::Pig;
use boughs_games::yavalath::Yavalath;
use boughs_games::{GameError, NamedGame};

use crate::entry::{AgentEntry, Build};

macro_rules! agents {
    ($($(#[$doc:meta])* $name:ident($spec:ty),)*) => {
        /// Any agent with its options.
        ///
        /// ```
        /// use boughs_agents::AgentSpec;
        ///
        /// let spec: AgentSpec = "mcts:c=1.2,threads=8".parse().unwrap();
        /// assert_eq!(spec.to_string(), "mcts:c=1.2,threads=8");
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        pub enum AgentSpec {
            $($(#[$doc])* $name($spec),)*
        }

        impl AgentSpec {
            /// The entries of all agents: first those that play any game that suits them, then the contest agents.
            pub fn list() -> Vec<AgentEntry> {
                vec![$(AgentEntry::of::<$spec>()),*]
            }

            /// Sets an option, as in the text.
            ///
            /// # Errors
            /// One sentence about the key or the value at fault.
            pub fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
                match self {
                    $(AgentSpec::$name(agent) => spec::set(agent, key, value),)*
                }
            }

            /// The same agent with another seed.
            #[must_use]
            pub fn with_seed(mut self, seed: u64) -> AgentSpec {
                match &mut self {
                    $(AgentSpec::$name(agent) => *agent.seed() = seed,)*
                }
                self
            }

            /// Gives every option that the others leave without an effect its default.
            pub fn leave_out_idle(&mut self) {
                match self {
                    $(AgentSpec::$name(agent) => spec::leave_out_idle(agent),)*
                }
            }

            /// The name and the value of every option, those with their default included.
            pub fn values(&self) -> Vec<(&'static str, String)> {
                match self {
                    $(AgentSpec::$name(agent) => spec::values(agent),)*
                }
            }

            /// The seed of all randomness.
            pub fn seed(&self) -> u64 {
                match self {
                    $(AgentSpec::$name(agent) => *agent.clone().seed(),)*
                }
            }

            /// The number of threads, 0 for as many as there are cores.
            pub fn threads(&self) -> usize {
                match self {
                    $(AgentSpec::$name(agent) => agent.threads(),)*
                }
            }

            /// The files that the agent reads.
            pub fn files(&self) -> Vec<&Path> {
                match self {
                    $(AgentSpec::$name(agent) => agent.files(),)*
                }
            }

            /// Builds the agent in a position.
            ///
            /// # Errors
            /// If an option is out of its range, the agent does not go with the game, or the memory or the threads
            /// cannot be had.
            pub fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
                match self {
                    $(AgentSpec::$name(agent) => {
                        spec::validate(agent).map_err(SearchError::Setting)?;
                        agent.build(position)
                    })*
                }
            }

            /// The most memory in bytes that the agent takes in a position, as far as its options and the size of
            /// positions tell.
            pub fn memory(&self, position: &dyn Session) -> usize {
                match self {
                    $(AgentSpec::$name(agent) => agent.memory(position),)*
                }
            }

            /// The results of all agents that are read under the name in a text.
            fn readings(text: &str) -> Vec<Result<AgentSpec, SpecError>> {
                let name = spec::agent_name(text);
                let mut readings = Vec::new();
                $(if spec::is_named::<$spec>(name) {
                    readings.push(spec::parse(text).map(AgentSpec::$name));
                })*
                readings
            }

            /// Checks the keys of all agents.
            #[cfg(test)]
            fn check_keys() -> Result<(), String> {
                $(spec::check_keys::<$spec>()?;)*
                Ok(())
            }
        }

        $(impl From<$spec> for AgentSpec {
            fn from(agent: $spec) -> AgentSpec {
                AgentSpec::$name(agent)
            }
        })*

        impl fmt::Display for AgentSpec {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(AgentSpec::$name(agent) => spec::write(agent, f),)*
                }
            }
        }
    };
}

agents! {
    /// Monte Carlo Tree Search.
    Mcts(Settings),
    /// Flat Monte Carlo: playouts of every action, and no tree.
    Flat(crate::general::Flat),
    /// Beam search: the most promising lines of play, by the game's evaluation.
    Beam(crate::general::Beam),
    /// Determinization (PIMC): several positions that the player cannot tell apart, each searched as if every player
    /// saw everything.
    Determinization(crate::general::Determinization),
    /// Logical ranks: root parallelisation with merged statistics.
    Ranks(crate::ranks::Ranks),
    /// Exhaustive search: every chain of actions to the end of the own turn.
    Exhaustive(crate::general::Exhaustive),
    /// Expectimax: every move and every event of chance to a depth that grows.
    Expectimax(crate::general::Expectimax),
    /// Any legal action.
    Random(crate::general::Random),
    /// AHC015 by a rule for one flavour.
    Solution1(crate::ahc015::Solution1),
    /// AHC015 by a rule for all flavours.
    Solution2(crate::ahc015::Solution2),
    /// AHC015 by playouts of that rule.
    Solution3(crate::ahc015::Solution3),
    /// AHC015 by plan search: a plan for the rest of the case, improved in every turn.
    Candy(crate::ahc015::Candy),
    /// Green Circle by a rule with dice.
    Builder2(crate::green_circle::Builder2),
    /// Green Circle by Monte Carlo Tree Search over turns.
    Foresight(crate::green_circle::Foresight),
    /// Photosynthesis by a rule.
    Greedy(crate::photosynthesis::Greedy),
    /// Photosynthesis by beam search.
    DaysBeam(crate::photosynthesis::DaysBeam),
    /// Photosynthesis by Monte Carlo Tree Search.
    PhotosynthesisMcts(crate::photosynthesis::PhotosynthesisMcts),
}

impl AgentSpec {
    /// The settings of the tree search, if the agent is `mcts`.
    pub fn settings(&self) -> Option<&Settings> {
        if let AgentSpec::Mcts(settings) = self { Some(settings) } else { None }
    }

    /// Checks that the agent goes with the game that `game` names.
    ///
    /// # Errors
    /// One sentence about the game, or about the agent in it.
    pub fn check(&self, game: &str) -> Result<(), AgentError> {
        let started = boughs_games::start(game).map_err(AgentError::Game)?;
        // The agent is built as it will be, but without the memory of its tree.
        let mut small = self.clone();
        let _ = small.set("memory", "1M");
        small.build(&*started.position).map(drop).map_err(AgentError::Agent)
    }
}

/// The reason why an agent does not play a game. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentError {
    /// There is no such game.
    Game(GameError),
    /// The agent does not go with the game.
    Agent(SearchError),
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentError::Game(error) => error.fmt(f),
            AgentError::Agent(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AgentError {}

impl Default for AgentSpec {
    fn default() -> AgentSpec {
        AgentSpec::Mcts(Settings::default())
    }
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    /// Reads the text of an agent. Where two agents are read under one name, the keys tell which is meant.
    fn from_str(text: &str) -> Result<AgentSpec, SpecError> {
        let mut faults: Option<SpecError> = None;
        for reading in AgentSpec::readings(text) {
            match reading {
                Ok(agent) => return Ok(agent),
                Err(fault) => faults = Some(faults.map_or(fault.clone(), |first| first.or(fault))),
            }
        }
        Err(faults.unwrap_or_else(|| unknown(spec::agent_name(text))))
    }
}

/// The error about a name that no agent has.
fn unknown(name: &str) -> SpecError {
    let (mut general, mut contest) = (Vec::new(), Vec::new());
    for agent in AgentSpec::list() {
        match agent.game {
            None => general.push(agent.name.to_string()),
            Some(game) => contest.push(format!("{} ({game})", agent.name)),
        }
    }
    let general = general.join(", ");
    let hint = spec::did_you_mean(name, AgentSpec::list().into_iter().map(|agent| agent.name));
    let fault =
        SpecError::new(format!("unknown agent '{name}'; {hint}there are {general}, as in mcts:c=1.4,threads=8"));
    fault.or(format!("agents of one game: {}", contest.join(", ")))
}

/// The agent that suits a game, for when the user names none: a table of the games for which `mcts` alone is not the
/// best. Case does not matter.
pub fn default_agent(game: &str) -> AgentSpec {
    let text = match game.to_ascii_lowercase().as_str() {
        // Too many outcomes for a tree: a plan that is improved on the same luck for all changes finds more.
        Ahc015::NAME => crate::ahc015::Candy::NAME,
        // A network that has learned by games against itself knows more than playouts find.
        Breakthrough::NAME if cfg!(feature = "crates") => "mcts:c=0.3,policy=puct,net=built-in,minimax=0.3,solver=on",
        Othello::NAME if cfg!(feature = "crates") => "mcts:c=0.15,policy=puct,net=built-in,minimax=0.6,solver=on",
        // A single move decides: playouts that miss a win, or leave one, say little.
        Connect4::NAME => "mcts:playout=heavy",
        Breakthrough::NAME => "mcts:c=0.4,playout=anti-decisive,solver=on",
        // Playouts that avoid the three in a line which loses are three times slower, and no better for it.
        Yavalath::NAME => "mcts:playout=decisive",
        // A stone is good on a point whenever it is played there, and playouts answer what is urgent.
        go::NAME | Hex::NAME => "mcts:c=0.2,policy=grave,playout=heavy",
        // Mobility and stable discs say more than random playouts.
        Othello::NAME => "mcts:c=0.3,policy=puct,eval=on",
        // Order and empty cells after the next slide say more than random playouts.
        Game2048::NAME => "mcts:c=0.1,policy=puct,eval=on",
        // Playouts choose nearly as well as possible, so a node whose actions are tried too early says less than its
        // playouts.
        Pig::NAME => "mcts:c=0.5,expand=300",
        Photosynthesis::NAME => crate::photosynthesis::PhotosynthesisMcts::NAME,
        GreenCircle::NAME => crate::green_circle::Foresight::NAME,
        _ => Settings::NAME,
    };
    text.parse().unwrap_or_default()
}

/// The contest agents of the game with this name.
pub fn agents_of(game: &str) -> Vec<AgentEntry> {
    AgentSpec::list().into_iter().filter(|agent| agent.game == Some(game)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_every_agent_reads_what_it_writes() {
        assert_eq!(AgentSpec::check_keys(), Ok(()));
    }
}
