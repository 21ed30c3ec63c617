//! The way from one decision of a turn to the next.

use boughs::{Game, Turn};
use boughs_games::Features;
use boughs_games::green_circle::{GreenCircle, Step};

/// The most outcomes of chance in a row after a decision that are followed to an equal position.
const MOST_DRAWS: usize = 1;

/// The action and the outcomes of chance that lead from one position to another; `None` if that is not one of the next
/// positions in which the player chooses.
pub(super) fn route(from: &GreenCircle, to: &GreenCircle) -> Option<Vec<Step>> {
    let is_later = from.active() == to.active() && matches!(from.turn(), Turn::Player(_));
    if is_later { steps(from, to.key(), MOST_DRAWS + 1) } else { None }
}

fn steps(from: &GreenCircle, key: u64, most: usize) -> Option<Vec<Step>> {
    let mut actions = Vec::new();
    from.actions(&mut actions);
    actions.into_iter().find_map(|step| {
        let mut next = *from;
        next.apply(step);
        if next.key() == key {
            return Some(vec![step]);
        }
        let is_drawn = most > 1 && next.turn() == Turn::Chance && !next.ends_turn();
        let rest = if is_drawn { steps(&next, key, most - 1) } else { None };
        rest.map(|rest| [vec![step], rest].concat())
    })
}
