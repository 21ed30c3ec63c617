//! Chi-square tests of how often actions and outcomes are drawn.

use super::actions::debug_option;
use super::chance::check_drawn;
use super::require;
use crate::notation::counted;
use crate::{Position, Rng};

/// The expected draws of each action where all are equally likely.
const DRAWS_EACH: u32 = 500;

/// The most draws of one test of weights. Chance may have very many outcomes.
const MOST_DRAWS: usize = 20_000;

/// Outcomes that are expected less often are counted together, because the threshold holds for large counts.
const LEAST_EXPECTED: f64 = 100.0;

/// Draws by `random_action` and compares with equal shares of the playout actions.
pub(super) fn check_uniform(position: &dyn Position, rng: &mut Rng) -> Result<(), String> {
    let mut playout = Vec::new();
    position.playout_actions(&mut playout);
    let mut counts = vec![0u32; playout.len()];
    for action in position.draws(DRAWS_EACH as usize * playout.len(), rng) {
        match playout.iter().position(|&listed| Some(listed) == action) {
            Some(index) => counts[index] += 1,
            None => {
                let drawn = debug_option(position, action);
                return Err(format!("`random_action` gave {drawn}, which is not among the playout actions"));
            }
        }
    }
    let expected = f64::from(DRAWS_EACH);
    require(fits(counts.iter().map(|&count| (f64::from(count), expected))), || {
        let most = counts.iter().max().copied().unwrap_or(0);
        let least = counts.iter().min().copied().unwrap_or(0);
        format!(
            "`random_action` is not uniform over {}: of {DRAWS_EACH} draws expected for each, \
             one got {least} and another {most}",
            counted(playout.len(), "actions")
        )
    })
}

/// Draws from `chance` and compares with the weights of the outcomes, of which at least one is positive.
pub(super) fn check_weights(position: &dyn Position, outcomes: &[u32], rng: &mut Rng) -> Result<(), String> {
    let draws = (DRAWS_EACH as usize * outcomes.len()).min(MOST_DRAWS);
    let mut counts = vec![0.0; outcomes.len()];
    for drawn in position.draws(draws, rng) {
        let Some(drawn) = drawn else {
            return Err("`chance` gives an outcome at one time and none at another".into());
        };
        check_drawn(position, outcomes, drawn)?;
        for (count, _) in counts.iter_mut().zip(outcomes).filter(|(_, outcome)| **outcome == drawn) {
            *count += 1.0;
        }
    }
    let weights: Vec<f64> = outcomes.iter().map(|&outcome| f64::from(position.weight(outcome))).collect();
    let each = draws as f64 / weights.iter().sum::<f64>();
    let found: Vec<(f64, f64)> =
        counts.into_iter().zip(weights).map(|(count, weight)| (count, weight * each)).collect();
    require(fits(gather(found.clone()).into_iter()), || {
        let off = |&(count, expected): &(f64, f64)| (count - expected).powi(2) / expected.max(1.0);
        let worst = (0..found.len()).max_by(|&a, &b| off(&found[a]).total_cmp(&off(&found[b]))).unwrap_or(0);
        format!(
            "`chance` does not draw by `weight`: of {draws} draws '{}' got {}, where its weight asks for about {:.0}",
            position.action_text(outcomes[worst]),
            found[worst].0,
            found[worst].1
        )
    })
}

/// Merges the rarest classes of counts and expectations until each class has a large enough expectation.
fn gather(mut found: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    found.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let mut gathered: Vec<(f64, f64)> = Vec::new();
    for (count, expected) in found {
        match gathered.last_mut().filter(|last| last.1 < LEAST_EXPECTED) {
            Some(last) => *last = (last.0 + count, last.1 + expected),
            None => gathered.push((count, expected)),
        }
    }
    // A last class that is too rare joins the class before it.
    if let [.., before, last] = &mut gathered[..]
        && last.1 < LEAST_EXPECTED
    {
        *before = (before.0 + last.0, before.1 + last.1);
        gathered.pop();
    }
    gathered
}

/// A chi-square test of counts against expectations. The right frequencies fail one test in a hundred million.
fn fits(found: impl ExactSizeIterator<Item = (f64, f64)>) -> bool {
    let freedom = found.len().saturating_sub(1) as f64;
    let chi_square: f64 = found.map(|(count, expected)| (count - expected).powi(2) / expected).sum();
    // Laurent and Massart 2000, lemma 1: P(X > k + 2 sqrt(k x) + 2 x) <= exp(-x).
    let x = 18.4;
    chi_square <= freedom + 2.0 * (freedom * x).sqrt() + 2.0 * x
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_outcomes_are_counted_together() {
        let found = vec![(900.0, 910.0), (3.0, 0.0), (40.0, 30.0), (60.0, 80.0), (97.0, 100.0)];
        assert_eq!(gather(found), [(103.0, 110.0), (97.0, 100.0), (900.0, 910.0)]);
        assert_eq!(gather(vec![(61.0, 60.0), (59.0, 60.0), (63.0, 62.0)]), [(183.0, 182.0)]);
    }

    #[test]
    fn the_test_allows_for_luck_and_nothing_else() {
        assert!(fits([(540.0, 500.0), (460.0, 500.0)].into_iter()));
        assert!(!fits([(650.0, 500.0), (350.0, 500.0)].into_iter()));
        assert!(fits([(500.0, 500.0)].into_iter()));
    }
}
