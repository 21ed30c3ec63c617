//! The two functions selection needs, from tables of our own: a platform's `ln` may differ in the last bit, and a
//! table is faster than a division.

/// Mantissa bits that index the table of logarithms; the rest is interpolated.
const LN_BITS: u32 = 10;
/// Visit counts below this have their inverse square root in a table.
const SMALL: usize = 1024;

/// Tables for UCB1, 8 KiB in all, built once for a search.
#[derive(Debug)]
pub(crate) struct Tables {
    /// `ln(1 + i / 2^LN_BITS)`
    ln_mantissa: [f32; (1 << LN_BITS) + 1],
    /// `1 / sqrt(n)`; the entry for 0 is not used.
    inverse_root: [f32; SMALL],
}

impl Tables {
    pub(crate) fn new() -> Tables {
        let steps = f64::from(1u32 << LN_BITS);
        let mut ln_mantissa = [0.0; (1 << LN_BITS) + 1];
        for (i, entry) in ln_mantissa.iter_mut().enumerate() {
            *entry = crate::logarithm::ln(1.0 + i as f64 / steps) as f32;
        }
        let mut inverse_root = [0.0; SMALL];
        for (n, entry) in inverse_root.iter_mut().enumerate() {
            *entry = (1.0 / (n as f64).sqrt()) as f32;
        }
        Tables { ln_mantissa, inverse_root }
    }

    /// `sqrt(ln(n))`, to six digits; 0 for 0 and 1.
    #[inline]
    pub(crate) fn sqrt_ln(&self, n: u32) -> f32 {
        const REST: u32 = f32::MANTISSA_DIGITS - 1 - LN_BITS;
        let bits = (n.max(1) as f32).to_bits();
        let exponent = (bits >> (f32::MANTISSA_DIGITS - 1)) as i32 - (f32::MAX_EXP - 1);
        let index = (bits >> REST) as usize & ((1 << LN_BITS) - 1);
        let fraction = (bits & ((1 << REST) - 1)) as f32 * (1.0 / (1u32 << REST) as f32);
        let (below, above) = (self.ln_mantissa[index], self.ln_mantissa[index + 1]);
        (exponent as f32 * std::f32::consts::LN_2 + below + fraction * (above - below)).sqrt()
    }

    /// `1 / sqrt(n)` for `n` above 0.
    #[inline]
    pub(crate) fn inverse_root(&self, n: u32) -> f32 {
        match self.inverse_root.get(n as usize) {
            Some(&root) => root,
            None => 1.0 / (n as f32).sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_agree_with_the_functions_they_stand_for() {
        let tables = Tables::new();
        let many = (1..5_000u32).chain((0..2_000).map(|i| 5_000 + i * i * 500)).chain([u32::MAX / 2]);
        for n in many {
            let exact = f64::from(n).ln().sqrt();
            assert!((f64::from(tables.sqrt_ln(n)) - exact).abs() < 2e-6 * exact.max(0.1), "sqrt(ln {n})");
            let exact = 1.0 / f64::from(n).sqrt();
            assert!((f64::from(tables.inverse_root(n)) / exact - 1.0).abs() < 2e-7, "1/sqrt({n})");
        }
        assert_eq!([tables.sqrt_ln(0), tables.sqrt_ln(1)], [0.0, 0.0]);
    }
}
