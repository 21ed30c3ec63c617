//! A game as the engine sees it whose rules are written in Python, or come from the engine and are valued in Python.
//!
//! Every method attaches its thread to the interpreter, which costs nothing where the thread is attached already, as it
//! is during a playout ([`crate::playout`]). An exception of the game ends the search by unwinding; see
//! [`Raised`](crate::error::Raised).

mod codes;
mod copying;
mod known;
mod rules;
mod state;

use std::sync::{Arc, OnceLock};

use boughs::{Game, Information, MAX_PLAYERS, Rewards, Rng, Session, Turn};
use pyo3::intern;
use pyo3::prelude::*;

use crate::process::{attach, yield_sometimes};
pub(crate) use rules::{Range, Rules};
use rules::{cut_rewards_of, rewards_of};
pub(crate) use state::{
    Object, State, chance as chance_of, draw, moves as moves_of, pick, turn as turn_of, weights as weights_of,
};

/// The value of `KNOWS` of a game in which everything is open.
pub(crate) const OPEN: u8 = 0;
/// The value of `KNOWS` of a game with simultaneous choices.
pub(crate) const SIMULTANEOUS: u8 = 1;
/// The value of `KNOWS` of a game with hidden information.
pub(crate) const HIDDEN: u8 = 2;

/// A position of a game written in Python, or of a game of the engine. Facts that the engine takes as constants are
/// parameters: the knowledge of the players, and true for scores without known bounds.
pub(crate) struct PyGame<const KNOWS: u8, const SCORES: bool> {
    pub(crate) rules: Arc<Rules>,
    pub(crate) state: State,
    turn: OnceLock<Turn>,
    rewards: OnceLock<[f64; MAX_PLAYERS]>,
}

impl<const KNOWS: u8, const SCORES: bool> PyGame<KNOWS, SCORES> {
    /// A position that is an object of a class in Python.
    pub(crate) fn of_object(rules: Arc<Rules>, object: Py<PyAny>) -> Self {
        Self::of(rules, State::Object(Object::new(object)))
    }

    /// A position of a game of the engine.
    pub(crate) fn of_session(rules: Arc<Rules>, session: Box<dyn Session>) -> Self {
        Self::of(rules, State::Session(session))
    }

    fn of(rules: Arc<Rules>, state: State) -> Self {
        PyGame { rules, state, turn: OnceLock::new(), rewards: OnceLock::new() }
    }

    /// Forgets the facts about the position before a move.
    pub(crate) fn forget(&mut self) {
        (self.turn, self.rewards) = (OnceLock::new(), OnceLock::new());
    }

    /// The object of the position, if the game is written in Python.
    pub(crate) fn object_mut(&mut self) -> Option<&mut Object> {
        match &mut self.state {
            State::Object(object) => Some(object),
            State::Session(_) => None,
        }
    }

    /// Asks the object of the position.
    fn ask<T>(&self, object: &Object, ask: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<T>) -> T {
        attach(|py| self.rules.raised.unwrap(py, ask(object.bind(py))))
    }

    /// The weights of the outcomes of chance, in the order of the moves, as whole numbers.
    fn weights(&self, object: &Bound<'_, PyAny>, outcomes: usize) -> PyResult<Vec<u32>> {
        if !self.rules.has_chance {
            return Ok(vec![1; outcomes]);
        }
        state::weights(&state::chance(object)?, outcomes)
    }
}

impl<const KNOWS: u8, const SCORES: bool> Clone for PyGame<KNOWS, SCORES> {
    fn clone(&self) -> Self {
        let state = match &self.state {
            State::Session(session) => State::Session(session.clone()),
            State::Object(object) => State::Object(self.ask(object, |object| {
                yield_sometimes(object.py());
                Ok(Object::new(self.rules.copying.copy(object)?.unbind()))
            })),
        };
        PyGame { rules: self.rules.clone(), state, turn: self.turn.clone(), rewards: self.rewards.clone() }
    }
}

impl<const KNOWS: u8, const SCORES: bool> Game for PyGame<KNOWS, SCORES> {
    type Action = u32;

    const REWARDS: Rewards = if SCORES { Rewards::SCORES } else { Rewards::ANY };
    const INFORMATION: Information = match KNOWS {
        OPEN => Information::Perfect,
        SIMULTANEOUS => Information::Simultaneous,
        _ => Information::Hidden,
    };

    fn players(&self) -> usize {
        self.rules.players
    }

    fn turn(&self) -> Turn {
        *self.turn.get_or_init(|| match &self.state {
            State::Session(session) => session.turn(),
            State::Object(object) => self.ask(object, |object| state::turn(object, self.rules.players)),
        })
    }

    fn actions(&self, out: &mut Vec<u32>) {
        match &self.state {
            State::Session(session) => session.actions(out),
            State::Object(object) => self.ask(object, |object| {
                for choice in state::moves(object)?.iter() {
                    out.push(self.rules.codes.encode(&choice)?);
                }
                Ok(())
            }),
        }
    }

    fn apply(&mut self, action: u32) {
        self.forget();
        match &mut self.state {
            State::Session(session) => session.apply(action),
            State::Object(object) => attach(|py| {
                let rules = &self.rules;
                let played = rules.codes.decode(py, action).and_then(|choice| object.play(choice));
                rules.raised.unwrap(py, played);
            }),
        }
    }

    fn reward(&self, player: usize) -> f64 {
        self.rewards.get_or_init(|| match &self.state {
            State::Session(session) => {
                let mut rewards = [0.0; MAX_PLAYERS];
                for (player, reward) in rewards.iter_mut().enumerate().take(self.rules.players) {
                    *reward = self.rules.range.to_tree(session.reward(player));
                }
                rewards
            }
            State::Object(object) => self.ask(object, |object| rewards_of(&self.rules, object)),
        })[player]
    }

    fn cut_reward(&self, player: usize) -> f64 {
        match &self.state {
            State::Session(session) => self.rules.range.to_tree(session.cut_reward(player)),
            State::Object(object) if self.rules.has_cut_rewards => {
                self.ask(object, |object| cut_rewards_of(&self.rules, object))[player]
            }
            State::Object(_) => match (self.rules.range, self.rules.players) {
                // A single player who does not come to an end has reached nothing.
                (Range::Unknown, _) | (_, 1) => 0.0,
                (Range::Unit | Range::Between(..), players) => 1.0 / players as f64,
            },
        }
    }

    fn evaluation(&self, player: usize) -> Option<f64> {
        match &self.state {
            State::Session(session) => session.evaluation(player),
            State::Object(object) if self.rules.has_evaluation => {
                Some(self.ask(object, |object| {
                    object.call_method1(intern!(object.py(), "evaluation"), (player,))?.extract()
                }))
            }
            State::Object(_) => None,
        }
    }

    fn parse_outcome(&self, text: &str) -> Option<u32> {
        match &self.state {
            State::Session(session) => session.parse_outcome(text),
            State::Object(_) => None,
        }
    }

    fn weight(&self, outcome: u32) -> u32 {
        match &self.state {
            State::Session(session) => session.weight(outcome),
            State::Object(_) if !self.rules.has_chance => 1,
            State::Object(object) => self.ask(object, |object| {
                let moves = state::moves(object)?;
                let weights = self.weights(object, moves.len())?;
                for (choice, weight) in moves.iter().zip(weights) {
                    if self.rules.codes.encode(&choice)? == outcome {
                        return Ok(weight);
                    }
                }
                Ok(0)
            }),
        }
    }

    fn chance(&self, rng: &mut Rng, _: &mut Vec<u32>) -> Option<u32> {
        match &self.state {
            State::Session(session) => session.chance(rng),
            State::Object(object) => self.ask(object, |object| {
                let moves = state::moves(object)?;
                let weights = self.weights(object, moves.len())?;
                match state::draw(&moves, &weights, rng)? {
                    Some(outcome) => Ok(Some(self.rules.codes.encode(&outcome)?)),
                    None => Ok(None),
                }
            }),
        }
    }

    fn information(&self, player: usize) -> u64 {
        match &self.state {
            State::Session(session) => session.information(player),
            State::Object(object) => self.ask(object, |object| {
                self.rules.known.number(&object.call_method1(intern!(object.py(), "information"), (player,))?)
            }),
        }
    }

    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        self.forget();
        match &mut self.state {
            State::Session(session) => session.determinize(player, rng),
            State::Object(object) => attach(|py| {
                self.rules.raised.unwrap(py, object.determinize(py, player, rng.bits()));
            }),
        }
    }

    fn random_action(&self, rng: &mut Rng, scratch: &mut Vec<u32>) -> Option<u32> {
        match &self.state {
            State::Session(session) => session.random_action(rng),
            State::Object(object) => {
                scratch.clear();
                self.ask(object, |object| {
                    let moves = state::moves(object)?;
                    let Some(choice) = state::pick(&moves, rng)? else { return Ok(None) };
                    self.rules.codes.encode(&choice).map(Some)
                })
            }
        }
    }

    fn action_text(&self, action: u32) -> String {
        match &self.state {
            State::Session(session) => session.action_text(action),
            State::Object(object) => self.ask(object, |object| {
                let choice = self.rules.codes.decode(object.py(), action)?;
                let text = match self.rules.has_text {
                    true => object.call_method1(intern!(object.py(), "text"), (choice,))?.str()?,
                    false => choice.str()?,
                };
                // Moves are separated by white space and commas, so the text of one has none.
                Ok(text.to_cow()?.split_whitespace().collect::<Vec<_>>().join("").replace(',', ";"))
            }),
        }
    }

    fn board(&self) -> String {
        match &self.state {
            State::Session(session) => session.board(),
            State::Object(object) if self.rules.has_board || self.rules.has_str => {
                self.ask(object, |object| state::board(object, self.rules.has_board))
            }
            State::Object(_) => String::new(),
        }
    }

    fn board_for(&self, player: usize) -> String {
        match &self.state {
            State::Session(session) => session.board_for(player),
            State::Object(_) => self.board(),
        }
    }
}
