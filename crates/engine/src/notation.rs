//! Positions as text: the list of moves from the start of the game.
//!
//! Moves may stand apart (`a1 b2`) or together where that is unambiguous (`4453`); the longest legal move is read
//! first. Case does not matter. So every game that can write its moves has a text notation for positions.

use std::collections::BTreeSet;

use crate::{Action, Game, Position, Turn};

/// A fault in a list of moves. `Display` gives one sentence that names the fault and its cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// The number of the move at fault, counted from 1.
    pub number: usize,
    /// The place of the fault, in characters counted from 1.
    pub column: usize,
    /// The text at fault.
    pub word: String,
    /// The text that belongs there.
    pub expected: Expected,
}

/// The text that belongs at a place in a move list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// One of these moves.
    Moves(Vec<String>),
    /// An outcome of chance, which has too many outcomes to list them.
    Outcome,
    /// The end of the list: the game was over.
    End,
}

impl std::fmt::Display for MoveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let MoveError { number, column, word, expected } = self;
        write!(f, "move {number}, column {column}: ")?;
        match expected {
            Expected::End => write!(f, "the game is over before '{word}', so end the moves there"),
            Expected::Outcome => write!(f, "'{word}' is not written as what chance does here"),
            Expected::Moves(moves) => write!(f, "'{word}' is not a legal move here; legal are {}", listed(moves)),
        }
    }
}

impl std::error::Error for MoveError {}

/// Writes the texts of moves in a line, of many only the first ones.
pub fn listed(moves: &[String]) -> String {
    const SHOWN: usize = 24;
    match moves.split_at_checked(SHOWN) {
        Some((shown, more @ [_, ..])) => format!("{} and {} more", shown.join(" "), more.len()),
        _ => moves.join(" "),
    }
}

/// All legal actions of a position with their texts, in the game's order.
pub fn legal_moves<G: Game>(position: &G) -> Vec<(G::Action, String)> {
    let position: &dyn Position = position;
    position.legal_moves().into_iter().map(|(action, text)| (G::Action::from_code(action), text)).collect()
}

/// The legal action with this text in any case, or an unlisted outcome with it.
pub fn find_move<G: Game>(position: &G, text: &str) -> Option<G::Action> {
    let position: &dyn Position = position;
    position.find_move(text).map(G::Action::from_code)
}

/// Plays the moves of `text` from `start` and returns them.
///
/// # Errors
/// The first place that is no legal move.
pub fn play_moves<G: Game>(start: &mut G, text: &str) -> Result<Vec<G::Action>, MoveError> {
    let start: &mut dyn Position = start;
    Ok(start.play_moves(text)?.into_iter().map(G::Action::from_code).collect())
}

/// The text of a list of moves from `start`, the inverse of [`play_moves`].
pub fn write_moves<G: Game>(start: &G, actions: &[G::Action]) -> String {
    let codes: Vec<u32> = actions.iter().map(|action| action.code()).collect();
    let start: &dyn Position = start;
    start.write_moves(&codes)
}

impl dyn Position {
    /// The code and the text of every legal action, in the game's order. Empty if the game is over.
    pub fn legal_moves(&self) -> Vec<(u32, String)> {
        let mut actions = Vec::new();
        if self.turn() != Turn::Over {
            self.actions(&mut actions);
        }
        actions.into_iter().map(|action| (action, self.action_text(action))).collect()
    }

    /// The code of the legal action with this text in any case, or of an unlisted outcome with it.
    pub fn find_move(&self, text: &str) -> Option<u32> {
        let mut legal = self.legal_moves().into_iter();
        let listed = legal.find(|(_, name)| name.eq_ignore_ascii_case(text));
        listed.map(|(action, _)| action).or_else(|| self.parse_outcome(text))
    }

    /// Plays the moves of `text` and returns their codes.
    ///
    /// # Errors
    /// The first place that is no legal move.
    pub fn play_moves(&mut self, text: &str) -> Result<Vec<u32>, MoveError> {
        let (start, mut played) = (self.clone_position(), Vec::new());
        let mut rest = text.trim_start_matches(separates);
        while !rest.is_empty() {
            let legal = self.legal_moves();
            let longest = longest_at(rest, legal.iter().map(|(_, name)| name)).map(str::to_string);
            let word = rest.split(separates).next().unwrap_or(rest);
            let found = match longest {
                Some(name) => legal.iter().find(|(_, other)| *other == name).map(|&(action, _)| (action, name.len())),
                None => self.parse_outcome(word).map(|action| (action, word.len())),
            };
            let Some((action, length)) = found else {
                let expected = match self.turn() {
                    _ if !legal.is_empty() => Expected::Moves(legal.into_iter().map(|(_, name)| name).collect()),
                    Turn::Chance => Expected::Outcome,
                    _ => Expected::End,
                };
                let column = text[..text.len() - rest.len()].chars().count() + 1;
                let word = word_at_fault(text, rest, &moves_before(start, &played)).chars().take(20).collect();
                return Err(MoveError { number: played.len() + 1, column, word, expected });
            };
            self.apply(action);
            played.push(action);
            rest = rest[length..].trim_start_matches(separates);
        }
        Ok(played)
    }

    /// The text of a list of moves from here, the inverse of `play_moves`.
    pub fn write_moves(&self, actions: &[u32]) -> String {
        let mut position = self.clone_position();
        let mut stand_together = true;
        let names: Vec<String> = actions
            .iter()
            .map(|&action| {
                let name = position.action_text(action);
                // An unlisted outcome ends with a space, because no list says where its text ends.
                let has_many = position.turn() == Turn::Chance && position.legal_moves().is_empty();
                stand_together &= !has_many && name.chars().count() == 1;
                position.apply(action);
                name
            })
            .collect();
        let separator = if stand_together { "" } else { " " };
        names.join(separator)
    }
}

/// Writes a number of things, which are given in their plural: `1 move`, `2 moves`.
pub fn counted(number: impl std::fmt::Display, things: &str) -> String {
    let number = number.to_string();
    let thing = if number == "1" { things.strip_suffix('s').unwrap_or(things) } else { things };
    format!("{number} {thing}")
}

/// Returns true for what may stand between moves.
fn separates(c: char) -> bool {
    c.is_whitespace() || c == ','
}

/// The longest of these names that a text begins with.
fn longest_at<'n>(text: &str, names: impl Iterator<Item = &'n String>) -> Option<&'n str> {
    let fits = |name: &&String| text.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name));
    names.filter(|name| !name.is_empty()).filter(fits).max_by_key(|name| name.len()).map(String::as_str)
}

/// The texts of all moves that were legal before one of the played moves.
fn moves_before(mut position: Box<dyn Position>, played: &[u32]) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    for &action in played {
        seen.extend(position.legal_moves().into_iter().map(|(_, name)| name));
        position.apply(action);
    }
    seen
}

/// The move at the start of the rest of a text, where no legal move stands. `seen` are the moves that were legal
/// before.
///
/// Moves that stand together have no ends. A move that was legal before is recognised; any other word is cut to the
/// length of the longest move.
fn word_at_fault<'r>(text: &str, rest: &'r str, seen: &BTreeSet<String>) -> &'r str {
    let word = rest.split(separates).next().unwrap_or(rest);
    let stands_apart = text[..text.len() - rest.len()].chars().next_back().is_none_or(separates);
    let longest = seen.iter().map(|name| name.chars().count()).max();
    match (longest_at(rest, seen.iter()), longest) {
        (Some(name), _) => &rest[..name.len()],
        (None, Some(longest)) if !stands_apart => {
            word.char_indices().nth(longest).map_or(word, |(end, _)| &word[..end])
        }
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::{find_move, play_moves, write_moves};
    use crate::testing::Nim;
    use crate::{Game, Turn};

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
        assert_eq!(error.to_string(), "move 2, column 3: '7' is not a legal move here; legal are 1 2");
        let error = play_moves(&mut Nim::new(3), "3 1").unwrap_err();
        assert_eq!(error.to_string(), "move 2, column 3: the game is over before '1', so end the moves there");
        assert!(play_moves(&mut Nim::new(3), "é").is_err());
    }

    #[test]
    fn moves_that_stand_together_are_told_apart_in_a_fault() {
        let error = |text: &str| play_moves(&mut Nim::new(4), text).unwrap_err().to_string();
        assert_eq!(error("1233"), "move 3, column 3: '3' is not a legal move here; legal are 1");
        assert_eq!(error("1 21é"), "move 4, column 5: the game is over before 'é', so end the moves there");
        assert_eq!(error("18éx"), "move 2, column 2: '8' is not a legal move here; legal are 1 2 3");
        assert_eq!(error("1 88"), "move 2, column 3: '88' is not a legal move here; legal are 1 2 3");
    }

    /// The deal of a number, and then Nim.
    #[derive(Clone)]
    struct Dealt(Option<Nim>);

    impl Game for Dealt {
        type Action = u8;
        fn turn(&self) -> Turn {
            self.0.as_ref().map_or(Turn::Chance, Nim::turn)
        }
        fn actions(&self, out: &mut Vec<u8>) {
            if let Some(nim) = &self.0 {
                nim.actions(out);
            }
        }
        fn apply(&mut self, action: u8) {
            match &mut self.0 {
                Some(nim) => nim.apply(action),
                None => self.0 = Some(Nim::new(action)),
            }
        }
        fn reward(&self, player: usize) -> f64 {
            self.0.as_ref().map_or(0.0, |nim| nim.reward(player))
        }
        fn parse_outcome(&self, text: &str) -> Option<u8> {
            text.parse().ok()
        }
    }

    #[test]
    fn an_unlisted_outcome_reads_back() {
        for (moves, text) in [(&[9, 1, 2][..], "9 1 2"), (&[12], "12"), (&[12, 3], "12 3")] {
            assert_eq!(write_moves(&Dealt(None), moves), text);
            assert_eq!(play_moves(&mut Dealt(None), text), Ok(moves.to_vec()));
        }
        let error = play_moves(&mut Dealt(None), "nine 1").unwrap_err();
        assert_eq!(error.to_string(), "move 1, column 1: 'nine' is not written as what chance does here");
        assert_eq!(find_move(&Dealt(None), "12"), Some(12));
    }

    #[test]
    fn written_moves_read_back() {
        let text = write_moves(&Nim::new(10), &[3, 1, 2]);
        assert_eq!(text, "312");
        assert_eq!(play_moves(&mut Nim::new(10), &text), Ok(vec![3, 1, 2]));
    }
}
