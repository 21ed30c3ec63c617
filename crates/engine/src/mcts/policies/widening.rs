//! Progressive widening: a node with N visits has at most C N^alpha children in use (Coulom 2007; Chaslot et al. 2008,
//! progressive unpruning).
//!
//! Children come into use in the order of their priors, those with equal priors in the order of the game. For games
//! with so many actions that a search could not even try each of them once.

use super::{ChildStats, ParentStats, SelectionPolicy, greatest};
use crate::logarithm::{exp, ln};

#[derive(Debug)]
pub(super) struct Widening {
    /// The number of children in use after the first visit.
    pub(super) constant: f64,
    pub(super) exponent: f64,
    /// The rule that selects among those in use.
    pub(super) rule: Box<dyn SelectionPolicy>,
}

impl Widening {
    /// The number of children that a node with this many visits uses.
    fn width(&self, visits: u32) -> usize {
        let grown = exp(self.exponent * ln(f64::from(visits.max(1))));
        (self.constant * grown).clamp(1.0, f64::from(u32::MAX)) as usize
    }
}

impl SelectionPolicy for Widening {
    fn select(&self, parent: &ParentStats, children: &[ChildStats]) -> usize {
        let in_use = children.iter().filter(|child| child.visits > 0).count();
        if in_use == children.len() {
            return self.rule.select(parent, children);
        }
        let open = children.iter().any(|child| child.visits > 0 && !child.is_closed());
        if in_use < self.width(parent.visits) || !open {
            return greatest(children.iter().map(|child| if child.visits == 0 { child.prior } else { -1.0 }));
        }
        let (indices, used): (Vec<usize>, Vec<ChildStats>) =
            children.iter().enumerate().filter(|(_, child)| child.visits > 0).unzip();
        indices[self.rule.select(parent, &used)]
    }

    fn best(&self, children: &[ChildStats]) -> Option<usize> {
        self.rule.best(children)
    }

    fn needs_budget(&self) -> bool {
        self.rule.needs_budget()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{child, node, puct::Puct};
    use super::*;
    use crate::mcts::settings::FirstPlay;

    #[test]
    fn children_come_into_use_by_their_priors_as_visits_grow() {
        let rule = Box::new(Puct { c: 1.0, first_play: FirstPlay::Value(9.0) });
        let rule = Widening { constant: 1.0, exponent: 0.5, rule };
        let mut children: Vec<_> = (0..100).map(|number| child(0, 0.0, (number % 10) as f32 / 450.0)).collect();
        for visits in 0..400 {
            let index = rule.select(&node(visits), &children);
            children[index].visits += 1;
            children[index].finished += 1;
            children[index].sum += 0.5;
        }
        let used: Vec<usize> = (0..100).filter(|&index| children[index].visits > 0).collect();
        let likely: Vec<usize> = (0..100).filter(|index| index % 10 == 9).collect();
        assert!(used.len() == 19 && likely.iter().all(|index| used.contains(index)), "{used:?}");
    }
}
