//! How programs are spoken to in a game: by the plain lines, or by those of the contest the game comes from.

use std::time::Duration;

use boughs::Rng;
use boughs::notation::{find_move, legal_moves};
use boughs_games::{FIRST_ANSWER, Listed, Official, Verdict};

use crate::program::Bot;
use crate::program::plain::{self, Greeting};
use crate::{ArenaError, Fault};

/// How long a program may take to come up, and to answer where playouts are counted and not time.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// What programs are told, and what their answers mean.
pub(crate) enum Speech<G> {
    Plain,
    Official(Box<dyn Official<G>>),
}

/// What a program has answered.
pub(crate) struct Heard<A> {
    pub(crate) action: A,
    pub(crate) took: Duration,
    /// Whether it wanted something else, which is not legal.
    pub(crate) is_refused: bool,
    /// What there is to say about it; empty if there is nothing.
    pub(crate) remark: String,
}

impl<G: Listed> Speech<G> {
    /// How programs are spoken to in a game that began with these moves; `luck` is for what a referee leaves to chance.
    ///
    /// # Errors
    /// If a move does not fit.
    pub(crate) fn of(start: &G, opening: &[String], luck: Rng) -> Result<Speech<G>, ArenaError> {
        let Some(mut official) = start.official(luck) else { return Ok(Speech::Plain) };
        let mut position = start.clone();
        for text in opening {
            let action = find_move(&position, text)
                .ok_or_else(|| ArenaError(format!("'{text}' is no legal move of the opening")))?;
            official.follow(&position, action);
            position.apply(action);
        }
        Ok(Speech::Official(official))
    }

    /// Whether programs say that they are ready, before they are asked.
    pub(crate) fn greets(&self) -> bool {
        matches!(self, Speech::Plain)
    }

    /// Greets a program, and waits until it is ready. A referee of a contest says nothing before its first question.
    pub(crate) fn greet(&self, bot: &mut Bot, greeting: &Greeting<'_>) -> Result<(), Fault> {
        match self {
            Speech::Plain => {
                let ready = bot.ask(&plain::greeting(greeting), PATIENCE);
                ready.and_then(|(answer, _)| plain::check_ready(&answer)).map_err(not_ready)
            }
            Speech::Official(_) => Ok(()),
        }
    }

    /// Asks a program what it does in a position that these moves led to.
    pub(crate) fn ask(
        &mut self,
        bot: &mut Bot,
        (position, seat): (&G, usize),
        moves: &[String],
        allowed: Duration,
    ) -> Result<Heard<G::Action>, Fault> {
        match self {
            Speech::Plain => {
                let (actions, texts): (Vec<_>, Vec<_>) = legal_moves(position).into_iter().unzip();
                let (answer, took) = bot.ask(&plain::turn(moves, &texts), allowed)?;
                let action = actions[plain::chosen(&answer, &texts)?];
                Ok(Heard { action, took, is_refused: false, remark: String::new() })
            }
            Speech::Official(official) => {
                let (answer, took) = bot.ask(&official.question(position, seat), allowed)?;
                match official.judge(position, seat, &answer) {
                    Verdict::Done { action, remark } => Ok(Heard { action, took, is_refused: false, remark }),
                    Verdict::Refused { action, remark } => Ok(Heard { action, took, is_refused: true, remark }),
                    Verdict::Disqualified => Err(Fault::Illegal(plain::shown(&answer))),
                }
            }
        }
    }

    /// Something happens in a position, whoever does it.
    pub(crate) fn follow(&mut self, position: &G, action: G::Action) {
        if let Speech::Official(official) = self {
            official.follow(position, action);
        }
    }

    /// Tells a program how the game has ended. A referee of a contest does not.
    pub(crate) fn take_leave(&self, bot: &mut Bot, rewards: &[f64]) {
        if let Speech::Plain = self {
            // Who does not listen any more has nothing to hear.
            _ = bot.tell(&plain::end(rewards));
        }
    }

    /// What happens where a seat loses by a fault; `None` if the game just ends.
    pub(crate) fn disqualify(&self, position: &G, seat: usize) -> Option<G::Action> {
        match self {
            Speech::Plain => None,
            Speech::Official(official) => official.disqualify(position, seat),
        }
    }

    /// How long a first answer may take at least.
    pub(crate) fn first_answer(&self) -> Duration {
        match self {
            Speech::Plain => Duration::ZERO,
            Speech::Official(_) => FIRST_ANSWER,
        }
    }

    /// Whether the game is broken off here, after so many questions.
    pub(crate) fn breaks_off(&self, position: &G, questions: u64) -> bool {
        match self {
            Speech::Plain => false,
            Speech::Official(official) => official.breaks_off(position, questions),
        }
    }
}

/// A fault of a program before the first move.
fn not_ready(fault: Fault) -> Fault {
    match fault {
        Fault::Exited(status) => Fault::NotStarted(format!("it ended before it was ready ({status})")),
        Fault::Late { .. } => Fault::NotStarted(format!("it did not say that it is ready within {PATIENCE:?}")),
        other => other,
    }
}
