//! Positions of the engine's games, as objects of Python with the four methods of a game.

use boughs::{Session, Turn};
use boughs_games::{Content, GameEntry, StartedGame};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::asking::Whole;
use crate::error::error;
use crate::locks::Mutex;

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
    held: Mutex<Held>,
}

/// A position, and the moves to it from the start of its game. They are unknown for a position of a search.
struct Held {
    session: Box<dyn Session>,
    played: Option<Vec<u32>>,
}

impl Position {
    /// A position of a search.
    pub(crate) fn of(spec: &str, session: Box<dyn Session>) -> Position {
        Position { spec: spec.to_string(), held: Mutex::new(Held { session, played: None }) }
    }

    /// A copy of the position of the game. No lock is held while Python code runs.
    pub(crate) fn session(&self) -> Box<dyn Session> {
        self.held.lock().session.clone()
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
        let held = Mutex::new(Held { session: started.position, played: Some(Vec::new()) });
        let position = Position { spec: game.to_string(), held };
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
        self.held.lock().session.players()
    }

    /// The least and the greatest reward; None if they are unknown.
    #[getter]
    fn bounds(&self) -> Option<(f64, f64)> {
        self.held.lock().session.facts().rewards.bounds
    }

    /// The number of the player to move, -1 for chance, None at the end of the game.
    fn turn(&self) -> Option<i64> {
        match self.held.lock().session.turn() {
            Turn::Player(player) => Some(player as i64),
            Turn::Chance => Some(-1),
            Turn::Over => None,
        }
    }

    /// The texts of the legal moves.
    fn moves(&self) -> Vec<String> {
        self.held.lock().session.legal_moves().into_iter().map(|(_, text)| text).collect()
    }

    /// The codes of the legal moves: the columns of priors.
    fn codes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let codes = {
            let session = &self.held.lock().session;
            let mut codes = Vec::new();
            if session.turn() != Turn::Over {
                session.actions(&mut codes);
            }
            codes
        };
        codes.into_pyarray(py)
    }

    /// The weights of the outcomes of chance.
    fn chance(&self) -> Vec<u32> {
        let session = &self.held.lock().session;
        session.legal_moves().into_iter().map(|(code, _)| session.weight(code)).collect()
    }

    /// Plays one move, as its text or its code.
    fn play(&self, choice: &Bound<'_, PyAny>) -> PyResult<()> {
        let wanted = Wanted::of(choice)?;
        let mut held = self.held.lock();
        let code = wanted.find(&*held.session)?;
        held.session.apply(code);
        held.played.iter_mut().for_each(|played| played.push(code));
        Ok(())
    }

    /// Plays a text of moves.
    fn play_all(&self, moves: &str) -> PyResult<()> {
        let mut held = self.held.lock();
        // Moves before a wrong one are not played.
        let mut session = held.session.clone();
        let codes = session.play_moves(moves).map_err(|fault| error(format!("moves, {fault}")))?;
        held.session = session;
        held.played.iter_mut().for_each(|played| played.extend(&codes));
        Ok(())
    }

    /// The reward of each player at the end of the game.
    fn rewards(&self) -> PyResult<Vec<f64>> {
        let session = &self.held.lock().session;
        match session.turn() {
            Turn::Over => Ok((0..session.players()).map(|player| session.reward(player)).collect()),
            _ => Err(error("the game is not over, so it has no rewards yet")),
        }
    }

    /// A copy of the position.
    fn copy(&self) -> Position {
        let held = self.held.lock();
        let copied = Held { session: held.session.clone(), played: held.played.clone() };
        Position { spec: self.spec.clone(), held: Mutex::new(copied) }
    }

    fn __copy__(&self) -> Position {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Position {
        self.copy()
    }

    /// The class, and its arguments that make the position anew: the game and the moves.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyType>, (String, String))> {
        let played = self.held.lock().played.clone().ok_or_else(|| {
            error("a position that a search gives an evaluator cannot be pickled, because its moves are unknown")
        })?;
        let start = boughs_games::start(&self.spec).map_err(error)?.position;
        Ok((py.get_type::<Position>(), (self.spec.clone(), start.write_moves(&played))))
    }

    /// The drawing of the position.
    fn board(&self) -> String {
        self.held.lock().session.board()
    }

    /// The drawing of the position as a player may see it.
    fn board_for(&self, player: Whole) -> PyResult<String> {
        let player = player.named::<usize>("player")?;
        let session = &self.held.lock().session;
        match player < session.players() {
            true => Ok(session.board_for(player)),
            false => Err(error(format!("there is no player {player}; players are 0 to {}", session.players() - 1))),
        }
    }

    fn __repr__(&self) -> String {
        let board = self.held.lock().session.board();
        format!("<boughs.Position of {}>\n{}", self.spec, board.trim_end())
    }

    /// The board as an array: -1 for an empty point, the number of the player who has a stone there, and -2 outside.
    fn grid<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<i8>>>> {
        let Some(grid) = self.entry()?.grid(&*self.held.lock().session) else { return Ok(None) };
        let points = grid.points.iter().map(|point| match point {
            Content::Empty => -1,
            Content::Stone(player) => *player as i8,
            Content::Outside => -2,
        });
        let points: Vec<i8> = points.collect();
        points.into_pyarray(py).reshape([usize::from(grid.rows), usize::from(grid.columns)]).map(Some)
    }
}

/// A move that Python code names by its text or its code. Made before a position is locked, because a number and a text
/// of an object may be Python code.
pub(crate) struct Wanted {
    text: String,
    code: Option<u32>,
    is_text: bool,
}

impl Wanted {
    pub(crate) fn of(choice: &Bound<'_, PyAny>) -> PyResult<Wanted> {
        let is_text = choice.is_instance_of::<PyString>();
        let code = if is_text { None } else { choice.extract::<u32>().ok() };
        Ok(Wanted { text: choice.str()?.to_string_lossy().into_owned(), code, is_text })
    }

    /// The code of the move, if it is legal.
    pub(crate) fn find(&self, session: &dyn Session) -> PyResult<u32> {
        let code = match session.turn() {
            Turn::Over => None,
            _ if self.is_text => session.find_move(&self.text),
            _ => {
                let mut codes = Vec::new();
                session.actions(&mut codes);
                self.code.filter(|code| codes.contains(code))
            }
        };
        code.ok_or_else(|| error(boughs::SearchError::IllegalAction(self.text.clone())))
    }
}
