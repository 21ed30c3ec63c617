//! A walk through everything that an engine has to do, in numbered steps.

mod gtp;
mod ugi;

use std::time::Duration;

use boughs::{Rng, StopFlag, Turn};
use boughs_games::StartedGame;

use super::EngineProtocol;
use crate::contestant::no_engine;
use crate::program::{Bot, Launch, plain};
use crate::{ArenaError, Contestant, Fault};

/// Time for an answer that needs no search, the first one too.
const QUICKLY: Duration = Duration::from_secs(10);

/// Time in which an engine has to stop or to end.
const AT_ONCE: Duration = Duration::from_secs(2);

/// The part that an answer of GTP lacks if it does not end.
const NO_END: &str = "and no empty line after it";

/// An engine to check, and the conditions.
#[derive(Clone, Debug)]
pub struct EngineCheck {
    /// The engine, as in `gtp:gnugo --mode gtp`.
    pub engine: Contestant,
    /// The game, as in `go:size=9`.
    pub game: String,
    /// The time of a move.
    pub time: Duration,
    /// The time beyond it that is forgiven.
    pub grace: Duration,
    /// The most moves that the engine has to find in a game.
    pub moves: usize,
}

/// A step of the check, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckStep {
    /// The number of the step, counted from 1.
    pub number: usize,
    /// The duty of the engine, as the rest of a sentence about it.
    pub does: &'static str,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The engine does it.
    Passed,
    /// The engine does not do it; one sentence says what it does instead.
    Failed(String),
    /// The engine or the game has no such thing, for this reason.
    Skipped(String),
}

/// The news of a check.
#[derive(Clone, Copy, Debug)]
pub enum CheckNews<'c> {
    /// A step begins: its number, and the duty of the engine.
    Begins(usize, &'static str),
    /// A step is done.
    Done(&'c CheckStep),
}

/// The reason why a step has not passed.
enum Trouble {
    Failed(String),
    Skipped(String),
}

impl Trouble {
    fn failed<T>(why: impl Into<String>) -> Result<T, Trouble> {
        Err(Trouble::Failed(why.into()))
    }

    fn skipped<T>(why: impl Into<String>) -> Result<T, Trouble> {
        Err(Trouble::Skipped(why.into()))
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Failed(format!("it {fault}"))
    }
}

/// The reason why a question has no answer. `wrote` are the lines that came instead of one, and `lacks` tells why they
/// are none.
fn unanswered(fault: Fault, question: &str, wrote: &[String], lacks: &str) -> Trouble {
    // The last line of a question is the one that asks.
    let question = plain::shown(question.lines().last().unwrap_or_default());
    let wrote = plain::shown(wrote.join("\n").trim());
    Trouble::Failed(match fault {
        Fault::Late { after, .. } if wrote.is_empty() => {
            format!("no answer to '{question}' after {} ms", after.as_millis())
        }
        Fault::Late { after, .. } => {
            format!("it wrote '{wrote}' {lacks}, after '{question}' and {} ms", after.as_millis())
        }
        Fault::Flooded if !wrote.is_empty() => format!("it wrote '{wrote}' before it was asked '{question}'"),
        other => format!("it {other}"),
    })
}

type Stepped = Result<(), Trouble>;

/// A step: what the engine has to do, and how that is tried.
type Try = (&'static str, fn(&mut Walk<'_>) -> Stepped);

/// The engine on its walk.
struct Walk<'c> {
    check: &'c EngineCheck,
    stop: &'c StopFlag,
    start: StartedGame,
    protocol: EngineProtocol,
    /// The running engine; `None` after a fault.
    bot: Option<Bot>,
    /// The longest time of a move so far.
    longest: Duration,
}

/// Checks an engine step by step. `see` gets each step when it begins and when it is done, and returns false to end the
/// walk, as `stop` does. If the first step fails, the others are skipped.
///
/// # Errors
/// If the game or the program is not there, or engines cannot play the game.
pub fn check_engine(
    check: &EngineCheck,
    stop: &StopFlag,
    see: &mut dyn FnMut(CheckNews<'_>) -> bool,
) -> Result<Vec<CheckStep>, ArenaError> {
    let start = boughs_games::start(&check.game)?;
    let Some(protocol) = check.engine.protocol() else {
        return Err(ArenaError::new(no_engine(&check.engine.to_string()).to_string()));
    };
    protocol.check(&start)?;
    let steps = match protocol {
        EngineProtocol::Gtp => gtp::STEPS,
        EngineProtocol::Ugi | EngineProtocol::Uai => ugi::STEPS,
    };
    let mut walk = Walk { check, stop, start, protocol, bot: None, longest: Duration::ZERO };
    // A program that is not there is no fault of an engine.
    walk.bot = Some(walk.start_engine().map_err(|fault| ArenaError::new(format!("{} {fault}", check.engine)))?);
    let mut done: Vec<CheckStep> = Vec::new();
    for (number, (does, run)) in (1..).zip(steps) {
        // An engine that does not speak its protocol at all does nothing else right.
        let is_lost = done.first().is_some_and(|first| matches!(first.outcome, Outcome::Failed(_)));
        let outcome = if is_lost {
            Outcome::Skipped("the first step failed".to_string())
        } else {
            if !see(CheckNews::Begins(number, does)) {
                break;
            }
            walk.outcome(*run)
        };
        if stop.is_raised() {
            break;
        }
        let step = CheckStep { number, does, outcome };
        let goes_on = see(CheckNews::Done(&step));
        done.push(step);
        if !goes_on {
            break;
        }
    }
    Ok(done)
}

impl Walk<'_> {
    /// Takes a step.
    fn outcome(&mut self, run: fn(&mut Self) -> Stepped) -> Outcome {
        match run(self) {
            Ok(()) => Outcome::Passed,
            Err(Trouble::Skipped(why)) => Outcome::Skipped(why),
            Err(Trouble::Failed(why)) => {
                // What the engine would say next may belong to this step.
                self.bot = None;
                Outcome::Failed(why)
            }
        }
    }

    fn start_engine(&self) -> Result<Bot, Fault> {
        let Contestant::Program(program) = &self.check.engine else {
            return Err(Fault::NotStarted("it is no program".to_string()));
        };
        let bot = Bot::start(&Launch { program, cores: &[], time: None })?;
        Ok(bot.stopped_by(self.stop.clone()))
    }

    /// The running engine. It is started again if it is not running.
    fn bot(&mut self) -> Result<&mut Bot, Trouble> {
        let bot = match self.bot.take() {
            Some(bot) => bot,
            None => {
                let mut bot = self.start_engine()?;
                self.greet(&mut bot)?;
                bot
            }
        };
        Ok(self.bot.insert(bot))
    }

    /// Begins with an engine that was started again.
    fn greet(&self, bot: &mut Bot) -> Stepped {
        let name = self.protocol.name();
        let mut until = |question: &str, answer: &str| {
            let answered = bot.ask_until(question, QUICKLY, |line| line == answer);
            answered.map_err(|fault| unanswered(fault, question, &[], ""))
        };
        match self.protocol {
            EngineProtocol::Gtp => {
                let question = "protocol_version";
                let answered = bot.ask_paragraph(question, QUICKLY);
                answered.map(|_| ()).map_err(|fault| unanswered(fault, question, bot.unfinished(), NO_END))
            }
            EngineProtocol::Ugi | EngineProtocol::Uai => {
                until(name, &format!("{name}ok"))?;
                until(&format!("{name}newgame\nisready"), "readyok").map(|_| ())
            }
        }
    }

    /// The time in which a move has to come.
    fn allowed(&self) -> Duration {
        // A later move is waited for, so that its lateness can be told.
        self.latest().saturating_add(QUICKLY)
    }

    /// The time after which a move is late.
    fn latest(&self) -> Duration {
        self.check.time.saturating_add(self.check.grace)
    }

    /// Notes the time of a move.
    fn took(&mut self, time: Duration) {
        self.longest = self.longest.max(time);
    }

    /// Fails if a move so far has taken too long.
    fn keeps_its_time(&mut self) -> Stepped {
        let allowed = self.latest();
        match self.longest {
            Duration::ZERO => Trouble::skipped("it has found no move"),
            longest if longest > allowed => {
                let (longest, time, grace) = (longest.as_millis(), self.check.time.as_millis(), self.check.grace);
                let grace = grace.as_millis();
                Trouble::failed(format!("a move took {longest} ms of {time} ms and a grace of {grace} ms"))
            }
            _ => Ok(()),
        }
    }

    /// The actions of a random game from its start to its end, which is always the same.
    fn random_game(&self) -> Vec<u32> {
        let (mut position, mut rng) = (self.start.position.clone(), Rng::new(1, 1));
        let mut actions = Vec::new();
        while let (Turn::Player(_), Some(action)) = (position.turn(), position.random_action(&mut rng)) {
            position.apply(action);
            actions.push(action);
        }
        actions
    }

    /// Fails unless the engine ends soon.
    fn ends(&mut self) -> Stepped {
        let has_ended = self.bot()?.ends_within(AT_ONCE);
        // The next step begins with another process.
        self.bot = None;
        match has_ended {
            true => Ok(()),
            false => Trouble::failed(format!("it still runs {} s after 'quit'", AT_ONCE.as_secs())),
        }
    }
}
