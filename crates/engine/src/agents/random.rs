//! Plays at random: the floor that every agent should be far above.

use super::task::Task;
use super::thinker::Method;
use crate::Game;
use crate::playout::PlayoutKind;
use crate::settings::MAX_THREADS;
use crate::spec::{Key, Spec, number};

/// Any legal action, each as likely as the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Random {
    /// As for other agents, though one draw keeps no more than one thread busy.
    pub threads: usize,
    /// The seed of all randomness; not part of the text.
    pub seed: u64,
}

impl Default for Random {
    fn default() -> Random {
        Random { threads: 1, seed: 0 }
    }
}

impl Spec for Random {
    const NAME: &'static str = "random";
    const SUMMARY: &'static str = "plays at random, each action as likely as the other";
    const KEYS: &'static [Key<Random>] = &[Key {
        name: "threads",
        help: "as for other agents; one draw keeps no more than one thread busy",
        values: "a whole number from 0 to 1024",
        get: |set| set.threads.to_string(),
        set: |set, text| number(text, 0..=MAX_THREADS).map(|threads| set.threads = threads),
    }];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl Method for Random {
    fn playout(&self) -> PlayoutKind {
        PlayoutKind::Light
    }

    fn think<G: Game>(&self, task: &Task<G>) {
        let drawn = task.rng(0).below(task.actions.len() as u32) as usize;
        task.progress.found(|found| (found.guess, found.depth) = (Some(drawn), 1));
    }
}
