//! Playouts of a game written in Python, with the interpreter held for the whole of each.

use std::sync::Arc;

use boughs::{End, Parallel, Playout, PlayoutKind, Rng, SeeMove, Settings, Turn};
use pyo3::prelude::*;

use crate::game::{self, Object, PyGame, Rules};
use crate::process::{attach, try_attach};

/// A playout that attaches its thread to the interpreter once. Threads that search a game in Python take turns, and a
/// turn of a whole playout costs a hundredth of the switches that a turn of one call would.
pub(crate) struct Attached<const KNOWS: u8, const SCORES: bool> {
    inner: Arc<dyn Playout<PyGame<KNOWS, SCORES>>>,
    is_light: bool,
    /// True if no worker waits for another, so that each may keep the interpreter for as long as others let it.
    is_kept: bool,
}

impl<const KNOWS: u8, const SCORES: bool> Attached<KNOWS, SCORES> {
    /// The playout that the settings name.
    pub(crate) fn of(settings: &Settings, has_evaluator: bool) -> Arc<dyn Playout<PyGame<KNOWS, SCORES>>> {
        let is_light = settings.playout == PlayoutKind::Light;
        // Workers wait for the playouts of a batch, and for its leaves.
        let is_kept = settings.parallel != Parallel::Batched && !has_evaluator;
        Arc::new(Attached { inner: settings.playout.build(settings.epsilon), is_light, is_kept })
    }
}

impl<const KNOWS: u8, const SCORES: bool> Playout<PyGame<KNOWS, SCORES>> for Attached<KNOWS, SCORES> {
    fn choose(&self, position: &PyGame<KNOWS, SCORES>, rng: &mut Rng, scratch: &mut Vec<u32>) -> Option<u32> {
        self.inner.choose(position, rng, scratch)
    }

    fn value(&self, position: &PyGame<KNOWS, SCORES>, player: usize) -> f64 {
        self.inner.value(position, player)
    }

    fn play(
        &self,
        position: &mut PyGame<KNOWS, SCORES>,
        rng: &mut Rng,
        scratch: &mut Vec<u32>,
        limit: u32,
        see: Option<SeeMove<'_>>,
    ) -> End {
        attach(|py| {
            let rules = position.rules.clone();
            match (position.object_mut(), see) {
                (Some(object), None) if self.is_light => {
                    let played = play_light(py, &rules, object, rng, limit);
                    position.forget();
                    rules.raised.unwrap(py, played)
                }
                (_, see) => self.inner.play(position, rng, scratch, limit, see),
            }
        })
    }

    fn in_thread(&self, work: &mut (dyn FnMut() + Send)) {
        let attached = try_attach(|py| match self.is_kept {
            // Threads that search or run Python take turns of five milliseconds, as threads of Python do.
            true => work(),
            // The thread keeps its place among those of the interpreter, and nothing else, from call to call.
            false => py.detach(&mut *work),
        });
        if attached.is_none() {
            // The first call of the game ends the search.
            work();
        }
    }
}

/// Plays random moves to the end. Moves stay objects of Python and get no codes.
fn play_light(py: Python<'_>, rules: &Rules, object: &mut Object, rng: &mut Rng, limit: u32) -> PyResult<End> {
    for _ in 0..limit {
        let position = object.bind(py);
        let choice = match game::turn_of(position, rules.players)? {
            Turn::Over => return Ok(End::Over),
            Turn::Player(_) => game::pick(&game::moves_of(position)?, rng)?,
            Turn::Chance => {
                let moves = game::moves_of(position)?;
                match rules.has_chance {
                    false => game::pick(&moves, rng)?,
                    true => game::draw(&moves, &game::weights_of(&game::chance_of(position)?, moves.len())?, rng)?,
                }
            }
        };
        let Some(choice) = choice else { return Ok(End::Stuck) };
        object.play(choice)?;
    }
    Ok(if game::turn_of(object.bind(py), rules.players)? == Turn::Over { End::Over } else { End::Cut })
}
