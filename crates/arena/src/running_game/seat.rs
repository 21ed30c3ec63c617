//! A seat of a running game: the participant in it, and what is counted of its answers.

use std::fmt::Write;
use std::time::{Duration, Instant};

use boughs::{Agent, Budget, SearchError, Session, StopFlag};

use crate::plan::Limit;
use crate::program::{Bot, plain};
use crate::statistics::Mean;
use crate::{Clock, Fault};

/// The holder of a seat.
pub(crate) enum Participant {
    Agent(Box<dyn Agent>),
    Program(Box<Bot>),
}

/// The answer of a participant.
#[derive(Default)]
pub(crate) struct Answer {
    /// The code of the action; `None` if a search ended before its first playout.
    pub(crate) action: Option<u32>,
    /// Time from the question to the answer.
    pub(crate) took: Duration,
    /// Number of playouts, of an agent.
    pub(crate) playouts: u64,
    /// Depth of the search, of an agent.
    pub(crate) depth: u32,
    /// True if a program asked for an illegal action and the referee plays another one.
    pub(crate) is_refused: bool,
    /// Remark of the referee; empty if there is none.
    pub(crate) remark: String,
}

/// A seat and what is counted of its answers.
pub(crate) struct Seat {
    pub(crate) participant: Participant,
    /// The time its answers took.
    pub(crate) clock: Clock,
    /// Number of answers that came after their time and within the grace.
    pub(crate) late: u32,
    /// Number of illegal answers that did not lose the game.
    pub(crate) refused: u32,
    /// Depth of an agent's searches.
    pub(crate) depth: Mean,
    /// Remarks of the referee about the answers, in lines.
    pub(crate) remarks: String,
}

impl Seat {
    pub(crate) fn of(participant: Participant) -> Seat {
        Seat {
            participant,
            clock: Clock::default(),
            late: 0,
            refused: 0,
            depth: Mean::default(),
            remarks: String::new(),
        }
    }

    /// Counts an answer, which led to the ply with this number, counted from 1.
    ///
    /// # Errors
    /// [`Fault::Late`] if the answer came after its time and the grace.
    pub(super) fn count(&mut self, answer: &Answer, limit: Limit, grace: Duration, ply: usize) -> Result<(), Fault> {
        if !answer.remark.is_empty() {
            // Writing to a string cannot fail.
            _ = writeln!(self.remarks, "[referee] move {ply}: {}", plain::shown(&answer.remark));
        }
        self.clock.add(answer.took, answer.playouts);
        if answer.depth > 0 {
            self.depth.add(f64::from(answer.depth));
        }
        self.refused += u32::from(answer.is_refused);
        if let Limit::Time(time) = limit
            && answer.took > time
        {
            let allowed = time.saturating_add(grace);
            if answer.took > allowed {
                return Err(Fault::Late { after: answer.took, allowed });
            }
            self.late += 1;
        }
        Ok(())
    }
}

/// Searches for a move.
///
/// `view` is the position as the agent may see it, if it cannot follow the moves. The clock runs while the agent looks
/// at it.
pub(super) fn search(
    agent: &mut dyn Agent,
    view: Option<&dyn Session>,
    limit: Limit,
    stop: &StopFlag,
) -> Result<Answer, Fault> {
    let failed = |error: SearchError| Fault::Failed(error.to_string());
    let started = Instant::now();
    if let Some(view) = view {
        agent.reset(view).map_err(failed)?;
    }
    let budget = match limit {
        // A time too long for the system's clock is no deadline.
        Limit::Time(time) => started.checked_add(time).map_or(Budget::time(time), Budget::until),
        Limit::Playouts(playouts) => Budget::iterations(playouts),
    };
    let budget = budget.early_stop(false).or_stopped_by(stop.clone());
    let report = agent.search(budget, &mut |_| ());
    let took = started.elapsed();
    let report = report.map_err(failed)?;
    Ok(Answer {
        action: report.best.map(|best| best.action),
        took,
        playouts: report.iterations,
        depth: report.depth,
        ..Answer::default()
    })
}
