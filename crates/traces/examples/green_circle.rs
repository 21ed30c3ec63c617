//! Replays a file of recorded games: `cargo run --release -p boughs-traces --example green_circle -- FILE.jsonl.gz`

use boughs_traces::green_circle::check_traces;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file of recorded games")?;
    match check_traces(std::fs::File::open(path)?) {
        Ok(summary) => println!("{summary}"),
        Err(error) => println!("{error}"),
    }
    Ok(())
}
