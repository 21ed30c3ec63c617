//! Tables of the functions that selection needs. A platform's `ln` may differ in the last bit, so the engine has its
//! own.

/// Counts below this have an entry of their own.
pub(super) const SMALL: usize = 1024;
/// Larger counts find the logarithm by this many bits of their mantissa; the rest is interpolated.
const STEP_BITS: u32 = 5;
const STEPS: usize = 1 << STEP_BITS;
const REST_BITS: u32 = f32::MANTISSA_DIGITS - 1 - STEP_BITS;

/// Tables for UCB1, built once for a search.
#[derive(Debug)]
pub struct Tables {
    /// `sqrt(ln(n))`
    small_sqrt_ln: [f32; SMALL],
    /// `[1 / n, 1 / sqrt(n)]`
    small_inverses: [[f32; 2]; SMALL],
    /// `sqrt(ln(x))` of the numbers `(1 + i / STEPS) 2^e`, in ascending order.
    sqrt_ln: [f32; 33 * STEPS],
}

impl Tables {
    /// Computes the tables.
    #[allow(clippy::new_without_default, reason = "a default looks cheap, and this is not")]
    pub fn new() -> Tables {
        let sqrt_ln = |x: f64| crate::logarithm::ln(x).sqrt() as f32;
        let power = |i: usize| (1u64 << (i / STEPS)) as f64 * (1.0 + (i % STEPS) as f64 / STEPS as f64);
        Tables {
            small_sqrt_ln: std::array::from_fn(|n| sqrt_ln(n.max(1) as f64)),
            small_inverses: std::array::from_fn(|n| inverses(n as f32)),
            sqrt_ln: std::array::from_fn(|i| sqrt_ln(power(i))),
        }
    }

    /// The same as the function [`inverses`], of all small numbers.
    #[inline(always)]
    pub(crate) fn small_inverses(&self) -> &[[f32; 2]; SMALL] {
        &self.small_inverses
    }

    /// The same as the function [`inverses`].
    #[inline(always)]
    pub(crate) fn inverses(&self, n: u32) -> [f32; 2] {
        match self.small_inverses.get(n as usize) {
            Some(&inverses) => inverses,
            None => inverses_of_visits(n),
        }
    }

    /// `sqrt(ln(n))`, to five digits; 0 for 0 and 1.
    #[inline]
    pub(crate) fn sqrt_ln(&self, n: u32) -> f32 {
        if let Some(&exact) = self.small_sqrt_ln.get(n as usize) {
            return exact;
        }
        let bits = (n as f32).to_bits() - 1f32.to_bits();
        let index = (bits >> REST_BITS) as usize;
        let fraction = (bits & ((1 << REST_BITS) - 1)) as f32 * (1.0 / (1u32 << REST_BITS) as f32);
        let (below, above) = (self.sqrt_ln[index], self.sqrt_ln[index + 1]);
        below + fraction * (above - below)
    }
}

/// Visits of a child from here on are the mark of a known outcome.
pub(crate) const CLOSED: u32 = 1 << 31;

/// The function [`inverses`] of a child's visits. A closed child is worth less than any open one, even one that has
/// never won and is not explored, and more than another closed one with a smaller sum.
#[inline(always)]
pub(crate) fn inverses_of_visits(n: u32) -> [f32; 2] {
    if n >= CLOSED { [1e-34, 0.0] } else { inverses(n as f32) }
}

/// `[1 / n, 1 / sqrt(n)]`; for 0 such large numbers that a child never visited is always tried first.
#[inline(always)]
pub(crate) fn inverses(n: f32) -> [f32; 2] {
    // The addition changes only 0. Every processor gives the same bits for a root and a division.
    let root = 1.0 / (n + 1e-36).sqrt();
    [root * root, root]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_agree_with_the_functions_they_stand_for() {
        let tables = Tables::new();
        let many = (1..50_000u32).chain((0..2_900).map(|i| 5_000 + i * i * 500)).chain([u32::MAX / 2, u32::MAX]);
        for n in many {
            let exact = f64::from(n).ln().sqrt();
            assert!((f64::from(tables.sqrt_ln(n)) - exact).abs() <= 1e-5 * exact, "sqrt(ln {n})");
        }
        assert_eq!((inverses(1.0), inverses(4.0)), ([1.0, 1.0], [0.25, 0.5]));
        assert!(inverses(0.0)[1] > 9e17);
        assert_eq!([tables.sqrt_ln(0), tables.sqrt_ln(1)], [0.0, 0.0]);
    }
}
