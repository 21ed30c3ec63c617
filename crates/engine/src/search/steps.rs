//! The four steps of a playout one by one, for benches and for nothing else.
//!
//! In a search a step takes tens of nanoseconds, too few to time. Here one worker does the same step of many descents before
//! it goes on to the next step, in a tree that an ordinary search has grown.

use std::time::Duration;

use super::descent::Descent;
use super::fitting::with_counters_of;
use super::job::Job;
use super::worker::Worker;
use super::{Search, SearchError, guarded};
use crate::clock::now;
use crate::settings::Parallel;
use crate::tree::counters::Counters;
use crate::{Budget, Game, Settings, Turn};

/// How long each step took, of all descents together.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// From the root to a leaf.
    pub select: Duration,
    /// Children for the leaf.
    pub expand: Duration,
    /// A playout from there.
    pub play_out: Duration,
    /// The rewards on the way back.
    pub back_up: Duration,
    /// All four, for one descent after the other, as an ordinary worker does them.
    pub whole: Duration,
}

impl<G: Game> Search<G> {
    #[doc(hidden)]
    /// Does each step of so many playouts in the tree there is, after a search has grown one.
    ///
    /// # Errors
    /// If the game panics, or is over.
    pub fn time_steps(&mut self, playouts: usize) -> Result<Steps, SearchError> {
        self.settle();
        let (Turn::Player(first), true) = (guarded(|| self.position.turn())?, self.expand_roots()?) else {
            return Err(SearchError::GamePanicked("nobody is to move".to_string()));
        };
        // Descents of a batch see each other's virtual loss everywhere, as they must when they are many.
        let batched = Settings { parallel: Parallel::Batched, ..self.settings.clone() };
        let never = Settings { expand_at: u32::MAX, ..batched.clone() };
        let jobs = [self.settings.clone(), batched, never];
        let jobs = jobs.map(|settings| self.job_for(Budget::unlimited(), None, first, settings));
        let steps = guarded(
            || with_counters_of!(G, jobs[0].trees[0].layout(), C => run::<G, C>(&jobs, playouts), else Steps::default()),
        );
        if steps.is_err() {
            // A panic leaves descents in the tree that nobody takes back.
            self.reset(self.position.clone());
        }
        steps
    }
}

fn run<G: Game, C: Counters>(jobs: &[Job<G>; 3], playouts: usize) -> Steps {
    let [mut ordinary, mut worker, mut never_expands] = jobs.each_ref().map(|job| Worker::<G, C>::new(job, 0));
    let mut descents: Vec<Descent<G>> = (0..playouts.max(1)).map(|_| Descent::new(&jobs[0])).collect();
    let steps = Steps {
        select: time(|| select(&mut never_expands, &mut descents)),
        expand: time(|| expand(&mut worker, &mut descents)),
        play_out: time(|| play_out(&mut worker, &mut descents)),
        back_up: time(|| back_up(&mut worker, &mut descents)),
        whole: time(|| whole(&mut ordinary, &mut descents[0], playouts)),
    };
    for worker in [ordinary, worker, never_expands] {
        worker.leave();
    }
    steps
}

fn time(step: impl FnOnce()) -> Duration {
    let started = now();
    step();
    started.elapsed()
}

// Not inlined, so that a profiler tells them apart.

#[inline(never)]
fn select<G: Game, C: Counters>(worker: &mut Worker<'_, G, C>, descents: &mut [Descent<G>]) {
    for descent in descents {
        worker.begin(descent);
        worker.descend(descent, false);
    }
}

#[inline(never)]
fn expand<G: Game, C: Counters>(worker: &mut Worker<'_, G, C>, descents: &mut [Descent<G>]) {
    for descent in descents {
        worker.expand(descent);
    }
}

#[inline(never)]
fn play_out<G: Game, C: Counters>(worker: &mut Worker<'_, G, C>, descents: &mut [Descent<G>]) {
    for descent in descents {
        worker.play_out(descent);
    }
}

#[inline(never)]
fn back_up<G: Game, C: Counters>(worker: &mut Worker<'_, G, C>, descents: &mut [Descent<G>]) {
    for descent in descents {
        worker.back_up(descent);
    }
}

#[inline(never)]
fn whole<G: Game, C: Counters>(worker: &mut Worker<'_, G, C>, descent: &mut Descent<G>, playouts: usize) {
    for _ in 0..playouts {
        worker.begin(descent);
        worker.descend(descent, false);
        worker.play_out(descent);
        worker.back_up(descent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Nim;

    #[test]
    fn every_step_is_made_and_leaves_the_tree_whole() {
        let mut search = Search::new(Nim::new(30), Settings::default()).unwrap();
        search.run(Budget::iterations(1_000).early_stop(false)).unwrap();
        let steps = search.time_steps(100).unwrap();
        let Steps { select, expand, play_out, back_up, whole } = steps;
        assert!([select, expand, play_out, back_up, whole].iter().all(|step| !step.is_zero()), "{steps:?}");
        let root = search.dump(0)[0][0].visits;
        assert_eq!(root, 1_200, "all playouts are back, those one by one and those in steps");
    }

    #[test]
    fn a_game_that_is_over_has_no_steps() {
        assert!(Search::new(Nim::new(0), Settings::default()).unwrap().time_steps(1).is_err());
    }
}
