//! Ctrl-C, SIGTERM, SIGHUP and SIGQUIT end a search with what it has found, and everything else with one sentence. The
//! exit code tells the signal.

use std::io::Read;
use std::process::{Command, Output};
use std::time::Duration;

use crate::common::{json, start};
use crate::process::{Running, piped, side_by_side, wait_until, worked};

/// Returns true if the program has a thread that has searched for a while, long enough for a playout.
fn searches(program: &Running) -> bool {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", program.id())).unwrap();
    tasks.flatten().map(|task| task.path()).any(|task| {
        std::fs::read_to_string(task.join("comm")).is_ok_and(|name| name.trim() == "boughs-0")
            && worked(&task.join("stat")) >= Some(Duration::from_millis(50))
    })
}

/// Interrupts the program while it searches.
pub(crate) fn interrupt(program: Running) -> Output {
    end_when("INT", program, searches)
}

/// Sends the program a signal while it searches.
fn end_by(signal: &str, program: Running) -> Output {
    end_when(signal, program, searches)
}

/// Interrupts the program when it has come so far.
pub(crate) fn interrupt_when(program: Running, is_time: impl Fn(&Running) -> bool) -> Output {
    end_when("INT", program, is_time)
}

/// Sends the program a signal when it has come so far.
pub(crate) fn end_when(signal: &str, program: Running, is_time: impl Fn(&Running) -> bool) -> Output {
    wait_until("the program comes so far that a signal ends it", || is_time(&program));
    program.send(signal);
    program.finish()
}

/// The signals that end a command, and the exit codes of the command then.
pub(crate) const SIGNALS: [(&str, i32); 4] = [("INT", 130), ("TERM", 143), ("HUP", 129), ("QUIT", 131)];

#[test]
fn an_analysis_prints_what_it_has_found_so_far() {
    side_by_side(SIGNALS, |(signal, code)| {
        let output = end_by(signal, start("analyze connect4 --time 1h --json --no-early-stop"));
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let found = json(&String::from_utf8(output.stdout).unwrap());
        assert_eq!(found["stop"], "stopped");
        assert!(found["best"].is_string() && found["iterations"].as_u64() > Some(0), "{found}");
    });
}

#[test]
fn a_command_under_nohup_outlives_its_terminal_and_one_in_the_background_its_keys() {
    let boughs = env!("CARGO_BIN_EXE_boughs");
    let line = format!("trap '' HUP INT QUIT TERM; exec {boughs} analyze connect4 --time 2s --json --no-early-stop");
    let program = Running::start(piped(Command::new("sh").args(["-c", &line])));
    wait_until("the program searches", || searches(&program));
    for (signal, _) in SIGNALS {
        program.send(signal);
    }
    let output = program.finish();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(json(&String::from_utf8(output.stdout).unwrap())["stop"], "time");
}

/// Starts a game in which the engine thinks first.
fn start_game() -> Running {
    start("play connect4 --time 1h --first engine")
}

#[test]
fn ctrl_c_makes_a_thinking_engine_move_at_once_and_the_other_signals_end_the_game() {
    // Standard input ends when the game is waited for, and the game with it.
    let output = interrupt(start_game());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("engine plays "));
    side_by_side(&SIGNALS[1..], |&(signal, code)| {
        let mut game = start_game();
        let input = game.input.take();
        let output = end_by(signal, game);
        drop(input);
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(code), &b""[..]), "{output:?}");
        assert!(!String::from_utf8(output.stdout).unwrap().contains("engine plays "));
    });
}

#[test]
fn every_signal_leaves_a_game_in_which_a_move_is_awaited() {
    side_by_side(SIGNALS, |(signal, code)| {
        let mut game = start("play connect4 --time 10ms");
        game.say("no move");
        while !game.line().contains("is not a legal move") {}
        game.send(signal);
        let input = game.input.take();
        let output = game.finish();
        drop(input);
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(code), &b""[..]), "{output:?}");
        assert_eq!(output.stdout, b"\n");
    });
}

#[test]
fn any_other_command_ends_with_one_sentence() {
    side_by_side(SIGNALS, |(signal, code)| {
        let output = end_by(signal, start("bench othello --iterations 1000000000"));
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(code), &b""[..]), "{output:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "boughs: interrupted before there was a result\n");
    });
}

#[test]
fn a_command_that_has_printed_does_not_say_that_there_is_no_result() {
    // The pipe is full before all is printed, and the second signal ends the program.
    let search = "analyze nim --agent mcts:c=3 --iterations 100000 --no-early-stop --dot --tree 40";
    let mut analysis = start(search);
    let mut output = analysis.output.take().unwrap().into_inner();
    output.read_exact(&mut [0]).unwrap();
    analysis.send("TERM");
    analysis.send("INT");
    let mut count = start("check tictactoe --games 1 --perft 60");
    assert!(count.line().contains("is as it should be"));
    count.send("TERM");
    for program in [analysis, count] {
        program.wait();
        let output = program.finish();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code() > Some(128), said.as_str()), (true, "boughs: interrupted\n"));
    }
}
