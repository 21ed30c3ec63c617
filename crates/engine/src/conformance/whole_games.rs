//! What can only be said of a whole game: that its text reads back, and that it goes the same way twice.

use std::cell::RefCell;

use super::require;
use crate::notation::{play_moves, write_moves};
use crate::{Game, Rng, Turn};

/// Checks that the moves of a game read back from their text. Outcomes that chance does not list cannot be read; what
/// comes before one and what comes after it is read by itself.
pub(super) fn check_text<G: Game>(start: &G, moves: &[G::Action]) -> Result<(), String> {
    let mut position = start.clone();
    let (mut from, mut first) = (start.clone(), 0);
    for (ply, &action) in moves.iter().enumerate() {
        let listed = lists_outcomes(&position);
        if !listed {
            check_reads_back(&from, &moves[first..ply])?;
            let text = position.action_text(action);
            if let Some(read) = position.unlisted(&text) {
                require(read == action, || format!("the outcome '{text}' reads back as another: {read:?}"))?;
            }
        }
        position.apply(action);
        if !listed {
            (from, first) = (position.clone(), ply + 1);
        }
    }
    check_reads_back(&from, &moves[first..])
}

/// Whether what happens here is among the legal actions: always, but where chance has too many outcomes to list.
fn lists_outcomes<G: Game>(position: &G) -> bool {
    let mut listed = Vec::new();
    if position.turn() == Turn::Chance {
        position.actions(&mut listed);
    }
    position.turn() != Turn::Chance || !listed.is_empty()
}

fn check_reads_back<G: Game>(start: &G, moves: &[G::Action]) -> Result<(), String> {
    let text = write_moves(start, moves);
    match play_moves(&mut start.clone(), &text) {
        Ok(read) => require(read == moves, || format!("the moves '{text}' read back as other moves: {read:?}")),
        Err(error) => Err(format!("the moves '{text}' do not read back: {error}")),
    }
}

/// Checks that a playout goes the same way twice. `moves` are those of the playout, so that a panic can be told with them.
pub(super) fn check_repeatable<G: Game>(start: &G, seed: u64, moves: &RefCell<Vec<G::Action>>) -> Result<(), String> {
    let playout = || {
        let (mut position, mut rng, mut scratch) = (start.clone(), Rng::new(seed, 0), Vec::new());
        moves.borrow_mut().clear();
        for _ in 0..G::MAX_PLIES {
            let action = match position.turn() {
                Turn::Over => break,
                Turn::Chance => position.chance(&mut rng, &mut scratch),
                Turn::Player(_) => position.random_action(&mut rng, &mut scratch),
            };
            let Some(action) = action else { break };
            moves.borrow_mut().push(action);
            position.apply(action);
        }
        moves.borrow().clone()
    };
    require(playout() == playout(), || "two playouts with the same seed went differently".into())
}
