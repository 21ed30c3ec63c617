//! Simulations shared out together, beside the same ones given one by one.

use std::sync::Arc;

use super::*;
use crate::Rng;
use crate::mcts::tables::Tables;
use crate::mcts::tree::layouts::Packed;
use crate::mcts::tree::narrow::Narrow;
use crate::mcts::tree::words::Writers;
use crate::mcts::tree::{Outcome, Stock, Tree};

/// The children of one node, and what they are worth before any simulation is given.
struct Case {
    tree: Tree,
    block: Block,
    ucb: Ucb,
    exploration: f32,
    /// The mean and the visits of each child, as selection sees them.
    children: Vec<(f64, f64)>,
}

/// Visits that narrow counters have room for.
const FEW_VISITS: u32 = 16_000;

/// A node with up to 60 children, of at most `2^digits` visits each, and its means as far apart as `spread`.
fn case<L: Layout>(rng: &mut Rng, digits: u32, spread: f64, tables: &Arc<Tables>) -> Case {
    let tree = Tree::new(1 << 14, L::KIND, Writers::One).expect("room for a root");
    let width = 1 + rng.below(60);
    let codes: Vec<u32> = (0..width).collect();
    let mut stock = Stock::default();
    let mut block = tree.expand(tree.root(), &codes, &mut stock).expect("room for children");
    if L::KIND == Narrow::KIND && (1 << digits > FEW_VISITS || rng.below(2) == 0) {
        block = tree.widen(tree.root(), block, &mut stock).expect("room for wide lines");
    }
    let first_play = [f64::INFINITY, 0.0, 0.6, 1.3][rng.below(4) as usize];
    let ucb = Ucb::new(tables.clone(), [0.0, 0.2, 1.0, 3.0][rng.below(4) as usize], first_play);
    let (least, untried, closed) = (rng.unit() * (1.0 - spread), rng.below(3) == 0, rng.below(3) == 0);
    let mut all = 0;
    for (number, child) in (0..).zip(tree.children(block)) {
        let visits = match untried && rng.below(4) == 0 {
            true => 0,
            // As many cases of few visits as of many.
            false => ((rng.unit() * f64::from(digits)).exp2() as u32).min((1 << 31) - (1 << 24)),
        };
        let sum = ((least + spread * rng.unit()) * 2.0 * f64::from(visits)).round() as u64;
        L::enter(&tree.arena.words, block, number, L::finished(visits, sum), Writers::One);
        if closed && visits > 0 && rng.below(4) == 0 {
            tree.close(child, block, None, Outcome::OPEN);
        }
        all = visits.saturating_add(all);
    }
    let mut children = Vec::new();
    L::each(&tree.arena.words, block, |counters| {
        children.push((f64::from(L::terms(counters, &ucb).mean), f64::from(L::visits(counters))));
    });
    Case { exploration: ucb.exploration(all), tree, block, ucb, children }
}

impl Case {
    /// The highest mean of the children that were visited.
    fn best(&self) -> f64 {
        self.visited().map(|(_, mean, _)| mean).fold(f64::MIN, f64::max)
    }

    fn visited(&self) -> impl Iterator<Item = (usize, f64, f64)> + '_ {
        let numbered = self.children.iter().enumerate().map(|(child, &(mean, visits))| (child, mean, visits));
        numbered.filter(|&(_, _, visits)| visits > 0.0)
    }

    /// The visited child with the highest value, the first of equals, when each has been given its count,
    /// and the distance of its value from the highest mean, which has all digits where visits are many.
    fn highest(&self, given: &[u32]) -> (usize, f64) {
        let best = self.best();
        let value = |(child, mean, visits): (usize, f64, f64)| {
            (child, f64::from(self.exploration) / (visits + f64::from(given[child])).sqrt() - (best - mean))
        };
        self.visited().map(value).fold((0, f64::MIN), |most, next| if next.1 > most.1 { next } else { most })
    }

    /// Gives simulations one by one to the visited child with the highest value.
    fn give(&self, given: &mut [u32], simulations: u32) {
        (0..simulations).for_each(|_| given[self.highest(given).0] += 1);
    }

    /// The counts that UCB1 gives one by one, with all means kept. A child that was never visited gets one, if it is
    /// worth more than the others are when they have got all. `None` if it is worth about the same.
    fn one_by_one(&self, simulations: u32) -> Option<Vec<u32>> {
        let mut given = vec![0; self.children.len()];
        let unvisited: Vec<usize> = (0..given.len()).filter(|&child| self.children[child].1 == 0.0).collect();
        let are_all = unvisited.len() == given.len();
        if !are_all {
            self.give(&mut given, simulations);
            let (level, first_play) = (self.best() + self.highest(&given).1, f64::from(self.ucb.value_of_unvisited()));
            if !unvisited.is_empty() && (level - first_play).abs() < 0.03 * level {
                return None;
            }
            if unvisited.is_empty() || level >= first_play {
                return Some(given);
            }
        }
        given.fill(0);
        let rounds = if are_all { simulations as usize } else { unvisited.len() };
        let tried = rounds.min(simulations as usize);
        unvisited.iter().cycle().take(tried).for_each(|&child| given[child] += 1);
        if !are_all {
            self.give(&mut given, simulations - tried as u32);
        }
        Some(given)
    }
}

/// Compares what children get together with what they get one by one. A level that gives out 5 % too much is taken, and
/// the shares are cut by as much; rounding moves a few simulations.
fn check<L: Layout>(digits: u32, most_over: f64) {
    let (mut rng, tables) = (Rng::new(u64::from(digits), 0), Arc::new(Tables::new()));
    let mut allocation = Allocation::default();
    let mut compared = 0;
    for _ in 0..2_000 {
        let spread = [0.0, 0.01, 0.1, 1.0][rng.below(4) as usize];
        let case = case::<L>(&mut rng, digits, spread, &tables);
        let simulations = (rng.unit() * 9.0).exp2().ceil() as u32;
        allocation.share_out::<L>(&case.tree.arena.words, case.block, &case.ucb, case.exploration, simulations);
        let counts = allocation.counts();
        let name = || format!("{simulations} with k = {} for {:?}: {counts:?}", case.exploration, case.children);
        assert_eq!(counts.iter().sum::<u32>(), simulations, "{}", name());
        // Closed children are all alike to numbers of 32 bits, and so are those of very many visits.
        let highest_open = case.visited().map(|(_, _, visits)| visits).filter(|&visits| visits < CLOSED_VISITS);
        let most = highest_open.fold(0.0, f64::max);
        if case.visited().count() > 0 && most == 0.0 {
            continue;
        }
        let Some(expected) = case.one_by_one(simulations) else { continue };
        compared += 1;
        if case.visited().count() > 0 {
            // Rounding may withhold one simulation from any child.
            let one_more: Vec<u32> = counts.iter().map(|count| count + 1).collect();
            let [left, level] = [&one_more, &expected].map(|given| case.best() + case.highest(given).1);
            assert!(left <= level * (1.0 + most_over) + 1e-6, "{left} is left at the level {level}: {}", name());
        }
        if case.exploration < 1e-6 {
            let best = case.best();
            let others = case.visited().filter(|&(_, mean, _)| mean < best - 1e-6);
            assert_eq!(others.map(|(child, ..)| counts[child]).sum::<u32>(), 0, "{}", name());
        } else if most < EXACT_VISITS {
            for (&count, &expected) in counts.iter().zip(&expected) {
                let most = 4.0 + 0.1 * f64::from(simulations);
                assert!(f64::from(count.abs_diff(expected)) <= most, "{count}, not {expected}: {}", name());
            }
        }
    }
    assert!(compared > 1_500, "{compared} cases were compared");
}

/// A closed child looks as if it had this many visits and more.
const CLOSED_VISITS: f64 = (1u64 << 31) as f64;
/// Visits that numbers of 32 bits tell apart.
const EXACT_VISITS: f64 = (1u64 << 22) as f64;

#[test]
fn children_get_together_what_they_get_one_by_one() {
    for digits in [3, 7, 13, 20, 25] {
        check::<Packed>(digits, 0.01);
        check::<Narrow>(digits, 0.01);
    }
}

#[test]
fn children_of_a_thousand_million_visits_get_about_what_they_get_one_by_one() {
    check::<Packed>(31, 0.03);
    check::<Narrow>(31, 0.03);
}
