//! Agents: whatever looks at a position and says which action to play, within a budget, in one kind of report.
//!
//! Each is named by one line of text, `flat:policy=ucb1,threads=8` ([`AgentSpec`]), and built for a game as an [`Agent`].
//! A further agent is a file with its keys and the way it thinks, and its line in the list below; the parser, the help of the
//! program and the tests find it there.

mod beam;
mod exhaustive;
mod flat;
mod found;
mod mcts;
mod random;
mod task;
mod thinker;
mod worlds;

use std::fmt;
use std::str::FromStr;

pub use beam::Beam;
pub use exhaustive::Exhaustive;
pub use flat::{Flat, FlatPolicy};
pub use random::Random;
pub use worlds::Worlds;

use crate::search::SearchError;
use crate::settings::Settings;
use crate::spec::{self, Spec, SpecError};
use crate::{Budget, Game, Report};

/// An agent in a position of a game.
///
/// ```
/// use boughs::{AgentSpec, Budget, Game};
///
/// fn answer<G: Game>(position: G, agent: &str) -> Option<G::Action> {
///     let spec: AgentSpec = agent.parse().ok()?;
///     let mut agent = spec.build(position).ok()?;
///     let report = agent.search(Budget::iterations(1_000), &mut |so_far| println!("{so_far}")).ok()?;
///     report.best_action()
/// }
/// ```
pub trait Agent<G: Game> {
    /// The position it is in.
    fn position(&self) -> &G;

    /// Searches until the budget says stop. `see` is called a few times a second with what is known by then.
    ///
    /// # Errors
    /// If there is no memory for the search, or the game panics.
    fn search(
        &mut self,
        budget: Budget,
        see: &mut dyn FnMut(&Report<G::Action>),
    ) -> Result<Report<G::Action>, SearchError>;

    /// Plays an action.
    ///
    /// # Errors
    /// If the action is not legal, or the game panics.
    fn advance(&mut self, action: G::Action) -> Result<(), SearchError>;

    /// Turns to another position.
    fn reset(&mut self, position: G);

    /// Turns to another game, as if it were built anew in this position with this seed, and quicker than that.
    fn begin(&mut self, position: G, seed: u64);
}

/// What makes an agent of what was set.
trait Build: Spec {
    /// The agent in a position.
    fn build<G: Game>(self, position: G) -> Result<Box<dyn Agent<G>>, SearchError>;
}

/// What the list says about an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentEntry {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// What can be set.
    pub keys: Vec<KeyEntry>,
}

/// What the list says about a key of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// Its name before the `=`.
    pub name: &'static str,
    /// What it sets.
    pub help: &'static str,
    /// What may stand after the `=`.
    pub values: &'static str,
    /// What it is where nothing is said.
    pub default: String,
}

impl AgentEntry {
    /// What a list says about an agent with these keys.
    pub fn of<S: Spec>() -> AgentEntry {
        let entry = |key: &spec::Key<S>| KeyEntry {
            name: key.name,
            help: key.help,
            values: key.values,
            default: key.default(),
        };
        AgentEntry { name: S::NAME, summary: S::SUMMARY, keys: S::KEYS.iter().map(entry).collect() }
    }
}

macro_rules! agents {
    ($($(#[$doc:meta])* $name:ident($spec:ty),)*) => {
        /// Any agent, with everything that is set about it.
        ///
        /// ```
        /// use boughs::AgentSpec;
        ///
        /// let spec: AgentSpec = "mcts:c=1.2,threads=8".parse().unwrap();
        /// assert_eq!(spec.to_string(), "mcts:c=1.2,threads=8");
        /// ```
        #[derive(Clone, Debug, PartialEq)]
        pub enum AgentSpec {
            $($(#[$doc])* $name($spec),)*
        }

        impl AgentSpec {
            /// All agents, in the order of the list.
            pub fn list() -> Vec<AgentEntry> {
                vec![$(AgentEntry::of::<$spec>()),*]
            }

            /// Sets a key, as in the text.
            ///
            /// # Errors
            /// One sentence about the key or the value at fault.
            pub fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
                match self {
                    $(AgentSpec::$name(agent) => spec::set(agent, key, value),)*
                }
            }

            /// The same agent with another seed.
            pub fn with_seed(mut self, seed: u64) -> AgentSpec {
                match &mut self {
                    $(AgentSpec::$name(agent) => *agent.seed() = seed,)*
                }
                self
            }

            /// How many threads it has, 0 for as many as there are cores.
            pub fn threads(&self) -> usize {
                match self {
                    $(AgentSpec::$name(agent) => agent.threads(),)*
                }
            }

            /// The agent in a position.
            ///
            /// # Errors
            /// If it does not go with the game, or the memory or the threads cannot be had.
            pub fn build<G: Game>(self, position: G) -> Result<Box<dyn Agent<G>>, SearchError> {
                match self {
                    $(AgentSpec::$name(agent) => agent.build(position),)*
                }
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

        impl FromStr for AgentSpec {
            type Err = SpecError;

            fn from_str(text: &str) -> Result<AgentSpec, SpecError> {
                let (name, _) = spec::split(text);
                match name {
                    $(<$spec as Spec>::NAME => spec::parse(text).map(AgentSpec::$name),)*
                    _ => Err(unknown(name)),
                }
            }
        }

        #[cfg(test)]
        fn check_keys_of_all() {
            $(spec::tests::check_keys::<$spec>();)*
        }
    };
}

agents! {
    /// Monte Carlo Tree Search.
    Mcts(Settings),
    /// Flat Monte Carlo: playouts of every action, and no tree.
    Flat(Flat),
    /// Beam search: the most promising lines of play, by the game's evaluation.
    Beam(Beam),
    /// Determinisation: several worlds that may be the true one, each searched as if everybody saw everything.
    Worlds(Worlds),
    /// Exhaustive search: every chain of actions to the end of the own turn.
    Exhaustive(Exhaustive),
    /// Any legal action.
    Random(Random),
}

impl Default for AgentSpec {
    fn default() -> AgentSpec {
        AgentSpec::Mcts(Settings::default())
    }
}

fn unknown(name: &str) -> SpecError {
    let names: Vec<&str> = AgentSpec::list().iter().map(|agent| agent.name).collect();
    SpecError(format!("unknown agent '{name}'; there are {}, as in mcts:c=1.4,threads=8", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_is_by_default_its_bare_name() {
        for agent in AgentSpec::list() {
            let spec: AgentSpec = agent.name.parse().unwrap();
            assert_eq!(spec.to_string(), agent.name);
        }
    }

    #[test]
    fn every_key_of_every_agent_reads_what_it_writes() {
        check_keys_of_all();
    }

    #[test]
    fn threads_can_be_set_for_every_agent_and_are_printed() {
        for agent in AgentSpec::list() {
            let mut spec: AgentSpec = agent.name.parse().unwrap();
            spec.set("threads", "3").unwrap();
            assert_eq!(spec.to_string(), format!("{}:threads=3", agent.name));
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
    }

    #[test]
    fn faults_are_named_with_what_is_right() {
        let fault = |text: &str| text.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(fault("alpha:c=1").starts_with("unknown agent 'alpha'; there are mcts"));
        for agent in AgentSpec::list() {
            let keys: Vec<&str> = agent.keys.iter().map(|key| key.name).collect();
            let wrong = fault(&format!("{}:colour=red", agent.name));
            assert_eq!(wrong, format!("agent {} has no key 'colour'; its keys are {}", agent.name, keys.join(", ")));
        }
    }
}
