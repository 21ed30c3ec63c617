//! Determinisation, also called perfect-information Monte Carlo: several worlds that may be the true one are searched as if
//! everybody saw everything, and their playouts added up.
//!
//! It is the classic of trick-taking card games (Ginsberg 2001) and has two known faults: it plans as if it knew later what
//! it cannot know, and as if others knew what they cannot know, so it never bluffs or asks (Frank and Basin 1998). The trees
//! of [`Settings`] for hidden information do not have them; this is what they are compared with.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::found::Progress;
use super::task::{Hands, Task, units};
use super::thinker::Method;
use crate::clock::now;
use crate::memory::{default_memory, parse_size, write_size};
use crate::numbers::Tables;
use crate::playout::PlayoutKind;
use crate::search::{Search, SearchError};
use crate::settings::{MAX_THREADS, Settings};
use crate::spec::{Key, Spec, name_of, named, number};
use crate::{Action, Budget, Game, Information};

/// Everything that can be set about determinisation.
#[derive(Clone, Debug, PartialEq)]
pub struct Worlds {
    /// How many worlds are drawn.
    pub worlds: u32,
    /// The exploration constant C of UCB1 in each of them.
    pub exploration: f64,
    /// How games are played out.
    pub playout: PlayoutKind,
    /// How many threads search, each in another world; 0 for as many as there are cores. The result of an iteration budget
    /// does not depend on it.
    pub threads: usize,
    /// The most bytes all trees together may take.
    pub memory: usize,
    /// The seed of all randomness; not part of the text.
    pub seed: u64,
}

impl Default for Worlds {
    fn default() -> Worlds {
        Worlds {
            worlds: 32,
            exploration: 1.0,
            playout: PlayoutKind::Light,
            threads: 1,
            memory: default_memory(),
            seed: 0,
        }
    }
}

impl Spec for Worlds {
    const NAME: &'static str = "worlds";
    const SUMMARY: &'static str =
        "determinisation: worlds that may be the true one, each searched as if all were known";
    const KEYS: &'static [Key<Worlds>] = &[
        Key {
            name: "worlds",
            help: "worlds that are drawn",
            values: "a whole number from 1 to 10000",
            get: |set| set.worlds.to_string(),
            set: |set, text| number(text, 1..=10_000).map(|worlds| set.worlds = worlds),
        },
        Key {
            name: "c",
            help: "exploration constant C",
            values: "a number from 0 to 1000",
            get: |set| set.exploration.to_string(),
            set: |set, text| number(text, 0.0..=1000.0).map(|c| set.exploration = c),
        },
        Key {
            name: "playout",
            help: "how a game is played out from a leaf",
            values: "light or decisive",
            get: |set| name_of(set.playout, &PlayoutKind::ALL),
            set: |set, text| named(text, &PlayoutKind::ALL).map(|playout| set.playout = playout),
        },
        Key {
            name: "threads",
            help: "threads that search, each in another world, 0 for all cores",
            values: "a whole number from 0 to 1024",
            get: |set| set.threads.to_string(),
            set: |set, text| number(text, 0..=MAX_THREADS).map(|threads| set.threads = threads),
        },
        Key {
            name: "memory",
            help: "most memory for all trees together",
            values: "a size such as 64M or 1.5G",
            get: |set| write_size(set.memory),
            set: |set, text| parse_size(text).ok().map(|bytes| set.memory = bytes),
        },
    ];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

/// Playouts of a world before it is the turn of the next, at first; each time round twice as many, up to the most.
const FIRST_SLICE: u64 = 64;
const MOST_SLICE: u64 = 1024;

/// Under a deadline a world is left after this long, so that what it has found is known in time.
const LONGEST_SLICE: Duration = Duration::from_millis(2);

/// A world that may be the true one.
struct World<G: Game> {
    search: Search<G>,
    /// Playouts it may still have.
    left: u64,
    /// What was told of it: playouts and their mean by action, and bytes.
    told: Vec<(u64, i64)>,
    told_bytes: usize,
}

impl Method for Worlds {
    fn playout(&self) -> PlayoutKind {
        self.playout
    }

    fn fit<G: Game>(&self) -> Result<(), SearchError> {
        match G::INFORMATION {
            Information::Hidden | Information::Simultaneous => Ok(()),
            Information::Perfect => Err(SearchError::Misfit {
                reason: "worlds are for hidden information or simultaneous choices, and here is neither".to_string(),
                instead: "mcts".to_string(),
            }),
        }
    }

    fn think<G: Game>(&self, task: &Task<G>) {
        // Such games never get here, and nothing is compiled for them.
        if const { matches!(G::INFORMATION, Information::Perfect) } {
            return;
        }
        let tables = Arc::new(Tables::new());
        // Drawn as their turn comes, so that the first is searched at once.
        let worlds: Vec<Mutex<Option<World<G>>>> = (0..self.worlds).map(|_| Mutex::new(None)).collect();
        let mut slice = FIRST_SLICE;
        loop {
            let time = slice_time(&task.progress, worlds.len().div_ceil(task.threads));
            task.map(worlds.len(), None, &|hands, number| {
                let mut world = worlds[number].lock();
                if slice == FIRST_SLICE {
                    *world = self.draw(task, hands, number, &tables);
                }
                if let Some(world) = &mut *world {
                    world.search(self, task, slice, time);
                }
            });
            let is_left = |world: &Mutex<Option<World<G>>>| world.lock().as_ref().is_some_and(|world| world.left > 0);
            if task.progress.is_done() || !worlds.iter().any(is_left) {
                return;
            }
            slice = (slice * 2).min(MOST_SLICE);
        }
    }
}

/// How long a thread may stay in a world, of so many that wait for it: under a deadline it should get round twice.
fn slice_time(progress: &Progress, worlds: usize) -> Option<Duration> {
    let left = progress.course.deadline()?.saturating_duration_since(now());
    Some((left / (2 * worlds.max(1)) as u32).min(LONGEST_SLICE))
}

impl Worlds {
    /// One world with its part of the budget, if the player is ever to act in it.
    fn draw<G: Game>(
        &self,
        task: &Task<G>,
        hands: &mut Hands<G>,
        number: usize,
        tables: &Arc<Tables>,
    ) -> Option<World<G>> {
        hands.rng = task.rng(number as u64);
        if task.imagine(hands).is_some() {
            return None;
        }
        let settings = Settings {
            exploration: self.exploration,
            memory: self.memory / self.worlds as usize,
            // Many small trees are searched a little at a time.
            mirrors: false,
            seed: hands.rng.bits(),
            ..Settings::default()
        };
        let part = |of: usize| (u128::from(task.progress.most()) * of as u128 / u128::from(self.worlds)) as u64;
        match Search::of_world(hands.position.clone(), settings, task.playout.clone(), tables.clone()) {
            Ok(search) => Some(World {
                search,
                left: part(number + 1) - part(number),
                told: vec![(0, 0); task.actions.len()],
                told_bytes: 0,
            }),
            Err(error) => {
                task.progress.fail(self.of_all(error));
                None
            }
        }
    }

    /// The bound that is too small is the one for all worlds.
    fn of_all(&self, error: SearchError) -> SearchError {
        match error {
            SearchError::Memory { .. } => SearchError::Memory { bytes: self.memory },
            other => other,
        }
    }
}

impl<G: Game> World<G> {
    /// Makes some playouts and tells what they came to.
    fn search(&mut self, set: &Worlds, task: &Task<G>, slice: u64, time: Option<Duration>) {
        let course = &task.progress.course;
        let mut budget = Budget::iterations(slice.min(self.left)).early_stop(false);
        budget = budget.or_stopped_by(course.budget().stop.clone());
        if let (Some(deadline), Some(time)) = (course.deadline(), time) {
            budget = budget.or_until(deadline).or_time(time);
        }
        let report = match self.search.run(budget) {
            Ok(report) => report,
            Err(error) => return task.progress.fail(set.of_all(error)),
        };
        self.left -= report.iterations;
        report.warnings.iter().for_each(|warning| course.warn(warning));
        let bytes = std::mem::replace(&mut self.told_bytes, report.bytes);
        let news = self.news(task);
        task.progress.found(|found| {
            found.iterations += report.iterations;
            found.depth = found.depth.max(report.depth);
            found.bytes += report.bytes - bytes;
            for News { action, playouts, mean, is_first } in news {
                let line = &mut found.lines[action];
                line.playouts += playouts;
                line.sum += i128::from(mean);
                line.summed += u64::from(is_first);
                line.rank = line.playouts;
            }
        });
    }

    /// What nobody was told of yet.
    fn news(&mut self, task: &Task<G>) -> Vec<News> {
        let mut news = Vec::new();
        for (code, playouts, reward) in self.search.tallies() {
            let Some(action) = task.actions.iter().position(|action| action.code() == code) else { continue };
            let mean = if playouts == 0 { 0 } else { (reward / playouts as f64 * units::<G>()) as i64 };
            let (playouts_before, mean_before) = std::mem::replace(&mut self.told[action], (playouts, mean));
            if playouts > playouts_before {
                news.push(News {
                    action,
                    playouts: playouts - playouts_before,
                    mean: mean - mean_before,
                    is_first: playouts_before == 0,
                });
            }
        }
        news
    }
}

/// What a world has found out about an action since it last told.
///
/// Each world is as likely as the other, so an action is worth the mean of its worlds. The mean of all playouts would be another
/// one: a world in which an action is good makes more playouts of it.
struct News {
    /// The place of the action among the legal ones.
    action: usize,
    playouts: u64,
    /// By how much the mean in this world is larger than when it was told last, in units.
    mean: i64,
    /// It is told of for the first time.
    is_first: bool,
}
