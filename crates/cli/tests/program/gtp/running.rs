//! Analyses, interrupts and pondering: lines that come while the program searches.

use std::thread::sleep;
use std::time::Duration;

use super::answers;
use crate::common::{self, run_with_input};
use crate::process::{Running, wait_until};

/// Starts the program.
fn start(args: &str) -> Running {
    common::start(&format!("gtp {args}"))
}

/// Ends the program, and returns the rest of its output.
fn end(program: Running) -> String {
    let output = program.finish();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn an_analysis_goes_on_until_the_next_line() {
    let mut program = start("go:size=5");
    for (command, win_rate) in [("lz-analyze b 5", "0000"), ("kata-analyze 5", "."), ("analyze b interval 5", ".")] {
        program.say(command);
        assert_eq!(program.line(), "=", "{command}");
        for _ in 0..3 {
            let line = program.line();
            assert!(line.starts_with("info move ") && line.contains(" visits ") && line.contains(" pv "), "{line}");
            let rate = line.split(" winrate ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a win rate");
            let is_whole = rate.parse::<u16>().is_ok_and(|rate| rate <= 10_000);
            assert!(if win_rate == "." { rate.contains('.') } else { is_whole }, "{command}: {rate}");
        }
        program.say("7 protocol_version");
        let rest = std::iter::repeat_with(|| program.line()).find(|line| !line.starts_with("info "));
        assert_eq!(rest.as_deref(), Some(""), "{command}");
        assert_eq!([program.line(), program.line()], ["=7 2", ""], "{command}");
    }
    program.say("kata-analyze maxmoves 2 rootInfo true pvVisits true interval 1");
    assert_eq!(program.line(), "=");
    let line = program.line();
    assert_eq!(line.matches("info move ").count(), 2, "{line}");
    assert!(line.contains(" rootInfo visits ") && line.contains(" pvVisits "), "{line}");
    // Any line ends it, an empty one too.
    program.say("");
    while !program.line().is_empty() {}
    program.say("lz-analyze b 10 avoid b C3 1");
    assert_eq!([program.line(), program.line()], ["? this engine searches all moves and does not know 'avoid'", ""]);
    // The other colour is analysed too, and the turn stays as it was.
    program.say("lz-analyze w 5");
    assert!(program.line() == "=" && program.line().starts_with("info move "));
    program.say("gogui-rules_side_to_move");
    let rest = std::iter::repeat_with(|| program.line()).find(|line| !line.starts_with("info "));
    assert_eq!((rest.as_deref(), program.line().as_str(), program.line().as_str()), (Some(""), "= black", ""));
    program.say("genmove b\nlz-analyze 5");
    assert!(program.line().len() >= 4);
    assert_eq!([program.line(), program.line()], ["", "="]);
    assert!(end(program).ends_with("\n\n"), "the end of the input ends an analysis");
}

#[test]
fn a_move_is_shown_while_it_is_searched() {
    assert_eq!(answers("hex:size=3", "5 lz-genmove_analyze w\n"), ["?5 illegal move: it is not the turn of white"]);
    assert_eq!(answers("hex:size=3 --agent random", "lz-genmove_analyze b\n")[0].lines().count(), 2);
    for command in ["genmove_analyze b 5", "lz-genmove_analyze b 5", "kata-genmove_analyze b interval 5"] {
        let out = run_with_input("gtp go:size=5 --time 300ms", format!("3 {command}\nfinal_score\n")).expect();
        let lines: Vec<&str> = out.lines().collect();
        let infos = lines.iter().filter(|line| line.starts_with("info move ")).count();
        assert!(infos >= 1 && lines[0] == "=3", "{out}");
        assert_eq!(lines.len(), infos + 5, "{out}");
        assert!(lines[infos + 1].starts_with("play ") && lines[infos + 2].is_empty(), "{out}");
    }
}

#[test]
fn a_client_interrupts_a_move() {
    let mut program = start("go --time 1h");
    program.say("gogui-interrupt");
    assert_eq!([program.line(), program.line()], ["=", ""]);
    program.say("genmove b");
    program.say("# interrupt");
    assert!(program.line().len() >= 4);
    end(program);
    // A line that interrupts nothing waits for its turn.
    let mut program = start("go --time 500ms");
    program.say("genmove b\nname");
    assert!(program.line().len() >= 4);
    assert_eq!([program.line(), program.line()], ["", "= Boughs"]);
    end(program);
}

/// A time in which a program would ponder, if it did.
const A_WHILE: Duration = Duration::from_millis(300);

/// Asks for the visits of all moves, and adds them up.
fn visits(program: &mut Running) -> u64 {
    program.say("boughs-visits");
    let said = [program.line(), program.line(), program.line()].concat();
    let labels = said.split("LABEL ").nth(1).unwrap_or_default();
    labels.split(' ').filter_map(|number| number.parse::<u64>().ok()).sum()
}

#[test]
fn a_program_that_ponders_thinks_while_the_other_does() {
    let after_a_move = |args: &str| {
        let mut program = start(&format!("connect4 --iterations 100 {args}"));
        program.say("genmove b");
        assert!(program.line().len() == 4 && program.line().is_empty());
        program
    };
    let mut program = after_a_move("");
    sleep(A_WHILE);
    assert!(visits(&mut program) <= 100);
    end(program);
    let mut program = after_a_move("--ponder");
    wait_until("it ponders", || visits(&mut program) > 100);
    end(program);
}

#[test]
fn a_program_ponders_on_after_a_command_that_is_no_move() {
    let mut program = start("connect4 --iterations 100 --ponder");
    let after = |program: &mut Running, command: &str| {
        program.say(command);
        while !program.line().is_empty() {}
        visits(program)
    };
    let ponders_after = |program: &mut Running, command: &str| {
        let before = after(program, command);
        wait_until(&format!("it ponders after {command}"), || visits(program) > before);
    };
    ponders_after(&mut program, "genmove b");
    let no_moves = ["showboard", "cputime", "time_left w 10 0", "unknown", "12", "play w z9", "gogui-rules_board"];
    for command in no_moves {
        ponders_after(&mut program, command);
    }
    for command in ["play w A1", "undo", "undo", "clear_board", "showboard"] {
        let before = after(&mut program, command);
        sleep(A_WHILE);
        assert_eq!(visits(&mut program), before, "{command}");
    }
    ponders_after(&mut program, "genmove b");
    end(program);
}

#[test]
fn an_analysis_ends_when_its_output_is_closed() {
    let mut program = start("go:size=5");
    program.say("lz-analyze 1");
    assert!(program.line() == "=" && program.line().starts_with("info "));
    drop(program.output.take());
    // The input stays open, so nothing else ends it.
    assert_eq!(program.wait().code(), Some(2));
}
