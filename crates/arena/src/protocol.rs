//! The protocol between the arena and programs in a game: the plain lines, or those of the contest the game comes from.

use std::time::Duration;

use boughs::{Rng, Session};
use boughs_games::{FIRST_ANSWER, Referee, StartedGame, Verdict};

use crate::program::Bot;
use crate::program::plain::{self, Greeting};
use crate::running_game::Answer;
use crate::{ArenaError, Fault};

/// Time in which a program has to become ready, and to answer where the limit is in playouts.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// The protocol of one game.
pub(crate) enum Protocol {
    /// The lines of `docs/PROTOCOL.md`.
    Plain,
    /// The lines of a contest. Its referee follows the game.
    Contest(Box<dyn Referee>),
}

impl Protocol {
    /// Chooses the protocol of a game that begins with the moves of `opening`. `rng` serves what the referee leaves to
    /// chance.
    ///
    /// # Errors
    /// If a move of the opening is not legal.
    pub(crate) fn of(start: &StartedGame, opening: &[String], rng: Rng) -> Result<Protocol, ArenaError> {
        let Some(mut referee) = start.entry.referee(&*start.position, rng) else { return Ok(Protocol::Plain) };
        let mut position = start.position.clone();
        for text in opening {
            let action = position
                .find_move(text)
                .ok_or_else(|| ArenaError::new(format!("'{text}' is no legal move of the opening")))?;
            referee.follow(&*position, action);
            position.apply(action);
        }
        Ok(Protocol::Contest(referee))
    }

    /// Returns true if programs announce that they are ready before the first question.
    pub(crate) fn greets(&self) -> bool {
        matches!(self, Protocol::Plain)
    }

    /// Greets a program and waits until it is ready. In a contest the first question is the first line.
    pub(crate) fn greet(&self, bot: &mut Bot, greeting: &Greeting<'_>) -> Result<(), Fault> {
        match self {
            Protocol::Plain => {
                let ready = bot.ask(&plain::greeting(greeting), PATIENCE);
                ready.and_then(|(answer, _)| plain::check_ready(&answer)).map_err(not_ready)
            }
            Protocol::Contest(_) => Ok(()),
        }
    }

    /// Asks a program for its action in a position that `moves` led to.
    pub(crate) fn ask(
        &mut self,
        bot: &mut Bot,
        (position, seat): (&dyn Session, usize),
        moves: &[String],
        allowed: Duration,
    ) -> Result<Answer, Fault> {
        match self {
            Protocol::Plain => {
                let (actions, texts): (Vec<u32>, Vec<String>) = position.legal_moves().into_iter().unzip();
                let (answer, took) = bot.ask(&plain::turn(moves, &texts), allowed)?;
                let action = Some(actions[plain::chosen(&answer, &texts)?]);
                Ok(Answer { action, took, ..Answer::default() })
            }
            Protocol::Contest(referee) => {
                let (answer, took) = bot.ask(&referee.question(position, seat), allowed)?;
                let (action, remark, is_refused) = match referee.judge(position, seat, &answer) {
                    Verdict::Done { action, remark } => (Some(action), remark, false),
                    Verdict::Refused { action, remark } => (Some(action), remark, true),
                    Verdict::Disqualified => return Err(Fault::Illegal(plain::shown(&answer))),
                };
                Ok(Answer { action, took, is_refused, remark, ..Answer::default() })
            }
        }
    }

    /// Shows the referee an action, before it is played in the position.
    pub(crate) fn follow(&mut self, position: &dyn Session, action: u32) {
        if let Protocol::Contest(referee) = self {
            referee.follow(position, action);
        }
    }

    /// Tells a program how the game has ended. Contests end without a word.
    pub(crate) fn close(&self, bot: &mut Bot, rewards: &[f64]) {
        if let Protocol::Plain = self {
            // The result is lost on a program that no longer reads its input.
            _ = bot.tell(&plain::end(rewards));
        }
    }

    /// Returns the action that replaces the move of a disqualified player; `None` if the game ends.
    pub(crate) fn disqualify(&self, position: &dyn Session, seat: usize) -> Option<u32> {
        match self {
            Protocol::Plain => None,
            Protocol::Contest(referee) => referee.disqualify(position, seat),
        }
    }

    /// The least time that is allowed for a first answer.
    pub(crate) fn first_answer(&self) -> Duration {
        match self {
            Protocol::Plain => Duration::ZERO,
            Protocol::Contest(_) => FIRST_ANSWER,
        }
    }

    /// Returns true if the contest cuts the game here, after this number of questions to all players together.
    pub(crate) fn breaks_off(&self, position: &dyn Session, questions: u64) -> bool {
        match self {
            Protocol::Plain => false,
            Protocol::Contest(referee) => referee.breaks_off(position, questions),
        }
    }
}

/// Turns a fault of a program before the first move into the reason why it did not start.
fn not_ready(fault: Fault) -> Fault {
    match fault {
        Fault::Exited(status) => Fault::NotStarted(format!("it ended before it was ready ({status})")),
        Fault::Late { .. } => Fault::NotStarted(format!(
            "it did not say that it is ready within {PATIENCE:?}; a line arrives only when the program flushes it"
        )),
        other => other,
    }
}
