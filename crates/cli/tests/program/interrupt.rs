//! Ctrl-C ends a search with what it has found, and everything else with one sentence.

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
    let process = child.id();
    interrupt_when(child, || is_searching(process))
}

/// Interrupts the child soon after it has come so far.
pub(crate) fn interrupt_when(child: Child, is_time: impl Fn() -> bool) -> Output {
    let started = Instant::now();
    while !is_time() {
        assert!(started.elapsed() < Duration::from_secs(30), "the program never came so far");
        std::thread::sleep(Duration::from_millis(5));
    }
    // Long enough for a playout.
    std::thread::sleep(Duration::from_millis(100));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn an_analysis_prints_what_it_has_found_so_far() {
    let output = interrupt(start("analyze connect4 --time 1h --json --no-early-stop"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let found = json(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(found["stop"], "stopped");
    assert!(found["best"].is_string() && found["iterations"].as_u64() > Some(0), "{found}");
}

#[test]
fn a_thinking_engine_moves_at_once() {
    let output = interrupt(start("play connect4 --time 1h --first engine"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("engine plays "));
}

#[test]
fn any_other_command_ends_with_one_sentence() {
    let output = interrupt(start("bench othello --iterations 1000000000"));
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(2), &b""[..]), "{output:?}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "boughs: interrupted before there was a result\n");
}
