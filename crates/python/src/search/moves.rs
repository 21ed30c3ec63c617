//! Moves that Python code names, in the position of a search.

use boughs::{SearchError, Session, Turn};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::error;
use crate::game::Rules;
use crate::position::Wanted;

/// Plays the moves before the search, as text or as a list. Moves of a game in Python, which has `rules`, are objects.
pub(super) fn play(rules: Option<&Rules>, session: &mut dyn Session, moves: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let Some(moves) = moves else { return Ok(()) };
    if let Ok(text) = moves.cast::<PyString>() {
        let played = session.play_moves(&text.to_cow()?);
        return played.map(drop).map_err(|fault| error(format!("moves, {fault}")));
    }
    if !moves.hasattr("__iter__")? {
        return Err(error(format!("moves = {moves} should be a text or a list of moves")));
    }
    for choice in moves.try_iter()? {
        let code = code_of(rules, session, &choice?)?;
        session.apply(code);
    }
    Ok(())
}

/// The code of a legal move: its text or its code, or for a game in Python the move itself or its text.
pub(super) fn code_of(rules: Option<&Rules>, position: &dyn Session, choice: &Bound<'_, PyAny>) -> PyResult<u32> {
    let Some(rules) = rules else { return Wanted::of(choice)?.find(position) };
    let mut codes = Vec::new();
    if position.turn() != Turn::Over {
        position.actions(&mut codes);
    }
    let code = rules.codes.encode(choice).ok().filter(|code| codes.contains(code));
    if let Some(code) = code {
        return Ok(code);
    }
    let text = choice.str()?.to_string();
    let by_text = if codes.is_empty() { None } else { position.find_move(&text) };
    by_text.ok_or_else(|| error(SearchError::IllegalAction(text)))
}
