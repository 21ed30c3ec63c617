//! Positions whose game-theoretic values are known.
//!
//! The package `boughs-generate` writes the file; its first lines describe its content and its origin.

/// The value of a position or a move for the player to act, with best play on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    /// The other player wins.
    Loss,
    /// Neither player wins.
    Draw,
    /// The player to act wins.
    Win,
}

/// A position with the value of each legal move.
#[derive(Clone, Debug)]
pub struct Valued {
    /// The moves that lead to the position.
    pub moves: &'static str,
    /// Each legal move in the game's order, as the game writes it, and its value.
    pub values: Vec<(String, Value)>,
}

impl Valued {
    /// Returns true if a move keeps the value of the position.
    pub fn is_kept_by(&self, text: &str) -> bool {
        let best = self.values.iter().map(|&(_, value)| value).max();
        self.values.iter().any(|(other, value)| other == text && Some(*value) == best)
    }
}

/// The solved positions of a game, given its spec; none for most games.
pub fn positions_of(game: &str) -> Vec<Valued> {
    if game.eq_ignore_ascii_case("connect4") { connect4_values() } else { Vec::new() }
}

/// The thousand Connect Four positions.
///
/// # Panics
/// If the file is not as its first lines describe it.
pub fn connect4_values() -> Vec<Valued> {
    let lines = include_str!("../fixtures/connect4-values.txt").lines();
    let valued = |line: &'static str| {
        let (moves, words) = line.split_once(' ').expect(line);
        let mut letters = words.chars();
        let mut values = Vec::new();
        while let (Some(column), Some(value)) = (letters.next(), letters.next()) {
            let value = match value {
                'W' => Value::Win,
                'D' => Value::Draw,
                'L' => Value::Loss,
                _ => panic!("{line}"),
            };
            values.push((column.to_string(), value));
        }
        Valued { moves, values }
    };
    lines.filter(|line| !line.starts_with('#')).map(valued).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_keeps_the_value_if_no_other_is_worth_more() {
        let values = [("1", Value::Draw), ("2", Value::Loss), ("3", Value::Draw)];
        let valued = Valued { moves: "", values: values.map(|(text, value)| (text.to_string(), value)).to_vec() };
        assert_eq!(["1", "2", "3", "4"].map(|text| valued.is_kept_by(text)), [true, false, true, false]);
    }

    #[test]
    fn one_game_is_solved() {
        assert_eq!((positions_of("connect4").len(), positions_of("hex").len()), (1_000, 0));
    }
}
