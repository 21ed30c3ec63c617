//! Looks beyond the own turn: each action is played on to the end of the turn and through turns after it, many times, and what then
//! comes of it by the learned evaluation is its worth.
//!
//! All turns that follow are the best ones by the evaluation ([`TurnSearch`]), those of the other with cards drawn from what the
//! player knows. Actions get their playouts by sequential halving (Karnin, Koren and Somekh 2013), on the same luck for all. Threads
//! share the playouts of a halving: each takes the next one and has turn searches of its own.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use boughs::learn::{Features, TurnSearch, win_rate};
use boughs::spec::{Key, Spec, number};
use boughs::{Agent, Game, MAX_THREADS, Rng, SearchError, StopReason, Turn, cores};
use boughs_games::green_circle::{GreenCircle, Step};
use rayon::prelude::*;

use super::weights;
use crate::OwnAgent;
use crate::decide::{self, Answer, Decide, Question};

/// Plays actions on through several turns that are the best by the learned evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct Foresight {
    /// How many turns after the own one are played.
    pub turns: u32,
    /// How many actions are looked at, the best by the evaluation.
    pub width: u32,
    /// The most positions of a turn that are searched.
    pub positions: u32,
    /// How many threads search; 0 for as many as there are cores. The result of an iteration budget does not depend on it, but
    /// for own turns of more positions than are searched, where each thread tries other chains.
    pub threads: usize,
    /// A file with other weights for the evaluation than those that the game has.
    pub weights: Option<PathBuf>,
    /// The seed of all randomness; not part of the text.
    pub seed: u64,
}

impl Default for Foresight {
    fn default() -> Foresight {
        Foresight { turns: 2, width: 8, positions: 200, threads: 1, weights: None, seed: 0 }
    }
}

impl Spec for Foresight {
    const NAME: &'static str = "foresight";
    const SUMMARY: &'static str = "plays actions on through the next turns of both, each the best by what was learned";
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
            help: "actions that are looked at, the best by the evaluation",
            values: "a whole number from 1 to 1000",
            get: |set| set.width.to_string(),
            set: |set, text| number(text, 1..=1_000).map(|width| set.width = width),
        },
        Key {
            name: "positions",
            help: "most positions of a turn that are searched",
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

/// The most positions of the own turn that are searched before it is played on.
const OWN_POSITIONS: usize = 20_000;

/// Playouts of each action in the first halving.
const FIRST: u64 = 8;

/// Where nothing else limits it, each action has so many playouts in all.
const ENOUGH: u64 = 1 << 10;

/// What is kept from decision to decision: threads, and what each works with.
pub(crate) struct Mind {
    pool: rayon::ThreadPool,
    hands: Vec<Hands>,
    weights: Vec<f64>,
}

/// The turn searches of a thread.
struct Hands {
    own: TurnSearch<GreenCircle>,
    others: TurnSearch<GreenCircle>,
}

impl Decide for Foresight {
    type Mind = Mind;

    fn mind(&self) -> Result<Mind, SearchError> {
        let threads = if self.threads == 0 { cores() } else { self.threads };
        let name = |number| format!("foresight {number}");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build();
        let hands = || Hands { own: TurnSearch::new(OWN_POSITIONS), others: TurnSearch::new(self.positions as usize) };
        Ok(Mind {
            weights: weights::read(self.weights.as_deref())?,
            pool: pool.map_err(|error| SearchError::Threads(error.to_string()))?,
            hands: (0..threads).map(|_| hands()).collect(),
        })
    }

    fn forget(&self, mind: &mut Mind) {
        mind.hands.iter_mut().for_each(|hands| hands.own.begin());
    }

    fn decide(&self, mind: &mut Mind, question: &Question<'_, GreenCircle>) -> Answer<GreenCircle> {
        let mut arms = self.arms(mind, question);
        let answer = |arms: &[Arm], made, stop| Answer {
            best: arms.first().map(|arm| arm.step),
            children: arms.iter().map(|arm| (arm.step, arm.count, arm.mean())).collect(),
            iterations: made,
            depth: self.turns + 1,
            stop,
        };
        let (mut made, mut left, mut each) = (0, arms.len(), FIRST);
        while left > 1 {
            let stop = self.halve(mind, question, &mut arms[..left], each, &mut made);
            // Where it was stopped, what was not seen as often as others cannot be compared with them by its sum.
            arms[..left].sort_by(|one, other| other.mean().total_cmp(&one.mean()));
            if let Some(stop) = stop {
                return answer(&arms, made, stop);
            }
            (left, each) = (left.div_ceil(2), 2 * each);
            if arms[0].count >= ENOUGH {
                break;
            }
        }
        answer(&arms, made, StopReason::Complete)
    }
}

/// An action with the sum of what its playouts came to.
struct Arm {
    step: Step,
    /// What it is worth by the evaluation alone.
    guess: f64,
    sum: f64,
    count: u64,
}

impl Arm {
    fn of((step, guess): (Step, f64)) -> Arm {
        Arm { step, guess, sum: 0.0, count: 0 }
    }

    fn mean(&self) -> f64 {
        if self.count == 0 { self.guess } else { self.sum / self.count as f64 }
    }
}

impl Foresight {
    /// The actions that are looked at, the best by the evaluation first. Every thread gets what the search of the own turn knows.
    fn arms(&self, mind: &mut Mind, question: &Question<'_, GreenCircle>) -> Vec<Arm> {
        let Some((first, others)) = mind.hands.split_first_mut() else { return Vec::new() };
        let (position, mut rng) = (question.position, Rng::new(question.seed, 0));
        first.own.begin();
        let ranked = first.own.rank(position, position.active(), &mind.weights, &mut rng);
        others.iter_mut().for_each(|hands| hands.own = first.own.clone());
        ranked.into_iter().take(self.width as usize).map(Arm::of).collect()
    }

    /// Makes so many playouts of each action, unless the budget is spent before, and adds them in the order of their numbers.
    fn halve(
        &self,
        mind: &mut Mind,
        question: &Question<'_, GreenCircle>,
        arms: &mut [Arm],
        each: u64,
        made: &mut u64,
    ) -> Option<StopReason> {
        let (count, next, before) = (arms.len() as u64, AtomicU64::new(0), *made);
        let (steps, Mind { pool, hands, weights }) = (arms.iter().map(|arm| arm.step).collect::<Vec<_>>(), mind);
        let work = |hands: &mut Hands| {
            let mut found = Vec::new();
            loop {
                let number = next.fetch_add(1, Relaxed);
                if number >= each * count {
                    return (found, None);
                }
                if let Some(stop) = question.budget.is_spent(before + number) {
                    return (found, Some(stop));
                }
                let step = steps[(number % count) as usize];
                let luck = Rng::new(question.seed, (each << 20) + number / count + 1);
                found.push((number, self.play_out(question.position, step, hands, weights, luck)));
            }
        };
        let shares: Vec<_> = pool.install(|| hands.par_iter_mut().with_max_len(1).map(work).collect());
        let mut found: Vec<(u64, f64)> = shares.iter().flat_map(|(found, _)| found.iter().copied()).collect();
        found.sort_unstable_by_key(|&(number, _)| number);
        *made += found.len() as u64;
        for (number, value) in found {
            let arm = &mut arms[(number % count) as usize];
            arm.sum += value;
            arm.count += 1;
        }
        shares.iter().find_map(|(_, stop)| *stop)
    }

    /// Plays an action on, and says what share of games the player wins from there.
    fn play_out(&self, position: &GreenCircle, step: Step, hands: &mut Hands, weights: &[f64], mut rng: Rng) -> f64 {
        let (player, Hands { own, others }) = (position.active(), hands);
        let mut game = *position;
        game.determinise(player, &mut rng);
        game.apply(step);
        finish_turn(&mut game, player, own, weights, &mut rng);
        for turn in 1..=self.turns {
            if let Some(reward) = game.settled() {
                return if player == 0 { reward } else { 1.0 - reward };
            }
            while game.turn() == Turn::Chance {
                let Some(draw) = game.chance(&mut rng, &mut Vec::new()) else { break };
                game.apply(draw);
            }
            let active = game.active();
            others.begin();
            if turn == self.turns {
                let value = others.choose(&game, active, weights, &mut rng).value;
                return if active == player { value } else { 1.0 - value };
            }
            finish_turn(&mut game, active, others, weights, &mut rng);
        }
        win_rate(&game, player, weights)
    }
}

/// Plays the best turn there is by the evaluation.
fn finish_turn(
    game: &mut GreenCircle,
    player: usize,
    search: &mut TurnSearch<GreenCircle>,
    weights: &[f64],
    rng: &mut Rng,
) {
    loop {
        let step = match game.turn() {
            Turn::Player(active) if active == player => search.choose(game, player, weights, rng).action,
            Turn::Chance if !game.ends_turn() => game.chance(rng, &mut Vec::new()),
            _ => return,
        };
        let Some(step) = step else { return };
        game.apply(step);
    }
}
