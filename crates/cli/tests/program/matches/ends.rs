//! Ctrl-C ends a match with the result so far, a second one at once, and a signal to end loses the games in flight.

use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use boughs_arena::Store;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::tempdir;

use super::bots::Script;
use super::{games, play};
use crate::common::json;

/// Longer than the end of a match takes.
const AMPLE: Duration = Duration::from_secs(30);

/// A match that is interrupted long before its end.
const LONG: &str = "match tictactoe mcts mcts:c=0.4 --iterations 100 --openings random:2 --games 10000000 --json";

fn start<'a>(words: impl IntoIterator<Item = &'a str>) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boughs"));
    command.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn wait_until(is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < AMPLE, "the program never came so far");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end, up to a limit.
fn finish(mut child: Child) -> Output {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > AMPLE {
            child.kill().unwrap();
            panic!("the program does not end");
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.wait_with_output().unwrap()
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

#[test]
fn the_result_so_far_is_printed_and_the_store_has_its_games() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("games.db");
    let args = format!("{LONG} --store {}", store.display());
    let child = start(args.split(' '));
    wait_until(|| {
        store.exists() && !Store::open(&store).unwrap().events().unwrap().iter().all(|event| event.games < 20)
    });
    send(&child, Signal::INT);
    let output = finish(child);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]), "{output:?}");
    let result = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(result["interrupted"], true);
    let counted: u64 = ["wins", "draws", "losses"].map(|name| result["games"][name].as_u64().unwrap()).iter().sum();
    let kept = games(&store).len() as u64;
    assert_eq!(counted + result["unpaired"].as_u64().unwrap(), kept, "{result}");
    assert!(kept >= 20, "{kept}");
}

#[test]
fn a_program_that_never_answers_does_not_hold_up_ctrl_c_and_loses_nothing_by_it() {
    let script = Script::of("echo ready", "trap '' TERM INT; sleep $0; sleep $0");
    let child = start(["match", "tictactoe", "mcts", &script.name(), "--time", "20ms", "--grace", "1h", "--json"]);
    wait_until(|| script.sleeps());
    send(&child, Signal::INT);
    let output = finish(child);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let result = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!((&result["games"]["wins"], &result["unpaired"]), (&0.into(), &0.into()), "{result}");
    script.assert_gone();
}

#[test]
fn a_second_ctrl_c_ends_at_once_and_leaves_no_program_behind() {
    let script = Script::of("echo ready", "trap '' TERM INT; sleep $0; sleep $0");
    let child = start(["match", "tictactoe", &script.name(), "mcts", "--time", "1h"]);
    wait_until(|| script.sleeps());
    for _ in 0..2 {
        thread::sleep(Duration::from_millis(3));
        // It may have ended by the first one already.
        let _ = kill_process(Pid::from_child(&child), Signal::INT);
    }
    let output = finish(child);
    assert!(matches!(output.status.code(), Some(0 | 2)), "{output:?}");
    script.assert_gone();
}

#[test]
fn a_signal_to_end_loses_the_games_in_flight_at_most() {
    let folder = tempdir().unwrap();
    let store = folder.path().join("games.db");
    let args = format!("{LONG} --concurrency 1 --store {}", store.display());
    let mut child = start(args.split(' '));
    wait_until(|| {
        store.exists() && !Store::open(&store).unwrap().events().unwrap().iter().all(|event| event.games < 20)
    });
    send(&child, Signal::TERM);
    assert!(!child.wait().unwrap().success());
    let kept = games(&store).len() as u64;
    assert!(games(&store).iter().map(|kept| kept.record.number).eq(0..kept), "games in flight only");
    let planned = kept + 2 - kept % 2;
    let args = args.replace("10000000", &planned.to_string()).replace("match ", "").replace(" --json", "");
    assert_eq!(play(&args)["kept"], kept);
    assert!(games(&store).iter().map(|kept| kept.record.number).eq(0..planned));
}
