//! Positions as text: the moves that lead there, as the game writes them.
//!
//! Moves may stand apart (`a1 b2`) or together where that is unambiguous (`4453`); the longest legal move is read
//! first. Case does not matter. So every game has a text notation as soon as it can write its moves.

use crate::{Game, Turn};

/// Why a list of moves could not be played. `Display` gives one sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// Where the fault begins, in characters counted from 1.
    pub column: usize,
    /// The text at fault.
    pub word: String,
    /// What would have been right there.
    pub expected: Expected,
}

/// What a move list should have had at a certain place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// One of these moves.
    Moves(Vec<String>),
    /// Nothing: the game was over.
    End,
}

impl std::fmt::Display for MoveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let MoveError { column, word, expected } = self;
        match expected {
            Expected::End => write!(f, "column {column}: the game is over before '{word}', so end the moves there"),
            Expected::Moves(moves) => {
                const SHOWN: usize = 24;
                write!(f, "column {column}: '{word}' is not a legal move here; legal are {}", {
                    moves[..moves.len().min(SHOWN)].join(" ")
                })?;
                if moves.len() > SHOWN {
                    write!(f, " and {} more", moves.len() - SHOWN)?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for MoveError {}

/// Every legal action of a position with its text, in the game's order.
pub fn legal_moves<G: Game>(position: &G) -> Vec<(G::Action, String)> {
    let mut actions = Vec::new();
    if position.turn() != Turn::Over {
        position.actions(&mut actions);
    }
    actions.into_iter().map(|action| (action, position.action_text(action))).collect()
}

/// The legal action written as `text`, whatever its case.
pub fn find_move<G: Game>(position: &G, text: &str) -> Option<G::Action> {
    legal_moves(position).into_iter().find(|(_, name)| name.eq_ignore_ascii_case(text)).map(|(action, _)| action)
}

/// Plays the moves of `text` from `start` and returns them.
///
/// # Errors
/// The first place that is no legal move.
pub fn play_moves<G: Game>(start: &mut G, text: &str) -> Result<Vec<G::Action>, MoveError> {
    let separates = |c: char| c.is_whitespace() || c == ',';
    let mut played = Vec::new();
    let mut rest = text.trim_start_matches(separates);
    while !rest.is_empty() {
        let legal = legal_moves(start);
        let fits = |name: &str| rest.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
        let longest =
            legal.iter().filter(|(_, name)| !name.is_empty() && fits(name)).max_by_key(|(_, name)| name.len());
        let Some((action, name)) = longest else {
            let word = rest.split(separates).next().unwrap_or(rest);
            let expected = match legal.is_empty() {
                true => Expected::End,
                false => Expected::Moves(legal.into_iter().map(|(_, name)| name).collect()),
            };
            let column = text[..text.len() - rest.len()].chars().count() + 1;
            return Err(MoveError { column, word: word.chars().take(20).collect(), expected });
        };
        start.apply(*action);
        played.push(*action);
        rest = rest[name.len()..].trim_start_matches(separates);
    }
    Ok(played)
}

/// The text of a list of moves from `start`, the inverse of [`play_moves`].
pub fn write_moves<G: Game>(start: &G, actions: &[G::Action]) -> String {
    let mut position = start.clone();
    let names: Vec<String> = actions
        .iter()
        .map(|&action| {
            let name = position.action_text(action);
            position.apply(action);
            name
        })
        .collect();
    let separator = if names.iter().all(|name| name.chars().count() == 1) { "" } else { " " };
    names.join(separator)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Nim;

    #[test]
    fn moves_may_stand_together_or_apart() {
        for text in ["123", "1 2 3", " 1,2\n3 "] {
            let mut nim = Nim::new(10);
            assert_eq!(play_moves(&mut nim, text), Ok(vec![1, 2, 3]));
            assert_eq!(nim.stones, 4);
        }
    }

    #[test]
    fn a_fault_names_its_column_and_what_is_legal() {
        let error = play_moves(&mut Nim::new(3), "1 7").unwrap_err();
        assert_eq!(error.to_string(), "column 3: '7' is not a legal move here; legal are 1 2");
        let error = play_moves(&mut Nim::new(3), "3 1").unwrap_err();
        assert_eq!(error.to_string(), "column 3: the game is over before '1', so end the moves there");
        assert!(play_moves(&mut Nim::new(3), "é").is_err());
    }

    #[test]
    fn written_moves_read_back() {
        let text = write_moves(&Nim::new(10), &[3, 1, 2]);
        assert_eq!(text, "312");
        assert_eq!(play_moves(&mut Nim::new(10), &text), Ok(vec![3, 1, 2]));
    }
}
