//! A move of a report and the line expected after it, as clients read them.

use boughs::{Child, Session};

use super::board_game::Words;

/// The most moves of an expected line.
const MOST_MOVES: usize = 40;

/// The names of a move and of those expected after it.
pub(super) fn vertices(words: Words, position: &dyn Session, child: &Child) -> Vec<String> {
    let mut position = position.clone_session();
    let after = child.line.iter().map(|step| step.action);
    let name = |action: u32| {
        let name = words.vertex(&*position, action);
        position.apply(action);
        name
    };
    std::iter::once(child.action).chain(after).take(MOST_MOVES).map(name).collect()
}

/// The playouts of each of these moves.
pub(super) fn visits(child: &Child) -> Vec<u64> {
    let after = child.line.iter().map(|step| step.playouts);
    std::iter::once(child.playouts).chain(after).take(MOST_MOVES).collect()
}

/// The mean less two standard errors of as many all-or-nothing playouts.
pub(super) fn lower_bound(child: &Child) -> f64 {
    let visits = child.playouts as f64;
    let variance = child.mean * (1.0 - child.mean) + 1.0 / visits;
    (child.mean - 2.0 * (variance / visits).sqrt()).max(0.0)
}
