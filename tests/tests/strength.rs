//! The share of solved positions in which a short search keeps the value.

use boughs_tests::{best_move, connect4_values, position};

const SEEDS: [u64; 3] = [1, 2, 3];

/// The share of positions in which the move found keeps the value, win, draw or loss.
fn share_kept(agent: &str, playouts: u64) -> f64 {
    let (mut kept, mut tried) = (0, 0);
    for valued in connect4_values() {
        let position = position("connect4", valued.moves);
        for seed in SEEDS {
            let found = best_move(&*position, agent, seed, playouts);
            kept += usize::from(valued.is_kept_by(&found));
            tried += 1;
        }
    }
    assert_eq!(tried, 1_000 * SEEDS.len());
    kept as f64 / tried as f64
}

#[test]
fn a_thousand_playouts_keep_the_value_in_96_percent_of_solved_connect_four_positions() {
    let agent = boughs_agents::default_agent("connect4").to_string();
    let share = share_kept(&agent, 1_000);
    println!("kept the value in {:.2} %", share * 100.0);
    assert!(share >= 0.96, "kept the value in {:.2} %", share * 100.0);
    // Light playouts, because eight of those that look a move ahead tell something already.
    let hardly = share_kept("mcts", 8);
    assert!(hardly < 0.8, "{:.2} % with eight playouts: the positions tell nothing", hardly * 100.0);
}

/// A table for choosing defaults:
/// `AGENTS="mcts:c=0.7 mcts:c=1.4" PLAYOUTS=1000 cargo test -p boughs-tests strength -- --ignored --nocapture`.
#[test]
#[ignore = "prints a table and checks nothing"]
fn table_of_agents() {
    let playouts = std::env::var("PLAYOUTS").map_or(1_000, |text| text.parse().expect("PLAYOUTS is a whole number"));
    for agent in std::env::var("AGENTS").unwrap_or_else(|_| "mcts".into()).split(' ') {
        println!("{agent}, {playouts} playouts: {:.2} %", share_kept(agent, playouts) * 100.0);
    }
}
