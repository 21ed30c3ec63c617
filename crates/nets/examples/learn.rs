//! Learns a game on some threads for some minutes, prints the course, and writes the network:
//!
//! ```text
//! cargo run --release -p boughs-nets --example learn -- connect4 10 2 connect4.net tuples=walks:70x8 explore=0.1
//! ```
//!
//! With the word `hogwild` threads learn from each game at once. With `from=FILE` the first weights are those of a
//! file.

use std::error::Error;
use std::fs::File;
use std::time::{Duration, Instant};

use boughs::Rng;
use boughs_nets::{Learner, Learning, Network, Outcome, Tuples};

/// The games of the test at the end.
const TEST: u64 = 1_000;

fn mean(games: &[Outcome]) -> f64 {
    games.iter().map(|game| game.reward).sum::<f64>() / games.len() as f64
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, minutes, threads, file, options @ ..] = &words[..] else {
        return Err("say GAME, MINUTES, THREADS and FILE".into());
    };
    let time = Duration::from_secs_f64(60.0 * minutes.parse::<f64>()?);
    let start = boughs_games::start(game)?;
    let shape = start.entry.cells_shape(&*start.position).ok_or("no cells")?;
    let (mut learning, mut line, mut stages, mut from) = (Learning::default(), 1_024, 1, None);
    let mut tuples = Tuples::usual(shape, &mut Rng::new(learning.seed, 1 << 63));
    for option in options {
        match option.split_once('=').unwrap_or((option, "")) {
            ("hogwild", _) => learning.hogwild = true,
            ("policy", _) => learning.policy = true,
            ("depth", value) => learning.depth = value.parse()?,
            ("opening", value) => learning.opening = value.parse()?,
            ("explore", value) => learning.explore = value.parse()?,
            ("lambda", value) => learning.lambda = value.parse()?,
            ("rate", value) => learning.rate = value.parse()?,
            ("seed", value) => learning.seed = value.parse()?,
            ("optimism", value) => learning.optimism = value.parse()?,
            ("from", value) => from = Some(File::open(value)?),
            ("stages", value) => stages = value.parse()?,
            ("line", value) => line = value.parse()?,
            ("tuples", value) => tuples = Tuples::read(shape, value, &mut Rng::new(learning.seed, 1 << 63))?,
            _ => return Err(format!("there is no option {option}").into()),
        }
    }
    let name = start.entry.name;
    let players = start.position.players();
    let network = match from {
        Some(file) => {
            let network = boughs_nets::read(name, shape, players, file)?;
            if stages == 1 { network } else { network.split(stages).ok_or("no memory, or several stages")? }
        }
        None => Network::new(&tuples.in_stages(stages), players).ok_or("no memory")?,
    };
    let learner = Learner::new(start, network, learning, threads.parse()?)?;
    let (begun, mut games, mut moves) = (Instant::now(), 0, 0);
    while begun.elapsed() < time {
        let outcomes = learner.learn(games..games + line);
        games += line;
        moves += outcomes.iter().map(|game| game.moves).sum::<u64>();
        let seconds = begun.elapsed().as_secs_f64();
        let speed = moves as f64 / seconds;
        println!("{games} games, {seconds:.0} s, {speed:.0} moves a second, mean {:.3}", mean(&outcomes));
    }
    boughs_nets::write(learner.network(), name, File::create(file)?)?;
    let tests = learner.test(0..TEST);
    let mut rewards: Vec<f64> = tests.iter().map(|game| game.reward).collect();
    rewards.sort_by(f64::total_cmp);
    let [lowest, median] = [30, 500].map(|place| rewards[place * rewards.len() / 1_000]);
    println!("{TEST} games without learning: mean {:.3}, 97 % at least {lowest}, half {median}", mean(&tests));
    Ok(())
}
