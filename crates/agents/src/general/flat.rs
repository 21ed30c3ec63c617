//! Flat Monte Carlo: playouts of every action, and no tree.
//!
//! It knows nothing about answers to answers, but it goes with every game, needs no memory, and is hard to beat where
//! luck matters more than skill. Playout number n of every action draws from the same stream of random numbers, so
//! actions are compared on the same hidden cards and the same events of chance (common random numbers).

use std::time::Instant;

use boughs::logarithm::ln;
use boughs::spec::{Key, Spec};
use boughs::{Agent, PlayoutKind, SearchError, Session};

use crate::entry::Build;
use crate::search::{
    self, LineSearch, LineStats, PlayoutPlan, PlayoutScratch, SharedResult, SharedSearch, Slot, units,
};

/// The options of flat Monte Carlo.
#[derive(Clone, Debug, PartialEq)]
pub struct Flat {
    /// The rule that chooses the action of the next playout.
    pub policy: FlatPolicy,
    /// The exploration constant C of [`FlatPolicy::Ucb1`].
    pub exploration: f64,
    /// The kind of playouts.
    pub playout: PlayoutKind,
    /// If true, playout number n of every action draws from the same stream.
    pub shared: bool,
    /// The number of threads that search, 0 for as many as there are cores. The result of an iteration budget does
    /// not depend on it.
    pub threads: usize,
    /// The seed of all randomness. It is not part of the text.
    pub seed: u64,
}

/// A rule that chooses the action of the next playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlatPolicy {
    /// Sequential halving: the budget is divided among rounds, and the better half of the actions goes on to the next
    /// round (Karnin, Koren and Somekh 2013). Means are over all rounds. Without a budget to divide, halving starts
    /// again with twice as many playouts.
    Halving,
    /// The highest mean + C sqrt(ln N / n) (UCB1 of Auer, Cesa-Bianchi and Fischer 2002), chosen for a batch at a
    /// time. The action with the most playouts is played.
    Ucb1,
    /// Each action in turn.
    Uniform,
}

const POLICIES: [(&str, FlatPolicy); 3] =
    [("halving", FlatPolicy::Halving), ("ucb1", FlatPolicy::Ucb1), ("uniform", FlatPolicy::Uniform)];

/// The number of playouts that UCB1 chooses before it sees their rewards.
const BATCH: u64 = 32;

/// The playouts of each action in the first halving without a budget to divide.
const FIRST_HALVING: u64 = 64;

/// The width of a playout's number within a round, in bits.
const NUMBER_BITS: u32 = 40;

impl Default for Flat {
    fn default() -> Flat {
        Flat {
            policy: FlatPolicy::Halving,
            exploration: 1.0,
            playout: PlayoutKind::Light,
            shared: true,
            threads: 1,
            seed: 0,
        }
    }
}

impl Spec for Flat {
    const NAME: &'static str = "flat";
    const SUMMARY: &'static str = "flat Monte Carlo: playouts of every action, and no tree";
    fn keys() -> Vec<Key<Flat>> {
        vec![
            Key::choice(
                "policy",
                "which action gets the next playout: sequential halving, UCB1, or each in turn",
                &POLICIES,
                |flat| &mut flat.policy,
            ),
            Key::exploration("exploration constant C of policy=ucb1", |flat| &mut flat.exploration),
            Key::playout("how a game is played out", |flat| &mut flat.playout),
            Key::switch(
                "shared",
                "playout n of every action has the same random numbers, so that actions are compared on the same luck",
                |flat| &mut flat.shared,
            ),
            Key::threads(|flat| &mut flat.threads),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl Build for Flat {
    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        search::start(self, position)
    }
}

impl LineSearch for Flat {
    fn playout(&self) -> PlayoutKind {
        self.playout
    }

    fn has_samples(&self) -> bool {
        true
    }

    fn search(&self, search: &SharedSearch) {
        search.result.stats(|stats| stats.depth = 1);
        let begin = |scratch: &mut PlayoutScratch, action: usize| {
            if search.determinize(scratch).is_none() {
                scratch.apply(search.actions[action]);
            }
        };
        let bandit = Bandit {
            flat: self,
            actions: search.actions.len(),
            bounds: search.facts.rewards.bounds.map(|_| (0.0, units(&search.facts))),
            result: &search.result,
            play: &|plan| search.play(plan, &begin),
        };
        match self.policy {
            FlatPolicy::Halving => bandit.halve(),
            FlatPolicy::Ucb1 => bandit.explore(),
            FlatPolicy::Uniform => bandit.take_turns(),
        }
    }
}

/// A multi-armed bandit over the actions. It knows no game.
struct Bandit<'t> {
    flat: &'t Flat,
    actions: usize,
    /// The lowest and the highest reward in units, where they are declared.
    bounds: Option<(f64, f64)>,
    result: &'t SharedResult,
    play: &'t (dyn Fn(&PlayoutPlan<'_>) + Sync),
}

impl Bandit<'_> {
    /// Gives playout number `n` of an action.
    fn slot(&self, action: usize, n: u64) -> Slot {
        let stream = if self.flat.shared { n } else { n * self.actions as u64 + action as u64 };
        Slot { line: action, stream }
    }

    /// Makes `count` playouts of these actions in turn, numbered from `first`.
    fn play_in_turn(&self, actions: &[usize], first: u64, count: u64, until: Option<Instant>) {
        let among = actions.len() as u64;
        let slot = |i: u64| self.slot(actions[(i % among) as usize], first + i / among);
        (self.play)(&PlayoutPlan { count, until, slot: &slot });
    }

    fn take_turns(&self) {
        let all: Vec<usize> = (0..self.actions).collect();
        self.play_in_turn(&all, 0, self.result.room(), None);
    }

    fn halve(&self) {
        let rounds = u64::from(self.actions.next_power_of_two().trailing_zeros().max(1));
        let mut unlimited = FIRST_HALVING * self.actions as u64;
        let mut rank = 0;
        while !self.result.is_done() {
            let mut left: Vec<usize> = (0..self.actions).collect();
            for rounds_left in (1..=rounds).rev() {
                let (count, until) = self.share(rounds_left, unlimited);
                // Every action gets one playout, however small the share.
                let count = count.max(left.len() as u64).min(self.result.room());
                self.play_in_turn(&left, rank << NUMBER_BITS, count, until);
                rank += 1;
                self.keep_better_half(&mut left, rank);
                if self.result.is_done() {
                    return;
                }
            }
            unlimited *= 2;
        }
    }

    /// The share of the budget for the next of `rounds` rounds: its playouts and its deadline.
    fn share(&self, rounds: u64, unlimited: u64) -> (u64, Option<Instant>) {
        let budget = self.result.status.budget();
        let until = self.result.pacing_deadline().filter(|_| rounds > 1).map(|deadline| {
            let present = Instant::now();
            present + deadline.saturating_duration_since(present) / rounds as u32
        });
        let count = match (budget.most_iterations(), budget.deadline()) {
            (Some(_), _) => self.result.room().div_ceil(rounds),
            (None, Some(_)) => u64::MAX,
            (None, None) => unlimited / rounds,
        };
        (count, until)
    }

    fn keep_better_half(&self, left: &mut Vec<usize>, rank: u64) {
        self.result.stats(|stats| {
            left.sort_by(|&a, &b| stats.lines[b].mean().total_cmp(&stats.lines[a].mean()));
            left.truncate(left.len().div_ceil(2));
            left.iter().for_each(|&action| stats.lines[action].rank = rank);
        });
        // Back in the order of the game, so that equal actions stay in it.
        left.sort_unstable();
    }

    fn explore(&self) {
        let mut counts = vec![0; self.actions];
        while !self.result.is_done() {
            let batch = BATCH.min(self.result.room());
            let values = self.result.stats(|stats| self.shares(stats));
            let slots: Vec<Slot> = (0..batch)
                .map(|_| {
                    let action = self.most_promising(&values, &counts);
                    counts[action] += 1;
                    self.slot(action, counts[action] - 1)
                })
                .collect();
            (self.play)(&PlayoutPlan { count: batch, until: None, slot: &|i| slots[i as usize] });
            self.result.stats(|stats| stats.lines.iter_mut().for_each(|line| line.rank = line.playouts));
        }
    }

    /// The mean of each action, scaled to 0..=1 between the bounds.
    fn shares(&self, stats: &LineStats) -> Vec<f64> {
        let seen = stats.extremes.map(|(least, most)| (least as f64, most as f64));
        let (least, most) = self.bounds.or(seen).unwrap_or((0.0, 1.0));
        let width = if most > least { most - least } else { 1.0 };
        stats.lines.iter().map(|line| if line.playouts > 0 { (line.mean() - least) / width } else { 0.0 }).collect()
    }

    /// The action with the highest UCB1 value. Playouts that are chosen but not yet made count for exploration only.
    /// Of equal actions the first is chosen.
    fn most_promising(&self, values: &[f64], counts: &[u64]) -> usize {
        let ln = ln(counts.iter().sum::<u64>().max(1) as f64);
        let value = |action: usize| match counts[action] {
            0 => f64::INFINITY,
            count => values[action] + self.flat.exploration * (ln / count as f64).sqrt(),
        };
        (0..counts.len()).reduce(|best, other| if value(other) > value(best) { other } else { best }).unwrap_or(0)
    }
}
