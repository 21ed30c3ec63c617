//! The steps of an engine that speaks GTP.

use std::time::Duration;

use boughs::{Session, Turn};

use super::{NO_END, QUICKLY, Stepped, Trouble, Try, Walk, unanswered};
use crate::engine::gtp::boardsize;
use crate::engine::{PASS, only_a_pass};
use crate::program::plain;

/// All steps, in their order.
pub(super) const STEPS: &[Try] = &[
    ("answers protocol_version with 2", version),
    ("tells its name and its version", name),
    ("lists its commands, and tells which ones it knows", list),
    ("refuses a command that it does not know", unknown),
    ("repeats the number of a command", number),
    ("skips comments and empty lines", comments),
    ("goes on after characters that no command has", garbage),
    ("sets up the board, takes komi in Go, and clocks", set_up),
    ("refuses a point beyond the board", beyond),
    ("refuses a move that is not legal any more", twice),
    ("takes a move back", undo),
    ("finds legal moves in a game against itself", game),
    ("finds each of them in its time", |walk| walk.keeps_its_time()),
    ("follows a game that it is told, to its end", follow),
    ("begins again at clear_board", again),
    ("ends at quit", quit),
];

/// The answer to a command.
struct Said {
    is_good: bool,
    number: String,
    text: String,
    took: Duration,
}

impl Walk<'_> {
    /// Says a command, and reads the answer.
    fn say(&mut self, command: &str) -> Result<Said, Trouble> {
        let allowed = if command.starts_with("genmove") { self.allowed() } else { QUICKLY };
        let bot = self.bot()?;
        let answered = bot.ask_paragraph(command, allowed);
        let (lines, took) = answered.map_err(|fault| unanswered(fault, command, bot.unfinished(), NO_END))?;
        let text = lines.join("\n");
        let (sign, rest) = text.split_at(text.chars().next().map_or(0, char::len_utf8));
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        match sign {
            "=" | "?" => Ok(Said {
                is_good: sign == "=",
                number: rest[..digits].to_string(),
                text: rest[digits..].trim().to_string(),
                took,
            }),
            _ => Trouble::failed(format!("its answer to '{command}' begins with '{}'", plain::shown(&text))),
        }
    }

    /// Says a command that has to be accepted.
    fn demand(&mut self, command: &str) -> Result<String, Trouble> {
        self.accepted(command).map(|said| said.text)
    }

    /// The answer to a command that has to be accepted.
    fn accepted(&mut self, command: &str) -> Result<Said, Trouble> {
        let said = self.say(command)?;
        if said.is_good { Ok(said) } else { Trouble::failed(format!("it refuses '{command}': '{}'", said.text)) }
    }

    /// Says a command that has to be refused.
    fn refuse(&mut self, command: &str) -> Stepped {
        let said = self.say(command)?;
        if said.is_good { Trouble::failed(format!("it accepts '{command}'")) } else { Ok(()) }
    }

    fn is_go(&self) -> bool {
        self.start.entry.name == boughs_games::go::NAME
    }

    /// Sets the time of a move. Returns false if the engine knows no clocks, as it may.
    fn takes_clocks(&mut self) -> Result<bool, Trouble> {
        let seconds = self.check.time.as_secs_f64();
        // GNU Go takes whole seconds only.
        Ok(self.say(&format!("time_settings 0 {seconds} 1"))?.is_good
            || self.say(&format!("time_settings 0 {} 1", seconds.ceil()))?.is_good)
    }

    fn knows(&mut self, command: &str) -> Result<bool, Trouble> {
        Ok(self.demand(&format!("known_command {command}"))? == "true")
    }

    /// Clears the board of the game.
    fn clear(&mut self) -> Stepped {
        let grid = self.start.entry.grid(&*self.start.position);
        if let Some(grid) = &grid {
            self.demand(&boardsize(grid))?;
        }
        self.demand("clear_board").map(|_| ())
    }

    /// The command that plays an action.
    fn play_of(&self, position: &dyn Session, action: u32) -> String {
        let colours = self.start.entry.colours();
        let Turn::Player(player) = position.turn() else { return String::new() };
        format!("play {} {}", colours[player], self.start.entry.vertex(position, action))
    }

    /// Plays a move of the game. An engine may know by itself when a turn has only a pass.
    fn tell(&mut self, position: &mut dyn Session, action: u32) -> Stepped {
        let command = self.play_of(position, action);
        if only_a_pass(position).is_some() {
            self.say(&command)?;
        } else {
            self.demand(&command)?;
        }
        position.apply(action);
        Ok(())
    }

    /// A first move, and the same move for the other player, which is not legal then.
    fn first_move(&self) -> Option<(String, String)> {
        let position = &*self.start.position;
        position.legal_moves().into_iter().find_map(|(action, _)| {
            let command = self.play_of(position, action);
            let vertex = command.rsplit(' ').next()?.to_string();
            let mut after = position.clone_session();
            after.apply(action);
            let legal = after.legal_moves();
            let is_legal = legal.iter().any(|(action, _)| self.start.entry.vertex(&*after, *action) == vertex);
            let Turn::Player(other) = after.turn() else { return None };
            (!is_legal).then(|| (command, format!("play {} {vertex}", self.start.entry.colours()[other])))
        })
    }
}

fn version(walk: &mut Walk<'_>) -> Stepped {
    let question = "protocol_version";
    let bot = walk.bot()?;
    let answered = bot.ask_paragraph(question, QUICKLY);
    let (lines, _) = answered.map_err(|fault| unanswered(fault, question, bot.unfinished(), NO_END))?;
    match lines.join(" ").split_whitespace().collect::<Vec<_>>()[..] {
        ["=", "2"] => Ok(()),
        _ => Trouble::failed(format!("it says '{}'", plain::shown(&lines.join(" ")))),
    }
}

fn name(walk: &mut Walk<'_>) -> Stepped {
    let name = walk.demand("name")?;
    walk.demand("version")?;
    if name.is_empty() { Trouble::failed("its name is empty") } else { Ok(()) }
}

fn list(walk: &mut Walk<'_>) -> Stepped {
    let commands = walk.demand("list_commands")?;
    for command in ["genmove", "play", "clear_board", "quit"] {
        if !commands.lines().any(|line| line.trim() == command) {
            return Trouble::failed(format!("list_commands lacks '{command}'"));
        }
        if !walk.knows(command)? {
            return Trouble::failed(format!("'known_command {command}' is not answered with 'true'"));
        }
    }
    match walk.demand("known_command boughs-no-such-command")?.as_str() {
        "false" => Ok(()),
        said => Trouble::failed(format!("known_command answers '{said}' for an unknown command, and not 'false'")),
    }
}

fn unknown(walk: &mut Walk<'_>) -> Stepped {
    walk.refuse("boughs-no-such-command 1 2")
}

fn number(walk: &mut Walk<'_>) -> Stepped {
    let said = walk.say("41 name")?;
    match said.number.as_str() {
        "41" => Ok(()),
        other => Trouble::failed(format!("'41 name' is answered with the number '{other}'")),
    }
}

fn comments(walk: &mut Walk<'_>) -> Stepped {
    let name = walk.demand("name")?;
    let said = walk.say("# a comment\n\n   \nname # another one")?;
    if said.is_good && said.text == name { Ok(()) } else { Trouble::failed("a comment changes the answer to 'name'") }
}

fn garbage(walk: &mut Walk<'_>) -> Stepped {
    // One answer for a line that is no command, and one for a command.
    walk.refuse("\u{1}\u{7f}\u{fffd} \u{2}")?;
    walk.demand("name").map(|_| ())
}

fn set_up(walk: &mut Walk<'_>) -> Stepped {
    walk.clear()?;
    if walk.is_go() {
        walk.demand("komi 6.5")?;
    }
    if walk.takes_clocks()? { Ok(()) } else { Trouble::skipped("the board is set up, and it takes no clocks") }
}

fn beyond(walk: &mut Walk<'_>) -> Stepped {
    walk.clear()?;
    let colour = walk.start.entry.colours()[0];
    walk.refuse(&format!("play {colour} z99"))
}

fn twice(walk: &mut Walk<'_>) -> Stepped {
    walk.clear()?;
    let Some((first, again)) = walk.first_move() else {
        return Trouble::skipped("no first move is barred for the other player");
    };
    walk.demand(&first)?;
    walk.refuse(&again)
}

fn undo(walk: &mut Walk<'_>) -> Stepped {
    if !walk.knows("undo")? {
        return Trouble::skipped("it does not know undo");
    }
    walk.clear()?;
    let Some((first, _)) = walk.first_move() else { return Trouble::skipped("there is no such move") };
    walk.demand(&first)?;
    walk.demand("undo")?;
    walk.demand(&first)?;
    Ok(())
}

/// Asks for the move of a position. `None` if the engine resigns.
fn genmove(walk: &mut Walk<'_>, position: &dyn Session) -> Result<Option<u32>, Trouble> {
    let Turn::Player(player) = position.turn() else { return Trouble::skipped("there is no move to find") };
    let Said { text: said, took, .. } = walk.accepted(&format!("genmove {}", walk.start.entry.colours()[player]))?;
    if said.eq_ignore_ascii_case("resign") {
        return Ok(None);
    }
    let entry = walk.start.entry;
    let legal = position.legal_moves();
    let found = legal.iter().find(|(action, _)| entry.vertex(position, *action).eq_ignore_ascii_case(&said));
    match found {
        Some((action, _)) => {
            walk.took(took);
            Ok(Some(*action))
        }
        None => Trouble::failed(format!("'{}' is not legal here:\n{}", plain::shown(&said), position.board())),
    }
}

fn game(walk: &mut Walk<'_>) -> Stepped {
    walk.clear()?;
    walk.takes_clocks()?;
    let mut position = walk.start.position.clone();
    for _ in 0..walk.check.moves {
        if position.turn() == Turn::Over {
            break;
        }
        match only_a_pass(&*position) {
            Some(pass) => walk.tell(&mut *position, pass)?,
            None => match genmove(walk, &*position)? {
                Some(action) => position.apply(action),
                None => break,
            },
        }
    }
    Ok(())
}

fn follow(walk: &mut Walk<'_>) -> Stepped {
    walk.clear()?;
    let mut position = walk.start.position.clone();
    for action in walk.random_game() {
        walk.tell(&mut *position, action)?;
    }
    if walk.is_go() {
        // After two passes a player of Go may play on.
        return Ok(());
    }
    let said = walk.demand(&format!("genmove {}", walk.start.entry.colours()[0]))?;
    match said.to_ascii_lowercase().as_str() {
        PASS | "resign" => Ok(()),
        _ => Trouble::failed(format!("it plays '{}' after the end of the game", plain::shown(&said))),
    }
}

fn again(walk: &mut Walk<'_>) -> Stepped {
    walk.clear()?;
    let position = walk.start.position.clone();
    genmove(walk, &*position).map(|_| ())
}

fn quit(walk: &mut Walk<'_>) -> Stepped {
    walk.demand("quit")?;
    walk.ends()
}
