//! The square root of the logarithm of a number of visits, by + - * / alone, so that it is the same on every platform.

use std::f32::consts::LN_2;

/// The natural logarithm of a number of visits, to six digits; 0 for no visit.
fn ln(visits: u32) -> f32 {
    let bits = (visits.max(1) as f32).to_bits();
    let (exponent, mantissa) = ((bits >> 23) as f32 - 127.0, f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000));
    // ln m = 2 atanh s with s = (m - 1) / (m + 1), which is at most 1/3.
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let series = [9.0, 7.0, 5.0, 3.0].iter().fold(0.0, |sum, odd| (sum + 1.0 / odd) * square);
    exponent * LN_2 + 2.0 * s * (1.0 + series)
}

/// The numbers of visits that have their result in a table. The way down a tree waits for it at each node.
const FEW: u32 = 2048;

/// sqrt(ln N) for numbers of visits.
pub(crate) struct Roots(Vec<f32>);

impl Roots {
    pub(crate) fn new() -> Roots {
        Roots((0..FEW).map(|visits| ln(visits).sqrt()).collect())
    }

    #[inline]
    pub(crate) fn of_ln(&self, visits: u32) -> f32 {
        match self.0.get(visits as usize) {
            Some(&root) => root,
            None => ln(visits).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_root_of_the_logarithm() {
        let roots = Roots::new();
        assert_eq!([0, 1].map(|visits| roots.of_ln(visits)), [0.0, 0.0]);
        for visits in (2..10_000).chain([1 << 20, 123_456_789, u32::MAX]) {
            let exact = f64::from(visits).ln().sqrt();
            assert!((f64::from(roots.of_ln(visits)) - exact).abs() <= 3e-6 * exact, "{}", visits);
        }
    }
}
