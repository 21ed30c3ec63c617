//! Analyses, interrupts and pondering: lines that come while the program searches.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use super::answers;
use crate::common::{end_of, run_with_input};

/// The program while it runs.
struct Running {
    program: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn start(args: &str) -> Running {
        let mut program = Command::new(env!("CARGO_BIN_EXE_boughs"))
            .arg("gtp")
            .args(args.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (input, output) = (program.stdin.take(), program.stdout.take());
        let (input, output) = (input.expect("an input"), BufReader::new(output.expect("an output")));
        Running { program, input, output }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the program reads");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the program writes");
        line.trim_end().to_string()
    }

    /// Closes the input and returns the rest of the output.
    fn end(mut self) -> String {
        drop(self.input);
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("the program writes");
        assert!(self.program.wait().expect("the program ends").success());
        rest
    }
}

#[test]
fn an_analysis_goes_on_until_the_next_line() {
    let mut program = Running::start("go:size=5");
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
    assert!(program.end().ends_with("\n\n"), "the end of the input ends an analysis");
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
    let begun = Instant::now();
    let mut program = Running::start("go --time 50s");
    program.say("gogui-interrupt");
    assert_eq!([program.line(), program.line()], ["=", ""]);
    program.say("genmove b");
    program.say("# interrupt");
    assert!(program.line().len() >= 4);
    program.end();
    // A line that interrupts nothing waits for its turn.
    let mut program = Running::start("go --time 500ms");
    program.say("genmove b\nname");
    assert!(program.line().len() >= 4);
    assert_eq!([program.line(), program.line()], ["", "= Boughs"]);
    program.end();
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_program_that_ponders_thinks_while_the_other_does() {
    let searched = |args: &str| {
        let mut program = Running::start(&format!("connect4 --iterations 100 {args}"));
        program.say("genmove b");
        assert!(program.line().len() == 4 && program.line().is_empty());
        std::thread::sleep(Duration::from_millis(300));
        program.say("boughs-visits");
        let visits = program.line() + &program.line();
        program.end();
        let numbers = visits.split("LABEL ").nth(1).expect("labels").split(' ');
        numbers.filter_map(|number| number.parse::<u64>().ok()).sum::<u64>()
    };
    assert!(searched("") <= 100);
    assert!(searched("--ponder") > 100);
}

#[test]
fn a_program_ponders_on_after_a_command_that_is_no_move() {
    let mut program = Running::start("connect4 --iterations 100 --ponder");
    let visits = |program: &mut Running| {
        program.say("boughs-visits");
        let said = [program.line(), program.line(), program.line()];
        let numbers = said[1].split(' ').filter_map(|number| number.parse::<u64>().ok());
        numbers.sum::<u64>()
    };
    let mut ponders_after = |command: &str| {
        program.say(command);
        while !program.line().is_empty() {}
        let before = visits(&mut program);
        std::thread::sleep(Duration::from_millis(300));
        visits(&mut program) > before
    };
    assert!(ponders_after("genmove b"));
    let no_moves = ["showboard", "cputime", "time_left w 10 0", "unknown", "12", "play w z9", "gogui-rules_board"];
    for command in no_moves {
        assert!(ponders_after(command), "{command}");
    }
    for command in ["play w A1", "undo", "undo", "clear_board", "showboard"] {
        assert!(!ponders_after(command), "{command}");
    }
    assert!(ponders_after("genmove b"));
    program.end();
}

#[test]
fn an_analysis_ends_when_its_output_is_closed() {
    let mut program = Running::start("go:size=5");
    program.say("lz-analyze 1");
    assert!(program.line() == "=" && program.line().starts_with("info "));
    drop(program.output);
    // The input stays open, so nothing else ends it.
    assert_eq!(end_of(&mut program.program), Some(2));
    drop(program.input);
}
