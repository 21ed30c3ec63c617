//! Counts of results that are worth 0 to 1 in equal steps, and their likelihood under a mean that they do not have.
//!
//! Of all distributions over the results with a mean of s one makes the counts likeliest. It gives result i with
//! worth a_i the probability p_i / (1 + x (a_i - s)), where p_i is the observed frequency and x is such that the mean
//! is s (Owen 1988, who calls it empirical likelihood; Van den Bergh's support_MLE_multinomial, proposition 1.1, for
//! matches). Twice the logarithm of how much likelier the counts are without the constraint is the deviance of s,
//! which for the true mean of many results is the square of a normal number (Wilks 1938). From it come the test, the
//! intervals and the likelihood of superiority, so that they never contradict one another.

use super::{Z_95, crossing};

/// Count of a result that never came. It is above 0, or a mean beyond all results so far would be impossible instead of
/// unlikely. It is small, since a result that did not come says nothing: a thousandth of a result changes a log
/// likelihood ratio by some thousandths.
const UNSEEN: f64 = 1e-3;

/// Counts of N results.
#[derive(Clone, Copy, Debug)]
pub(super) struct Multinomial<const N: usize>([f64; N]);

impl<const N: usize> Multinomial<N> {
    pub(super) fn of(counts: [u64; N]) -> Multinomial<N> {
        Multinomial(counts.map(|count| if count == 0 { UNSEEN } else { count as f64 }))
    }

    /// The worth of a result.
    fn worth(place: usize) -> f64 {
        place as f64 / (N - 1) as f64
    }

    fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The mean of a function over all results.
    pub(super) fn mean_of(&self, of: impl Fn(usize) -> f64) -> f64 {
        self.0.iter().enumerate().map(|(place, count)| count * of(place)).sum::<f64>() / self.total()
    }

    pub(super) fn mean(&self) -> f64 {
        self.mean_of(Self::worth)
    }

    /// For each result, the logarithm of its observed frequency over its probability in the likeliest distribution with
    /// a mean of `share`, which is above 0 and below 1.
    fn surprise(&self, share: f64) -> [f64; N] {
        let beyond: [f64; N] = std::array::from_fn(|place| Self::worth(place) - share);
        // Between the poles, which are where the worst and the best result would have to be certain, this falls from
        // plus to minus infinity.
        let excess =
            |x: f64| self.0.iter().zip(beyond).map(|(count, beyond)| count * beyond / (1.0 + x * beyond)).sum();
        let x = crossing(-1.0 / (1.0 - share), 1.0 / share, excess);
        beyond.map(|beyond| (x * beyond).ln_1p())
    }

    /// The deviance of a mean of `share`: 0 for the mean of the counts, and 3.84 at the ends of the 95 % interval.
    pub(super) fn deviance(&self, share: f64) -> f64 {
        let surprise = self.surprise(share);
        (2.0 * self.total() * self.mean_of(|place| surprise[place])).max(0.0)
    }

    /// The 95 % interval of the mean. The counts are of two kinds or more.
    pub(super) fn interval(&self) -> (f64, f64) {
        let limit = Z_95 * Z_95;
        let low = crossing(0.0, self.mean(), |share| self.deviance(share) - limit);
        let high = crossing(self.mean(), 1.0, |share| limit - self.deviance(share));
        (low, high)
    }

    /// The contribution of each result to the log likelihood ratio of a mean of `share1` over one of `share0`.
    pub(super) fn log_ratios(&self, share0: f64, share1: f64) -> [f64; N] {
        let (surprise0, surprise1) = (self.surprise(share0), self.surprise(share1));
        std::array::from_fn(|place| surprise0[place] - surprise1[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_distribution_has_the_mean_that_was_asked_for() {
        for counts in [[13, 37, 50, 25, 3], [0, 0, 9, 0, 0], [0, 0, 0, 0, 7], [1, 0, 0, 0, 1_000_000]] {
            let counts = Multinomial::of(counts);
            for share in [0.01, 0.4, 0.5, 0.93] {
                let surprise = counts.surprise(share);
                let probability = |place: usize| (-surprise[place]).exp();
                assert!((counts.mean_of(probability) - 1.0).abs() < 1e-6, "{counts:?}, {share}: probabilities add up");
                let mean = counts.mean_of(|place| probability(place) * Multinomial::<5>::worth(place));
                assert!((mean - share).abs() < 1e-6, "{counts:?}, {share}: {mean}");
            }
        }
    }

    #[test]
    fn of_wins_and_losses_alone_the_deviance_is_that_of_a_coin() {
        let coin = Multinomial::of([40, 60]);
        let by_hand = 2.0 * (60.0 * (0.6f64 / 0.5).ln() + 40.0 * (0.4f64 / 0.5).ln());
        assert!((coin.deviance(0.5) - by_hand).abs() < 1e-9);
        assert!(coin.deviance(0.6) < 1e-9);
    }

    #[test]
    fn of_many_pairs_the_interval_is_that_of_their_variance() {
        let pairs = Multinomial::of([130, 370, 500, 250, 30]);
        let mean = pairs.mean();
        let variance = pairs.mean_of(|place| (place as f64 / 4.0 - mean).powi(2));
        let error = Z_95 * (variance / 1280.0).sqrt();
        let (low, high) = pairs.interval();
        assert!(((mean - low) / error - 1.0).abs() < 0.02 && ((high - mean) / error - 1.0).abs() < 0.02);
    }

    #[test]
    fn an_interval_stays_within_what_is_possible() {
        for counts in [[0, 0, 0, 1, 19], [1, 0, 0, 0, 1], [3, 0, 0, 0, 100_000]] {
            let counts = Multinomial::of(counts);
            let (low, high) = counts.interval();
            assert!(0.0 < low && low < counts.mean() && counts.mean() < high && high < 1.0, "{counts:?}: {low} {high}");
        }
    }
}
