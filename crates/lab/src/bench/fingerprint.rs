//! A checksum of the trees that searches grow.

use boughs::checksum::Checksum;
use boughs_games::StartedGame;

use super::{BenchError, BenchPlan};

/// Searches every position of a game's bench and returns a checksum of the trees and the best moves.
pub(super) fn fingerprint(game: &StartedGame, plan: &BenchPlan) -> Result<u64, BenchError> {
    let mut checksum = Checksum::default();
    for moves in game.entry.bench {
        let mut position = game.position.clone();
        // The positions are those of the game's usual options; another board may not have them.
        if position.play_moves(moves).is_err() {
            continue;
        }
        let mut search = boughs_agents::tree_search(&*position, plan.settings.clone())?;
        let report = search.run(plan.budget())?;
        for node in search.dump(usize::MAX).into_iter().flatten() {
            checksum.add(&(node.path.len() as u64).to_le_bytes());
            node.path.iter().for_each(|code| checksum.add(&code.to_le_bytes()));
            checksum.add(&u64::from(node.visits).to_le_bytes());
            checksum.add(&node.sum.to_le_bytes());
        }
        checksum.add(report.best.map(|best| best.text).unwrap_or_default().as_bytes());
    }
    Ok(checksum.value())
}
