//! Solved positions: how often a search finds a move that keeps the value.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use boughs::notation::play_moves;
use boughs::{Budget, StopFlag};
use boughs_arena::statistics::{Estimate, Outcome, Strength, Tally};
use boughs_arena::{ArenaError, Clock, Conditions, Ending, EventId, EventKey, Limit, Record, Store};
use boughs_bots::BotSpec;
use boughs_games::{Listed, Visitor, visit};

use crate::solved::{Valued, positions_of};

/// What these positions are in a store, as games of one move.
const KIND: &str = "solved";

/// Most memory for the tree of an agent that does not say otherwise.
const MEMORY: &str = "64M";

/// The solved positions of a game, answered by one agent.
pub(super) struct Exam {
    event: EventId,
    agent: BotSpec,
    limit: Limit,
    seed: u64,
    positions: u64,
    /// A pair won for each position whose value was kept, and a pair lost for each other.
    tally: Tally,
}

impl PartialEq for Exam {
    fn eq(&self, other: &Exam) -> bool {
        self.event == other.event
    }
}

impl Exam {
    /// The answers a store has of the first contestant.
    pub(super) fn kept_in(store: &mut Store, conditions: &Conditions) -> Result<Exam, ArenaError> {
        let contestant = &conditions.contestants[0];
        let agent = contestant.agent().cloned().unwrap_or_default();
        let own = Conditions { contestants: vec![contestant.clone()], pairings: Vec::new(), ..conditions.clone() };
        let event = store.event(&EventKey { kind: KIND.into(), conditions: own.text(), command: String::new() })?;
        let mut exam = Exam {
            event,
            agent,
            limit: conditions.limit,
            seed: conditions.seed,
            positions: positions_of(&conditions.game).len() as u64,
            tally: Tally::default(),
        };
        for kept in store.games(event) {
            exam.count(kept?.record.rewards.first() == Some(&1.0));
        }
        Ok(exam)
    }

    fn count(&mut self, is_kept: bool) {
        self.tally.add_pair([if is_kept { Outcome::Win } else { Outcome::Loss }; 2]);
    }

    /// Positions that wait for an answer.
    pub(super) fn left(&self) -> u64 {
        self.positions.saturating_sub(self.tally.pairs.count())
    }

    /// The share of positions whose value was kept: positions are as independent as pairs of games are.
    pub(super) fn share(&self) -> Estimate {
        Strength::of(self.tally).share
    }

    /// Answers what is left.
    pub(super) fn take(
        &mut self,
        game: &str,
        store: &mut Store,
        stop: &StopFlag,
        see: &mut dyn FnMut(&str),
    ) -> Result<(), ArenaError> {
        if self.left() == 0 {
            return Ok(());
        }
        let error = |error: boughs_games::GameError| ArenaError::new(error.to_string());
        visit(game, Sitting { exam: self, game, store, stop, see }).map_err(error)?
    }
}

/// An exam that is being taken.
struct Sitting<'e> {
    exam: &'e mut Exam,
    game: &'e str,
    store: &'e mut Store,
    stop: &'e StopFlag,
    see: &'e mut dyn FnMut(&str),
}

impl Visitor for Sitting<'_> {
    type Output = Result<(), ArenaError>;

    fn visit<G: Listed>(self, start: G) -> Self::Output {
        let Sitting { exam, game, store, stop, see } = self;
        let failed = |error: &dyn std::fmt::Display| ArenaError::new(error.to_string());
        let mut spec = exam.agent.clone();
        if !spec.to_string().contains("memory=") {
            // Agents without a tree have no such key.
            _ = spec.set("memory", MEMORY);
        }
        let mut agent = spec.build(start.clone()).map_err(|error| failed(&error))?;
        let name = format!("{}, solved positions", exam.agent);
        let answered = store.numbers(exam.event)?;
        for (number, valued) in (0..).zip(positions_of(game)) {
            if answered.contains(number) {
                continue;
            }
            let (began, started) = (SystemTime::now(), Instant::now());
            let mut position = start.clone();
            play_moves(&mut position, valued.moves).map_err(|error| failed(&error))?;
            let seed = exam.seed ^ number;
            agent.begin(position, seed);
            let budget = match exam.limit {
                Limit::Time(time) => Budget::time(time),
                Limit::Playouts(playouts) => Budget::iterations(playouts),
            };
            let budget = budget.early_stop(false).or_stopped_by(stop.clone());
            let report = agent.search(budget, &mut |_| ()).map_err(|error| failed(&error))?;
            if stop.is_raised() {
                break;
            }
            let mut clock = Clock::default();
            clock.add(started.elapsed(), report.iterations);
            // On a busy machine the deadline may come before the first playout, and nothing was kept.
            let found = report.best.map(|best| best.text);
            let is_kept = found.as_ref().is_some_and(|found| valued.is_kept_by(found));
            let record = Record {
                number,
                round: number,
                seats: vec![0],
                seed,
                opening: vec![valued.moves.to_string()],
                moves: found.into_iter().collect(),
                rewards: vec![f64::from(u8::from(is_kept))],
                ending: Ending::Over,
                clocks: vec![clock],
                notes: vec![String::new()],
                columns: vec![Default::default()],
                began: began.duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64()),
                took: started.elapsed(),
            };
            store.add(exam.event, &record, &replay(exam, game, &valued, seed))?;
            exam.count(is_kept);
            see(&name);
        }
        Ok(())
    }
}

/// The command that searches a position again.
fn replay(exam: &Exam, game: &str, valued: &Valued, seed: u64) -> String {
    let limit = match exam.limit {
        Limit::Time(time) => format!("--time {}ms", time.as_secs_f64() * 1e3),
        Limit::Playouts(playouts) => format!("--iterations {playouts}"),
    };
    format!(
        "boughs analyze {game} --position {} --agent {} {limit} --no-early-stop --seed {seed}",
        valued.moves, exam.agent
    )
}
