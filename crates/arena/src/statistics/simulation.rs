//! Matches with a known truth. Tests that intervals hold it, and that the test errs, as often as they promise.

use boughs::Rng;

use super::elo::{ELO_OF_LOGIT, elo_of_share, logistic};
use super::{Decision, Estimate, Pairs, Sprt, Strength, Tally};

/// Two contestants that meet in pairs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simulated {
    /// Probabilities that a pair brings 0, 1/2, 1, 3/2 and 2 points to the first.
    chances: [f64; 5],
}

impl Simulated {
    /// Contestants of which the first is better by `elo`. Half of the openings are worth `bias` Elo to the first seat,
    /// the others nothing. `draws` is the share of draws between equals.
    pub(super) fn new(elo: f64, draws: f64, bias: f64) -> Simulated {
        let game = |advantage: f64| {
            let share = logistic((elo + advantage) / ELO_OF_LOGIT);
            let draw = 2.0 * draws * share.min(1.0 - share);
            [1.0 - share - draw / 2.0, draw, share - draw / 2.0]
        };
        let mut chances = [0.0; 5];
        for advantage in [0.0, bias] {
            for (one, chance_of_one) in game(advantage).into_iter().enumerate() {
                for (two, chance_of_two) in game(-advantage).into_iter().enumerate() {
                    chances[one + two] += chance_of_one * chance_of_two / 2.0;
                }
            }
        }
        Simulated { chances }
    }

    /// The true share of the first.
    pub(super) fn share(&self) -> f64 {
        self.chances.iter().enumerate().map(|(place, chance)| chance * place as f64 / 4.0).sum()
    }

    fn normalised_elo(&self) -> f64 {
        let squares = |place: usize| (place as f64 / 4.0 - self.share()).powi(2);
        let variance: f64 = self.chances.iter().enumerate().map(|(place, chance)| chance * squares(place)).sum();
        (self.share() - 0.5) / (2.0 * variance).sqrt() * 2.0 * ELO_OF_LOGIT
    }

    /// Plays a pair and returns twice its points.
    fn pair(&self, rng: &mut Rng) -> usize {
        let mut left = rng.unit();
        self.chances.iter().take(4).take_while(|&&chance| (left >= chance).then(|| left -= chance).is_some()).count()
    }

    /// Plays a number of pairs.
    pub(super) fn pairs(&self, count: usize, rng: &mut Rng) -> Pairs {
        let mut pairs = Pairs::default();
        (0..count).for_each(|_| pairs.0[self.pair(rng)] += 1);
        pairs
    }
}

/// Returns true if an estimate does not exclude the truth.
pub(super) fn holds(estimate: Estimate, truth: f64) -> bool {
    match estimate {
        Estimate::Between { low, high, .. } => low <= truth && truth <= high,
        Estimate::AtLeast { low, .. } => low <= truth,
        Estimate::AtMost { high, .. } => truth <= high,
        Estimate::Unknown { .. } => true,
    }
}

/// Returns true if all numbers of an estimate are finite and in order.
pub(super) fn finite(estimate: Estimate) -> bool {
    match estimate {
        Estimate::Between { value, low, high } => low.is_finite() && high.is_finite() && low <= value && value <= high,
        Estimate::AtLeast { low: bound, .. } | Estimate::AtMost { high: bound, .. } => bound.is_finite(),
        Estimate::Unknown { .. } => true,
    }
}

const MATCHES: usize = 1_000;

#[test]
fn intervals_hold_the_truth_in_95_percent_of_matches() {
    // Elo, draws, bias of openings, pairs.
    let cases = [
        (0.0, 0.5, 100.0, 100),
        (50.0, 0.2, 0.0, 40),
        (150.0, 0.3, 200.0, 60),
        (400.0, 0.1, 50.0, 60),
        (20.0, 0.9, 0.0, 200),
    ];
    for (stream, (elo, draws, bias, count)) in (0..).zip(cases) {
        let simulated = Simulated::new(elo, draws, bias);
        let mut rng = Rng::new(1, stream);
        let strengths: Vec<Strength> = (0..MATCHES)
            .map(|_| Strength::of(Tally { pairs: simulated.pairs(count, &mut rng), ..Tally::default() }))
            .collect();
        let held = |of: fn(&Strength) -> Estimate, truth| {
            strengths.iter().filter(|strength| holds(of(strength), truth)).count() as f64 / MATCHES as f64
        };
        let of_elo = held(|strength| strength.elo, elo_of_share(simulated.share()));
        let of_normalised = held(|strength| strength.normalised_elo, simulated.normalised_elo());
        for (name, held) in [("Elo", of_elo), ("nElo", of_normalised)] {
            assert!((0.93..=0.97).contains(&held), "{name} with {elo}, {draws}, {bias}, {count}: {held}");
        }
    }
}

/// Plays until the test decides. Returns the decision, the number of pairs, and the number predicted after 30 pairs.
fn play(test: Sprt, simulated: Simulated, rng: &mut Rng) -> (Decision, u64, Option<u64>) {
    let mut pairs = Pairs::default();
    let mut said = None;
    loop {
        pairs.0[simulated.pair(rng)] += 1;
        let state = test.state(pairs);
        if pairs.count() == 30 {
            said = state.pairs_more.map(|more| 30 + more);
        }
        if state.decision != Decision::Continue {
            return (state.decision, pairs.count(), said);
        }
    }
}

#[test]
fn the_test_errs_no_more_often_than_it_promises_and_ends_about_when_it_says() {
    for (stream, (elo, draws, bias)) in (0..).zip([(60.0, 0.5, 100.0), (80.0, 0.0, 0.0), (40.0, 0.8, 0.0)]) {
        let (equal, better) = (Simulated::new(0.0, draws, bias), Simulated::new(elo, draws, bias));
        let test = Sprt::new(0.0, elo_of_share(better.share()), 0.05, 0.05).unwrap();
        for (truth, right) in [(equal, Decision::AcceptH0), (better, Decision::AcceptH1)] {
            let mut rng = Rng::new(2, stream);
            let played: Vec<_> = (0..MATCHES).map(|_| play(test, truth, &mut rng)).collect();
            let wrong = played.iter().filter(|(decision, ..)| *decision != right).count();
            assert!(wrong * 20 <= MATCHES, "{elo}, {draws}, {bias}, {right:?}: {wrong}");
            let longer: Vec<_> = played.iter().filter_map(|(_, count, said)| said.map(|said| (*count, said))).collect();
            let took: u64 = longer.iter().map(|(count, _)| count).sum();
            let said: u64 = longer.iter().map(|(_, said)| said).sum();
            assert!(took < 2 * said && said < 3 * took, "{elo}, {draws}, {bias}, {right:?}: {took} {said}");
        }
    }
}
