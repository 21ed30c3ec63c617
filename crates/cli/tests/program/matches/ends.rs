//! Ctrl-C, SIGTERM, SIGHUP and SIGQUIT end a match with the result so far, and a second one at once. No program is
//! left.

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use boughs_arena::Store;
use tempfile::tempdir;

use super::bots::Script;
use super::{games, play};
use crate::common::{json, program};
use crate::interrupt::{SIGNALS, end_when};
use crate::process::{Running, piped, side_by_side, wait_until};

/// A match that is interrupted long before its end.
const LONG: &str = "match tictactoe mcts mcts:c=0.4 --iterations 100 --openings random:2 --games 10000000 --json";

/// Starts the program, whose input has ended.
fn start<'a>(words: impl IntoIterator<Item = &'a str>) -> Running {
    let mut program = Running::start(piped(program().args(words)));
    drop(program.input.take());
    program
}

/// Returns true if a match has kept some games.
fn has_games(store: &Path) -> bool {
    store.exists() && !Store::open(store).unwrap().events().unwrap().iter().all(|event| event.games < 20)
}

#[test]
fn the_result_so_far_is_printed_and_the_store_has_its_games() {
    side_by_side(SIGNALS, |(signal, code)| {
        let folder = tempdir().unwrap();
        let store = folder.path().join("games.db");
        let args = format!("{LONG} --concurrency 1 --store {}", store.display());
        let child = start(args.split(' '));
        let output = end_when(signal, child, |_| has_games(&store));
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(code), &b""[..]), "{output:?}");
        let result = json(&String::from_utf8(output.stdout).unwrap());
        assert_eq!(result["interrupted"], true);
        let counted: u64 = ["wins", "draws", "losses"].map(|name| result["games"][name].as_u64().unwrap()).iter().sum();
        let kept = games(&store).len() as u64;
        assert_eq!(counted + result["unpaired"].as_u64().unwrap(), kept, "{result}");
        assert!(kept >= 20, "{kept}");
        assert!(games(&store).iter().map(|kept| kept.record.number).eq(0..kept), "the games in flight are lost only");
        let planned = kept + 2 - kept % 2;
        let args = args.replace("10000000", &planned.to_string()).replace("match ", "").replace(" --json", "");
        assert_eq!(play(&args)["kept"], kept);
        assert!(games(&store).iter().map(|kept| kept.record.number).eq(0..planned));
    });
}

/// Keeps a core busy, with a child that left the process group, and does not end by a signal that it can ignore.
const HOG: &str = "trap '' TERM INT HUP QUIT; setsid sleep $0 & sleep $0 & while :; do :; done";

/// A program that is ready for a game and then a hog.
fn hog() -> Script {
    Script::of("echo ready", HOG)
}

#[test]
fn every_signal_kills_the_programs_of_every_command_and_the_exit_code_tells_it() {
    side_by_side(SIGNALS, |(signal, code)| {
        for (command, says) in [
            ("match tictactoe NAME mcts --time 1h", "interrupted before the first game was over"),
            (
                "match tictactoe mcts NAME --iterations 9 --grace 1h --json",
                "interrupted before the first game was over",
            ),
            ("match tictactoe mcts NAME --iterations 9 --only 1", "interrupted before the game was over"),
            ("tournament tictactoe NAME mcts flat --time 1h", "interrupted before the first game was over"),
            ("judge ahc015 --time 1h --cmd NAME", "interrupted before there was a result"),
        ] {
            let mut script = hog();
            if command.starts_with("judge") {
                script.text = HOG.to_string();
            }
            let name = script.name();
            let words = command.split(' ').map(|word| if word == "NAME" { name.as_str() } else { word });
            let child = start(words.collect::<Vec<_>>());
            let output = end_when(signal, child, |_| script.sleeps());
            assert_eq!(
                (output.status.code(), output.stdout.as_slice()),
                (Some(code), &b""[..]),
                "{command}: {output:?}"
            );
            assert!(String::from_utf8(output.stderr).unwrap().contains(says), "{command}");
            script.assert_gone();
        }
    });
}

#[test]
fn two_signals_at_once_leave_no_program_behind() {
    side_by_side(SIGNALS, |(signal, code)| {
        let script = hog();
        let child = start(["match", "tictactoe", &script.name(), "mcts", "--time", "1h"]);
        wait_until("the program of the match sleeps", || script.sleeps());
        child.send(signal);
        thread::sleep(Duration::from_millis(3));
        // It may have ended by the first one already.
        child.send(signal);
        let output = child.finish();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        script.assert_gone();
    });
}

#[test]
fn a_second_signal_ends_a_match_whose_result_waits_for_a_reader() {
    side_by_side(SIGNALS, |(signal, code)| {
        let folder = tempdir().unwrap();
        let store = folder.path().join("games.db");
        let (unread, output) = std::io::pipe().unwrap();
        let mut full = output.try_clone().unwrap();
        let filling = thread::spawn(move || while full.write_all(&[b' '; 4_096]).is_ok() {});
        let args = format!("{LONG} --concurrency 1 --store {}", store.display());
        let mut command = program();
        command.args(args.split(' ')).stdin(Stdio::null()).stdout(output).stderr(Stdio::null());
        let child = Running::start(&mut command);
        drop(command);
        wait_until("the match has games", || has_games(&store));
        // A terminal and a parent both send it.
        let sent = Instant::now();
        child.send(signal);
        child.send(signal);
        let is_once = sent.elapsed() < Duration::from_millis(20);
        thread::sleep(Duration::from_millis(500));
        assert!(!child.has_ended() || !is_once, "the first one ends it, and the same at once is no other one");
        child.send(signal);
        assert_eq!(child.wait().code(), Some(code));
        drop(unread);
        filling.join().unwrap();
    });
}
