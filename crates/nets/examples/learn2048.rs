//! Learns 2048 and prints the course.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use boughs::Rng;
use boughs_nets::{Learner, Learning, Network, Tuples};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let number = |place: usize, usual: f64| words.get(place).map_or(usual, |word| word.parse().unwrap());
    let (minutes, threads, rate, optimism) = (number(1, 1.0), number(2, 2.0) as usize, number(3, 1.0), number(4, 0.0));
    let start = boughs_games::start("2048").unwrap();
    let shape = start.entry.cells_shape(&*start.position).unwrap();
    let cells = [[0, 1, 2, 3, 4, 5], [4, 5, 6, 7, 8, 9], [0, 1, 2, 4, 5, 6], [4, 5, 6, 8, 9, 10]];
    let tuples = Tuples::new(shape, cells.iter().map(|tuple| tuple.to_vec()).collect()).unwrap();
    let network = Network::new(&tuples, 1).unwrap();
    network.fill(optimism as f32);
    let learning = Learning { rate: rate as f32, lambda: number(5, 0.0) as f32, explore: 0.0, coherence: true };
    let learner = Learner::new(start, network, learning).unwrap();
    let begun = Instant::now();
    let end = begun + Duration::from_secs_f64(60.0 * minutes);
    let (games, moves, sum) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while Instant::now() < end {
                    let game = games.fetch_add(1, Relaxed);
                    let outcome = learner.play(&mut Rng::new(1, game));
                    moves.fetch_add(outcome.moves, Relaxed);
                    let total = sum.fetch_add(outcome.reward as u64, Relaxed) + outcome.reward as u64;
                    if game % 1000 == 999 {
                        sum.store(0, Relaxed);
                        let seconds = begun.elapsed().as_secs_f64();
                        let speed = moves.load(Relaxed) as f64 / seconds;
                        println!("{} games, {seconds:.0} s, {speed:.0} moves/s, mean {}", game + 1, total / 1000);
                    }
                }
            });
        }
    });
    let scores: Vec<f64> = (0..200).map(|game| learner.test(&mut Rng::new(2, game)).reward).collect();
    println!("test: mean {}", scores.iter().sum::<f64>() / 200.0);
}
