//! UGI and UAI: the commands to an engine, and the meaning of its answers.

use std::time::Duration;

use super::{Engine, EngineProtocol, Followed, LOADING, PASS, not_ready, only_a_pass};
use crate::program::{Bot, Notes};
use crate::protocol::PATIENCE;
use crate::running_game::Answer;
use crate::{Fault, Limit};

/// No move, or a pass, in UAI.
const NO_MOVE: &str = "0000";

/// A move of the game, as an engine writes it.
pub(super) fn client_name(protocol: EngineProtocol, text: &str) -> String {
    if protocol == EngineProtocol::Uai && text == PASS { NO_MOVE.to_string() } else { text.to_string() }
}

/// A move of an engine, as the game writes it.
pub(super) fn own_name(protocol: EngineProtocol, text: &str) -> &str {
    if protocol == EngineProtocol::Uai && text == NO_MOVE { PASS } else { text }
}

/// An engine that speaks UGI or UAI.
pub(super) struct UgiEngine {
    bot: Bot,
    game: Followed,
    protocol: EngineProtocol,
    /// The moves so far, as the engine writes them.
    moves: Vec<String>,
}

impl UgiEngine {
    pub(super) fn new(bot: Bot, game: Followed, protocol: EngineProtocol) -> UgiEngine {
        UgiEngine { bot, game, protocol, moves: Vec::new() }
    }

    /// Plays a move.
    fn apply(&mut self, action: u32) {
        let name = client_name(self.protocol, &self.game.start.position.action_text(action));
        self.moves.push(name);
        self.game.apply(action);
    }

    fn set_up(&mut self) -> Result<(), Fault> {
        let name = self.protocol.name();
        self.bot.ask_until(name, LOADING, |line| line == format!("{name}ok"))?;
        self.bot.tell(&format!("{name}newgame"))?;
        self.bot.ask_until("isready", PATIENCE, |line| line == "readyok")?;
        Ok(())
    }
}

impl Engine for UgiEngine {
    fn greet(&mut self, _: Limit) -> Result<(), Fault> {
        self.set_up().map_err(|fault| not_ready(fault, self.protocol))
    }

    fn ask(&mut self, moves: &[String], limit: Limit, allowed: Duration) -> Result<Answer, Fault> {
        while let Some((action, _)) = self.game.next(moves)? {
            self.apply(action);
        }
        if let Some(pass) = only_a_pass(&*self.game.start.position) {
            return Ok(Answer { action: Some(pass), ..Answer::default() });
        }
        let moves = if self.moves.is_empty() { String::new() } else { format!(" moves {}", self.moves.join(" ")) };
        let limit = match limit {
            Limit::Time(time) => format!("movetime {}", time.as_millis().max(1)),
            Limit::Playouts(playouts) => format!("nodes {playouts}"),
        };
        let question = format!("position startpos{moves}\ngo {limit}");
        let (said, took) = self.bot.ask_until(&question, allowed, |line| line.starts_with("bestmove"))?;
        let said = said.split_whitespace().nth(1).unwrap_or_default();
        let position = &self.game.start.position;
        let action = position.find_move(own_name(self.protocol, said)).ok_or_else(|| {
            let legal = position.legal_moves().into_iter().map(|(_, text)| text);
            Fault::illegal(said, &legal.collect::<Vec<_>>())
        })?;
        self.apply(action);
        Ok(Answer { action: Some(action), took, ..Answer::default() })
    }

    fn finish(mut self: Box<Self>, patience: Duration) -> Notes {
        // An engine that no longer reads its input needs no farewell.
        _ = self.bot.tell("quit");
        self.bot.finish(patience)
    }
}
