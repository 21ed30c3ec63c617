//! The mean of plain numbers, one a round: differences of scores, or rewards in a game for more than two.

use distrs::StudentsT;

use super::Estimate;

/// Numbers that are taken for independent, one a round, in the space of three (Welford 1962).
///
/// Two contestants are compared by their differences, round by round: what a round gives to both of them, its opening
/// and its luck, is not in the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    count: u64,
    mean: f64,
    /// The sum of the squares of what each number is off the mean.
    squares: f64,
}

impl Mean {
    /// Adds the number of a further round.
    pub fn add(&mut self, number: f64) {
        self.count += 1;
        let off = number - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (number - self.mean);
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean, where there are any and all are finite.
    pub fn value(&self) -> Option<f64> {
        (self.count > 0 && self.mean.is_finite()).then_some(self.mean)
    }

    /// Where the true mean is (Student 1908).
    pub fn estimate(&self) -> Estimate {
        match () {
            () if self.count == 0 => Estimate::Unknown { why: "no round is complete" },
            () if self.count == 1 => Estimate::Unknown { why: "one round has no spread" },
            () if !self.squares.is_finite() => Estimate::Unknown { why: "a number was not finite" },
            () if self.squares <= 0.0 => Estimate::Unknown { why: "all rounds ended alike" },
            () => {
                let freedom = (self.count - 1) as f64;
                Estimate::around(self.mean, t_95(freedom) * (self.squares / freedom / self.count as f64).sqrt())
            }
        }
    }
}

impl Extend<f64> for Mean {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, numbers: I) {
        numbers.into_iter().for_each(|number| self.add(number));
    }
}

/// How many standard errors each way hold 95 % where the deviation is itself estimated, with this freedom of 1 or more.
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
    fn large_numbers_lose_no_digits() {
        let Estimate::Between { value, low, .. } = of(&[1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0]).estimate() else {
            panic!("an interval")
        };
        assert!((value - low - 4.302653 / 3f64.sqrt()).abs() < 1e-5);
    }
}
