//! The way to a position, for ranks that have to follow.

use boughs_agents::AgentSpec;
use serde::{Deserialize, Serialize};

/// The way of an agent to its position.
#[derive(Clone, Debug)]
pub(crate) struct Route {
    /// The game as its text.
    game: String,
    /// All moves from its start.
    moves: Vec<u32>,
    /// The agent as its text, and its seed.
    agent: String,
    seed: u64,
    /// The part of it since the last search.
    since: Leg,
}

/// The part of a way that the others have not followed.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Leg {
    /// A new agent, in the position after some moves of a game.
    Build { game: String, moves: Vec<u32>, agent: String, seed: u64 },
    /// The same agent at the begin of another game with another seed, and then some moves.
    Begin { game: String, moves: Vec<u32>, seed: u64 },
    /// The same agent without its tree, in the position after some moves.
    Reset { game: String, moves: Vec<u32> },
    /// Further moves, with the tree.
    Advance { moves: Vec<u32> },
}

impl Route {
    /// The start of a game.
    pub(crate) fn from(game: &str) -> Route {
        Route {
            game: game.to_string(),
            moves: Vec::new(),
            agent: String::new(),
            seed: 0,
            since: Leg::Advance { moves: Vec::new() },
        }
    }

    /// Takes a new agent.
    pub(crate) fn build(&mut self, agent: &AgentSpec) {
        (self.agent, self.seed) = (agent.to_string(), agent.seed());
        self.rebuild();
    }

    /// Takes the agent anew.
    pub(super) fn rebuild(&mut self) {
        let (agent, seed) = (self.agent.clone(), self.seed);
        self.since = Leg::Build { game: String::new(), moves: Vec::new(), agent, seed };
    }

    /// Plays a move.
    pub(super) fn advance(&mut self, action: u32) {
        self.moves.push(action);
        if let Leg::Advance { moves } = &mut self.since {
            moves.push(action);
        }
    }

    /// Goes to the start of the game without the tree.
    pub(super) fn reset(&mut self) {
        self.moves.clear();
        if matches!(self.since, Leg::Advance { .. }) {
            self.since = Leg::Reset { game: String::new(), moves: Vec::new() };
        }
    }

    /// Begins another game.
    pub(super) fn begin(&mut self, with_seed: u64) {
        self.moves.clear();
        self.seed = with_seed;
        match &mut self.since {
            Leg::Build { seed, .. } | Leg::Begin { seed, .. } => *seed = with_seed,
            since => *since = Leg::Begin { game: String::new(), moves: Vec::new(), seed: with_seed },
        }
    }

    /// Corrects the place to that after these moves of a game.
    pub(crate) fn is_at(&mut self, game: &str, moves: &[u32]) {
        self.game = game.to_string();
        self.moves = moves.to_vec();
    }

    /// The leg up to here, which the others follow now.
    pub(crate) fn next(&mut self) -> Leg {
        let leg = std::mem::replace(&mut self.since, Leg::Advance { moves: Vec::new() });
        let (game, moves) = (self.game.clone(), self.moves.clone());
        match leg {
            Leg::Build { agent, seed, .. } => Leg::Build { game, moves, agent, seed },
            Leg::Begin { seed, .. } => Leg::Begin { game, moves, seed },
            Leg::Reset { .. } => Leg::Reset { game, moves },
            Leg::Advance { moves } => Leg::Advance { moves },
        }
    }
}
