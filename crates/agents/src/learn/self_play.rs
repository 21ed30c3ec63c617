//! One game of self-play and its lessons.

use super::{Features, Learning, TurnSearch, logistic};
use boughs::run::turn_goes_on;
use boughs::{Rng, Turn};
#[cfg(feature = "crates")]
use serde::{Deserialize, Serialize};

/// A lesson: the features of a position where a turn had ended, and the value it should have had.
#[cfg_attr(feature = "crates", derive(Serialize, Deserialize))]
struct Lesson {
    features: Vec<(usize, f64)>,
    /// The target: the value by the search of the next turn, or the result of the game, as the share of player 0.
    found: f64,
    /// True if that turn was played as the search found best.
    is_best: bool,
}

/// A game that was played, and its lessons.
#[cfg_attr(feature = "crates", derive(Serialize, Deserialize))]
pub struct Played {
    lessons: Vec<Lesson>,
    /// The reward of player 0.
    pub(super) reward: f64,
    /// The number of turns of both players.
    pub(super) turns: u32,
    /// The sum of the squared differences between values and targets.
    pub(super) error: f64,
}

/// Plays a game with frozen weights.
pub(super) fn play<G: Features>(
    start: G,
    set: &Learning,
    weights: &[f64],
    search: &mut TurnSearch<G>,
    mut rng: Rng,
) -> Played {
    let mut game = Played { lessons: Vec::new(), reward: 0.5, turns: 0, error: 0.0 };
    let (mut position, mut scratch) = (start, Vec::new());
    let mut before: Option<Vec<(usize, f64)>> = None;
    let mut plies = 0;
    // A game that never ends teaches as far as it goes.
    while plies < G::MAX_PLIES {
        plies += 1;
        if let Some(reward) = position.settled() {
            game.reward = reward;
            game.learn(&mut before, reward, true, weights);
            return game;
        }
        match position.turn() {
            Turn::Over => return game,
            Turn::Chance => match position.chance(&mut rng, &mut scratch) {
                Some(outcome) => position.apply(outcome),
                None => return game,
            },
            Turn::Player(player) => {
                search.begin();
                let choice = search.choose(&position, player, weights, &mut rng, || false);
                let Some(action) = choice.action else { return game };
                let found = if player == 0 { choice.value } else { 1.0 - choice.value };
                let is_best = rng.unit() >= set.explore;
                game.learn(&mut before, found, is_best, weights);
                game.turns += 1;
                let mut next = is_best.then_some(action);
                while turn_goes_on(&position, player) && plies < G::MAX_PLIES {
                    let action = match (position.turn(), next.take()) {
                        (Turn::Chance, _) => position.chance(&mut rng, &mut scratch),
                        (_, Some(action)) => Some(action),
                        (_, None) if is_best => search.choose(&position, player, weights, &mut rng, || false).action,
                        (_, None) => position.random_action(&mut rng, &mut scratch),
                    };
                    let Some(action) = action else { return game };
                    position.apply(action);
                    plies += 1;
                }
                // Where the result is certain there is nothing to learn.
                before = position.settled().is_none().then(|| seen(&position, weights.len()));
            }
        }
    }
    game
}

/// The features that have weights and are not 0.
fn seen<G: Features>(position: &G, weights: usize) -> Vec<(usize, f64)> {
    let mut features = Vec::new();
    position.features(&mut |number, value| {
        if number < weights && value != 0.0 {
            features.push((number, value));
        }
    });
    features
}

impl Played {
    /// Returns true if all its numbers are finite and its lessons are about this many features at most.
    #[cfg(feature = "crates")]
    pub fn fits(&self, features: usize) -> bool {
        let is_known = |&(number, value): &(usize, f64)| number < features && value.is_finite();
        let lessons = self.lessons.iter();
        let mut lessons = lessons.map(|lesson| lesson.found.is_finite() && lesson.features.iter().all(is_known));
        self.reward.is_finite() && self.error.is_finite() && lessons.all(|fits| fits)
    }

    /// The number of lessons.
    pub(super) fn lessons(&self) -> u64 {
        self.lessons.len() as u64
    }

    /// Adds a lesson about the position where the last turn ended.
    fn learn(&mut self, before: &mut Option<Vec<(usize, f64)>>, found: f64, is_best: bool, weights: &[f64]) {
        let Some(features) = before.take() else { return };
        self.error += (found - logistic(sum(&features, weights))).powi(2);
        self.lessons.push(Lesson { features, found, is_best });
    }

    /// Moves the weights towards the targets by TD(lambda). The results of a turn that was played at random do not
    /// count for earlier positions (Watkins 1989). Lessons are taken from the last to the first.
    pub(super) fn teach(&self, weights: &mut [f64], rate: f64, lambda: f64) {
        let mut later: Option<f64> = None;
        for lesson in self.lessons.iter().rev() {
            let later_counts = later.filter(|_| lesson.is_best);
            let target = later_counts.map_or(lesson.found, |later| (1.0 - lambda) * lesson.found + lambda * later);
            let difference = target - logistic(sum(&lesson.features, weights));
            for &(number, value) in &lesson.features {
                weights[number] += rate * difference * value;
            }
            later = Some(target);
        }
    }
}

fn sum(features: &[(usize, f64)], weights: &[f64]) -> f64 {
    features.iter().map(|&(number, value)| value * weights[number]).sum()
}
