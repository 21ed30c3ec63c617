//! Other positions that a player cannot tell from the true one, found by the rules alone.
//!
//! Beside the true position goes a twin for each player: when something happens that the player does not see, something
//! else happens in the twin. Nothing here asks `determinise`, which is what twins are there to judge.

use super::require;
use crate::{Game, Rng, Turn};

/// How many of the things that may happen in a position are tried.
const BRANCHES: usize = 12;

/// For each player a position that they cannot tell from the true one, if one is known.
pub(super) struct Twins<G>(Vec<Option<G>>);

impl<G> Default for Twins<G> {
    fn default() -> Self {
        Twins(Vec::new())
    }
}

impl<G: Game> Twins<G> {
    /// Forgets all twins: everybody knows the start of a game.
    pub(super) fn begin(&mut self, players: usize) {
        self.0 = vec![None; players];
    }

    pub(super) fn of(&self, player: usize) -> Option<&G> {
        self.0.get(player)?.as_ref()
    }

    /// Takes each twin along as `action` leads from one position to the next, which is not over, or finds a new one.
    pub(super) fn follow(&mut self, before: &G, action: G::Action, after: &G, rng: &mut Rng) -> Result<(), String> {
        let mut siblings = branches(before, rng);
        siblings.retain(|&(other, _)| other != action);
        for (player, twin) in self.0.iter_mut().enumerate() {
            let known = after.information(player);
            let same = |position: &G| position.turn() != Turn::Over && position.information(player) == known;
            let old = twin.take();
            if before.turn() == Turn::Player(player) {
                check_knows_own_action(before, action, siblings.iter().find(|(_, position)| same(position)), player)?;
                *twin =
                    old.filter(|old| old.turn() == before.turn()).map(|old| after_action(&old, action)).filter(same);
                continue;
            }
            let old = old.map(|old| branches(&old, rng)).unwrap_or_default();
            let old = old.into_iter().map(|(_, position)| position).find(same);
            let new = siblings.iter().map(|(_, position)| position).find(|position| same(position)).cloned();
            // An old twin differs in what has been hidden for long, a new one in what has just been.
            *twin = if rng.below(4) == 0 { new.or(old) } else { old.or(new) };
        }
        Ok(())
    }
}

fn check_knows_own_action<G: Game>(
    before: &G,
    action: G::Action,
    same: Option<&(G::Action, G)>,
    player: usize,
) -> Result<(), String> {
    require(same.is_none(), || {
        let other = same.map(|&(other, _)| before.action_text(other)).unwrap_or_default();
        format!(
            "player {player} does not know what they do: `information` gives the same number whether they play {} or {other}",
            before.action_text(action)
        )
    })
}

/// Some of what may happen in a position, each with what it leads to.
fn branches<G: Game>(position: &G, rng: &mut Rng) -> Vec<(G::Action, G)> {
    let mut actions = Vec::new();
    match position.turn() {
        Turn::Over => return Vec::new(),
        Turn::Player(_) => position.actions(&mut actions),
        Turn::Chance => {
            position.actions(&mut actions);
            let listed = !actions.is_empty();
            actions.retain(|&outcome| position.weight(outcome) > 0);
            if !listed {
                actions.extend((0..BRANCHES).filter_map(|_| position.chance(rng, &mut Vec::new())));
            }
        }
    }
    rng.shuffle(&mut actions);
    actions.truncate(BRANCHES);
    actions.into_iter().map(|action| (action, after_action(position, action))).collect()
}

fn after_action<G: Game>(position: &G, action: G::Action) -> G {
    let mut next = position.clone();
    next.apply(action);
    next
}
