//! Learns 2048 on some threads for some minutes, prints the course, and writes the network:
//!
//! ```text
//! cargo run --release -p boughs-nets --example learn_2048 -- 60 2 2048.net
//! ```

use std::error::Error;
use std::fs::File;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use boughs::Rng;
use boughs_nets::{Learner, Learning, Network, Tuples};

/// The four tuples of Yeh et al. (2016), counted row by row.
const TUPLES: [[usize; 6]; 4] = [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9], [0, 1, 2, 4, 5, 6], [4, 5, 6, 8, 9, 10]];

/// The games between two lines of the course, and those of the test at the end.
const GAMES: u64 = 1_000;

/// The course so far.
#[derive(Default)]
struct Course {
    games: u64,
    moves: u64,
    /// The sum of the scores since the last line.
    scores: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [minutes, threads, file] = &words[..] else { return Err("say MINUTES, THREADS and FILE".into()) };
    let (time, threads) = (Duration::from_secs_f64(60.0 * minutes.parse::<f64>()?), threads.parse::<u64>()?);
    let start = boughs_games::start("2048")?;
    let shape = start.entry.cells_shape(&*start.position).ok_or("no cells")?;
    let tuples = Tuples::new(shape, TUPLES.map(Vec::from).into()).ok_or("no tuples")?;
    let network = Network::new(&tuples, 1).ok_or("no memory")?;
    let learner = Learner::new(start, network, Learning { lambda: 0.0, ..Learning::default() }).ok_or("no memory")?;
    let (begun, course) = (Instant::now(), Mutex::new(Course::default()));
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (learner, course) = (&learner, &course);
            scope.spawn(move || {
                let mut rng = Rng::new(1, thread);
                while begun.elapsed() < time {
                    let outcome = learner.play(&mut rng);
                    let Ok(mut course) = course.lock() else { return };
                    course.games += 1;
                    course.moves += outcome.moves;
                    course.scores += outcome.reward;
                    if course.games % GAMES == 0 {
                        let (seconds, mean) = (begun.elapsed().as_secs_f64(), course.scores / GAMES as f64);
                        let speed = course.moves as f64 / seconds;
                        println!("{} games, {seconds:.0} s, {speed:.0} moves a second, mean {mean:.0}", course.games);
                        course.scores = 0.0;
                    }
                }
            });
        }
    });
    boughs_nets::write(learner.network(), "2048", File::create(file)?)?;
    let scores: Vec<f64> = (0..GAMES).map(|game| learner.test(&mut Rng::new(2, game)).reward).collect();
    println!("{GAMES} games without learning: mean {:.0}", scores.iter().sum::<f64>() / GAMES as f64);
    Ok(())
}
