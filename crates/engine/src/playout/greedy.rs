//! Epsilon-greedy playouts by a heuristic evaluation (Winands and Bjornsson 2010; Lanctot, Winands, Pepels and
//! Sturtevant 2014): with the probability epsilon an action is random, otherwise it is the best of some by
//! [`Game::evaluation`].

use crate::{Game, Playout, Rng, Turn};

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

/// The value of an action for its player. An action that wins or loses at once is better or worse than any evaluation;
/// another end of the game counts as if nothing had changed, because only unfinished games have an evaluation.
fn value_after<G: Game>(position: &G, action: G::Action, player: usize) -> f64 {
    let mut next = position.clone();
    next.apply(action);
    if next.turn() != Turn::Over {
        return next.evaluation(player).unwrap_or(0.0);
    }
    match next.reward(player) {
        reward if G::REWARDS.is_loss(reward) => f64::NEG_INFINITY,
        reward if G::REWARDS.is_win(reward) => f64::INFINITY,
        _ => position.evaluation(player).unwrap_or(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rewards;

    /// One step of one to three; the third step ends the game, and the sum of the steps is what they are worth.
    #[derive(Clone)]
    struct Steps {
        sum: u8,
        left: u8,
    }

    impl Game for Steps {
        type Action = u8;
        const REWARDS: Rewards = Rewards::scores(0.0, 9.0);
        fn players(&self) -> usize {
            1
        }
        fn turn(&self) -> Turn {
            if self.left == 0 { Turn::Over } else { Turn::Player(0) }
        }
        fn actions(&self, out: &mut Vec<u8>) {
            out.extend(1..=3);
        }
        fn apply(&mut self, step: u8) {
            self.sum += step;
            self.left -= 1;
        }
        fn reward(&self, _: usize) -> f64 {
            f64::from(self.sum)
        }
        fn evaluation(&self, _: usize) -> Option<f64> {
            assert!(self.left > 0, "a finished game has no evaluation");
            Some(f64::from(self.sum))
        }
    }

    fn chosen(position: &Steps, action: u8, epsilon: f64) -> usize {
        let playout = Greedy { epsilon };
        let choose = |seed| playout.choose(position, &mut Rng::new(seed, 0), &mut Vec::new());
        (0..1_000).filter(|&seed| choose(seed) == Some(action)).count()
    }

    #[test]
    fn without_epsilon_the_best_of_the_drawn_actions_is_played() {
        let start = Steps { sum: 0, left: 3 };
        // The best of three actions is among four draws in 65 of 81 cases, and the worst alone in one.
        let (best, worst) = (chosen(&start, 3, 0.0), chosen(&start, 1, 0.0));
        assert!((760..845).contains(&best) && worst < 30, "{best} and {worst} of 1,000");
        let random = chosen(&start, 3, 1.0);
        assert!((290..380).contains(&random), "{random} of 1,000 at random");
    }

    #[test]
    fn a_win_is_better_than_any_evaluation_and_another_end_as_good_as_none() {
        let won = chosen(&Steps { sum: 6, left: 1 }, 3, 0.0);
        assert!((760..845).contains(&won), "{won} of 1,000");
        let alike = chosen(&Steps { sum: 1, left: 1 }, 3, 0.0);
        assert!((290..380).contains(&alike), "{alike} of 1,000 where no end is a win or a loss");
    }
}
