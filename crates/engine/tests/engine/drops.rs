//! Games that panic when a copy of them is dropped, only late in a search, when it keeps copies for bulk traversal.

use std::process::Command;

use boughs::{Budget, Search, SearchError};

use crate::common::{BURNT, Bomb, Fuse};
use crate::misbehaviour::SPECS;
use crate::process::{Running, piped};

/// Enough for bulk traversals.
const PLAYOUTS: u64 = 2_000;

/// Drops of a search that never ends by them.
const NEVER: i64 = 1 << 40;

/// Searches until some copies panic when dropped: `panics` of them, from drop number `call` on. Returns the number of
/// drops of the search, and whether it ended as an error.
fn search(spec: &str, call: i64, panics: i64) -> (i64, bool) {
    let fuse = Fuse::of_drops(call, panics);
    let mut search = Search::new(Bomb::new(&fuse), spec.parse().unwrap()).unwrap();
    let result = search.run(Budget::iterations(PLAYOUTS).early_stop(false));
    let all = call - fuse.put_out();
    let name = format!("{spec}: {panics} drops from number {call} on");
    match &result {
        // The last copies are dropped when everything has been counted.
        Ok(report) => assert_eq!(report.iterations, PLAYOUTS, "{name}"),
        Err(error) => assert_eq!(error, &SearchError::GamePanicked(BURNT.into()), "{name}"),
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
