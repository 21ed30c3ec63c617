//! Positions with known values, for tests of how well the engine plays.

use boughs::notation::play_moves;
use boughs::{Budget, Search, Settings};
use boughs_games::Listed;

/// The examples of the README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The lines of a fixture that are not comments.
pub fn lines(fixture: &str) -> impl Iterator<Item = &str> {
    fixture.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// The text of the move that one thread finds after `moves` with so many playouts.
///
/// # Panics
/// If the moves are not legal or nothing is found: the fixture is wrong then.
pub fn best_move<G: Listed>(start: &G, moves: &str, settings: &Settings, playouts: u64) -> String {
    let mut position = start.clone();
    if let Err(error) = play_moves(&mut position, moves) {
        panic!("{moves}: {error}");
    }
    let found = Search::new(position, settings.clone()).and_then(|mut search| search.run(Budget::iterations(playouts)));
    match found.map(|report| report.best) {
        Ok(Some(best)) => best.text,
        other => panic!("{moves}: {other:?}"),
    }
}

/// Settings with little memory, for searches that are short.
pub fn settings(agent: &str, seed: u64) -> Settings {
    match agent.parse::<Settings>() {
        Ok(settings) => Settings { seed, memory: 64 << 20, ..settings },
        Err(error) => panic!("{error}"),
    }
}
