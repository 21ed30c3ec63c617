//! Matches: games depend on the seed alone, and scores on the games alone.

#[cfg(unix)]
mod misfits;
mod older_store;
mod rounds;
mod sgf;
mod standings;

use std::ops::ControlFlow;
use std::time::Duration;

use boughs::StopFlag;
use boughs_arena::{Conditions, Contest, Limit, Openings, Record};

/// The conditions of a match between two.
fn conditions(game: &str, [a, b]: [&str; 2], playouts: u64) -> Conditions {
    Conditions {
        game: game.to_string(),
        contestants: [a, b].map(|text| text.parse().unwrap()).to_vec(),
        pairings: vec![[0, 1]],
        limit: Limit::Playouts(playouts),
        grace: Duration::ZERO,
        openings: Openings::Random(0, 2),
        seed: 1,
    }
}

/// Plays a number of rounds and returns the games in their order.
fn play(contest: &mut Contest<'_>, rounds: u64, tables: usize) -> Vec<Record> {
    let mut records = Vec::new();
    let progress = contest.play(rounds, tables, &StopFlag::default(), &mut |news| {
        records.push(news.record.clone());
        ControlFlow::Continue(())
    });
    assert_eq!(progress.unwrap().games, records.len() as u64);
    records.sort_by_key(|record| record.number);
    records
}
