//! The choices that lead from an earlier position to a later one, reconstructed from the two positions.

use boughs::{Game, Turn};
use boughs_games::photosynthesis::{Action, Position, TALL};

use super::pruned_game::PrunedGame;

/// The most positions that are examined.
const MOST: usize = 4_000;

/// Finds the choices that lead from one position to another, in the order in which the players make them.
///
/// Every player who is awake chooses every day, so both positions lie on one day, or the second on the morning after.
/// Trees get larger or are completed, and seeds land or meet. This limits the choices to try. The result is `None` if
/// no choices lead there.
pub(super) fn route(from: &PrunedGame, to: &Position) -> Option<Vec<Action>> {
    let (mut left, mut choices) = (MOST, Vec::new());
    seek(from, to, &mut choices, &mut left).then_some(choices)
}

fn seek(from: &PrunedGame, to: &Position, choices: &mut Vec<Action>, left: &mut usize) -> bool {
    if from.has_no_secret() && from.position() == to {
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

/// Returns true if the effect of an action can be seen in the later position.
fn agrees(position: &Position, player: usize, action: Action, to: &Position) -> bool {
    let is_there = |size: usize, bit: u64| to.trees_of_size(player, size) & bit != 0;
    match action {
        Action::Wait | Action::Map(_) | Action::Disqualified => true,
        Action::Complete(cell) => !is_there(TALL, cell.bit()),
        // Two seeds that meet in one cell leave no trace except where they came from.
        Action::Seed { from, to: cell } => is_there(0, cell.bit()) || to.dormant() & from.bit() != 0,
        Action::Grow(cell) => {
            let grown = (0..TALL).find(|&size| position.trees_of_size(player, size) & cell.bit() != 0);
            grown.is_some_and(|size| (size + 1..=TALL).any(|size| is_there(size, cell.bit())))
        }
    }
}
