//! Programs made to misbehave, and checks that no process of them is left.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::{Duration, Instant};

use boughs_arena::{Bot, Contestant, Fault, Launch, Notes, Program};

/// A time long enough for everything that happens at all.
pub(crate) const AMPLE: Duration = Duration::from_secs(120);

/// A short time, for events that do not happen.
pub(crate) const SHORT: Duration = Duration::from_millis(100);

/// Makes a program of a command line.
pub(crate) fn program(words: &[&str]) -> Program {
    let command = shlex::try_join(words.iter().copied()).unwrap();
    match format!("cmd:{command}").parse() {
        Ok(Contestant::Program(program)) => program,
        other => panic!("{other:?} is no program"),
    }
}

/// A program of the shell on trial.
pub(crate) struct Trial {
    pub(crate) bot: Bot,
    tag: String,
}

impl Trial {
    /// Starts a script. Its `$0` is a number that no other process names, and a number of seconds that never ends.
    pub(crate) fn of(script: &str) -> Trial {
        static TRIALS: AtomicU32 = AtomicU32::new(0);

        let tag = format!("{}{:03}", std::process::id(), TRIALS.fetch_add(1, Relaxed));
        let program = program(&["sh", "-c", script, &tag]);
        Trial { bot: Bot::start(&Launch { program: &program, cores: &[], time: None }).unwrap(), tag }
    }

    /// Asks one question.
    pub(crate) fn ask(&mut self, allowed: Duration) -> Result<String, Fault> {
        self.bot.ask("go", allowed).map(|(answer, _)| answer)
    }

    /// Finishes the program and checks that no process is left.
    pub(crate) fn finish(self, patience: Duration) -> Notes {
        let notes = self.bot.finish(patience);
        assert_gone(&self.tag);
        notes
    }

    /// Drops the program, which would never end by itself, and checks that no process is left.
    pub(crate) fn drop(self) {
        drop(self.bot);
        assert_gone(&self.tag);
    }

    /// Finishes a program that leaves processes behind which cannot be found. Kills these and returns their command
    /// lines.
    #[cfg(target_os = "linux")]
    pub(crate) fn finish_with_rest(self, patience: Duration) -> Vec<String> {
        let _ = self.bot.finish(patience);
        let rest = living(&self.tag);
        for (process, _) in &rest {
            let _ = rustix::process::kill_process(*process, rustix::process::Signal::KILL);
        }
        assert_gone(&self.tag);
        rest.into_iter().map(|(_, command)| command).collect()
    }
}

/// Waits until no process has the tag in its command line. A killed process needs a moment to be gone.
fn assert_gone(tag: &str) {
    let begun = Instant::now();
    while !living(tag).is_empty() {
        assert!(begun.elapsed() < AMPLE, "{:?} are left", living(tag));
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Returns the processes with the tag in their command line.
#[cfg(target_os = "linux")]
fn living(tag: &str) -> Vec<(rustix::process::Pid, String)> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let named = processes.filter_map(|entry| {
        let process = rustix::process::Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)?;
        let command = std::fs::read(entry.path().join("cmdline")).ok()?;
        Some((process, String::from_utf8_lossy(&command).replace('\0', " ")))
    });
    named.filter(|(_, command)| command.contains(tag)).collect()
}

/// Returns no processes: only Linux lists them.
#[cfg(not(target_os = "linux"))]
fn living(_: &str) -> Vec<String> {
    Vec::new()
}

/// Returns true if the shell knows a command. Prints a line if it does not.
pub(crate) fn has(command: &str) -> bool {
    let status = std::process::Command::new("sh").args(["-c", &format!("command -v {command} >/dev/null")]).status();
    let is_there = status.unwrap().success();
    if !is_there {
        eprintln!("not tested: there is no {command} here");
    }
    is_there
}
