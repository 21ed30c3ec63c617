//! Choosing the child with the highest value: the innermost loop of a search.
//!
//! Where the UCB terms stand ready, children are valued in groups, written as operations on arrays of four numbers,
//! because the compiler turns those into vector instructions on every processor. Where the terms have to be looked up
//! in tables first, one child after the other is quicker: nothing has to be brought together.

use super::ucb::UcbTerms;

/// The number of children that are valued at a time.
pub(super) const GROUP: usize = 8;
const HALF: usize = GROUP / 2;

/// The UCB terms of up to eight children. A place without a child has terms of 0, so its value is not above any
/// child's.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(super) struct Group {
    means: [f32; GROUP],
    inv_sqrt_ns: [f32; GROUP],
}

impl Group {
    #[inline(always)]
    pub(super) fn set(&mut self, place: usize, terms: UcbTerms) {
        self.means[place] = terms.mean;
        self.inv_sqrt_ns[place] = terms.inv_sqrt_n;
    }

    #[inline(always)]
    pub(super) fn best(&self, exploration: f32) -> Best {
        Best::of([self.keys(0, exploration), self.keys(1, exploration)])
    }

    #[inline(always)]
    fn keys(&self, half: usize, exploration: f32) -> Keys {
        std::array::from_fn(|place| {
            let at = half * HALF + place;
            let value = self.means[at] + exploration * self.inv_sqrt_ns[at];
            value.to_bits().cast_signed() & !LAST | PLACES[half][place]
        })
    }
}

/// A value with its place in its last three bits, the first place highest: one comparison finds the best value and
/// where it is. No value is negative, so they compare as their bits do.
type Keys = [i32; HALF];

const LAST: i32 = GROUP as i32 - 1;
const PLACES: [Keys; 2] = [[7, 6, 5, 4], [3, 2, 1, 0]];

/// The best of up to eight children: their largest key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Best(i32);

impl Best {
    #[inline(always)]
    fn of(keys: [Keys; 2]) -> Best {
        let [a, b, c, d] = larger(keys[0], keys[1]);
        let [a, b, ..] = larger([a, b, c, d], [c, d, a, b]);
        Best(if a > b { a } else { b })
    }

    #[inline(always)]
    pub(super) fn place(self) -> u32 {
        (LAST - (self.0 & LAST)) as u32
    }
}

#[inline(always)]
fn larger(one: Keys, other: Keys) -> Keys {
    std::array::from_fn(|place| if one[place] > other[place] { one[place] } else { other[place] })
}

/// The index of the highest of some values, compared one after the other; of those equal but for the last bits the
/// first.
#[inline(always)]
pub(super) fn highest_one_by_one(values: impl Iterator<Item = f32>) -> u32 {
    let (mut most, mut index) = (-1, 0);
    for (place, value) in values.enumerate() {
        let value = value.to_bits().cast_signed() | LAST;
        (most, index) = if value > most { (value, place as u32) } else { (most, index) };
    }
    index
}

/// The index of the child with the highest value, group by group; of those equal but for the last bits the first.
pub(super) fn highest(children: usize, best: impl Fn(usize) -> Best) -> u32 {
    let (mut most, mut index) = (-1, 0);
    for first in (0..children).step_by(GROUP) {
        let best = best(first);
        // A later group has to be better in more than its place.
        if best.0 | LAST > most {
            (most, index) = (best.0 | LAST, first as u32 + best.place());
        }
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn the_first_of_the_highest_values_is_chosen() {
        let mut rng = Rng::new(1, 0);
        for _ in 0..2_000 {
            let children = 1 + rng.below(40) as usize;
            let terms: Vec<UcbTerms> = (0..children)
                .map(|_| UcbTerms { mean: rng.below(5) as f32 / 4.0, inv_sqrt_n: rng.below(4) as f32 / 8.0 })
                .collect();
            let exploration = rng.below(3) as f32 + 1e-9;
            let best = |first: usize| {
                let mut group = Group::default();
                let rest = &terms[first..];
                rest.iter().take(GROUP).enumerate().for_each(|(place, &terms)| group.set(place, terms));
                group.best(exploration)
            };
            let values: Vec<f32> = terms.iter().map(|terms| terms.value(exploration)).collect();
            let most = values.iter().copied().fold(0.0, f32::max);
            let near = |&value: &f32| value >= most * (1.0 - 1e-6);
            let first = values.iter().position(near).unwrap_or(99);
            assert_eq!(highest(children, best) as usize, first);
            assert_eq!(highest_one_by_one(values.iter().copied()) as usize, first);
        }
    }
}
