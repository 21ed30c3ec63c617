//! Learning to value positions, from the first game to the last: a state that is written and read, the list of games that can be
//! learned, and what was learned as a table and as a plot.

mod plot;

use boughs::learn::{Features, Learner, Learning, Round, logistic};
use boughs::{Rng, SearchError, StopFlag};
use boughs_games::green_circle::{GreenCircle, Setup};
use serde::{Deserialize, Serialize};

pub use plot::plot;

/// A line of the list of games that can be learned: a name, the features, and a round of games.
struct Entry {
    name: &'static str,
    features: fn() -> Vec<String>,
    play_round: fn(&mut Learner, u64, &StopFlag) -> Option<Round>,
}

/// The one list of games that can be learned.
const GAMES: &[Entry] = &[Entry {
    name: "green-circle",
    features: GreenCircle::names,
    play_round: |learner, seed, stop| {
        learner.play_round(&|game| GreenCircle::new(&Setup::of_seed(Rng::new(seed, game).bits())), stop)
    },
}];

/// Set-ups draw from another seed than games do.
const SETUPS: u64 = 77;

/// The names of all games that can be learned.
pub fn names() -> Vec<&'static str> {
    GAMES.iter().map(|entry| entry.name).collect()
}

/// What was learned so far, and how: all it takes to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learned {
    /// The game.
    pub game: String,
    /// What learning depends on, beside the number of games.
    pub terms: Terms,
    /// Games played.
    pub games: u64,
    /// The weights before the last round, where that was cut short. Who goes on plays that round again, so that what is learned does
    /// not depend on where learning ended before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Vec<f64>>,
    /// The features with their weights.
    pub features: Vec<Weighed>,
    /// What each round came to.
    pub curve: Vec<Step>,
}

/// What learning depends on, beside the number of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// The seed of all randomness.
    pub seed: u64,
    /// Games of a round.
    pub round: u64,
    /// How far each lesson moves the weights at first.
    pub rate: f64,
    /// After so many games half as far.
    pub slowing: f64,
    /// The lambda of TD(lambda).
    pub lambda: f64,
    /// The share of turns played at random.
    pub explore: f64,
    /// The most positions of a turn that are searched.
    pub positions: u64,
}

/// A feature with its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weighed {
    /// What it is.
    pub name: String,
    /// What one more of it adds to the advantage.
    pub weight: f64,
}

/// What a round came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Games in all, when it was over.
    pub games: u64,
    /// The share of the round's games that player 0 won.
    pub first: f64,
    /// The mean number of turns of a game.
    pub turns: f64,
    /// The root of the mean square of differences between values and what was found.
    pub error: f64,
}

impl Terms {
    /// Those of the engine.
    pub fn of(learning: &Learning) -> Terms {
        let Learning { seed, round, rate, slowing, lambda, explore, positions, .. } = *learning;
        Terms { seed, round, rate, slowing, lambda, explore, positions: positions as u64 }
    }

    /// The settings by their names.
    fn texts(&self) -> [(&'static str, String); 7] {
        let Terms { seed, round, rate, slowing, lambda, explore, positions } = self;
        [
            ("seed", seed.to_string()),
            ("round", round.to_string()),
            ("rate", rate.to_string()),
            ("slowing", slowing.to_string()),
            ("lambda", lambda.to_string()),
            ("explore", explore.to_string()),
            ("positions", positions.to_string()),
        ]
    }

    fn learning(self, games: u64, threads: usize) -> Learning {
        let Terms { seed, round, rate, slowing, lambda, explore, positions } = self;
        Learning { games, round, rate, slowing, lambda, explore, positions: positions as usize, threads, seed }
    }
}

impl Learned {
    /// Nothing yet; `None` if the game cannot be learned.
    pub fn nothing(game: &str, terms: Terms) -> Option<Learned> {
        let entry = GAMES.iter().find(|entry| entry.name == game)?;
        let features = (entry.features)().into_iter().map(|name| Weighed { name, weight: 0.0 }).collect();
        Some(Learned { game: game.to_string(), terms, games: 0, before: None, features, curve: Vec::new() })
    }

    /// Why this does not go on from what was learned `before`, if it does not.
    pub fn misfit(&self, before: &Learned) -> Option<String> {
        if self.game != before.game {
            return Some(format!("the game is {} there and {} here", before.game, self.game));
        }
        let names = |learned: &Learned| learned.features.iter().map(|feature| feature.name.clone()).collect::<Vec<_>>();
        if names(self) != names(before) {
            return Some("the features are others there".to_string());
        }
        let pairs = before.terms.texts().into_iter().zip(self.terms.texts());
        let others = pairs.filter(|(there, here)| there != here);
        let words: Vec<String> =
            others.map(|((name, there), (_, here))| format!("--{name} is {there} there and {here} here")).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// What one more of a feature adds to the share of games that each player wins where everything else is even.
    pub fn worth(&self, feature: &Weighed) -> [f64; 2] {
        let even = self.features.first().map_or(0.0, |first| first.weight);
        let gain = |even: f64| logistic(even + feature.weight) - logistic(even);
        [gain(even), gain(-even)]
    }
}

/// With six decimals, so that it is the same when it is written and read again.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Learning under way.
pub struct Course {
    learned: Learned,
    learner: Learner,
    entry: &'static Entry,
}

impl Course {
    /// Goes on to so many games in all; `None` if the game cannot be learned.
    ///
    /// # Errors
    /// If the threads cannot be had.
    pub fn new(learned: Learned, games: u64, threads: usize) -> Result<Option<Course>, SearchError> {
        let Some(entry) = GAMES.iter().find(|entry| entry.name == learned.game) else { return Ok(None) };
        let (weights, from) = match &learned.before {
            Some(before) if games > learned.games => {
                (before.clone(), learned.games - learned.games % learned.terms.round.max(1))
            }
            _ => (learned.features.iter().map(|feature| feature.weight).collect(), learned.games),
        };
        let learner = Learner::resume(learned.terms.learning(games, threads), weights, from)?;
        Ok(Some(Course { learned, learner, entry }))
    }

    /// Plays a round and learns from it. Says whether there was one: not if all games were played or the flag is raised.
    pub fn advance(&mut self, stop: &StopFlag) -> bool {
        let (played, before) = (self.learner.games(), self.learner.weights().to_vec());
        let Some(round) = (self.entry.play_round)(&mut self.learner, self.learned.terms.seed ^ SETUPS, stop) else {
            return false;
        };
        self.learned.games = self.learner.games();
        self.learned.before = (round.games < self.learned.terms.round).then_some(before);
        self.learned.curve.retain(|step| step.games <= played);
        for (feature, &weight) in self.learned.features.iter_mut().zip(self.learner.weights()) {
            feature.weight = weight;
        }
        let (games, mean) = (self.learned.games, |sum: f64, count: u64| sum / count.max(1) as f64);
        let (first, turns) = (mean(round.won, round.games), mean(round.turns as f64, round.games));
        let error = mean(round.error, round.lessons).sqrt();
        self.learned.curve.push(Step { games, first: rounded(first), turns: rounded(turns), error: rounded(error) });
        true
    }

    /// What was learned so far.
    pub fn learned(&self) -> &Learned {
        &self.learned
    }
}
