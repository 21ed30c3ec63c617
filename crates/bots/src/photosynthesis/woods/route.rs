//! How a position came of an earlier one, where nobody tells.

use boughs::{Game, Turn};
use boughs_games::photosynthesis::{Action, Position, TALL};

use super::game::Woods;

/// How many positions are looked at before it is given up.
const MOST: usize = 4_000;

/// The choices that lead from one position to another, each player's in its turn; `None` if none are found.
///
/// Whoever is awake is asked every day, so both lie on one day or the second on the morning after. Trees get larger or are
/// completed, and seeds land or meet, which tells the choices that come into question.
pub(super) fn route(from: &Woods, to: &Position) -> Option<Vec<Action>> {
    let (mut left, mut choices) = (MOST, Vec::new());
    seek(from, to, &mut choices, &mut left).then_some(choices)
}

fn seek(from: &Woods, to: &Position, choices: &mut Vec<Action>, left: &mut usize) -> bool {
    if from.is_settled() && from.position() == to {
        return true;
    }
    let Turn::Player(player) = from.turn() else { return false };
    if from.position().day() > to.day() || *left == 0 {
        return false;
    }
    *left -= 1;
    let mut listed = Vec::new();
    from.actions(&mut listed);
    for action in listed.into_iter().filter(|&action| agrees(from.position(), player, action, to)) {
        let mut next = *from;
        next.apply(action);
        choices.push(action);
        if seek(&next, to, choices, left) {
            return true;
        }
        choices.pop();
    }
    false
}

/// Whether what an action does is still to be seen.
fn agrees(position: &Position, player: usize, action: Action, to: &Position) -> bool {
    let is_there = |size: usize, bit: u64| to.trees_of_size(player, size) & bit != 0;
    match action {
        Action::Wait | Action::Map(_) | Action::Disqualified => true,
        Action::Complete(cell) => !is_there(TALL, cell.bit()),
        // Of two seeds that met in one cell there is no more to see than where they came from.
        Action::Seed { from, to: cell } => is_there(0, cell.bit()) || to.dormant() & from.bit() != 0,
        Action::Grow(cell) => {
            let grown = (0..TALL).find(|&size| position.trees_of_size(player, size) & cell.bit() != 0);
            grown.is_some_and(|size| (size + 1..=TALL).any(|size| is_there(size, cell.bit())))
        }
    }
}
