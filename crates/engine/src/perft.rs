//! Perft: the number of legal move sequences of a length, the classic test of a move generator.

use crate::{Game, Turn};

/// The number of sequences of exactly `depth` legal actions from a position.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.turn() == Turn::Over {
        return 0;
    }
    let mut actions = Vec::new();
    position.actions(&mut actions);
    if depth == 1 {
        return actions.len() as u64;
    }
    actions
        .into_iter()
        .map(|action| {
            let mut next = position.clone();
            next.apply(action);
            perft(&next, depth - 1)
        })
        .sum()
}
