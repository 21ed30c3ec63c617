//! Running the program and reading what it says.

use assert_cmd::Command;
use boughs_games::entries;

use crate::process::{PATIENCE, Running, heeding, piped};

/// The outcome of a run of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The program, which is given up after a while.
pub(crate) fn boughs() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boughs"));
    command.timeout(PATIENCE);
    command
}

/// The program, which heeds all signals.
pub(crate) fn program() -> std::process::Command {
    heeding(env!("CARGO_BIN_EXE_boughs"))
}

/// Starts the program with arguments separated by spaces.
pub(crate) fn start(args: &str) -> Running {
    Running::start(piped(program().args(args.split_whitespace())))
}

/// Runs the program with arguments separated by spaces.
pub(crate) fn run(args: &str) -> Ran {
    ran(boughs().args(args.split_whitespace()))
}

/// Runs the program with this on its standard input.
pub(crate) fn run_with_input(args: &str, input: impl Into<Vec<u8>>) -> Ran {
    ran(boughs().args(args.split_whitespace()).write_stdin(input))
}

/// Runs a command.
pub(crate) fn ran(command: &mut Command) -> Ran {
    let output = command.output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    let ran = Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
    [&ran.out, &ran.err].into_iter().for_each(|text| assert_eq!(wrong_plurals(text), [""; 0], "{command:?}: {text}"));
    ran
}

/// The lines of a text that write one thing in the plural, such as `1 bytes`.
fn wrong_plurals(text: &str) -> Vec<&str> {
    const THINGS: &str = "actions bytes cards cases cores games kinds lines moves pairs playouts plies players points \
                          positions priors rounds searches seats sequences shards steps threads times values visits";
    let is_one = |word: &str| word.trim_start_matches(['(', '"', '[']) == "1";
    let is_thing =
        |word: &str| THINGS.split(' ').any(|thing| word.trim_end_matches([',', '.', ';', ')', '"']) == thing);
    let is_wrong = |line: &&str| {
        let words: Vec<&str> = line.split(' ').collect();
        words.windows(2).any(|pair| is_one(pair[0]) && is_thing(pair[1]))
    };
    text.lines().filter(is_wrong).collect()
}

impl Ran {
    /// Its output, if it succeeded.
    pub(crate) fn expect(self) -> String {
        assert!(self.code == Some(0) && self.err.is_empty(), "{self:?}");
        self.out
    }

    /// The sentence it failed with, and nothing else.
    pub(crate) fn expect_failure(self, code: i32) -> String {
        let Some(sentence) = self.err.strip_prefix("boughs: ") else { panic!("{self:?}") };
        assert_eq!((self.code, self.out.as_str(), self.err.lines().count()), (Some(code), "", 1), "{self:?}");
        sentence.trim_end().to_string()
    }
}

/// JSON that was printed.
pub(crate) fn json(text: &str) -> serde_json::Value {
    assert_eq!(text.lines().count(), 1, "JSON takes one line: {text}");
    serde_json::from_str(text).expect("what is printed is JSON")
}

/// The names of all games.
pub(crate) fn games() -> Vec<&'static str> {
    entries().iter().map(|entry| entry.name).collect()
}
