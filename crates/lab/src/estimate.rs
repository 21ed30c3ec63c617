//! What several measurements of one thing say together: their mean, and how far off it may be.

use serde::Serialize;

/// A mean with its interval of 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval around it; `None` where a single value has none.
    pub plus_minus: Option<f64>,
}

impl Estimate {
    /// Of these values, which are taken to be independent and normal, with Student's t; `None` where there are none.
    pub fn of(values: &[f64]) -> Option<Estimate> {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        match values.len() {
            0 => None,
            1 => Some(Estimate { mean, plus_minus: None }),
            _ => {
                let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
                let standard_error = (squares / (count - 1.0) / count).sqrt();
                Some(Estimate { mean, plus_minus: Some(t_quantile(values.len() - 1) * standard_error) })
            }
        }
    }

    /// The same in another unit, `factor` of which are one of this.
    pub fn times(self, factor: f64) -> Estimate {
        Estimate { mean: self.mean * factor, plus_minus: self.plus_minus.map(|half| half * factor) }
    }

    /// With so many digits after the point, `1.90 ± 0.05`.
    pub fn text(self, digits: usize) -> String {
        match self.plus_minus {
            Some(half) => format!("{:.digits$} ± {half:.digits$}", self.mean),
            None => format!("{:.digits$}", self.mean),
        }
    }

    /// The ends of the interval, or the mean twice.
    pub fn range(self) -> (f64, f64) {
        let half = self.plus_minus.unwrap_or(0.0);
        (self.mean - half, self.mean + half)
    }
}

/// Where Student's t with 1, 2, ... degrees of freedom leaves 2.5 % above itself.
const T_975: [f64; 15] = [
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139, 2.200985,
    2.178813, 2.160369, 2.144787, 2.131450,
];

/// The same for any degrees of freedom: the table, and after it the expansion around the normal distribution
/// (Abramowitz and Stegun 1964, 26.7.5), which is right there to five digits.
fn t_quantile(freedom: usize) -> f64 {
    if let Some(&tabled) = freedom.checked_sub(1).and_then(|place| T_975.get(place)) {
        return tabled;
    }
    let (z, n): (f64, f64) = (1.959_963_985, freedom.max(1) as f64);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / n + second / n.powi(2) + third / n.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_books() {
        for (freedom, quantile) in
            [(1, 12.7062), (6, 2.4469), (15, 2.1314), (16, 2.1199), (20, 2.0860), (30, 2.0423), (120, 1.9799)]
        {
            assert!((t_quantile(freedom) - quantile).abs() < 1e-4, "{freedom}: {}", t_quantile(freedom));
        }
        assert!((t_quantile(1_000_000) - 1.95997).abs() < 1e-5);
    }

    #[test]
    fn an_interval_is_students() {
        let estimate = Estimate::of(&[9.0, 10.0, 11.0]).unwrap();
        assert_eq!(estimate.mean, 10.0);
        // The standard error is 1 / sqrt 3, with two degrees of freedom.
        assert!((estimate.plus_minus.unwrap() - 4.302653 / 3f64.sqrt()).abs() < 1e-9);
        assert_eq!((estimate.times(2.0).mean, estimate.text(1)), (20.0, "10.0 ± 2.5".to_string()));
        assert!((estimate.range().1 - estimate.range().0 - 2.0 * estimate.plus_minus.unwrap()).abs() < 1e-9);
    }

    #[test]
    fn one_value_has_no_interval_and_none_has_no_mean() {
        assert_eq!(Estimate::of(&[3.0]), Some(Estimate { mean: 3.0, plus_minus: None }));
        assert_eq!(Estimate::of(&[]), None);
        assert_eq!(Estimate::of(&[2.0, 2.0]), Some(Estimate { mean: 2.0, plus_minus: Some(0.0) }));
    }
}
