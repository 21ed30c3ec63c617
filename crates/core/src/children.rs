//! The actions at the root of a search, with what it knows of them.

use std::cmp::Ordering;

use crate::FinalMove;

/// The steps of a way down, and the actions of a position, that a search has memory for when it is made.
pub(crate) const WAY: usize = 1024;

/// An action at the root of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Child<A> {
    /// The action.
    pub action: A,
    /// Its playouts.
    pub visits: u32,
    /// Their mean reward for the player who acts. An infinite one is a proven win or loss.
    pub mean: f32,
}

impl<A> Child<A> {
    /// Adds a playout with a reward.
    #[inline]
    pub(crate) fn add(&mut self, reward: f32) {
        self.visits += 1;
        self.mean += (reward - self.mean) / self.visits as f32;
    }
}

/// Orders actions, the one to play first, and of equals the first. Those without a playout are left out, unless the
/// action is forced or its value is proven. A proven win comes first and a proven loss last.
pub(crate) fn rank<A: Copy>(children: impl ExactSizeIterator<Item = Child<A>>, by: FinalMove) -> Vec<Child<A>> {
    let is_forced = children.len() == 1;
    let mut ranked: Vec<_> =
        children.filter(|child| child.visits > 0 || is_forced || child.mean.is_infinite()).collect();
    let proof = |child: &Child<A>| if child.mean.is_infinite() { child.mean.signum() } else { 0.0 };
    let merit = |child: &Child<A>| match by {
        FinalMove::MostPlayouts => (proof(child), child.visits as f32, child.mean),
        FinalMove::BestMean => (proof(child), child.mean, child.visits as f32),
    };
    ranked.sort_by(|one, other| merit(other).partial_cmp(&merit(one)).unwrap_or(Ordering::Equal));
    ranked
}

/// The lead in playouts of the most played action over the next.
pub(crate) fn lead(visits: impl Iterator<Item = u32>) -> u64 {
    let (first, second) = visits.fold((0, 0), |(first, second), visits| match visits > first {
        true => (visits, first),
        false => (first, second.max(visits)),
    });
    u64::from(first - second)
}

/// The index of the greatest value, the first of equals.
#[inline]
pub(crate) fn greatest(values: impl Iterator<Item = f32>) -> usize {
    let mut best = (f32::NEG_INFINITY, 0);
    for (index, value) in values.enumerate() {
        // Two moves in place of a branch, which the processor would guess wrong.
        let is_better = value > best.0;
        best = (if is_better { value } else { best.0 }, if is_better { index } else { best.1 });
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_counts_more_than_playouts_and_the_first_of_equals_is_best() {
        let child = |action, visits, mean| Child { action, visits, mean };
        let children = [
            child(0, 90, f32::NEG_INFINITY),
            child(1, 5, 0.75),
            child(2, 9, 0.5),
            child(3, 0, 0.0),
            child(4, 9, 0.5),
            child(5, 0, f32::INFINITY),
        ];
        let actions = |by| rank(children.iter().copied(), by).iter().map(|child| child.action).collect::<Vec<_>>();
        assert_eq!(actions(FinalMove::MostPlayouts), [5, 2, 4, 1, 0]);
        assert_eq!(actions(FinalMove::BestMean), [5, 1, 2, 4, 0]);
        assert_eq!(rank([child(7, 0, 0.0)].into_iter(), FinalMove::BestMean)[0].action, 7);
    }

    #[test]
    fn the_lead_is_over_the_second() {
        assert_eq!([vec![], vec![4], vec![3, 9, 7], vec![9, 9]].map(|visits| lead(visits.into_iter())), [0, 4, 2, 0]);
    }
}
