//! Rules that are easily got wrong, each by itself; recorded games of the official referee prove the whole.

use boughs::notation::{legal_moves, play_moves};
use boughs::{Game, Rng, Turn};

use super::*;

#[test]
#[ignore]
fn random_games() {
    let start = GreenCircle::new(&Setup::of_seed(1));
    println!("{} {}", std::mem::size_of::<GreenCircle>(), std::mem::size_of::<Step>());
    println!(
        "{:?}",
        boughs::conformance::check(&start, boughs::conformance::Effort { games: 100, uniformity: 60, seed: 1 })
    );
    let mut rng = Rng::new(1, 1);
    let _ = (legal_moves(&start), play_moves(&mut start.clone(), ""));
    let now = std::time::Instant::now();
    let (mut n, mut plies) = (0, 0);
    while now.elapsed().as_secs_f64() < 3.0 {
        let mut position = start;
        let mut scratch = Vec::new();
        loop {
            let step = match position.turn() {
                Turn::Over => break,
                Turn::Chance => position.chance(&mut rng, &mut scratch),
                Turn::Player(_) => position.random_action(&mut rng, &mut scratch),
            };
            position.apply(step.expect("a step"));
            plies += 1;
        }
        n += 1;
    }
    println!("{} games/s, {} plies a game", n as f64 / now.elapsed().as_secs_f64(), plies as f64 / n as f64);
    println!("{}", start.board());
}
