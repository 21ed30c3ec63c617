//! Last good reply with forgetting (LGRF-2): a playout answers a move, or two moves in a row, as the last winner has
//! answered them; a reply that loses is forgotten (Drake 2009; Baier and Drake 2010).
//!
//! Where no reply is known or legal, the playout below chooses.

use super::LearnedPolicy;
use crate::mcts::traversal::PlayedMove;
use crate::mcts::tree::sync::{AtomicU64, Ordering::Relaxed};
use crate::mcts::tree::words::Writers;

/// The entries of the table, as a power of two.
const BITS: u32 = 18;

/// The replies. An entry has the key of the moves it answers in the high half, and one more than the code in the low
/// half; 0 if there is no reply.
#[derive(Debug)]
pub(super) struct LastGoodReply(Box<[AtomicU64]>);

impl LastGoodReply {
    pub(super) fn new() -> LastGoodReply {
        LastGoodReply((0..1usize << BITS).map(|_| AtomicU64::new(0)).collect())
    }

    /// The entry for a player's answer to some moves, and the high half of what stands there.
    fn entry(&self, player: u8, moves: &[PlayedMove]) -> (&AtomicU64, u64) {
        let mut hash = u64::from(player) + 1;
        for played in moves {
            let number = u64::from(played.code) << 8 | u64::from(played.player);
            hash = (hash.rotate_left(23) ^ number).wrapping_mul(0xd6e8_feb8_6659_fd93);
        }
        (&self.0[(hash >> (u64::BITS - BITS)) as usize], hash << 32)
    }
}

impl LearnedPolicy for LastGoodReply {
    fn reply(&self, player: u8, before: &[PlayedMove]) -> Option<u32> {
        // The reply to two moves is the better one.
        [2, 1].into_iter().filter(|&length| length <= before.len()).find_map(|length| {
            let (entry, key) = self.entry(player, &before[before.len() - length..]);
            let word = entry.load(Relaxed);
            (word as u32).checked_sub(1).filter(|_| word >> 32 << 32 == key)
        })
    }

    fn learn(&self, moves: &[PlayedMove], shares: &[f32], _: Writers) {
        for (ply, played) in moves.iter().enumerate() {
            let Some(&share) = shares.get(usize::from(played.player)) else { continue };
            for length in (1..=2).filter(|&length| length <= ply) {
                let (entry, key) = self.entry(played.player, &moves[ply - length..ply]);
                let reply = key | (u64::from(played.code) + 1) & u64::from(u32::MAX);
                if share > 0.5 {
                    entry.store(reply, Relaxed);
                } else if share < 0.5 && entry.load(Relaxed) == reply {
                    entry.store(0, Relaxed);
                }
            }
        }
    }

    fn clear(&self) {
        self.0.iter().for_each(|entry| entry.store(0, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_that_won_is_played_until_it_loses() {
        let replies = LastGoodReply::new();
        let played = |player, code| PlayedMove { player, code };
        let reply = |before: &[PlayedMove]| replies.reply(1, before);
        let moves = [played(0, 7), played(1, 5)];
        replies.learn(&moves, &[0.0, 1.0], Writers::One);
        assert_eq!(reply(&[played(0, 7)]), Some(5));
        assert_eq!(reply(&[played(0, 8)]), None, "a reply to another move");
        replies.learn(&[played(1, 3), played(0, 7), played(1, 6)], &[0.0, 1.0], Writers::One);
        assert_eq!(reply(&[played(1, 3), played(0, 7)]), Some(6), "a reply to two moves");
        assert_eq!(reply(&[played(1, 4), played(0, 7)]), Some(6), "the newest reply to the last one");
        replies.learn(&[played(0, 7), played(1, 6)], &[1.0, 0.0], Writers::One);
        assert_eq!(reply(&[played(1, 4), played(0, 7)]), None, "it has lost");
    }
}
