//! Sharing out many simulations among the children of one node, all at once.
//!
//! Simulations that go through a node together are given to its children by UCB1, each as if those given before it had
//! been counted and had not changed any mean: the rule of WU-UCT (Liu et al. 2020) for visits whose rewards are not
//! known yet. One by one that takes an argmax for every simulation. But the rule has a closed form. UCB1 always raises
//! the child with the highest value, which lowers that value, so in the end the values of all children that were
//! given any stand at about one level. With means `q`, visits `n` and the exploration factor `k`, a child at the level
//! `L` has `(k / (L - q))^2` visits, so the level for `m` simulations solves
//!
//! ```text
//! sum over the children of max(0, (k / (L - q))^2 - n) = m
//! ```
//!
//! The left side is convex and falls in `L`, so Newton's method from below comes up to the solution and never passes
//! it. Levels are kept as their distance from the highest mean, which loses no digits however many visits there are.

use super::layout::Layout;
use super::node::Block;
use super::ucb::Ucb;
use crate::mcts::tree::sync::AtomicU64;

/// Children that are valued at a time, as operations on arrays that the compiler turns into vector instructions.
const LANES: usize = 8;
/// The most steps of Newton's method; the shares are scaled to the right sum in any case.
const MOST_STEPS: usize = 8;
/// Fewer simulations than this are given one by one, which is quicker. The bound grows by one for each six children.
const FEW: u32 = 5;
const CHILDREN_A_SIMULATION: u32 = 6;
/// A level is good enough when it gives out at most this many times what there is.
const CLOSE_ENOUGH: f32 = 1.05;

/// The values of eight children. A place without a child has a mean of -9 and 10^18 visits, so it gets nothing.
#[derive(Clone, Copy, Debug)]
struct Row {
    means: [f32; LANES],
    visits: [f32; LANES],
    /// The number of simulations each child should get, before rounding; or its value, if they are given one by one.
    shares: [f32; LANES],
}

const EMPTY: Row = Row { means: [-9.0; LANES], visits: [1e18; LANES], shares: [0.0; LANES] };

/// The simulations that each child of one node gets.
#[derive(Debug, Default)]
pub(crate) struct Allocation {
    rows: Vec<Row>,
    unvisited: Vec<u32>,
    counts: Vec<u32>,
    /// The highest value of each row, where simulations are given one by one.
    highest: Vec<f32>,
}

/// The higher of two numbers, neither of them NaN: one instruction, also for all lanes at once.
#[inline(always)]
fn higher(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

#[inline(always)]
fn highest(lanes: &[f32; LANES]) -> f32 {
    let half: [f32; LANES / 2] = std::array::from_fn(|lane| higher(lanes[lane], lanes[lane + LANES / 2]));
    higher(higher(half[0], half[1]), higher(half[2], half[3]))
}

/// The place of the highest number, the first of equals, and the number.
fn place_of_highest(numbers: &[f32]) -> (usize, f32) {
    let mut most = (0, f32::MIN);
    for (place, &number) in numbers.iter().enumerate() {
        if number > most.1 {
            most = (place, number);
        }
    }
    most
}

impl Allocation {
    /// The simulations that each child got in the last allocation.
    pub(crate) fn counts(&self) -> &[u32] {
        &self.counts
    }

    /// Begins with no simulation for any of `children` children.
    pub(crate) fn clear(&mut self, children: u32) {
        self.counts.clear();
        self.counts.resize(children as usize, 0);
    }

    /// Gives one simulation to a child.
    pub(crate) fn give(&mut self, child: u32) {
        self.counts[child as usize] += 1;
    }

    /// Shares out simulations among the children of a block, given the exploration factor of their parent.
    pub(super) fn share_out<L: Layout>(
        &mut self,
        words: &[AtomicU64],
        block: Block,
        ucb: &Ucb,
        exploration: f32,
        simulations: u32,
    ) {
        let children = L::width(words, block);
        self.clear(children);
        self.rows.clear();
        self.rows.resize((children as usize).div_ceil(LANES), EMPTY);
        self.unvisited.clear();
        let mut child = 0;
        L::each(words, block, |counters| {
            let visits = L::visits(counters);
            if visits == 0 {
                self.unvisited.push(child as u32);
            } else {
                let row = &mut self.rows[child / LANES];
                row.means[child % LANES] = L::terms(counters, ucb).mean;
                row.visits[child % LANES] = visits as f32;
            }
            child += 1;
        });
        let mut left = simulations;
        if !self.unvisited.is_empty() {
            left = self.try_unvisited(ucb, exploration, simulations);
        }
        if left < FEW + children / CHILDREN_A_SIMULATION {
            self.one_by_one(exploration, left);
        } else {
            self.level(exploration, left as f32);
            let sum: f32 = self.rows.iter().flat_map(|row| row.shares).sum();
            // Beside very many visits all shares may be lost in rounding.
            if sum > 0.0 { self.round(left, left as f32 / sum) } else { self.one_by_one(exploration, left) }
        }
    }

    /// Gives each of a few simulations to the child with the highest value, with those given before it counted.
    fn one_by_one(&mut self, exploration: f32, simulations: u32) {
        let value = |row: &Row, lane: usize| row.means[lane] + exploration / row.visits[lane].sqrt();
        self.highest.clear();
        for row in &mut self.rows {
            row.shares = std::array::from_fn(|lane| value(row, lane));
            self.highest.push(highest(&row.shares));
        }
        for _ in 0..simulations {
            let (number, most) = place_of_highest(&self.highest);
            let row = &mut self.rows[number];
            let lane = row.shares.iter().position(|&value| value == most).unwrap_or_default();
            row.visits[lane] += 1.0;
            row.shares[lane] = value(row, lane);
            self.highest[number] = highest(&row.shares);
            self.counts[number * LANES + lane] += 1;
        }
    }

    /// Gives a simulation to each child that was never visited, if such a child is worth more than the others.
    /// Returns the number of simulations left. A mean of no visits says nothing about a second one.
    #[cold]
    fn try_unvisited(&mut self, ucb: &Ucb, exploration: f32, simulations: u32) -> u32 {
        let some_are_visited = self.unvisited.len() < self.counts.len();
        if some_are_visited && self.level(exploration, simulations as f32) >= ucb.value_of_unvisited() {
            return simulations;
        }
        let mut left = simulations;
        loop {
            for &child in &self.unvisited {
                if left == 0 {
                    return 0;
                }
                self.counts[child as usize] += 1;
                left -= 1;
            }
            if some_are_visited {
                return left;
            }
        }
    }

    /// Computes how many of `simulations` each visited child should get, and returns the level of their values.
    fn level(&mut self, exploration: f32, simulations: f32) -> f32 {
        let best = self.highest_of(|row, lane| row.means[lane]);
        // The least distance of a level from the best mean: that at which some child alone would get everything.
        let alone = self
            .highest_of(|row, lane| exploration / (row.visits[lane] + simulations).sqrt() - (best - row.means[lane]));
        let mut distance = if alone > 0.0 { alone } else { 0.0 };
        let mut step = 0;
        loop {
            step += 1;
            let (sum, slope) = self.shares_at(best, distance, exploration);
            if step == MOST_STEPS || sum <= simulations * CLOSE_ENOUGH {
                break;
            }
            distance += (sum - simulations) / slope;
        }
        best + distance
    }

    /// The highest of a number of each child.
    #[inline(always)]
    fn highest_of(&self, number: impl Fn(&Row, usize) -> f32) -> f32 {
        let mut most = [f32::MIN; LANES];
        for row in &self.rows {
            for (lane, most) in most.iter_mut().enumerate() {
                *most = higher(*most, number(row, lane));
            }
        }
        highest(&most)
    }

    /// Computes the shares at a level, and returns their sum and how fast it falls with the level.
    #[inline(always)]
    fn shares_at(&mut self, best: f32, distance: f32, exploration: f32) -> (f32, f32) {
        let (mut sums, mut slopes) = ([0f32; LANES], [0f32; LANES]);
        for row in &mut self.rows {
            for lane in 0..LANES {
                let inverse = 1.0 / (distance + (best - row.means[lane]));
                let root = exploration * inverse;
                let share = root * root - row.visits[lane];
                row.shares[lane] = higher(share, 0.0);
                sums[lane] += row.shares[lane];
                slopes[lane] += if share > 0.0 { 2.0 * root * root * inverse } else { 0.0 };
            }
        }
        (sums.into_iter().sum(), slopes.into_iter().sum())
    }

    /// Scales the shares and rounds them to whole simulations, `simulations` in all: what is cut off one child's share
    /// goes to the next.
    fn round(&mut self, simulations: u32, scale: f32) {
        let (mut carried, mut left, mut most) = (0.5, simulations, (-1.0, 0));
        for (child, count) in self.counts.iter_mut().enumerate() {
            let share = self.rows[child / LANES].shares[child % LANES];
            if share > most.0 {
                most = (share, child);
            }
            carried += share * scale;
            let whole = (carried as u32).min(left);
            carried -= whole as f32;
            left -= whole;
            *count += whole;
        }
        // Rounding errors may leave one.
        self.counts[most.1] += left;
    }
}

#[cfg(all(test, not(loom)))]
#[path = "allocation_tests.rs"]
mod tests;
