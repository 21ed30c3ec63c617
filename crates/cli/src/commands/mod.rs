//! The commands: a file for each, and three lines here: its module, its variant, and its match arm.

mod agents;
mod analysis;
mod analyze;
mod bench;
mod bot;
mod bot_agent;
mod check;
mod check_engine;
mod contest;
mod export;
mod games;
mod gtp;
mod judge;
mod learn;
mod learn_net;
mod matches;
mod merge;
mod play;
mod relay;
mod replay;
mod scale;
mod serve;
mod shard;
mod strength;
mod stress;
mod tournament;
mod tune;
mod ugi;

use std::ffi::OsString;

use clap::builder::{Resettable, StyledStr};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::failure::Failure;
use crate::{output, program};

const EXIT_CODES: &str = "\
Exit codes:
  0    a result
  1    a check that failed
  2    an error, in one sentence on standard error
  130  interrupted by Ctrl-C; 143 by SIGTERM, 129 by SIGHUP and 131 by SIGQUIT, which do the
       same: what is there is printed or stored, and programs are killed; a second signal ends
       the command at once; in 'play' Ctrl-C makes the engine move

Example:
  boughs analyze connect4 --time 2s";

/// Parallel Monte Carlo Tree Search for any game.
#[derive(Parser)]
#[command(name = "boughs", version, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Args),
    Agents(agents::Args),
    Analyze(analyze::Args),
    Play(play::Args),
    Serve(serve::Args),
    Match(Box<matches::Args>),
    Tournament(tournament::Args),
    Tune(tune::Args),
    Bot(bot::Args),
    Gtp(gtp::Args),
    Ugi(ugi::Args),
    Analysis(analysis::Args),
    Judge(judge::Args),
    Shard(shard::Args),
    Merge(merge::Args),
    Export(export::Args),
    Learn(learn::Args),
    Check(check::Args),
    CheckEngine(check_engine::Args),
    Replay(replay::Args),
    Bench(bench::Args),
    Scale(scale::Args),
    Stress(stress::Args),
    #[command(hide = true)]
    Relay(relay::Args),
    #[command(hide = true)]
    BotAgent(bot_agent::Args),
}

/// Runs the command of the command line.
pub(crate) fn run() -> Result<(), Failure> {
    let cli = match parse(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => return answer(&error),
    };
    match cli.command {
        Command::Games(args) => args.run(),
        Command::Agents(args) => args.run(),
        Command::Analyze(args) => args.run(),
        Command::Play(args) => args.run(),
        Command::Serve(args) => args.run(),
        Command::Match(args) => args.run(),
        Command::Tournament(args) => args.run(),
        Command::Tune(args) => args.run(),
        Command::Bot(args) => args.run(),
        Command::Gtp(args) => args.run(),
        Command::Ugi(args) => args.run(),
        Command::Analysis(args) => args.run(),
        Command::Judge(args) => args.run(),
        Command::Shard(args) => args.run(),
        Command::Merge(args) => args.run(),
        Command::Export(args) => args.run(),
        Command::Learn(args) => args.run(),
        Command::Check(args) => args.run(),
        Command::CheckEngine(args) => args.run(),
        Command::Replay(args) => args.run(),
        Command::Bench(args) => args.run(),
        Command::Scale(args) => args.run(),
        Command::Stress(args) => args.run(),
        Command::Relay(args) => args.run(),
        Command::BotAgent(args) => args.run(),
    }
}

/// Reads the command line.
fn parse(words: impl IntoIterator<Item = impl Into<OsString>>) -> Result<Cli, clap::Error> {
    let mut words: Vec<OsString> = words.into_iter().map(Into::into).collect();
    // `help NAME` would print the long form, which takes three lines an option.
    if words.get(1).is_some_and(|word| word == "help") && words.len() == 3 {
        words.remove(1);
        words.push("--help".into());
    }
    // The words behind `export` are those of another program, with its help.
    if words.get(1).is_some_and(|word| word == "export") {
        words.insert(2, "--".into());
    }
    let mut command = command();
    if let Some(name) = words.get(1).and_then(|word| word.to_str()).filter(|name| is_command(&command, name)) {
        command = command.mut_subcommand(name, with_whole_about);
    }
    let mut matches = command.try_get_matches_from_mut(words)?;
    Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut command))
}

/// The widest line of help.
const HELP_WIDTH: usize = 100;

/// All commands, with what applies to each of them.
fn command() -> clap::Command {
    let command = Cli::command().name(program::name()).bin_name(program::name()).max_term_width(HELP_WIDTH);
    let command = with_program_name(command);
    command.mut_subcommands(|command| with_program_name(command).mut_args(with_negative_values))
}

fn is_command(command: &clap::Command, name: &str) -> bool {
    command.get_subcommands().any(|command| command.get_name() == name)
}

/// Moves the long description of a command into the short form of its help: with no long text left, `--help` is as
/// compact as `-h`, one line or two an option. The list of all commands keeps their short descriptions.
fn with_whole_about(command: clap::Command) -> clap::Command {
    match command.get_long_about().cloned() {
        Some(about) => command.about(about).long_about(None),
        None => command,
    }
}

/// Puts the name of a user's program into the commands that help texts quote.
fn with_program_name(command: clap::Command) -> clap::Command {
    let named = |text: Option<&StyledStr>| -> Resettable<StyledStr> {
        text.map(|text| program::with_name(&text.to_string()).into()).into()
    };
    let (about, long, after) =
        (named(command.get_about()), named(command.get_long_about()), named(command.get_after_help()));
    let command = command.about(about).long_about(long).after_help(after);
    command.mut_args(|arg| {
        let help = named(arg.get_help());
        arg.help(help)
    })
}

/// Takes the word behind an option as its value even if it begins like a negative number. The reader of the value then
/// says in its own words why it is wrong.
fn with_negative_values(arg: Arg) -> Arg {
    let is_time = arg.get_value_names().is_some_and(|names| names == ["TIME"]);
    match arg.get_action().takes_values() {
        true if is_time => arg.allow_hyphen_values(true),
        takes_values => arg.allow_negative_numbers(takes_values),
    }
}

/// The argument of the commands that search by ranks.
const MPI: &str = "--mpi";

/// Prints help if it was asked for. Every other fault of the command line becomes one sentence.
fn answer(error: &clap::Error) -> Result<(), Failure> {
    let text = error.render();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion if output::has_colours() => {
            output::print(&text.ansi().to_string())
        }
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => output::print(&text.to_string()),
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Err(Failure::new(format!("a command is missing; '{} --help' lists them all", program::name())))
        }
        ErrorKind::InvalidUtf8 => Err(Failure::new(match std::env::args_os().find(|word| word.to_str().is_none()) {
            Some(word) => format!(
                "the argument '{}' is not UTF-8 text; write it in UTF-8, or name the file by a link",
                word.to_string_lossy()
            ),
            None => "an argument is not UTF-8 text; write it in UTF-8".to_string(),
        })),
        ErrorKind::UnknownArgument if is_unknown(error, MPI) => {
            Err(Failure::new(format!("{MPI} goes with 'analyze', 'bot' and 'gtp'; leave it out")))
        }
        ErrorKind::ArgumentConflict => {
            Err(Failure::new(format!("{}; leave one of them out", in_one_sentence(&text.to_string()))))
        }
        _ => Err(Failure::new(in_one_sentence(&text.to_string()))),
    }
}

/// Returns true if this argument is the fault.
fn is_unknown(error: &clap::Error, argument: &str) -> bool {
    matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(given)) if given == argument)
}

/// Joins the lines of an error of clap, without usage and the pointer to help.
fn in_one_sentence(text: &str) -> String {
    let mut sentence = String::new();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with("For more information")) {
        let line = line.strip_prefix("error: ").unwrap_or(line);
        let line =
            line.strip_prefix("the following required arguments were not provided:").map_or(line, |_| "missing:");
        match line.strip_prefix("tip: ") {
            // In every command a word that begins with `-` is a mistyped option.
            Some(tip) if tip.starts_with("to pass '") => {}
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
    fn the_words_of_the_exporter_stay_as_they_are() {
        for words in [&[][..], &["--help"], &["-h", "help"], &["--", "-x", "--", "--out=a b"], &["--version", "--"]] {
            let line = ["boughs", "export"].iter().chain(words);
            match parse(line).unwrap().command {
                Command::Export(args) => assert_eq!(args.words, words),
                _ => panic!("another command"),
            }
        }
        assert!(matches!(parse(["boughs", "help", "export"]).unwrap().command, Command::Export(_)));
    }

    #[test]
    fn the_arguments_of_all_commands_fit_together() {
        command().debug_assert();
    }

    #[test]
    fn faults_take_one_sentence() {
        let sentence = |words: &str| match parse(words.split(' ')) {
            Ok(_) => panic!("{words} was taken"),
            Err(error) => in_one_sentence(&error.to_string()),
        };
        assert_eq!(
            sentence("boughs analyse"),
            "unrecognized subcommand 'analyse'; some similar subcommands exist: 'analysis', 'analyze'"
        );
        for word in ["--only", "-x"] {
            let first = word.chars().take(if word == "--only" { 6 } else { 2 }).collect::<String>();
            assert_eq!(sentence(&format!("boughs replay {word}")), format!("unexpected argument '{first}' found"));
        }
        assert_eq!(sentence("boughs analyze"), "missing: <GAME>");
        assert_eq!(
            sentence("boughs analyze hex --time soon"),
            "invalid value 'soon' for '--time <TIME>': should be a time with its unit (ms, s, min or h), such as 500ms \
             or 1.5s"
        );
    }
}
