//! Programs that misbehave lose with a stated cause, and nothing of them is left.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::common::{boughs, json, ran};
use crate::process::{side_by_side, wait_until};

/// A program that plays the first legal move, with its own answers to `ready` and to `go`. In it `$0` is a number that
/// no other process names, and a number of seconds longer than any test.
pub(super) struct Script {
    pub(super) text: String,
    pub(super) tag: String,
}

impl Script {
    pub(super) fn of(ready: &str, go: &str) -> Script {
        static SCRIPTS: AtomicU32 = AtomicU32::new(0);

        let tag = format!("{}{:03}", std::process::id(), SCRIPTS.fetch_add(1, Relaxed));
        let text = format!(
            "while read -r word rest; do case $word in ready) {ready};; legal) set -- $rest; first=$1;; \
             go) {go};; end) exit;; esac; done"
        );
        Script { text, tag }
    }

    /// The contestant.
    pub(super) fn name(&self) -> String {
        format!("cmd:{}", shlex::try_join(["sh", "-c", &self.text, &self.tag]).unwrap())
    }

    /// Waits until no process has the tag in its command line: what was killed needs a moment to be gone.
    pub(super) fn assert_gone(&self) {
        // The match itself has it in the name of the contestant.
        let is_there = || commands().any(|command| command.contains(&self.tag) && !command.contains("cmd:"));
        wait_until(&format!("nothing is left of {}", self.text), || !is_there());
    }

    /// Returns true if it sleeps for as many seconds as its tag says.
    pub(super) fn sleeps(&self) -> bool {
        commands().any(|command| command == format!("sleep {} ", self.tag))
    }
}

/// The command lines of all processes, with a space after each word. Only Linux tells.
fn commands() -> impl Iterator<Item = String> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let commands = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    commands.map(|command| String::from_utf8_lossy(&command).replace('\0', " "))
}

const SAYS: &str = "echo ready";
const MOVES: &str = "echo $first";

/// The answers of a program to `ready` and `go`, the name of its fault, and the sentence about it.
type Fault = (&'static str, &'static str, &'static str, &'static str);

const FAULTS: &[Fault] = &[
    ("exit 3", MOVES, "not started", "it ended before it was ready (exit status: 3)"),
    ("echo hello", MOVES, "not started", "it said 'hello' where docs/PROTOCOL.md asks for 'ready'"),
    (
        SAYS,
        "echo one >&2; echo two >&2; exit 0",
        "exited",
        "ended before it answered (exit status: 0), and said last 'two'",
    ),
    (SAYS, "kill -SEGV $$", "exited", "ended before it answered (signal: 11"),
    (SAYS, "exec cat /dev/zero", "flooded", "wrote more than it was asked for"),
    (SAYS, "echo xyzzy", "illegal", "answered 'xyzzy', which is not a legal move; legal are "),
    (SAYS, "sleep $0 & (sleep $0 &); echo 10", "illegal", "answered '10'"),
];

/// Programs that say nothing. The last one does not read either.
const SILENT: &[Fault] = &[
    (SAYS, "trap '' TERM INT HUP; sleep $0; sleep $0", "late", "was late: no answer after"),
    ("echo ready; exec sleep $0", MOVES, "late", "was late: no answer after"),
];

fn lose(faults: &[Fault], limit: &[&str]) {
    side_by_side(faults, |(ready, go, name, says)| {
        let script = Script::of(ready, go);
        let play = |more: &[&str]| {
            let mut command = boughs();
            command.args(["match", "tictactoe", &script.name(), "mcts", "--concurrency", "1"]).args(limit);
            let out = ran(command.args(more)).expect();
            script.assert_gone();
            out
        };
        let result = json(&play(&["--games", "1", "--json"]));
        assert_eq!((&result["games"]["losses"], &result["unpaired"]), (&2.into(), &0.into()), "{go}: {result}");
        assert_eq!(result["sides"][0]["faults"], serde_json::json!({ *name: 2 }), "{go}: {result}");
        let fault = result["sides"][0]["last_fault"].as_str().unwrap();
        let when = if *name == "not started" { "in game 1 it " } else { "in game 1 at move 2 it " };
        assert!(fault.starts_with(when) && fault.contains(says), "{go}: {fault}");
        let no_elo = serde_json::json!({ "unknown": { "why": "every game ended by a fault" } });
        assert_eq!((&result["elo"], &result["normalised_elo"]), (&no_elo, &no_elo), "{go}: {result}");
        let warnings = result["warnings"].to_string();
        assert!(warnings.contains(&format!("A lost games by what it did ({name} 2)")), "{warnings}");
        assert_eq!(warnings.contains("; --grace TIME allows"), *name == "late", "{warnings}");
        let text = play(&["--only", "0"]);
        assert!(text.contains("seat 1 ") && text.contains(says) && text.contains("mcts, gets 1"), "{go}: {text}");
    });
}

#[test]
fn a_program_that_breaks_the_rules_loses_with_the_cause_and_nothing_of_it_is_left() {
    // Playouts for each move set no limit of time.
    lose(FAULTS, &["--iterations", "20"]);
}

#[test]
fn a_program_that_does_not_answer_loses_by_that_and_nothing_of_it_is_left() {
    lose(SILENT, &["--time", "20ms", "--grace", "200ms"]);
}

#[test]
fn games_that_all_end_by_faults_give_no_rating_and_decide_no_test() {
    let name = Script::of(SAYS, "echo two >&2; exit 3").name();
    let play = |args: &[&str]| ran(boughs().args(args).args(["--iterations", "20"])).expect();
    let test = play(&["match", "tictactoe", &name, "mcts", "--sprt", "0,50", "--games", "2"]);
    assert!(test.contains("every game ended by a fault, so the test says nothing of strength"), "{test}");
    assert!(test.contains("said last 'two'; --only N plays game N again and shows its standard error"), "{test}");
    let ratings = play(&["tournament", "tictactoe", &name, "mcts", "flat", "--rounds", "1"]);
    let rated = ratings.lines().filter(|line| line.contains("unknown (every game ended by a fault)")).count();
    assert_eq!((rated, ratings.matches("lost games by what it did (exited 4)").count()), (1, 1), "{ratings}");
}

#[test]
fn a_program_that_is_never_ready_ends_the_match() {
    for (start, says) in
        [("exit 3", "; try"), ("echo one >&2; echo two >&2; echo >&2; exit 3", ", and said last 'two'; try")]
    {
        let script = Script::of(start, MOVES);
        let mut command = boughs();
        command.args(["match", "tictactoe", "mcts", &script.name(), "--iterations", "20", "--games", "100"]);
        let sentence = ran(&mut command).expect_failure(2);
        let why = "was not started in 3 games in a row: it ended before it was ready (exit status: 3)";
        assert!(sentence.contains(&format!("{why}{says}")), "{sentence}");
        script.assert_gone();
    }
}

#[test]
fn a_program_that_plays_by_the_rules_may_leave_children_and_write_to_standard_error() {
    let script = Script::of("sleep $0 & echo ready", "echo thinking >&2; echo '[PDATA] rollouts = 7' >&2; echo $first");
    let play = |more: &[&str]| {
        let mut command = boughs();
        command.args(["match", "tictactoe", "mcts", &script.name(), "--iterations", "50"]).args(more);
        let out = ran(&mut command).expect();
        script.assert_gone();
        out
    };
    let result = json(&play(&["--games", "2", "--json"]));
    assert_eq!(result["sides"][1]["faults"], serde_json::json!({}), "{result}");
    assert_eq!(result["sides"][1]["columns"], serde_json::json!({ "rollouts": 7.0 }));
    let text = play(&["--only", "1"]);
    assert!(text.contains("seat 1 on standard error:\nthinking\n"), "{text}");
}

/// Returns true if a terminal would obey a character of a text.
fn controls(text: &str) -> bool {
    text.chars().any(|c| boughs_arena::is_active(c) && c != '\n')
}

#[test]
fn a_program_cannot_control_the_terminal() {
    let says = r"printf '[PDATA] \033[2J\302\233name = 3\n\033]0;title\007 \033[1mbold \342\200\256\r\n' >&2";
    let names = Script::of("echo ready", &format!("{says}; echo $first"));
    let answers = Script::of("echo ready", r"printf '\033[2J\302\233\n'");
    let starts = Script::of(r"printf '\033[2J\n' >&2; exit 3", "");
    for (script, more, says, escaped) in [
        (&names, "--games 2", r"\u{1b}[2J\u{9b}name 3.0", r"\u{1b}[2J\u{9b}name 3.0"),
        (&names, "--games 2 --json", "name", r"\u001b[2J\u009bname"),
        (&names, "--only 0", "bold", r"\u{1b}]0;title\u{7} \u{1b}[1mbold \u{202e}"),
        (&names, "--only 0 --json", "bold", r"\u001b]0;title\u0007 \u001b[1mbold \u202e"),
        (&answers, "--games 2", "illegal 2", r"answered '\u{1b}[2J\u{9b}'"),
        (&answers, "--only 0", "not a legal move", r"answered '\u{1b}[2J\u{9b}'"),
        (&starts, "--games 100", "said last", r"'\u{1b}[2J'"),
    ] {
        let mut command = boughs();
        command.args(["match", "tictactoe", &script.name(), "mcts", "--iterations", "20"]).args(more.split(' '));
        let shown = ran(&mut command);
        let all = shown.out + &shown.err;
        // The script itself stands in the results, with its octal numbers.
        assert!(all.contains(says) && all.contains(escaped) && !controls(&all), "{more}: {all:?}");
    }
}

#[test]
fn programs_are_told_no_limit_but_that_of_their_match() {
    let script = Script::of("echo ready", "echo \"[PDATA] time = ${BOUGHS_TIME_MS:-7}\" >&2; echo $first");
    for (limit, time) in [("--iterations 5", 7.0), ("--time 1500ms", 1500.0)] {
        let mut command = boughs();
        command.args(["match", "tictactoe", &script.name(), "random", "--games", "2", "--json"]).args(limit.split(' '));
        let result = json(&ran(command.env("BOUGHS_TIME_MS", "5")).expect());
        assert_eq!(result["sides"][0]["columns"]["time"], time, "{limit}: {result}");
    }
}
