//! The values by which searches without playouts compare positions: evaluations of any scale beside the rewards of
//! games that are over.
//!
//! A certain loss is worse and a certain win is better than every evaluation: an end at a bound of the rewards has a
//! value beyond all of them. Another end counts its reward where the evaluation before it is within the bounds of the
//! rewards, because it is taken for an estimate of the reward then. Elsewhere it counts that evaluation, as in greedy
//! playouts ([`boughs::Greedy`]).

use boughs::{Rewards, Session, Turn};

use super::{Line, SharedSearch, in_order};

/// The value of an end at the upper bound of the rewards; its opposite is that of one at the lower bound.
pub(crate) const CERTAIN: f64 = 1e290;

/// The bound of evaluations.
pub(crate) const LARGEST: f64 = 1e289;

/// The value of an evaluation. One that is no number is the worst.
pub(crate) fn of_evaluation(evaluation: f64) -> f64 {
    if evaluation.is_nan() { -LARGEST } else { evaluation.clamp(-LARGEST, LARGEST) }
}

/// The value of the end of a game, given the evaluation before it if the game has one.
pub(crate) fn of_end(rewards: &Rewards, reward: f64, before: Option<f64>) -> f64 {
    match (rewards.bounds, before) {
        (Some((least, _)), Some(_)) if reward <= least => -CERTAIN,
        (Some((_, most)), Some(_)) if reward >= most => CERTAIN,
        (Some((least, most)), Some(before)) if !(least..=most).contains(&before) => of_evaluation(before),
        _ => reward,
    }
}

/// The mean of values by weight, where chance acts; `None` if all weigh nothing. A certain end counts as its reward
/// beside estimates of rewards. Among evaluations of another scale it outweighs all of them.
pub(crate) fn mean(bounds: Option<(f64, f64)>, values: impl Iterator<Item = (u32, f64)> + Clone) -> Option<f64> {
    let (least, most) = bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    let weighed = values.filter(|&(weight, _)| weight > 0);
    let (_, first) = weighed.clone().next()?;
    if weighed.clone().all(|(_, value)| value == first) {
        return Some(first);
    }
    let are_estimates = weighed.clone().all(|(_, value)| value.abs() >= CERTAIN || (least..=most).contains(&value));
    let (sum, weights) = weighed.fold((0.0, 0.0), |(sum, weights), (weight, value)| {
        let (weight, value) = (f64::from(weight), if are_estimates { value.clamp(least, most) } else { value });
        (sum + weight * value, weights + weight)
    });
    Some(sum / weights)
}

impl SharedSearch {
    /// The value of a position to the searching player, given the evaluation before it. An unfinished position of a
    /// game without an evaluation counts as one that is cut.
    pub(crate) fn value(&self, position: &dyn Session, before: Option<f64>) -> f64 {
        match position.turn() {
            Turn::Over => of_end(&self.facts.rewards, self.declared(position.reward(self.player)), before),
            _ => of_evaluation(position.evaluation(self.player).unwrap_or_else(|| position.cut_reward(self.player))),
        }
    }

    /// Sets the value of a line.
    pub(crate) fn set_value(&self, line: &mut Line, value: f64) {
        (line.sum, line.summed) = (i128::from(self.units_of_nearest(value)), 1);
        (line.rank, line.value) = (in_order(value), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certain_loss_is_below_and_a_certain_win_above_every_evaluation() {
        let of = |reward, before| of_end(&Rewards::WIN_DRAW_LOSS, reward, Some(before));
        let evaluations = [f64::NAN, f64::NEG_INFINITY, -10.0, 0.3, 10.0, 1e300].map(of_evaluation);
        assert!(evaluations.is_sorted_by(|one, other| one <= other));
        assert!(evaluations.iter().all(|&value| of(0.0, -10.0) < value && value < of(1.0, 10.0)));
        assert_eq!([of(0.5, -10.0), of(0.5, 10.0), of(0.5, 0.3)], [-10.0, 10.0, 0.5]);
    }

    #[test]
    fn scores_without_bounds_and_games_without_an_evaluation_are_compared_as_they_are() {
        assert_eq!(of_end(&Rewards::SCORES, 70.0, Some(-1e3)), 70.0);
        assert_eq!(of_end(&Rewards::WIN_DRAW_LOSS, 1.0, None), 1.0);
    }

    #[test]
    fn a_mean_takes_a_certain_end_for_its_reward_beside_estimates_alone() {
        let of = |values: &[(u32, f64)]| mean(Some((0.0, 1.0)), values.iter().copied());
        assert_eq!(of(&[(1, CERTAIN), (3, 0.2)]), Some(0.4));
        assert_eq!(of(&[(1, CERTAIN), (2, CERTAIN), (0, 0.2)]), Some(CERTAIN));
        assert!(of(&[(1, -CERTAIN), (5, 30.0)]) < of(&[(1, -2.0)]));
        assert_eq!(of(&[(1, -2.0), (1, 30.0)]), Some(14.0));
        assert_eq!(of(&[(0, 0.2)]), None);
    }
}
