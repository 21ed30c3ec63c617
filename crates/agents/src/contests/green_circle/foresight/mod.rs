//! Monte Carlo Tree Search over the decisions of the own turn, by the engine.
//!
//! The tree ends where the own turn does. A leaf is valued by an [`Evaluator`](boughs::Evaluator): it draws hidden
//! cards and luck anew, makes the rest of the own turn the best by the learned evaluation
//! ([`TurnSearch`](crate::turn::TurnSearch)), and so all later turns. The evaluation at the end of the last turn is the
//! value. The values of actions by the evaluation alone are their priors.

mod agent;
mod evaluator;
mod play;
mod route;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boughs::spec::{Key, Spec};
use boughs::{Agent, Parallel, Policy, SearchError, Settings};
use boughs_games::NamedGame;
use boughs_games::green_circle::GreenCircle;

use self::agent::ForesightAgent;
use self::evaluator::TurnEvaluator;
use super::weights;
use crate::contests::check_game;
use crate::entry::{Build, WITHOUT_A_TREE};

/// The memory of the tree in bytes.
const MEMORY: usize = 64 << 20;

/// The memory of a position of a later turn that is known.
const A_POSITION: usize = 64;

/// The leaves of a batch with [`Parallel::Batched`].
const BATCH: u32 = 32;

const SPREAD: RangeInclusive<f64> = 0.001..=10.0;

const PARALLELS: [(&str, Parallel); 2] = [("shared", Parallel::Shared), ("batched", Parallel::Batched)];

/// The options of the tree search over turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Foresight {
    /// The exploration constant of PUCT.
    pub exploration: f64,
    /// The difference in value by the evaluation that makes an action e times as likely as another one.
    pub spread: f64,
    /// The number of turns that are played after the own one.
    pub turns: u32,
    /// The number of actions of a decision that are examined, the best by the evaluation.
    pub width: u32,
    /// The most positions of a later turn that are examined.
    pub positions: u32,
    /// The number of threads that search, 0 for as many as there are cores.
    pub threads: usize,
    /// [`Shared`](Parallel::Shared), or [`Batched`](Parallel::Batched) for the same result of an iteration budget at
    /// any number of threads.
    pub parallel: Parallel,
    /// A file with weights for the evaluation, instead of those of the game.
    pub weights: Option<PathBuf>,
    /// The seed of all randomness. It is not part of the text.
    pub seed: u64,
}

impl Default for Foresight {
    fn default() -> Foresight {
        Foresight {
            exploration: 1.0,
            spread: 0.05,
            turns: 2,
            width: 8,
            positions: 2000,
            threads: 1,
            parallel: Parallel::Shared,
            weights: None,
            seed: 0,
        }
    }
}

impl Spec for Foresight {
    const NAME: &'static str = "foresight";
    const SUMMARY: &'static str =
        "turn MCTS: tree search over turns, with the best turns of both players by the learned evaluation as playouts";

    fn keys() -> Vec<Key<Foresight>> {
        vec![
            Key::exploration("exploration constant of PUCT", |agent| &mut agent.exploration),
            Key::number("spread", "difference in value that makes an action e times as likely", SPREAD, |agent| {
                &mut agent.spread
            }),
            Key::number("turns", "turns after the own one that are played", 1..=100, |agent| &mut agent.turns),
            Key::number(
                "width",
                "actions of a decision that are looked at, the best by the evaluation",
                1..=1_000,
                |agent| &mut agent.width,
            ),
            Key::number("positions", "most positions of a later turn that are looked at", 1..=1_000_000, |agent| {
                &mut agent.positions
            }),
            Key::threads(|agent| &mut agent.threads),
            Key::choice(
                "parallel",
                "tree parallelisation (shared), or leaf parallelisation in batches with the same result at any number \
                 of threads (batched)",
                &PARALLELS,
                |agent| &mut agent.parallel,
            ),
            Key::file(
                "weights",
                "what the evaluation goes by: the game's own weights, or those that boughs learn has written to a file",
                "own",
                &[".json"],
                |agent| &mut agent.weights,
            ),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn files(&self) -> Vec<&Path> {
        self.weights.as_deref().into_iter().collect()
    }
}

impl Build for Foresight {
    const GAME: Option<&'static str> = Some(GreenCircle::NAME);

    fn memory(&self, _: &dyn boughs::Session) -> usize {
        MEMORY + WITHOUT_A_TREE + self.threads * self.positions as usize * A_POSITION
    }

    /// With one thread the agent searches on the thread of its caller, unless it searches in batches.
    fn build(&self, position: &dyn boughs::Session) -> Result<Box<dyn Agent>, SearchError> {
        let game = check_game::<Foresight, GreenCircle>(position)?;
        let has_workers = self.threads != 1 || self.parallel == Parallel::Batched;
        let weights = match &self.weights {
            Some(file) => weights::read(file)?,
            None => GreenCircle::weights().to_vec(),
        };
        let evaluator = Arc::new(TurnEvaluator::new(self, weights));
        let settings = Settings {
            policy: Policy::Puct,
            exploration: self.exploration,
            evaluator: true,
            threads: self.threads,
            parallel: self.parallel,
            batch: if self.parallel == Parallel::Batched { BATCH } else { 0 },
            traversals: 1,
            bulk: 1,
            memory: MEMORY,
            seed: self.seed,
            ..Settings::default()
        };
        let search = match has_workers {
            // Simulations by priors go one by one, so that the key `bulk` is refused. A file has no code for bulks.
            true => {
                let bulk = Settings::default().bulk;
                game.search_by(Settings { bulk, ..settings }, evaluator.clone())?
            }
            false => game.local_search_by(settings, evaluator.clone())?,
        };
        Ok(Box::new(ForesightAgent::new(*game, search, evaluator, self.seed)))
    }
}
