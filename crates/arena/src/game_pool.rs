//! Many games at once: threads take games from a plan, and the caller sees the results one by one.
//!
//! A table is a place where one game at a time is played, with a thread, a [`Table`] and cores of its own.

use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;

use boughs::StopFlag;
use crossbeam::channel::{RecvTimeoutError, bounded};

use crate::cores::{cores_here, share};
use crate::plan::Conditions;
use crate::table::Table;
use crate::{ArenaError, Record};

/// Number of finished games of a table that may wait for the caller.
const WAITING: usize = 16;

/// Pause between two looks at the user's flag, while games are played.
const GLANCE: Duration = Duration::from_millis(20);

/// Returns the number of games that fit on this machine at a time, so that no search waits for a core.
pub fn tables_here(conditions: &Conditions) -> usize {
    (boughs::run::cores() / conditions.cores()).max(1)
}

/// Returns the cores of this process, if they are as many as these tables need. Otherwise it returns none: other
/// processes may play on the same cores, and each would take the first ones.
pub(crate) fn cores_of_its_own(conditions: &Conditions, tables: usize) -> Vec<usize> {
    let cores = cores_here();
    if cores.len() == tables * conditions.cores() { cores } else { Vec::new() }
}

/// Plays the games of a plan with these numbers, several at a time, in about this order. Tables share these cores, or
/// play on any if there are too few.
///
/// `see` gets every game when it is over, on the calling thread. When it breaks off, games in progress end, and those
/// that it has not got are dropped, so with one game at a time it always gets the same. When `stop` is raised games in
/// progress end too.
///
/// # Errors
/// If a game cannot be played at all, or `see` fails.
pub(crate) fn play(
    conditions: &Conditions,
    numbers: impl Iterator<Item = u64> + Send,
    (tables, cores): (usize, &[usize]),
    stop: &StopFlag,
    see: &mut dyn FnMut(Record) -> Result<ControlFlow<()>, ArenaError>,
) -> Result<(), ArenaError> {
    let numbers = parking_lot::Mutex::new(numbers);
    // The user's flag tells that a result is not whole, so the pool has a flag of its own.
    let enough = StopFlag::default();
    let next = || if enough.is_raised() || stop.is_raised() { None } else { numbers.lock().next() };
    let (sender, receiver) = bounded(WAITING * tables);
    let mut result = Ok(());
    thread::scope(|scope| {
        let cores = share(cores, tables, conditions.threads(), conditions.has_programs());
        for cores in cores {
            let (sender, next, enough) = (sender.clone(), &next, &enough);
            scope.spawn(move || {
                let played = serve(conditions, cores, next, enough, &|record| sender.send(Ok(record)).is_ok());
                if let Err(error) = played {
                    // Sending fails if the caller has already left with the error of another table.
                    _ = sender.send(Err(error));
                }
            });
        }
        drop(sender);
        let mut is_over = false;
        loop {
            let played = match receiver.recv_timeout(GLANCE) {
                Ok(_) if is_over => continue,
                Ok(played) => played.and_then(&mut *see),
                Err(RecvTimeoutError::Timeout) => Ok(ControlFlow::Continue(())),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            is_over |= !matches!(played, Ok(ControlFlow::Continue(())));
            if let Err(error) = played {
                result = Err(error);
            }
            if (is_over || stop.is_raised()) && !enough.is_raised() {
                enough.raise();
            }
        }
    });
    result
}

/// Plays one game on the calling thread. Returns it with the standard error of a referee that is a program, or `None`
/// if it was interrupted.
///
/// # Errors
/// If the game cannot be played at all.
pub(crate) fn play_one(
    conditions: &Conditions,
    number: u64,
    stop: &StopFlag,
) -> Result<Option<(Record, String)>, ArenaError> {
    let cores = share(&cores_here(), 1, conditions.threads(), conditions.has_programs()).pop().unwrap_or_default();
    let mut table = Table::new(conditions, cores)?;
    let record = table.play(&conditions.planned(number, table.players()), stop)?;
    Ok(record.map(|record| (record, table.referee_notes().to_string())))
}

/// Plays games at one table until there are no more, or `give` refuses one.
fn serve(
    conditions: &Conditions,
    cores: [Vec<usize>; 2],
    next: &dyn Fn() -> Option<u64>,
    stop: &StopFlag,
    give: &dyn Fn(Record) -> bool,
) -> Result<(), ArenaError> {
    let mut table = Table::new(conditions, cores)?;
    let players = table.players();
    while let Some(number) = next() {
        let record = table.play(&conditions.planned(number, players), stop)?;
        if !record.is_some_and(give) {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Limit, Openings};

    #[test]
    fn games_in_progress_end_when_no_more_are_wanted() {
        let conditions = Conditions {
            game: "tictactoe".into(),
            contestants: ["random", "mcts"].map(|agent| agent.parse().expect("an agent")).to_vec(),
            pairings: vec![[0, 0], [1, 1]],
            limit: Limit::Time(Duration::from_secs(600)),
            grace: Duration::ZERO,
            openings: Openings::Start,
            seed: 1,
        };
        let begun = std::time::Instant::now();
        play(&conditions, 0..4, (4, &[]), &StopFlag::default(), &mut |_| Ok(ControlFlow::Break(()))).expect("games");
        assert!(begun.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn with_one_game_at_a_time_the_last_game_is_the_one_that_breaks_off() {
        let conditions = Conditions {
            game: "tictactoe".into(),
            contestants: vec!["random".parse().expect("an agent"); 2],
            pairings: vec![[0, 1]],
            limit: Limit::Playouts(1),
            grace: Duration::ZERO,
            openings: Openings::Start,
            seed: 1,
        };
        let mut seen = Vec::new();
        play(&conditions, 0.., (1, &[]), &StopFlag::default(), &mut |record| {
            // Other games end meanwhile.
            thread::sleep(Duration::from_millis(20));
            seen.push(record.number);
            Ok(if record.number == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
        .expect("games");
        assert_eq!(seen, [0, 1, 2]);
    }
}
