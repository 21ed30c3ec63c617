//! The settings and the course of learning.

use serde::{Deserialize, Serialize};

/// The settings of learning.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Learning {
    /// The learning rate: the part of an error by which a lesson corrects a score, or the logarithm of the odds of a
    /// reward. With temporal coherence it is that of weights whose lessons all agree. Priors learn at a rate of at most
    /// 1.
    pub rate: f32,
    /// The lambda of TD(lambda): the share of what came later that counts, and not the value of the next position.
    pub lambda: f32,
    /// The share of moves that are drawn at random.
    pub explore: f64,
    /// The most moves that are drawn at random before a game begins, so that values of positions are learned that good
    /// moves do not lead to. Each number up to this one is as likely as another. Nothing is learned from these moves.
    pub opening: u32,
    /// The depth of the search whose values are the targets, in moves: 1 for the best move by the network alone.
    pub depth: u32,
    /// True if priors are learned too: how likely each move is the best one.
    pub policy: bool,
    /// True if each weight has a rate of its own, the less the more its lessons contradict each other: temporal
    /// coherence (Beal and Smith 1999).
    pub coherence: bool,
    /// True if threads learn from each game as soon as it is over, without locks (Hogwild: Niu et al. 2011). Then
    /// weights depend on the order in which threads run. Otherwise weights change between rounds alone, in which each
    /// of [`TABLES`](crate::TABLES) games goes on for [`MOVES`](crate::MOVES) moves, and are the same with any number
    /// of threads.
    pub hogwild: bool,
    /// The score of every board at first. One that is too great makes the learner try everything before it settles
    /// (Guei, Chen and Wu 2021). In a game without scores it is 0.
    pub optimism: f32,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning {
            rate: 1.0,
            lambda: 0.5,
            explore: 0.0,
            opening: 0,
            depth: 1,
            policy: false,
            coherence: true,
            hogwild: false,
            optimism: 0.0,
            seed: 0,
        }
    }
}

impl Learning {
    /// The usual settings for a game of some players. With two of them some moves are drawn at random, because games by
    /// the best moves alone would be few.
    pub fn usual(players: usize, hogwild: bool) -> Learning {
        let usual = Learning { hogwild, ..Learning::default() };
        match (players, hogwild) {
            (1, _) => usual,
            (_, false) => Learning { rate: 10.0, lambda: 0.9, explore: 0.1, opening: 8, ..usual },
            (_, true) => Learning { rate: 0.3, hogwild, ..Learning::usual(players, false) },
        }
    }

    /// The first of these settings that others have with another value, as an argument of `boughs learn`.
    pub fn difference(&self, others: &Learning) -> Option<String> {
        let flag = |is_on: bool, name: &str| format!("{} --{name}", if is_on { "with" } else { "without" });
        let arguments = |of: &Learning| {
            [
                flag(of.policy, "policy"),
                flag(of.hogwild, "hogwild"),
                format!("with --seed {}", of.seed),
                format!("with --rate {}", of.rate),
                format!("with --lambda {}", of.lambda),
                format!("with --explore {}", of.explore),
                format!("with --opening {}", of.opening),
                format!("with --depth {}", of.depth),
                format!("with --optimism {}", of.optimism),
            ]
        };
        let mut pairs = arguments(self).into_iter().zip(arguments(others));
        pairs.find(|(own, other)| own != other).map(|(own, _)| own)
    }
}

/// The course of learning so far.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Progress {
    /// The game as its text.
    pub game: String,
    /// The name of the file of the first weights, if they did not begin at 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The number of games that were learned from.
    pub games: u64,
    /// The number of moves in them that were learned from.
    pub moves: u64,
    /// The time that they took, in seconds.
    pub seconds: f64,
    /// The points of the curve, in the order of time.
    pub curve: Vec<Point>,
}

/// The most points of a curve.
const POINTS: usize = 512;

impl Progress {
    /// Adds a point to the curve. Of a curve that has become too long every other point stays.
    pub fn add(&mut self, point: Point) {
        self.curve.push(point);
        if self.curve.len() >= POINTS {
            let mut number = 0;
            self.curve.retain(|_| {
                number += 1;
                number % 2 == 0
            });
        }
    }
}

/// A point of the curve.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Point {
    /// The number of games before it.
    pub games: u64,
    /// The time they took, in seconds.
    pub seconds: f64,
    /// The strength: a mean score, or a share of points.
    pub strength: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// The result of one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The reward of the player 0.
    pub reward: f64,
    /// The number of moves of players, without those of a random opening.
    pub moves: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_keeps_points_of_all_times() {
        let mut progress = Progress::default();
        for games in 1..=20_000 {
            progress.add(Point { games, seconds: 0.0, strength: 0.5, error: 0.1 });
            assert!(progress.curve.len() < POINTS && progress.curve.last().is_some_and(|point| point.games == games));
        }
        let games: Vec<u64> = progress.curve.iter().map(|point| point.games).collect();
        assert!(games.len() >= POINTS / 4 && games.is_sorted(), "{} points", games.len());
        assert!(games.windows(2).all(|pair| pair[1] - pair[0] <= 20_000 / 50), "{games:?}");
    }
}
