//! Checks of whole games: their text reads back, and the same seed plays the same game twice.

use std::cell::RefCell;

use super::actions::debug_list;
use super::require;
use crate::{PlayoutKind, Position, Rng, Turn};

/// Checks that the moves of a game read back from their text. Outcomes that chance does not list cannot be read, so the
/// moves before such an outcome and the moves after it are read separately.
pub(super) fn check_text(start: &dyn Position, moves: &[u32]) -> Result<(), String> {
    let mut position = start.clone_position();
    let (mut from, mut first) = (start.clone_position(), 0);
    for (ply, &action) in moves.iter().enumerate() {
        let listed = lists_actions(&*position);
        if !listed {
            check_reads_back(&*from, &moves[first..ply])?;
            let text = position.action_text(action);
            if let Some(read) = position.parse_outcome(&text) {
                require(read == action, || {
                    format!("the outcome '{text}' reads back as another: {}", position.debug_text(read))
                })?;
            }
        }
        position.apply(action);
        if !listed {
            (from, first) = (position.clone(), ply + 1);
        }
    }
    check_reads_back(&*from, &moves[first..])
}

/// Returns false if chance has too many outcomes here to list them.
fn lists_actions(position: &dyn Position) -> bool {
    let mut listed = Vec::new();
    if position.turn() == Turn::Chance {
        position.actions(&mut listed);
    }
    position.turn() != Turn::Chance || !listed.is_empty()
}

fn check_reads_back(start: &dyn Position, moves: &[u32]) -> Result<(), String> {
    let text = start.write_moves(moves);
    match start.clone_position().play_moves(&text) {
        Ok(read) => require(read == moves, || {
            format!("the moves '{text}' read back as other moves: {}", debug_list(start, &read))
        }),
        Err(error) => Err(format!("the moves '{text}' do not read back: {error}")),
    }
}

/// Checks that a playout goes the same way twice. `moves` receives the moves of the playout, so that a panic can be
/// reported with them.
pub(super) fn check_repeatable(start: &dyn Position, seed: u64, moves: &RefCell<Vec<u32>>) -> Result<(), String> {
    let limit = start.facts().max_plies;
    let playout = || {
        moves.borrow_mut().clear();
        let (mut position, mut rng) = (start.clone_position(), Rng::new(seed, 0));
        position.play_out(PlayoutKind::Light, &mut rng, limit, Some(&mut moves.borrow_mut()));
        moves.borrow().clone()
    };
    require(playout() == playout(), || "two playouts with the same seed went differently".into())
}
