//! Monte Carlo Tree Search over turns.
//!
//! Each playout draws hidden cards and luck anew. It traverses a tree of the decisions of the own turn ([`Tree`]) and
//! makes the rest of that turn the best by the learned evaluation ([`TurnSearch`]), and so all later turns. The
//! evaluation at the end of the last turn is its value. The tree ends where the own turn does, because the cards
//! drawn then are hardly ever the same twice.
//!
//! Several playouts are made at a time: first their traversals of the tree, one after the other, with those in flight
//! counted; then the rest by all threads at once. So the result of an iteration budget does not depend on the number
//! of threads.

mod play;
mod tree;

use std::path::{Path, PathBuf};
use std::time::Instant;

use boughs::run::{Pool, threads};
use boughs::spec::{Key, Spec};
use boughs::{Agent, Budget, Game, Rng, SearchError, StopReason};
use boughs_games::NamedGame;
use boughs_games::green_circle::{GreenCircle, Step};

use self::play::{Play, TurnSearches, is_over};
use self::tree::{PendingPlayout, Tree, arms};
use super::weights;
use crate::contests::{self, ContestAlgorithm, Decision, DecisionIn, Question};
use crate::entry::Build;
use crate::turn::{Ranking, TurnSearch};

/// The options of the tree search over turns.
#[derive(Clone, Debug, PartialEq)]
pub struct Foresight {
    /// The number of turns that are played after the own one.
    pub turns: u32,
    /// The number of actions of a decision that are examined, the best by the evaluation.
    pub width: u32,
    /// The most positions of a later turn that are examined.
    pub positions: u32,
    /// The number of threads that search, 0 for as many as there are cores. The result of an iteration budget does
    /// not depend on it.
    pub threads: usize,
    /// A file with weights for the evaluation, instead of those of the game.
    pub weights: Option<PathBuf>,
    /// The seed of all randomness. It is not part of the text.
    pub seed: u64,
}

impl Default for Foresight {
    fn default() -> Foresight {
        Foresight { turns: 2, width: 8, positions: 2000, threads: 1, weights: None, seed: 0 }
    }
}

impl Spec for Foresight {
    const NAME: &'static str = "foresight";
    const SUMMARY: &'static str =
        "turn MCTS: tree search over turns, with the best turns of both players by the learned evaluation as playouts";

    fn keys() -> Vec<Key<Foresight>> {
        vec![
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
            Key::new(
                "weights",
                "what the evaluation goes by: the game's own weights, or those that boughs learn has written to a file",
                "own, or a file whose name ends in .json",
                |agent: &Foresight| agent.weights.as_ref().map_or("own".into(), |file| file.display().to_string()),
                |agent, text| {
                    agent.weights = match text {
                        "own" => None,
                        _ => Some(PathBuf::from(text.ends_with(".json").then_some(text)?)),
                    };
                    Some(())
                },
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

    fn build(&self, position: &dyn boughs::Session) -> Result<Box<dyn Agent>, SearchError> {
        contests::start(self, position)
    }
}

/// The most positions of the own turn that are examined before the playouts.
const OWN_POSITIONS: usize = 100_000;

/// The divisor of the time that gives the limit for that.
const OWN_SHARE: u32 = 3;

/// The playouts in flight: the fewest, the most, and the divisor of the playouts made so far. Where playouts are
/// short, more of them at a time let threads wait less for each other.
const FEWEST: u64 = 16;
const MOST: u64 = 512;
const SHARE: u64 = 8;

/// The memory that is kept from decision to decision: the threads, and the working memory of each.
pub(crate) struct Memory {
    pool: Pool,
    searches: Vec<TurnSearches>,
    weights: Vec<f64>,
}

impl ContestAlgorithm for Foresight {
    type Game = GreenCircle;
    type Memory = Memory;

    fn memory(&self) -> Result<Memory, SearchError> {
        let threads = threads(self.threads);
        let searches =
            || TurnSearches { own: TurnSearch::new(OWN_POSITIONS), others: TurnSearch::new(self.positions as usize) };
        Ok(Memory {
            weights: match &self.weights {
                Some(file) => weights::read(file)?,
                None => GreenCircle::weights().to_vec(),
            },
            pool: Pool::new(threads)?,
            searches: (0..threads).map(|_| searches()).collect(),
        })
    }

    fn forget(&self, _: &mut Memory) {}

    fn decide(&self, memory: &mut Memory, question: &Question<'_, GreenCircle>) -> DecisionIn<GreenCircle> {
        let Memory { pool, searches, weights } = memory;
        self.search(pool, searches, weights, question)
    }
}

impl Foresight {
    fn search(
        &self,
        pool: &Pool,
        searches: &mut [TurnSearches],
        weights: &[f64],
        question: &Question<'_, GreenCircle>,
    ) -> DecisionIn<GreenCircle> {
        let Question { position, budget, seed } = *question;
        let mut actions = Vec::new();
        position.actions(&mut actions);
        if let [only] = actions[..] {
            return Decision::by_rule(only);
        }
        let (player, width, mut rng) = (position.active(), self.width as usize, Rng::new(seed, 0));
        let ranking = rank_own_turn(&mut searches[0].own, position, weights, budget, &mut rng);
        if let ([first, others @ ..], true) = (&mut *searches, ranking.is_whole) {
            pool.for_each(others, &|_, searches| searches.own.clone_from(&first.own));
        }
        let play = Play { pool, player, turns: self.turns, width, weights, budget, is_known: ranking.is_whole };
        let mut tree = Tree::new(position, arms(ranking, width));
        let (mut made, mut depth) = (0, 0);
        let stop = loop {
            if tree.root().len() < 2 {
                break StopReason::Complete;
            }
            if let Some(stop) = budget.is_spent(made) {
                break stop;
            }
            let at_once = (made / SHARE).clamp(FEWEST, MOST);
            let count = budget.most_iterations().map_or(at_once, |most| at_once.min(most - made));
            let traversals = (made..made + count).take_while(|_| !is_over(budget)).map(|number| {
                let (mut game, mut rng) = (*position, Rng::new(seed, number + 1));
                game.determinize(player, &mut rng);
                tree.traverse(game, rng)
            });
            let lines: Vec<PendingPlayout> = traversals.collect();
            for (number, played) in play.all(&lines, searches) {
                let line = &lines[number];
                tree.backpropagate(line, played.as_ref().map(|played| played.value));
                if let Some(played) = played {
                    made += 1;
                    depth = depth.max(played.depth);
                    played.arms.into_iter().for_each(|arms| tree.grow(line, arms));
                }
            }
        };
        let arms = tree.ranked();
        Decision {
            best: arms.first().map(|arm| arm.step),
            children: arms.iter().map(|arm| (arm.step, arm.playouts, arm.mean())).collect(),
            iterations: made,
            depth,
            stop,
        }
    }
}

/// Ranks the actions by the evaluation, in a part of the time.
fn rank_own_turn(
    search: &mut TurnSearch<GreenCircle>,
    position: &GreenCircle,
    weights: &[f64],
    budget: &Budget,
    rng: &mut Rng,
) -> Ranking<Step> {
    let began = Instant::now();
    let until = budget.deadline().map(|end| began + end.saturating_duration_since(began) / OWN_SHARE);
    let is_spent = || is_over(budget) || until.is_some_and(|until| Instant::now() >= until);
    search.begin();
    search.rank(position, position.active(), weights, rng, is_spent)
}
