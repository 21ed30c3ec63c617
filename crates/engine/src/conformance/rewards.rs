//! Whether rewards are what the game declares.

use super::require;
use crate::scale::LARGEST_SCORE;
use crate::{Game, Rewards};

/// Checks that what is declared can be true.
pub(super) fn check_declared_rewards<G: Game>() -> Result<(), String> {
    if let Some((least, most)) = G::REWARDS.bounds {
        require(least.is_finite() && most.is_finite() && least < most, || {
            format!(
                "the game declares rewards from {least} to {most}; both must be finite, the first less than the second"
            )
        })?;
    }
    require(!G::REWARDS.halves || G::REWARDS.bounds == Rewards::ANY.bounds, || {
        "the game declares that rewards are 0, 1/2 or 1, and bounds other than 0..=1".into()
    })
}

/// Checks what one reward must be by itself; `name` says which it is.
fn check_reward<G: Game>(name: &str, reward: f64) -> Result<(), String> {
    require(reward.is_finite(), || format!("{name} is {reward}, which is no finite number"))?;
    let (least, most) = G::REWARDS.bounds.unwrap_or((-LARGEST_SCORE, LARGEST_SCORE));
    require((least..=most).contains(&reward), || format!("{name} is {reward}, outside {least}..={most}"))
}

pub(super) fn check_rewards<G: Game>(position: &G, players: usize) -> Result<(), String> {
    let rewards: Vec<f64> = (0..players).map(|player| position.reward(player)).collect();
    for (player, &reward) in rewards.iter().enumerate() {
        check_reward::<G>(&format!("player {player}'s reward"), reward)?;
        require(!G::REWARDS.halves || (reward * 2.0).fract() == 0.0, || {
            format!("player {player}'s reward is {reward}, but the game declares that all are 0, 1/2 or 1")
        })?;
    }
    let sum: f64 = rewards.iter().sum();
    let rounding = 1e-9 * rewards.iter().fold(1.0, |total, reward| total + reward.abs());
    require(G::REWARDS.sum.is_none_or(|declared| (declared - sum).abs() < rounding), || {
        format!("the rewards {rewards:?} add up to {sum}, not to the declared {:?}", G::REWARDS.sum.unwrap_or_default())
    })
}

/// A playout may be cut in any position, whose worth then stands for a reward.
pub(super) fn check_cut_rewards<G: Game>(position: &G, players: usize) -> Result<(), String> {
    (0..players).try_for_each(|player| {
        check_reward::<G>(&format!("player {player}'s `cut_reward`"), position.cut_reward(player))
    })
}
