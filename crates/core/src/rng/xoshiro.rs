//! The generator xoshiro256++ (Blackman and Vigna 2019).

/// The generator, whose stream is that of the one of the crate rand.
#[derive(Clone, Debug)]
pub(super) struct Xoshiro256PlusPlus([u64; 4]);

impl Xoshiro256PlusPlus {
    /// The generator whose state are these bytes, lowest first. They must not all be 0.
    #[inline]
    pub(super) fn from_seed(bytes: [u8; 32]) -> Xoshiro256PlusPlus {
        let mut state = [0; 4];
        for (word, bytes) in state.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        Xoshiro256PlusPlus(state)
    }

    /// The next 64 random bits.
    #[inline]
    pub(super) fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.0;
        let bits = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        bits
    }
}

#[cfg(test)]
mod tests {
    use rand::{rngs, Rng as _, SeedableRng};

    use super::*;

    #[test]
    fn the_stream_from_any_seed_is_that_of_rand() {
        let mut seeds = crate::Rng::new(1, 0);
        for round in 0..1_000 {
            let mut seed: [u8; 32] = std::array::from_fn(|_| seeds.bits() as u8);
            // Some seeds are mostly zeros.
            if round % 2 == 0 {
                seed[1 + round % 31..].fill(0);
                seed[0] |= 1;
            }
            let (mut one, mut other) = (Xoshiro256PlusPlus::from_seed(seed), rngs::Xoshiro256PlusPlus::from_seed(seed));
            for draw in 0..100 {
                assert_eq!(one.next_u64(), other.next_u64(), "draw {draw} from {seed:?}");
            }
        }
    }
}
