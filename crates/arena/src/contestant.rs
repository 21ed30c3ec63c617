//! Contestants: an agent of Boughs, or any program.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use boughs_agents::AgentSpec;

use crate::program::source::{self, Edition};
use crate::{ArenaError, EngineProtocol};

/// Prefix of the command of a program.
const PROGRAM: &str = "cmd:";

/// Prefix of the source file of a program.
const SOURCE: &str = "rs:";

/// Separator of the odds and their agent.
const ODDS: &str = "x:";

/// Greatest factor of odds. The smallest is its inverse.
const MOST_ODDS: f64 = 1024.0;

/// A contestant, named by a line of text: `mcts:c=1.2`, `cmd:./bot --flag`, `rs:bot.rs`, `gtp:gnugo --mode gtp`,
/// `ugi:./engine`, `uai:./engine`, or `4x:mcts` for odds.
///
/// ```
/// use boughs_arena::Contestant;
///
/// let bot: Contestant = "cmd:./bot --name 'two words'".parse().unwrap();
/// let Contestant::Program(program) = &bot else { panic!("a program") };
/// assert_eq!(program.words(), ["./bot", "--name", "two words"]);
/// assert_eq!(bot.to_string(), "cmd:./bot --name 'two words'");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Contestant {
    /// An agent of Boughs.
    Agent(AgentSpec),
    /// An agent with a multiple of the time or the playouts of the others for a move.
    Odds(f64, AgentSpec),
    /// A program that plays over its standard input and output.
    Program(Program),
    /// The text of a contestant of a store that this version cannot start, and the reason. It is shown and does not
    /// play.
    Unknown(String, ContestantError),
}

/// A program and its arguments: a command, or a source file that is compiled first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The command line as it was written.
    text: String,
    words: Vec<String>,
    kind: Kind,
    /// The compiled source file.
    binary: Option<PathBuf>,
}

/// The kind of a program: a command or a source file, and the language of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// A command that plays by the lines of the arena.
    Command,
    /// A source file, compiled to such a program.
    Source,
    /// A command that plays by a protocol of board games.
    Engine(EngineProtocol),
}

impl Kind {
    const ALL: [Kind; 5] = [
        Kind::Command,
        Kind::Source,
        Kind::Engine(EngineProtocol::Gtp),
        Kind::Engine(EngineProtocol::Ugi),
        Kind::Engine(EngineProtocol::Uai),
    ];

    fn prefix(self) -> &'static str {
        match self {
            Kind::Command => PROGRAM,
            Kind::Source => SOURCE,
            Kind::Engine(EngineProtocol::Gtp) => "gtp:",
            Kind::Engine(EngineProtocol::Ugi) => "ugi:",
            Kind::Engine(EngineProtocol::Uai) => "uai:",
        }
    }
}

/// The error of a text that names no contestant. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContestantError(String);

impl ContestantError {
    pub(crate) fn new(sentence: String) -> ContestantError {
        ContestantError(sentence)
    }
}

impl fmt::Display for ContestantError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ContestantError {}

/// The error of a text that names no engine.
pub(crate) fn no_engine(text: &str) -> ContestantError {
    ContestantError(format!(
        "'{text}' is no engine; write gtp:, ugi: or uai: before its command, as in 'gtp:./engine --flag'"
    ))
}

impl Contestant {
    /// Reads an engine: a command after `gtp:`, `ugi:` or `uai:`.
    ///
    /// # Errors
    /// If the text names another contestant, or none.
    pub fn engine(text: &str) -> Result<Contestant, ContestantError> {
        let is_named = Kind::ALL.iter().any(|kind| matches!(kind, Kind::Engine(_)) && text.starts_with(kind.prefix()));
        if is_named { text.parse() } else { Err(no_engine(text)) }
    }

    /// The agent, unless a program plays.
    pub fn agent(&self) -> Option<&AgentSpec> {
        match self {
            Contestant::Agent(agent) | Contestant::Odds(_, agent) => Some(agent),
            Contestant::Program(_) | Contestant::Unknown(..) => None,
        }
    }

    /// The protocol of board games that a program speaks, unless it plays by the lines of the arena.
    pub fn protocol(&self) -> Option<EngineProtocol> {
        match self {
            Contestant::Program(Program { kind: Kind::Engine(protocol), .. }) => Some(*protocol),
            Contestant::Agent(_) | Contestant::Odds(..) | Contestant::Program(_) | Contestant::Unknown(..) => None,
        }
    }

    /// Factor of the limit of a move: 1 without odds.
    pub fn odds(&self) -> f64 {
        match self {
            Contestant::Odds(times, _) => *times,
            Contestant::Agent(_) | Contestant::Program(_) | Contestant::Unknown(..) => 1.0,
        }
    }

    /// Reads a contestant of a store. A text that names none of this version is [`Unknown`](Contestant::Unknown).
    pub(crate) fn stored(text: &str) -> Contestant {
        text.parse().unwrap_or_else(|error| {
            Contestant::Unknown(text.to_string(), ContestantError(format!("'{text}' cannot be started: {error}")))
        })
    }
}

impl Program {
    /// The path of the program, or of its source file, and its arguments. There is at least the path.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Returns true if the program is a source file.
    pub fn is_source(&self) -> bool {
        self.kind == Kind::Source
    }

    /// Compiles a program that is a source file, if it is none that was compiled before. A command stays as it is.
    ///
    /// # Errors
    /// If the file cannot be read or does not compile. The compiler itself writes its errors to standard error.
    pub fn compiled(self, edition: Edition) -> Result<Program, ArenaError> {
        match self.is_source() {
            true => Ok(Program { binary: Some(source::compile(self.words[0].as_ref(), edition)?), ..self }),
            false => Ok(self),
        }
    }

    /// The program with more arguments.
    pub(crate) fn with_arguments(&self, more: &[String]) -> Program {
        Program { words: [&self.words[..], more].concat(), ..self.clone() }
    }

    /// The words of the command that runs.
    pub(crate) fn command_words(&self) -> Vec<String> {
        let path = self.executable().map_or_else(|| self.words[0].clone(), |path| path.display().to_string());
        std::iter::once(path).chain(self.words[1..].iter().cloned()).collect()
    }

    /// The path that runs, unless the program is a source file that was not compiled.
    pub(crate) fn executable(&self) -> Option<PathBuf> {
        if self.is_source() { self.binary.clone() } else { Some(PathBuf::from(&self.words[0])) }
    }
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Agent(agent) => agent.fmt(f),
            Contestant::Odds(times, agent) => write!(f, "{times}{ODDS}{agent}"),
            Contestant::Program(program) => write!(f, "{}{}", program.kind.prefix(), program.text),
            Contestant::Unknown(text, _) => f.write_str(text),
        }
    }
}

impl FromStr for Contestant {
    type Err = ContestantError;

    fn from_str(text: &str) -> Result<Contestant, ContestantError> {
        let named = Kind::ALL.into_iter().find_map(|kind| Some((kind, text.strip_prefix(kind.prefix())?)));
        let Some((kind, command)) = named else { return agent(text) };
        match shlex::split(command) {
            Some(words) if !words.is_empty() => {
                Ok(Contestant::Program(Program { text: command.trim().to_string(), words, kind, binary: None }))
            }
            Some(_) if kind == Kind::Source => {
                Err(ContestantError(format!("there is no file after '{SOURCE}'; write {SOURCE}bot.rs")))
            }
            Some(_) => {
                let prefix = kind.prefix();
                Err(ContestantError(format!("there is no command after '{prefix}'; write {prefix}./bot --flag")))
            }
            None => Err(ContestantError(format!("'{text}' has a quote without its end; close it"))),
        }
    }
}

/// Reads an agent with or without odds.
fn agent(text: &str) -> Result<Contestant, ContestantError> {
    let agent = |text: &str| {
        text.parse().map_err(|error| match AgentSpec::list().iter().any(|agent| agent.is_called(text)) {
            true => ContestantError(format!("{error}")),
            false => ContestantError(format!("{error}; a program is written as {PROGRAM}./bot --flag")),
        })
    };
    let is_number = |times: &str| times.starts_with(|c: char| c.is_ascii_digit());
    let Some((times, rest)) = text.split_once(ODDS).filter(|(times, _)| is_number(times)) else {
        return agent(text).map(Contestant::Agent);
    };
    match times.parse() {
        Ok(times) if (1.0 / MOST_ODDS..=MOST_ODDS).contains(&times) => Ok(Contestant::Odds(times, agent(rest)?)),
        _ => Err(ContestantError(format!(
            "odds of '{times}' are out of range; give 1/{MOST_ODDS} to {MOST_ODDS}, as in 0.5{ODDS}mcts"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contestants_are_written_as_they_are_read() {
        for text in [
            "mcts",
            "mcts:c=1.2,threads=2",
            "flat",
            "4x:mcts",
            "0.5x:flat",
            "cmd:./bot",
            "cmd:python3 'my bot.py' --depth 3",
            "rs:'my bot.rs' --depth 3",
            "gtp:gnugo --mode gtp",
            "ugi:./engine",
            "uai:./engine --quick",
        ] {
            assert_eq!(text.parse::<Contestant>().map(|it| it.to_string()), Ok(text.to_string()));
        }
    }

    #[test]
    fn a_fault_is_named_with_its_cure() {
        for (text, says) in [
            ("cmd:", "no command"),
            ("cmd: ", "no command"),
            ("gtp:", "no command after 'gtp:'; write gtp:./bot"),
            ("cmd:'x", "quote"),
            ("rs: ", "no file after 'rs:'; write rs:bot.rs"),
            ("alpha", "cmd:./bot"),
            ("0x:mcts", "out of range"),
            ("2000x:mcts", "1/1024 to 1024"),
            ("2x:alpha", "cmd:./bot"),
        ] {
            let error = text.parse::<Contestant>().expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
