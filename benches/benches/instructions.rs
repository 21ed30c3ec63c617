//! Instructions of each step of a playout, counted by valgrind's callgrind: a noisy machine does not change them.
//!
//! The program starts itself under valgrind. Without valgrind it says so and does nothing.

use std::error::Error;
use std::process::Command;

use boughs::{Budget, SearchError, Settings};
use boughs_benches::{GAMES, start};

/// Playouts of the tree the steps are made in.
const GROWN: u64 = 50_000;
/// Traversals that make a step together.
const TOGETHER: usize = 20_000;
/// The engine's functions for the steps.
const STEPS: [&str; 5] = ["select", "expand", "play_out", "backpropagate", "whole"];

/// Makes the steps of a game, for valgrind to count.
fn make(game: &str) -> Result<(), SearchError> {
    let mut search = start(game).tree_search(Settings::default())?;
    search.search(Budget::iterations(GROWN).early_stop(false), &mut |_| ())?;
    search.time_steps(TOGETHER).map(drop)
}

fn main() -> Result<(), Box<dyn Error>> {
    if let Ok(game) = std::env::var("BOUGHS_STEPS") {
        return Ok(make(&game)?);
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: valgrind is not installed");
        return Ok(());
    }
    for game in GAMES {
        for (step, count) in count(game)? {
            println!("{game:10} {step:14} {:8.0} instructions", count as f64 / TOGETHER as f64);
        }
    }
    Ok(())
}

/// Instructions of each step, of all traversals together.
fn count(game: &str) -> Result<Vec<(&'static str, u64)>, Box<dyn Error>> {
    let file = std::env::temp_dir().join(format!("boughs-instructions-{}", std::process::id()));
    let seen = Command::new("valgrind")
        .args(["--tool=callgrind", &format!("--callgrind-out-file={}", file.display())])
        .arg(std::env::current_exe()?)
        .env("BOUGHS_STEPS", game)
        .output()?;
    if !seen.status.success() {
        return Err(String::from_utf8_lossy(&seen.stderr).into());
    }
    let table = Command::new("callgrind_annotate").args(["--inclusive=yes", "--threshold=100"]).arg(&file).output()?;
    std::fs::remove_file(&file)?;
    let table = String::from_utf8_lossy(&table.stdout);
    let of = |step: &'static str| {
        let line = table.lines().find(|line| line.contains(&format!("mcts::steps::{step}")))?;
        let count: String = line.trim_start().chars().take_while(|&c| c != ' ').filter(char::is_ascii_digit).collect();
        Some((step, count.parse().ok()?))
    };
    STEPS.into_iter().map(|step| of(step).ok_or_else(|| format!("callgrind saw no {step}").into())).collect()
}
