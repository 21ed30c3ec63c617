//! An exhaustive solver for any game of two players who act in turn: slow, general, and exact.
//!
//! [`Solver::value`] is the value of a position under best play, by alpha-beta search without a depth limit.
//! [`Solver::shortest_win`] is the number of plies in which a player can force a win, and [`Solver::forced`] the
//! player who can, by iterative deepening. All remember positions by 128 bits of hash, so that no two of a million
//! positions are mistaken for each other.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use boughs::{Game, Turn};

/// The value of a position for the player to act, with best play on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    /// The other player wins.
    Loss,
    /// Neither wins.
    Draw,
    /// The player to act wins.
    Win,
}

impl Value {
    /// The value of a finished game for a player with this reward.
    pub(crate) fn of_reward(reward: f64) -> Value {
        match reward {
            1.0 => Value::Win,
            0.0 => Value::Loss,
            _ => Value::Draw,
        }
    }

    /// The value for the other player.
    pub(crate) fn reversed(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

/// A game that can be solved, since its positions can be hashed.
pub(crate) trait Solvable: Game + Hash {}
impl<G: Game + Hash> Solvable for G {}

/// Known values of positions, and the positions that may still be searched.
pub(crate) struct Solver {
    /// The least and the greatest possible value of a position.
    values: HashMap<u128, (Value, Value)>,
    /// Within how many plies the player to act cannot force a win, and within how many they can.
    wins: HashMap<u128, (u32, u32)>,
    positions_left: u64,
}

impl Solver {
    /// A solver that gives up after this number of positions.
    pub(crate) fn new(positions: u64) -> Solver {
        Solver { values: HashMap::new(), wins: HashMap::new(), positions_left: positions }
    }

    /// The value of an unfinished position for the player to act; `None` if the positions run out.
    pub(crate) fn value<G: Solvable>(&mut self, position: &G) -> Option<Value> {
        self.search(position, Value::Loss, Value::Win)
    }

    /// The value if it is between the bounds; otherwise a value on the same side of them.
    fn search<G: Solvable>(&mut self, position: &G, mut least: Value, most: Value) -> Option<Value> {
        self.positions_left = self.positions_left.checked_sub(1)?;
        let key = key(position);
        let (known_least, known_most) = self.values.get(&key).copied().unwrap_or((Value::Loss, Value::Win));
        if known_least == known_most || known_least >= most || known_most <= least {
            return Some(if known_least >= most { known_least } else { known_most });
        }
        let from = least;
        let mut best = Value::Loss;
        let children = children(position);
        // Games that end here come first: they are known at once, and a win among them settles the matter.
        for ended in [true, false] {
            for child in children.iter().filter(|child| (child.turn() == Turn::Over) == ended) {
                if best >= most {
                    break;
                }
                let value = match ended {
                    true => Value::of_reward(child.reward(player(position))),
                    false => self.search(child, most.reversed(), least.reversed())?.reversed(),
                };
                best = best.max(value);
                least = least.max(best);
            }
        }
        let bounds = self.values.entry(key).or_insert((Value::Loss, Value::Win));
        if best > from {
            bounds.0 = bounds.0.max(best);
        }
        if best < most {
            bounds.1 = bounds.1.min(best);
        }
        Some(best)
    }

    /// The plies in which the player to act can force a win, if within `most`; the outer `None` if the positions run
    /// out.
    pub(crate) fn shortest_win<G: Solvable>(&mut self, position: &G, most: u32) -> Option<Option<u32>> {
        for plies in 1..=most {
            if self.wins_within(position, plies)? {
                return Some(Some(plies));
            }
        }
        Some(None)
    }

    /// The player who can force a win within `most` plies: the one to act (`Win`), the other (`Loss`), or neither
    /// (`None` inside).
    pub(crate) fn forced<G: Solvable>(&mut self, position: &G, most: u32) -> Option<Option<Value>> {
        for plies in 1..=most {
            if self.wins_within(position, plies)? {
                return Some(Some(Value::Win));
            }
            if self.loses_within(position, plies)? {
                return Some(Some(Value::Loss));
            }
        }
        Some(None)
    }

    fn wins_within<G: Solvable>(&mut self, position: &G, plies: u32) -> Option<bool> {
        if plies == 0 {
            return Some(false);
        }
        let key = key(position);
        let (cannot, can) = self.wins.get(&key).copied().unwrap_or((0, u32::MAX));
        if plies <= cannot || plies >= can {
            return Some(plies >= can);
        }
        self.positions_left = self.positions_left.checked_sub(1)?;
        let me = player(position);
        let (ended, going): (Vec<G>, Vec<G>) =
            children(position).into_iter().partition(|child| child.turn() == Turn::Over);
        let mut wins = ended.iter().any(|child| child.reward(me) == 1.0);
        for child in &going {
            wins = wins || self.loses_within(child, plies - 1)?;
        }
        let entry = self.wins.entry(key).or_insert((0, u32::MAX));
        match wins {
            true => entry.1 = entry.1.min(plies),
            false => entry.0 = entry.0.max(plies),
        }
        Some(wins)
    }

    /// Returns true if every move of the player to act loses within this number of plies.
    fn loses_within<G: Solvable>(&mut self, position: &G, plies: u32) -> Option<bool> {
        if plies == 0 {
            return Some(false);
        }
        let me = player(position);
        for child in children(position) {
            let lost = match child.turn() {
                Turn::Over => child.reward(me) == 0.0,
                Turn::Player(_) | Turn::Chance => self.wins_within(&child, plies - 1)?,
            };
            if !lost {
                return Some(false);
            }
        }
        Some(true)
    }
}

fn key<G: Solvable>(position: &G) -> u128 {
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        position.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

fn player<G: Game>(position: &G) -> usize {
    match position.turn() {
        Turn::Player(player) => player,
        Turn::Chance | Turn::Over => panic!("only positions in which a player is to move are solved"),
    }
}

/// The positions one action further.
pub(crate) fn children<G: Game>(position: &G) -> Vec<G> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    let after = |action| {
        let mut child = position.clone();
        child.apply(action);
        child
    };
    actions.into_iter().map(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::play_moves;
    use boughs_games::{connect4::Connect4, hex::Hex, tictactoe::TicTacToe};

    fn after<G: Game + Default>(moves: &str) -> G {
        let mut position = G::default();
        play_moves(&mut position, moves).expect(moves);
        position
    }

    /// The value by plain minimax, which remembers and cuts nothing.
    fn minimax<G: Game>(position: &G) -> Value {
        let value = |child: &G| match child.turn() {
            Turn::Over => Value::of_reward(child.reward(player(position))),
            Turn::Player(_) | Turn::Chance => minimax(child).reversed(),
        };
        children(position).iter().map(value).max().expect("a legal action")
    }

    #[test]
    fn values_are_those_of_plain_minimax() {
        for moves in ["", "5", "1", "2", "51", "52", "15", "19", "192", "5193"] {
            let position: TicTacToe = after(moves);
            assert_eq!(Solver::new(u64::MAX).value(&position), Some(minimax(&position)), "{moves}");
        }
        assert_eq!(Solver::new(u64::MAX).value(&TicTacToe::default()), Some(Value::Draw));
    }

    #[test]
    fn the_first_player_wins_on_small_hex_boards() {
        for size in [3, 4] {
            let start = Hex::new(size).expect("a size");
            assert_eq!(Solver::new(u64::MAX).value(&start), Some(Value::Win), "{size}");
        }
    }

    #[test]
    fn wins_are_found_at_their_exact_length() {
        let mut solver = Solver::new(u64::MAX);
        assert_eq!(solver.shortest_win(&after::<Connect4>("121212"), 9), Some(Some(1)));
        // Three open in a row on the ground: the other end wins after either is closed.
        assert_eq!(solver.shortest_win(&after::<Connect4>("4433"), 9), Some(Some(3)));
        assert_eq!(solver.shortest_win(&after::<Connect4>("4433"), 2), Some(None));
        assert_eq!(solver.shortest_win(&after::<TicTacToe>("51"), 9), Some(None));
        assert_eq!(solver.shortest_win(&after::<TicTacToe>("1592"), 9), Some(None));
        assert_eq!(solver.shortest_win(&after::<TicTacToe>("12"), 9), Some(Some(5)));
    }

    #[test]
    fn forced_results_are_those_of_the_whole_game() {
        let (mut draws, mut decided) = (0, 0);
        for first in 1..=9 {
            for second in (1..=9).filter(|&second| second != first) {
                for third in (1..=9).filter(|&third| third != first && third != second) {
                    let position: TicTacToe = after(&format!("{first}{second}{third}"));
                    let mut solver = Solver::new(u64::MAX);
                    let value = solver.value(&position).filter(|&value| value != Value::Draw);
                    assert_eq!(solver.forced(&position, 9), Some(value));
                    *if value.is_none() { &mut draws } else { &mut decided } += 1;
                }
            }
        }
        assert!(draws > 50 && decided > 50, "{draws} {decided}");
    }

    #[test]
    fn too_long_a_search_is_given_up() {
        assert_eq!(Solver::new(1_000).value(&Connect4::default()), None);
        assert_eq!(Solver::new(1_000).shortest_win(&Connect4::default(), 20), None);
    }
}
