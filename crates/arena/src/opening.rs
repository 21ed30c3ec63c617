//! The moves that games begin with.

use boughs::{Rng, Session, Turn};

use crate::{ArenaError, Openings};

/// The opening of a game: its moves, and the position they lead to.
#[derive(Clone)]
pub(crate) struct Opening {
    pub(crate) position: Box<dyn Session>,
    pub(crate) moves: Vec<String>,
}

impl Opening {
    /// An opening without moves.
    pub(crate) fn start(start: &dyn Session) -> Opening {
        Opening { position: start.clone_session(), moves: Vec::new() }
    }

    /// Plays random moves from the start, after which the game goes on. Players make between `least` and `most` moves,
    /// and fewer in games that are over sooner.
    pub(crate) fn random(start: &dyn Session, [least, most]: [u32; 2], rng: &mut Rng) -> Opening {
        /// Number of openings tried before one move less is asked for.
        const TRIES: u32 = 100;
        for attempt in 0.. {
            let wanted = least + rng.below(most - least + 1);
            let mut left = wanted.saturating_sub(attempt / TRIES);
            let mut opening = Opening::start(start);
            while left > 0 {
                left -= u32::from(matches!(opening.position.turn(), Turn::Player(_)));
                let Some(action) = opening.position.random_step(rng) else { break };
                opening.play(action);
            }
            if opening.position.turn() != Turn::Over {
                return opening;
            }
            if left == 0 && attempt / TRIES >= most {
                break;
            }
        }
        Opening::start(start)
    }

    /// Plays the lines of listed openings from the start. Other kinds of openings have no lines.
    ///
    /// # Errors
    /// If a move is not legal, or the game is over after the moves of a line. The error names the line.
    pub(crate) fn listed(start: &dyn Session, openings: &Openings) -> Result<Vec<Opening>, ArenaError> {
        let Openings::Listed { lines, .. } = openings else { return Ok(Vec::new()) };
        let played = |(line, moves): (usize, &String)| {
            let fault = |what: String| ArenaError::new(format!("opening {}, {what}", line + 1));
            let actions = start.clone_session().play_moves(moves).map_err(|error| fault(error.to_string()))?;
            let mut opening = Opening::start(start);
            actions.into_iter().for_each(|action| opening.play(action));
            match opening.position.turn() {
                Turn::Over => Err(fault("the game is over after its moves; leave some of them out".to_string())),
                Turn::Player(_) | Turn::Chance => Ok(opening),
            }
        };
        lines.iter().enumerate().map(played).collect()
    }

    fn play(&mut self, action: u32) {
        self.moves.push(self.position.action_text(action));
        self.position.apply(action);
    }
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
            let Opening { position, moves } = Opening::random(&Connect4::default(), [4, 8], &mut Rng::new(3, stream));
            assert_ne!(position.turn(), Turn::Over);
            lengths[moves.len()] += 1;
        }
        assert!(lengths[..4] == [0; 4] && lengths[4..].iter().all(|&count| count > 50), "{lengths:?}");
    }

    #[test]
    fn where_a_game_cannot_last_so_long_it_gets_fewer_moves() {
        for stream in 0..20 {
            let Opening { position, moves } =
                Opening::random(&TicTacToe::default(), [30, 30], &mut Rng::new(3, stream));
            assert!(position.turn() != Turn::Over && (5..9).contains(&moves.len()), "{moves:?}");
        }
    }
}
