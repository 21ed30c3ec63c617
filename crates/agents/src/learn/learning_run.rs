//! The course of learning: what was learned so far as a state that is written and read, and the list of games that
//! can be learned.

use std::ops::Range;

use boughs::{Rng, SearchError, StopFlag};
use boughs_games::NamedGame as _;
use boughs_games::green_circle::{GreenCircle, Setup};
use serde::{Deserialize, Serialize};

use super::{Features, Learner, Learning, Played, logistic};

/// Plays the games with these numbers. Their set-ups are those of a seed.
type PlayGames = fn(&mut Learner, Range<u64>, u64, &StopFlag) -> Option<Vec<Played>>;

/// An entry of the list of games that can be learned: a name, the features, and the play of games.
struct Entry {
    name: &'static str,
    features: fn() -> Vec<String>,
    play: PlayGames,
}

/// The one list of games that can be learned.
const GAMES: &[Entry] = &[Entry {
    name: GreenCircle::NAME,
    features: GreenCircle::names,
    play: |learner, games, seed, stop| {
        learner.play(games, &|game| GreenCircle::new(&Setup::of_seed(Rng::new(seed, game).bits())), stop)
    },
}];

/// The seed of set-ups differs from that of games by these bits.
const SETUPS: u64 = 77;

/// The names of all games that can be learned.
pub fn names() -> Vec<&'static str> {
    GAMES.iter().map(|entry| entry.name).collect()
}

/// The state of learning: all it takes to go on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learned {
    /// The name of the game.
    pub game: String,
    /// The conditions of learning, except the number of games.
    pub terms: LearningTerms,
    /// The number of games played.
    pub games: u64,
    /// The weights before the last round, if that round was cut short. Learning that goes on plays the round again,
    /// so the result does not depend on where it was interrupted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Vec<f64>>,
    /// The features with their weights.
    pub features: Vec<Weighed>,
    /// The results of each round.
    pub curve: Vec<Step>,
}

/// The conditions of learning, except the number of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearningTerms {
    /// The seed of all randomness.
    pub seed: u64,
    /// The number of games in a round.
    pub round: u64,
    /// The learning rate at first.
    pub rate: f64,
    /// The number of games after which the learning rate is half as high.
    pub slowing: f64,
    /// The lambda of TD(lambda).
    pub lambda: f64,
    /// The share of turns that are played at random.
    pub explore: f64,
    /// The most positions of a turn that are searched.
    pub positions: u64,
}

/// A feature with its weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weighed {
    /// The name of the feature.
    pub name: String,
    /// The gain in advantage by one more of it.
    pub weight: f64,
}

/// The results of a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The number of games in all at the end of the round.
    pub games: u64,
    /// The share of the round's games that player 0 won.
    pub first: f64,
    /// The mean number of turns of a game.
    pub turns: f64,
    /// The root mean square of the differences between values and their targets.
    pub error: f64,
}

impl LearningTerms {
    /// The conditions in the settings of a [`Learner`].
    pub fn of(learning: &Learning) -> LearningTerms {
        let Learning { seed, round, rate, slowing, lambda, explore, positions, .. } = *learning;
        LearningTerms { seed, round, rate, slowing, lambda, explore, positions: positions as u64 }
    }

    /// The conditions as text, each with its name.
    fn texts(&self) -> [(&'static str, String); 7] {
        let LearningTerms { seed, round, rate, slowing, lambda, explore, positions } = self;
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
        let LearningTerms { seed, round, rate, slowing, lambda, explore, positions } = self;
        Learning { games, round, rate, slowing, lambda, explore, positions: positions as usize, threads, seed }
    }
}

impl Learned {
    /// The state before the first game. `None` if the game cannot be learned.
    pub fn nothing(game: &str, terms: LearningTerms) -> Option<Learned> {
        let entry = GAMES.iter().find(|entry| entry.name == game)?;
        let features = (entry.features)().into_iter().map(|name| Weighed { name, weight: 0.0 }).collect();
        Some(Learned { game: game.to_string(), terms, games: 0, before: None, features, curve: Vec::new() })
    }

    /// The differences that keep this state from going on from `before`, if there are any.
    pub fn differences(&self, before: &Learned) -> Option<String> {
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

    /// The numbers of the games of the next round, if there are to be this many games in all.
    pub fn next_games(&self, games: u64) -> Range<u64> {
        let from = self.resume(games).1;
        from..from + self.terms.round.min(games.saturating_sub(from))
    }

    /// The weights and the number of games from which learning goes on, if there are to be this many games in all.
    fn resume(&self, games: u64) -> (Vec<f64>, u64) {
        match &self.before {
            Some(before) if games > self.games => (before.clone(), self.games - self.games % self.terms.round.max(1)),
            _ => (self.features.iter().map(|feature| feature.weight).collect(), self.games),
        }
    }

    /// The gain in the share of games won, for each player, by one more of a feature where everything else is even.
    pub fn worth(&self, feature: &Weighed) -> [f64; 2] {
        let even = self.features.first().map_or(0.0, |first| first.weight);
        let gain = |even: f64| logistic(even + feature.weight) - logistic(even);
        [gain(even), gain(-even)]
    }
}

/// Rounds to six decimals, so that a value that is written and read again stays the same.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Learning in progress.
pub struct LearningRun {
    learned: Learned,
    learner: Learner,
    entry: &'static Entry,
}

impl LearningRun {
    /// Goes on from a state until this many games were played in all. `None` if the game cannot be learned.
    ///
    /// # Errors
    /// If the threads cannot be had.
    pub fn new(learned: Learned, games: u64, threads: usize) -> Result<Option<LearningRun>, SearchError> {
        let Some(entry) = GAMES.iter().find(|entry| entry.name == learned.game) else { return Ok(None) };
        let (weights, from) = learned.resume(games);
        let learner = Learner::resume(learned.terms.learning(games, threads), weights, from)?;
        Ok(Some(LearningRun { learned, learner, entry }))
    }

    /// Plays a round and learns from it. Returns false, and learns nothing, if all games were played or the flag is
    /// raised.
    pub fn advance(&mut self, stop: &StopFlag) -> bool {
        let games = self.next_games();
        if games.is_empty() {
            return false;
        }
        match self.play(games, stop) {
            Some(games) => self.learn(&games),
            None => return false,
        }
        true
    }

    /// The numbers of the games of the next round; none if all games were played.
    pub fn next_games(&self) -> Range<u64> {
        self.learner.next_games()
    }

    /// Plays games of the next round, those with these numbers, and learns nothing yet. `None` if the flag is raised.
    pub fn play(&mut self, games: Range<u64>, stop: &StopFlag) -> Option<Vec<Played>> {
        (self.entry.play)(&mut self.learner, games, self.learned.terms.seed ^ SETUPS, stop)
    }

    /// Learns from the games of the next round, which are in the order of their numbers.
    pub fn learn(&mut self, games: &[Played]) {
        let (played, before) = (self.learner.games(), self.learner.weights().to_vec());
        let round = self.learner.learn(games);
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
    }

    /// The state so far.
    pub fn learned(&self) -> &Learned {
        &self.learned
    }
}
