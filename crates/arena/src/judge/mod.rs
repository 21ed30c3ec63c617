//! Cases of a contest, played by an agent or a program and scored as the contest does.
//!
//! Cases come from seeds or from files of the contest. Several are played at a time, and reported in their order all
//! the same. A program is spoken to by the contest's protocol and timed from outside. After a fault its case ends with
//! a score of 0, no process of it is left, and the run goes on.

mod cases;
mod order;
mod play;
mod runner;

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use boughs::{SearchError, StopFlag};

pub use self::cases::{Cases, NamedCase};
use self::order::Order;
pub use self::play::{CaseAnswer, CaseTurn, CaseVerdict, play_case};
use self::runner::CaseRunner;
use crate::{Contestant, ContestantError, Fault, Limit};

/// The settings of a run of cases.
#[derive(Clone, Copy, Debug)]
pub struct JudgeSettings {
    /// Limit of a whole case. Playouts are an agent's, which may take any time for them.
    pub limit: Limit,
    /// Least time before the end of a limit in time at which an agent stops thinking. It is wider while the machine
    /// wakes threads late ([`DelayMeter`](boughs::DelayMeter)).
    pub margin: Duration,
    /// Seed of an agent. Each case begins with the same seed, as if the agent were a program that is started anew.
    pub seed: u64,
    /// Number of cases at a time.
    pub concurrency: usize,
    /// Number of cases, from the first one, whose turns are kept.
    pub kept: usize,
}

/// Plays cases. `see` gets each verdict, in the order of the cases, and may break off. When `stop` is raised, cases in
/// progress are dropped. Returns the verdicts that `see` got.
///
/// # Errors
/// If the contestant cannot be started at all: its program is not there, or the agent does not get its memory.
pub fn judge(
    cases: &Cases,
    contestant: &Contestant,
    settings: &JudgeSettings,
    stop: &StopFlag,
    see: &mut dyn FnMut(&NamedCase, &CaseVerdict) -> ControlFlow<()>,
) -> Result<Vec<(NamedCase, CaseVerdict)>, JudgeError> {
    let settings = &JudgeSettings { limit: settings.limit.times(contestant.odds()), ..*settings };
    let next = AtomicUsize::new(0);
    let workers = settings.concurrency.clamp(1, cases.len().max(1));
    let (sender, receiver) = sync_channel(workers);
    // Raised if a case cannot be played, and if `see` breaks off.
    let enough = &StopFlag::default();
    let is_over = || stop.is_raised() || enough.is_raised();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            scope.spawn(move || {
                let mut runner = match CaseRunner::of(contestant, settings) {
                    Ok(runner) => runner,
                    Err(error) => {
                        // Sending fails if the receiver has left with the error of another worker.
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                while !is_over() {
                    let number = next.fetch_add(1, Relaxed);
                    let Some(named) = cases.get(number) else { return };
                    let judged = runner.play(&named.case, settings, stop).transpose();
                    let Some(judged) = judged else { return };
                    let judged = judged.map(|verdict| (number, named, verdict.keep(number < settings.kept)));
                    if sender.send(judged).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut order = Order::default();
        let mut failure = None;
        for judged in receiver {
            match judged {
                Ok((number, named, verdict)) if !enough.is_raised() => {
                    order.add(number, (named, verdict));
                    order.report(is_over(), see).is_break().then(|| enough.raise());
                }
                Ok(_) => {}
                Err(error) => {
                    enough.raise();
                    failure.get_or_insert(error);
                }
            }
        }
        match failure {
            Some(error) => Err(error),
            None => {
                if !enough.is_raised() {
                    let _ = order.report(true, see);
                }
                Ok(order.reported())
            }
        }
    })
}

/// The reason why a run gives no verdicts. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum JudgeError {
    /// The agent cannot be built.
    Agent(SearchError),
    /// The program cannot be started.
    Program(Fault),
    /// The contestant is none of this version.
    Contestant(ContestantError),
    /// There are no cases, for this reason.
    Cases(String),
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JudgeError::Agent(error) => error.fmt(f),
            JudgeError::Program(fault) => write!(f, "the program {fault}"),
            JudgeError::Contestant(error) => error.fmt(f),
            JudgeError::Cases(sentence) => f.write_str(sentence),
        }
    }
}

impl std::error::Error for JudgeError {}
