//! Epsilon-greedy playouts by a heuristic evaluation (Sutton and Barto 1998 for the rule; Lorentz 2008 and Lanctot,
//! Winands, Pepels and Sturtevant 2014 for playouts): with the probability epsilon an action is random, otherwise it is
//! the best of some by [`Game::evaluation`].

use super::Playout;
use crate::{Game, Rng, Turn};

/// The actions that are compared, each drawn at random. All legal ones would be a better choice; a playout that tries
/// each is several times slower, and plays the same game over and over.
const DRAWS: usize = 4;

/// A heavy playout for games with a heuristic evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Greedy {
    /// The probability of a random action.
    pub epsilon: f64,
}

impl Default for Greedy {
    fn default() -> Greedy {
        Greedy { epsilon: 0.2 }
    }
}

impl<G: Game> Playout<G> for Greedy {
    #[inline]
    fn choose(&self, position: &G, rng: &mut Rng, scratch: &mut Vec<G::Action>) -> Option<G::Action> {
        let Turn::Player(player) = position.turn() else { return None };
        let first = position.random_action(rng, scratch)?;
        if rng.unit() < self.epsilon {
            return Some(first);
        }
        let mut best = (first, value_after(position, first, player));
        for _ in 1..DRAWS {
            let action = position.random_action(rng, scratch)?;
            // A repeated draw needs no second evaluation.
            if action != best.0 {
                let value = value_after(position, action, player);
                if value > best.1 {
                    best = (action, value);
                }
            }
        }
        Some(best.0)
    }
}

/// The value of an action for its player: a finished game counts more than any evaluation, for good or ill.
fn value_after<G: Game>(position: &G, action: G::Action, player: usize) -> f64 {
    let mut next = position.clone();
    next.apply(action);
    let is_over = next.turn() == Turn::Over;
    match (is_over, G::REWARDS.bounds) {
        (true, Some((least, _))) if next.reward(player) <= least => f64::NEG_INFINITY,
        (true, Some((_, most))) if next.reward(player) >= most => f64::INFINITY,
        _ => next.evaluation(player).unwrap_or(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Nim;

    #[test]
    fn without_epsilon_the_best_of_the_drawn_actions_is_played() {
        // Of seven stones a player who leaves four is best off, and one who takes the last of three wins.
        let share = |stones, best: u8, epsilon| {
            let playout = Greedy { epsilon };
            let choose = |seed| playout.choose(&Nim::new(stones), &mut Rng::new(seed, 0), &mut Vec::new());
            (0..1_000).filter(|&seed| choose(seed) == Some(best)).count()
        };
        assert!((760..850).contains(&share(3, 3, 0.0)), "{} of 1,000 with four of three actions", share(3, 3, 0.0));
        assert!((290..380).contains(&share(3, 3, 1.0)), "{} of 1,000 at random", share(3, 3, 1.0));
    }
}
