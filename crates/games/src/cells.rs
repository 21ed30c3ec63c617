//! Boards of cells, as networks see them that learn to value positions.

use boughs::{Action, Turn};

use crate::{Content, NamedGame};

/// The ways to turn and mirror a board that change nothing about the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetries {
    /// None but the board as it is.
    None,
    /// Left and right change places.
    LeftRight,
    /// A half turn.
    HalfTurn,
    /// All four turns, each mirrored or not. The board is a square.
    Square,
}

/// The cells of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellsShape {
    /// The number of columns.
    pub columns: usize,
    /// The number of rows.
    pub rows: usize,
    /// The number of kinds of what may stand in a cell. An empty cell is of the kind 0.
    pub kinds: usize,
    /// The symmetries of the game.
    pub symmetries: Symmetries,
}

impl CellsShape {
    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The cell that takes the place of each cell, for every symmetry. The first one changes nothing.
    pub fn permutations(&self) -> Vec<Vec<usize>> {
        let (columns, rows) = (self.columns, self.rows);
        let map = |to: &dyn Fn(usize, usize) -> (usize, usize)| {
            let place = |cell: usize| {
                let (column, row) = to(cell % columns, cell / columns);
                row * columns + column
            };
            (0..self.cells()).map(place).collect::<Vec<usize>>()
        };
        let (right, low) = (columns.saturating_sub(1), rows.saturating_sub(1));
        let mut all = vec![map(&|column, row| (column, row))];
        match self.symmetries {
            Symmetries::None => {}
            Symmetries::LeftRight => all.push(map(&|column, row| (right - column, row))),
            Symmetries::HalfTurn => all.push(map(&|column, row| (right - column, low - row))),
            Symmetries::Square => all.extend([
                map(&|column, row| (right - column, row)),
                map(&|column, row| (column, low - row)),
                map(&|column, row| (right - column, low - row)),
                map(&|column, row| (row, column)),
                map(&|column, row| (right - row, column)),
                map(&|column, row| (row, low - column)),
                map(&|column, row| (right - row, low - column)),
            ]),
        }
        all
    }
}

/// The legal moves of a player, and the board after each.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The codes of the moves.
    pub codes: Vec<u32>,
    /// The points that each scores, in games with scores without bounds; else 0.
    pub points: Vec<f32>,
    /// The reward of the player, where the move ends the game. In games with scores it counts for nothing.
    pub ends: Vec<Option<f32>>,
    /// The cells after each move, one board after the other.
    pub boards: Vec<u8>,
}

impl Choices {
    /// Lists the moves of the player who acts in a position; none if no player does, or the game has no cells.
    pub(crate) fn list<G: NamedGame>(&mut self, position: &G) {
        self.codes.clear();
        self.points.clear();
        self.ends.clear();
        self.boards.clear();
        let (Turn::Player(player), Some(shape)) = (position.turn(), position.cells_shape()) else { return };
        let has_scores = G::REWARDS.bounds.is_none();
        let before = if has_scores { position.cut_reward(player) } else { 0.0 };
        let mut actions = Vec::new();
        position.actions(&mut actions);
        self.boards.resize(actions.len() * shape.cells(), 0);
        for (action, board) in actions.into_iter().zip(self.boards.chunks_exact_mut(shape.cells())) {
            let mut next = position.clone();
            next.apply(action);
            next.cells(board);
            self.codes.push(action.code());
            self.points.push(if has_scores { (next.cut_reward(player) - before) as f32 } else { 0.0 });
            self.ends.push((next.turn() == Turn::Over).then(|| next.reward(player) as f32));
        }
    }
}

/// The shape of a game's grid: a cell is empty or has a stone of one of two players.
pub(crate) fn shape_of_grid<G: NamedGame>(game: &G) -> Option<CellsShape> {
    let grid = game.grid()?;
    let (columns, rows) = (usize::from(grid.columns), usize::from(grid.rows));
    Some(CellsShape { columns, rows, kinds: 3, symmetries: Symmetries::None })
}

/// The cells of a game's grid.
pub(crate) fn cells_of_grid<G: NamedGame>(game: &G, out: &mut [u8]) {
    let points = game.grid().map(|grid| grid.points).unwrap_or_default();
    for (kind, content) in out.iter_mut().zip(points) {
        *kind = match content {
            Content::Empty | Content::Outside => 0,
            Content::Stone(player) => 1 + player.min(1) as u8,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connect4::Connect4;
    use crate::game2048::Game2048;
    use boughs::{Game, Rng};

    /// Positions of random games.
    fn positions<G: Game>(start: &G, games: u64) -> Vec<G> {
        let mut positions = Vec::new();
        for game in 0..games {
            let (mut rng, mut position) = (Rng::new(7, game), start.clone());
            while position.turn() != Turn::Over {
                positions.push(position.clone());
                let action = position.random_action(&mut rng, &mut Vec::new()).expect("a step");
                position.apply(action);
            }
        }
        positions
    }

    #[test]
    fn symmetries_are_different_permutations_and_two_make_another() {
        for (symmetries, columns, rows, count) in [
            (Symmetries::None, 3, 2, 1),
            (Symmetries::LeftRight, 7, 6, 2),
            (Symmetries::HalfTurn, 11, 11, 2),
            (Symmetries::Square, 4, 4, 8),
        ] {
            let all = CellsShape { columns, rows, kinds: 3, symmetries }.permutations();
            assert_eq!(all.len(), count);
            assert!(all[0].iter().enumerate().all(|(cell, &place)| cell == place));
            for (number, one) in all.iter().enumerate() {
                let mut sorted = one.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, all[0], "{symmetries:?}");
                assert!(!all[..number].contains(one), "{symmetries:?}");
                for other in &all {
                    let both: Vec<usize> = other.iter().map(|&place| one[place]).collect();
                    assert!(all.contains(&both), "{symmetries:?}");
                }
            }
        }
    }

    #[test]
    fn cells_are_those_of_the_grid() {
        for position in positions(&Connect4::default(), 20) {
            let [mut own, mut of_grid] = [[9; 42]; 2];
            position.cells(&mut own);
            cells_of_grid(&position, &mut of_grid);
            assert_eq!(own, of_grid, "\n{}", position.board());
        }
    }

    #[test]
    fn choices_are_the_moves_with_their_points_and_the_boards_after_them() {
        fn check<G: NamedGame>(start: &G) {
            let mut choices = Choices::default();
            for position in positions(start, 10) {
                choices.list(&position);
                let Turn::Player(player) = position.turn() else {
                    assert!(choices.codes.is_empty() && choices.boards.is_empty());
                    continue;
                };
                let cells = position.cells_shape().expect("cells").cells();
                let mut actions = Vec::new();
                position.actions(&mut actions);
                assert_eq!(choices.codes, actions.iter().map(|action| action.code()).collect::<Vec<_>>());
                for (place, &action) in actions.iter().enumerate() {
                    let (mut next, mut board) = (position.clone(), vec![0; cells]);
                    next.apply(action);
                    next.cells(&mut board);
                    assert_eq!(choices.boards[place * cells..][..cells], board);
                    let gain = next.cut_reward(player) - position.cut_reward(player);
                    assert_eq!(f64::from(choices.points[place]), if start.players() == 1 { gain } else { 0.0 });
                    let end = (next.turn() == Turn::Over).then(|| next.reward(player) as f32);
                    assert_eq!(choices.ends[place], end);
                }
            }
        }
        check(&Game2048::default());
        check(&Connect4::default());
    }
}
