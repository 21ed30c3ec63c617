//! The mean of plain numbers: differences of scores, rewards in a game for more than two, or repeated measurements.

use std::fmt;

use distrs::StudentsT;
use serde::{Serialize, Serializer, ser::SerializeStruct};

use super::Estimate;

/// Mean and variance of independent numbers, in the space of three numbers (Welford 1962).
///
/// Two contestants are compared by their differences, round by round. The opening and the luck of a round are the same
/// for both, so they cancel out of the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    count: u64,
    mean: f64,
    /// Sum of the squared deviations from the mean.
    squares: f64,
}

impl Mean {
    /// The mean of these numbers, in two passes; `None` for no numbers.
    pub fn of(numbers: &[f64]) -> Option<Mean> {
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let squares = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        (!numbers.is_empty()).then_some(Mean { count: numbers.len() as u64, mean, squares })
    }

    /// Half the width of the 95 % interval around the mean (Student 1908); `None` for fewer than two numbers.
    pub fn error(&self) -> Option<f64> {
        let freedom = self.count.checked_sub(1).filter(|&freedom| freedom > 0)? as f64;
        let error = t_95(freedom) * (self.squares / freedom / self.count as f64).sqrt();
        error.is_finite().then_some(error)
    }

    /// The ends of the 95 % interval. Without an interval both are the mean.
    pub fn range(&self) -> (f64, f64) {
        let error = self.error().unwrap_or(0.0);
        (self.mean - error, self.mean + error)
    }

    /// Converts to another unit: one of this unit is `factor` of that one.
    pub fn times(self, factor: f64) -> Mean {
        Mean { mean: self.mean * factor, squares: self.squares * factor * factor, ..self }
    }

    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let off = number - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (number - self.mean);
    }

    /// Number of numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The mean, if there are numbers and all of them are finite.
    pub fn value(&self) -> Option<f64> {
        (self.count > 0 && self.mean.is_finite()).then_some(self.mean)
    }

    /// Estimates the true mean (Student 1908).
    pub fn estimate(&self) -> Estimate {
        match () {
            () if self.count == 0 => Estimate::Unknown { why: "no round is complete" },
            () if self.count == 1 => Estimate::Unknown { why: "one round has no spread" },
            () if !self.squares.is_finite() => Estimate::Unknown { why: "a number was not finite" },
            () if self.squares <= 0.0 => Estimate::Unknown { why: "all rounds ended alike" },
            () => Estimate::around(self.mean, self.error().unwrap_or_default()),
        }
    }
}

/// Writes `1.90 ± 0.05`, or `1.90` without an interval, with the digits asked for.
impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        match self.error() {
            Some(error) => write!(f, "{:.digits$} ± {error:.digits$}", self.mean),
            None => write!(f, "{:.digits$}", self.mean),
        }
    }
}

impl Serialize for Mean {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Mean", 2)?;
        fields.serialize_field("mean", &self.value())?;
        fields.serialize_field("plus_minus", &self.error())?;
        fields.end()
    }
}

impl Extend<f64> for Mean {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, numbers: I) {
        numbers.into_iter().for_each(|number| self.add(number));
    }
}

/// Number of standard errors on each side that hold 95 % if the deviation is itself estimated, with `freedom` degrees
/// of freedom, 1 or more.
fn t_95(freedom: f64) -> f64 {
    StudentsT::ppf(0.975, freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(numbers: &[f64]) -> Mean {
        let mut mean = Mean::default();
        mean.extend(numbers.iter().copied());
        mean
    }

    #[test]
    fn quantiles_are_those_of_the_books() {
        for (freedom, quantile) in
            [(1.0, 12.7062), (6.0, 2.4469), (15.0, 2.1314), (30.0, 2.0423), (120.0, 1.9799), (1e9, 1.95996)]
        {
            assert!((t_95(freedom) - quantile).abs() < 1e-4, "{freedom}: {}", t_95(freedom));
        }
    }

    #[test]
    fn the_interval_is_students() {
        let Estimate::Between { value, low, high } = of(&[9.0, 10.0, 11.0]).estimate() else { panic!("an interval") };
        // The standard error is 1 / sqrt 3, with two degrees of freedom.
        let error = 4.302653 / 3f64.sqrt();
        assert!((value - 10.0).abs() < 1e-9 && (low - 10.0 + error).abs() < 1e-5 && (high - 10.0 - error).abs() < 1e-5);
    }

    #[test]
    fn what_has_no_spread_says_so_and_keeps_its_mean() {
        for (numbers, value) in
            [(&[][..], None), (&[3.0], Some(3.0)), (&[2.0, 2.0], Some(2.0)), (&[1.0, f64::NAN], None)]
        {
            assert_eq!(of(numbers).value(), value, "{numbers:?}");
            assert!(matches!(of(numbers).estimate(), Estimate::Unknown { .. }), "{numbers:?}");
        }
    }

    #[test]
    fn a_mean_of_many_has_an_error_and_one_number_has_none() {
        let mean = Mean::of(&[9.0, 10.0, 11.0]).unwrap();
        assert_eq!(mean.value(), Some(10.0));
        // The standard error is 1 / sqrt 3, with two degrees of freedom.
        assert!((mean.error().unwrap() - 4.302653 / 3f64.sqrt()).abs() < 1e-5);
        assert_eq!((mean.times(2.0).value(), format!("{mean:.1}")), (Some(20.0), "10.0 ± 2.5".to_string()));
        assert!((mean.range().1 - mean.range().0 - 2.0 * mean.error().unwrap()).abs() < 1e-9);
        let one = Mean::of(&[3.0]).unwrap();
        assert_eq!((one.value(), one.error(), one.range()), (Some(3.0), None, (3.0, 3.0)));
        assert_eq!(Mean::of(&[]), None);
        assert_eq!(Mean::of(&[2.0, 2.0]).and_then(|mean| mean.error()), Some(0.0));
    }

    #[test]
    fn a_mean_is_serialized_with_half_its_interval() {
        let json = |numbers: &[f64]| serde_json::to_string(&Mean::of(numbers)).unwrap();
        assert_eq!(json(&[2.0]), r#"{"mean":2.0,"plus_minus":null}"#);
        assert_eq!(json(&[2.0, 2.0]), r#"{"mean":2.0,"plus_minus":0.0}"#);
    }

    #[test]
    fn large_numbers_lose_no_digits() {
        let Estimate::Between { value, low, .. } = of(&[1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0]).estimate() else {
            panic!("an interval")
        };
        assert!((value - low - 4.302653 / 3f64.sqrt()).abs() < 1e-5);
    }
}
