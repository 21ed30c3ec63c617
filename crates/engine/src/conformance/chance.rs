//! What must hold where chance acts.

use super::actions::check_action;
use super::require;
use crate::{Game, Rng};

/// Checks the weights of what is listed, if anything is, and draws one outcome, which it returns.
pub(super) fn check_chance<G: Game>(position: &G, listed: &[G::Action], rng: &mut Rng) -> Result<G::Action, String> {
    if !listed.is_empty() {
        let total: u64 = listed.iter().map(|&outcome| u64::from(position.weight(outcome))).sum();
        require(total > 0, || "chance acts, but every outcome it lists has the weight 0".into())?;
        require(total <= u64::from(u32::MAX), || {
            format!("the weights of chance add up to {total}, but their sum must stay below 2^32")
        })?;
    }
    let Some(outcome) = position.chance(rng, &mut Vec::new()) else {
        return Err("chance acts, but `chance` gives no outcome".into());
    };
    check_drawn(position, listed, outcome)?;
    check_action(position, outcome)?;
    Ok(outcome)
}

/// Checks that what `chance` has drawn is one of the outcomes it lists, and one that can be.
pub(super) fn check_drawn<G: Game>(position: &G, listed: &[G::Action], outcome: G::Action) -> Result<(), String> {
    require(listed.is_empty() || listed.contains(&outcome), || {
        format!("`chance` gave {outcome:?}, which is not among the outcomes that `actions` lists: {listed:?}")
    })?;
    require(listed.is_empty() || position.weight(outcome) > 0, || {
        format!("`chance` gave '{}', an outcome of weight 0", position.action_text(outcome))
    })
}
