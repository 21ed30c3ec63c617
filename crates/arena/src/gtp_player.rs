//! A program that plays by GTP, the Go Text Protocol: the commands to it, and the meaning of its answers.
//!
//! The position is kept here once more, because a move has the name of its point to a program, and which point that is
//! depends on the position.

use std::time::Duration;

use boughs::Turn;
use boughs_games::{Names, StartedGame};

use crate::program::{Bot, Notes, plain};
use crate::protocol::PATIENCE;
use crate::running_game::Answer;
use crate::{ArenaError, Fault, Limit};

/// A pass, in every game that has one.
const PASS: &str = "pass";

/// A program in a seat, and the game as it knows it.
pub(crate) struct GtpPlayer {
    bot: Bot,
    game: StartedGame,
    colours: [&'static str; 2],
    /// The number of moves that the program knows.
    known: usize,
    /// True if the program takes times in whole seconds only.
    takes_whole_seconds: bool,
}

/// Time to load what a program needs, before its first answer.
const LOADING: Duration = Duration::from_secs(120);

/// The answer to a command: its text, or the reason why there is none.
type Said = Result<String, String>;

impl GtpPlayer {
    /// A program that plays a game from its start.
    pub(crate) fn new(bot: Bot, game: StartedGame) -> GtpPlayer {
        let colours = game.entry.colours();
        GtpPlayer { bot, game, colours, known: 0, takes_whole_seconds: false }
    }

    /// Checks that programs can play a game by GTP.
    ///
    /// # Errors
    /// If the game is for more than two, or has luck, secrets or choices at the same time.
    pub(crate) fn check(start: &StartedGame) -> Result<(), ArenaError> {
        if start.is_open_and_for_two() {
            return Ok(());
        }
        Err(ArenaError::new(format!(
            "GTP is for two players who see everything and have no luck, and {} is another kind of game; programs play \
             it by the lines of docs/PROTOCOL.md",
            start.entry.name
        )))
    }

    /// Sets up the game.
    pub(crate) fn greet(&mut self, limit: Limit) -> Result<(), Fault> {
        let not_ready = |fault| match fault {
            Fault::Exited(status) => Fault::NotStarted(format!("it ended before it answered ({status})")),
            Fault::Late { allowed, .. } => Fault::NotStarted(format!("it did not answer within {allowed:?}")),
            Fault::Illegal(answer) => {
                Fault::NotStarted(format!("it does not speak GTP: an answer was '{answer}' instead of '='"))
            }
            other => other,
        };
        self.set_up(limit).map_err(not_ready)
    }

    fn set_up(&mut self, limit: Limit) -> Result<(), Fault> {
        _ = self.timed_command("protocol_version", LOADING)?;
        let grid = self.game.entry.grid(&*self.game.position);
        if let Some(grid) = &grid {
            let size = if grid.columns == grid.rows {
                grid.columns.to_string()
            } else {
                format!("{} {}", grid.columns, grid.rows)
            };
            self.demand(&format!("boardsize {size}"))?;
        }
        self.demand("clear_board")?;
        let tallies = self.game.entry.tallies(&*self.game.position);
        if let (Some(Names::Go), [(_, points)]) = (grid.map(|grid| grid.names), &tallies[..]) {
            // White begins with the komi.
            self.demand(&format!("komi {}", points[1]))?;
        }
        if let Limit::Time(time) = limit {
            // A program that knows no clocks is late by that of the arena all the same.
            let is_refused = self.command(&format!("time_settings 0 {} 1", self.seconds(time)))?.is_err();
            if is_refused && time >= Duration::from_secs(1) {
                self.takes_whole_seconds = true;
                _ = self.command(&format!("time_settings 0 {} 1", self.seconds(time)))?;
            }
        }
        Ok(())
    }

    /// Asks for a move in the position that `moves` lead to.
    pub(crate) fn ask(&mut self, moves: &[String], limit: Limit, allowed: Duration) -> Result<Answer, Fault> {
        let mut took = self.catch_up(moves, allowed)?;
        let position = &*self.game.position;
        let Turn::Player(player) = position.turn() else {
            return Err(Fault::Failed("it has no turn".to_string()));
        };
        let legal = position.legal_moves();
        if let [(action, text)] = &legal[..]
            && text == PASS
        {
            // Some programs know when a turn has no move, and are not asked then.
            return Ok(Answer { action: Some(*action), ..Answer::default() });
        }
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
        let position = &*self.game.position;
        let is_named = |action: u32| self.game.entry.vertex(position, action).eq_ignore_ascii_case(&said);
        let (action, _) =
            legal.iter().find(|(action, _)| is_named(*action)).ok_or_else(|| Fault::Illegal(plain::shown(&said)))?;
        self.game.position.apply(*action);
        self.known += 1;
        Ok(Answer { action: Some(*action), took, ..Answer::default() })
    }

    /// Tells the program the moves that it does not know. Returns the time that it took.
    fn catch_up(&mut self, moves: &[String], allowed: Duration) -> Result<Duration, Fault> {
        let mut took = Duration::ZERO;
        while let Some(text) = moves.get(self.known) {
            let position = &*self.game.position;
            let Some(action) = position.find_move(text) else {
                return Err(Fault::Failed(format!("'{text}' is no move")));
            };
            if let Turn::Player(player) = position.turn() {
                let vertex = self.game.entry.vertex(position, action);
                let command = format!("play {} {vertex}", self.colours[player]);
                // A program that knows by itself when a turn has no move may not take it for one.
                let (said, needed) = self.timed_command(&command, allowed)?;
                took += needed;
                match said {
                    Err(why) if vertex != PASS => {
                        return Err(Fault::Failed(format!("it refused '{command}': '{why}'")));
                    }
                    _ => {}
                }
            }
            self.game.position.apply(action);
            self.known += 1;
        }
        Ok(took)
    }

    /// A time in seconds, as a whole number where it is one or where the program takes no other.
    fn seconds(&self, time: Duration) -> f64 {
        let seconds = time.as_millis() as f64 / 1e3;
        if self.takes_whole_seconds { seconds.floor() } else { seconds }
    }

    /// Ends the program.
    pub(crate) fn finish(mut self, patience: Duration) -> Notes {
        // A program that no longer reads its input needs no farewell.
        _ = self.bot.tell("quit");
        self.bot.finish(patience)
    }

    /// Gives a command that the program has to accept before the game.
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
