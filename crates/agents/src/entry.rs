//! The entry of an agent in the list, made from its options.

use boughs::spec::{Key, Spec, agent_name};
use boughs::{Agent, SearchError, Session};

/// The options of an agent, which build it.
///
/// ```
/// use boughs::Budget;
/// use boughs_agents::{Build, photosynthesis::Greedy};
/// use boughs_games::photosynthesis::Photosynthesis;
///
/// let mut agent = Greedy::default().build(&Photosynthesis::new(1)).unwrap();
/// println!("{}", agent.search(Budget::unlimited(), &mut |_| ()).unwrap());
/// ```
pub trait Build: Spec {
    /// The game of a contest agent; `None` for an agent that plays any game that suits it.
    const GAME: Option<&'static str> = None;

    /// Builds the agent in a position. Options that are out of their range are its fault;
    /// [`AgentSpec`](crate::AgentSpec) refuses them.
    ///
    /// # Errors
    /// If the agent does not go with the game, or the memory or the threads cannot be had.
    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError>;

    /// The most memory in bytes that the agent takes in a position, as far as its options and the size of positions
    /// tell.
    fn memory(&self, _position: &dyn Session) -> usize {
        WITHOUT_A_TREE
    }
}

/// The most memory of an agent without a tree.
pub(crate) const WITHOUT_A_TREE: usize = 16 << 20;

/// The entry of an agent in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentEntry {
    /// The name of the agent.
    pub name: &'static str,
    /// Older names of the agent. They are read and never printed.
    pub aliases: &'static [&'static str],
    /// The name of the one game it plays, for a contest agent; `None` for an agent that plays any game that suits it.
    pub game: Option<&'static str>,
    /// A short description of the agent.
    pub summary: &'static str,
    /// The options of the agent.
    pub keys: Vec<KeyEntry>,
}

/// The entry of an option of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEntry {
    /// The name before the `=`.
    pub name: &'static str,
    /// A short description of the option.
    pub help: &'static str,
    /// The permitted values, as text.
    pub values: String,
    /// The default value.
    pub default: String,
}

impl AgentEntry {
    /// Returns true if the agent is read under this name. Its options may follow, so a whole spec finds its agent.
    pub fn is_called(&self, spec: &str) -> bool {
        let name = agent_name(spec).trim();
        self.name.eq_ignore_ascii_case(name) || self.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(name))
    }

    /// The entry of the agent with these options.
    pub(crate) fn of<S: Build>() -> AgentEntry {
        let entry = |key: Key<S>| {
            let default = key.default();
            KeyEntry { name: key.name, help: key.help, values: key.values, default }
        };
        AgentEntry {
            name: S::NAME,
            aliases: S::ALIASES,
            game: S::GAME,
            summary: S::SUMMARY,
            keys: S::keys().into_iter().map(entry).collect(),
        }
    }
}
