//! Whether what is drawn comes as often as it should.

use super::chance::check_drawn;
use super::require;
use crate::{Game, Rng};

/// How often each action is drawn, if all are alike.
const DRAWS_EACH: u32 = 500;

/// The most draws of one test of weights, whose outcomes may be very many.
const MOST_DRAWS: usize = 20_000;

/// What is expected less often is counted together, because the threshold holds for large counts.
const LEAST_EXPECTED: f64 = 100.0;

pub(super) fn check_uniform<G: Game>(position: &G, rng: &mut Rng) -> Result<(), String> {
    let mut playout = Vec::new();
    position.playout_actions(&mut playout);
    let mut counts = vec![0u32; playout.len()];
    let mut scratch = Vec::new();
    for _ in 0..DRAWS_EACH * playout.len() as u32 {
        let action = position.random_action(rng, &mut scratch);
        match playout.iter().position(|&listed| Some(listed) == action) {
            Some(index) => counts[index] += 1,
            None => return Err(format!("`random_action` gave {action:?}, which is not among the playout actions")),
        }
    }
    let expected = f64::from(DRAWS_EACH);
    require(fit(counts.iter().map(|&count| (f64::from(count), expected))), || {
        let most = counts.iter().max().copied().unwrap_or(0);
        let least = counts.iter().min().copied().unwrap_or(0);
        format!(
            "`random_action` is not uniform over {} actions: of {DRAWS_EACH} draws expected for each, \
             one got {least} and another {most}",
            playout.len()
        )
    })
}

/// Draws from `chance` and compares with the weights of the outcomes, of which at least one is positive.
pub(super) fn check_weights<G: Game>(position: &G, outcomes: &[G::Action], rng: &mut Rng) -> Result<(), String> {
    let draws = (DRAWS_EACH as usize * outcomes.len()).min(MOST_DRAWS);
    let mut counts = vec![0.0; outcomes.len()];
    let mut scratch = Vec::new();
    for _ in 0..draws {
        let Some(drawn) = position.chance(rng, &mut scratch) else {
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
    require(fit(gather(found.clone()).into_iter()), || {
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

/// Counts and what was expected, with the rarest added up until enough is expected of each.
fn gather(mut found: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    found.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let mut gathered: Vec<(f64, f64)> = Vec::new();
    for (count, expected) in found {
        match gathered.last_mut().filter(|last| last.1 < LEAST_EXPECTED) {
            Some(last) => *last = (last.0 + count, last.1 + expected),
            None => gathered.push((count, expected)),
        }
    }
    // What is left at the end, if it is too rare by itself, goes with the class before it.
    if let [.., before, last] = &mut gathered[..]
        && last.1 < LEAST_EXPECTED
    {
        *before = (before.0 + last.0, before.1 + last.1);
        gathered.pop();
    }
    gathered
}

/// A chi-square test of counts and what was expected, with a threshold that the right frequencies pass but for one test
/// in a hundred million.
fn fit(found: impl ExactSizeIterator<Item = (f64, f64)>) -> bool {
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
    fn what_is_rare_is_counted_together() {
        let found = vec![(900.0, 910.0), (3.0, 0.0), (40.0, 30.0), (60.0, 80.0), (97.0, 100.0)];
        assert_eq!(gather(found), [(103.0, 110.0), (97.0, 100.0), (900.0, 910.0)]);
        assert_eq!(gather(vec![(61.0, 60.0), (59.0, 60.0), (63.0, 62.0)]), [(183.0, 182.0)]);
    }

    #[test]
    fn a_fit_allows_chance_and_nothing_else() {
        assert!(fit([(540.0, 500.0), (460.0, 500.0)].into_iter()));
        assert!(!fit([(650.0, 500.0), (350.0, 500.0)].into_iter()));
        assert!(fit([(500.0, 500.0)].into_iter()));
    }
}
