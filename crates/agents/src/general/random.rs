//! Random play: the lower bound for the strength of every agent.

use boughs::spec::{Key, Spec};
use boughs::{Agent, PlayoutKind, SearchError, Session};

use crate::entry::Build;
use crate::search::{self, LineSearch, SharedSearch};

/// The options of random play: every legal action is equally likely.
#[derive(Clone, Debug, PartialEq)]
pub struct Random {
    /// The number of threads, as for other agents. One draw keeps one thread busy.
    pub threads: usize,
    /// The seed of all randomness. It is not part of the text.
    pub seed: u64,
}

impl Default for Random {
    fn default() -> Random {
        Random { threads: 1, seed: 0 }
    }
}

impl Spec for Random {
    const NAME: &'static str = "random";
    const SUMMARY: &'static str = "plays at random, each action as likely as the other";
    fn keys() -> Vec<Key<Random>> {
        let threads: Key<Random> = Key::threads(|set| &mut set.threads);
        vec![threads.help("as for other agents; one draw keeps no more than one thread busy")]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl Build for Random {
    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        search::start(self, position)
    }
}

impl LineSearch for Random {
    fn playout(&self) -> PlayoutKind {
        PlayoutKind::Light
    }

    fn search(&self, search: &SharedSearch) {
        let drawn = search.rng(0).below(search.actions.len() as u32) as usize;
        search.result.stats(|stats| (stats.guess, stats.depth) = (Some(drawn), 1));
    }
}
