//! Checks of positions where chance acts.

use super::actions::{check_text, debug_list};
use super::require;
use crate::{Position, Rng};

/// Checks the weights of the listed outcomes, if there are any, and draws one outcome, which it returns.
pub(super) fn check_chance(position: &dyn Position, listed: &[u32], rng: &mut Rng) -> Result<u32, String> {
    if !listed.is_empty() {
        let total: u64 = listed.iter().map(|&outcome| u64::from(position.weight(outcome))).sum();
        require(total > 0, || "chance acts, but every outcome it lists has the weight 0".into())?;
    }
    let before = rng.clone();
    let Some(outcome) = position.chance(rng) else {
        return Err("chance acts, but `chance` gives no outcome".into());
    };
    check_drawn(position, listed, outcome)?;
    position.check_outcome(before)?;
    check_text(position, outcome)?;
    Ok(outcome)
}

/// Checks that a drawn outcome is listed, if outcomes are, and has a positive weight.
pub(super) fn check_drawn(position: &dyn Position, listed: &[u32], outcome: u32) -> Result<(), String> {
    require(listed.is_empty() || listed.contains(&outcome), || {
        let (drawn, listed) = (position.debug_text(outcome), debug_list(position, listed));
        format!("`chance` gave {drawn}, which is not among the outcomes that `actions` lists: {listed}")
    })?;
    require(listed.is_empty() || position.weight(outcome) > 0, || {
        format!("`chance` gave '{}', an outcome of weight 0", position.action_text(outcome))
    })
}
