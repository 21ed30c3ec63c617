//! Whether what is drawn comes as often as it should.

use super::require;
use crate::{Game, Rng};

/// A chi-square test with a threshold that a uniform choice passes but for one test in a hundred million.
pub(super) fn check_uniform<G: Game>(position: &G, rng: &mut Rng) -> Result<(), String> {
    const DRAWS_EACH: u32 = 500;
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
    let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    let freedom = (playout.len() - 1) as f64;
    // Laurent and Massart 2000, lemma 1: P(X > k + 2 sqrt(k x) + 2 x) <= exp(-x).
    let x = 18.4;
    require(chi_square <= freedom + 2.0 * (freedom * x).sqrt() + 2.0 * x, || {
        let most = counts.iter().max().copied().unwrap_or(0);
        let least = counts.iter().min().copied().unwrap_or(0);
        format!(
            "`random_action` is not uniform over {} actions: of {DRAWS_EACH} draws expected for each, \
             one got {least} and another {most}",
            playout.len()
        )
    })
}
