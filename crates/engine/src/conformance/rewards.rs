//! Whether rewards are what the game declares.

use super::require;
use crate::Game;

pub(super) fn check_rewards<G: Game>(position: &G, players: usize) -> Result<(), String> {
    let rewards: Vec<f64> = (0..players).map(|player| position.reward(player)).collect();
    for (player, &reward) in rewards.iter().enumerate() {
        require((0.0..=1.0).contains(&reward), || format!("player {player}'s reward is {reward}, outside 0..=1"))?;
        require(!G::REWARDS.halves || (reward * 2.0).fract() == 0.0, || {
            format!("player {player}'s reward is {reward}, but the game declares that all are 0, 1/2 or 1")
        })?;
    }
    let sum: f64 = rewards.iter().sum();
    require(G::REWARDS.sum.is_none_or(|declared| (declared - sum).abs() < 1e-9), || {
        format!("the rewards {rewards:?} add up to {sum}, not to the declared {:?}", G::REWARDS.sum.unwrap_or_default())
    })
}
