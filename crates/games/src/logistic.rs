//! The logistic function from + - * / alone, so that learned values do not depend on a platform's libm.

use std::f64::consts::{LN_2, LOG2_E};

/// Terms of the series of e^r. As |r| is at most ln 2 / 2, the first one left out adds less than 10^-14.
const TERMS: u32 = 11;

/// Bound of |x| beyond which the result is 0 or 1 in practice.
const FAR: f64 = 700.0;

/// 1 / (1 + e^-x), which turns an advantage into a share of games won.
#[inline]
pub fn logistic(x: f64) -> f64 {
    // `min` would turn NaN into a number.
    let size = if x.abs() > FAR { FAR } else { x.abs() };
    let small = exp(-size);
    let share = 1.0 / (1.0 + small);
    if x < 0.0 { small * share } else { share }
}

/// e^x for x in -700..=0, as 2^n e^r with a whole n.
#[inline]
fn exp(x: f64) -> f64 {
    let n = (x * LOG2_E - 0.5) as i64;
    let r = x - n as f64 * LN_2;
    let series = (1..=TERMS).rev().fold(1.0, |sum, term| 1.0 + sum * r / f64::from(term));
    series * f64::from_bits(((n + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_logistic_function() {
        for step in -6_000..=6_000 {
            let x = f64::from(step) / 100.0;
            let known = 1.0 / (1.0 + (-x).exp());
            assert!((logistic(x) / known - 1.0).abs() < 1e-12, "{x}");
            assert!((logistic(x) + logistic(-x) - 1.0).abs() < 1e-15, "{x}");
        }
        assert_eq!((logistic(0.0), logistic(1e300)), (0.5, 1.0));
        assert!(logistic(f64::NEG_INFINITY) < 1e-300 && logistic(f64::NAN).is_nan());
    }
}
