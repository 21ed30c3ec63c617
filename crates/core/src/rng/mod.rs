//! The random number generator of searches and games, divided into numbered streams.
//!
//! Results must not change with a library's version, so the generator is a published algorithm with a fixed stream
//! (xoshiro256++, Blackman and Vigna 2019), and every kind of draw is defined in this file.

mod bits;
mod xoshiro;

use self::bits::{byte_sums, nth_bit, nth_bit_by_sums};
use self::xoshiro::Xoshiro256PlusPlus;

/// A random number generator with a stream that never changes.
#[derive(Clone, Debug)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Stream number `stream` of `seed`. Different numbers give independent streams.
    #[inline]
    pub fn new(seed: u64, stream: u64) -> Rng {
        let mut word = mix(seed).wrapping_add(mix(stream ^ STREAM_SALT));
        let mut bytes = [0; 32];
        for chunk in bytes.chunks_exact_mut(8) {
            word = word.wrapping_add(GOLDEN);
            chunk.copy_from_slice(&mix(word).to_le_bytes());
        }
        Rng(Xoshiro256PlusPlus::from_seed(bytes))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number in `0..bound`, uniform to within `bound / 2^64`; 0 if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u32
    }

    /// An index, drawn in proportion to the weight at each, or `None` if all weights are 0.
    #[inline]
    pub fn pick_weighted(&mut self, mut weights: impl Iterator<Item = u32> + Clone) -> Option<usize> {
        let total: u64 = weights.clone().map(u64::from).sum();
        let mut left = ((u128::from(self.bits()) * u128::from(total)) >> 64) as u64;
        weights.position(|weight| {
            let found = left < u64::from(weight);
            left = left.wrapping_sub(u64::from(weight));
            found
        })
    }

    /// A number in `0.0..1.0`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// One element of a slice, or `None` if it is empty.
    #[inline]
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        from.get(self.below(from.len() as u32) as usize).copied()
    }

    /// Puts a slice into a random order. All orders are equally likely.
    pub fn shuffle<T>(&mut self, slice: &mut [T]) {
        for place in (1..slice.len()).rev() {
            slice.swap(place, self.below(place as u32 + 1) as usize);
        }
    }

    /// The position of one of the set bits of `mask`, picked uniformly; 64 if none is set.
    #[inline]
    pub fn pick_bit(&mut self, mask: u64) -> u32 {
        nth_bit(mask, self.below(mask.count_ones()))
    }

    /// [`pick_bit`](Rng::pick_bit) of a wider mask: the position of one of its set bits, picked uniformly; 128 if none
    /// is set.
    #[inline]
    pub fn pick_bit_wide(&mut self, mask: u128) -> u32 {
        let halves = [mask as u64, (mask >> 64) as u64];
        let sums = halves.map(byte_sums);
        let [low, high] = sums.map(|sums| (sums >> 56) as u32);
        let n = self.below(low + high);
        // The half is unpredictable, so nothing may branch on it.
        let high = u64::from(n >= low);
        let select = |[low, high_one]: [u64; 2]| low ^ ((low ^ high_one) & high.wrapping_neg());
        ((high as u32) << 6) + nth_bit_by_sums(select(halves), select(sums), n - low * high as u32)
    }
}

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
const STREAM_SALT: u64 = 0xd1b5_4a32_d192_ed03;

/// The finaliser of splitmix64 (Steele, Lea and Flood 2014): close inputs give unrelated outputs.
#[inline]
fn mix(mut word: u64) -> u64 {
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// The traits of the crate rand, for its distributions and those of other crates.
#[cfg(feature = "rand")]
impl rand::rand_core::TryRng for Rng {
    type Error = std::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok((self.bits() >> 32) as u32)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(self.bits())
    }
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        bytes.chunks_mut(8).for_each(|chunk| chunk.copy_from_slice(&self.bits().to_le_bytes()[..chunk.len()]));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one_and_never_changes() {
        // First outputs of xoshiro256++ from the state 1, 2, 3, 4, from the reference implementation.
        let mut bytes = [0; 32];
        for (i, chunk) in bytes.chunks_exact_mut(8).enumerate() {
            chunk.copy_from_slice(&(i as u64 + 1).to_le_bytes());
        }
        let mut rng = Rng(Xoshiro256PlusPlus::from_seed(bytes));
        assert_eq!([rng.bits(), rng.bits(), rng.bits()], [41_943_041, 58_720_359, 3_588_806_011_781_223]);
    }

    #[test]
    fn seeds_and_streams_are_all_different() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..50 {
            for stream in 0..50 {
                assert!(seen.insert(Rng::new(seed, stream).bits()));
            }
        }
    }

    #[test]
    fn every_set_bit_of_a_wide_mask_is_as_likely_as_the_other() {
        let mut rng = Rng::new(7, 0);
        for round in 0..60 {
            let words = [0; 2].map(|_| rng.bits() & rng.bits() & rng.bits());
            let mask = match round % 4 {
                0 => u128::from(words[0]),
                1 => u128::from(words[1]) << 64,
                2 => 1 << (round * 2),
                _ => u128::from(words[0]) << 64 | u128::from(words[1]),
            };
            let mut counts = [0; 128];
            for _ in 0..1_000 * mask.count_ones() {
                counts[rng.pick_bit_wide(mask) as usize] += 1;
            }
            for (bit, &count) in counts.iter().enumerate() {
                // Six standard deviations of about a thousand.
                let fits = if mask >> bit & 1 == 1 { (810..=1_190).contains(&count) } else { count == 0 };
                assert!(fits, "bit {bit} of {mask:#x} came {count} times");
            }
        }
        assert_eq!(rng.pick_bit_wide(0), 128);
        assert!((0..1_000).map(|_| rng.pick_bit_wide(u128::MAX)).max() > Some(110));
    }

    #[test]
    fn bounded_draws_are_uniform() {
        let mut rng = Rng::new(5, 0);
        let mut counts = [0; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // Six standard deviations of a binomial with n = 70,000 and p = 1/7.
        assert!(counts.iter().all(|&count: &i32| (count - 10_000).abs() < 560), "{counts:?}");
    }

    #[test]
    fn every_order_of_a_shuffle_is_as_likely_as_the_other() {
        let mut rng = Rng::new(6, 0);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..24_000 {
            let mut order = [0, 1, 2, 3];
            rng.shuffle(&mut order);
            *counts.entry(order).or_insert(0) += 1;
        }
        // Six standard deviations of a binomial with n = 24,000 and p = 1/24.
        assert!(counts.len() == 24 && counts.values().all(|&count: &i32| (count - 1_000).abs() < 190), "{counts:?}");
    }

    #[cfg(feature = "rand")]
    #[test]
    fn the_traits_of_rand_give_the_same_bits() {
        use rand::Rng as _;

        let (mut own, mut traits, mut bytes) = (Rng::new(3, 4), Rng::new(3, 4), [0; 12]);
        assert_eq!((traits.next_u64(), traits.next_u32()), (own.bits(), (own.bits() >> 32) as u32));
        traits.fill_bytes(&mut bytes);
        let expected = [own.bits().to_le_bytes(), own.bits().to_le_bytes()].concat();
        assert_eq!(bytes, expected[..12]);
    }

    #[test]
    fn nothing_to_pick_from_gives_none() {
        assert_eq!(Rng::new(1, 0).pick::<u8>(&[]), None);
        assert_eq!(Rng::new(1, 0).below(0), 0);
        assert_eq!(Rng::new(1, 0).pick_weighted([0, 0].into_iter()), None);
    }

    #[test]
    fn weights_of_any_size_are_shares() {
        let mut rng = Rng::new(9, 0);
        for weights in [[1, 0, 3], [u32::MAX / 3, 0, u32::MAX], [1 << 31, 0, 3 << 30]] {
            let share = f64::from(weights[0]) / weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
            let mut counts = [0; 3];
            for _ in 0..40_000 {
                counts[rng.pick_weighted(weights.into_iter()).unwrap()] += 1;
            }
            // Six standard deviations of a binomial with n = 40,000 and p = 2/5.
            assert!(counts[1] == 0 && (f64::from(counts[0]) - 40_000.0 * share).abs() < 590.0, "{counts:?}");
        }
    }
}
