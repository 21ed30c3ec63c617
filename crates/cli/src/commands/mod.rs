//! The commands: one file each, and one line each in the list.

mod analyze;
mod bench;
mod bot;
mod check;
mod games;
mod judge;
mod learn;
mod matches;
mod play;
mod replay;
mod scale;
mod strength;
mod stress;
mod tournament;
mod tune;

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::failure::Failure;
use crate::output;

/// Parallel Monte Carlo Tree Search for any game.
#[derive(Parser)]
#[command(name = "boughs", version, after_help = "Example:\n  boughs analyze connect4 --time 2s")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Args),
    Analyze(analyze::Args),
    Play(play::Args),
    Match(matches::Args),
    Tournament(tournament::Args),
    Tune(tune::Args),
    Bot(bot::Args),
    Judge(judge::Args),
    Learn(learn::Args),
    Check(check::Args),
    Replay(replay::Args),
    Bench(bench::Args),
    Scale(scale::Args),
    Stress(stress::Args),
}

/// Does what the command line says.
pub(crate) fn run() -> Result<(), Failure> {
    let cli = match parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => return answer(&error),
    };
    match cli.command {
        Command::Games(args) => args.run(),
        Command::Analyze(args) => args.run(),
        Command::Play(args) => args.run(),
        Command::Match(args) => args.run(),
        Command::Tournament(args) => args.run(),
        Command::Tune(args) => args.run(),
        Command::Bot(args) => args.run(),
        Command::Judge(args) => args.run(),
        Command::Learn(args) => args.run(),
        Command::Check(args) => args.run(),
        Command::Replay(args) => args.run(),
        Command::Bench(args) => args.run(),
        Command::Scale(args) => args.run(),
        Command::Stress(args) => args.run(),
    }
}

/// Reads the command line.
fn parse(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
    let mut command = Cli::command().mut_subcommands(|command| command.mut_args(with_negative_values));
    let mut matches = command.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// What stands behind an option and begins like a negative number is its value, so that who reads it says what is wrong with it.
fn with_negative_values(arg: Arg) -> Arg {
    let is_time = arg.get_value_names().is_some_and(|names| names == ["TIME"]);
    match arg.get_action().takes_values() {
        true if is_time => arg.allow_hyphen_values(true),
        takes_values => arg.allow_negative_numbers(takes_values),
    }
}

/// Prints help where it was asked for; anything else that keeps a command from running is a fault in one sentence.
fn answer(error: &clap::Error) -> Result<(), Failure> {
    let text = error.render();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion if output::has_colours() => {
            output::print(&text.ansi().to_string())
        }
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => output::print(&text.to_string()),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Err(Failure::new("a command is missing; 'boughs --help' lists them all"))
        }
        ErrorKind::InvalidUtf8 => Err(Failure::new(match std::env::args_os().find(|word| word.to_str().is_none()) {
            Some(word) => format!("the argument '{}' is not UTF-8 text", word.to_string_lossy()),
            None => "an argument is not UTF-8 text".to_string(),
        })),
        _ => Err(Failure::new(in_one_sentence(&text.to_string()))),
    }
}

/// What clap says about a fault in several lines, before it goes on to usage and help.
fn in_one_sentence(text: &str) -> String {
    let mut sentence = String::new();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("For more information")) {
        let line = line.strip_prefix("error: ").unwrap_or(line);
        match line.strip_prefix("tip: ") {
            Some(tip) => sentence.push_str(&format!("; {tip}")),
            None if sentence.is_empty() => sentence.push_str(line),
            None => sentence.push_str(&format!(" {line}")),
        }
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_all_commands_fit_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn faults_take_one_sentence() {
        let sentence = |words: &str| match parse(words.split(' ')) {
            Ok(_) => panic!("{words} was taken"),
            Err(error) => in_one_sentence(&error.to_string()),
        };
        assert_eq!(
            sentence("boughs analyse"),
            "unrecognized subcommand 'analyse'; a similar subcommand exists: 'analyze'"
        );
        assert_eq!(sentence("boughs analyze"), "the following required arguments were not provided: <GAME>");
        assert_eq!(
            sentence("boughs analyze hex --time soon"),
            "invalid value 'soon' for '--time <TIME>': should be a time with its unit (ms, s, min or h), such as 500ms or 1.5s"
        );
    }
}
