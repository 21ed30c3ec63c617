//! Games that panic when a copy of them is dropped, only late in a search, when it keeps copies for bulk traversal.

use std::panic::resume_unwind;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use boughs::{Budget, Game, Search, SearchError, Turn};

use crate::misbehaviour::SPECS;
use crate::process::{Running, piped};

/// The number of drops until one panics, and of those that panic.
#[derive(Debug)]
struct Drops {
    left: AtomicI64,
    panics: AtomicI64,
}

/// Ten plies of three actions. Unlike [`Bomb`](crate::common::Bomb) it panics during unwinding too.
#[derive(Debug)]
struct Brittle {
    ply: u32,
    sum: u32,
    drops: Arc<Drops>,
}

impl Clone for Brittle {
    fn clone(&self) -> Brittle {
        Brittle { ply: self.ply, sum: self.sum, drops: self.drops.clone() }
    }
}

impl Drop for Brittle {
    fn drop(&mut self) {
        if self.drops.left.fetch_sub(1, Relaxed) <= 1 && self.drops.panics.fetch_sub(1, Relaxed) > 0 {
            // A panic that is resumed prints nothing.
            resume_unwind(Box::new(TEXT));
        }
    }
}

const TEXT: &str = "a copy broke";

impl Game for Brittle {
    type Action = u8;
    const MAX_PLIES: u32 = 10;
    fn turn(&self) -> Turn {
        if self.ply >= 10 { Turn::Over } else { Turn::Player(self.ply as usize % 2) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend([0, 1, 2]);
    }
    fn apply(&mut self, action: u8) {
        self.ply += 1;
        self.sum += u32::from(action);
    }
    fn reward(&self, player: usize) -> f64 {
        f64::from(u8::from(self.sum.is_multiple_of(2) == (player == 0)))
    }
}

/// Drops of a search that never ends by them.
const NEVER: i64 = 1 << 40;

/// Searches until some copies panic when dropped: `panics` of them, from drop number `call` on. Returns the number of
/// drops of the search, and whether it ended as an error.
fn search(spec: &str, call: i64, panics: i64) -> (i64, bool) {
    let drops = Arc::new(Drops { left: AtomicI64::new(call), panics: AtomicI64::new(panics) });
    let mut search = Search::new(Brittle { ply: 0, sum: 0, drops: drops.clone() }, spec.parse().unwrap()).unwrap();
    let result = search.run(Budget::iterations(6_000).early_stop(false));
    let all = call - drops.left.swap(NEVER, Relaxed);
    let name = format!("{spec}: {panics} drops from number {call} on");
    match &result {
        // The last copies are dropped when everything has been counted.
        Ok(report) => assert_eq!(report.iterations, 6_000, "{name}"),
        Err(error) => assert_eq!(error, &SearchError::GamePanicked(TEXT.into()), "{name}"),
    }
    // It can be used again.
    assert_eq!(search.run(Budget::iterations(200).early_stop(false)).unwrap().iterations, 200, "{name}");
    (all, result.is_err())
}

/// Set for the process in which the searches are made.
const INSIDE: &str = "BOUGHS_TEST_DROPS";

#[test]
fn copies_that_panic_when_dropped_late_in_a_search_are_an_error_with_their_own_text() {
    if std::env::var_os(INSIDE).is_none() {
        // A panic that meets another one aborts the process, and with it all tests.
        let name = "drops::copies_that_panic_when_dropped_late_in_a_search_are_an_error_with_their_own_text";
        let mut inside = Command::new(std::env::current_exe().unwrap());
        inside.args(["--exact", name, "--nocapture"]).env(INSIDE, "1");
        let output = Running::start(piped(&mut inside)).finish();
        let texts = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success() && texts[0].contains("1 passed"), "{}: {}", output.status, texts[1]);
        return;
    }
    for spec in SPECS.into_iter().chain(["mcts:solver=on", "mcts:bulk=65536,traversals=1"]) {
        let (all, _) = search(spec, NEVER, 0);
        for panics in [1, NEVER] {
            for call in [all / 4, all / 2] {
                assert!(search(spec, call, panics).1, "{spec}: a drop in the midst of a search");
            }
            // Every one of the last, when workers leave.
            for call in all - 60..=all + 1 {
                search(spec, call, panics);
            }
        }
    }
}
