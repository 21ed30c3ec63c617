//! MAST (move-average sampling technique): of some actions a playout plays the one with the best mean reward of all
//! simulations in which its player has played it anywhere (Finnsson and Bjornsson 2008; epsilon-greedy as in Tak,
//! Winands and Bjornsson 2012, who found it better than sampling by a Gibbs distribution).

use super::LearnedPolicy;
use super::averages::Averages;
use super::table;
use crate::mcts::traversal::{NO_PLAYER, PlayedMove};
use crate::mcts::tree::words::Writers;

#[derive(Debug)]
pub(super) struct Mast(Averages);

impl Mast {
    /// For a game with codes of actions up to `most`.
    pub(super) fn new(most: u32) -> Mast {
        Mast(Averages::new(table::bits(most)))
    }
}

/// The key of an action of a player.
fn key(player: u8, code: u32) -> u64 {
    u64::from(code) << 8 | u64::from(player)
}

/// The mean of some rewards, as if one more had been a draw.
pub(super) fn mean((count, sum): (u32, f32)) -> f32 {
    (sum + 0.5) / (count as f32 + 1.0)
}

impl LearnedPolicy for Mast {
    fn value(&self, player: u8, _: &[PlayedMove], code: u32) -> f32 {
        mean(self.0.get(key(player, code)))
    }

    fn learn(&self, moves: &[PlayedMove], shares: &[f32], writers: Writers) {
        for played in moves.iter().filter(|played| played.player < NO_PLAYER) {
            if let Some(&share) = shares.get(usize::from(played.player)) {
                self.0.add(key(played.player, played.code), share, writers);
            }
        }
    }

    fn clear(&self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_playout_plays_the_action_that_won() {
        let mast = Mast::new(255);
        let moves = [(0, 3), (1, 3), (0, 5), (NO_PLAYER, 9)].map(|(player, code)| PlayedMove { player, code });
        mast.learn(&moves[..2], &[1.0, 0.0], Writers::One);
        mast.learn(&moves[2..], &[0.0, 1.0], Writers::One);
        let value = |player, code| mast.value(player, &[], code);
        assert!(
            value(0, 3) > value(0, 4) && value(0, 4) > value(0, 5),
            "the winner's action, an unknown one, the loser's"
        );
        assert!(value(1, 3) < value(1, 4), "another player's record is another one");
        mast.clear();
        assert_eq!(mast.0.get(key(0, 3)).0, 0);
    }
}
