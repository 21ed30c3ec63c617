//! The choice of an answer among the moves that a referee offers.

use std::time::Instant;

use boughs::{Agent, Budget, Rng};

use crate::Fault;

/// The budget until a deadline, or else a large number of playouts.
pub fn budget(deadline: Option<Instant>) -> Budget {
    match deadline {
        Some(deadline) => Budget::whole().or_until(deadline),
        None => Budget::whole().or_iterations(u64::from(u32::MAX)),
    }
}

/// Searches and returns the best of the actions that the referee offers, and the number of playouts.
///
/// # Errors
/// If the search fails, or none of its actions is offered.
pub fn choose(
    game: &str,
    agent: &mut dyn Agent,
    budget: Budget,
    rng: &mut Rng,
    is_offered: &dyn Fn(u32) -> bool,
) -> Result<(u32, u64), Fault> {
    let choice = agent.choose(budget.early_stop(false))?;
    let best = choice.ranked.into_iter().find(|&action| is_offered(action));
    // The deadline may come before the first playout.
    let best = best.or_else(|| agent.position().random_action(rng).filter(|&any| is_offered(any)));
    let best = best.ok_or_else(|| format!("{game} gives no legal move here"))?;
    Ok((best, choice.iterations))
}
