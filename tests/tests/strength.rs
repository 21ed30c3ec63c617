//! How often a short search keeps the value of a solved position.

use boughs_games::Listed;
use boughs_games::connect4::Connect4;
use boughs_tests::{best_move, lines, settings};

const PLAYOUTS: u64 = 1_000;
const SEEDS: [u64; 3] = [1, 2, 3];

/// The share of positions in which the move found keeps the value, win, draw or loss.
fn share_kept(agent: &str) -> f64 {
    let start = Connect4::default();
    let mut kept = 0;
    let mut tried = 0;
    for line in lines(include_str!("../fixtures/connect4-values.txt")) {
        let (moves, values) = line.split_once(' ').expect(line);
        let values: Vec<(char, char)> = values.chars().zip(values.chars().skip(1)).step_by(2).collect();
        let best = ['W', 'D', 'L'].into_iter().find(|&best| values.iter().any(|&(_, value)| value == best));
        for seed in SEEDS {
            let found = best_move(&start, moves, &settings(agent, seed), PLAYOUTS);
            tried += 1;
            kept +=
                usize::from(values.iter().any(|&(column, value)| Some(value) == best && found == column.to_string()));
        }
    }
    assert_eq!(tried, 1_000 * SEEDS.len());
    kept as f64 / tried as f64
}

#[test]
fn a_thousand_playouts_keep_the_value_in_94_5_percent_of_solved_connect_four_positions() {
    let share = share_kept(Connect4::AGENT);
    println!("kept the value in {:.2} %", share * 100.0);
    assert!(share >= 0.945, "kept the value in {:.2} %", share * 100.0);
}

/// For choosing defaults: `AGENTS="mcts:c=0.7 mcts:c=1.4" cargo test -p boughs-tests --test strength -- --ignored --nocapture`.
#[test]
#[ignore = "prints a table and checks nothing"]
fn table_of_agents() {
    for agent in std::env::var("AGENTS").unwrap_or_else(|_| "mcts".into()).split(' ') {
        println!("{agent}: {:.2} %", share_kept(agent) * 100.0);
    }
}
