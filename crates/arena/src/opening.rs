//! The moves that games begin with.

use boughs::notation::counted;
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

    /// Checks that the game can go on after as many random moves as the openings ask for.
    ///
    /// # Errors
    /// If it went on after none of many random lines.
    pub(crate) fn check_length(start: &dyn Session, openings: &Openings) -> Result<(), ArenaError> {
        /// Number of random lines. Only a length that no game has needs them all.
        const LINES: u64 = 200;
        let &Openings::Random(_, most) = openings else { return Ok(()) };
        let mut longest = 0;
        for line in 0..LINES {
            let reached = moves_before_the_end(start, most, &mut Rng::new(0, line));
            if reached == most {
                return Ok(());
            }
            longest = longest.max(reached);
        }
        Err(ArenaError::new(format!(
            "openings of {} leave no game: of {LINES} random games none went on after more than \
             {longest}; ask for no more",
            counted(most, "random moves")
        )))
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

/// The moves that players make at random, at most `most`, before the last move of a game.
fn moves_before_the_end(start: &dyn Session, most: u32, rng: &mut Rng) -> u32 {
    let mut position = start.clone_session();
    let (mut moves, mut longest) = (0, 0);
    while position.turn() != Turn::Over {
        longest = moves;
        let is_move = matches!(position.turn(), Turn::Player(_));
        if is_move && moves == most {
            break;
        }
        let Some(action) = position.random_step(rng) else { break };
        position.apply(action);
        moves += u32::from(is_move);
    }
    longest
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
    fn openings_that_leave_no_game_are_refused() {
        let check = |start: &dyn Session, most| Opening::check_length(start, &Openings::Random(1, most));
        let (connect4, tictactoe) = (Connect4::default(), TicTacToe::default());
        assert_eq!((check(&connect4, 0), check(&connect4, 30)), (Ok(()), Ok(())));
        assert_eq!(check(&tictactoe, 8), Ok(()));
        for (start, most, longest) in [(&tictactoe as &dyn Session, 9, 8), (&connect4, 999, 41)] {
            let sentence = check(start, most).unwrap_err().to_string();
            assert!(sentence.contains(&format!("openings of {most} random moves leave no game")), "{sentence}");
            assert!(sentence.contains(&format!("after more than {longest}")), "{sentence}");
        }
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
