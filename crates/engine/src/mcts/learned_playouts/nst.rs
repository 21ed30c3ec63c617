//! NST (N-gram selection technique): as MAST, for an action alone, behind the move before it, and behind the two moves
//! before it (Tak, Winands and Bjornsson 2012). The value of an action is the mean of those of its N-grams, of which
//! longer ones count once they were seen often enough.

use super::LearnedPolicy;
use super::averages::Averages;
use super::mast::mean;
use crate::mcts::traversal::PlayedMove;
use crate::mcts::tree::words::Writers;

/// The most moves of an N-gram.
const LONGEST: usize = 3;

/// The rewards that a longer N-gram has before it counts; 7 in the paper.
const LEAST: u32 = 7;

/// The entries of the table, as a power of two: half a megabyte, so that a processor keeps them close. N-grams that are
/// many share entries with those that are few, whose means hardly change for that.
const BITS: u32 = 16;

#[derive(Debug)]
pub(super) struct Nst(Averages);

impl Nst {
    pub(super) fn new() -> Nst {
        Nst(Averages::new(BITS))
    }
}

/// The keys of the N-grams that end with a move, the shortest first. `before` are the moves before it.
fn keys(before: &[PlayedMove], last: PlayedMove) -> impl Iterator<Item = u64> {
    let add = |key: u64, played: PlayedMove| {
        let number = u64::from(played.code) << 8 | u64::from(played.player);
        (key.rotate_left(23) ^ number).wrapping_mul(0xd6e8_feb8_6659_fd93)
    };
    let first = add(1, last);
    let longer = before.iter().rev().take(LONGEST - 1).scan(first, move |key, &played| {
        *key = add(*key, played);
        Some(*key)
    });
    std::iter::once(first).chain(longer)
}

impl LearnedPolicy for Nst {
    fn value(&self, player: u8, before: &[PlayedMove], code: u32) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0);
        for (moves, key) in keys(before, PlayedMove { player, code }).enumerate() {
            let rewards = self.0.get(key);
            if moves == 0 || rewards.0 >= LEAST {
                sum += mean(rewards);
                count += 1.0;
            }
        }
        sum / count
    }

    fn learn(&self, moves: &[PlayedMove], shares: &[f32], writers: Writers) {
        for (ply, &played) in moves.iter().enumerate() {
            if let Some(&share) = shares.get(usize::from(played.player)) {
                keys(&moves[..ply], played).for_each(|key| self.0.add(key, share, writers));
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
    fn an_action_that_wins_behind_one_move_is_played_there() {
        let nst = Nst::new();
        let played = |player, code| PlayedMove { player, code };
        // The second player wins by 8 after 1, and by 9 after 2.
        for number in 0..40 {
            let (first, wins) = if number % 2 == 0 { (1, 8) } else { (2, 9) };
            let answer = if number % 4 < 2 { wins } else { 17 - wins };
            let share = if answer == wins { 1.0 } else { 0.0 };
            nst.learn(&[played(0, first), played(1, answer)], &[1.0 - share, share], Writers::One);
        }
        let value = |before, code| nst.value(1, &[played(0, before)], code);
        assert!(value(1, 8) > value(1, 9) && value(2, 9) > value(2, 8));
    }
}
