//! What a search found, as one number.

use boughs::notation::play_moves;
use boughs::{Checksum, Search};
use boughs_games::{Listed, Visitor};

use super::{BenchError, Plan};

/// Searches every position of a game's bench and makes a checksum of the trees and the best moves.
pub(super) struct Fingerprint<'p>(pub(super) &'p Plan);

impl Visitor for Fingerprint<'_> {
    type Output = Result<u64, BenchError>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let mut checksum = Checksum::default();
        for moves in G::BENCH {
            let mut position = start.clone();
            // The positions are those of the game's usual options; another board may not have them.
            if play_moves(&mut position, moves).is_err() {
                continue;
            }
            let mut search = Search::new(position, self.0.settings.clone())?;
            let report = search.run(self.0.budget())?;
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
}
