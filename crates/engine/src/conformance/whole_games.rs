//! What can only be said of a whole game: that its text reads back, and that it goes the same way twice.

use super::require;
use crate::notation::{play_moves, write_moves};
use crate::{Action, Game, Rng, Turn};

pub(super) fn check_text<G: Game>(start: &G, moves: &[G::Action]) -> Result<(), String> {
    let text = write_moves(start, moves);
    match play_moves(&mut start.clone(), &text) {
        Ok(read) => require(read == moves, || format!("the moves '{text}' read back as other moves: {read:?}")),
        Err(error) => Err(format!("the moves '{text}' do not read back: {error}")),
    }
}

pub(super) fn check_repeatable<G: Game>(start: &G, seed: u64) -> Result<(), String> {
    let playout = || {
        let (mut position, mut rng, mut scratch) = (start.clone(), Rng::new(seed, 0), Vec::new());
        let mut codes = Vec::new();
        while position.turn() != Turn::Over && codes.len() < G::MAX_PLIES as usize {
            let Some(action) = position.random_action(&mut rng, &mut scratch) else { break };
            codes.push(action.code());
            position.apply(action);
        }
        codes
    };
    require(playout() == playout(), || "two playouts with the same seed went differently".into())
}
