//! How two contestants stand against each other.
//!
//! Games end in any order where several are played at a time, short ones first. Rounds are counted in the order of the plan,
//! each when all before it are: so a result does not depend on how many games were played at a time or on which process
//! played them, is the same to the last digit, and does not favour who wins quickly where a match is broken off.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use serde::Serialize;

use crate::statistics::{Decision, Mean, Outcome, Sprt, Strength, Tally};
use crate::{Clock, Conditions, Planned, Record};

/// How two contestants stand against each other: counts only, however many games there were.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    tally: Tally,
    /// By how much more the first got than the second, on average of their seats, in each round.
    difference: Mean,
    /// What each got in a seat.
    rewards: [Mean; 2],
    sides: [Side; 2],
    /// Games, as far as they tell one from another.
    seen: HashSet<u64>,
    duplicates: u64,
    plies: Mean,
    /// The first round that is not counted yet.
    next: u64,
    /// Games of that one and later ones.
    waiting: BTreeMap<u64, Vec<Game>>,
    /// With its decision nothing more counts.
    test: Option<Sprt>,
}

/// What one side did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Side {
    /// Moves it made.
    pub moves: u64,
    /// The time they took, in seconds.
    pub seconds: f64,
    /// The time of the longest, in milliseconds.
    pub longest_ms: f64,
    /// Playouts it made, where they are known.
    pub playouts: u64,
    /// How often it lost by breaking the rules of the arena, by what it did.
    pub faults: BTreeMap<String, u64>,
    /// The last of these faults in words.
    pub last_fault: Option<String>,
    /// What was counted of it, as the mean over its games: what a program says on standard error, the depth of an agent.
    pub columns: BTreeMap<String, f64>,
    /// In how many games each of them was.
    #[serde(skip)]
    column_games: BTreeMap<String, u64>,
}

/// What counts of one game of a round.
#[derive(Clone, Debug)]
struct Game {
    number: u64,
    /// For the first of the two, where it played against the second.
    outcome: Option<Outcome>,
    /// What the seats of each got, on average.
    rewards: [Option<f64>; 2],
    has_forfeit: [bool; 2],
    /// What was done in each seat.
    seats: Vec<Seat>,
    plies: usize,
    fingerprint: u64,
}

/// What was done in one seat of a game.
#[derive(Clone, Debug)]
struct Seat {
    side: usize,
    clock: Clock,
    columns: BTreeMap<String, f64>,
    /// The name of its fault, and the fault in words.
    fault: Option<(&'static str, String)>,
}

impl Standing {
    /// No game was played, and with the decision of the test none counts any more.
    pub fn ended_by(test: Sprt) -> Standing {
        Standing { test: Some(test), ..Standing::default() }
    }

    /// Counts a game, when its round is complete and all rounds before it are.
    pub fn add(&mut self, planned: &Planned, record: &Record) {
        if self.is_decided() {
            return;
        }
        self.waiting.entry(planned.round).or_default().push(Game::of(planned, record));
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

    /// Whether a test has ended it.
    pub fn is_decided(&self) -> bool {
        self.test.is_some_and(|test| test.state(self.tally.pairs).decision != Decision::Continue)
    }

    fn add_round(&mut self, round: &[Game]) {
        for game in round {
            // Games that end by a fault are alike for another reason.
            let is_whole = game.seats.iter().all(|seat| seat.fault.is_none());
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
            // Alone each plays for itself, and their games are compared.
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

    /// Games and pairs of complete rounds, from the first one's point of view. A game for more than two is won by getting
    /// more than all others; in a game for one each round counts twice, as it were both games of a pair.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// How strong the first is, compared with the second. Says something where games are for one or two.
    pub fn strength(&self) -> Strength {
        Strength::of(self.tally)
    }

    /// By how much more the first got than the second, on average of their seats in a round.
    pub fn difference(&self) -> &Mean {
        &self.difference
    }

    /// What each got in a round, on average of their seats.
    pub fn rewards(&self) -> &[Mean; 2] {
        &self.rewards
    }

    /// What each side did.
    pub fn sides(&self) -> &[Side; 2] {
        &self.sides
    }

    /// Games of rounds that are not complete, or come after such a one, which nothing else here counts.
    pub fn unpaired(&self) -> usize {
        self.waiting.values().map(Vec::len).sum()
    }

    /// Games that were move for move like another, with everybody in the same seat.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Plies of a game, openings and chance included.
    pub fn plies(&self) -> &Mean {
        &self.plies
    }
}

impl Side {
    fn add(&mut self, seat: &Seat) {
        self.moves += seat.clock.moves;
        self.seconds += seat.clock.total.as_secs_f64();
        self.longest_ms = self.longest_ms.max(millis(seat.clock.longest));
        self.playouts += seat.clock.playouts;
        if let Some((name, fault)) = &seat.fault {
            *self.faults.entry(name.to_string()).or_default() += 1;
            self.last_fault = Some(fault.clone());
        }
        for (name, value) in &seat.columns {
            let games = self.column_games.entry(name.clone()).or_default();
            *games += 1;
            let mean = self.columns.entry(name.clone()).or_default();
            *mean += (value - *mean) / *games as f64;
        }
    }

    /// Adds what the same contestant did against another one.
    pub fn add_side(&mut self, other: &Side) {
        self.moves += other.moves;
        self.seconds += other.seconds;
        self.longest_ms = self.longest_ms.max(other.longest_ms);
        self.playouts += other.playouts;
        for (fault, count) in &other.faults {
            *self.faults.entry(fault.clone()).or_default() += count;
        }
        self.last_fault = other.last_fault.clone().or_else(|| self.last_fault.take());
        for (name, value) in &other.columns {
            let more = other.column_games.get(name).copied().unwrap_or(1);
            let games = self.column_games.entry(name.clone()).or_default();
            *games += more;
            let mean = self.columns.entry(name.clone()).or_default();
            *mean += (value - *mean) * more as f64 / *games as f64;
        }
    }

    /// The time of a move on average, in milliseconds.
    pub fn ms_a_move(&self) -> f64 {
        self.seconds * 1e3 / self.moves.max(1) as f64
    }
}

impl Game {
    fn of(planned: &Planned, record: &Record) -> Game {
        let side_of = |seat: usize| planned.sides[seat];
        let of_side = |side: usize| -> Vec<f64> {
            (0..record.rewards.len()).filter(|&seat| side_of(seat) == side).map(|seat| record.rewards[seat]).collect()
        };
        let has_forfeit = [0, 1].map(|side| record.ending.faults().iter().any(|(seat, _)| side_of(*seat) == side));
        let [own, others] = [of_side(0), of_side(1)];
        let best = others.iter().copied().reduce(f64::max);
        let outcome = match (own.first(), best, has_forfeit) {
            (Some(_), Some(_), [true, false]) => Some(Outcome::Loss),
            (Some(_), Some(_), [false, true]) if planned.sides.len() == 2 => Some(Outcome::Win),
            (Some(own), Some(best), _) => Some(Outcome::of(*own, best)),
            _ => None,
        };
        let mean = |rewards: &[f64]| (!rewards.is_empty()).then(|| rewards.iter().sum::<f64>() / rewards.len() as f64);
        let seat = |seat: usize| Seat {
            side: side_of(seat),
            clock: record.clocks[seat],
            columns: record.columns[seat].clone(),
            fault: record.ending.faults().iter().find(|(loser, _)| *loser == seat).map(|(_, fault)| {
                let said = format!("in game {} it {fault}", record.number);
                (fault.name(), said)
            }),
        };
        Game {
            number: record.number,
            outcome,
            rewards: [mean(&own), mean(&others)],
            has_forfeit,
            seats: (0..planned.sides.len()).map(seat).collect(),
            plies: record.opening.len() + record.moves.len(),
            fingerprint: fingerprint(planned, record),
        }
    }
}

fn fingerprint(planned: &Planned, record: &Record) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&planned.sides, &record.opening, &record.moves).hash(&mut hasher);
    hasher.finish()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
