//! Many games at once: threads take games from a plan, and the caller sees the results one by one.
//!
//! A table is a place where one game at a time is played, with a thread, a [`GameRunner`] and cores of its own.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use boughs::StopFlag;
use crossbeam::channel::bounded;

use crate::cores::{cores_a_table, cores_here, share};
use crate::game_runner::GameRunner;
use crate::plan::Conditions;
use crate::{ArenaError, Record};

/// Number of finished games of a table that may wait for the caller.
const WAITING: usize = 16;

/// Returns the number of games that fit on this machine at a time, so that no search waits for a core.
pub fn tables_here(conditions: &Conditions) -> usize {
    (boughs::run::cores() / cores_a_table(conditions.threads(), conditions.has_programs())).max(1)
}

/// Plays the games of a plan with these numbers, several at a time, in about this order.
///
/// `see` gets every game when it is over, on the calling thread. When it breaks off, no further games begin, and those
/// in progress are played to their end. When `stop` is raised they are dropped.
///
/// # Errors
/// If a game cannot be played at all, or `see` fails.
pub(crate) fn play(
    conditions: &Conditions,
    numbers: impl Iterator<Item = u64> + Send,
    tables: usize,
    stop: &StopFlag,
    see: &mut dyn FnMut(Record) -> Result<ControlFlow<()>, ArenaError>,
) -> Result<(), ArenaError> {
    let numbers = parking_lot::Mutex::new(numbers);
    let enough = AtomicBool::new(false);
    let next = || if enough.load(Relaxed) || stop.is_raised() { None } else { numbers.lock().next() };
    let (sender, receiver) = bounded(WAITING * tables);
    let mut result = Ok(());
    thread::scope(|scope| {
        let cores = share(&cores_here(), tables, conditions.threads(), conditions.has_programs());
        for cores in cores {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                let played = serve(conditions, cores, next, stop, &|record| sender.send(Ok(record)).is_ok());
                if let Err(error) = played {
                    // Sending fails if the caller has already left with the error of another table.
                    _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        for played in receiver {
            if result.is_err() {
                continue;
            }
            match played.and_then(&mut *see) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => enough.store(true, Relaxed),
                Err(error) => {
                    enough.store(true, Relaxed);
                    result = Err(error);
                }
            }
        }
    });
    result
}

/// Plays games at one table until there are no more, or `give` refuses one.
fn serve(
    conditions: &Conditions,
    cores: [Vec<usize>; 2],
    next: &dyn Fn() -> Option<u64>,
    stop: &StopFlag,
    give: &dyn Fn(Record) -> bool,
) -> Result<(), ArenaError> {
    let mut runner = GameRunner::new(conditions, cores)?;
    let players = runner.players();
    while let Some(number) = next() {
        let record = runner.play(&conditions.planned(number, players), stop)?;
        if !record.is_some_and(give) {
            break;
        }
    }
    Ok(())
}
