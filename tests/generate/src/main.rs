//! Writes the fixtures of the tests: `cargo run --release -p boughs-generate -- tactics` or `connect4`.
//!
//! Every run writes the same files, from the seed below, in about six minutes each. `connect4 SEED` prints the
//! positions of another seed instead.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use boughs_games::{breakthrough::Breakthrough, connect4::Connect4, hex::Hex, othello::Othello, tictactoe::TicTacToe};
use tactics::{Proof, Wanted};

mod connect4;
mod solver;
mod tactics;

const SEED: u64 = 1;

fn main() -> std::io::Result<()> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let words: Option<Vec<&str>> = arguments.iter().map(|argument| OsStr::to_str(argument)).collect();
    match words.as_deref() {
        Some(["connect4", seed]) => match seed.parse() {
            Ok(seed) => std::io::stdout().write_all(connect4::fixture(seed).as_bytes()),
            Err(_) => {
                eprintln!("the seed '{seed}' should be a whole number, as in connect4 2");
                std::process::exit(2);
            }
        },
        Some(["connect4"]) => write("crates/lab/fixtures/connect4-values", &connect4::fixture(SEED)),
        Some(["tactics"]) => write_tactics(),
        _ => {
            eprintln!("no fixtures are named; say tactics, connect4 or connect4 SEED");
            std::process::exit(2);
        }
    }
}

/// Writes 24 positions of each game, most of which need three plies or more.
fn write_tactics() -> std::io::Result<()> {
    let tictactoe =
        Wanted { spec: "tictactoe", proof: Proof::Solved, after: 1..=6, needs: &[(1..=2, 8), (3..=3, 8), (4..=6, 8)] };
    write("tests/fixtures/tactics-tictactoe", &tactics::fixture(&TicTacToe::default(), &tictactoe, SEED))?;
    let connect4 = Wanted {
        spec: "connect4",
        proof: Proof::Solved,
        after: 18..=32,
        needs: &[(1..=2, 6), (3..=3, 8), (4..=4, 4), (5..=5, 6)],
    };
    write("tests/fixtures/tactics-connect4", &tactics::fixture(&Connect4::default(), &connect4, SEED))?;
    let othello =
        Wanted { spec: "othello", proof: Proof::Solved, after: 50..=56, needs: &[(1..=4, 6), (5..=6, 8), (7..=8, 10)] };
    write("tests/fixtures/tactics-othello", &tactics::fixture(&Othello::default(), &othello, SEED))?;
    let hex = Wanted {
        spec: "hex:size=5",
        proof: Proof::Solved,
        after: 6..=16,
        needs: &[(1..=2, 6), (3..=3, 8), (4..=4, 4), (5..=6, 6)],
    };
    write("tests/fixtures/tactics-hex", &tactics::fixture(&Hex::new(5).expect("a size"), &hex, SEED))?;
    let breakthrough = Wanted {
        spec: "breakthrough",
        proof: Proof::ForcedWithin(8),
        after: 30..=80,
        needs: &[(1..=2, 6), (3..=3, 8), (4..=4, 4), (5..=5, 6)],
    };
    write("tests/fixtures/tactics-breakthrough", &tactics::fixture(&Breakthrough::default(), &breakthrough, SEED))
}

fn write(name: &str, text: &str) -> std::io::Result<()> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name).with_extension("txt");
    std::fs::write(&path, text)?;
    println!("{}: {} positions", path.display(), text.lines().filter(|line| !line.starts_with('#')).count());
    Ok(())
}
