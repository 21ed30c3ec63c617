//! Learning in rounds: many threads play games with frozen weights, and then the weights learn from the games in the
//! order of their numbers.
//!
//! Game number n draws from stream n, and weights change only between rounds. So the weights after a number of games
//! are the same at any number of threads, and also if learning was interrupted after a round and resumed.

use std::ops::Range;

use super::self_play::{Played, play};
use super::{Features, TurnSearch};
use boughs::run::{Pool, threads};
use boughs::{MAX_THREADS, Rng, SearchError, StopFlag};

/// The settings of a learner.
#[derive(Clone, Debug, PartialEq)]
pub struct Learning {
    /// The number of games.
    pub games: u64,
    /// The number of games in a round.
    pub round: u64,
    /// The learning rate at first.
    pub rate: f64,
    /// The number of games after which the learning rate is half as high; after twice as many it is a third, and so
    /// on.
    pub slowing: f64,
    /// The lambda of TD(lambda): the weight of later turns in the target of earlier ones.
    pub lambda: f64,
    /// The share of turns that are played at random.
    pub explore: f64,
    /// The most positions of a turn that are examined, those included where it ends. Where that is not enough, random
    /// chains of actions estimate the rest.
    pub positions: usize,
    /// The number of threads, 0 for as many as there are cores. The result does not depend on it.
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
    /// Brings nonsense into range.
    fn keep_in_range(&mut self) {
        // A value that is no number becomes the lowest.
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

/// The results of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Round {
    /// The number of games played.
    pub games: u64,
    /// The sum of the rewards of player 0.
    pub won: f64,
    /// The number of turns of both players, in all games.
    pub turns: u64,
    /// The number of lessons in all games.
    pub lessons: u64,
    /// The sum over lessons of the squared difference between the value of a position and its target.
    pub error: f64,
}

/// The number of games that a thread plays at a time. They share the memory of its searches.
const AT_ONCE: usize = 4;

/// A learner: the weights and the threads that play.
pub struct Learner {
    set: Learning,
    weights: Vec<f64>,
    games: u64,
    pool: Pool,
}

impl Learner {
    /// Creates a learner with `features` weights, all 0.
    ///
    /// # Errors
    /// If the threads cannot be had.
    pub fn new(set: Learning, features: usize) -> Result<Learner, SearchError> {
        Learner::resume(set, vec![0.0; features], 0)
    }

    /// Creates a learner that goes on with the weights after a number of games.
    ///
    /// # Errors
    /// If the threads cannot be had.
    pub fn resume(mut set: Learning, weights: Vec<f64>, games: u64) -> Result<Learner, SearchError> {
        set.keep_in_range();
        let pool = Pool::new(threads(set.threads))?;
        Ok(Learner { set, weights, games, pool })
    }

    /// The number of games played so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The weights so far, in the order of the features.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Plays a round and learns from it. `None`, and nothing is learned, if all games were played or the flag is
    /// raised. `start` gives the start of the game of a number.
    pub fn play_round<G: Features>(&mut self, start: &(impl Fn(u64) -> G + Sync), stop: &StopFlag) -> Option<Round> {
        let games = self.next_games();
        if games.is_empty() { None } else { self.play(games, start, stop).map(|played| self.learn(&played)) }
    }

    /// The numbers of the games of the next round; none if all games were played.
    pub fn next_games(&self) -> Range<u64> {
        self.games..self.games + self.set.round.min(self.set.games.saturating_sub(self.games))
    }

    /// Plays the games with these numbers and learns nothing yet. `None` if the flag is raised.
    pub fn play<G: Features>(
        &mut self,
        games: Range<u64>,
        start: &(impl Fn(u64) -> G + Sync),
        stop: &StopFlag,
    ) -> Option<Vec<Played>> {
        let (set, weights, first) = (&self.set, &self.weights, games.start);
        let mut played: Vec<Option<Played>> = games.map(|_| None).collect();
        let mut pieces: Vec<&mut [Option<Played>]> = played.chunks_mut(AT_ONCE).collect();
        self.pool.for_each(&mut pieces, &|piece, played| {
            let mut search = TurnSearch::new(set.positions);
            for (place, played) in played.iter_mut().enumerate().take_while(|_| !stop.is_raised()) {
                let game = first + (piece * AT_ONCE + place) as u64;
                *played = Some(play(start(game), set, weights, &mut search, Rng::new(set.seed, game)));
            }
        });
        played.into_iter().collect()
    }

    /// Learns from the games of a round, which are in the order of their numbers.
    pub fn learn(&mut self, played: &[Played]) -> Round {
        let mut round = Round { games: played.len() as u64, ..Round::default() };
        for game in played {
            let rate = self.set.rate / (1.0 + self.games as f64 / self.set.slowing);
            game.teach(&mut self.weights, rate, self.set.lambda);
            self.games += 1;
            round.won += game.reward;
            round.turns += u64::from(game.turns);
            round.lessons += game.lessons();
            round.error += game.error;
        }
        self.weights.iter_mut().for_each(|weight| *weight = rounded(*weight));
        round
    }
}

/// Rounds to nine decimals, so that a weight that is written and read again stays the same.
fn rounded(weight: f64) -> f64 {
    (weight * 1e9).round() / 1e9
}
