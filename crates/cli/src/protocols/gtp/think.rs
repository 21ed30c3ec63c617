//! Commands that search for a move, and the time for it.

use std::time::{Duration, Instant};

use boughs::{Budget, Report, StopFlag};
use boughs_lab::measure;

use super::line::is_interrupt;
use super::{Answer, Engine, MoveLimit, argument};
use crate::failure::Failure;
use crate::protocols::events::Effect;

/// Time before the end of a move's time at which the search ends, for the way of the answer.
const MARGIN: Duration = Duration::from_millis(10);

/// The least time for a move. A client whose clock has run out still wants a sensible one.
const LEAST: Duration = Duration::from_millis(20);

/// A move to find.
pub(super) enum Task {
    /// The game is over, and this is what to say.
    Ended(&'static str),
    Move {
        player: usize,
        /// The moves before the command.
        before: Vec<u32>,
    },
}

impl Engine {
    /// The budget of a player's next move.
    fn budget(&self, player: usize) -> Budget {
        let time = match (self.clocks.for_move(player), self.limit) {
            (Some(time), _) => time,
            (None, MoveLimit::Time(time)) => time,
            (None, MoveLimit::Iterations(iterations)) => return Budget::iterations(iterations),
        };
        Budget::time(time.saturating_sub(MARGIN.min(time / 2)).max(LEAST))
    }

    /// Searches for a move of a player. A client may interrupt it. `see` gets the report so far.
    pub(super) fn search_move(
        &mut self,
        player: usize,
        see: &mut (dyn FnMut(&Report) + Send),
    ) -> Result<Report, Failure> {
        // Each search has a flag of its own.
        let budget = self.budget(player).or_stopped_by(StopFlag::default());
        self.events.search(self.game.searcher(), budget, |line| Effect::stopping(is_interrupt(line)), see)
    }

    /// Searches on while the next line is waited for, if an analysis runs or the agent ponders.
    pub(super) fn search_until_the_next_line(&mut self) -> Result<(), Failure> {
        if let Some(analysis) = self.analysis.take() {
            return self.analyse(&analysis);
        }
        self.replied.take_if(|replied| replied != self.game.moves());
        if self.ponders && self.replied.is_some() && self.game.player().is_some() {
            let budget = Budget::whole().or_stopped_by(StopFlag::default());
            self.events.search(self.game.searcher(), budget, |_| Effect::Stops, &mut |_| {})?;
        }
        Ok(())
    }

    /// Makes it the turn of a colour, for a move of the program.
    pub(super) fn begin_move(&mut self, colour: &str) -> Result<Task, String> {
        let player = self.game.seat(colour)?;
        if self.game.player().is_none() {
            return Ok(Task::Ended(self.game.move_after_the_end(player)));
        }
        let before = self.game.moves().to_vec();
        self.game.give_turn(player)?;
        Ok(Task::Move { player, before })
    }

    /// Finds a move, with the report so far for `see`. Returns its vertex and the report at the end.
    pub(super) fn generate(
        &mut self,
        task: Task,
        is_played: bool,
        see: &mut (dyn FnMut(&Report) + Send),
    ) -> Result<(String, Option<Report>), String> {
        let (player, before) = match task {
            Task::Ended(vertex) => return Ok((vertex.to_string(), None)),
            Task::Move { player, before } => (player, before),
        };
        let begun = Instant::now();
        let report = self.search_move(player, see).map_err(|failure| failure.sentence())?;
        let chosen = self.game.chosen(&report).ok_or("there is no legal move")?;
        let vertex = self.game.vertex(self.game.position(), chosen);
        if is_played && self.is_hopeless(&report, chosen) {
            self.game.go_to(before)?;
            return Ok(("resign".to_string(), Some(report)));
        }
        if is_played {
            self.game.play_own(chosen, before)?;
            self.clocks.spend(player, begun.elapsed());
            self.replied = Some(self.game.moves().to_vec());
        } else {
            self.game.go_to(before)?;
        }
        Ok((vertex, Some(report)))
    }

    fn is_hopeless(&self, report: &Report, chosen: u32) -> bool {
        let child = report.children.iter().find(|child| child.action == chosen && child.playouts > 0);
        child.is_some_and(|child| child.mean < self.resigns_below)
    }
}

/// `genmove black`.
pub(super) fn genmove(engine: &mut Engine, arguments: &[String]) -> Answer {
    let colour: String = argument(arguments, 0)?;
    let task = engine.begin_move(&colour)?;
    engine.generate(task, true, &mut |_| {}).map(|(vertex, _)| vertex)
}

/// `reg_genmove black`: the move, which is not played.
pub(super) fn reg_genmove(engine: &mut Engine, arguments: &[String]) -> Answer {
    let colour: String = argument(arguments, 0)?;
    let task = engine.begin_move(&colour)?;
    engine.generate(task, false, &mut |_| {}).map(|(vertex, _)| vertex)
}

/// `time_settings 300 30 5`: seconds of main time, and then 30 for each five stones.
pub(super) fn time_settings(engine: &mut Engine, arguments: &[String]) -> Answer {
    let (main, byo_yomi): (f64, f64) = (argument(arguments, 0)?, argument(arguments, 1)?);
    let stones = argument(arguments, 2)?;
    if !(main >= 0.0 && byo_yomi >= 0.0) {
        return Err("syntax error: a time is a number of seconds, 0 or more".to_string());
    }
    engine.clocks.set(main, byo_yomi, stones);
    Ok(String::new())
}

/// `time_left black 12.5 0`.
pub(super) fn time_left(engine: &mut Engine, arguments: &[String]) -> Answer {
    let colour: String = argument(arguments, 0)?;
    let player = engine.game.seat(&colour)?;
    engine.clocks.tell(player, argument(arguments, 1)?, argument(arguments, 2)?);
    Ok(String::new())
}

/// The processor time of all threads so far, in seconds.
pub(super) fn cputime(_: &mut Engine, _: &[String]) -> Answer {
    let seconds = measure::processor_seconds().ok_or("this system does not tell processor times")?;
    Ok(format!("{seconds:.3}"))
}

pub(super) fn describe_engine(engine: &mut Engine, _: &[String]) -> Answer {
    Ok(format!("Boughs {}, {} in {}", env!("CARGO_PKG_VERSION"), engine.game.agent_spec, engine.game.spec.text()))
}
