//! Pig is solved, so a search of a position can be compared with the truth.

use std::sync::LazyLock;

use boughs::{Action, Budget, Rng, Search, Settings};
use boughs_games::pig::{Pig, Step};

const GOAL: usize = 100;
const PLAYOUTS: u64 = 100_000;

/// The probability that the player to act wins, for every position with a player to act, under best play of both.
///
/// Value iteration, as Neller and Presser (2004) solved the game: each position's value is computed from the latest
/// values of its successors, again and again until nothing changes. Banked points never get less, so a pair of scores
/// is finished before any pair with less is begun.
struct Solution(Vec<f64>);

static SOLUTION: LazyLock<Solution> = LazyLock::new(Solution::new);

impl Solution {
    fn new() -> Solution {
        let mut solution = Solution(vec![0.5; GOAL.pow(3)]);
        for sum in (0..2 * GOAL - 1).rev() {
            for low in sum.saturating_sub(GOAL - 1)..=sum / 2 {
                let high = sum - low;
                while solution.improve(low, high).max(solution.improve(high, low)) > 1e-9 {}
            }
        }
        solution
    }

    fn place(banked: usize, others: usize, turn_total: usize) -> usize {
        (banked * GOAL + others) * GOAL + turn_total
    }

    fn after_a_roll(&self, banked: usize, others: usize, turn_total: usize) -> f64 {
        let after_face = |face: usize| match banked + turn_total + face {
            GOAL.. => 1.0,
            _ => self.0[Solution::place(banked, others, turn_total + face)],
        };
        let after_one = 1.0 - self.0[Solution::place(others, banked, 0)];
        (after_one + (2..=6).map(after_face).sum::<f64>()) / 6.0
    }

    fn after_holding(&self, banked: usize, others: usize, turn_total: usize) -> f64 {
        1.0 - self.0[Solution::place(others, banked + turn_total, 0)]
    }

    /// Computes the values of all turn totals, and returns the largest change.
    fn improve(&mut self, banked: usize, others: usize) -> f64 {
        let mut change: f64 = 0.0;
        for turn_total in (0..GOAL - banked).rev() {
            let roll = self.after_a_roll(banked, others, turn_total);
            // Holding at 0 is not legal, and would be no better.
            let value = if turn_total == 0 { roll } else { roll.max(self.after_holding(banked, others, turn_total)) };
            let old = &mut self.0[Solution::place(banked, others, turn_total)];
            change = change.max((value - *old).abs());
            *old = value;
        }
        change
    }
}

/// Results of searches compared with the truth.
#[derive(Debug, Default)]
struct Score {
    positions: u32,
    /// Positions in which the best action was found.
    right: u32,
    /// Positions whose value was found to within 0.01.
    close: u32,
    sum_of_errors: f64,
    largest_error: f64,
}

impl Score {
    fn add(&mut self, is_right: bool, error: f64) {
        self.positions += 1;
        self.right += u32::from(is_right);
        self.close += u32::from(error.abs() <= 0.01);
        self.sum_of_errors += error.abs();
        self.largest_error = self.largest_error.max(error.abs());
    }

    fn share(&self, count: u32) -> f64 {
        f64::from(count) / f64::from(self.positions)
    }

    fn mean_error(&self) -> f64 {
        self.sum_of_errors / f64::from(self.positions)
    }
}

/// Searches random positions in which rolling and holding differ by more than 0.01.
fn search(agent: &str, positions: u32) -> Score {
    let (solution, mut rng, mut score) = (&*SOLUTION, Rng::new(1, 0), Score::default());
    let settings = Settings { memory: 64 << 20, ..agent.parse().expect(agent) };
    let start = Pig::new(GOAL as u16, [0, 0], 0, 0).expect("a start");
    let mut search = Search::new(start, settings).expect("a search");
    while score.positions < positions {
        let [banked, others, turn_total] = [(); 3].map(|()| rng.below(GOAL as u32));
        let Some(pig) = Pig::new(GOAL as u16, [banked as u16, others as u16], turn_total as u16, 0) else { continue };
        if turn_total == 0 {
            continue;
        }
        let [banked, others, turn_total] = [banked, others, turn_total].map(|points| points as usize);
        let roll = solution.after_a_roll(banked, others, turn_total);
        let hold = solution.after_holding(banked, others, turn_total);
        if (roll - hold).abs() <= 0.01 {
            continue;
        }
        search.reset(pig);
        let report = search.run(Budget::iterations(PLAYOUTS).early_stop(false)).expect("a report");
        let best = report.best_child().expect("a best child");
        score.add((Step::from_code(best.action) == Step::Roll) == (roll > hold), best.mean - roll.max(hold));
    }
    score
}

/// The agent that plays Pig by default.
fn agent() -> String {
    boughs_agents::default_agent("pig").to_string()
}

#[test]
fn the_first_player_wins_as_often_as_neller_and_presser_say() {
    let start = SOLUTION.0[0];
    assert!((start - 0.5306).abs() < 0.000_05, "{start}");
}

/// Not every value comes within 0.01. Playouts race for the goal a little too late, which alone makes the values of one
/// position in eight wrong by more, and nearly all of those where both have 60 to 69 points. And a mean counts the bad
/// actions that were tried on the way, more of them in a deeper tree.
fn check(positions: u32) {
    let score = search(&agent(), positions);
    println!("{score:?}");
    assert!(score.share(score.right) >= 0.95, "{score:?}");
    assert!(score.share(score.close) >= 0.8 && score.mean_error() <= 0.008, "{score:?}");
    assert!(score.largest_error <= 0.05, "{score:?}");
}

#[test]
fn searches_choose_as_the_solution_does_and_nearly_know_its_values() {
    check(50);
}

#[test]
fn every_way_to_be_parallel_chooses_as_the_solution_does() {
    for driver in ["threads=2", "threads=2,parallel=independent", "threads=2,parallel=batched"] {
        let score = search(&format!("{},{driver}", agent()), 12);
        assert!(score.right >= 11, "{driver}: {score:?}");
    }
}

/// `cargo test -p boughs-tests --test promises pig::ten_times -- --ignored --nocapture` takes a minute.
#[test]
#[ignore = "takes a minute"]
fn searches_do_so_in_ten_times_as_many_positions() {
    check(500);
}

/// For choosing settings:
/// `AGENTS="mcts mcts:c=0.5" cargo test -p boughs-tests --test promises pig::table -- --ignored --nocapture`.
#[test]
#[ignore = "prints a table and checks nothing"]
fn table_of_agents() {
    for agent in std::env::var("AGENTS").unwrap_or_else(|_| agent()).split(' ') {
        let score = search(agent, 500);
        println!(
            "{agent}: right in {:.1} %, within 0.01 in {:.1} %, error {:.4} on average, {:.4} at most",
            100.0 * score.share(score.right),
            100.0 * score.share(score.close),
            score.mean_error(),
            score.largest_error
        );
    }
}
