//! Engines that play by a protocol of board games: GTP, UGI or UAI. Each has a file here.
//!
//! The position is kept here once more, because a move may have another name to an engine, which depends on the
//! position.

mod check;
mod gtp;
mod ugi;

use std::time::Duration;

use boughs::{Session, Turn};
use boughs_games::StartedGame;

pub use self::check::{CheckNews, CheckStep, EngineCheck, Outcome, check_engine};
use self::gtp::GtpEngine;
use self::ugi::UgiEngine;
use crate::program::{Bot, Notes};
use crate::running_game::Answer;
use crate::{ArenaError, Fault, Limit};

/// A pass, in every game that has one.
const PASS: &str = "pass";

/// Time to load what an engine needs, before its first answer.
const LOADING: Duration = Duration::from_secs(120);

/// A protocol of board games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineProtocol {
    /// The Go Text Protocol, version 2.
    Gtp,
    /// The Universal Game Interface.
    Ugi,
    /// The Universal Ataxx Interface, which many other games speak too.
    Uai,
}

impl EngineProtocol {
    /// The name of the protocol in lower case.
    pub fn name(self) -> &'static str {
        match self {
            EngineProtocol::Gtp => "gtp",
            EngineProtocol::Ugi => "ugi",
            EngineProtocol::Uai => "uai",
        }
    }

    /// Checks that engines can play a game by the protocol.
    ///
    /// # Errors
    /// If the game is for more than two, or has luck, secrets or choices at the same time.
    pub fn check(self, start: &StartedGame) -> Result<(), ArenaError> {
        if start.is_open_and_for_two() {
            return Ok(());
        }
        Err(ArenaError::new(format!(
            "{} is for two players who see everything and have no luck, and {} is another kind of game; programs play \
             it by the lines of docs/PROTOCOL.md",
            self.name().to_uppercase(),
            start.entry.name
        )))
    }

    /// A running engine that plays a game from its start.
    pub(crate) fn engine(self, bot: Bot, start: StartedGame) -> Box<dyn Engine> {
        let game = Followed { start, known: 0 };
        match self {
            EngineProtocol::Gtp => Box::new(GtpEngine::new(bot, game)),
            EngineProtocol::Ugi | EngineProtocol::Uai => Box::new(UgiEngine::new(bot, game, self)),
        }
    }
}

/// An engine in a seat of a game.
pub(crate) trait Engine: Send {
    /// Sets up the game.
    fn greet(&mut self, limit: Limit) -> Result<(), Fault>;

    /// Asks for a move in the position that `moves` lead to.
    fn ask(&mut self, moves: &[String], limit: Limit, allowed: Duration) -> Result<Answer, Fault>;

    /// Ends the engine.
    fn finish(self: Box<Self>, patience: Duration) -> Notes;
}

/// The game as an engine knows it.
struct Followed {
    start: StartedGame,
    /// The number of moves that the engine knows.
    known: usize,
}

impl Followed {
    /// Plays the next move.
    fn apply(&mut self, action: u32) {
        self.start.position.apply(action);
        self.known += 1;
    }

    /// The next of all moves that the engine does not know, with its player.
    fn next(&self, moves: &[String]) -> Result<Option<(u32, Turn)>, Fault> {
        let Some(text) = moves.get(self.known) else { return Ok(None) };
        let position = &*self.start.position;
        let action = position.find_move(text).ok_or_else(|| Fault::Failed(format!("'{text}' is no move")))?;
        Ok(Some((action, position.turn())))
    }
}

/// A pass, if it is the only legal move. Some engines know by themselves when a turn has no move.
fn only_a_pass(position: &dyn Session) -> Option<u32> {
    match &position.legal_moves()[..] {
        [(action, text)] if text == PASS => Some(*action),
        _ => None,
    }
}

/// The fault of an engine before the game.
fn not_ready(fault: Fault, protocol: EngineProtocol) -> Fault {
    match fault {
        Fault::Exited(status) => Fault::NotStarted(format!("it ended before it answered ({status})")),
        Fault::Late { allowed, .. } => Fault::NotStarted(format!("it did not answer within {allowed:?}")),
        Fault::Illegal(answer) => {
            let protocol = protocol.name().to_uppercase();
            Fault::NotStarted(format!("it does not speak {protocol}: an answer was '{answer}' instead of '='"))
        }
        other => other,
    }
}
