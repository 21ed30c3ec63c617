//! The solver and bulk traversal: a proof goes up to the root at once, past nodes that are shared out together.

use boughs::{Budget, Session, StopReason, TreeSearch};

use super::{modes, settings};
use crate::common::{Halves, Shares, check_dumped, check_trees};

/// The visits of the root are the playouts, also where a proof ends the search.
fn solve(game: &dyn Session, mode: &str, threads: usize, iterations: u64) -> (Box<dyn TreeSearch>, StopReason) {
    let settings = settings(&format!("{mode},solver=on"), threads, 16 << 20);
    let name = settings.to_string();
    let mut search = game.tree_search(settings).expect(&name);
    let report = search.run(Budget::iterations(iterations).early_stop(false)).expect(&name);
    assert_eq!(check_trees(&mut *search), search.report().iterations, "{name}");
    assert!(report.stop == StopReason::Proven || report.iterations == iterations, "{name}");
    (search, report.stop)
}

#[test]
fn counters_add_up_with_the_solver_in_every_mode_at_every_number_of_threads() {
    for mode in modes() {
        for threads in [1, 2, 8, 32] {
            solve(&Halves::thicket(3, 2), &mode, threads, 5_003);
            solve(&Shares::thicket(4, 3), &mode, threads, 2_001);
        }
    }
}

/// Checks that every visit of a node that a player chose has its reward.
fn check_draws(search: &mut dyn TreeSearch) {
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
    let (long, of_shares, short) = (Halves::draws(40, 4), Shares::draws(40, 4), Halves::draws(7, 4));
    for mode in ["mcts:bulk=512", "mcts:bulk=65536,traversals=1", "mcts:bulk=65536,c=0.2", "mcts:loss=wu"] {
        for threads in [1, 2, 8] {
            let (mut open, stop) = solve(&long, mode, threads, 30_000);
            assert_eq!(stop, StopReason::Iterations, "{mode}");
            check_draws(&mut *open);
            let (mut open, _) = solve(&of_shares, mode, threads, 30_000);
            check_draws(&mut *open);
            // Solved late, while simulations go together.
            let (mut solved, stop) = solve(&short, mode, threads, 1_000_000);
            assert_eq!(stop, StopReason::Proven, "{mode}");
            check_draws(&mut *solved);
            assert!(solved.report().iterations > 16_000, "{mode}");
        }
    }
}
