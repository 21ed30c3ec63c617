//! Monte Carlo tree search over turns.
//!
//! Each playout takes hidden cards and luck anew. It goes down a tree of the decisions of the own turn ([`Tree`]), makes the rest of that
//! turn the best by the learned evaluation ([`TurnSearch`]), and so all turns that follow; the evaluation of the last one is what it
//! comes to. The tree ends where the own turn does, because the cards drawn then are hardly ever the same twice.
//!
//! Several playouts are made at a time: their ways through the tree one after the other, with those under way counted, and the rest by
//! all threads at once. So the result of an iteration budget does not depend on the number of threads.

mod play;
mod tree;

use std::path::PathBuf;
use std::time::Instant;

use boughs::learn::{Ranking, TurnSearch};
use boughs::spec::{Key, Spec, number};
use boughs::{Agent, Budget, Game, MAX_THREADS, Rng, SearchError, StopReason, cores};
use boughs_games::green_circle::{GreenCircle, Step};
use rayon::prelude::*;

use self::play::{Hands, Play, is_over};
use self::tree::{Line, Tree, arms};
use super::weights;
use crate::OwnAgent;
use crate::decide::{self, Answer, Decide, Question};

/// Monte Carlo tree search over turns that are the best by the learned evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Foresight {
    /// How many turns after the own one are played.
    pub turns: u32,
    /// How many actions of a decision are looked at, the best by the evaluation.
    pub width: u32,
    /// The most positions of a later turn that are looked at.
    pub positions: u32,
    /// How many threads search; 0 for as many as there are cores. The result of an iteration budget does not depend on it.
    pub threads: usize,
    /// A file with other weights for the evaluation than those that the game has.
    pub weights: Option<PathBuf>,
    /// The seed of all randomness; not part of the text.
    pub seed: u64,
}

impl Default for Foresight {
    fn default() -> Foresight {
        Foresight { turns: 2, width: 8, positions: 2000, threads: 1, weights: None, seed: 0 }
    }
}

impl Spec for Foresight {
    const NAME: &'static str = "foresight";
    const SUMMARY: &'static str = "tree search over turns: playouts of the best turns of both by what was learned";
    const KEYS: &'static [Key<Foresight>] = &[
        Key {
            name: "turns",
            help: "turns after the own one that are played",
            values: "a whole number from 1 to 100",
            get: |set| set.turns.to_string(),
            set: |set, text| number(text, 1..=100).map(|turns| set.turns = turns),
        },
        Key {
            name: "width",
            help: "actions of a decision that are looked at, the best by the evaluation",
            values: "a whole number from 1 to 1000",
            get: |set| set.width.to_string(),
            set: |set, text| number(text, 1..=1_000).map(|width| set.width = width),
        },
        Key {
            name: "positions",
            help: "most positions of a later turn that are looked at",
            values: "a whole number from 1 to 1000000",
            get: |set| set.positions.to_string(),
            set: |set, text| number(text, 1..=1_000_000).map(|positions| set.positions = positions),
        },
        Key {
            name: "threads",
            help: "threads that search, 0 for all cores",
            values: "a whole number from 0 to 1024",
            get: |set| set.threads.to_string(),
            set: |set, text| number(text, 0..=MAX_THREADS).map(|threads| set.threads = threads),
        },
        Key {
            name: "weights",
            help: "what the evaluation goes by: the game's own weights, or those that boughs learn has written to a file",
            values: "own, or a file whose name ends in .json",
            get: |set| set.weights.as_ref().map_or("own".into(), |file| file.display().to_string()),
            set: |set, text| {
                set.weights = match text {
                    "own" => None,
                    _ => Some(PathBuf::from(text.ends_with(".json").then_some(text)?)),
                };
                Some(())
            },
        },
    ];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl OwnAgent for Foresight {
    type Game = GreenCircle;

    fn build(self, position: GreenCircle) -> Result<Box<dyn Agent<GreenCircle>>, SearchError> {
        decide::build(self, position)
    }
}

/// The most positions of the own turn that are looked at before playouts.
const OWN_POSITIONS: usize = 100_000;

/// And the share of the time that takes at most.
const OWN_SHARE: u32 = 3;

/// Playouts under way at a time: the fewest, the most, and what share of those that were made. Where playouts are short, the more
/// there are at a time the less threads wait for each other.
const FEWEST: u64 = 16;
const MOST: u64 = 512;
const SHARE: u64 = 8;

/// What is kept from decision to decision: threads, and what each works with.
pub(crate) struct Mind {
    pool: rayon::ThreadPool,
    hands: Vec<Hands>,
    weights: Vec<f64>,
}

impl Decide for Foresight {
    type Mind = Mind;

    fn mind(&self) -> Result<Mind, SearchError> {
        let threads = if self.threads == 0 { cores() } else { self.threads.min(MAX_THREADS) };
        let name = |number| format!("foresight {number}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build();
        let hands = || Hands { own: TurnSearch::new(OWN_POSITIONS), others: TurnSearch::new(self.positions as usize) };
        Ok(Mind {
            weights: weights::read(self.weights.as_deref())?,
            pool: pool.map_err(|error| SearchError::Threads(error.to_string()))?,
            hands: (0..threads).map(|_| hands()).collect(),
        })
    }

    fn forget(&self, _: &mut Mind) {}

    fn decide(&self, mind: &mut Mind, question: &Question<'_, GreenCircle>) -> Answer<GreenCircle> {
        let Mind { pool, hands, weights } = mind;
        pool.install(|| self.search(hands, weights, question))
    }
}

impl Foresight {
    fn search(
        &self,
        hands: &mut [Hands],
        weights: &[f64],
        question: &Question<'_, GreenCircle>,
    ) -> Answer<GreenCircle> {
        let Question { position, budget, seed } = *question;
        let mut actions = Vec::new();
        position.actions(&mut actions);
        if let [only] = actions[..] {
            return Answer::by_rule(only);
        }
        let (player, width, mut rng) = (position.active(), self.width.max(1) as usize, Rng::new(seed, 0));
        let ranking = rank_own_turn(&mut hands[0].own, position, weights, budget, &mut rng);
        if let ([first, others @ ..], true) = (&mut *hands, ranking.is_whole) {
            others.par_iter_mut().for_each(|hands| hands.own.clone_from(&first.own));
        }
        let play = Play { player, turns: self.turns, width, weights, budget, is_known: ranking.is_whole };
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
            let descents = (made..made + count).take_while(|_| !is_over(budget)).map(|number| {
                let (mut game, mut rng) = (*position, Rng::new(seed, number + 1));
                game.determinise(player, &mut rng);
                tree.descend(game, rng)
            });
            let lines: Vec<Line> = descents.collect();
            for (number, played) in play.all(&lines, hands) {
                let line = &lines[number];
                tree.back_up(line, played.as_ref().map(|played| played.value));
                if let Some(played) = played {
                    made += 1;
                    depth = depth.max(played.depth);
                    played.arms.into_iter().for_each(|arms| tree.grow(line, arms));
                }
            }
        };
        let arms = tree.ranked();
        Answer {
            best: arms.first().map(|arm| arm.step),
            children: arms.iter().map(|arm| (arm.step, arm.count, arm.mean())).collect(),
            iterations: made,
            depth,
            stop,
        }
    }
}

/// What the evaluation says of the actions, in a part of the time.
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
