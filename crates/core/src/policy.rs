//! The selection policies: UCB1, and PUCT with priors.

use crate::children::greatest;
use crate::roots::Roots;
use crate::tree::Node;
use crate::{FirstPlay, Policy, Settings, Values};

/// The weight of a child that is tried before all that were visited.
const FIRST: f32 = 1e18;

/// The policy of a search, with the rewards that it has seen.
pub(crate) struct Selection {
    policy: Policy,
    exploration: f32,
    first_play: FirstPlay,
    /// The least and the greatest reward: declared by the game, or seen so far.
    pub(crate) bounds: (f32, f32),
    declared: Option<(f64, f64)>,
    roots: Roots,
}

impl Selection {
    /// The policy of the settings, for rewards with these bounds.
    pub(crate) fn new(settings: &Settings, declared: Option<(f64, f64)>) -> Selection {
        let Settings { policy, exploration, first_play, .. } = *settings;
        let mut selection =
            Selection { policy, exploration, first_play, bounds: (0.0, 0.0), declared, roots: Roots::new() };
        selection.forget();
        selection
    }

    /// Forgets the rewards that were seen.
    pub(crate) fn forget(&mut self) {
        self.bounds = match self.declared {
            Some((least, most)) => (least as f32, most as f32),
            None => (f32::INFINITY, f32::NEG_INFINITY),
        };
    }

    /// Sees the rewards of a playout.
    #[inline]
    pub(crate) fn see(&mut self, values: &Values, players: usize) {
        if self.declared.is_none() {
            for &value in &values[..players] {
                self.bounds = (self.bounds.0.min(value), self.bounds.1.max(value));
            }
        }
    }

    /// True for UCB1.
    #[inline]
    pub(crate) fn is_ucb(&self) -> bool {
        self.policy == Policy::Ucb1
    }

    /// The index of the child with the greatest value, for a node that this number of playouts went through.
    #[inline]
    pub(crate) fn best<'n, A: 'n>(&self, visits: u32, children: impl Iterator<Item = &'n Node<A>> + Clone) -> usize {
        let range = (self.bounds.1 - self.bounds.0).max(1e-9);
        let scale = self.exploration * range;
        // A child without visits has its value as its mean, unless the value depends on the other children.
        let unvisited = match (self.first_play, self.policy) {
            (FirstPlay::Value(_), _) | (FirstPlay::First, Policy::Ucb1) => None,
            (FirstPlay::First, Policy::Puct) => Some(self.value_of_unvisited(children.clone(), 0.0)),
            (FirstPlay::Parent(reduction), _) => Some(self.value_of_unvisited(children.clone(), reduction * range)),
        };
        let mean = |child: &Node<A>| match unvisited {
            Some(value) if child.visits == 0 && child.mean.is_finite() => value,
            _ => child.mean,
        };
        match self.policy {
            Policy::Ucb1 => {
                let exploration = scale * self.roots.of_ln(visits).max(1e-9);
                greatest(children.map(|child| mean(child) + exploration * child.weight))
            }
            Policy::Puct => {
                // The first playout of a node has none before it, and goes by the priors too.
                let exploration = scale * (visits.max(1) as f32).sqrt();
                let share = |child: &Node<A>| child.weight / (1.0 + child.visits as f32);
                greatest(children.map(|child| mean(child) + exploration * share(child)))
            }
        }
    }

    /// The mean of the visited children, less a reduction times the square root of the sum of their priors.
    fn value_of_unvisited<'n, A: 'n>(
        &self,
        children: impl Iterator<Item = &'n Node<A>> + Clone,
        reduction: f32,
    ) -> f32 {
        let (mut visits, mut sum, mut priors) = (0, 0.0, 0.0);
        let count = children.clone().count() as f32;
        for child in children.filter(|child| child.visits > 0 && child.mean.is_finite()) {
            visits += child.visits;
            sum += child.mean * child.visits as f32;
            priors += if self.is_ucb() { 1.0 / count } else { child.weight };
        }
        match visits {
            0 => 0.0,
            _ => sum / visits as f32 - reduction * priors.sqrt(),
        }
    }

    /// The children of a node before their first visit. Without priors all are equally likely.
    pub(crate) fn children<'a, A: Copy>(
        &self,
        actions: &'a [A],
        priors: &'a [f32],
    ) -> impl Iterator<Item = Node<A>> + 'a {
        let (least, most) = self.bounds;
        let mean = match self.first_play {
            FirstPlay::Value(share) if least <= most => least + share * (most - least),
            _ => 0.0,
        };
        let (weight, sum) = match (self.policy, self.first_play) {
            (Policy::Ucb1, FirstPlay::First) => (FIRST, 0.0),
            (Policy::Ucb1, _) => (0.0, 0.0),
            (Policy::Puct, _) => (1.0 / actions.len() as f32, priors.iter().sum::<f32>()),
        };
        actions.iter().enumerate().map(move |(index, &action)| {
            let weight = if sum > 0.0 { priors.get(index).map_or(0.0, |prior| prior / sum) } else { weight };
            Node::new(action, mean, weight)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Children with these visits and means, as the policy sees them.
    fn children(selection: &Selection, priors: &[f32], stats: &[(u32, f32)]) -> Vec<Node<u8>> {
        let actions: Vec<u8> = (0..stats.len() as u8).collect();
        let mut nodes: Vec<Node<u8>> = selection.children(&actions, priors).collect();
        for (node, &(visits, mean)) in nodes.iter_mut().zip(stats) {
            (0..visits).for_each(|_| node.add(mean, selection.is_ucb()));
        }
        nodes
    }

    fn selection(policy: Policy, exploration: f32, first_play: FirstPlay, bounds: Option<(f64, f64)>) -> Selection {
        Selection::new(&Settings { policy, exploration, first_play, ..Settings::DEFAULT }, bounds)
    }

    const UNIT: Option<(f64, f64)> = Some((0.0, 1.0));

    #[test]
    fn ucb1_is_the_mean_and_the_root_of_the_logarithm_over_the_visits() {
        // Values at N = 100 by hand: 0.5 + C 0.2770, 0.45 + C 0.3918, 0.2 + C 0.6786.
        let stats = [(60, 0.5), (30, 0.45), (10, 0.2)];
        for (c, best) in [(0.4, 0), (0.44, 1), (0.86, 1), (0.88, 2)] {
            let selection = selection(Policy::Ucb1, c, FirstPlay::First, UNIT);
            assert_eq!(selection.best(100, children(&selection, &[], &stats).iter()), best, "{}", c);
        }
    }

    #[test]
    fn exploration_goes_with_the_range_of_rewards() {
        let stats = [(60, 50.0), (30, 45.0), (10, 20.0)];
        let mut learned = selection(Policy::Ucb1, 0.44, FirstPlay::First, None);
        learned.see(&[0.0, 100.0, -9.0, 0.0, 0.0, 0.0, 0.0, 0.0], 2);
        let declared = selection(Policy::Ucb1, 0.44, FirstPlay::First, Some((0.0, 100.0)));
        for selection in [&learned, &declared] {
            assert_eq!(selection.best(100, children(selection, &[], &stats).iter()), 1);
        }
        learned.forget();
        assert_eq!(learned.best(100, children(&learned, &[], &stats).iter()), 0, "no range, no exploration");
    }

    #[test]
    fn puct_divides_exploration_by_the_priors() {
        // Values at N = 9 by hand: 0.5 + C 0.1667, 0.25 + C 0.6, and without a visit the mean 0.4583 and C 0.8.
        let stats = [(5, 0.5), (1, 0.25), (0, 0.0)];
        for (c, best) in [(0.05, 0), (0.3, 2)] {
            let selection = selection(Policy::Puct, c, FirstPlay::First, UNIT);
            assert_eq!(selection.best(9, children(&selection, &[5.0, 6.0, 4.0], &stats).iter()), best, "{}", c);
        }
        let reduced = selection(Policy::Puct, 0.8, FirstPlay::Parent(0.5), UNIT);
        assert_eq!(reduced.best(9, children(&reduced, &[5.0, 6.0, 4.0], &stats).iter()), 1);
        let fresh = selection(Policy::Puct, 1.0, FirstPlay::First, UNIT);
        assert_eq!(fresh.best(0, children(&fresh, &[0.2, 0.5, 0.3], &[(0, 0.0); 3]).iter()), 1);
    }

    #[test]
    fn an_unvisited_child_comes_first_or_waits_for_its_value() {
        let stats = [(9, 0.9), (9, 0.2), (0, 0.0)];
        for (first_play, best) in
            [(FirstPlay::First, 2), (FirstPlay::Value(0.5), 0), (FirstPlay::Value(1.2), 2), (FirstPlay::Parent(0.0), 0)]
        {
            let selection = selection(Policy::Ucb1, 0.1, first_play, UNIT);
            assert_eq!(selection.best(18, children(&selection, &[], &stats).iter()), best, "{:?}", first_play);
        }
    }

    #[test]
    fn a_value_of_rewards_that_were_not_seen_yet_is_a_number() {
        let selection = selection(Policy::Ucb1, 1.0, FirstPlay::Value(0.5), None);
        let nodes = children(&selection, &[], &[(3, 7.0), (0, 0.0)]);
        assert_eq!([nodes[0].mean, nodes[1].mean], [7.0, 0.0]);
    }
}
