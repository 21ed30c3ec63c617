//! Ctrl-C, SIGTERM, SIGHUP and SIGQUIT end a search with what it has found, and everything else with one sentence. The
//! exit code tells the signal.

use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::json;

/// Starts the program with arguments separated by spaces.
pub(crate) fn start(args: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_boughs"))
        .args(args.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns true if the process has a thread that searches.
fn is_searching(process: u32) -> bool {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).unwrap();
    let name = |task: std::io::Result<std::fs::DirEntry>| std::fs::read_to_string(task.ok()?.path().join("comm")).ok();
    tasks.filter_map(name).any(|name| name.trim() == "boughs-0")
}

/// Interrupts the child while it searches.
pub(crate) fn interrupt(child: Child) -> Output {
    end_by(Signal::INT, child)
}

/// Sends the child a signal while it searches.
fn end_by(signal: Signal, child: Child) -> Output {
    let process = child.id();
    end_when(signal, child, || is_searching(process))
}

/// Interrupts the child soon after it has come so far.
pub(crate) fn interrupt_when(child: Child, is_time: impl Fn() -> bool) -> Output {
    end_when(Signal::INT, child, is_time)
}

/// Sends the child a signal soon after it has come so far.
pub(crate) fn end_when(signal: Signal, child: Child, is_time: impl Fn() -> bool) -> Output {
    let started = Instant::now();
    while !is_time() {
        assert!(started.elapsed() < Duration::from_secs(30), "the program never came so far");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Long enough for a playout.
    std::thread::sleep(Duration::from_millis(100));
    kill_process(Pid::from_child(&child), signal).unwrap();
    child.wait_with_output().unwrap()
}

/// The signals that end a command, and the exit codes of the command then.
pub(crate) const SIGNALS: [(Signal, i32); 4] =
    [(Signal::INT, 130), (Signal::TERM, 143), (Signal::HUP, 129), (Signal::QUIT, 131)];

#[test]
fn an_analysis_prints_what_it_has_found_so_far() {
    for (signal, code) in SIGNALS {
        let output = end_by(signal, start("analyze connect4 --time 1h --json --no-early-stop"));
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let found = json(&String::from_utf8(output.stdout).unwrap());
        assert_eq!(found["stop"], "stopped");
        assert!(found["best"].is_string() && found["iterations"].as_u64() > Some(0), "{found}");
    }
}

#[test]
fn a_command_under_nohup_outlives_its_terminal_and_one_in_the_background_its_keys() {
    let boughs = env!("CARGO_BIN_EXE_boughs");
    let line = format!("trap '' HUP INT QUIT; exec {boughs} analyze connect4 --time 2s --json --no-early-stop");
    for signal in [Signal::HUP, Signal::INT, Signal::QUIT] {
        let child = Command::new("sh").args(["-c", &line]).stdout(Stdio::piped()).spawn().unwrap();
        let output = end_by(signal, child);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(json(&String::from_utf8(output.stdout).unwrap())["stop"], "time");
    }
}

/// Starts a game in which the engine thinks first, and returns it with its input still open.
fn start_game() -> Child {
    start("play connect4 --time 1h --first engine")
}

#[test]
fn ctrl_c_makes_a_thinking_engine_move_at_once_and_the_other_signals_end_the_game() {
    let mut child = start_game();
    // Standard input ends when the child is waited for, and the game with it.
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("engine plays "));
    for (signal, code) in SIGNALS.into_iter().skip(1) {
        child = start_game();
        let input = child.stdin.take();
        let output = end_by(signal, child);
        drop(input);
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(code), &b""[..]), "{output:?}");
        assert!(!String::from_utf8(output.stdout).unwrap().contains("engine plays "));
    }
}

#[test]
fn every_signal_leaves_a_game_in_which_a_move_is_awaited() {
    for (signal, code) in SIGNALS {
        let mut child = start("play connect4 --time 10ms");
        let input = child.stdin.take();
        let begun = Instant::now();
        let output = end_when(signal, child, || begun.elapsed() > Duration::from_secs(1));
        drop(input);
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(code), &b""[..]), "{output:?}");
        assert!(String::from_utf8(output.stdout).unwrap().ends_with('\n'));
    }
}

#[test]
fn any_other_command_ends_with_one_sentence() {
    for (signal, code) in SIGNALS {
        let output = end_by(signal, start("bench othello --iterations 1000000000"));
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(code), &b""[..]), "{output:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "boughs: interrupted before there was a result\n");
    }
}
