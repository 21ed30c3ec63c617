//! Learning in rounds: threads play by weights that do not change, and then each weight learns from all of their games,
//! so that weights do not depend on the number of threads.

use std::ops::Range;

use rayon::prelude::*;

use super::{Desk, Learner, Play};
use crate::course::Outcome;
use crate::lessons::Lessons;

/// The games that are played at the same time where weights change between rounds.
pub const TABLES: u64 = 32;
/// The moves that each of them goes on in a round. Fewer would be more like learning after each move, and leave threads
/// less to do between two rounds.
pub const MOVES: usize = 8;
/// The moves of a longer game that are learned from before its end.
const PART: usize = 64;

/// The lessons about values and about priors.
#[derive(Default)]
pub(super) struct Round {
    pub(super) values: Lessons,
    pub(super) priors: Lessons,
}

/// A place where one game is played after the other.
struct GameTable {
    /// The numbers of the games that are still to be played: this one, and those [`TABLES`] after it.
    next: u64,
    play: Option<Play>,
    desk: Desk,
    /// The lessons of the round.
    round: Round,
    outcomes: Vec<Outcome>,
}

impl Learner {
    /// Plays games and learns from them, by the threads that this one belongs to.
    pub(super) fn learn_in_rounds(&self, games: Range<u64>) -> Vec<Outcome> {
        let table = |next: u64| GameTable {
            next,
            play: None,
            desk: Desk::default(),
            round: Round::default(),
            outcomes: Vec::new(),
        };
        let mut tables: Vec<GameTable> = games.clone().take(TABLES as usize).map(table).collect();
        while tables.iter().any(|table| table.play.is_some() || table.next < games.end) {
            tables.par_iter_mut().with_max_len(1).for_each(|table| self.go_on(table, games.end));
            self.correct_all(&tables.iter().map(|table| &table.round).collect::<Vec<_>>());
        }
        tables.into_iter().flat_map(|table| table.outcomes).collect()
    }

    /// Goes on with the games of a table, up to this number, for a round of lessons.
    fn go_on(&self, table: &mut GameTable, end: u64) {
        let GameTable { next, play, desk, round: Round { values, priors }, outcomes } = table;
        values.clear();
        priors.clear();
        for _ in 0..MOVES {
            if play.is_none() && *next < end {
                *play = Some(self.begin_lesson(*next));
                *next += TABLES;
            }
            let Some(game) = play else { break };
            if !self.step(game, desk, Some(priors)) {
                self.add_lessons(game, true, values);
                outcomes.push(game.outcome());
                *play = None;
            }
        }
        if let Some(game) = play.as_mut().filter(|game| game.moves.len() > PART) {
            self.add_lessons(game, false, values);
        }
    }

    /// Adds the lessons of a game that is over, or of its part so far.
    pub(super) fn add_lessons(&self, play: &mut Play, is_over: bool, lessons: &mut Lessons) {
        let network = self.network();
        self.teach(&play.moves, is_over.then_some(&*play.game), |number, target| {
            let places = play.places_of(number, network.terms());
            let value = self.judge.value_of(network.weights().sum(places));
            if let Some(target) = target {
                lessons.places.extend_from_slice(places);
                lessons.errors.push(target - value);
            }
            value
        });
        let learned = if is_over { play.moves.len() } else { play.moves.len().saturating_sub(1) };
        play.moves.drain(..learned);
        play.places.drain(..network.terms() * learned);
    }

    /// Corrects all weights by the lessons of a round.
    pub(super) fn correct_all(&self, rounds: &[&Round]) {
        let network = self.network();
        let values: Vec<&Lessons> = rounds.iter().map(|round| &round.values).collect();
        self.values.correct_all(network, network.weights(), &values);
        if let (Some(corrector), Some(policy)) = (&self.priors, network.policy()) {
            let priors: Vec<&Lessons> = rounds.iter().map(|round| &round.priors).collect();
            corrector.correct_all(network, policy, &priors);
        }
    }
}
