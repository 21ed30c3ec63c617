//! Learning in rounds: games with frozen weights, by many threads, then what they teach, in the order of their numbers.
//!
//! Game number n draws from stream n, and weights change only between rounds. So the weights after some number of games are the same
//! at any number of threads, and when learning was broken off after a round and taken up again.

use rayon::prelude::*;

use super::self_play::{Played, play};
use super::{Features, TurnSearch};
use crate::search::SearchError;
use crate::settings::MAX_THREADS;
use crate::{Rng, StopFlag, cores};

/// Everything that can be set about learning.
#[derive(Clone, Debug, PartialEq)]
pub struct Learning {
    /// How many games are played.
    pub games: u64,
    /// Games of a round.
    pub round: u64,
    /// How far each lesson moves the weights at first.
    pub rate: f64,
    /// After so many games lessons move them half as far, after twice as many a third, and so on.
    pub slowing: f64,
    /// How much of what comes of later turns counts for earlier ones: the lambda of TD(lambda).
    pub lambda: f64,
    /// The share of turns that are played at random.
    pub explore: f64,
    /// The most positions of a turn that are looked at, those included where it ends; where that is not enough, random chains of
    /// actions say the rest.
    pub positions: usize,
    /// How many threads play; 0 for as many as there are cores. What is learned does not depend on it.
    pub threads: usize,
    /// The seed of all randomness.
    pub seed: u64,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning {
            games: 20_000,
            round: 100,
            rate: 0.02,
            slowing: 1_000.0,
            lambda: 0.8,
            explore: 0.3,
            positions: 5_000,
            threads: 1,
            seed: 0,
        }
    }
}

impl Learning {
    /// Brings what makes no sense into range.
    fn keep_in_range(&mut self) {
        // What is no number is the least.
        let within = |value: f64, least: f64, most: f64| if value > least { value.min(most) } else { least };
        self.rate = within(self.rate, 0.0, 1.0);
        self.slowing = within(self.slowing, 1.0, 1e9);
        self.lambda = within(self.lambda, 0.0, 1.0);
        self.explore = within(self.explore, 0.0, 1.0);
        self.round = self.round.max(1);
        self.positions = self.positions.max(1);
        self.threads = self.threads.min(MAX_THREADS);
    }
}

/// What a round came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Round {
    /// Games played.
    pub games: u64,
    /// The sum of what player 0 got.
    pub won: f64,
    /// Turns of both players, in all games.
    pub turns: u64,
    /// Lessons in all games.
    pub lessons: u64,
    /// The sum over lessons of the squared difference between the value of a position and what was found.
    pub error: f64,
}

/// Games that a thread plays before it looks for others, which keep the memory of its searches.
const AT_ONCE: usize = 4;

/// Weights on their way.
pub struct Learner {
    set: Learning,
    weights: Vec<f64>,
    games: u64,
    pool: rayon::ThreadPool,
}

impl Learner {
    /// Of a game with so many features, whose weights all are 0.
    ///
    /// # Errors
    /// If the threads cannot be had.
    pub fn new(set: Learning, features: usize) -> Result<Learner, SearchError> {
        Learner::resume(set, vec![0.0; features], 0)
    }

    /// Goes on with the weights after so many games.
    ///
    /// # Errors
    /// If the threads cannot be had.
    pub fn resume(mut set: Learning, weights: Vec<f64>, games: u64) -> Result<Learner, SearchError> {
        set.keep_in_range();
        let threads = if set.threads == 0 { cores() } else { set.threads };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Learner { set, weights, games, pool: pool.map_err(|error| SearchError::Threads(error.to_string()))? })
    }

    /// Games played so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The weights by now, in the order of the features.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Plays a round and learns from it; `None` if all games were played or the flag was raised, and nothing was learned.
    /// `start` is the beginning of the game of a number.
    pub fn play_round<G: Features>(&mut self, start: &(impl Fn(u64) -> G + Sync), stop: &StopFlag) -> Option<Round> {
        let count = self.set.round.min(self.set.games.saturating_sub(self.games));
        if count == 0 {
            return None;
        }
        let (set, weights, games) = (&self.set, &self.weights, self.games);
        let search = || TurnSearch::new(set.positions);
        let one = |search: &mut TurnSearch<G>, place: usize| {
            let game = games + place as u64;
            (!stop.is_raised()).then(|| play(start(game), set, weights, search, Rng::new(set.seed, game)))
        };
        let played: Option<Vec<Played>> = self
            .pool
            .install(|| (0..count as usize).into_par_iter().with_max_len(AT_ONCE).map_init(search, one).collect());
        let mut round = Round { games: count, ..Round::default() };
        for game in &played? {
            let rate = self.set.rate / (1.0 + self.games as f64 / self.set.slowing);
            game.teach(&mut self.weights, rate, self.set.lambda);
            self.games += 1;
            round.won += game.reward;
            round.turns += u64::from(game.turns);
            round.lessons += game.lessons.len() as u64;
            round.error += game.error;
        }
        self.weights.iter_mut().for_each(|weight| *weight = rounded(*weight));
        Some(round)
    }
}

/// With nine decimals, so that it is the same when it is written and read again.
fn rounded(weight: f64) -> f64 {
    (weight * 1e9).round() / 1e9
}
