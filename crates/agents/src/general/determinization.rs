//! Determinization, also called perfect-information Monte Carlo (PIMC): several positions that the player cannot tell
//! from the true one ("worlds") are drawn and searched as if every player saw everything, and their results are added
//! up.
//!
//! It is the classic of trick-taking card games (Ginsberg 2001) and has two known faults. It plans as if the
//! searching player will know later what stays hidden (strategy fusion), and as if other players know what they
//! cannot know, so it never bluffs or asks (Frank and Basin 1998). The ISMCTS trees of [`Settings`] do not have these
//! faults; this agent is here for comparison.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use boughs::inspect::Tables;
use boughs::memory::default_memory;
use boughs::spec::{Key, Spec};
use boughs::{Agent, Budget, GameFacts, Information, PlayoutKind, SearchError, Session, Settings, TreeSearch};

use crate::entry::{Build, WITHOUT_A_TREE};
use crate::search::{self, LineSearch, PlayoutScratch, SharedResult, SharedSearch, lock, units};

/// The options of determinization.
#[derive(Clone, Debug, PartialEq)]
pub struct Determinization {
    /// The number of worlds.
    pub worlds: u32,
    /// The exploration constant C of UCB1 in each of them.
    pub exploration: f64,
    /// The kind of playouts.
    pub playout: PlayoutKind,
    /// The number of threads that search, each in another world; 0 for as many as there are cores. The result of an
    /// iteration budget does not depend on it.
    pub threads: usize,
    /// The memory bound of all trees together, in bytes.
    pub memory: usize,
    /// The seed of all randomness. It is not part of the text.
    pub seed: u64,
}

impl Default for Determinization {
    fn default() -> Determinization {
        Determinization {
            worlds: 32,
            exploration: 1.0,
            playout: PlayoutKind::Light,
            threads: 1,
            memory: default_memory(),
            seed: 0,
        }
    }
}

impl Spec for Determinization {
    const NAME: &'static str = "determinization";
    const ALIASES: &'static [&'static str] = &["worlds"];
    const SUMMARY: &'static str =
        "determinization (PIMC): searches positions the player cannot tell apart; not with perfect information";
    fn keys() -> Vec<Key<Determinization>> {
        vec![
            Key::number("worlds", "worlds that are drawn", 1..=10_000, |set| &mut set.worlds),
            Key::exploration("exploration constant C", |set| &mut set.exploration),
            Key::playout("how a game is played out from a leaf", |set| &mut set.playout),
            Key::threads(|set: &mut Determinization| &mut set.threads)
                .help("threads that search, each in another world, 0 for all cores"),
            Key::memory("most memory for all trees together", |set| &mut set.memory),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

/// The playouts of a world in the first round. Each round has twice as many, up to the most.
const FIRST_SLICE: u64 = 64;
const MOST_SLICE: u64 = 1024;

/// The memory of a world beside its tree.
const A_WORLD: usize = 16 << 10;

/// The longest stay in a world under a deadline, so that its results are merged in time.
const LONGEST_SLICE: Duration = Duration::from_millis(2);

/// A position that the player cannot tell from the true one, with its search.
struct World {
    tree: Box<dyn TreeSearch>,
    /// The playouts that are left for this world.
    left: u64,
    /// The results that were merged: for each action its playouts and their mean in units, and the bytes of the tree.
    merged: Vec<(u64, i64)>,
    merged_bytes: usize,
}

impl Build for Determinization {
    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        search::start(self, position)
    }

    fn memory(&self, _: &dyn Session) -> usize {
        self.memory.saturating_add(WITHOUT_A_TREE + self.worlds as usize * A_WORLD)
    }
}

impl LineSearch for Determinization {
    fn playout(&self) -> PlayoutKind {
        self.playout
    }

    fn validate(&self, facts: &GameFacts) -> Result<(), SearchError> {
        match facts.information {
            Information::Hidden | Information::Simultaneous => Ok(()),
            Information::Perfect => Err(SearchError::Unsupported {
                reason: "determinization is for hidden information or simultaneous choices, and this game has neither"
                    .to_string(),
                instead: "mcts".to_string(),
            }),
        }
    }

    fn search(&self, search: &SharedSearch) {
        let tables = Arc::new(Tables::new());
        // Worlds are drawn when their turn comes, so the first one is searched at once.
        let worlds: Vec<Mutex<Option<World>>> = (0..self.worlds).map(|_| Mutex::new(None)).collect();
        let mut slice = FIRST_SLICE;
        loop {
            let time = slice_time(&search.result, worlds.len().div_ceil(search.pool.threads()));
            search.map(worlds.len(), None, &|scratch, number| {
                let mut world = lock(&worlds[number]);
                if slice == FIRST_SLICE {
                    *world = self.draw(search, scratch, number, &tables);
                }
                if let Some(world) = &mut *world {
                    world.search(self, search, slice, time);
                }
            });
            let is_left = |world: &Mutex<Option<World>>| lock(world).as_ref().is_some_and(|world| world.left > 0);
            if search.result.is_done() || !worlds.iter().any(is_left) {
                return;
            }
            slice = (slice * 2).min(MOST_SLICE);
        }
    }
}

/// The longest stay of a thread in a world, where each thread has this many worlds. Under a deadline alone every world
/// gets two visits.
fn slice_time(result: &SharedResult, worlds: usize) -> Option<Duration> {
    let left = result.pacing_deadline()?.saturating_duration_since(Instant::now());
    Some((left / (2 * worlds.max(1)) as u32).min(LONGEST_SLICE))
}

impl Determinization {
    /// Draws one world and gives it its part of the budget. `None` if the player never acts in it.
    fn draw(
        &self,
        search: &SharedSearch,
        scratch: &mut PlayoutScratch,
        number: usize,
        tables: &Arc<Tables>,
    ) -> Option<World> {
        scratch.rng = search.rng(number as u64);
        if search.determinize(scratch).is_some() {
            return None;
        }
        let settings = Settings {
            exploration: self.exploration,
            playout: self.playout,
            memory: self.memory / self.worlds as usize,
            // Trees that are searched a little at a time are too small for bulks.
            bulk: 1,
            seed: scratch.rng.bits(),
            ..Settings::default()
        };
        let part = |of: usize| (u128::from(search.result.most()) * of as u128 / u128::from(self.worlds)) as u64;
        match scratch.position.determinized_search(settings, tables.clone()) {
            Ok(tree) => Some(World {
                tree,
                left: part(number + 1) - part(number),
                merged: vec![(0, 0); search.actions.len()],
                merged_bytes: 0,
            }),
            Err(error) => {
                search.result.fail(self.of_all(error));
                None
            }
        }
    }

    /// Replaces the memory bound of one world by the bound of all.
    fn of_all(&self, error: SearchError) -> SearchError {
        match error {
            SearchError::Memory { .. } => SearchError::Memory { bytes: self.memory },
            other => other,
        }
    }
}

impl World {
    /// Makes some playouts and merges their results.
    fn search(&mut self, set: &Determinization, search: &SharedSearch, slice: u64, time: Option<Duration>) {
        let status = &search.result.status;
        let mut budget = Budget::iterations(slice.min(self.left)).early_stop(false);
        budget = budget.or_stopped_by(status.budget().stop_flag());
        if let Some(deadline) = status.deadline() {
            budget = budget.or_until(deadline);
        }
        if let Some(time) = time {
            budget = budget.or_time(time);
        }
        let report = match self.tree.search(budget, &mut |_| ()) {
            Ok(report) => report,
            Err(error) => return search.result.fail(set.of_all(error)),
        };
        self.left -= report.iterations;
        report.warnings.iter().for_each(|warning| status.warn(warning));
        let bytes = std::mem::replace(&mut self.merged_bytes, report.bytes);
        let delta = self.delta(search);
        search.result.stats(|stats| {
            stats.iterations += report.iterations;
            stats.depth = stats.depth.max(report.depth);
            stats.bytes += report.bytes - bytes;
            for Delta { action, playouts, mean, is_new } in delta {
                let line = &mut stats.lines[action];
                line.playouts += playouts;
                line.sum += i128::from(mean);
                line.summed += u64::from(is_new);
                line.rank = line.playouts;
            }
        });
    }

    /// The results since the last merge.
    fn delta(&mut self, search: &SharedSearch) -> Vec<Delta> {
        let mut delta = Vec::new();
        for (code, playouts, reward) in self.tree.root_children() {
            let Some(action) = search.actions.iter().position(|&action| action == code) else { continue };
            let mean = if playouts == 0 { 0 } else { (reward / playouts as f64 * units(&search.facts)) as i64 };
            let (playouts_before, mean_before) = std::mem::replace(&mut self.merged[action], (playouts, mean));
            if playouts > playouts_before {
                delta.push(Delta {
                    action,
                    playouts: playouts - playouts_before,
                    mean: mean - mean_before,
                    is_new: playouts_before == 0,
                });
            }
        }
        delta
    }
}

/// The results of an action in one world since the last merge.
///
/// Every world is equally likely, so an action is worth the mean over its worlds. The mean over all playouts would
/// differ: a world in which an action is good makes more playouts of it.
struct Delta {
    /// The index of the action among the legal ones.
    action: usize,
    playouts: u64,
    /// The change of the mean in this world since the last merge, in units.
    mean: i64,
    /// True if nothing was merged for this action and world before.
    is_new: bool,
}
