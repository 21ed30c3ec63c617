//! Positions of the engine's games, as objects of Python with the four methods of a game.

use boughs::{Session, Turn};
use boughs_games::{Content, GameEntry, StartedGame};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use parking_lot::Mutex;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::error;

/// A position of a game of the engine, with the four methods of a game.
///
/// >>> import boughs
/// >>> position = boughs.Position("connect4", "4453")
/// >>> position.turn(), position.moves()
/// (0, ['1', '2', '3', '4', '5', '6', '7'])
/// >>> position.grid().shape
/// (6, 7)
/// >>> boughs.search(position, time=0.05).best in position.moves()
/// True
#[pyclass(frozen, module = "boughs")]
pub(crate) struct Position {
    spec: String,
    pub(crate) session: Mutex<Box<dyn Session>>,
}

impl Position {
    pub(crate) fn of(spec: &str, session: Box<dyn Session>) -> Position {
        Position { spec: spec.to_string(), session: Mutex::new(session) }
    }

    fn entry(&self) -> PyResult<&'static GameEntry> {
        boughs_games::start(&self.spec).map(|StartedGame { entry, .. }| entry).map_err(error)
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, moves=""))]
    fn new(game: &str, moves: &str) -> PyResult<Position> {
        let started = boughs_games::start(game).map_err(error)?;
        let position = Position::of(game, started.position);
        position.play_all(moves)?;
        Ok(position)
    }

    /// The game with its options.
    #[getter]
    pub(crate) fn spec(&self) -> &str {
        &self.spec
    }

    /// The number of players.
    #[getter]
    fn players(&self) -> usize {
        self.session.lock().players()
    }

    /// The least and the greatest reward; None if they are unknown.
    #[getter]
    fn bounds(&self) -> Option<(f64, f64)> {
        self.session.lock().facts().rewards.bounds
    }

    /// The number of the player to move, -1 for chance, None at the end of the game.
    fn turn(&self) -> Option<i64> {
        match self.session.lock().turn() {
            Turn::Player(player) => Some(player as i64),
            Turn::Chance => Some(-1),
            Turn::Over => None,
        }
    }

    /// The texts of the legal moves.
    fn moves(&self) -> Vec<String> {
        self.session.lock().legal_moves().into_iter().map(|(_, text)| text).collect()
    }

    /// The codes of the legal moves: the columns of priors.
    fn codes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let mut codes = Vec::new();
        let session = self.session.lock();
        if session.turn() != Turn::Over {
            session.actions(&mut codes);
        }
        codes.into_pyarray(py)
    }

    /// The weights of the outcomes of chance.
    fn chance(&self) -> Vec<u32> {
        let session = self.session.lock();
        session.legal_moves().into_iter().map(|(code, _)| session.weight(code)).collect()
    }

    /// Plays one move, as its text or its code.
    fn play(&self, choice: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut session = self.session.lock();
        let code = find(&**session, choice)?;
        session.apply(code);
        Ok(())
    }

    /// Plays a text of moves.
    fn play_all(&self, moves: &str) -> PyResult<()> {
        self.session.lock().play_moves(moves).map(drop).map_err(|fault| error(format!("moves, {fault}")))
    }

    /// The reward of each player at the end of the game.
    fn rewards(&self) -> PyResult<Vec<f64>> {
        let session = self.session.lock();
        match session.turn() {
            Turn::Over => Ok((0..session.players()).map(|player| session.reward(player)).collect()),
            _ => Err(error("the game is not over, so it has no rewards yet")),
        }
    }

    /// A copy of the position.
    fn copy(&self) -> Position {
        Position::of(&self.spec, self.session.lock().clone())
    }

    /// The drawing of the position.
    fn board(&self) -> String {
        self.session.lock().board()
    }

    /// The drawing of the position as a player may see it.
    fn board_for(&self, player: usize) -> PyResult<String> {
        let session = self.session.lock();
        match player < session.players() {
            true => Ok(session.board_for(player)),
            false => Err(error(format!("there is no player {player}; players are 0 to {}", session.players() - 1))),
        }
    }

    fn __repr__(&self) -> String {
        let board = self.session.lock().board();
        format!("<boughs.Position of {}>\n{}", self.spec, board.trim_end())
    }

    /// The board as an array: -1 for an empty point, the number of the player who has a stone there, and -2 outside.
    fn grid<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<i8>>>> {
        let Some(grid) = self.entry()?.grid(&**self.session.lock()) else { return Ok(None) };
        let points = grid.points.iter().map(|point| match point {
            Content::Empty => -1,
            Content::Stone(player) => *player as i8,
            Content::Outside => -2,
        });
        let points: Vec<i8> = points.collect();
        points.into_pyarray(py).reshape([usize::from(grid.rows), usize::from(grid.columns)]).map(Some)
    }
}

/// The code of a legal move from its text or its code.
pub(crate) fn find(session: &dyn Session, choice: &Bound<'_, PyAny>) -> PyResult<u32> {
    let illegal = |text: &str| error(boughs::SearchError::IllegalAction(text.to_string()));
    if session.turn() == Turn::Over {
        return Err(illegal(&choice.str()?.to_cow()?));
    }
    if let Ok(text) = choice.cast::<PyString>() {
        let text = text.to_cow()?;
        return session.find_move(&text).ok_or_else(|| illegal(&text));
    }
    let mut codes = Vec::new();
    session.actions(&mut codes);
    let code = choice.extract::<u32>().ok().filter(|code| codes.contains(code));
    code.ok_or_else(|| choice.str().map_or_else(|fault| fault, |text| illegal(&text.to_string_lossy())))
}
