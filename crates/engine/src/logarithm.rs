//! The natural logarithm by + - * / alone, so that results do not depend on a platform's libm.
//!
//! With x = 2^e m and m between sqrt(1/2) and sqrt(2), ln x = e ln 2 + ln m, and with f = m - 1 and s = f / (2 + f),
//!
//! ```text
//! ln m = 2 atanh s = 2 s + 2 s^3/3 + 2 s^5/5 + ... = f - s (f - 2 (s^2/3 + s^4/5 + ...))
//! ```
//!
//! where the last step is 2 s = f - s f. In that form f carries no rounding error, and the term subtracted from it
//! is small. The error stays below one unit in the last place; for whole numbers up to 100,000 it is at most
//! 0.507 units, where 0.5 is the least possible.

use std::f64::consts::SQRT_2;

/// The first 32 bits of ln 2: times any exponent, the product is exact.
const LN_2_HIGH: f64 = 0xB172_17F7_u64 as f64 / (1u64 << 32) as f64;
/// The 64 bits that follow.
const LN_2_LOW: f64 = 0xD1CF_79AB_C9E3_B398_u64 as f64 / (1u128 << 96) as f64;

/// The coefficients of the series. As s^2 < 0.0295, the first one left out, 1/23, adds less than 2^-60.
const INVERSE_ODDS: [f64; 10] = [
    1.0 / 3.0,
    1.0 / 5.0,
    1.0 / 7.0,
    1.0 / 9.0,
    1.0 / 11.0,
    1.0 / 13.0,
    1.0 / 15.0,
    1.0 / 17.0,
    1.0 / 19.0,
    1.0 / 21.0,
];

/// ln x for positive normal numbers.
#[inline]
pub fn ln(x: f64) -> f64 {
    debug_assert!(x > 0.0 && x.is_normal());
    let (exponent, m) = split(x);
    let f = m - 1.0;
    let s = f / (m + 1.0);
    let square = s * s;
    let series = INVERSE_ODDS.iter().rev().fold(0.0, |sum, inverse| (sum + inverse) * square);

    let whole = exponent * LN_2_HIGH;
    let sum = whole + f;
    // The rounding error of the sum; exact, because `whole` is either 0 or larger than f (Dekker 1971).
    let lost = f - (sum - whole);
    sum + (lost - (s * (f - 2.0 * series) - exponent * LN_2_LOW))
}

/// The e and m of x = 2^e m with m between sqrt(1/2) and sqrt(2).
#[inline]
fn split(x: f64) -> (f64, f64) {
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    const BIAS: u64 = f64::MAX_EXP as u64 - 1;
    let bits = x.to_bits();
    let exponent = (bits >> FRACTION_BITS) as f64 - BIAS as f64;
    let m = f64::from_bits((bits & ((1 << FRACTION_BITS) - 1)) | (BIAS << FRACTION_BITS));
    if m > SQRT_2 { (exponent + 1.0, m / 2.0) } else { (exponent, m) }
}

/// The most that [`exp`] takes; the result is still a normal number.
const LARGEST: f64 = 700.0;

/// The exponential function, to within a few units in the last place. Numbers beyond 700, up or down, count as that.
///
/// With x = k ln 2 + r and |r| <= ln 2 / 2, e^x = 2^k e^r, and e^r is its Taylor series.
pub fn exp(x: f64) -> f64 {
    let x = x.clamp(-LARGEST, LARGEST);
    let k = (x / (LN_2_HIGH + LN_2_LOW)).round();
    let r = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    // r^18 / 18! is below 2^-80.
    let series = (1..=17).rev().fold(1.0, |sum, n| 1.0 + sum * r / f64::from(n));
    series * f64::from_bits(((k as i64 + 1023) as u64) << (f64::MANTISSA_DIGITS - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_function_is_right_to_a_few_units_in_the_last_place() {
        for step in -7_000..=7_000 {
            let x = f64::from(step) * 0.1;
            let (ours, theirs) = (exp(x), x.exp());
            assert!((ours - theirs).abs() <= 4.0 * f64::EPSILON * theirs, "{x}: {ours} {theirs}");
        }
        assert_eq!((exp(0.0), exp(f64::INFINITY)), (1.0, exp(700.0)));
    }
    use crate::Rng;

    /// The number of representable numbers between two of the same sign.
    fn apart(a: f64, b: f64) -> u64 {
        a.to_bits().abs_diff(b.to_bits())
    }

    #[test]
    fn the_logarithm_of_one_is_exactly_zero() {
        assert_eq!(ln(1.0).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn whole_numbers_are_within_one_unit_of_the_platform() {
        let different = (1..=100_000).filter(|&n| {
            let distance = apart(ln(f64::from(n)), f64::from(n).ln());
            assert!(distance <= 1, "ln {n} is {distance} units off");
            distance == 1
        });
        // 122 with glibc 2.36, and the only one up to 499 is 343.
        let different = different.count();
        assert!(different < 200, "{different} of 100,000 differ");
    }

    #[test]
    fn every_power_of_two_and_ten_is_within_one_unit_of_the_platform() {
        let twos = (-1022..=1023).map(|e| 2.0_f64.powi(e));
        let tens = (-307..=308).map(|e| format!("1e{e}").parse().unwrap());
        for x in twos.chain(tens).chain([f64::MIN_POSITIVE, f64::MAX]) {
            assert!(apart(ln(x), x.ln()) <= 1, "ln {x:e}");
        }
    }

    #[test]
    fn numbers_of_every_size_are_within_one_unit_of_the_platform() {
        let mut rng = Rng::new(1, 0);
        for _ in 0..200_000 {
            let wide = f64::from_bits(rng.bits() >> 1);
            let near_one = 0.5 + 1.5 * rng.unit();
            let very_near_one = 1.0 + (rng.unit() - 0.5) / f64::from(1 << rng.below(30));
            for x in [wide, near_one, very_near_one].into_iter().filter(|x| x.is_normal()) {
                assert!(apart(ln(x), x.ln()) <= 1, "ln {x:e}");
            }
        }
    }

    #[test]
    fn most_numbers_are_exactly_those_of_the_platform() {
        // 264 with glibc 2.36; 25,074 without the correction for rounding.
        let mut rng = Rng::new(2, 0);
        let different = (0..100_000).map(|_| 2.0 + 998.0 * rng.unit()).filter(|x| ln(*x) != x.ln()).count();
        assert!(different < 5_000, "{different} of 100,000 differ");
    }

    #[test]
    fn known_values_are_the_nearest_numbers() {
        use std::f64::consts::{LN_2, LN_10};
        assert_eq!([ln(2.0), ln(10.0), ln(0.5)], [LN_2, LN_10, -LN_2]);
        // From 60-digit arithmetic.
        assert_eq!([ln(3.0), ln(499.0)], [1.098_612_288_668_109_8, 6.212_606_095_751_519]);
    }
}
