//! The four steps of a playout one by one, for benches only.
//!
//! In a search a step takes tens of nanoseconds, too few to time. Here one worker does the same step of many traversals
//! before it goes on to the next step, in a tree that an ordinary search has grown. No more traversals are under way at
//! a time than a tree of lines has room for ([`MOST_IN_FLIGHT`]); the others follow.

use std::time::Duration;

use super::shared::{Results, SharedSearch};
use super::traversal::Traversal;
use super::validate::MOST_IN_FLIGHT;
use super::worker::{GameRoot, Worker, new_worker};
use super::{Search, SearchError};
use crate::clock::now;
use crate::mcts::settings::Parallel;
use crate::run::guarded;
use crate::{Budget, Game, Settings, Turn};
use boughs_core::MAX_PLAYERS;

/// The time of each step, of all traversals together.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps {
    /// Selection: from the root to a leaf.
    pub select: Duration,
    /// Expansion: children for the leaf.
    pub expand: Duration,
    /// Simulation: a playout from there.
    pub play_out: Duration,
    /// Backpropagation: the rewards on the way back.
    pub backpropagate: Duration,
    /// All four, for one traversal after the other, as an ordinary worker does them.
    pub whole: Duration,
}

impl<G: Game> Search<G> {
    /// Does each step of this number of playouts in the tree there is, after a search has grown one.
    ///
    /// # Errors
    /// If the game panics, or is over, or there is no memory for a tree.
    #[doc(hidden)]
    pub fn time_steps(&mut self, playouts: usize) -> Result<Steps, SearchError> {
        self.core.join_all_workers();
        let players = guarded(|| Game::players(&self.position))?.min(MAX_PLAYERS);
        if self.core.state.layout_for(players) != self.core.state.layout {
            self.core.state.fit_layout(players)?;
        }
        let turn = guarded(|| Game::turn(&self.position))?;
        let (Turn::Player(first), true) = (turn, self.core.state.expand_roots(&self.position)?) else {
            return Err(SearchError::GamePanicked("no player is to move".to_string()));
        };
        // Traversals of a batch see each other's virtual loss everywhere, as they must when they are many.
        let batched = Settings { parallel: Parallel::Batched, ..self.core.state.settings.clone() };
        let never = Settings { expand_at: u32::MAX, ..batched.clone() };
        let share = |settings| {
            let results = Results { is_reported: true, record: None };
            self.core.state.share(&self.position, first, settings, Budget::unlimited(), results)
        };
        let searches = [share(self.core.state.settings.clone())?, share(batched)?, share(never)?];
        let game = GameRoot { position: &self.position, playout: &*self.playout, evaluator: None };
        let steps = guarded(|| time_steps(&searches, game, playouts));
        if steps.is_err() {
            // A panic leaves traversals in the tree that no worker takes back.
            self.core.reset();
        }
        Ok(steps?.unwrap_or_default())
    }
}

fn time_steps<G: Game>(searches: &[SharedSearch; 3], game: GameRoot<'_, G>, playouts: usize) -> Option<Steps> {
    let [ordinary, worker, never_expands] = searches.each_ref().map(|search| new_worker(search, game, 0));
    let (mut ordinary, mut worker, mut never_expands) = (ordinary?, worker?, never_expands?);
    let mut traversals: Vec<Traversal<G>> =
        (0..playouts.clamp(1, MOST_IN_FLIGHT as usize)).map(|_| Traversal::new(game)).collect();
    let (mut steps, mut left) = (Steps::default(), playouts);
    while left > 0 {
        let together = left.min(traversals.len());
        let traversals = &mut traversals[..together];
        steps.select += time(|| select(&mut *never_expands, traversals));
        steps.expand += time(|| expand(&mut *worker, traversals));
        steps.play_out += time(|| play_out(&mut *worker, traversals));
        steps.backpropagate += time(|| backpropagate(&mut *worker, traversals));
        left -= together;
    }
    steps.whole = time(|| whole(&mut *ordinary, &mut traversals[0], playouts));
    [ordinary, worker, never_expands].iter_mut().for_each(|worker| worker.leave());
    Some(steps)
}

fn time(step: impl FnOnce()) -> Duration {
    let started = now();
    step();
    started.elapsed()
}

// Not inlined, so that a profiler tells them apart.

#[inline(never)]
fn select<'s, G: Game>(worker: &mut dyn Worker<'s, G>, traversals: &mut [Traversal<G>]) {
    for traversal in traversals {
        worker.begin(traversal);
        worker.select(traversal, false);
    }
}

#[inline(never)]
fn expand<'s, G: Game>(worker: &mut dyn Worker<'s, G>, traversals: &mut [Traversal<G>]) {
    for traversal in traversals {
        worker.expand(traversal);
    }
}

#[inline(never)]
fn play_out<'s, G: Game>(worker: &mut dyn Worker<'s, G>, traversals: &mut [Traversal<G>]) {
    for traversal in traversals {
        worker.play_out(traversal);
    }
}

#[inline(never)]
fn backpropagate<'s, G: Game>(worker: &mut dyn Worker<'s, G>, traversals: &mut [Traversal<G>]) {
    for traversal in traversals {
        worker.backpropagate(traversal);
    }
}

#[inline(never)]
fn whole<'s, G: Game>(worker: &mut dyn Worker<'s, G>, traversal: &mut Traversal<G>, playouts: usize) {
    for _ in 0..playouts {
        worker.begin(traversal);
        worker.select(traversal, false);
        worker.play_out(traversal);
        worker.backpropagate(traversal);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::mcts::tree::LayoutKind;
    use crate::testing::{Corridor, Nim};

    #[test]
    fn every_step_is_made_and_leaves_the_tree_whole() {
        let mut search = Search::new(Nim::new(30), Settings::default()).unwrap();
        search.run(Budget::iterations(1_000).early_stop(false)).unwrap();
        let steps = search.time_steps(100).unwrap();
        let Steps { select, expand, play_out, backpropagate, whole } = steps;
        assert!([select, expand, play_out, backpropagate, whole].iter().all(|step| !step.is_zero()), "{steps:?}");
        let root = search.dump(0)[0][0].visits;
        assert_eq!(root, 1_200, "all playouts are back, those one by one and those in steps");
    }

    #[test]
    fn a_game_that_is_over_has_no_steps() {
        assert!(Search::new(Nim::new(0), Settings::default()).unwrap().time_steps(1).is_err());
    }

    #[test]
    fn more_traversals_than_narrow_counters_have_room_for_lose_nothing() {
        // With room for wide lines, and without: then the narrow counters have many visits before. With loss=0 all
        // traversals under way take the same path.
        for (memory, grown) in [(1 << 20, 1_000), (65_536, 15_000)] {
            let settings = Settings { memory, .."mcts:loss=0,threads=1".parse().unwrap() };
            let mut search = Search::new(Corridor::<2>(200), settings).unwrap();
            search.run(Budget::iterations(grown).early_stop(false)).unwrap();
            let before = search.dump(usize::MAX).remove(0);
            search.time_steps(40_000).unwrap();
            assert_eq!(search.core.state.layout, LayoutKind::Narrow);
            let after = search.dump(usize::MAX).remove(0);
            let all = grown as u32 + 80_000;
            assert_eq!([after[0].visits, after[1].visits], [all; 2], "no playout ends at the root, memory={memory}");
            for node in after.iter().skip(1) {
                let (plies, sum) = (node.path.len(), 2 * i64::from(node.visits));
                assert_eq!(node.sum, sum, "rewards of visits after {plies} plies, memory={memory}");
            }
            let visits: BTreeMap<_, _> = after.iter().map(|node| (&node.path, node.visits)).collect();
            for node in &before {
                let (visits, plies) = (visits[&node.path], node.path.len());
                assert!(
                    visits >= node.visits,
                    "{visits} of {} visits after {plies} plies, memory={memory}",
                    node.visits
                );
            }
        }
    }

    #[test]
    fn the_tree_fits_the_players_before_any_search_too() {
        let mut search = Search::new(Corridor::<3>(9), "mcts:solver=on".parse().unwrap()).unwrap();
        assert_eq!(search.core.state.layout, LayoutKind::Narrow, "the layout for the usual number of players");
        search.time_steps(100).unwrap();
        assert_eq!(
            search.core.state.layout,
            LayoutKind::Informed,
            "lines have no room for the outcome of three players"
        );
    }
}
