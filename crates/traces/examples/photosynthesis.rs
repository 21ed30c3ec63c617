//! Replays files of recorded games: `cargo run --release -p boughs-traces --example photosynthesis -- FILE...`

use std::error::Error;
use std::fs::File;

use boughs_traces::photosynthesis::check_traces;

fn main() -> Result<(), Box<dyn Error>> {
    for file in std::env::args_os().skip(1) {
        println!("{}: {}", file.display(), check_traces(File::open(&file)?)?);
    }
    Ok(())
}
