//! Cases of a contest, played by an agent or a program and scored as the contest does.
//!
//! Cases come from seeds or from files of the contest. Several are played at a time; what is said of them comes in their order
//! all the same. A program is spoken to by the contest's protocol and timed from outside; whatever it does, its case ends with
//! a score of 0 and a fault, nothing of it is left, and the run goes on.

mod cases;
mod page;
mod play;
mod seat;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use boughs::{SearchError, StopFlag};
use boughs_arena::{Fault, Program};
use boughs_bots::BotSpec;

pub use self::cases::{Cases, Named};
pub use self::page::{MOST_SHOWN, Shown, page};
pub use self::play::{Turn, Verdict};
use self::seat::Seat;

/// Who is judged.
#[derive(Clone, Debug, PartialEq)]
pub enum Contestant {
    /// An agent of Boughs.
    Agent(BotSpec),
    /// A program that speaks the protocol of the contest.
    Program(Program),
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Agent(agent) => agent.fmt(f),
            Contestant::Program(program) => boughs_arena::Contestant::Program(program.clone()).fmt(f),
        }
    }
}

/// What a case may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// Time for a whole case. An agent stops thinking so much before it is over.
    Time {
        /// The time.
        time: Duration,
        /// How much of it an agent leaves.
        margin: Duration,
    },
    /// Playouts of an agent for a whole case, however long they take.
    Playouts(u64),
}

/// How cases are judged.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// What a case may take.
    pub limit: Limit,
    /// Of an agent's randomness, the same in each case, as if it were a program that is started anew.
    pub seed: u64,
    /// How many cases are played at a time.
    pub concurrency: usize,
    /// Of how many cases, from the first one, the turns are kept.
    pub kept: usize,
}

/// Plays cases. `see` hears of each, in their order, and may break off; when `stop` is raised, cases under way are dropped.
/// Gives the verdicts by the numbers of their cases: all, or those there are by then.
///
/// # Errors
/// If the contestant cannot be had at all: its program is not there, or the agent has no memory.
pub fn judge(
    cases: &Cases,
    contestant: &Contestant,
    terms: &Terms,
    stop: &StopFlag,
    see: &mut dyn FnMut(&Named, &Verdict) -> ControlFlow<()>,
) -> Result<Vec<(Named, Verdict)>, JudgeError> {
    let next = AtomicUsize::new(0);
    let workers = terms.concurrency.clamp(1, cases.len().max(1));
    let (sender, receiver) = sync_channel(workers);
    // Raised when a case cannot be played, and by who has seen enough.
    let enough = &StopFlag::default();
    let is_over = || stop.is_raised() || enough.is_raised();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            scope.spawn(move || {
                let mut seat = match Seat::of(contestant, terms) {
                    Ok(seat) => seat,
                    Err(error) => {
                        // Nobody listens any more where another one has failed before.
                        let _ = sender.send(Err(error));
                        return;
                    }
                };
                while !is_over() {
                    let number = next.fetch_add(1, Relaxed);
                    let Some(named) = cases.get(number) else { return };
                    let judged = seat.play(&named.case, terms, stop).transpose();
                    let Some(judged) = judged else { return };
                    let judged = judged.map(|verdict| (number, named, verdict.keep(number < terms.kept)));
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
                    order.tell(is_over(), see).is_break().then(|| enough.raise());
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
                    let _ = order.tell(true, see);
                }
                Ok(order.told)
            }
        }
    })
}

/// Brings verdicts into the order of their cases.
#[derive(Default)]
struct Order {
    next: usize,
    waiting: BTreeMap<usize, (Named, Verdict)>,
    told: Vec<(Named, Verdict)>,
}

impl Order {
    fn add(&mut self, number: usize, judged: (Named, Verdict)) {
        self.waiting.insert(number, judged);
    }

    /// Tells of those that nobody comes before any more; of all if nobody comes any more.
    fn tell(&mut self, is_all: bool, see: &mut dyn FnMut(&Named, &Verdict) -> ControlFlow<()>) -> ControlFlow<()> {
        while let Some(first) = self.waiting.first_entry() {
            if *first.key() != self.next && !is_all {
                break;
            }
            self.next = first.key() + 1;
            let (named, verdict) = first.remove();
            let flow = see(&named, &verdict);
            self.told.push((named, verdict));
            flow?;
        }
        ControlFlow::Continue(())
    }
}

/// Why there is no verdict. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq)]
pub enum JudgeError {
    /// The agent cannot be had.
    Agent(SearchError),
    /// The program cannot be started.
    Program(Fault),
    /// There are no cases, for this reason.
    Cases(String),
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JudgeError::Agent(error) => error.fmt(f),
            JudgeError::Program(fault) => write!(f, "the program {fault}"),
            JudgeError::Cases(sentence) => f.write_str(sentence),
        }
    }
}

impl std::error::Error for JudgeError {}
