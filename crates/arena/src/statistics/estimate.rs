//! An estimate: a number with its interval, or the reason why there is none.

use std::fmt;

use serde::Serialize;

/// An estimate of a number, with 95 % confidence.
///
/// `Display` takes the digits after the point and a sign: `{:+.1}` writes `+12.3 ± 4.5`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Estimate {
    /// The number lies between two others, which need not be equally far off.
    Between {
        /// The most likely number.
        value: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// The number is this or more.
    AtLeast {
        /// The lower end.
        low: f64,
        /// The reason why there is no other end.
        why: &'static str,
    },
    /// The number is this or less.
    AtMost {
        /// The upper end.
        high: f64,
        /// The reason why there is no other end.
        why: &'static str,
    },
    /// There is no estimate.
    Unknown {
        /// The reason.
        why: &'static str,
    },
}

impl Estimate {
    /// An interval of equal width on both sides.
    pub(super) fn around(value: f64, error: f64) -> Estimate {
        Estimate::Between { value, low: value - error, high: value + error }
    }

    /// Converts to another unit: one of this unit is `factor` of that one, a positive number.
    pub fn times(self, factor: f64) -> Estimate {
        match self {
            Estimate::Between { value, low, high } => {
                Estimate::Between { value: value * factor, low: low * factor, high: high * factor }
            }
            Estimate::AtLeast { low, why } => Estimate::AtLeast { low: low * factor, why },
            Estimate::AtMost { high, why } => Estimate::AtMost { high: high * factor, why },
            Estimate::Unknown { why } => Estimate::Unknown { why },
        }
    }

    /// The most likely number, if there is one.
    pub fn value(self) -> Option<f64> {
        match self {
            Estimate::Between { value, .. } => Some(value),
            _ => None,
        }
    }

    /// Half the width of the interval, if it has two ends.
    pub fn error(self) -> Option<f64> {
        match self {
            Estimate::Between { low, high, .. } => Some((high - low) / 2.0),
            _ => None,
        }
    }

    /// Predicts the number of further games until the error is `wanted`, after this estimate from `games`. Errors
    /// shrink with the square root of the number of games. `None` if there is no error yet, or no wanted error.
    pub fn games_more(self, games: u64, wanted: f64) -> Option<u64> {
        let ratio = self.error().filter(|_| wanted > 0.0)? / wanted;
        Some((games as f64 * (ratio * ratio - 1.0)).ceil().max(0.0) as u64)
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        let number = |number: f64| match f.sign_plus() {
            true => format!("{number:+.digits$}"),
            false => format!("{number:.digits$}"),
        };
        match *self {
            Estimate::Between { value, low, high } => {
                write!(f, "{} ± {:.digits$}", number(value), (high - low) / 2.0)
            }
            Estimate::AtLeast { low, why } => write!(f, "at least {} ({why})", number(low)),
            Estimate::AtMost { high, why } => write!(f, "at most {} ({why})", number(high)),
            Estimate::Unknown { why } => write!(f, "unknown ({why})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_are_written_with_the_digits_and_signs_asked_for() {
        let elo = Estimate::Between { value: 12.34, low: 8.0, high: 17.0 };
        assert_eq!(format!("{elo:+.1}"), "+12.3 ± 4.5");
        assert_eq!(format!("{elo:.2}"), "12.34 ± 4.50");
        let bound = Estimate::AtLeast { low: 182.0, why: "every game was won" };
        assert_eq!(format!("{bound:+.0}"), "at least +182 (every game was won)");
    }

    #[test]
    fn half_the_error_takes_four_times_the_games() {
        let elo = Estimate::around(10.0, 20.0);
        assert_eq!(elo.games_more(100, 10.0), Some(300));
        assert_eq!(elo.games_more(100, 25.0), Some(0));
        assert_eq!(elo.games_more(100, 0.0), None);
        assert_eq!(Estimate::Unknown { why: "no games" }.games_more(0, 1.0), None);
    }
}
