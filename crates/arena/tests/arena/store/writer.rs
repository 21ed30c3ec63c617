//! A process that writes games, to be killed or starved: this test program, run with a task in its environment.

use std::collections::BTreeSet;
use std::env;
use std::io::{BufRead, Write};
use std::ops::Range;
use std::path::Path;
use std::process::Command;

use boughs_arena::{Added, Store};

use super::{game, key};
use crate::process::{Running, piped};

const PATH: &str = "BOUGHS_STORE_WRITER_PATH";
const SEED: &str = "BOUGHS_STORE_WRITER_SEED";
const NUMBERS: &str = "BOUGHS_STORE_WRITER_NUMBERS";

/// The arguments of a test that is a process of its own. With one thread, as on a machine of one core, the harness
/// would write the name of the test on the first line of its output.
pub(crate) const AS_A_PROCESS: [&str; 3] = ["--exact", "--nocapture", "--test-threads=2"];

/// A command that adds the games of these numbers to the event of this seed, unless the store has them.
pub(crate) fn command(path: &Path, seed: u64, numbers: Range<u64>) -> Command {
    with_task(Command::new(env::current_exe().unwrap()), path, seed, numbers)
}

/// A command as [`command`], which may write no file beyond this number of blocks. A block is 512 or 1024 bytes, by
/// shell.
#[cfg(unix)]
pub(crate) fn starved_command(path: &Path, seed: u64, numbers: Range<u64>, blocks: u32) -> Command {
    let mut shell = Command::new("sh");
    // Without the trap the signal for a file too large would kill the process before it saw the error.
    let script = format!(r#"trap "" XFSZ; ulimit -f {blocks}; exec "$0" "$@""#);
    shell.args(["-c", &script]).arg(env::current_exe().unwrap());
    with_task(shell, path, seed, numbers)
}

/// The process, and the lines it has written.
pub(crate) struct Writer {
    process: Running,
    said: Said,
}

#[derive(Default)]
pub(crate) struct Said {
    /// Games that the process added.
    pub(crate) new: BTreeSet<u64>,
    /// Games that the store had already.
    pub(crate) there: BTreeSet<u64>,
    /// True if the process has no more games to add.
    pub(crate) is_done: bool,
    pub(crate) error: Option<String>,
}

impl Writer {
    pub(crate) fn start(mut command: Command) -> Writer {
        Writer { process: Running::start(piped(&mut command)), said: Said::default() }
    }

    /// Waits for the next line about a game. Returns false if the process ended instead.
    pub(crate) fn wait_for_word(&mut self) -> bool {
        for line in self.process.output.as_mut().unwrap().lines().map_while(Result::ok) {
            match line.split_once(' ').unwrap_or((&line, "")) {
                ("new", number) => self.said.new.insert(number.parse().unwrap()),
                ("there", number) => self.said.there.insert(number.parse().unwrap()),
                ("done", _) => std::mem::replace(&mut self.said.is_done, true),
                ("error", sentence) => self.said.error.replace(sentence.to_string()).is_none(),
                // A line of the test harness.
                _ => continue,
            };
            return true;
        }
        false
    }

    /// Kills the process, so that it has no chance to tidy up.
    pub(crate) fn kill(self) -> Said {
        self.process.kill();
        self.finish()
    }

    /// Waits for the end of the process.
    pub(crate) fn finish(mut self) -> Said {
        drop(self.process.input.take());
        while self.wait_for_word() {}
        self.process.wait();
        self.said
    }
}

fn with_task(mut command: Command, path: &Path, seed: u64, numbers: Range<u64>) -> Command {
    command.arg("store::writer::writer").args(AS_A_PROCESS);
    command.env(PATH, path).env(SEED, seed.to_string()).env(NUMBERS, format!("{} {}", numbers.start, numbers.end));
    command
}

/// The task of the other process. Without a task in the environment the test does nothing.
#[test]
fn writer() {
    let Some(path) = env::var_os(PATH) else { return };
    let [seed, numbers] = [SEED, NUMBERS].map(|name| env::var(name).unwrap());
    let (from, to) = numbers.split_once(' ').unwrap();
    let numbers = from.parse().unwrap()..to.parse().unwrap();
    let mut says = std::io::stdout();
    let write = || {
        let mut store = Store::open(&path)?;
        let event = store.event(&key(seed.parse().unwrap()))?;
        let played = store.numbers(event)?;
        for number in numbers.filter(|&number| !played.contains(number)) {
            let word = match store.add(event, &game(number), "boughs replay")? {
                Added::New => "new",
                Added::AlreadyThere => "there",
            };
            writeln!(says, "{word} {number}").unwrap();
        }
        writeln!(says, "done").unwrap();
        // The process keeps the file open until it is killed, or allowed to end.
        std::io::stdin().read_line(&mut String::new()).unwrap();
        store.close()
    };
    if let Err(error) = write() {
        writeln!(says, "error {error}").unwrap();
    }
}
