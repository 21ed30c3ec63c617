//! The strength of one of two contestants, from all their games.

use std::f64::consts::LN_10;

use distrs::Normal;
use serde::Serialize;

use super::elo::elo_of_share;
use super::multinomial::Multinomial;
use super::{Estimate, Pairs, Tally, Z_95};

const NO_PAIRS: &str = "no pair of games is complete";
const ALIKE: &str = "all pairs ended alike";

/// The strength of the first contestant of a match.
///
/// ```
/// use boughs_arena::statistics::{Outcome, Strength, Tally};
///
/// let mut tally = Tally::default();
/// for _ in 0..40 {
///     tally.add_pair([Outcome::Win, Outcome::Draw]);
///     tally.add_pair([Outcome::Win, Outcome::Loss]);
///     tally.add_pair([Outcome::Loss, Outcome::Draw]);
///     tally.add_pair([Outcome::Draw, Outcome::Win]);
/// }
/// let strength = Strength::of(tally);
/// assert_eq!(format!("{:+.1}", strength.elo), "+43.7 ± 22.6");
/// assert!(strength.los > 0.99);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Strength {
    /// The counts it is estimated from.
    #[serde(flatten)]
    pub tally: Tally,
    /// Share of draws, if there are games.
    pub draw_ratio: Option<f64>,
    /// Points a game, in complete pairs.
    pub share: Estimate,
    /// The share as Elo.
    pub elo: Estimate,
    /// Normalised Elo.
    pub normalised_elo: Estimate,
    /// Likelihood of superiority.
    pub los: f64,
}

impl Strength {
    /// Estimates the strength of the first of two contestants.
    pub fn of(tally: Tally) -> Strength {
        let share = share(tally.pairs);
        Strength {
            tally,
            draw_ratio: tally.games.draw_ratio(),
            share,
            elo: elo(share),
            normalised_elo: normalised_elo(tally.pairs),
            los: los(tally.pairs),
        }
    }
}

/// Estimates the share of the points.
///
/// If all pairs are of one kind, there is no spread to tell an error from. The interval is then that of the rule of
/// three: if pairs of this kind came with a frequency below 0.05^(1/n), about 1 - 3/n, all n would be of it in less
/// than 5 % of matches. The others could be the best or the worst.
fn share(pairs: Pairs) -> Estimate {
    let count = pairs.count() as f64;
    let value = pairs.points() / 2.0 / count;
    let (low, high) = match pairs.kinds() {
        0 => return Estimate::Unknown { why: NO_PAIRS },
        1 => {
            let least = 0.05f64.powf(1.0 / count);
            (value * least, 1.0 - (1.0 - value) * least)
        }
        _ => Multinomial::of(pairs.0).interval(),
    };
    Estimate::Between { value, low, high }
}

fn elo(share: Estimate) -> Estimate {
    match share {
        Estimate::Between { low, high, .. } if high >= 1.0 => {
            Estimate::AtLeast { low: elo_of_share(low), why: "all pairs were won twice" }
        }
        Estimate::Between { low, high, .. } if low <= 0.0 => {
            Estimate::AtMost { high: elo_of_share(high), why: "all pairs were lost twice" }
        }
        Estimate::Between { value, low, high } => {
            Estimate::Between { value: elo_of_share(value), low: elo_of_share(low), high: elo_of_share(high) }
        }
        unknown => unknown,
    }
}

/// Estimates normalised Elo.
///
/// The deviation of a pair's mean is that of a game divided by the square root of two, if its games are taken for
/// independent. So the number has the same meaning with and without pairs (Van den Bergh's normalized_elo_practical).
fn normalised_elo(pairs: Pairs) -> Estimate {
    match pairs.kinds() {
        0 => return Estimate::Unknown { why: NO_PAIRS },
        1 => return Estimate::Unknown { why: ALIKE },
        _ => {}
    }
    let mean = pairs.mean_of(|share| share);
    let deviation = pairs.mean_of(|share| (share - mean).powi(2)).sqrt();
    let distance = (mean - 0.5) / deviation;
    // One pair moves the distance by the mean and, which matters far from one half, by the deviation. To first order
    // both can cancel out, but the error is never less than with a known deviation.
    let pull = |share: f64| {
        let beyond = (share - mean) / deviation;
        beyond - distance / 2.0 * (beyond * beyond - 1.0)
    };
    let variance = pairs.mean_of(|share| pull(share).powi(2)).max(1.0) / pairs.count() as f64;
    let unit = 800.0 / LN_10 / 2f64.sqrt();
    Estimate::around(unit * distance, unit * Z_95 * variance.sqrt())
}

/// The likelihood of superiority. The deviance of equal strength is the square of a number that is normal if strengths
/// are equal.
fn los(pairs: Pairs) -> f64 {
    let ahead = pairs.points() - pairs.count() as f64;
    if ahead == 0.0 {
        return 0.5;
    }
    let away = Multinomial::of(pairs.0).deviance(0.5).sqrt();
    Normal::cdf(away.copysign(ahead), 0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::simulation::finite;
    use super::*;

    fn of(pairs: [u64; 5]) -> Strength {
        Strength::of(Tally { pairs: Pairs(pairs), ..Tally::default() })
    }

    #[test]
    fn numbers_are_those_of_a_published_match() {
        // 256 games of montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712.
        let strength = of([13, 37, 50, 25, 3]);
        assert_eq!(strength.share.value(), Some(0.4375));
        let normalised = strength.normalised_elo.value().unwrap();
        assert!((normalised + 63.97).abs() < 0.01, "{normalised}");
        // Logistic Elo of the share, and its error by the variance of pairs: 1.96 sqrt(0.05762 / 128) of a share.
        let (elo, error) = (strength.elo.value().unwrap(), strength.elo.error().unwrap());
        assert!((elo + 43.66).abs() < 0.01 && (error - 29.4).abs() < 0.6, "{elo} ± {error}");
        assert!((strength.los - 0.0017).abs() < 0.0003, "{}", strength.los);
    }

    #[test]
    fn far_from_a_sure_match_the_error_of_normalised_elo_goes_with_games_alone() {
        let strength = of([100, 200, 300, 200, 100]);
        let error = strength.normalised_elo.error().unwrap();
        assert!((error - 1.96 * 347.436 / 1_800f64.sqrt()).abs() < 0.01, "{error}");
        assert!((strength.los - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_contestant_that_won_everything_is_better_by_the_rule_of_three_at_least() {
        let Estimate::AtLeast { low, .. } = of([0, 0, 0, 0, 300]).elo else { panic!("a lower bound") };
        let by_hand = elo_of_share(1.0 - 3.0 / 300.0);
        assert!((low / by_hand - 1.0).abs() < 0.01, "{low} {by_hand}");
        let Estimate::AtMost { high, .. } = of([300, 0, 0, 0, 0]).elo else { panic!("an upper bound") };
        assert!((high + low).abs() < 1e-9);
    }

    #[test]
    fn pairs_that_are_all_alike_have_an_interval_and_say_why_there_is_no_normalised_elo() {
        let strength = of([0, 0, 50, 0, 0]);
        let Estimate::Between { value, low, high } = strength.elo else { panic!("an interval") };
        assert!(value == 0.0 && (high + low).abs() < 1e-9 && (15.0..25.0).contains(&high), "{low} {high}");
        assert_eq!(strength.normalised_elo, Estimate::Unknown { why: ALIKE });
        assert_eq!(of([0; 5]).elo, Estimate::Unknown { why: NO_PAIRS });
        assert_eq!(of([0; 5]).los, 0.5);
    }

    #[test]
    fn for_all_counts_no_number_is_infinite_or_nan() {
        let counts = [0, 1, 2, 1_000_000];
        for code in 0..4usize.pow(5) {
            let pairs = std::array::from_fn(|place| counts[code / 4usize.pow(place as u32) % 4]);
            let strength = of(pairs);
            assert!([strength.share, strength.elo, strength.normalised_elo].into_iter().all(finite), "{strength:?}");
            assert!((0.0..=1.0).contains(&strength.los), "{strength:?}");
            let turned = of(Pairs(pairs).turned().0);
            assert!((turned.los + strength.los - 1.0).abs() < 1e-6, "{strength:?}");
        }
    }
}
