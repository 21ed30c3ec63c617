//! Facts about a game that all positions of a search share.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use boughs::notation::counted;
use boughs::{Information, MAX_PLAYERS, Session};

use super::codes::Codes;
use super::copying::Copying;
use super::known::Known;
use crate::error::{Raised, error};

/// The four methods that every game has.
const METHODS: [&str; 4] = ["turn", "moves", "play", "rewards"];

/// The range of rewards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Range {
    /// From 0 to 1: win rates.
    Unit,
    /// Scores between two bounds. The tree keeps them as parts of the way from the least to the greatest.
    Between(f64, f64),
    /// Scores without known bounds.
    Unknown,
}

impl Range {
    /// The least and the greatest reward, if they are known.
    pub(crate) fn bounds(self) -> Option<(f64, f64)> {
        match self {
            Range::Unit => Some((0.0, 1.0)),
            Range::Between(least, most) => Some((least, most)),
            Range::Unknown => None,
        }
    }

    /// Returns true for a number that can be a reward, but for errors of rounding.
    pub(crate) fn holds(self, reward: f64) -> bool {
        const ROUNDING: f64 = 1e-3;
        match self {
            Range::Unknown => reward.is_finite(),
            Range::Unit | Range::Between(..) => (-ROUNDING..=1.0 + ROUNDING).contains(&self.to_tree(reward)),
        }
    }

    /// A reward as the tree keeps it.
    pub(crate) fn to_tree(self, reward: f64) -> f64 {
        match self {
            Range::Between(least, most) => (reward - least) / (most - least),
            Range::Unit | Range::Unknown => reward,
        }
    }

    /// A reward of the tree as the game counts it.
    pub(crate) fn of_tree(self, reward: f64) -> f64 {
        match self {
            Range::Between(least, most) => least + reward * (most - least),
            Range::Unit | Range::Unknown => reward,
        }
    }
}

/// Facts about a game that all positions of a search share.
pub(crate) struct Rules {
    pub(crate) players: usize,
    pub(crate) range: Range,
    pub(crate) information: Information,
    pub(crate) copying: Copying,
    pub(crate) has_chance: bool,
    pub(crate) has_text: bool,
    /// True if the class has a method `board`.
    pub(crate) has_board: bool,
    /// True if the class has a `__str__` of its own, which draws the position where no method `board` does.
    pub(crate) has_str: bool,
    pub(crate) has_evaluation: bool,
    pub(crate) has_cut_rewards: bool,
    pub(crate) codes: Codes,
    pub(crate) known: Known,
    pub(crate) raised: Raised,
}

impl Rules {
    /// The rules of a game written in Python.
    pub(crate) fn of_object(game: &Bound<'_, PyAny>) -> PyResult<Rules> {
        let class = game.get_type();
        // A class may have an attribute of that name that is no method.
        let has = |name: &str| class.getattr_opt(name).map(|method| method.is_some_and(|method| method.is_callable()));
        if let Ok(given) = game.cast::<PyType>() {
            let name = given.name()?;
            return Err(error(format!("{name} is a class; give an object of it, such as {name}()")));
        }
        let missing = METHODS.into_iter().filter(|name| !has(name).unwrap_or(false)).collect::<Vec<_>>();
        if !missing.is_empty() {
            return Err(error(format!(
                "{} is no game, because it has no method {}; a game has the methods turn, moves, play and rewards, or \
                 is named by a text such as 'connect4'",
                class.name()?,
                missing.join(", ")
            )));
        }
        let players = match game.getattr_opt("players")? {
            None => 2,
            Some(players) => {
                players.extract::<usize>().ok().filter(|count| (1..=MAX_PLAYERS).contains(count)).ok_or_else(|| {
                    error(format!("the game has players = {players}; give a number from 1 to {MAX_PLAYERS}"))
                })?
            }
        };
        let is_hidden = has("information")? || has("determinize")?;
        if is_hidden && !(has("information")? && has("determinize")?) {
            return Err(error(
                "a game with hidden information has both methods information(player) and determinize(player, rng), and \
                 this one has one of them; add the other",
            ));
        }
        Ok(Rules {
            players,
            range: range(game)?,
            information: if is_hidden { Information::Hidden } else { Information::Perfect },
            copying: Copying::of(game)?,
            has_chance: has("chance")?,
            has_text: has("text")?,
            has_board: has("board")?,
            has_str: !class.getattr("__str__")?.is(&game.py().get_type::<PyAny>().getattr("__str__")?),
            has_evaluation: has("evaluation")?,
            has_cut_rewards: has("cut_rewards")?,
            codes: Codes::new(game.py()),
            known: Known::new(game.py()),
            raised: Raised::default(),
        })
    }

    /// The rules of a game of the engine.
    pub(crate) fn of_session(py: Python<'_>, session: &dyn Session) -> Rules {
        let facts = session.facts();
        let range = match facts.rewards.bounds {
            None => Range::Unknown,
            Some((least, most)) if (least, most) == (0.0, 1.0) => Range::Unit,
            Some((least, most)) => Range::Between(least, most),
        };
        Rules {
            players: session.players(),
            range,
            information: facts.information,
            copying: Copying::Own,
            has_chance: false,
            has_text: false,
            has_board: false,
            has_str: false,
            has_evaluation: false,
            has_cut_rewards: false,
            codes: Codes::new(py),
            known: Known::new(py),
            raised: Raised::default(),
        }
    }
}

/// The bounds that a game declares.
fn range(game: &Bound<'_, PyAny>) -> PyResult<Range> {
    let Some(bounds) = game.getattr_opt(intern!(game.py(), "bounds"))? else { return Ok(Range::Unit) };
    if bounds.is_none() {
        return Ok(Range::Unknown);
    }
    let wrong = || {
        error(format!(
            "the game has bounds = {bounds}; give the least and the greatest reward, as in (-1, 1), or None if they \
             are unknown"
        ))
    };
    let (least, most) = bounds.extract::<(f64, f64)>().map_err(|_| wrong())?;
    match () {
        () if !(least.is_finite() && most.is_finite() && least < most) => Err(wrong()),
        () if (least, most) == (0.0, 1.0) => Ok(Range::Unit),
        () => Ok(Range::Between(least, most)),
    }
}

/// The rewards of a finished game, one for each player.
pub(crate) fn rewards_of(rules: &Rules, object: &Bound<'_, PyAny>) -> PyResult<[f64; MAX_PLAYERS]> {
    read_rewards(rules, "rewards", false, &object.call_method0(intern!(object.py(), "rewards"))?)
}

/// The rewards of a game that is cut before its end, one for each player.
pub(crate) fn cut_rewards_of(rules: &Rules, object: &Bound<'_, PyAny>) -> PyResult<[f64; MAX_PLAYERS]> {
    read_rewards(rules, "cut_rewards", true, &object.call_method0(intern!(object.py(), "cut_rewards"))?)
}

/// The rewards that a method returned, as the tree keeps them.
fn read_rewards(rules: &Rules, method: &str, is_cut: bool, given: &Bound<'_, PyAny>) -> PyResult<[f64; MAX_PLAYERS]> {
    let mut rewards = [0.0; MAX_PLAYERS];
    let wrong = || {
        error(format!(
            "{method}() should return one number for each of {}, and returned {}",
            counted(rules.players, "players"),
            given.repr().map_or_else(|_| "something else".to_string(), |text| text.to_string())
        ))
    };
    let outside = |reward: f64| match rules.range.bounds() {
        Some((least, most)) if reward.is_finite() => error(format!(
            "{method}() returned {reward}, and rewards of this game are from {least} to {most}; declare bounds = \
             (least, greatest), or bounds = None if they are unknown"
        )),
        _ => error(format!("{method}() returned {reward}; rewards are finite numbers")),
    };
    // A tuple is read without a call.
    let mut count = 0;
    let mut add = |reward: Bound<'_, PyAny>| -> PyResult<()> {
        let place = rewards.get_mut(count).ok_or_else(wrong)?;
        let reward = reward.extract::<f64>().map_err(|_| wrong())?;
        // The rewards of an unfinished game may be scores on the way to those within the bounds.
        if !(rules.range.holds(reward) || is_cut && reward.is_finite()) {
            return Err(outside(reward));
        }
        *place = rules.range.to_tree(reward);
        count += 1;
        Ok(())
    };
    match given.cast_exact::<PyTuple>() {
        Ok(tuple) => tuple.iter().try_for_each(&mut add)?,
        Err(_) => given.try_iter().map_err(|_| wrong())?.try_for_each(|reward| add(reward?))?,
    }
    if count == rules.players { Ok(rewards) } else { Err(wrong()) }
}
