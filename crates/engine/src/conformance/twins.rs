//! Other positions that a player cannot tell from the true one, found by the rules alone.
//!
//! Each player has a twin of the true position: when something happens that the player does not see, something else
//! happens in the twin. Nothing here calls `determinize`, because twins are there to judge it.

use super::require;
use crate::{Position, Rng, Turn};

/// The number of actions or outcomes of a position that are tried.
const BRANCHES: usize = 12;

/// For each player a position that they cannot tell from the true one, if one is known.
#[derive(Default)]
pub(super) struct Twins(Vec<Option<Box<dyn Position>>>);

impl Twins {
    /// Forgets all twins. Every player knows the start of a game.
    pub(super) fn begin(&mut self, players: usize) {
        self.0 = vec![None; players];
    }

    /// The twin of a player.
    pub(super) fn of(&self, player: usize) -> Option<&dyn Position> {
        self.0.get(player)?.as_deref()
    }

    /// Takes each twin along as `action` leads from one position to the next, which is not over, or finds a new one.
    pub(super) fn follow(
        &mut self,
        before: &dyn Position,
        action: u32,
        after: &dyn Position,
        rng: &mut Rng,
    ) -> Result<(), String> {
        let mut siblings = branches(before, rng);
        siblings.retain(|&(other, _)| other != action);
        for (player, twin) in self.0.iter_mut().enumerate() {
            let known = after.information(player);
            let same = |position: &dyn Position| position.turn() != Turn::Over && position.information(player) == known;
            let old = twin.take();
            if before.turn() == Turn::Player(player) {
                check_knows_own_action(
                    before,
                    action,
                    siblings.iter().find(|(_, position)| same(&**position)),
                    player,
                )?;
                *twin = old
                    .filter(|old| old.turn() == before.turn())
                    .map(|old| after_action(&*old, action))
                    .filter(|new| same(&**new));
                continue;
            }
            let old = old.map(|old| branches(&*old, rng)).unwrap_or_default();
            let old = old.into_iter().map(|(_, position)| position).find(|position| same(&**position));
            let new = siblings.iter().map(|(_, position)| position).find(|position| same(&***position)).cloned();
            // An old twin differs in what has been hidden for long, a new one in what has just been.
            *twin = if rng.below(4) == 0 { new.or(old) } else { old.or(new) };
        }
        Ok(())
    }
}

fn check_knows_own_action(
    before: &dyn Position,
    action: u32,
    same: Option<&(u32, Box<dyn Position>)>,
    player: usize,
) -> Result<(), String> {
    require(same.is_none(), || {
        let other = same.map(|&(other, _)| before.action_text(other)).unwrap_or_default();
        format!(
            "player {player} does not know what they do: `information` gives the same number whether they play {} or \
             {other}",
            before.action_text(action)
        )
    })
}

/// Some actions or outcomes of a position, each with the position it leads to.
fn branches(position: &dyn Position, rng: &mut Rng) -> Vec<(u32, Box<dyn Position>)> {
    let mut actions = Vec::new();
    match position.turn() {
        Turn::Over => return Vec::new(),
        Turn::Player(_) => position.actions(&mut actions),
        Turn::Chance => {
            position.actions(&mut actions);
            let listed = !actions.is_empty();
            actions.retain(|&outcome| position.weight(outcome) > 0);
            if !listed {
                actions.extend((0..BRANCHES).filter_map(|_| position.chance(rng)));
            }
        }
    }
    rng.shuffle(&mut actions);
    actions.truncate(BRANCHES);
    actions.into_iter().map(|action| (action, after_action(position, action))).collect()
}

fn after_action(position: &dyn Position, action: u32) -> Box<dyn Position> {
    let mut next = position.clone_position();
    next.apply(action);
    next
}
