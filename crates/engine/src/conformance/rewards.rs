//! Checks of rewards against the game's declaration.

use super::require;
use crate::reward::LARGEST_SCORE;
use crate::{Position, Rewards};

/// Checks that the declaration can be true.
pub(super) fn check_declared_rewards(declared: &Rewards) -> Result<(), String> {
    if let Some((least, most)) = declared.bounds {
        require(least.is_finite() && most.is_finite() && least < most, || {
            format!(
                "the game declares rewards from {least} to {most}; both must be finite, the first less than the second"
            )
        })?;
    }
    require(!declared.halves || declared.bounds == Rewards::ANY.bounds, || {
        "the game declares that rewards are 0, 1/2 or 1, and bounds other than 0..=1".into()
    })
}

/// Checks one reward by itself. `name` says which one it is.
fn check_reward(declared: &Rewards, name: &str, reward: f64) -> Result<(), String> {
    require(reward.is_finite(), || format!("{name} is {reward}, which is no finite number"))?;
    let (least, most) = declared.bounds.unwrap_or((-LARGEST_SCORE, LARGEST_SCORE));
    require((least..=most).contains(&reward), || format!("{name} is {reward}, outside {least}..={most}"))
}

/// Checks the rewards of all players at the end of a game.
pub(super) fn check_rewards(position: &dyn Position, players: usize) -> Result<(), String> {
    let declared = position.facts().rewards;
    let rewards: Vec<f64> = (0..players).map(|player| position.reward(player)).collect();
    for (player, &reward) in rewards.iter().enumerate() {
        check_reward(&declared, &format!("player {player}'s reward"), reward)?;
        require(!declared.halves || (reward * 2.0).fract() == 0.0, || {
            format!("player {player}'s reward is {reward}, but the game declares that all are 0, 1/2 or 1")
        })?;
    }
    let sum: f64 = rewards.iter().sum();
    let rounding = 1e-9 * rewards.iter().fold(1.0, |total, reward| total + reward.abs());
    require(declared.sum.is_none_or(|declared| (declared - sum).abs() < rounding), || {
        format!("the rewards {rewards:?} add up to {sum}, not to the declared {:?}", declared.sum.unwrap_or_default())
    })
}

/// Checks the rewards that a playout would give if it were cut here.
pub(super) fn check_cut_rewards(position: &dyn Position, players: usize) -> Result<(), String> {
    let declared = position.facts().rewards;
    (0..players).try_for_each(|player| {
        check_reward(&declared, &format!("player {player}'s `cut_reward`"), position.cut_reward(player))
    })
}
