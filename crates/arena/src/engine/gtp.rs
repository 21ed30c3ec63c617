//! GTP, the Go Text Protocol: the commands to an engine, and the meaning of its answers.

use std::time::Duration;

use boughs::Turn;
use boughs_games::{Grid, Names};

use super::{Engine, EngineProtocol, Followed, LOADING, PASS, not_ready, only_a_pass};
use crate::program::{Bot, Notes, plain};
use crate::protocol::PATIENCE;
use crate::running_game::Answer;
use crate::{Fault, Limit};

/// An engine that speaks GTP.
pub(super) struct GtpEngine {
    bot: Bot,
    game: Followed,
    colours: [&'static str; 2],
    /// True if the engine takes times in whole seconds only.
    takes_whole_seconds: bool,
}

/// The command that sets the size of a board.
pub(super) fn boardsize(grid: &Grid) -> String {
    match grid.columns == grid.rows {
        true => format!("boardsize {}", grid.columns),
        false => format!("boardsize {} {}", grid.columns, grid.rows),
    }
}

/// The answer to a command: its text, or the reason why there is none.
type Said = Result<String, String>;

impl GtpEngine {
    pub(super) fn new(bot: Bot, game: Followed) -> GtpEngine {
        let colours = game.start.entry.colours();
        GtpEngine { bot, game, colours, takes_whole_seconds: false }
    }

    fn set_up(&mut self, limit: Limit) -> Result<(), Fault> {
        _ = self.timed_command("protocol_version", LOADING)?;
        let grid = self.game.start.entry.grid(&*self.game.start.position);
        if let Some(grid) = &grid {
            self.demand(&boardsize(grid))?;
        }
        self.demand("clear_board")?;
        let tallies = self.game.start.entry.tallies(&*self.game.start.position);
        if let (Some(Names::Go), [(_, points)]) = (grid.map(|grid| grid.names), &tallies[..]) {
            // White begins with the komi.
            self.demand(&format!("komi {}", points[1]))?;
        }
        if let Limit::Time(time) = limit {
            // An engine that knows no clocks is late by that of the arena all the same.
            let is_refused = self.command(&format!("time_settings 0 {} 1", self.seconds(time)))?.is_err();
            if is_refused && time >= Duration::from_secs(1) {
                self.takes_whole_seconds = true;
                _ = self.command(&format!("time_settings 0 {} 1", self.seconds(time)))?;
            }
        }
        Ok(())
    }

    /// Tells the engine the moves that it does not know. Returns the time that it took.
    fn catch_up(&mut self, moves: &[String], allowed: Duration) -> Result<Duration, Fault> {
        let mut took = Duration::ZERO;
        while let Some((action, turn)) = self.game.next(moves)? {
            if let Turn::Player(player) = turn {
                let vertex = self.game.start.entry.vertex(&*self.game.start.position, action);
                let command = format!("play {} {vertex}", self.colours[player]);
                // An engine that knows by itself when a turn has no move may not take it for one.
                let (said, needed) = self.timed_command(&command, allowed)?;
                took += needed;
                match said {
                    Err(why) if vertex != PASS => {
                        return Err(Fault::Failed(format!("it refused '{command}': '{why}'")));
                    }
                    _ => {}
                }
            }
            self.game.apply(action);
        }
        Ok(took)
    }

    /// A time in seconds, as a whole number where it is one or where the engine takes no other.
    fn seconds(&self, time: Duration) -> f64 {
        let seconds = time.as_millis() as f64 / 1e3;
        if self.takes_whole_seconds { seconds.floor() } else { seconds }
    }

    /// Gives a command that the engine has to accept before the game.
    fn demand(&mut self, command: &str) -> Result<(), Fault> {
        let refused = |why| Fault::NotStarted(format!("it refused '{command}': '{why}'"));
        self.command(command)?.map(|_| ()).map_err(refused)
    }

    fn command(&mut self, command: &str) -> Result<Said, Fault> {
        self.timed_command(command, PATIENCE).map(|(said, _)| said)
    }

    fn timed_command(&mut self, command: &str, allowed: Duration) -> Result<(Said, Duration), Fault> {
        let (lines, took) = self.bot.ask_paragraph(command, allowed)?;
        let text = lines.join(" ");
        let mut rest = text.chars();
        let is_good = match rest.next() {
            Some('=') => true,
            Some('?') => false,
            _ => return Err(Fault::Illegal(plain::shown(&text))),
        };
        // A number would be that of a command, and commands here have none.
        let said = rest.as_str().trim();
        Ok((if is_good { Ok(said.to_string()) } else { Err(plain::shown(said)) }, took))
    }
}

impl Engine for GtpEngine {
    fn greet(&mut self, limit: Limit) -> Result<(), Fault> {
        self.set_up(limit).map_err(|fault| not_ready(fault, EngineProtocol::Gtp))
    }

    fn ask(&mut self, moves: &[String], limit: Limit, allowed: Duration) -> Result<Answer, Fault> {
        let mut took = self.catch_up(moves, allowed)?;
        if let Some(pass) = only_a_pass(&*self.game.start.position) {
            return Ok(Answer { action: Some(pass), ..Answer::default() });
        }
        let Turn::Player(player) = self.game.start.position.turn() else {
            return Err(Fault::Failed("it has no turn".to_string()));
        };
        let colour = self.colours[player];
        if let Limit::Time(time) = limit {
            took += self.timed_command(&format!("time_left {colour} {} 1", self.seconds(time)), allowed)?.1;
        }
        let (said, thought) = self.timed_command(&format!("genmove {colour}"), allowed)?;
        took += thought;
        let said = said.map_err(|fault| Fault::Failed(format!("it has no move: '{fault}'")))?;
        if said.eq_ignore_ascii_case("resign") {
            return Err(Fault::Resigned);
        }
        let position = &*self.game.start.position;
        let legal = position.legal_moves();
        let is_named = |action: u32| self.game.start.entry.vertex(position, action).eq_ignore_ascii_case(&said);
        let found = legal.iter().find(|(action, _)| is_named(*action)).map(|(action, _)| *action);
        let action = found.ok_or_else(|| {
            let vertices = legal.iter().map(|&(action, _)| self.game.start.entry.vertex(position, action));
            Fault::illegal(&said, &vertices.collect::<Vec<_>>())
        })?;
        self.game.apply(action);
        Ok(Answer { action: Some(action), took, ..Answer::default() })
    }

    fn finish(mut self: Box<Self>, patience: Duration) -> Notes {
        // An engine that no longer reads its input needs no farewell.
        _ = self.bot.tell("quit");
        self.bot.finish(patience)
    }
}
