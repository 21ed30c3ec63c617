//! The solver and bulk traversal: a proof goes up to the root at once, past nodes that are shared out together.

use boughs::{Budget, Game, Rewards, Search, StopReason, Turn};

use crate::common::{Thicket, check_dumped, check_trees};
use crate::{modes, settings};

/// A game of this many plies in which every player always draws.
#[derive(Clone, Debug)]
struct Draws<const HALVES: bool> {
    left: u32,
}

impl<const HALVES: bool> Game for Draws<HALVES> {
    type Action = u8;
    const REWARDS: Rewards = Rewards { halves: HALVES, ..Rewards::ANY };
    const MAX_PLIES: u32 = 40;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.left as usize % 2) }
    }
    fn actions(&self, out: &mut Vec<u8>) {
        out.extend(0..4);
    }
    fn apply(&mut self, _: u8) {
        self.left -= 1;
    }
    fn reward(&self, _: usize) -> f64 {
        0.5
    }
}

/// The visits of the root are the playouts, also where a proof ends the search.
fn solve<G: Game>(game: G, mode: &str, threads: usize, iterations: u64) -> (Search<G>, StopReason) {
    let settings = settings(&format!("{mode},solver=on"), threads, 16 << 20);
    let name = settings.to_string();
    let mut search = Search::new(game, settings).expect(&name);
    let report = search.run(Budget::iterations(iterations).early_stop(false)).expect(&name);
    assert_eq!(check_trees(&mut search), search.report().iterations, "{name}");
    assert!(report.stop == StopReason::Proven || report.iterations == iterations, "{name}");
    (search, report.stop)
}

#[test]
fn counters_add_up_with_the_solver_in_every_mode_at_every_number_of_threads() {
    for mode in modes() {
        for threads in [1, 2, 8, 32] {
            solve(Thicket::<true>::new(3, 2), &mode, threads, 5_003);
            solve(Thicket::<false>::new(4, 3), &mode, threads, 2_001);
        }
    }
}

/// Checks that every visit of a node that a player chose has its reward.
fn check_draws<G: Game>(search: &mut Search<G>) {
    let name = search.settings().to_string();
    let units = search.units() as i64;
    let trees = search.dump(usize::MAX);
    check_dumped(search, &trees);
    for node in trees.iter().flatten().filter(|node| !node.path.is_empty()) {
        assert_eq!(2 * node.sum, i64::from(node.visits) * units, "visits and rewards of {:?}, {name}", node.path);
    }
}

#[test]
fn bulks_and_the_solver_together_lose_nothing_and_count_nothing_twice() {
    for mode in ["mcts:bulk=512", "mcts:bulk=65536,traversals=1", "mcts:bulk=65536,c=0.2", "mcts:loss=wu"] {
        for threads in [1, 2, 8] {
            let (mut open, stop) = solve(Draws::<true> { left: 40 }, mode, threads, 30_000);
            assert_eq!(stop, StopReason::Iterations, "{mode}");
            check_draws(&mut open);
            let (mut open, _) = solve(Draws::<false> { left: 40 }, mode, threads, 30_000);
            check_draws(&mut open);
            // Solved late, while simulations go together.
            let (mut solved, stop) = solve(Draws::<true> { left: 7 }, mode, threads, 1_000_000);
            assert_eq!(stop, StopReason::Proven, "{mode}");
            check_draws(&mut solved);
            assert!(solved.report().iterations > 16_000, "{mode}");
        }
    }
}
