//! A seat of a running game: the participant in it, and what is counted of its answers.

use std::fmt::Write;
use std::time::{Duration, Instant};

use boughs::{Agent, Budget, DelayMeter, SearchError, Session, StopFlag};

use crate::engine::Engine;
use crate::plan::Limit;
use crate::program::{Bot, plain};
use crate::record::REMARK;
use crate::statistics::Mean;
use crate::{Clock, Fault};

/// The holder of a seat.
pub(crate) enum Participant {
    Agent(Box<dyn Agent>),
    Program(Box<Bot>),
    /// A program that speaks a protocol of board games.
    Engine(Box<dyn Engine>),
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

/// Time after its limit in which an agent may be back and is not late: a search that ends at its deadline needs a
/// moment to hand over its answer.
const HANDOVER: Duration = Duration::from_millis(1);

/// Least time between the end of an agent's search and its loss by lateness. The grace counts.
const MARGIN: Duration = Duration::from_millis(10);

/// Time before its limit at which an agent ends its search, because there is less grace than the machine needs.
fn margin(time: Duration, grace: Duration, meter: Option<&DelayMeter>) -> Duration {
    let margin = meter.map_or(MARGIN, |meter| meter.margin(MARGIN, time));
    margin.saturating_sub(grace).min(time / 2)
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
    /// [`Fault::Late`] if the answer came after its time and the grace. An agent is not late by less than the
    /// [`HANDOVER`].
    pub(super) fn count(&mut self, answer: &Answer, limit: Limit, grace: Duration, ply: usize) -> Result<(), Fault> {
        if !answer.remark.is_empty() {
            // Writing to a string cannot fail.
            _ = writeln!(self.remarks, "{REMARK}move {ply}: {}", plain::shown(&answer.remark));
        }
        self.clock.add(answer.took, answer.playouts);
        if answer.depth > 0 {
            self.depth.add(f64::from(answer.depth));
        }
        self.refused += u32::from(answer.is_refused);
        let handover = match self.participant {
            Participant::Agent(_) => HANDOVER,
            Participant::Program(_) | Participant::Engine(_) => Duration::ZERO,
        };
        if let Limit::Time(time) = limit
            && answer.took > time.saturating_add(handover)
        {
            let allowed = time.saturating_add(handover.max(grace));
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
/// at it, but that is no delay of the machine. The search ends before the limit by its margin.
pub(super) fn search(
    agent: &mut dyn Agent,
    view: Option<&dyn Session>,
    (limit, grace, meter): (Limit, Duration, Option<&DelayMeter>),
    stop: &StopFlag,
) -> Result<Answer, Fault> {
    let failed = |error: SearchError| Fault::Failed(error.to_string());
    let started = Instant::now();
    if let Some(meter) = meter {
        meter.asked(started);
    }
    let looked = view.map_or(Ok(()), |view| agent.reset(view));
    let budget = match limit {
        Limit::Time(time) => {
            let deadline = started.checked_add(time - margin(time, grace, meter));
            // A time too long for the system's clock is no deadline.
            deadline.map_or(Budget::time(time), Budget::until)
        }
        Limit::Playouts(playouts) => Budget::iterations(playouts),
    };
    // A search that begins after its deadline tells no delay of the machine.
    let deadline = budget.deadline().filter(|&deadline| Instant::now() < deadline);
    let budget = budget.early_stop(false).or_stopped_by(stop.clone());
    let report = looked.and_then(|()| agent.search(budget, &mut |_| ()));
    let took = started.elapsed();
    if let Some(meter) = meter {
        meter.answered(deadline);
    }
    let report = report.map_err(failed)?;
    Ok(Answer {
        action: report.best.map(|best| best.action),
        took,
        playouts: report.iterations,
        depth: report.depth,
        ..Answer::default()
    })
}

#[cfg(test)]
mod tests {
    use boughs_agents::AgentSpec;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// Counts an answer of an agent to a limit of 20 ms. Returns the number of late answers, or the fault.
    fn counted(took: Duration, grace: Duration) -> Result<u32, Fault> {
        let start = boughs_games::start("tictactoe").expect("a game");
        let agent = AgentSpec::default().build(&*start.position).expect("an agent");
        let mut seat = Seat::of(Participant::Agent(agent));
        seat.count(&Answer { took, ..Answer::default() }, Limit::Time(20 * MS), grace, 1).map(|()| seat.late)
    }

    #[test]
    fn an_agent_is_not_late_by_the_moment_it_takes_to_come_back() {
        for grace in [0, 1, 50] {
            assert_eq!(counted(20 * MS + MS / 2, grace * MS), Ok(0), "{grace}");
        }
        assert_eq!(counted(22 * MS, 50 * MS), Ok(1));
        assert_eq!(counted(22 * MS, Duration::ZERO), Err(Fault::Late { after: 22 * MS, allowed: 21 * MS }));
        assert_eq!(counted(71 * MS, 50 * MS), Err(Fault::Late { after: 71 * MS, allowed: 70 * MS }));
    }

    #[test]
    fn an_agent_ends_its_search_early_where_it_has_little_grace() {
        let margin = |time: u32, grace: u32| margin(time * MS, grace * MS, None);
        assert_eq!(
            [margin(100, 50), margin(100, 10), margin(100, 3), margin(100, 0)],
            [Duration::ZERO, Duration::ZERO, 7 * MS, 10 * MS]
        );
        assert_eq!(margin(8, 0), 4 * MS);
    }

    #[test]
    fn the_grace_counts_for_the_margin_that_the_machine_needs() {
        let meter = DelayMeter::start();
        (0..3).for_each(|_| meter.answered(Instant::now().checked_sub(5_000 * MS)));
        let time = 100_000 * MS;
        let needed = meter.margin(MARGIN, time);
        assert!(needed >= 10_000 * MS + MARGIN);
        for grace in [0, 3, 50] {
            assert_eq!(margin(time, grace * MS, Some(&meter)), needed - grace * MS);
        }
        assert_eq!(margin(time, time, Some(&meter)), Duration::ZERO);
    }
}
