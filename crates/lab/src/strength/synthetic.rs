//! Made-up games, for tests of reports and pages.

use std::time::Duration;

use boughs::{InFlight, Settings};
use boughs_arena::{Clock, Conditions, Ending, EventKey, Limit, Openings, Record, Store};

use super::{Config, StrengthPlan};
use crate::scale::Mode;

/// A small plan.
pub fn plan() -> StrengthPlan {
    StrengthPlan {
        game: "tictactoe".to_string(),
        settings: Settings::default(),
        modes: vec![Mode::Shared],
        threads: vec![1, 2],
        workers: vec![1, 4],
        rules: vec![InFlight::Unobserved],
        ranks: Vec::new(),
        playouts: Some(20),
        time: None,
        grace: |_, _| Duration::from_secs(10),
        games: 4,
        openings: Openings::Random(1, 2),
        seed: 3,
        tables: Some(1),
        command: "boughs scale <made up>".to_string(),
    }
}

/// The command of every made-up game.
pub fn replay(_: &Conditions, _: u64) -> String {
    "boughs match".to_string()
}

/// Puts pairs into a store in which the first contestant of a configuration won both games, one of them, and none.
///
/// # Panics
/// If the store cannot be written.
pub fn make_up(store: &mut Store, plan: &StrengthPlan, config: Config, [both, one, none]: [u64; 3]) {
    let conditions = plan.conditions(config, Limit::Playouts(20));
    let key = EventKey { kind: "match".into(), conditions: conditions.text(), command: String::new() };
    let event = store.event(&key).expect("a store that can be written");
    for round in 0..both + one + none {
        for game in 0..2 {
            // The first contestant has the first seat in the first game.
            let wins = round < both || (round < both + one && game == 0);
            let first = f64::from(u8::from(wins == (game == 0)));
            let record = Record {
                number: 2 * round + game,
                round,
                seats: vec![game as usize, 1 - game as usize],
                seed: 0,
                opening: vec![],
                moves: vec![format!("{round}"), format!("{wins}")],
                rewards: vec![first, 1.0 - first],
                ending: Ending::Over,
                clocks: vec![Clock::default(); 2],
                notes: vec![String::new(); 2],
                columns: vec![Default::default(); 2],
                began: 0.0,
                took: Duration::ZERO,
            };
            store.add(event, &record, "").expect("a store that can be written");
        }
    }
}
