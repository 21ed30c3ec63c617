//! `boughs stress` counts every answer once, late or not, and says how late.

use crate::common::{json, run};

/// A few short moves.
const QUICK: &str = "connect4 --time 2ms --moves 60 --memory 16M";

fn stress(args: &str) -> serde_json::Value {
    json(&run(&format!("stress {args} --json")).expect())
}

/// Checks that the overruns count every answer once, and every sleep.
fn check_overrun(found: &serde_json::Value) {
    let moves = found["moves"].as_u64().unwrap();
    for overrun in [&found["overrun"], &found["sleeps"]] {
        let order = ["min", "p50", "p90", "p99", "p99.9", "max"].map(|key| overrun[key].as_f64().expect(key));
        assert!(order.is_sorted(), "{order:?}");
        let count = |list: &serde_json::Value| -> Vec<u64> {
            list.as_array().unwrap().iter().map(|line| line["moves"].as_u64().unwrap()).collect()
        };
        assert_eq!(count(&overrun["histogram"]).iter().sum::<u64>(), moves, "{found}");
        let beyond = count(&overrun["beyond"]);
        assert!(beyond.iter().rev().is_sorted(), "{beyond:?}");
        let late = |bucket: &serde_json::Value| bucket["from"].as_f64().is_some_and(|from| from >= 0.0);
        let in_late_buckets = overrun["histogram"].as_array().unwrap().iter().filter(|bucket| late(bucket));
        let in_late_buckets: u64 = in_late_buckets.map(|bucket| bucket["moves"].as_u64().unwrap()).sum();
        assert_eq!(beyond[0], in_late_buckets, "{found}");
    }
}

#[test]
fn every_answer_is_counted_once() {
    let found = stress(QUICK);
    check_overrun(&found);
    assert_eq!((found["moves"].as_u64(), found["load"].as_u64()), (Some(60), Some(0)));
    assert!(found["games"].as_u64() >= Some(2), "{found}");
    assert!(found["playouts"]["high"].as_f64() > Some(0.0) && found["cost"].is_null(), "{found}");
}

#[test]
fn a_margin_has_a_cost_and_a_load_is_told() {
    let found = stress("hex:size=5 --time 4ms --moves 20 --margin 1ms --jitter 2ms --load 1 --threads 2 --memory 16M");
    check_overrun(&found);
    assert_eq!((found["load"].as_u64(), found["threads"].as_u64()), (Some(1), Some(2)));
    assert_eq!((found["margin_ms"].as_f64(), found["jitter_ms"].as_f64()), (Some(1.0), Some(2.0)));
    for key in ["playouts_with", "playouts_without", "share_lost"] {
        assert!(found["cost"][key].is_f64(), "{key} in {found}");
    }
}

#[test]
fn the_margin_is_the_one_asked_for_and_the_delays_of_the_machine() {
    let found = stress("connect4 --time 20ms --moves 60 --margin 3ms --load 4 --threads 2 --memory 16M");
    let spread = |key: &str| ["low", "median", "high"].map(|of| found[key][of].as_f64().expect(key));
    let [low, median, high] = spread("margins_ms");
    assert!(low >= 3.0 && median > 3.0 && high <= 10.0, "at least 3 ms, wider, at most half of the time: {found}");
    let delays = spread("delays_ms");
    assert!(delays[2] > 0.0 && (high - (3.0 + 2.0 * delays[2]).min(10.0)).abs() < 0.01, "{found}");
    assert!(found["share_widened"].as_f64() > Some(0.0) && found["enough_ms"].is_f64(), "{found}");
}

#[test]
fn people_get_a_histogram_and_what_it_means() {
    let text = run(&format!("stress {QUICK} --margin 1ms")).expect();
    for part in [
        "overrun ms",
        "moves",
        "#",
        "p50",
        "p90",
        "p99",
        "p99.9",
        "max",
        "late",
        "beyond 10 ms",
        "beyond 25 ms",
        "threads woke up to",
        "at least 1 ms",
        "would have kept all answers within the limit",
        "takes",
        "a move (median)",
        "agent",
    ] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_the_run_with_what_was_measured() {
    use crate::common::start;
    use crate::interrupt::interrupt;
    let output = interrupt(start("stress connect4 --time 2ms --moves 100000000 --memory 16M --json"));
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let found = json(&String::from_utf8(output.stdout).unwrap());
    assert!((1..100_000).contains(&found["moves"].as_u64().unwrap()), "{found}");
    check_overrun(&found);
}
