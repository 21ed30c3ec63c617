//! A program with three games that no list has, for the tests of this crate: one for any number of players, one that
//! breaks a promise, and one on a grid that has all methods of a game with a name.

use std::process::ExitCode;
use std::sync::Arc;

use boughs_cli::boughs::{Evaluations, Evaluator, Game, Knowledge, Leaf, Rng, Session, Turn};
use boughs_cli::{
    CellsShape, Change, Choices, Colours, Content, ContestReferee, Grid, NamedGame, Names, Options, Part, Place,
    Symmetries, Tallies, View, games, main_with,
};

/// Each of the players says once if the reward is shared; the last word counts.
#[derive(Clone)]
struct Sharing {
    players: usize,
    said: Vec<u8>,
}

impl Game for Sharing {
    type Action = u8;

    fn players(&self) -> usize {
        self.players
    }

    fn turn(&self) -> Turn {
        if self.said.len() == self.players { Turn::Over } else { Turn::Player(self.said.len()) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend([0, 1]);
    }

    fn apply(&mut self, word: u8) {
        self.said.push(word);
    }

    fn reward(&self, player: usize) -> f64 {
        let shared = 1.0 / self.players as f64;
        match (self.said.last(), player + 1 == self.players) {
            (Some(1), _) => shared,
            (_, true) => 1.0,
            (_, false) => 0.0,
        }
    }
}

impl NamedGame for Sharing {
    const NAME: &'static str = "sharing";
    const OPTIONS: &'static str = "players=1..9 (2)";

    fn start(options: &mut Options) -> Result<Sharing, String> {
        Ok(Sharing { players: options.number("players", 1..=9, 2)? as usize, said: Vec::new() })
    }
}

/// A game that pays twice the reward of a win.
#[derive(Clone)]
struct Generous {
    is_over: bool,
}

impl Game for Generous {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.is_over { Turn::Over } else { Turn::Player(0) }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.push(7);
    }

    fn apply(&mut self, _: u8) {
        self.is_over = true;
    }

    fn reward(&self, _: usize) -> f64 {
        2.0
    }
}

impl NamedGame for Generous {
    const NAME: &'static str = "generous";

    fn start(_: &mut Options) -> Result<Generous, String> {
        Ok(Generous { is_over: false })
    }
}

/// The cells of a row of six.
const CELLS: usize = 6;

/// Players put stones into a row in turn; the player who has no room beside no stone loses.
#[derive(Clone)]
struct Row {
    cells: [Option<usize>; CELLS],
    player: usize,
}

impl Row {
    fn is_free(&self, cell: usize) -> bool {
        (cell.saturating_sub(1)..=cell + 1).all(|near| self.cells.get(near).is_none_or(Option::is_none))
    }
}

impl Game for Row {
    type Action = u8;

    fn turn(&self) -> Turn {
        if (0..CELLS).any(|cell| self.is_free(cell)) { Turn::Player(self.player) } else { Turn::Over }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        out.extend((0..CELLS as u8).filter(|&cell| self.is_free(cell.into())));
    }

    fn apply(&mut self, cell: u8) {
        self.cells[usize::from(cell)] = Some(self.player);
        self.player = 1 - self.player;
    }

    fn reward(&self, player: usize) -> f64 {
        if player == self.player { 0.0 } else { 1.0 }
    }

    fn action_text(&self, cell: u8) -> String {
        char::from(b'a' + cell).to_string()
    }
}

/// Values by the number of free cells: a player to move wants it to be odd.
struct Parity;

impl Evaluator<Row> for Parity {
    fn evaluate(&self, leaves: &[Leaf<'_, Row>], out: &mut Evaluations) {
        for Leaf { position, .. } in leaves {
            let free = (0..CELLS).filter(|&cell| position.is_free(cell)).count();
            let value = if (free + position.player) % 2 == 1 { 0.75 } else { 0.25 };
            out.push(&[value, 1.0 - value], &[]);
        }
    }
}

impl NamedGame for Row {
    const NAME: &'static str = "row";
    const EVALUATOR: Knowledge = Knowledge::Values;

    fn evaluator(&self) -> Option<Arc<dyn Evaluator<Row>>> {
        Some(Arc::new(Parity))
    }

    fn start(_: &mut Options) -> Result<Row, String> {
        Ok(Row { cells: [None; CELLS], player: 0 })
    }

    fn session(options: &mut Options) -> Result<Box<dyn Session>, String> {
        Ok(Box::new(Row::start(options)?))
    }

    fn grid(&self) -> Option<Grid> {
        let content = |place: Place| self.cells[usize::from(place.column)].map_or(Content::Empty, Content::Stone);
        Some(Grid::new(CELLS as u8, 1, Names::FromTop, content))
    }

    fn board_size(&self) -> Option<(u8, u8)> {
        Some((CELLS as u8, 1))
    }

    fn place(&self, cell: u8) -> Option<Place> {
        Some(Place { column: cell, row: 0 })
    }

    fn cells_shape(&self) -> Option<CellsShape> {
        let (symmetries, colours) = (Symmetries::LeftRight, Colours::Alike);
        Some(CellsShape { columns: CELLS, rows: 1, kinds: 3, symmetries, colours })
    }

    fn cells(&self, out: &mut [u8]) {
        out.iter_mut().zip(self.cells).for_each(|(kind, stone)| *kind = stone.map_or(0, |player| 1 + player as u8));
    }

    fn list_choices(&self, out: &mut Choices) {
        for cell in (0..CELLS as u8).filter(|&cell| self.is_free(cell.into())) {
            let mut next = self.clone();
            next.apply(cell);
            let end = (next.turn() == Turn::Over).then_some(1.0);
            out.add(cell.into(), end, [Change { cell: cell.into(), kind: 1 + self.player as u8 }]);
        }
    }

    fn skip(&self) -> Option<u8> {
        None
    }

    fn view(position: &dyn Session) -> Option<&dyn View> {
        position.downcast_ref::<Row>().map(|game| game as &dyn View)
    }

    fn tallies(&self) -> Tallies {
        let stones = |player| self.cells.iter().filter(|&&stone| stone == Some(player)).count() as f64;
        vec![("stones", vec![stones(0), stones(1)])]
    }

    fn cell_names() -> Vec<String> {
        Vec::new()
    }

    fn picture(&self, _: Option<usize>) -> Vec<Part> {
        Vec::new()
    }

    fn action_words(&self, _: u8) -> String {
        String::new()
    }

    fn referee(&self, _: Rng) -> Option<Box<dyn ContestReferee<Row>>> {
        None
    }
}

fn main() -> ExitCode {
    main_with(&games![Sharing, Generous, Row])
}
