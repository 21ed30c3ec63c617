//! Searches that compare lines of play: the question, the threads that share the work, and the result so far.
//!
//! The thread that waits for a search can read its result at any time, so the answer is there at the deadline,
//! however long a playout takes. Rewards are summed as integers and every playout draws from the stream of its own
//! number, so under an iteration budget the result does not depend on the number of threads or their timing.

mod lines;
mod playouts;
mod threads;
mod values;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use boughs::reward::{to_reward, to_units};
use boughs::run::Pool;
use boughs::{End, GameFacts, Information, PlayoutKind, Rewards, Rng, Session, Turn, Warning};

pub(crate) use lines::{Line, LineStats, SharedResult, in_order};
pub(crate) use playouts::{PlayoutPlan, Slot};
pub(crate) use threads::{LineSearch, start, start_with};
pub(crate) use values::{CERTAIN, LARGEST, mean, of_end, of_evaluation};

/// One search: the question and the shared result.
pub(crate) struct SharedSearch {
    pub(crate) position: Box<dyn Session>,
    pub(crate) facts: GameFacts,
    /// The searching player, who acts in the position.
    pub(crate) player: usize,
    /// Every legal action.
    pub(crate) actions: Vec<u32>,
    pub(crate) playout: PlayoutKind,
    /// The threads that search.
    pub(crate) pool: Arc<Pool>,
    /// The seed of this search.
    pub(crate) seed: u64,
    pub(crate) result: SharedResult,
}

/// The working memory of a thread.
pub(crate) struct PlayoutScratch {
    pub(crate) position: Box<dyn Session>,
    pub(crate) rng: Rng,
    /// The number of actions since the position that is searched.
    pub(crate) plies: u32,
    /// Their codes, where the best playout is kept.
    pub(crate) moves: Option<Vec<u32>>,
    /// The best reward this thread has seen, where the best playout is kept.
    best: f64,
}

/// Takes a lock, also after a panic of a thread that held it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PlayoutScratch {
    /// Plays an action.
    pub(crate) fn apply(&mut self, action: u32) {
        self.position.apply(action);
        self.plies += 1;
        if let Some(moves) = &mut self.moves {
            moves.push(action);
        }
    }
}

impl SharedSearch {
    /// Returns true if the best playout is kept: in a game for one player with perfect information it is a plan.
    pub(crate) fn keeps_best_playout(&self) -> bool {
        self.has_perfect_information() && self.position.players() == 1
    }

    pub(crate) fn has_perfect_information(&self) -> bool {
        self.facts.information == Information::Perfect
    }

    pub(crate) fn scratch(&self) -> PlayoutScratch {
        PlayoutScratch {
            position: self.position.clone(),
            rng: self.rng(0),
            plies: 0,
            moves: self.keeps_best_playout().then(Vec::new),
            best: f64::NEG_INFINITY,
        }
    }

    pub(crate) fn rng(&self, stream: u64) -> Rng {
        Rng::new(self.seed, stream)
    }

    /// The reward of the searching player where a playout has ended.
    pub(crate) fn reward(&self, position: &dyn Session, end: End) -> f64 {
        match end {
            End::Over => return position.reward(self.player),
            end => self.warn_of(end),
        }
        position.cut_reward(self.player)
    }

    /// Warns of an end that the rules do not mean.
    pub(crate) fn warn_of(&self, end: End) {
        match end {
            End::Over | End::Truncated => {}
            End::Cut => self.result.status.warn(&Warning::PlayoutCut),
            End::Stuck => self.result.status.warn(&Warning::NoLegalAction),
        }
    }

    /// A reward in units. One that the game does not declare is replaced by the nearest declared one.
    fn units(&self, reward: f64) -> u64 {
        let (units, declared) = to_units(&self.facts.rewards, reward, units(&self.facts));
        if !declared {
            self.result.status.warn(&Warning::RewardClamped);
        }
        units
    }

    /// The nearest reward to a value that the game could declare, in units. It may lie between those that it declares.
    fn units_of_nearest(&self, value: f64) -> i64 {
        let rewards = Rewards { halves: false, ..self.facts.rewards };
        to_units(&rewards, value, units(&self.facts)).0.cast_signed()
    }

    /// The nearest reward that the game declares.
    pub(crate) fn declared(&self, reward: f64) -> f64 {
        to_reward(&self.facts.rewards, self.units(reward).cast_signed() as f64 / units(&self.facts))
    }

    /// Puts a thread into a position that the searching player cannot tell from the true one, at that player's turn.
    pub(crate) fn determinize(&self, scratch: &mut PlayoutScratch) -> Option<End> {
        scratch.position.clone_from(&self.position);
        scratch.plies = 0;
        if self.has_perfect_information() {
            return None;
        }
        scratch.position.determinize(self.player, &mut scratch.rng);
        self.pass(scratch)
    }

    /// Lets other players and chance act, as in a playout, until the searching player acts. Returns how the game
    /// ended if it ended before.
    pub(crate) fn pass(&self, scratch: &mut PlayoutScratch) -> Option<End> {
        while scratch.plies < self.facts.max_plies {
            let PlayoutScratch { position, rng, .. } = &mut *scratch;
            let action = match position.turn() {
                Turn::Over => return Some(End::Over),
                Turn::Player(player) if player == self.player => return None,
                Turn::Player(_) => position.playout_action(self.playout, rng),
                Turn::Chance => position.chance(rng),
            };
            let Some(action) = action else { return Some(End::Stuck) };
            scratch.apply(action);
        }
        let is_over = scratch.position.turn() == Turn::Over;
        Some(if is_over { End::Over } else { End::Cut })
    }
}

/// Units of a sum of rewards that make a reward of 1, or the greatest reward where bounds are declared.
pub(crate) fn units(facts: &GameFacts) -> f64 {
    /// The same as in the tree.
    const SHARE: f64 = (1u64 << 32) as f64;
    const SCORE: f64 = (1u64 << 24) as f64;
    if facts.rewards.bounds.is_some() { SHARE } else { SCORE }
}
