//! A terminal shows a live line while a search goes on, and colours unless NO_COLOR is set. A pipe gets neither.

use std::fs::File;
use std::io::Read;

use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::common::{program, run};
use crate::process::Running;

/// Runs the program in a terminal of its own and returns all that was written to it.
fn in_terminal(args: &str, no_color: &str) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    tcsetwinsize(&terminal, Winsize { ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap();
    let end = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let mut command = program();
    command.args(args.split(' ')).env("TERM", "xterm").env("NO_COLOR", no_color);
    command.stdin(end.try_clone().unwrap()).stdout(end.try_clone().unwrap()).stderr(end);
    let child = Running::start(&mut command);
    // The copies of the program's end are closed with it, and reading then ends with an error.
    drop(command);
    let (mut written, mut bytes) = (File::from(terminal), Vec::new());
    let _ = written.read_to_end(&mut bytes);
    assert_eq!(child.wait().code(), Some(0));
    String::from_utf8(bytes).unwrap()
}

const ANALYZE: &str = "analyze connect4 --time 400ms --no-early-stop";

#[test]
fn a_live_line_shows_how_the_search_goes() {
    for agent in ["mcts", "flat"] {
        let shown = in_terminal(&format!("{ANALYZE} --agent {agent}"), "");
        let live = shown.split(" move ").next().unwrap();
        assert!(live.contains("playouts/s") && live.contains('%') && live.contains("B "), "{agent}: {shown:?}");
    }
}

#[test]
fn a_bar_shows_how_much_of_a_long_measurement_is_left() {
    let shown = in_terminal("stress connect4 --time 5ms --moves 60 --memory 16M", "");
    let live = shown.split("overrun ms").next().unwrap();
    assert!(live.contains("/60") && live.contains(" left") && live.contains("moves"), "{shown:?}");
}

#[test]
fn a_live_table_shows_the_cases_that_were_judged() {
    let shown =
        in_terminal("judge ahc015 --agent solution3:playouts=100 --seeds 0..4 --time 500ms --concurrency 1", "1");
    // The table in the end has four.
    assert!(shown.contains("/4 cases") && shown.matches("Score = ").count() > 4, "{shown:?}");
}

#[test]
fn a_slow_check_of_an_engine_tells_its_step() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let engine = folder.path().join("engine");
    let text = format!("#!/bin/sh\nsleep 3\nexec '{}' gtp tictactoe\n", env!("CARGO_BIN_EXE_boughs"));
    std::fs::write(&engine, text).unwrap();
    std::fs::set_permissions(&engine, std::fs::Permissions::from_mode(0o755)).unwrap();
    let args = format!("check-engine gtp:{} tictactoe --time 20ms --grace 2s", engine.display());
    let shown = in_terminal(&args, "1");
    assert!(shown.contains("step 1: answers protocol_version with 2"), "{shown:?}");
    assert!(shown.contains("16  passed   ends at quit"), "{shown:?}");
}

#[test]
fn the_best_move_is_coloured_unless_told_otherwise() {
    let green = "\u{1b}[38;5;10m";
    assert!(in_terminal(ANALYZE, "").contains(green), "{:?}", in_terminal(ANALYZE, ""));
    let plain = in_terminal(ANALYZE, "1");
    assert!(!plain.contains("\u{1b}[38") && !plain.contains("\u{1b}[1m"), "{plain:?}");
}

#[test]
fn a_pipe_gets_plain_text_and_no_live_line() {
    let text = run(ANALYZE).expect();
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn a_file_cannot_control_the_terminal_by_its_name_or_by_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().to_str().unwrap().to_string();
    let case = boughs_games::ahc015::Case::generate(1).to_string();
    std::fs::write(folder.path().join("a\u{1b}]0;title\u{7}\u{1b}[31m.txt"), case).unwrap();
    for no_color in ["", "1"] {
        let shown = in_terminal(&format!("judge ahc015 --agent solution2 --cases {place}"), no_color);
        assert!(shown.contains(r"a\u{1b}]0;title\u{7}\u{1b}[31m"), "{shown:?}");
        assert!(!shown.contains("\u{1b}]0") && !shown.contains("\u{1b}[31m"), "{shown:?}");
    }
}
