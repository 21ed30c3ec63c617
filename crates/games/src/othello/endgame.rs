//! Exact results of the last moves, by alpha-beta search.
//!
//! The move that leaves the opponent the fewest answers is tried first.

use std::cmp::Ordering;

use super::lines::{flips, moves};

/// The most empty squares that [`result`] takes.
pub(super) const MOST_EMPTY: usize = 16;

/// The result of best play for the player to act: 1 for a win, 0 for a draw, and -1 for a loss. The time grows about
/// threefold with each empty square, of which there are at most [`MOST_EMPTY`].
pub(super) fn result(mine: u64, theirs: u64) -> i32 {
    search(mine, theirs, moves(mine, theirs), -1, 1)
}

/// The result of best play, if it lies between `least` and `most`, and else one of these.
fn search(mine: u64, theirs: u64, own_moves: u64, least: i32, most: i32) -> i32 {
    if own_moves == 0 {
        let other_moves = moves(theirs, mine);
        return match other_moves {
            0 => match mine.count_ones().cmp(&theirs.count_ones()) {
                Ordering::Greater => 1,
                Ordering::Equal => 0,
                Ordering::Less => -1,
            },
            _ => -search(theirs, mine, other_moves, -most, -least),
        };
    }
    // Each position after a move, for the player to act there: both players' discs, and the moves.
    let mut next = [(0, 0, 0_u64); MOST_EMPTY];
    let mut count = 0;
    let mut rest = own_moves;
    while rest != 0 {
        let square = rest.trailing_zeros() as u8;
        let flipped = flips(mine, theirs, square);
        let (theirs, mine) = (theirs ^ flipped, mine ^ flipped | 1 << square);
        let answers = moves(theirs, mine);
        let mut place = count;
        while place > 0 && next[place - 1].2.count_ones() > answers.count_ones() {
            next[place] = next[place - 1];
            place -= 1;
        }
        next[place] = (theirs, mine, answers);
        count += 1;
        rest &= rest - 1;
    }
    let mut best = least;
    for &(theirs, mine, answers) in &next[..count] {
        best = best.max(-search(theirs, mine, answers, -most, -best));
        if best >= most {
            break;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Othello;
    use boughs::{Game, Rng, Turn};

    /// The result of best play for a player, by trying everything.
    fn result_by_trying(game: &Othello, player: usize) -> f64 {
        let Turn::Player(acting) = game.turn() else { return game.reward(player) };
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let results = actions.iter().map(|&action| {
            let mut next = *game;
            next.apply(action);
            result_by_trying(&next, acting)
        });
        let best = results.fold(0.0, f64::max);
        if acting == player { best } else { 1.0 - best }
    }

    #[test]
    fn results_are_those_of_trying_everything() {
        let mut rng = Rng::new(11, 0);
        let mut seen = [0; 3];
        for _ in 0..2_000 {
            let mut game = Othello::default();
            while (game.mine | game.theirs).count_zeros() > 5
                && let Some(action) = game.random_action(&mut rng, &mut Vec::new())
            {
                game.apply(action);
            }
            if let Turn::Player(player) = game.turn() {
                let result = result(game.mine, game.theirs);
                assert_eq!(0.5 + 0.5 * f64::from(result), result_by_trying(&game, player), "{}", game.board());
                seen[(result + 1) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|&times| times > 50), "{seen:?}");
    }
}
