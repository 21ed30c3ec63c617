//! The random walk of the log likelihood ratio of two means as results come in.
//!
//! Results are pairs with one of five shares, or single games with one of three. For single games other programs have
//! published ratios. Those in logistic Elo are of the exact distributions too, and expansions around the sample miss
//! their last digit.

use super::multinomial::Multinomial;

/// The state of the walk, and its drift if results stay as they are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Walk {
    /// Log likelihood ratio of the second mean over the first.
    pub(super) llr: f64,
    results: f64,
    /// Mean contribution of a result.
    drift: f64,
    /// Variance of the contributions.
    variance: f64,
}

impl Walk {
    /// The walk after these counts of results. Both means are above 0 and below 1.
    pub(super) fn of<const N: usize>(counts: [u64; N], [share0, share1]: [f64; 2]) -> Walk {
        let results = counts.iter().sum::<u64>() as f64;
        if results == 0.0 {
            return Walk::default();
        }
        let sample = Multinomial::of(counts);
        let steps = sample.log_ratios(share0, share1);
        let drift = sample.mean_of(|place| steps[place]);
        let variance = sample.mean_of(|place| (steps[place] - drift).powi(2));
        Walk { llr: results * drift, results, drift, variance }
    }

    /// Predicts the number of further results until the ratio is lower by `below` or higher by `above`; `None` before
    /// the first result.
    ///
    /// The walk is taken for a Brownian motion, for which Wald's identity has the answer. The part of the drift that
    /// chance alone makes is taken off, or a few lucky results would promise an early end.
    pub(super) fn results_more(&self, below: f64, above: f64) -> Option<u64> {
        let drift = (self.drift * self.drift - self.variance / self.results).max(0.0).sqrt();
        // The bound that the walk drifts to is ahead, so no exponential below grows.
        let (behind, ahead) = if self.drift < 0.0 { (above, below) } else { (below, above) };
        let pull = 2.0 * drift / self.variance;
        let more = if pull * (behind + ahead) < 1e-6 {
            behind * ahead / self.variance
        } else {
            let arrives = (-pull * behind).exp_m1() / (-pull * (behind + ahead)).exp_m1();
            (arrives * ahead - (1.0 - arrives) * behind) / drift
        };
        more.is_finite().then(|| more.ceil() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::super::share_of_elo;
    use super::*;

    /// Wins, losses, draws, both Elo, and the ratios of other programs: in BayesElo with the draw rate of the sample,
    /// and in logistic Elo.
    const KNOWN: [([u64; 3], [f64; 2], f64, f64); 6] = [
        ([3415, 3270, 5763], [-1.0, 4.0], 2.16, 2.446),
        ([4413, 4218, 7481], [-1.0, 4.0], 2.96, 3.370),
        ([1382, 1415, 2627], [0.0, 5.0], -1.34, -2.010),
        ([7238, 7273, 18473], [0.0, 4.0], -2.97, -5.884),
        ([7446, 7503, 14227], [-3.0, 1.0], 0.12, 0.606),
        ([10, 10, 10], [-10.0, 10.0], 0.00, 0.000),
    ];

    /// The trinomial LLR in Coulom's BayesElo, in which draws have a strength of their own, that of the sample. Only
    /// these ratios use this scale, which changes with the share of draws.
    fn bayes_elo_llr([wins, losses, draws]: [u64; 3], elos: [f64; 2]) -> f64 {
        let games = (wins + losses + draws) as f64;
        let odds_against = |count: u64| games / count as f64 - 1.0;
        let draw_elo = 200.0 * (odds_against(wins) * odds_against(losses)).log10();
        let [chances0, chances1] = elos.map(|elo| {
            let (win, loss) = (share_of_elo(elo - draw_elo), share_of_elo(-elo - draw_elo));
            [win, loss, 1.0 - win - loss]
        });
        [wins, losses, draws]
            .iter()
            .zip(chances0.iter().zip(chances1))
            .map(|(&count, (chance0, chance1))| count as f64 * (chance1 / chance0).ln())
            .sum()
    }

    #[test]
    fn games_alone_give_the_ratios_other_programs_find() {
        for (games, elos, bayes, logistic) in KNOWN {
            let in_bayes_elo = bayes_elo_llr(games, elos);
            assert!((in_bayes_elo - bayes).abs() <= 0.005, "{games:?} {elos:?} in BayesElo: {in_bayes_elo}");
            let [wins, losses, draws] = games;
            let llr = Walk::of([losses, draws, wins], elos.map(share_of_elo)).llr;
            assert!((llr - logistic).abs() <= 0.0005, "{games:?} {elos:?} in logistic Elo: {llr}");
        }
    }

    #[test]
    fn a_sure_walk_takes_its_way_by_its_drift_and_an_aimless_one_the_product_of_both_ways() {
        let sure = Walk { llr: 0.0, results: 1e9, drift: -0.1, variance: 1e-9 };
        assert_eq!(sure.results_more(3.0, 1.0), Some(30));
        let aimless = Walk { llr: 0.0, results: 100.0, drift: 0.0, variance: 0.01 };
        assert_eq!(aimless.results_more(3.0, 1.0), Some(300));
        // Between: with a drift d and a variance of 2 d each way of 1 takes (2 / (1 + 1 / e) - 1) / d.
        let between = Walk { llr: 0.0, results: 1e12, drift: 0.001, variance: 0.002 };
        assert_eq!(between.results_more(1.0, 1.0), Some(463));
        assert_eq!(Walk::default().results_more(1.0, 1.0), None);
    }

    #[test]
    fn a_few_lucky_results_promise_no_early_end() {
        let lucky = Walk { llr: 0.0, results: 4.0, drift: 0.05, variance: 0.01 };
        assert_eq!(lucky.results_more(3.0, 1.0), Some(300));
    }
}
