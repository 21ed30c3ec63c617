//! Flat Monte Carlo: playouts of every action, and no tree.
//!
//! It has nothing to say about answers to answers, but it goes with every game, needs no memory, and is hard to beat where
//! luck weighs more than cunning. Playout number n of every action draws from the same stream of random numbers, so that
//! actions are compared on the same luck (common random numbers): what is hidden and what chance does is the same for all.

use std::time::Instant;

use super::found::{Found, Progress};
use super::task::{Hands, Plan, Slot, Task, units};
use super::thinker::Method;
use crate::Game;
use crate::clock::now;
use crate::logarithm::ln;
use crate::playout::PlayoutKind;
use crate::settings::MAX_THREADS;
use crate::spec::{Key, SWITCH, Spec, name_of, named, number};

/// Everything that can be set about flat Monte Carlo.
#[derive(Clone, Debug, PartialEq)]
pub struct Flat {
    /// Which action gets the next playout.
    pub policy: FlatPolicy,
    /// The exploration constant C of [`FlatPolicy::Ucb1`].
    pub exploration: f64,
    /// How games are played out.
    pub playout: PlayoutKind,
    /// Whether playout number n of every action draws from the same stream.
    pub shared: bool,
    /// How many threads search; 0 for as many as there are cores. The result of an iteration budget does not depend on it.
    pub threads: usize,
    /// The seed of all randomness; not part of the text.
    pub seed: u64,
}

/// Which action gets the next playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlatPolicy {
    /// Sequential halving: the budget is divided among rounds, and the better half of the actions goes on to the next (Karnin,
    /// Koren and Somekh 2013). Means are of all rounds. Without a budget to divide, halving begins again with twice as much.
    Halving,
    /// The one with the highest mean + C sqrt(ln N / n) (UCB1 of Auer, Cesa-Bianchi and Fischer 2002), chosen a batch at a
    /// time. The action with the most playouts is played.
    Ucb1,
    /// Each in turn.
    Uniform,
}

const POLICIES: [(&str, FlatPolicy); 3] =
    [("halving", FlatPolicy::Halving), ("ucb1", FlatPolicy::Ucb1), ("uniform", FlatPolicy::Uniform)];

/// How many playouts UCB1 chooses before it sees what they came to.
const BATCH: u64 = 32;

/// Playouts of each action in the first halving, where there is no budget to divide.
const FIRST_HALVING: u64 = 64;

/// Playouts of a round have numbers of so many bits.
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
    const KEYS: &'static [Key<Flat>] = &[
        Key {
            name: "policy",
            help: "which action gets the next playout: sequential halving, UCB1, or each in turn",
            values: "halving, ucb1 or uniform",
            get: |flat| name_of(flat.policy, &POLICIES),
            set: |flat, text| named(text, &POLICIES).map(|policy| flat.policy = policy),
        },
        Key {
            name: "c",
            help: "exploration constant C of policy=ucb1",
            values: "a number from 0 to 1000",
            get: |flat| flat.exploration.to_string(),
            set: |flat, text| number(text, 0.0..=1000.0).map(|c| flat.exploration = c),
        },
        Key {
            name: "playout",
            help: "how a game is played out",
            values: "light or decisive",
            get: |flat| name_of(flat.playout, &PlayoutKind::ALL),
            set: |flat, text| named(text, &PlayoutKind::ALL).map(|playout| flat.playout = playout),
        },
        Key {
            name: "shared",
            help: "playout n of every action has the same random numbers, so that actions are compared on the same luck",
            values: "on or off",
            get: |flat| name_of(flat.shared, &SWITCH),
            set: |flat, text| named(text, &SWITCH).map(|shared| flat.shared = shared),
        },
        Key {
            name: "threads",
            help: "threads that search, 0 for all cores",
            values: "a whole number from 0 to 1024",
            get: |flat| flat.threads.to_string(),
            set: |flat, text| number(text, 0..=MAX_THREADS).map(|threads| flat.threads = threads),
        },
    ];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl Method for Flat {
    fn playout(&self) -> PlayoutKind {
        self.playout
    }

    fn think<G: Game>(&self, task: &Task<G>) {
        task.progress.found(|found| found.depth = 1);
        let begin = |hands: &mut Hands<G>, action: usize| {
            if task.imagine(hands).is_none() {
                hands.apply(task.actions[action]);
            }
        };
        let bandit = Bandit {
            flat: self,
            actions: task.actions.len(),
            bounds: G::REWARDS.bounds.map(|_| (0.0, units::<G>())),
            progress: &task.progress,
            play: &|plan| task.play(plan, &begin),
        };
        match self.policy {
            FlatPolicy::Halving => bandit.halve(),
            FlatPolicy::Ucb1 => bandit.explore(),
            FlatPolicy::Uniform => bandit.take_turns(),
        }
    }
}

/// The choice among actions whose worth is unknown; it knows no game.
struct Bandit<'t> {
    flat: &'t Flat,
    actions: usize,
    /// The least and the greatest reward in units, where they are declared.
    bounds: Option<(f64, f64)>,
    progress: &'t Progress,
    play: &'t (dyn Fn(&Plan<'_>) + Sync),
}

impl Bandit<'_> {
    /// Playout number `n` of an action.
    fn slot(&self, action: usize, n: u64) -> Slot {
        let stream = if self.flat.shared { n } else { n * self.actions as u64 + action as u64 };
        Slot { line: action, stream }
    }

    /// So many playouts, each of these actions in turn, numbered from `first`.
    fn play_in_turn(&self, actions: &[usize], first: u64, count: u64, until: Option<Instant>) {
        let among = actions.len() as u64;
        let slot = |i: u64| self.slot(actions[(i % among) as usize], first + i / among);
        (self.play)(&Plan { count, until, slot: &slot });
    }

    fn take_turns(&self) {
        let all: Vec<usize> = (0..self.actions).collect();
        self.play_in_turn(&all, 0, self.progress.room(), None);
    }

    fn halve(&self) {
        let rounds = u64::from(self.actions.next_power_of_two().trailing_zeros().max(1));
        let mut unlimited = FIRST_HALVING * self.actions as u64;
        let mut rank = 0;
        while !self.progress.is_done() {
            let mut left: Vec<usize> = (0..self.actions).collect();
            for rounds_left in (1..=rounds).rev() {
                let (count, until) = self.share(rounds_left, unlimited);
                // Every action once, whatever the share.
                let count = count.max(left.len() as u64).min(self.progress.room());
                self.play_in_turn(&left, rank << NUMBER_BITS, count, until);
                rank += 1;
                self.keep_better_half(&mut left, rank);
                if self.progress.is_done() {
                    return;
                }
            }
            unlimited *= 2;
        }
    }

    /// The part of the budget for one of so many rounds: playouts, and the time to stop.
    fn share(&self, rounds: u64, unlimited: u64) -> (u64, Option<Instant>) {
        let budget = self.progress.course.budget();
        let until = budget.deadline.filter(|_| rounds > 1).map(|deadline| {
            let present = now();
            present + deadline.saturating_duration_since(present) / rounds as u32
        });
        let count = match (budget.iterations, budget.deadline) {
            (Some(_), _) => self.progress.room().div_ceil(rounds),
            (None, Some(_)) => u64::MAX,
            (None, None) => unlimited / rounds,
        };
        (count, until)
    }

    fn keep_better_half(&self, left: &mut Vec<usize>, rank: u64) {
        self.progress.found(|found| {
            left.sort_by(|&a, &b| found.lines[b].mean().total_cmp(&found.lines[a].mean()));
            left.truncate(left.len().div_ceil(2));
            left.iter().for_each(|&action| found.lines[action].rank = rank);
        });
        // In the order of the game again, so that equals stay in it.
        left.sort_unstable();
    }

    fn explore(&self) {
        let mut counts = vec![0; self.actions];
        while !self.progress.is_done() {
            let batch = BATCH.min(self.progress.room());
            let values = self.progress.found(|found| self.shares(found));
            let slots: Vec<Slot> = (0..batch)
                .map(|_| {
                    let action = self.most_promising(&values, &counts);
                    counts[action] += 1;
                    self.slot(action, counts[action] - 1)
                })
                .collect();
            (self.play)(&Plan { count: batch, until: None, slot: &|i| slots[i as usize] });
            self.progress.found(|found| found.lines.iter_mut().for_each(|line| line.rank = line.playouts));
        }
    }

    /// The mean of each action as a share of the way between the bounds.
    fn shares(&self, found: &Found) -> Vec<f64> {
        let seen = found.extremes.map(|(least, most)| (least as f64, most as f64));
        let (least, most) = self.bounds.or(seen).unwrap_or((0.0, 1.0));
        let width = if most > least { most - least } else { 1.0 };
        found.lines.iter().map(|line| if line.playouts > 0 { (line.mean() - least) / width } else { 0.0 }).collect()
    }

    /// The action with the highest value by UCB1, which counts what was chosen but not seen yet for exploration only; the
    /// first of equals.
    fn most_promising(&self, values: &[f64], counts: &[u64]) -> usize {
        let ln = ln(counts.iter().sum::<u64>().max(1) as f64);
        let value = |action: usize| match counts[action] {
            0 => f64::INFINITY,
            count => values[action] + self.flat.exploration * (ln / count as f64).sqrt(),
        };
        (0..counts.len()).reduce(|best, other| if value(other) > value(best) { other } else { best }).unwrap_or(0)
    }
}
