//! The generator of the official referee: `java.util.Random`, which makes the map and shuffles lists.

/// A generator, whose state follows from its seed and from all draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct JavaRandom(u64);

const MULTIPLIER: u64 = 0x5_DEEC_E66D;
const MASK: u64 = (1 << 48) - 1;
/// The bound of all drawn numbers.
const DRAWS: u64 = 1 << 31;

impl JavaRandom {
    /// The generator of a seed.
    pub fn new(seed: i64) -> JavaRandom {
        JavaRandom((seed as u64 ^ MULTIPLIER) & MASK)
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(MULTIPLIER).wrapping_add(11) & MASK;
        self.0 >> 17
    }

    /// Draws a number below `bound`; returns 0 without a draw if `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound);
        if bound == 0 {
            return 0;
        }
        if bound.is_power_of_two() {
            return ((bound * self.draw()) >> 31) as u32;
        }
        loop {
            let drawn = self.draw();
            let value = drawn % bound;
            // Draws from the last, incomplete multiple of the bound would make small numbers more likely.
            if drawn - value + (bound - 1) < DRAWS {
                return value as u32;
            }
        }
    }

    /// Shuffles a list, all orders equally likely.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for length in (2..=list.len()).rev() {
            list.swap(length - 1, self.below(length as u32) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_java() {
        let mut random = JavaRandom::new(42);
        assert_eq!([(); 8].map(|()| random.below(37)), [14, 14, 2, 10, 11, 8, 11, 14]);
        assert_eq!([(); 4].map(|()| random.below(8)), [5, 0, 7, 3]);
    }

    #[test]
    fn lists_are_shuffled_as_in_java() {
        let mut list = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        JavaRandom::new(7).shuffle(&mut list);
        assert_eq!(list, [0, 1, 9, 3, 7, 4, 8, 5, 2, 6]);
    }

    #[test]
    fn short_lists_and_a_bound_of_nothing_draw_nothing() {
        let mut random = JavaRandom::new(7);
        random.shuffle(&mut [0]);
        random.shuffle::<u8>(&mut []);
        assert_eq!((random.below(0), random), (0, JavaRandom::new(7)));
    }
}
