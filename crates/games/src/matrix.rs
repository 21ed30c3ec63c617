//! Matrix games: both players choose once, at the same time, and a table gives the rewards.
//!
//! These are the smallest games in which a fixed choice can be punished: the optimal strategy is a mixture of choices,
//! and it is known for each table here. The table gives the first player's reward; the second player gets the rest of
//! 1.

use boughs::{Action, Game, Information, Rewards, Rng, Turn};

use crate::{NamedGame, Options};

/// A position: a table, and the choices made so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Matrix {
    table: Table,
    choices: [Option<Choice>; 2],
}

/// A table of rewards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Table {
    /// Matching pennies: the first player wants the pennies to match. Each side is optimal half of the time.
    Pennies,
    /// Rock, paper, scissors: each is optimal a third of the time.
    #[default]
    Rps,
    /// Rock, paper, scissors with unequal stakes: rock beats scissors by 0.5, paper beats rock by 0.3, and scissors
    /// beat paper by 0.2. Each choice is optimal as often as the stake between the other two: 0.2, 0.5 and 0.3 of the
    /// time.
    Biased,
    /// Three choices each, of which `c` is worse than `b` for either player against every choice of the other. Without
    /// it the first choice is optimal a third of the time for both, and the first player gets 7/12.
    Dominated,
    /// Six choices each, with rewards drawn from this seed.
    Random(u32),
}

/// One of a player's choices, counted from 0: a row of the table for the first player, a column for the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Choice(u8);

impl Action for Choice {
    const MAX_CODE: u32 = u8::MAX as u32;

    #[inline]
    fn code(self) -> u32 {
        u32::from(self.0)
    }
    #[inline]
    fn from_code(code: u32) -> Choice {
        Choice(code as u8)
    }
}

const RPS: [[f64; 3]; 3] = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]];
const BIASED: [[f64; 3]; 3] = [[0.5, 0.2, 1.0], [0.8, 0.5, 0.3], [0.0, 0.7, 0.5]];
const DOMINATED: [[f64; 3]; 3] = [[0.25, 0.75, 1.0], [0.75, 0.5, 0.75], [0.5, 0.25, 0.5]];

impl Table {
    /// The number of choices of each player.
    #[inline]
    pub fn size(self) -> usize {
        match self {
            Table::Pennies => 2,
            Table::Rps | Table::Biased | Table::Dominated => 3,
            Table::Random(_) => 6,
        }
    }

    /// The reward of the first player for these choices, both below [`size`](Table::size).
    #[inline]
    pub fn reward(self, row: usize, column: usize) -> f64 {
        match self {
            Table::Pennies => f64::from(u8::from(row == column)),
            Table::Rps => RPS[row][column],
            Table::Biased => BIASED[row][column],
            Table::Dominated => DOMINATED[row][column],
            Table::Random(seed) => Rng::new(u64::from(seed), (6 * row + column) as u64).unit(),
        }
    }

    /// The whole table, a row for each choice of the first player.
    pub fn rows(self) -> Vec<Vec<f64>> {
        let row = |row| (0..self.size()).map(|column| self.reward(row, column)).collect();
        (0..self.size()).map(row).collect()
    }

    fn names(self) -> &'static [&'static str] {
        match self {
            Table::Pennies => &["heads", "tails"],
            Table::Rps | Table::Biased => &["rock", "paper", "scissors"],
            Table::Dominated => &["a", "b", "c"],
            Table::Random(_) => &["a", "b", "c", "d", "e", "f"],
        }
    }
}

impl Matrix {
    /// The game before the first choice.
    pub fn new(table: Table) -> Matrix {
        Matrix { table, choices: [None; 2] }
    }

    /// The table that is played.
    pub fn table(&self) -> Table {
        self.table
    }
}

impl Game for Matrix {
    type Action = Choice;
    const REWARDS: Rewards = Rewards { sum: Some(1.0), ..Rewards::ANY };
    const INFORMATION: Information = Information::Simultaneous;
    const MAX_PLIES: u32 = 2;
    const ACTIONS_RECUR: bool = false;

    #[inline]
    fn turn(&self) -> Turn {
        self.choices.iter().position(Option::is_none).map_or(Turn::Over, Turn::Player)
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Choice>) {
        if self.turn() != Turn::Over {
            out.extend((0..self.table.size() as u8).map(Choice));
        }
    }

    #[inline]
    fn apply(&mut self, choice: Choice) {
        if let Turn::Player(player) = self.turn() {
            self.choices[player] = Some(choice);
        }
    }

    #[inline]
    fn reward(&self, player: usize) -> f64 {
        let [Some(row), Some(column)] = self.choices else { return self.cut_reward(player) };
        let first = self.table.reward(usize::from(row.0), usize::from(column.0));
        if player == 0 { first } else { 1.0 - first }
    }

    /// Covers nothing, the player's own choice, or in the end both choices.
    #[inline]
    fn information(&self, player: usize) -> u64 {
        let number = |choice: Option<Choice>| choice.map_or(0, |choice| u64::from(choice.0) + 1);
        match self.choices {
            [Some(row), Some(column)] => number(Some(row)) << 8 | number(Some(column)),
            choices => number(choices[player]),
        }
    }

    #[inline]
    fn determinize(&mut self, player: usize, _: &mut Rng) {
        if self.turn() == Turn::Player(1) && player == 1 {
            self.choices[0] = None;
        }
    }

    fn action_text(&self, choice: Choice) -> String {
        self.table.names().get(usize::from(choice.0)).map_or_else(String::new, ToString::to_string)
    }

    /// The choice of another player is secret until both have chosen.
    fn board_for(&self, player: usize) -> String {
        let mut seen = *self;
        if self.turn() != Turn::Over {
            seen.choices[1 - player.min(1)] = None;
        }
        seen.board()
    }

    fn board(&self) -> String {
        let names = self.table.names();
        let mark = |player: usize, choice: usize| {
            if self.choices[player] == Some(Choice(choice as u8)) { '*' } else { ' ' }
        };
        let heads = (0..names.len()).map(|column| format!("{:>9}{}", names[column], mark(1, column)));
        let mut text = format!("{:9}{}\n", "", heads.collect::<String>());
        for (row, rewards) in self.table.rows().into_iter().enumerate() {
            let cells: String = rewards.iter().map(|reward| format!("{reward:>9.3} ")).collect();
            text += &format!("{:>8}{}{cells}\n", names[row], mark(0, row));
        }
        text
    }
}

impl NamedGame for Matrix {
    const NAME: &'static str = "matrix";
    const SUMMARY: &'static str = "Matrix games: both choose once at the same time, and a table gives the rewards.";
    const NOTATION: &'static str = "a move is the name of a choice, the first player's before the second's: rock paper";
    const OPTIONS: &'static str =
        "game=rps|pennies|biased|dominated|random (default rps), seed=0..999 (of random, default 1)";
    const BENCH: [&'static str; 3] = ["", "rock", "paper"];

    fn start(options: &mut Options) -> Result<Matrix, String> {
        let table = match options.word("game", &["rps", "pennies", "biased", "dominated", "random"])? {
            "pennies" => Table::Pennies,
            "biased" => Table::Biased,
            "dominated" => Table::Dominated,
            "random" => Table::Random(options.number("seed", 0..=999, 1)?),
            _ => Table::Rps,
        };
        Ok(Matrix::new(table))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::notation::play_moves;

    const TABLES: [Table; 5] = [Table::Pennies, Table::Rps, Table::Biased, Table::Dominated, Table::Random(1)];

    fn after(table: Table, moves: &str) -> Matrix {
        let mut game = Matrix::new(table);
        play_moves(&mut game, moves).expect(moves);
        game
    }

    #[test]
    fn the_second_player_gets_what_the_first_does_not() {
        for (moves, first) in [("rock scissors", 1.0), ("rock paper", 0.2), ("paper scissors", 0.3), ("rock rock", 0.5)]
        {
            let game = after(Table::Biased, moves);
            assert_eq!((game.turn(), game.reward(0), game.reward(1)), (Turn::Over, first, 1.0 - first), "{moves}");
        }
    }

    #[test]
    fn beating_and_being_beaten_are_worth_the_same_stake() {
        for (table, choice) in [Table::Rps, Table::Biased].into_iter().flat_map(|table| (0..9).map(move |i| (table, i)))
        {
            let (row, column) = (choice / 3, choice % 3);
            assert!((table.reward(row, column) + table.reward(column, row) - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_dominated_choices_are_worse_against_every_choice_of_the_other() {
        for other in 0..3 {
            assert!(Table::Dominated.reward(2, other) < Table::Dominated.reward(1, other));
            assert!(Table::Dominated.reward(other, 2) > Table::Dominated.reward(other, 1));
        }
    }

    #[test]
    fn random_tables_depend_on_their_seed_and_stay_in_bounds() {
        assert_ne!(Table::Random(1).rows(), Table::Random(2).rows());
        assert!(Table::Random(1).rows().iter().flatten().all(|reward| (0.0..1.0).contains(reward)));
    }

    #[test]
    fn a_choice_is_hidden_until_both_are_made() {
        let mut rng = Rng::new(1, 0);
        for table in TABLES {
            let start = Matrix::new(table);
            for first in (0..table.size() as u8).map(Choice) {
                let mut pending = start;
                pending.apply(first);
                assert_eq!(pending.information(1), start.information(1), "the second player sees nothing");
                assert_ne!(pending.information(0), start.information(0), "the first player knows");
                let (mut own, mut others) = (pending, pending);
                own.determinize(0, &mut rng);
                others.determinize(1, &mut rng);
                assert_eq!((own, others), (pending, start));
            }
        }
    }

    #[test]
    fn in_the_end_both_choices_are_known() {
        let numbers = |player: usize| {
            let ends = (0..9).map(|end| {
                let mut game = Matrix::default();
                game.apply(Choice(end / 3));
                game.apply(Choice(end % 3));
                let mut same = game;
                same.determinize(player, &mut Rng::new(1, 0));
                assert_eq!(same, game);
                game.information(player)
            });
            ends.collect::<std::collections::BTreeSet<u64>>().len()
        };
        assert_eq!((numbers(0), numbers(1)), (9, 9));
    }

    #[test]
    fn the_board_shows_the_table_and_the_choices() {
        let board = after(Table::Pennies, "tails").board();
        assert_eq!(
            board,
            "             heads     tails \n   heads     1.000     0.000 \n   tails*    0.000     1.000 \n"
        );
    }
}
