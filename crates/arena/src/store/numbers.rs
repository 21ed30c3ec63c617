//! Sets of game numbers, kept as ranges.

use std::ops::Range;

/// A set of game numbers. Games are played nearly in order, so a few ranges are enough.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Ranges in order. None is empty, and none touches the next.
    ranges: Vec<Range<u64>>,
}

impl Numbers {
    /// Returns true if the set has this number.
    pub fn contains(&self, number: u64) -> bool {
        let place = self.ranges.partition_point(|range| range.end <= number);
        self.ranges.get(place).is_some_and(|range| range.contains(&number))
    }

    /// Number of game numbers in the set.
    pub fn len(&self) -> u64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Iterates over the numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.ranges.iter().cloned().flatten()
    }

    /// Returns the set with further numbers, which it does not have yet.
    pub(crate) fn with(&self, mut others: Vec<u64>) -> Numbers {
        others.extend(self.iter());
        others.sort_unstable();
        let mut all = Numbers::default();
        others.into_iter().for_each(|number| all.push(number));
        all
    }

    /// Adds a number greater than all others of the set.
    pub(super) fn push(&mut self, number: u64) {
        debug_assert!(self.ranges.last().is_none_or(|last| last.end <= number), "numbers come in order");
        match self.ranges.last_mut() {
            Some(last) if last.end == number => last.end += 1,
            _ => self.ranges.push(number..number + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use boughs::Rng;

    use super::*;

    fn set(numbers: impl IntoIterator<Item = u64>) -> Numbers {
        let mut set = Numbers::default();
        numbers.into_iter().for_each(|number| set.push(number));
        set
    }

    #[test]
    fn it_has_the_numbers_put_in_and_no_others() {
        let mut rng = Rng::new(1, 0);
        for _ in 0..200 {
            let reference: BTreeSet<u64> = (0..30).map(|_| u64::from(rng.below(40))).collect();
            let numbers = set(reference.iter().copied());
            assert!(numbers.iter().eq(reference.iter().copied()), "{reference:?}");
            assert_eq!((numbers.len(), numbers.is_empty()), (reference.len() as u64, false));
            assert!((0..45).all(|number| numbers.contains(number) == reference.contains(&number)), "{reference:?}");
        }
        let none = Numbers::default();
        assert!(none.is_empty() && !none.contains(0));
        assert_eq!(none.len(), 0);
    }

    #[test]
    fn a_long_run_is_one_range() {
        assert_eq!(set(0..10_000).ranges.len(), 1);
    }
}
