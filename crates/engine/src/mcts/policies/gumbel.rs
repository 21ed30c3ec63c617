//! Gumbel search: sequential halving at the root, and below it the visits that an improved policy asks for (Danihelka,
//! Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with Gumbel").
//!
//! At the root each action draws a Gumbel number g once a search. The actions with the greatest g + ln P are sampled
//! without replacement from the priors P; up to 16 of them are considered, and no more than there are simulations.
//! Sequential halving (Karnin, Koren and Somekh 2013) of m actions with n simulations visits those that are left in
//! each phase n / (ceil(log2 m) left) times, once at least, and keeps the half with the greatest g + ln P + sigma(q),
//! down to two, where q is the mean reward and sigma(q) = (50 + the most visits of a child) q (equation 8). Of those
//! with the most visits the one with the greatest is played. With exact values it is better than one drawn from the
//! priors, however few simulations there are. Where time limits the search, n is what its speed so far lets expect.
//!
//! Below the root the policy P' = softmax(ln P + sigma(completed q)) is followed without drawing: the next child is the
//! one with the greatest P' - n / (1 + N) (equation 14). A child that was never visited is given the mean of the
//! others, weighted by their priors (mixed value). The paper also mixes in the value that the node itself was given
//! (appendix D), which the tree does not keep.

use super::{ChildStats, ParentStats, SelectionPolicy, greatest};
use crate::Rng;
use crate::locks::Mutex;
use crate::logarithm::{exp, ln};

/// The most actions that are considered at the root.
const MOST_CONSIDERED: usize = 16;
/// The constant of sigma: the visits that a mean reward counts for at least.
const VISITS: f32 = 50.0;
/// Priors below this count as this, so that their logarithm is a number.
const LEAST_PRIOR: f32 = 1e-12;

#[derive(Debug)]
pub(super) struct Gumbel {
    /// The seed and the stream of the Gumbel numbers.
    stream: (u64, u64),
    root: Mutex<Option<Root>>,
}

/// The state of sequential halving.
#[derive(Debug)]
struct Root {
    /// The Gumbel number of each child plus the logarithm of its prior.
    drawn: Vec<f32>,
    /// The children that are considered.
    considered: Vec<usize>,
    /// The finished visits of each child when the search began, and when the phase began.
    at_first: Vec<u32>,
    before: Vec<u32>,
    /// The number of phases that halve the considered children down to one.
    phases: u32,
}

impl Gumbel {
    pub(super) fn new(seed: u64, stream: u64) -> Gumbel {
        Gumbel { stream: (seed, stream), root: Mutex::new(None) }
    }
}

impl SelectionPolicy for Gumbel {
    fn select(&self, parent: &ParentStats, children: &[ChildStats]) -> usize {
        if !parent.is_root {
            return below_root(children);
        }
        let mut root = self.root.lock();
        let draw = || Root::new(parent.budget, children, &mut Rng::new(self.stream.0, self.stream.1));
        let root = root.get_or_insert_with(draw);
        root.go_on(parent.budget, children);
        let scores = root.scores(children);
        let open = root.considered.iter().copied().filter(|&index| !children[index].is_closed());
        let visits = |index: usize| children[index].visits.saturating_sub(root.before[index]);
        let first = |a: &usize, b: &usize| visits(*a).cmp(&visits(*b)).then(scores[*b].total_cmp(&scores[*a]));
        open.min_by(first).unwrap_or_else(|| below_root(children))
    }

    fn best(&self, children: &[ChildStats]) -> Option<usize> {
        let root = self.root.lock();
        let root = root.as_ref()?;
        let scores = root.scores(children);
        let visits = |index: usize| children[index].finished.saturating_sub(root.at_first[index]);
        let worse = |a: &usize, b: &usize| visits(*a).cmp(&visits(*b)).then(scores[*a].total_cmp(&scores[*b]));
        // The first of equals.
        root.considered.iter().copied().rev().max_by(worse)
    }

    fn needs_budget(&self) -> bool {
        true
    }
}

impl Root {
    fn new(budget: u64, children: &[ChildStats], rng: &mut Rng) -> Root {
        // The unit interval without 0, whose logarithm is no number.
        let mut gumbel = || -ln(-ln((rng.unit() + 0.5 / (1u64 << 53) as f64).min(1.0 - f64::EPSILON))) as f32;
        let drawn: Vec<f32> = children.iter().map(|child| gumbel() + logit(child)).collect();
        let mut considered: Vec<usize> = (0..children.len()).collect();
        considered.sort_by(|&a, &b| drawn[b].total_cmp(&drawn[a]));
        considered.truncate(MOST_CONSIDERED.min(budget.max(1) as usize));
        let phases = considered.len().next_power_of_two().ilog2().max(1);
        let at_first: Vec<u32> = children.iter().map(|child| child.finished).collect();
        Root { drawn, considered, before: at_first.clone(), at_first, phases }
    }

    /// Keeps the better half of the considered children once each has had the visits of a phase.
    fn go_on(&mut self, budget: u64, children: &[ChildStats]) {
        while self.considered.len() > 2 {
            let share = (budget / (u64::from(self.phases) * self.considered.len() as u64)).max(1);
            let is_done = |&index: &usize| {
                let child = &children[index];
                child.is_closed() || u64::from(child.finished.saturating_sub(self.before[index])) >= share
            };
            if !self.considered.iter().all(is_done) {
                return;
            }
            let scores = self.scores(children);
            self.considered.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
            self.considered.truncate((self.considered.len() / 2).max(2));
            self.before = children.iter().map(|child| child.finished).collect();
        }
    }

    /// The value g + ln P + sigma(completed q) of each child.
    fn scores(&self, children: &[ChildStats]) -> Vec<f32> {
        let (sigma, mixed) = (sigma(children), mixed(children));
        children.iter().zip(&self.drawn).map(|(child, drawn)| drawn + sigma * completed(child, mixed)).collect()
    }
}

fn logit(child: &ChildStats) -> f32 {
    ln(f64::from(child.prior.max(LEAST_PRIOR))) as f32
}

/// The mean of the visited children, weighted by their priors.
fn mixed(children: &[ChildStats]) -> f32 {
    let visited = || children.iter().filter(|child| child.finished > 0 && !child.is_closed());
    let prior: f32 = visited().map(|child| child.prior).sum();
    match prior > 0.0 {
        true => visited().map(|child| child.prior * child.finished_mean()).sum::<f32>() / prior,
        false => 0.5,
    }
}

/// The mean of a child, or that of a child without one.
fn completed(child: &ChildStats, mixed: f32) -> f32 {
    if child.finished == 0 { mixed } else { child.finished_mean() }
}

/// The factor of sigma.
fn sigma(children: &[ChildStats]) -> f32 {
    let open = children.iter().filter(|child| !child.is_closed());
    VISITS + open.map(|child| child.visits).max().unwrap_or_default() as f32
}

/// The child that the improved policy is the furthest behind with.
fn below_root(children: &[ChildStats]) -> usize {
    let visits: u32 = children.iter().filter(|child| !child.is_closed()).map(|child| child.visits).sum();
    let (sigma, mixed) = (sigma(children), mixed(children));
    let score = |child: &ChildStats| logit(child) + sigma * completed(child, mixed);
    let most = children.iter().filter(|child| !child.is_closed()).map(score).fold(f32::NEG_INFINITY, f32::max);
    let weight = |child: &ChildStats| match child.is_closed() {
        true => 0.0,
        false => exp(f64::from(score(child) - most)) as f32,
    };
    let total: f32 = children.iter().map(weight).sum();
    greatest(children.iter().map(|child| match child.is_closed() {
        true => -2.0,
        false => weight(child) / total.max(f32::MIN_POSITIVE) - child.visits as f32 / (1.0 + visits as f32),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::{child, node};
    use super::*;

    /// Spends a budget at the root of a bandit with these priors and rewards, and returns the visits and the action.
    fn spend(budget: u32, seed: u64, arms: &[(f32, f32)]) -> (Vec<u32>, usize) {
        let rule = Gumbel::new(seed, 0);
        let mut children: Vec<ChildStats> = arms.iter().map(|&(prior, _)| child(0, 0.0, prior)).collect();
        for visits in 0..budget {
            let index = rule.select(&ParentStats { visits, is_root: true, budget: budget.into() }, &children);
            children[index].visits += 1;
            children[index].finished += 1;
            children[index].sum += arms[index].1;
        }
        let best = rule.best(&children).unwrap();
        (children.iter().map(|child| child.visits).collect(), best)
    }

    #[test]
    fn each_phase_halves_the_considered_actions() {
        let arms: Vec<(f32, f32)> = (0..4).map(|arm| (0.25, arm as f32 / 3.0)).collect();
        for seed in 0..20 {
            let (visits, best) = spend(64, seed, &arms);
            assert_eq!(visits, [8, 8, 24, 24]);
            assert_eq!(best, 3, "the values are exact, so the best action is left");
        }
        let (visits, _) = spend(64, 1, &[(0.01, 0.5); 100]);
        assert_eq!(visits.iter().filter(|&&visits| visits > 0).count(), 16);
    }

    /// Sequential halving as the authors wrote it down in their library mctx: the visits that the next action should
    /// have so far, one number for each simulation. Of the actions with so many visits the one with the greatest g +
    /// ln P + sigma(q) is taken; in the end of those with the most visits.
    fn by_the_paper(budget: u32, seed: u64, arms: &[(f32, f32)]) -> usize {
        let mut rng = Rng::new(seed, 0);
        let drawn: Vec<f64> = arms.iter().map(|(prior, _)| -(-rng.unit().ln()).ln() + f64::from(*prior).ln()).collect();
        let most = arms.len().min(16);
        let phases = (most as f64).log2().ceil() as usize;
        let (mut wanted, mut so_far, mut left) = (Vec::new(), vec![0; most], most);
        while wanted.len() < budget as usize {
            for _ in 0..(budget as usize / (phases * left)).max(1) {
                wanted.extend(&so_far[..left]);
                so_far[..left].iter_mut().for_each(|visits| *visits += 1);
            }
            left = (left / 2).max(2);
        }
        let mut visits = vec![0; arms.len()];
        let best_with = |visits: &[u32], wanted: u32| {
            let sigma = 50.0 + f64::from(visits.iter().copied().max().unwrap());
            let score = |arm: usize| drawn[arm] + if visits[arm] > 0 { sigma * f64::from(arms[arm].1) } else { 0.0 };
            let open = (0..arms.len()).filter(|&arm| visits[arm] == wanted);
            open.max_by(|&a, &b| score(a).total_cmp(&score(b))).unwrap()
        };
        for &wanted in &wanted[..budget as usize] {
            let arm = best_with(&visits, wanted);
            visits[arm] += 1;
        }
        best_with(&visits, visits.iter().copied().max().unwrap())
    }

    #[test]
    fn few_simulations_choose_as_well_as_the_schedule_of_the_paper() {
        for budget in [1, 2, 3, 4, 6, 8, 12, 16, 20, 32, 64, 200] {
            let (mut sum, mut of_paper) = (0.0, 0.0);
            for seed in 0..1_000 {
                let mut rng = Rng::new(seed, 9);
                let arms: Vec<(f32, f32)> = (0..16).map(|_| (1.0 / 16.0, rng.unit() as f32)).collect();
                sum += f64::from(arms[spend(budget, seed, &arms).1].1) / 1_000.0;
                of_paper += f64::from(arms[by_the_paper(budget, seed, &arms)].1) / 1_000.0;
            }
            assert!((sum - of_paper).abs() < 0.01, "{budget} simulations: {sum:.3} and {of_paper:.3} by the paper");
            assert!(budget != 4 || sum > 0.78, "the best of four draws from 0..1 is worth 0.8: {sum:.3}");
        }
    }

    #[test]
    fn actions_are_sampled_by_their_priors() {
        let likely = (0..1_000).filter(|&seed| spend(1, seed, &[(0.8, 0.5), (0.2, 0.5)]).0[0] == 1).count();
        assert!((760..840).contains(&likely), "{likely}");
    }

    #[test]
    fn visits_below_the_root_follow_the_improved_policy() {
        let mut children = [child(0, 0.0, 0.5), child(0, 0.0, 0.25), child(0, 0.0, 0.25)];
        for visits in 0..40 {
            let index = Gumbel::new(0, 0).select(&node(visits), &children);
            children[index].visits += 1;
            children[index].finished += 1;
            children[index].sum += 0.5;
        }
        assert_eq!(children.map(|child| child.visits), [20, 10, 10], "equal rewards change no prior");
        let children = [child(10, 2.0, 0.5), child(10, 8.0, 0.5)];
        assert_eq!(below_root(&children), 1);
    }
}
