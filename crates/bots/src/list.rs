//! The one list of agents that games have of their own.

use std::fmt;

use boughs::{Agent, AgentEntry, Game, SearchError, Spec, SpecError, spec};
use boughs_games::Listed;

use crate::own::{self, OwnAgent};

macro_rules! own_agents {
    ($($(#[$doc:meta])* $name:ident($spec:ty),)*) => {
        /// Any agent of one game, with everything that is set about it.
        #[derive(Clone, Debug, PartialEq)]
        pub enum OwnSpec {
            $($(#[$doc])* $name($spec),)*
        }

        impl OwnSpec {
            /// All of them with the name of their game, in the order of the list.
            pub fn list() -> Vec<(&'static str, AgentEntry)> {
                vec![$((<<$spec as OwnAgent>::Game as Listed>::NAME, AgentEntry::of::<$spec>())),*]
            }

            /// Reads the text of an agent; `None` if none has that name.
            pub(crate) fn parse(text: &str) -> Option<Result<OwnSpec, SpecError>> {
                let name = text.split(':').next();
                $(if name == Some(<$spec as Spec>::NAME) {
                    return Some(spec::parse(text).map(OwnSpec::$name));
                })*
                None
            }

            pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
                match *self {
                    $(OwnSpec::$name(ref mut agent) => spec::set(agent, key, value),)*
                }
            }

            pub(crate) fn with_seed(mut self, seed: u64) -> OwnSpec {
                match self {
                    $(OwnSpec::$name(ref mut agent) => *agent.seed() = seed,)*
                }
                self
            }

            pub(crate) fn threads(&self) -> usize {
                match *self {
                    $(OwnSpec::$name(ref agent) => agent.threads(),)*
                }
            }

            pub(crate) fn build<G: Game>(self, position: G) -> Result<Box<dyn Agent<G>>, SearchError> {
                match self {
                    $(OwnSpec::$name(agent) => own::build(agent, position),)*
                }
            }
        }

        impl fmt::Display for OwnSpec {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match *self {
                    $(OwnSpec::$name(ref agent) => spec::write(agent, f),)*
                }
            }
        }
    };
}

own_agents! {
    /// AHC015 by a rule for one flavour.
    Solution1(crate::ahc015::Solution1),
    /// AHC015 by a rule for all flavours.
    Solution2(crate::ahc015::Solution2),
    /// AHC015 by playouts of that rule.
    Solution3(crate::ahc015::Solution3),
    /// AHC015 by a plan that is improved in every turn.
    Candy(crate::ahc015::Candy),
    /// Green Circle by a rule with dice.
    Builder2(crate::green_circle::Builder2),
    /// Green Circle by playouts of whole turns.
    Foresight(crate::green_circle::Foresight),
    /// Photosynthesis by a rule.
    Greedy(crate::photosynthesis::Greedy),
    /// Photosynthesis by beam search.
    Beam(crate::photosynthesis::Beam),
    /// Photosynthesis by tree search.
    Woods(crate::photosynthesis::Woodsman),
}
