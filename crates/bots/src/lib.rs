//! Who plays: the agents of the engine, which play every game, and those that a game has of its own.
//!
//! ```
//! use boughs_bots::BotSpec;
//!
//! let bot: BotSpec = "mcts:c=1.2".parse().unwrap();
//! assert_eq!(bot.to_string(), "mcts:c=1.2");
//! assert!(boughs_bots::check("connect4", &bot).is_ok());
//! let error = "alpha".parse::<BotSpec>().unwrap_err();
//! assert!(error.to_string().starts_with("unknown agent 'alpha'"));
//! ```
//!
//! A further agent of a game is a file with its keys ([`Spec`](boughs::Spec)) and the way it thinks ([`OwnAgent`]), its `mod` line
//! here and its line in `list.rs`.

pub mod ahc015;
mod decide;
pub mod green_circle;
mod list;
mod own;
pub mod photosynthesis;

use std::fmt;
use std::str::FromStr;

use boughs::{Agent, AgentEntry, AgentSpec, Game, SearchError, SpecError};
use boughs_games::{GameError, Listed, Visitor, visit};

pub use list::OwnSpec;
pub use own::OwnAgent;

/// Any agent, with everything that is set about it.
#[derive(Clone, Debug, PartialEq)]
pub enum BotSpec {
    /// An agent of the engine, for any game.
    General(AgentSpec),
    /// An agent of one game.
    Own(OwnSpec),
}

impl BotSpec {
    /// Sets a key, as in the text.
    ///
    /// # Errors
    /// One sentence about the key or the value at fault.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        match self {
            BotSpec::General(agent) => agent.set(key, value),
            BotSpec::Own(agent) => agent.set(key, value),
        }
    }

    /// The same agent with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> BotSpec {
        match self {
            BotSpec::General(agent) => BotSpec::General(agent.with_seed(seed)),
            BotSpec::Own(agent) => BotSpec::Own(agent.with_seed(seed)),
        }
    }

    /// How many threads it has, 0 for as many as there are cores.
    pub fn threads(&self) -> usize {
        match self {
            BotSpec::General(agent) => agent.threads(),
            BotSpec::Own(agent) => agent.threads(),
        }
    }

    /// The agent of the engine, if it is one.
    pub fn general(&self) -> Option<&AgentSpec> {
        match self {
            BotSpec::General(agent) => Some(agent),
            BotSpec::Own(_) => None,
        }
    }

    /// The agent in a position.
    ///
    /// # Errors
    /// If it does not go with the game, or the memory or the threads cannot be had.
    pub fn build<G: Game>(self, position: G) -> Result<Box<dyn Agent<G>>, SearchError> {
        match self {
            BotSpec::General(agent) => agent.build(position),
            BotSpec::Own(agent) => agent.build(position),
        }
    }
}

/// Whether an agent goes with the game that `game` names.
///
/// # Errors
/// One sentence about the game, or about the agent in it.
pub fn check(game: &str, bot: &BotSpec) -> Result<(), BotError> {
    struct Check<'b>(&'b BotSpec);

    impl Visitor for Check<'_> {
        type Output = Result<(), SearchError>;
        fn visit<G: Listed>(self, start: G) -> Self::Output {
            // Built as it will be, but for the memory of its tree.
            let mut bot = self.0.clone();
            _ = bot.set("memory", "1M");
            bot.build(start).map(drop)
        }
    }

    visit(game, Check(bot)).map_err(BotError::Game)?.map_err(BotError::Agent)
}

/// Why an agent does not play a game. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum BotError {
    /// There is no such game.
    Game(GameError),
    /// The agent does not go with it.
    Agent(SearchError),
}

impl fmt::Display for BotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotError::Game(error) => error.fmt(f),
            BotError::Agent(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BotError {}

impl Default for BotSpec {
    fn default() -> BotSpec {
        BotSpec::General(AgentSpec::default())
    }
}

impl From<AgentSpec> for BotSpec {
    fn from(agent: AgentSpec) -> BotSpec {
        BotSpec::General(agent)
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BotSpec::General(agent) => agent.fmt(f),
            BotSpec::Own(agent) => agent.fmt(f),
        }
    }
}

impl FromStr for BotSpec {
    type Err = SpecError;

    /// Where an agent of a game has the name of one of the engine, its keys tell which is meant.
    fn from_str(text: &str) -> Result<BotSpec, SpecError> {
        let error = match text.parse() {
            Ok(general) => return Ok(BotSpec::General(general)),
            Err(error) => error,
        };
        match OwnSpec::parse(text) {
            Some(Err(own)) if is_general(text) => Err(error.or(own)),
            Some(own) => own.map(BotSpec::Own),
            None if is_general(text) => Err(error),
            None => {
                let names = OwnSpec::list().into_iter().map(|(game, agent)| format!("{} ({game})", agent.name));
                Err(error.or(format!("agents of one game: {}", names.collect::<Vec<_>>().join(", "))))
            }
        }
    }
}

/// Whether an agent of the engine has the name in a text.
fn is_general(text: &str) -> bool {
    AgentSpec::list().iter().any(|agent| text.split(':').next() == Some(agent.name))
}

/// The agents that a game has of its own, by the name of the game.
pub fn own_agents(game: &str) -> Vec<AgentEntry> {
    OwnSpec::list().into_iter().filter(|(of, _)| *of == game).map(|(_, agent)| agent).collect()
}
