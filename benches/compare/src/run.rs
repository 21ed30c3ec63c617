//! One run in a process of its own.
//!
//! The program starts itself again with `--run`, and the new process prints what it measured. So every engine starts
//! with a fresh heap, pays for every page it touches, and a crash ends one run only.

use std::path::Path;
use std::process::{Command, Stdio};

use boughs::Game;
use serde::{Deserialize, Serialize};

use crate::case::{Case, Measurement, measure};
use crate::counted::Counted;
use crate::engines::{self, BOUGHS, Outcome, Task};
use crate::position::seed_playouts;

/// One run.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) engine: &'static str,
    /// The program that makes the run with its own Boughs; `None` for this program.
    pub(crate) program: Option<&'static Path>,
    pub(crate) case: Case,
    pub(crate) threads: usize,
    pub(crate) seed: u64,
    /// True if random games are counted, which costs time.
    pub(crate) count: bool,
}

/// The answer of a process about its run.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    /// By how much the most memory this process had at any time grew; `None` where the system does not tell.
    pub(crate) bytes: Option<u64>,
    /// Random games that were played, if they were counted.
    pub(crate) games: Option<u64>,
}

impl Job {
    /// Runs it in another process.
    ///
    /// # Errors
    /// One sentence about the fault there.
    pub(crate) fn run(&self) -> Result<Answer, String> {
        let mut command = match self.program {
            Some(program) => Command::new(program),
            None => {
                Command::new(std::env::current_exe().map_err(|error| format!("this program cannot be found: {error}"))?)
            }
        };
        let engine = self.program.map_or(self.engine, |_| BOUGHS);
        command.args(["--run", engine, "--case", &self.case.to_string()]);
        command.args(["--threads", &self.threads.to_string(), "--seed", &self.seed.to_string()]);
        command.args(self.count.then_some("--count")).stdin(Stdio::null());
        let output = command.output().map_err(|error| format!("the program cannot be started: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
            return Err(format!("{}: {}", output.status, said.trim_start_matches("boughs-compare: ")));
        }
        serde_json::from_slice(&output.stdout).map_err(|error| format!("its answer cannot be read: {error}"))
    }
}

/// Runs a job in this process, and prints the answer.
///
/// # Errors
/// One sentence about the fault.
pub(crate) fn answer(job: &Job) -> Result<(), String> {
    seed_playouts(job.seed);
    let answer = measure(job.case.game, Here(job))??;
    println!("{}", serde_json::to_string(&answer).map_err(|error| error.to_string())?);
    Ok(())
}

struct Here<'j>(&'j Job);

impl Measurement for Here<'_> {
    type Output = Result<Answer, String>;

    fn of<G: Game>(self, start: G) -> Self::Output {
        let &Job { engine, ref case, threads, seed, count, .. } = self.0;
        let task = Task { playouts: case.playouts, threads, seed };
        if count {
            let start = Counted::of(start);
            let outcome = engines::run(engine, &start, &task)?;
            return Ok(Answer { outcome, bytes: None, games: Some(start.playouts()) });
        }
        let before = most_memory();
        let outcome = engines::run(engine, &start, &task)?;
        let bytes = before.zip(most_memory()).map(|(before, after)| after - before);
        Ok(Answer { outcome, bytes, games: None })
    }
}

/// The most memory in bytes that this process had at any time so far, under Linux. Unlike an allocator that counts, it
/// costs a search nothing, and sees what an engine takes from the system past the allocator, as Boughs does.
fn most_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_that_is_touched_is_seen() {
        let before = most_memory().unwrap();
        let block = std::hint::black_box(vec![1u8; 256 << 20]);
        let grown = most_memory().unwrap() - before;
        // Other tests may free and take memory meanwhile.
        assert!(grown >= 128 << 20, "{grown} bytes for {}", block.len());
    }

    #[test]
    fn counted_games_are_those_that_were_asked_for() {
        let case = "othello:500".parse().unwrap();
        let job = Job { engine: "treant", program: None, case, threads: 1, seed: 3, count: true };
        let answer = measure("othello", Here(&job)).unwrap().unwrap();
        assert_eq!((answer.games, answer.outcome.playouts), (Some(500), 500));
    }
}
