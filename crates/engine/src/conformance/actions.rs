//! Checks of the actions of one position, and of the outcomes where chance acts.

use std::collections::BTreeSet;

use super::require;
use crate::{Position, Rng, Turn};

/// Checks the actions that a position lists, and returns them.
pub(super) fn check_actions(position: &dyn Position) -> Result<Vec<u32>, String> {
    position.check_listing()?;
    let mut listed = Vec::new();
    position.actions(&mut listed);
    let mut codes = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for &action in &listed {
        let text = check_text(position, action)?;
        require(codes.insert(action), || format!("two legal actions have the code {action}"))?;
        require(texts.insert(text.to_ascii_lowercase()), || format!("two legal actions are written '{text}'"))?;
    }
    // One action of a position is enough: two actions with the same text were looked for among all.
    let Some(&last) = listed.last() else { return Ok(listed) };
    let text = position.action_text(last);
    require(position.find_move(&text) == Some(last), || format!("action '{text}' is not found by its text"))?;
    Ok(listed)
}

/// Checks the text of an action, and returns it.
pub(super) fn check_text(position: &dyn Position, action: u32) -> Result<String, String> {
    let text = position.action_text(action);
    require(!text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == ','), || {
        format!("an action is written '{text}', but its text must have no spaces or commas and not be empty")
    })?;
    Ok(text)
}

/// Checks that playouts draw from legal actions.
pub(super) fn check_playout_actions(position: &dyn Position, legal: &[u32], rng: &mut Rng) -> Result<(), String> {
    let mut playout = Vec::new();
    position.playout_actions(&mut playout);
    require(!playout.is_empty(), || "`playout_actions` is empty although there are legal actions".into())?;
    let picked = position.random_action(rng);
    require(picked.is_some_and(|action| playout.contains(&action)), || {
        let (picked, playout) = (debug_option(position, picked), debug_list(position, &playout));
        format!("`random_action` gave {picked}, which is not among the playout actions {playout}")
    })?;
    require(playout.iter().all(|action| legal.contains(action)), || {
        format!("the playout actions {} are not all legal", debug_list(position, &playout))
    })
}

/// Checks that heavy playouts draw legal actions.
pub(super) fn check_heavy_action(position: &dyn Position, legal: &[u32], rng: &mut Rng) -> Result<(), String> {
    let picked = position.heavy_code(rng);
    require(picked.is_some_and(|action| legal.contains(&action)), || {
        let (picked, legal) = (debug_option(position, picked), debug_list(position, legal));
        format!("`heavy_action` gave {picked}, which is not among the legal actions {legal}")
    })
}

/// Checks that the action found as one that wins is one of those that do.
pub(super) fn check_winning_action(position: &dyn Position, player: usize, legal: &[u32]) -> Result<(), String> {
    let rewards = position.facts().rewards;
    let wins = |&action: &u32| {
        let mut next = position.clone_position();
        next.apply(action);
        next.turn() == Turn::Over && rewards.is_win(next.reward(player))
    };
    let (found, winning) = (position.winning_code(), legal.iter().copied().filter(wins).collect::<Vec<_>>());
    require(found.map_or(winning.is_empty(), |found| winning.contains(&found)), || {
        let (found, winning) = (debug_option(position, found), debug_list(position, &winning));
        format!("`winning_action` gave {found}, but the actions that win at once are {winning}")
    })
}

/// Checks that a copy of the position is independent of it.
pub(super) fn check_clone(position: &dyn Position, listed: &[u32]) -> Result<(), String> {
    let mut other = position.clone_position();
    if let Some(&action) = listed.last() {
        other.apply(action);
    }
    let mut after = Vec::new();
    position.actions(&mut after);
    require(after == listed, || "applying an action to a clone changed the original".into())
}

/// An action, or its absence, as `Debug` prints it.
pub(super) fn debug_option(position: &dyn Position, action: Option<u32>) -> String {
    action.map_or("None".into(), |action| format!("Some({})", position.debug_text(action)))
}

/// Actions as `Debug` prints a list of them.
pub(super) fn debug_list(position: &dyn Position, actions: &[u32]) -> String {
    let texts: Vec<String> = actions.iter().map(|&action| position.debug_text(action)).collect();
    format!("[{}]", texts.join(", "))
}
