//! Gumbel search: sequential halving at the root, and below it the visits that an improved policy asks for (Danihelka,
//! Guez, Schrittwieser and Silver 2022, "Policy improvement by planning with Gumbel").
//!
//! At the root each action draws a Gumbel number g once a search. The actions with the greatest g + ln P are sampled
//! without replacement from the priors P; up to 16 of them are considered. Sequential halving (Karnin, Koren and Somekh
//! 2013) divides the budget into as many phases as it takes to halve the considered actions down to one. Each phase
//! visits those that are left equally often and keeps the half with the greatest g + ln P + sigma(q), where q is the
//! mean reward and sigma(q) = (50 + the most visits of a child) q (equation 8). With exact values the action that is
//! left is better than one drawn from the priors, however few simulations there are.
//!
//! Below the root the policy P' = softmax(ln P + sigma(completed q)) is followed without drawing: the next child is the
//! one with the greatest P' - n / (1 + N) (equation 14). A child that was never visited is given the mean of the
//! others, weighted by their priors. The paper also mixes in the value that the node itself was given (appendix D),
//! which the tree does not keep.

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
    /// The finished visits of each child when the phase began.
    before: Vec<u32>,
    /// The number of the phase, and of all phases.
    phase: u32,
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
        let root = root.get_or_insert_with(|| Root::new(children, &mut Rng::new(self.stream.0, self.stream.1)));
        root.go_on_to((parent.progress * root.phases as f32) as u32, children);
        let visits = |index: usize| children[index].visits.saturating_sub(root.before[index]);
        let open = root.considered.iter().copied().filter(|&index| !children[index].is_closed());
        open.min_by_key(|&index| visits(index)).unwrap_or_else(|| below_root(children))
    }

    fn best(&self, children: &[ChildStats]) -> Option<usize> {
        let root = self.root.lock();
        let root = root.as_ref()?;
        let scores = root.scores(children);
        root.considered.iter().copied().max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)))
    }

    fn needs_progress(&self) -> bool {
        true
    }
}

impl Root {
    fn new(children: &[ChildStats], rng: &mut Rng) -> Root {
        // The unit interval without 0, whose logarithm is no number.
        let mut gumbel = || -ln(-ln((rng.unit() + 0.5 / (1u64 << 53) as f64).min(1.0 - f64::EPSILON))) as f32;
        let drawn: Vec<f32> = children.iter().map(|child| gumbel() + logit(child)).collect();
        let mut considered: Vec<usize> = (0..children.len()).collect();
        considered.sort_by(|&a, &b| drawn[b].total_cmp(&drawn[a]));
        considered.truncate(MOST_CONSIDERED);
        let phases = considered.len().next_power_of_two().ilog2().max(1);
        let before = children.iter().map(|child| child.finished).collect();
        Root { drawn, considered, before, phase: 0, phases }
    }

    /// Goes on to a phase and keeps the better half of the considered children before each.
    fn go_on_to(&mut self, phase: u32, children: &[ChildStats]) {
        while self.phase < phase.min(self.phases - 1) {
            let scores = self.scores(children);
            self.considered.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
            self.considered.truncate(self.considered.len().div_ceil(2));
            self.before = children.iter().map(|child| child.finished).collect();
            self.phase += 1;
        }
    }

    /// The value g + ln P + sigma(q) of each child.
    fn scores(&self, children: &[ChildStats]) -> Vec<f32> {
        let sigma = sigma(children);
        children.iter().zip(&self.drawn).map(|(child, drawn)| drawn + sigma * child.finished_mean()).collect()
    }
}

fn logit(child: &ChildStats) -> f32 {
    ln(f64::from(child.prior.max(LEAST_PRIOR))) as f32
}

/// The factor of sigma.
fn sigma(children: &[ChildStats]) -> f32 {
    let open = children.iter().filter(|child| !child.is_closed());
    VISITS + open.map(|child| child.visits).max().unwrap_or_default() as f32
}

/// The child that the improved policy is the furthest behind with.
fn below_root(children: &[ChildStats]) -> usize {
    let visited = || children.iter().filter(|child| child.finished > 0 && !child.is_closed());
    let visits: u32 = children.iter().filter(|child| !child.is_closed()).map(|child| child.visits).sum();
    let prior: f32 = visited().map(|child| child.prior).sum();
    let mixed = match prior > 0.0 {
        true => visited().map(|child| child.prior * child.finished_mean()).sum::<f32>() / prior,
        false => 0.5,
    };
    let sigma = sigma(children);
    let score =
        |child: &ChildStats| logit(child) + sigma * if child.finished == 0 { mixed } else { child.finished_mean() };
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
            let progress = visits as f32 / budget as f32;
            let index = rule.select(&ParentStats { visits, is_root: true, progress }, &children);
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
