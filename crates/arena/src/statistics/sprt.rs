//! The sequential probability ratio test (Wald 1945): a match that ends as soon as it is clear which of two strengths
//! is the better guess.
//!
//! A strength alone does not say how likely each result is. So each of the two hypotheses takes the distribution of
//! pairs that makes the results likeliest and has its share (a generalised test, GSPRT; Li, Liu and Ying 2014). This is
//! exact: the distributions are solved for and not expanded around the sample.
//!
//! Decisions are about complete pairs only. At the end of a match, or after an interruption, a few games at most have
//! no partner. A second way to count, which takes games for independent, would answer another question.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::Pairs;
use super::elo::share_of_elo;
use super::walk::Walk;

/// Greatest Elo of a hypothesis. Larger differences would take more games than a match can have.
const MOST_ELO: f64 = 2_000.0;

/// Default probability of error of either decision.
const USUAL_ERROR: f64 = 0.05;

/// A test that decides if the first of two contestants is better by `elo1` (H1) or only by `elo0` (H0), in logistic
/// Elo.
///
/// ```
/// use boughs_arena::statistics::{Decision, Pairs, Sprt};
///
/// let test: Sprt = "0,5".parse().unwrap();
/// let state = test.state(Pairs([13, 37, 50, 25, 3]));
/// assert_eq!((format!("{:.2}", state.llr), state.decision), ("-1.01".to_string(), Decision::Continue));
/// assert_eq!(format!("{:.2} {:.2}", state.lower, state.upper), "-2.94 2.94");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The error of a test that cannot be. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SprtError(String);

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SprtError {}

/// The decision of a test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Not enough is known yet.
    Continue,
    /// The first contestant is not better than by `elo0`.
    AcceptH0,
    /// The first contestant is better by `elo1`.
    AcceptH1,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtState {
    /// The log likelihood ratio of H1 and H0.
    pub llr: f64,
    /// Bound at which H0 is accepted.
    pub lower: f64,
    /// Bound at which H1 is accepted.
    pub upper: f64,
    /// Decision so far.
    pub decision: Decision,
    /// Rough number of further pairs until the decision, if they are like those so far; `None` before the first.
    pub pairs_more: Option<u64>,
}

impl Sprt {
    /// A test that accepts H1 with a probability of at most `alpha` if H0 is true, and H0 with at most `beta` if H1 is
    /// true.
    ///
    /// # Errors
    /// If the Elo or the probabilities are out of range.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, SprtError> {
        let error = |text: String| Err(SprtError(text));
        if ![elo0, elo1].iter().all(|elo| elo.abs() <= MOST_ELO) {
            return error(format!("Elo from {elo0} to {elo1} cannot be tested; stay within {MOST_ELO} of 0"));
        }
        if elo0 >= elo1 {
            return error(format!("an SPRT goes from a lower Elo to a higher one, not from {elo0} to {elo1}"));
        }
        if ![alpha, beta].iter().all(|&chance| 0.0 < chance && chance < 0.5) {
            return error(format!("chances of error are above 0 and below 0.5, not {alpha} and {beta}"));
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    /// The strength of H0.
    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    /// The strength of H1.
    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// The bounds between which the test goes on (Wald 1945).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The state of the test after these pairs.
    pub fn state(&self, pairs: Pairs) -> SprtState {
        let (lower, upper) = self.bounds();
        let walk = Walk::of(pairs.0, [self.elo0, self.elo1].map(share_of_elo));
        let (decision, pairs_more) = match walk.llr {
            llr if llr >= upper => (Decision::AcceptH1, Some(0)),
            llr if llr <= lower => (Decision::AcceptH0, Some(0)),
            llr => (Decision::Continue, walk.results_more(llr - lower, upper - llr)),
        };
        SprtState { llr: walk.llr, lower, upper, decision, pairs_more }
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `ELO0,ELO1`. Either decision is wrong in at most 5 % of matches.
    fn from_str(text: &str) -> Result<Sprt, SprtError> {
        let numbers = text
            .split_once(',')
            .and_then(|(elo0, elo1)| Some((elo0.trim().parse::<f64>().ok()?, elo1.trim().parse::<f64>().ok()?)));
        let Some((elo0, elo1)) = numbers else {
            return Err(SprtError(format!("'{text}' is not two Elo differences; write one as 0,5")));
        };
        Sprt::new(elo0, elo1, USUAL_ERROR, USUAL_ERROR)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pentanomial_ratio_is_that_of_a_published_match() {
        // "Logistic (exact)" of montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712, bounds as printed there.
        let test = Sprt::new(0.0, 2.716, 0.05, 0.05).unwrap();
        let llr = test.state(Pairs([13, 37, 50, 25, 3])).llr;
        assert!((llr + 0.53772).abs() < 1e-4, "{llr}");
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = "0,5".parse::<Sprt>().unwrap().bounds();
        assert_eq!(format!("{lower:.2} {upper:.2}"), "-2.94 2.94");
        let (lower, upper) = Sprt::new(0.0, 5.0, 0.01, 0.1).unwrap().bounds();
        assert_eq!(format!("{lower:.2} {upper:.2}"), "-2.29 4.50");
    }

    #[test]
    fn for_all_counts_the_ratio_is_finite_and_turns_with_the_sides() {
        let test = Sprt::new(-10.0, 30.0, 0.05, 0.05).unwrap();
        let turned = Sprt::new(-30.0, 10.0, 0.05, 0.05).unwrap();
        let counts = [0, 1, 40, 1_000_000];
        for code in 0..4usize.pow(5) {
            let pairs = Pairs(std::array::from_fn(|place| counts[code / 4usize.pow(place as u32) % 4]));
            let (llr, other) = (test.state(pairs).llr, turned.state(pairs.turned()).llr);
            assert!(llr.is_finite() && (llr + other).abs() <= 1e-6 * llr.abs().max(1.0), "{pairs:?}: {llr} {other}");
            assert!(pairs.count() == 0 || test.state(pairs).pairs_more.is_some(), "{pairs:?}");
        }
        assert_eq!(test.state(Pairs([0; 5])).llr, 0.0);
    }

    #[test]
    fn wins_accept_one_hypothesis_and_losses_the_other() {
        let test: Sprt = "0,50".parse().unwrap();
        assert_eq!(test.state(Pairs([0, 10, 20, 50, 20])).decision, Decision::AcceptH1);
        assert_eq!(test.state(Pairs([20, 50, 20, 10, 0])).decision, Decision::AcceptH0);
        assert_eq!(test.state(Pairs([0, 1, 3, 2, 0])).decision, Decision::Continue);
    }

    #[test]
    fn tests_that_cannot_end_are_refused_with_a_cure() {
        for (text, says) in
            [("5", "write one as 0,5"), ("5,0", "lower"), ("0,NaN", "within"), ("0,1e9", "within"), ("3,3", "lower")]
        {
            let error = text.parse::<Sprt>().expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        assert!(Sprt::new(0.0, 5.0, 0.0, 0.05).is_err() && Sprt::new(0.0, 5.0, 0.05, f64::NAN).is_err());
    }
}
