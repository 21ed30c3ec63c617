//! Learns 2048 on some threads for some minutes, prints the course, and writes the network:
//!
//! ```text
//! cargo run --release -p boughs-nets --example learn_2048 -- 60 2 2048.net
//! ```
//!
//! With the word `hogwild` threads learn from each game at once.

use std::error::Error;
use std::fs::File;
use std::time::{Duration, Instant};

use boughs_nets::{Learner, Learning, Network, Outcome, Tuples};

/// The four tuples of Yeh et al. (2016), counted row by row.
const TUPLES: [[usize; 6]; 4] = [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9], [0, 1, 2, 4, 5, 6], [4, 5, 6, 8, 9, 10]];

/// The games between two lines of the course, and of the test at the end.
const LINE: u64 = 1_024;
const TEST: u64 = 1_000;

fn mean(games: &[Outcome]) -> f64 {
    games.iter().map(|game| game.reward).sum::<f64>() / games.len() as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [minutes, threads, file, how @ ..] = &words[..] else { return Err("say MINUTES, THREADS and FILE".into()) };
    let time = Duration::from_secs_f64(60.0 * minutes.parse::<f64>()?);
    let start = boughs_games::start("2048")?;
    let shape = start.entry.cells_shape(&*start.position).ok_or("no cells")?;
    let tuples = Tuples::new(shape, TUPLES.map(Vec::from).into()).ok_or("no tuples")?;
    let network = Network::new(&tuples, 1).ok_or("no memory")?;
    let learning = Learning { hogwild: how == ["hogwild"], ..Learning::default() };
    let learner = Learner::new(start, network, learning, threads.parse()?).ok_or("no memory")?;
    let (begun, mut games, mut moves) = (Instant::now(), 0, 0);
    while begun.elapsed() < time {
        let outcomes = learner.learn(games..games + LINE);
        games += LINE;
        moves += outcomes.iter().map(|game| game.moves).sum::<u64>();
        let seconds = begun.elapsed().as_secs_f64();
        let speed = moves as f64 / seconds;
        println!("{games} games, {seconds:.0} s, {speed:.0} moves a second, mean {:.0}", mean(&outcomes));
    }
    boughs_nets::write(learner.network(), "2048", File::create(file)?)?;
    println!("{TEST} games without learning: mean {:.0}", mean(&learner.test(0..TEST)));
    Ok(())
}
