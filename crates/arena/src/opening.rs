//! Random moves that games begin with.

use boughs::{Game, Rng, Turn};

/// A position after some random moves in which the game goes on, and the moves. Where games are over sooner, fewer moves.
pub(crate) fn random_opening<G: Game>(start: &G, [least, most]: [u32; 2], rng: &mut Rng) -> (G, Vec<String>) {
    /// Openings tried before fewer moves are.
    const TRIES: u32 = 100;
    let mut scratch = Vec::new();
    for attempt in 0.. {
        let wanted = least + rng.below(most - least + 1);
        let mut left = wanted.saturating_sub(attempt / TRIES);
        let (mut position, mut moves) = (start.clone(), Vec::new());
        while left > 0 {
            let action = match position.turn() {
                Turn::Over => break,
                Turn::Chance => position.chance(rng, &mut scratch),
                Turn::Player(_) => {
                    left -= 1;
                    position.random_action(rng, &mut scratch)
                }
            };
            let Some(action) = action else { break };
            moves.push(position.action_text(action));
            position.apply(action);
        }
        if position.turn() != Turn::Over {
            return (position, moves);
        }
        if left == 0 && attempt / TRIES >= most {
            break;
        }
    }
    (start.clone(), Vec::new())
}

#[cfg(test)]
mod tests {
    use boughs_games::connect4::Connect4;
    use boughs_games::tictactoe::TicTacToe;

    use super::*;

    #[test]
    fn the_game_goes_on_after_as_many_moves_as_were_wanted() {
        let mut lengths = [0; 9];
        for stream in 0..500 {
            let (position, moves) = random_opening(&Connect4::default(), [4, 8], &mut Rng::new(3, stream));
            assert_ne!(position.turn(), Turn::Over);
            lengths[moves.len()] += 1;
        }
        assert!(lengths[..4] == [0; 4] && lengths[4..].iter().all(|&count| count > 50), "{lengths:?}");
    }

    #[test]
    fn where_a_game_cannot_last_so_long_it_gets_fewer_moves() {
        for stream in 0..20 {
            let (position, moves) = random_opening(&TicTacToe::default(), [30, 30], &mut Rng::new(3, stream));
            assert!(position.turn() != Turn::Over && (5..9).contains(&moves.len()), "{moves:?}");
        }
    }
}
