//! Diagnostics: warnings about the settings and the game of a search, drawn from its numbers.
//!
//! Each warning has a bound that ordinary searches keep well away from: a user who is warned for nothing soon reads no
//! warnings at all.

use super::root::{Candidate, Root};
use crate::Warning;
use crate::mcts::settings::{FirstPlay, Parallel, Policy, Settings};

/// The numbers of a search.
pub(super) struct SearchFacts<'r> {
    pub(super) settings: &'r Settings,
    pub(super) root: &'r Root,
    /// Playouts this search made.
    pub(super) playouts: u64,
    pub(super) depth: u32,
    /// True if the game goes on after the principal variation.
    pub(super) goes_on: bool,
    pub(super) seconds: f64,
    pub(super) threads: usize,
    /// The mean time of the playouts that were timed.
    pub(super) seconds_a_playout: Option<f64>,
    pub(super) is_solved: bool,
    /// The distance from the least reward to the greatest, in the scale of the means.
    pub(super) range: f64,
}

/// Fewer playouts give no warnings.
const FEW: u64 = 1_000;
/// A tree that goes no deeper sees no answer to an answer.
const SHALLOW: u32 = 3;
/// The share of the time that the rest of the search takes below which only quicker playouts make a search quicker.
const REST: f64 = 0.02;
/// The share of the time beyond which the few playouts that were timed are none to go by: the system ran other programs
/// during one of them.
const MORE_THAN_ALL: f64 = 1.2;
/// Quicker playouts are not warned of, in seconds.
const QUICK: f64 = 20e-6;
/// Threads that play out for less than this share of the time wait for each other.
const BUSY: f64 = 0.4;

pub(super) fn diagnose(facts: &SearchFacts<'_>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if facts.is_solved {
        warnings.push(Warning::Solved);
    } else if facts.playouts >= FEW {
        if facts.depth <= SHALLOW && facts.goes_on {
            warnings.push(Warning::Shallow { depth: facts.depth });
        }
        warnings.extend(exploration(facts));
    }
    if facts.playouts >= FEW {
        warnings.extend(time(facts));
    }
    warnings
}

/// Warns if the exploration constant is out of scale with the differences between rewards.
fn exploration(facts: &SearchFacts<'_>) -> Option<Warning> {
    // A child with a known outcome is left alone for another reason.
    let children: Vec<&Candidate> = facts.root.0.iter().filter(|child| child.outcome.is_open()).collect();
    let visits: u64 = children.iter().map(|child| child.visits).sum();
    let width = children.len() as u64;
    if facts.settings.policy != Policy::Ucb1 || width < 3 || visits < 200 * width {
        return None;
    }
    let most = children.iter().map(|child| child.visits).max()?;
    // With this number of playouts each child should have had some doubt left.
    let given_up = children.iter().filter(|child| child.visits <= 3).count() as u64;
    if 2 * given_up > width
        && facts.settings.first_play == FirstPlay::Value(f64::INFINITY)
        && facts.settings.widening == 0.0
    {
        return Some(Warning::TooLittleExploration { given_up: given_up as usize });
    }
    let least = children.iter().map(|child| child.visits).min()?;
    let means = || children.iter().map(|child| child.mean());
    let spread = means().fold(f64::NEG_INFINITY, f64::max) - means().fold(f64::INFINITY, f64::min);
    // Five times the standard error of the means of as many all-or-nothing playouts.
    let noise = facts.range * 5.0 * (0.25 * width as f64 / visits as f64).sqrt();
    (most < 2 * least && spread > noise).then_some(Warning::TooMuchExploration)
}

/// Warns of slow playouts and of threads that wait.
fn time(facts: &SearchFacts<'_>) -> Option<Warning> {
    let playout = facts.seconds_a_playout?;
    let busy = playout * facts.playouts as f64 / (facts.seconds * facts.threads as f64).max(1e-9);
    if facts.settings.parallel == Parallel::Batched && facts.threads > 1 && busy < BUSY {
        return Some(Warning::ThreadsWait { busy: (busy * 100.0).round() as u32 });
    }
    let slow = playout > QUICK && (1.0 - REST..MORE_THAN_ALL).contains(&busy);
    slow.then_some(Warning::SlowPlayouts { microseconds: (playout * 1e6).round() as u64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcts::tree::Outcome;

    fn root(children: &[(u64, f64)]) -> Root {
        let child = |(action, &(visits, mean)): (usize, &(u64, f64))| Candidate {
            action: action as u32,
            visits,
            reward: mean * visits as f64,
            outcome: Outcome::OPEN,
            floor_below: Outcome::OPEN,
            drawn: 0,
        };
        Root(children.iter().enumerate().map(child).collect())
    }

    fn healthy<'r>(root: &'r Root, settings: &'r Settings) -> SearchFacts<'r> {
        SearchFacts {
            settings,
            root,
            playouts: 10_000,
            depth: 12,
            goes_on: true,
            seconds: 0.1,
            threads: 1,
            seconds_a_playout: Some(5e-6),
            is_solved: false,
            range: 1.0,
        }
    }

    #[test]
    fn an_ordinary_search_is_healthy() {
        let (root, settings) = (root(&[(8_000, 0.6), (1_500, 0.5), (500, 0.4)]), Settings::default());
        assert_eq!(diagnose(&healthy(&root, &settings)), []);
    }

    #[test]
    fn each_fault_has_its_warning() {
        let settings = Settings::default();
        let ordinary = root(&[(8_000, 0.6), (1_500, 0.5), (500, 0.4)]);
        let patient = || healthy(&ordinary, &settings);
        assert_eq!(diagnose(&SearchFacts { depth: 3, ..patient() }), [Warning::Shallow { depth: 3 }]);
        assert_eq!(diagnose(&SearchFacts { depth: 3, goes_on: false, ..patient() }), []);
        assert_eq!(diagnose(&SearchFacts { is_solved: true, depth: 1, ..patient() }), [Warning::Solved]);
        let slow = SearchFacts { seconds_a_playout: Some(1e-3), seconds: 10.1, ..patient() };
        assert_eq!(diagnose(&slow), [Warning::SlowPlayouts { microseconds: 1_000 }]);
        assert_eq!(diagnose(&SearchFacts { seconds: 1.0, ..slow }), []);
        let batched = Settings { parallel: Parallel::Batched, ..Settings::default() };
        let waiting = SearchFacts { settings: &batched, threads: 4, seconds: 0.05, ..healthy(&ordinary, &batched) };
        assert_eq!(diagnose(&waiting), [Warning::ThreadsWait { busy: 25 }]);
        let even = root(&[(3_400, 0.6), (3_300, 0.5), (3_300, 0.3)]);
        assert_eq!(diagnose(&healthy(&even, &settings)), [Warning::TooMuchExploration]);
        let equals = root(&[(3_400, 0.501), (3_300, 0.5), (3_300, 0.499)]);
        assert_eq!(diagnose(&healthy(&equals, &settings)), []);
        let narrow = root(&[(9_997, 0.6), (1, 0.0), (2, 0.0)]);
        assert_eq!(diagnose(&healthy(&narrow, &settings)), [Warning::TooLittleExploration { given_up: 2 }]);
    }
}
