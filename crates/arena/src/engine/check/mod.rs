//! A walk through everything that an engine has to do, in numbered steps.

mod gtp;
mod ugi;

use std::time::Duration;

use boughs::{Rng, StopFlag, Turn};
use boughs_games::StartedGame;

use super::{EngineProtocol, LOADING};
use crate::program::{Bot, Launch};
use crate::{ArenaError, Contestant, Fault};

/// Time for an answer that needs no search.
const QUICKLY: Duration = Duration::from_secs(10);

/// Time in which an engine has to stop or to end.
const AT_ONCE: Duration = Duration::from_secs(2);

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
    has_started: bool,
    /// The longest time of a move so far.
    longest: Duration,
}

/// Checks an engine step by step. `see` gets each step when it is done, and returns false to end the walk, as `stop`
/// does.
///
/// # Errors
/// If the game or the program is not there, or engines cannot play the game.
pub fn check_engine(
    check: &EngineCheck,
    stop: &StopFlag,
    see: &mut dyn FnMut(&CheckStep) -> bool,
) -> Result<Vec<CheckStep>, ArenaError> {
    let start = boughs_games::start(&check.game)?;
    let Some(protocol) = check.engine.protocol() else {
        return Err(ArenaError::new(format!(
            "'{}' is no engine; write gtp:, ugi: or uai: and its command, as in 'gtp:gnugo --mode gtp'",
            check.engine
        )));
    };
    protocol.check(&start)?;
    let steps = match protocol {
        EngineProtocol::Gtp => gtp::STEPS,
        EngineProtocol::Ugi | EngineProtocol::Uai => ugi::STEPS,
    };
    let mut walk = Walk { check, stop, start, protocol, bot: None, has_started: false, longest: Duration::ZERO };
    // A program that is not there is no fault of an engine.
    walk.bot().map_err(|fault| ArenaError::new(format!("{} {fault}", check.engine)))?;
    let mut done = Vec::new();
    for (index, (does, run)) in steps.iter().enumerate() {
        let outcome = match run(&mut walk) {
            Ok(()) => Outcome::Passed,
            Err(Trouble::Skipped(why)) => Outcome::Skipped(why),
            Err(Trouble::Failed(why)) => {
                // What the engine would say next may belong to this step.
                walk.bot = None;
                Outcome::Failed(why)
            }
        };
        if stop.is_raised() {
            break;
        }
        done.push(CheckStep { number: index + 1, does, outcome });
        // An engine that does not speak its protocol at all does nothing else right.
        let is_lost = index == 0 && matches!(done[index].outcome, Outcome::Failed(_));
        if !see(&done[index]) || is_lost {
            break;
        }
    }
    Ok(done)
}

impl Walk<'_> {
    /// The running engine. It is started if it is not running.
    fn bot(&mut self) -> Result<&mut Bot, Fault> {
        let bot = match (self.bot.take(), &self.check.engine) {
            (Some(bot), _) => bot,
            (None, Contestant::Program(program)) => {
                let launch = Launch { program, cores: &[], time: None };
                let mut bot = Bot::start(&launch)?.stopped_by(self.stop.clone());
                if self.has_started {
                    self.greet(&mut bot)?;
                }
                self.has_started = true;
                bot
            }
            (None, _) => return Err(Fault::NotStarted("it is no program".to_string())),
        };
        Ok(self.bot.insert(bot))
    }

    /// Begins with an engine that was started again.
    fn greet(&self, bot: &mut Bot) -> Result<(), Fault> {
        let name = self.protocol.name();
        match self.protocol {
            EngineProtocol::Gtp => bot.ask_paragraph("protocol_version", LOADING).map(|_| ()),
            EngineProtocol::Ugi | EngineProtocol::Uai => {
                bot.ask_until(name, LOADING, |line| line == format!("{name}ok"))?;
                bot.ask_until(&format!("{name}newgame\nisready"), QUICKLY, |line| line == "readyok").map(|_| ())
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
