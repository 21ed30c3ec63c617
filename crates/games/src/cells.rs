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

/// The way to exchange the players of a game that is the same for both: stones change their colours, and cells may
/// change places. Networks then have one set of weights for both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// The players play by different rules, or on different boards, or the game has one player.
    Differ,
    /// Stones alone change.
    Alike,
    /// The board stands on its head too: each player moves up on the own side.
    UpsideDown,
    /// Columns become rows too: each player connects other sides.
    Transposed,
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
    /// The way to exchange the players.
    pub colours: Colours,
}

impl CellsShape {
    /// The number of cells.
    pub fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The cell that takes the place of each cell when the players are exchanged; `None` if they cannot be.
    pub fn exchange(&self) -> Option<Vec<usize>> {
        let (columns, rows) = (self.columns, self.rows);
        let place = |cell: usize| match self.colours {
            Colours::Differ => None,
            Colours::Alike => Some(cell),
            Colours::UpsideDown => Some((rows - 1 - cell / columns) * columns + cell % columns),
            Colours::Transposed => Some(cell % columns * columns + cell / columns),
        };
        (0..self.cells()).map(place).collect()
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

/// A cell that a move changes, and the kind of what stands in it after the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The number of the cell.
    pub cell: u16,
    /// The kind after the move, which is not the one before it.
    pub kind: u8,
}

/// The legal moves of a player, and the cells that each changes.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// The codes of the moves.
    pub codes: Vec<u32>,
    /// The points that each scores, in games with scores without bounds; else 0.
    pub points: Vec<f32>,
    /// The reward of the player, where the move ends the game. In games with scores it counts for nothing.
    pub ends: Vec<Option<f32>>,
    /// The cells before the move.
    pub before: Vec<u8>,
    /// The changes of all moves, one move after the other, each in the order of the cells.
    changes: Vec<Change>,
    /// The number of changes of each move and those before it.
    until: Vec<u32>,
}

impl Choices {
    /// Lists the moves of the player who acts in a position; none if no player does, or the game has no cells.
    pub(crate) fn list<G: NamedGame>(&mut self, position: &G) {
        self.codes.clear();
        self.points.clear();
        self.ends.clear();
        self.before.clear();
        self.changes.clear();
        self.until.clear();
        let (Turn::Player(_), Some(shape)) = (position.turn(), position.cells_shape()) else { return };
        self.before.resize(shape.cells(), 0);
        position.cells(&mut self.before);
        position.list_choices(self);
    }

    /// Adds a move that scores nothing: its code, the reward of the player if it ends the game, and the cells that it
    /// changes, in the order of their numbers.
    #[inline]
    pub fn add(&mut self, code: u32, end: Option<f32>, changes: impl IntoIterator<Item = Change>) {
        self.codes.push(code);
        self.points.push(0.0);
        self.ends.push(end);
        self.changes.extend(changes);
        self.until.push(self.changes.len() as u32);
    }

    /// Adds the moves of a player by comparing the boards before and after each.
    pub(crate) fn compare_boards<G: NamedGame>(&mut self, position: &G) {
        let Turn::Player(player) = position.turn() else { return };
        let has_scores = G::REWARDS.bounds.is_none();
        let scored = if has_scores { position.cut_reward(player) } else { 0.0 };
        let (mut actions, before) = (Vec::new(), std::mem::take(&mut self.before));
        position.actions(&mut actions);
        let mut after = vec![0; before.len()];
        for action in actions {
            let mut next = position.clone();
            next.apply(action);
            next.cells(&mut after);
            let changes = (0..).zip(before.iter().zip(&after)).filter(|(_, (old, new))| old != new);
            let end = (next.turn() == Turn::Over).then(|| next.reward(player) as f32);
            self.add(action.code(), end, changes.map(|(cell, (_, &kind))| Change { cell, kind }));
            if let Some(points) = self.points.last_mut().filter(|_| has_scores) {
                *points = (next.cut_reward(player) - scored) as f32;
            }
        }
        self.before = before;
    }

    /// The changes of a move.
    #[inline]
    pub fn changes(&self, choice: usize) -> &[Change] {
        let begin = choice.checked_sub(1).map_or(0, |before| self.until[before]);
        &self.changes[begin as usize..self.until[choice] as usize]
    }

    /// The changes of all moves.
    #[inline]
    pub fn all_changes(&mut self) -> &mut [Change] {
        &mut self.changes
    }

    /// The cells after a move.
    pub fn board(&self, choice: usize) -> Vec<u8> {
        let mut board = self.before.clone();
        self.changes(choice).iter().for_each(|change| board[usize::from(change.cell)] = change.kind);
        board
    }
}

/// The shape of a game's grid: a cell is empty or has a stone of one of two players.
pub(crate) fn shape_of_grid<G: NamedGame>(game: &G) -> Option<CellsShape> {
    let grid = game.grid()?;
    let (columns, rows) = (usize::from(grid.columns), usize::from(grid.rows));
    Some(CellsShape { columns, rows, kinds: 3, symmetries: Symmetries::None, colours: Colours::Differ })
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

/// Makes a board that of the other player: its stones have the other colours. `before` is memory for its copy.
pub fn exchange_players(board: &mut [u8], exchange: &[usize], before: &mut Vec<u8>) {
    before.clear();
    before.extend_from_slice(board);
    for (cell, &from) in board.iter_mut().zip(exchange) {
        let kind = before[from];
        *cell = if let 1..=2 = kind { 3 - kind } else { kind };
    }
}

/// Writes the kinds of cells whose numbers are those of bits: one more than the number of the player with a stone
/// there.
#[inline]
pub(crate) fn write_stones([first, second]: [u64; 2], out: &mut [u8]) {
    for (cell, kind) in out.iter_mut().enumerate() {
        *kind = (first >> cell & 1) as u8 + 2 * (second >> cell & 1) as u8;
    }
}

/// Checks that a position and the one with the players exchanged have the same moves.
#[cfg(test)]
pub(crate) fn check_exchange<G: NamedGame>(position: &G, image: &G) {
    let exchange = position.cells_shape().and_then(|shape| shape.exchange()).expect("colours");
    let boards = |position: &G, is_image: bool| {
        let mut choices = Choices::default();
        choices.list(position);
        let boards = choices.ends.iter().enumerate().map(|(choice, end)| {
            let mut board = choices.board(choice);
            if is_image {
                exchange_players(&mut board, &exchange, &mut Vec::new());
            }
            (board, end.map(|reward| format!("{reward:.3}")))
        });
        let mut boards: Vec<_> = boards.collect();
        boards.sort();
        boards
    };
    assert_eq!(boards(position, false), boards(image, true), "\n{}\n{}", position.board(), image.board());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::breakthrough::Breakthrough;
    use crate::connect4::Connect4;
    use crate::game2048::Game2048;
    use crate::go::Go;
    use crate::hex::Hex;
    use crate::othello::Othello;
    use crate::pig::Pig;
    use crate::tictactoe::TicTacToe;
    use crate::yavalath::Yavalath;
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
            let all = CellsShape { columns, rows, kinds: 3, symmetries, colours: Colours::Differ }.permutations();
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
        fn check<G: NamedGame>(start: &G) {
            let shape = start.cells_shape().expect("cells");
            assert_eq!(
                Some(CellsShape { symmetries: Symmetries::None, kinds: 3, colours: Colours::Differ, ..shape }),
                shape_of_grid(start)
            );
            for position in positions(start, 10) {
                let [mut own, mut of_grid] = [0, 1].map(|_| vec![9; shape.cells()]);
                position.cells(&mut own);
                cells_of_grid(&position, &mut of_grid);
                // Connect Four tells the empty cells apart.
                own.iter_mut().for_each(|kind| *kind %= 3);
                assert_eq!(own, of_grid, "\n{}", position.board());
            }
        }
        check(&Connect4::default());
        check(&Othello::default());
        check(&TicTacToe::default());
        check(&Hex::new(5).expect("a size"));
        check(&Yavalath::new(5, 2).expect("a size"));
    }

    #[test]
    fn connect_four_tells_the_cells_that_the_next_stone_can_fall_into() {
        for position in positions(&Connect4::default(), 20) {
            let mut cells = [9; 42];
            position.cells(&mut cells);
            let mut actions = Vec::new();
            position.actions(&mut actions);
            assert_eq!(cells.iter().filter(|&&kind| kind == 3).count(), actions.len());
            for action in actions {
                let (mut next, mut after) = (position, [9; 42]);
                next.apply(action);
                next.cells(&mut after);
                let filled: Vec<usize> = (0..42).filter(|&cell| cells[cell] == 3 && after[cell] != 3).collect();
                assert!(filled.len() == 1 && (1..=2).contains(&after[filled[0]]), "\n{}", next.board());
            }
        }
    }

    #[test]
    fn cells_are_those_of_the_board_as_text() {
        for position in positions(&Breakthrough::default(), 10) {
            let mut cells = [9; 64];
            position.cells(&mut cells);
            let text: String = cells.map(|kind| ['.', 'W', 'B'][usize::from(kind)]).into_iter().collect();
            let board = position.board();
            let of_rows = |line: &str| line.chars().skip(1).filter(|c| ".WB".contains(*c)).collect::<String>();
            assert_eq!(text, board.lines().map(of_rows).collect::<String>(), "\n{board}");
        }
    }

    /// The boards after all moves, each with the reward of one that ends the game, in order.
    fn boards_after<G: NamedGame>(position: &G, to: &[usize]) -> Vec<(Vec<u8>, Option<String>, u32)> {
        let mut choices = Choices::default();
        choices.list(position);
        let boards = (0..choices.codes.len()).map(|place| {
            let board = choices.board(place);
            let image = to.iter().map(|&cell| board[cell]).collect();
            (image, choices.ends[place].map(|reward| format!("{reward:.3}")), choices.codes[place])
        });
        let mut boards: Vec<_> = boards.collect();
        boards.sort();
        boards
    }

    #[test]
    fn games_go_on_in_the_same_way_on_the_images_of_a_board() {
        /// Plays games on a board and its image.
        fn check<G: NamedGame>(start: &G, images: usize) {
            let shape = start.cells_shape().expect("cells");
            let mut begin = vec![0; shape.cells()];
            start.cells(&mut begin);
            let all = shape.permutations();
            let is_fixed = |to: &&Vec<usize>| to.iter().map(|&cell| begin[cell]).eq(begin.iter().copied());
            let fixed: Vec<&Vec<usize>> = all.iter().filter(is_fixed).collect();
            assert_eq!(fixed.len(), images);
            for (number, to) in fixed.into_iter().enumerate() {
                let mut rng = Rng::new(5, number as u64);
                let (mut position, mut image) = (start.clone(), start.clone());
                for _ in 0..G::MAX_PLIES {
                    let [boards, of_image] = [boards_after(&position, to), boards_after(&image, &all[0])];
                    let known = |boards: &[(Vec<u8>, Option<String>, u32)]| -> Vec<_> {
                        boards.iter().map(|(board, end, _)| (board.clone(), end.clone())).collect()
                    };
                    assert_eq!(known(&boards), known(&of_image), "\n{}", position.board());
                    if boards.is_empty() {
                        break;
                    }
                    let drawn = rng.below(boards.len() as u32) as usize;
                    position.apply(G::Action::from_code(boards[drawn].2));
                    image.apply(G::Action::from_code(of_image[drawn].2));
                }
            }
        }
        check(&Connect4::default(), 2);
        check(&Breakthrough::default(), 2);
        check(&Hex::new(4).expect("a size"), 2);
        check(&Yavalath::new(5, 2).expect("a size"), 2);
        check(&TicTacToe::default(), 8);
        check(&Othello::default(), 4);
        check(&Go::new(5, 0).expect("a size"), 8);
    }

    #[test]
    fn the_cells_of_pig_tell_all_positions_apart() {
        let mut seen = std::collections::BTreeMap::new();
        for position in positions(&Pig::new(60, [0, 0], 0, 0).expect("a start"), 500) {
            let Turn::Player(player) = position.turn() else { continue };
            let mut choices = Choices::default();
            choices.list(&position);
            for place in 0..choices.codes.len() {
                let (mut next, board) = (position, choices.board(place));
                next.apply(crate::pig::Step::from_code(choices.codes[place]));
                let before = seen.insert((player, board), next);
                assert!(before.is_none_or(|before| before == next), "{before:?} {next:?}");
            }
        }
        assert!(seen.len() > 100);
    }

    #[test]
    fn choices_are_the_moves_with_their_points_and_the_boards_after_them() {
        fn check<G: NamedGame>(start: &G) {
            let mut choices = Choices::default();
            for position in positions(start, 10) {
                choices.list(&position);
                let Turn::Player(player) = position.turn() else {
                    assert!(choices.codes.is_empty() && choices.changes.is_empty());
                    continue;
                };
                let cells = position.cells_shape().expect("cells").cells();
                let mut actions = Vec::new();
                position.actions(&mut actions);
                let mut before = vec![0; cells];
                position.cells(&mut before);
                assert_eq!(choices.before, before);
                assert_eq!(choices.codes, actions.iter().map(|action| action.code()).collect::<Vec<_>>());
                for (place, &action) in actions.iter().enumerate() {
                    let (mut next, mut board) = (position.clone(), vec![0; cells]);
                    next.apply(action);
                    next.cells(&mut board);
                    assert_eq!(choices.board(place), board);
                    let changes = choices.changes(place);
                    assert!(changes.is_sorted_by(|one, other| one.cell < other.cell));
                    assert!(changes.iter().all(|change| before[usize::from(change.cell)] != change.kind));
                    let gain = next.cut_reward(player) - position.cut_reward(player);
                    assert_eq!(f64::from(choices.points[place]), if start.players() == 1 { gain } else { 0.0 });
                    let end = (next.turn() == Turn::Over).then(|| next.reward(player) as f32);
                    assert_eq!(choices.ends[place], end);
                }
            }
        }
        check(&Game2048::default());
        check(&Connect4::default());
        check(&Othello::default());
        check(&Breakthrough::default());
        check(&Hex::new(5).expect("a size"));
        check(&Hex::new(19).expect("a size"));
    }
}
