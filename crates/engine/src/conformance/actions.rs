//! What must hold of the actions of one position, and of the outcomes where chance acts.

use std::collections::BTreeSet;

use super::require;
use crate::notation::find_move;
use crate::{Action, Game, Rng};

/// Checks what a position lists, and returns it.
pub(super) fn check_actions<G: Game>(position: &G) -> Result<Vec<G::Action>, String> {
    let mut twice = Vec::new();
    position.actions(&mut twice);
    let listed = twice.clone();
    position.actions(&mut twice);
    let same = twice.split_at_checked(listed.len()).is_some_and(|(first, second)| first == listed && second == listed);
    require(same, || {
        "`actions` must append the same actions in the same order every time, and leave what is in the buffer".into()
    })?;
    let mut codes = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for &action in &listed {
        let text = check_action(position, action)?;
        require(codes.insert(action.code()), || format!("two legal actions have the code {}", action.code()))?;
        require(texts.insert(text.to_ascii_lowercase()), || format!("two legal actions are written '{text}'"))?;
    }
    // Once a position is enough: what could go wrong for one action, that two are written alike, was looked at for all.
    let Some(&last) = listed.last() else { return Ok(listed) };
    let text = position.action_text(last);
    require(find_move(position, &text) == Some(last), || format!("action '{text}' is not found by its text"))?;
    Ok(listed)
}

/// Checks what an action by itself must keep to, and returns its text.
pub(super) fn check_action<G: Game>(position: &G, action: G::Action) -> Result<String, String> {
    let (code, text) = (action.code(), position.action_text(action));
    require(G::Action::from_code(code) == action, || {
        format!("action '{text}' has code {code}, which converts back to {:?}", G::Action::from_code(code))
    })?;
    require(!text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == ','), || {
        format!("an action is written '{text}', but its text must have no spaces or commas and not be empty")
    })?;
    Ok(text)
}

pub(super) fn check_playout_actions<G: Game>(position: &G, legal: &[G::Action], rng: &mut Rng) -> Result<(), String> {
    let mut playout = Vec::new();
    position.playout_actions(&mut playout);
    require(!playout.is_empty(), || "`playout_actions` is empty although there are legal actions".into())?;
    let picked = position.random_action(rng, &mut Vec::new());
    require(picked.is_some_and(|action| playout.contains(&action)), || {
        format!("`random_action` gave {picked:?}, which is not among the playout actions {playout:?}")
    })?;
    require(playout.iter().all(|action| legal.contains(action)), || {
        format!("the playout actions {playout:?} are not all legal")
    })
}

pub(super) fn check_clone<G: Game>(position: &G, listed: &[G::Action]) -> Result<(), String> {
    let mut other = position.clone();
    if let Some(&action) = listed.last() {
        other.apply(action);
    }
    let mut after = Vec::new();
    position.actions(&mut after);
    require(after == listed, || "applying an action to a clone changed the original".into())
}
