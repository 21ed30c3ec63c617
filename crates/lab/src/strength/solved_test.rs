//! Solved positions: the share in which a search finds a move that keeps the value.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use boughs::{Agent, Budget, Session, StopFlag};
use boughs_agents::AgentSpec;
use boughs_arena::statistics::{Estimate, Outcome, Strength, Tally};
use boughs_arena::{ArenaError, Clock, Conditions, Ending, EventId, EventKey, Limit, Record, Store};
use boughs_games::start;

use crate::solved::{Valued, positions_of};

/// The kind of these answers in a store, which has them as games of one move.
const KIND: &str = "solved";

/// The memory for the tree of an agent that does not set its own.
const MEMORY: &str = "64M";

/// The solved positions of a game, answered by one agent.
pub(super) struct SolvedTest {
    event: EventId,
    agent: AgentSpec,
    limit: Limit,
    seed: u64,
    positions: u64,
    /// A pair won for each position whose value was kept, and a pair lost for each other.
    tally: Tally,
}

impl PartialEq for SolvedTest {
    fn eq(&self, other: &SolvedTest) -> bool {
        self.event == other.event
    }
}

impl SolvedTest {
    /// Counts the answers of the first contestant that a store has.
    pub(super) fn kept_in(store: &mut Store, conditions: &Conditions) -> Result<SolvedTest, ArenaError> {
        let contestant = &conditions.contestants[0];
        let agent = contestant.agent().cloned().unwrap_or_default();
        let own = Conditions { contestants: vec![contestant.clone()], pairings: Vec::new(), ..conditions.clone() };
        let event = store.event(&EventKey { kind: KIND.into(), conditions: own.text(), command: String::new() })?;
        let mut test = SolvedTest {
            event,
            agent,
            limit: conditions.limit,
            seed: conditions.seed,
            positions: positions_of(&conditions.game).len() as u64,
            tally: Tally::default(),
        };
        for kept in store.games(event) {
            test.count(kept?.record.rewards.first() == Some(&1.0));
        }
        Ok(test)
    }

    fn count(&mut self, is_kept: bool) {
        self.tally.add_pair([if is_kept { Outcome::Win } else { Outcome::Loss }; 2]);
    }

    /// The number of positions with an answer.
    pub(super) fn answered(&self) -> u64 {
        self.tally.pairs.count()
    }

    /// The number of positions without an answer.
    pub(super) fn left(&self) -> u64 {
        self.positions.saturating_sub(self.answered())
    }

    /// The share of positions whose value was kept. Positions are as independent as pairs of games are.
    pub(super) fn share(&self) -> Estimate {
        Strength::of(self.tally).share
    }

    /// Answers the remaining positions.
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
        let mut run = TestRun::new(self, game)?;
        let name = format!("{}, solved positions", self.agent);
        let answered = store.numbers(self.event)?;
        for (number, valued) in (0..).zip(positions_of(game)) {
            if answered.contains(number) {
                continue;
            }
            let record = run.answer(number, &valued, self.seed ^ number, stop)?;
            if stop.is_raised() {
                break;
            }
            store.add(self.event, &record, &self.replay(game, &valued, record.seed))?;
            self.count(record.rewards[0] == 1.0);
            see(&name);
        }
        Ok(())
    }

    /// The command that searches a position again.
    fn replay(&self, game: &str, valued: &Valued, seed: u64) -> String {
        let limit = match self.limit {
            Limit::Time(time) => format!("--time {}ms", time.as_secs_f64() * 1e3),
            Limit::Playouts(playouts) => format!("--iterations {playouts}"),
        };
        format!(
            "boughs analyze {game} --position {} --agent {} {limit} --no-early-stop --seed {seed}",
            valued.moves, self.agent
        )
    }
}

/// An agent that answers the positions of a test.
struct TestRun {
    start: Box<dyn Session>,
    agent: Box<dyn Agent>,
    limit: Limit,
}

impl TestRun {
    fn new(test: &SolvedTest, game: &str) -> Result<TestRun, ArenaError> {
        let start = start(game).map_err(failed)?.position;
        let mut spec = test.agent.clone();
        if !spec.to_string().contains("memory=") {
            // Agents without a tree have no such key.
            _ = spec.set("memory", MEMORY);
        }
        let agent = spec.build(&*start).map_err(failed)?;
        Ok(TestRun { start, agent, limit: test.limit })
    }

    /// Answers a position.
    fn answer(&mut self, number: u64, valued: &Valued, seed: u64, stop: &StopFlag) -> Result<Record, ArenaError> {
        let (began, started) = (SystemTime::now(), Instant::now());
        let mut position = self.start.clone();
        position.play_moves(valued.moves).map_err(failed)?;
        self.agent.begin(&*position, seed).map_err(failed)?;
        let budget = match self.limit {
            Limit::Time(time) => Budget::time(time),
            Limit::Playouts(playouts) => Budget::iterations(playouts),
        };
        let budget = budget.early_stop(false).or_stopped_by(stop.clone());
        let report = self.agent.search(budget, &mut |_| ()).map_err(failed)?;
        let mut clock = Clock::default();
        clock.add(started.elapsed(), report.iterations);
        // On a busy machine the deadline may come before the first playout, and there is no move that keeps the value.
        let found = report.best.map(|best| best.text);
        let is_kept = found.as_ref().is_some_and(|found| valued.is_kept_by(found));
        Ok(Record {
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
        })
    }
}

fn failed(error: impl std::fmt::Display) -> ArenaError {
    ArenaError::new(error.to_string())
}
