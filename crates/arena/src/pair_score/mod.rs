//! The score of a pairing: the counts of all its games.
//!
//! With several games at a time, games end in any order, short ones first. Rounds are counted in the order of the plan,
//! each when all rounds before it are counted. So a result does not depend on the number of games at a time or on the
//! process that played them. It is the same to the last digit, and an interrupted match does not favour a contestant
//! that wins quickly.

mod side;
mod waiting;

use std::collections::{BTreeMap, HashSet};

pub use self::side::Side;
use self::waiting::WaitingGame;
use crate::statistics::{Decision, Estimate, Mean, Outcome, Sprt, Strength, Tally};
use crate::{Conditions, Planned, Record};

/// The score of two contestants against each other. It has counts only, for any number of games.
#[derive(Clone, Debug, Default)]
pub struct PairScore {
    tally: Tally,
    /// Reward of the first minus reward of the second, each the average of its seats, by round.
    difference: Mean,
    /// Reward of each contestant in a seat.
    rewards: [Mean; 2],
    sides: [Side; 2],
    /// Fingerprints of the games.
    seen: HashSet<u64>,
    duplicates: u64,
    /// Number of games that no fault ended.
    whole: u64,
    plies: Mean,
    /// First round that is not counted yet.
    next: u64,
    /// Games of that round and later ones.
    waiting: BTreeMap<u64, Vec<WaitingGame>>,
    /// The test whose decision ends the counting.
    test: Option<Sprt>,
}

/// The reason why games that all ended by faults give no rating.
pub(crate) const ONLY_FAULTS: &str = "every game ended by a fault";

impl PairScore {
    /// A score without games, which counts none after the decision of the test.
    pub fn ended_by(test: Sprt) -> PairScore {
        PairScore { test: Some(test), ..PairScore::default() }
    }

    /// Adds a game. It is counted when its round is complete and all rounds before it are.
    pub fn add(&mut self, planned: &Planned, record: &Record) {
        if self.is_decided() {
            return;
        }
        self.waiting.entry(planned.round).or_default().push(WaitingGame::of(planned, record));
        let games = Conditions::games_a_round(planned.sides.len());
        while !self.is_decided()
            && let Some(mut round) = self.waiting.remove(&self.next)
        {
            if (round.len() as u64) < games {
                self.waiting.insert(self.next, round);
                break;
            }
            round.sort_by_key(|game| game.number);
            self.add_round(&round);
            self.next += 1;
        }
        if self.is_decided() {
            self.waiting.clear();
        }
    }

    /// Returns true if a test has ended the pairing.
    pub fn is_decided(&self) -> bool {
        self.test.is_some_and(|test| test.state(self.tally.pairs).decision != Decision::Continue)
    }

    /// Counts a complete round.
    fn add_round(&mut self, round: &[WaitingGame]) {
        for game in round {
            // Games that end by a fault may be alike for another reason.
            let is_whole = game.seats.iter().all(|seat| seat.fault.is_none());
            self.whole += u64::from(is_whole);
            if is_whole && !self.seen.insert(game.fingerprint) {
                self.duplicates += 1;
            }
            self.plies.add(game.plies as f64);
            game.seats.iter().for_each(|seat| self.sides[seat.side].add(seat));
        }
        let mean = |side: usize| {
            let rewards: Vec<f64> = round.iter().filter_map(|game| game.rewards[side]).collect();
            rewards.iter().sum::<f64>() / rewards.len().max(1) as f64
        };
        let means = [mean(0), mean(1)];
        self.difference.add(means[0] - means[1]);
        (0..2).for_each(|side| self.rewards[side].add(means[side]));
        match round {
            // In a game for one each contestant plays alone, and their games are compared.
            [one, other] if one.outcome.is_none() => {
                let outcome = match (one.has_forfeit[0], other.has_forfeit[1]) {
                    (true, false) => Outcome::Loss,
                    (false, true) => Outcome::Win,
                    _ => Outcome::of(means[0], means[1]),
                };
                self.tally.add_pair([outcome; 2]);
            }
            [one, other] => self.tally.add_pair([one, other].map(|game| game.outcome.unwrap_or(Outcome::Draw))),
            more => more.iter().filter_map(|game| game.outcome).for_each(|outcome| self.tally.add_game(outcome)),
        }
    }

    /// Games and pairs of complete rounds, from the view of the first contestant. A game for more than two is won with
    /// a greater reward than all others. In a game for one each round counts twice, as if it were both games of a pair.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The strength of the first contestant against the second. It has a meaning in games for one or two, of which not
    /// all ended by faults.
    pub fn strength(&self) -> Strength {
        let strength = Strength::of(self.tally);
        if !self.has_only_faults() {
            return strength;
        }
        let none = Estimate::Unknown { why: ONLY_FAULTS };
        Strength { elo: none, normalised_elo: none, los: 0.5, ..strength }
    }

    /// Returns true if there are games and a fault ended each of them, so that they say nothing of strength.
    pub fn has_only_faults(&self) -> bool {
        self.whole == 0 && self.tally.games.count() > 0
    }

    /// Reward of the first minus reward of the second, each the average of its seats in a round.
    pub fn difference(&self) -> &Mean {
        &self.difference
    }

    /// Reward of each contestant in a round, the average of its seats.
    pub fn rewards(&self) -> &[Mean; 2] {
        &self.rewards
    }

    /// Statistics of each side.
    pub fn sides(&self) -> &[Side; 2] {
        &self.sides
    }

    /// Number of games that are not counted yet, because their round or one before it is not complete.
    pub fn unpaired(&self) -> usize {
        self.waiting.values().map(Vec::len).sum()
    }

    /// Number of games that were move for move like another, with all contestants in the same seats.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Number of plies of a game, opening and chance included.
    pub fn plies(&self) -> &Mean {
        &self.plies
    }
}
