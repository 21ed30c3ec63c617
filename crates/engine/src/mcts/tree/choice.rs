//! Choosing the child with the highest value: the innermost loop of a search.
//!
//! Children are compared one after the other, because their UCB terms have to be looked up in tables first: nothing
//! has to be brought together for vector instructions.

/// Bits of a value that do not count: values equal but for these are equal.
pub(super) const LAST: i32 = 7;

/// The highest of the values seen so far; of those equal but for the last bits the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Highest {
    most: i32,
    index: u32,
    seen: u32,
}

impl Highest {
    /// The highest of no values.
    #[inline(always)]
    pub(super) fn new() -> Highest {
        Highest { most: -1, index: 0, seen: 0 }
    }

    /// Sees the next value. No value is negative, so they compare as their bits do.
    #[inline(always)]
    pub(super) fn see(&mut self, value: f32) {
        let value = value.to_bits().cast_signed() | LAST;
        (self.most, self.index) = if value > self.most { (value, self.seen) } else { (self.most, self.index) };
        self.seen += 1;
    }

    /// The index of the highest value.
    #[inline(always)]
    pub(super) fn index(self) -> u32 {
        self.index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn the_first_of_the_highest_values_is_chosen() {
        let mut rng = Rng::new(1, 0);
        for _ in 0..2_000 {
            let values: Vec<f32> = (0..1 + rng.below(40)).map(|_| rng.below(20) as f32 / 8.0).collect();
            let most = values.iter().copied().fold(0.0, f32::max);
            let first = values.iter().position(|&value| value >= most * (1.0 - 1e-6)).unwrap_or(99);
            let mut highest = Highest::new();
            values.iter().for_each(|&value| highest.see(value));
            assert_eq!(highest.index() as usize, first);
        }
    }
}
