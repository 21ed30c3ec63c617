//! The program `boughs-export`: a bot's crate as one source file for the judge of a contest. `boughs export` runs it.

mod bots;
mod failure;
mod interrupt;
mod named_file;
mod output;
mod program;
mod shown;
mod verification;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use boughs_export::{Export, ExportError, Judge, Learned, Minify, Program, export};
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, ValueEnum};

use bots::Chosen;
use failure::Failure;
use interrupt::interrupted;
use output::print;
use shown::Facts;
use verification::{Comparison, Verified, on_one_line, verified};

/// Time between two looks at the files of a crate, and at the signals.
const LOOK: Duration = Duration::from_millis(50);

/// The widest line of help.
const HELP_WIDTH: usize = 100;

/// Write a bot as one source file, which the judge of a contest compiles as it is
///
/// A crate, the library and its path dependencies become one file that needs the standard library alone. What main does
/// not reach is left out, and the compiler is asked until it calls nothing unused. The bots of the program have short
/// names: --bot photosynthesis:woods, green-circle:foresight, ahc015:candy or ahc015:solution3.
///
/// The file is verified before it is written: rustc compiles it with -O, and with -C opt-level=0 -C overflow-checks=on.
/// Only a recording proves that the file answers as the program does. With one, the file and the program, which cargo
/// builds, answer its turns, at most 200 or 20 cases of AHC015, and 5 without optimisation, and every answer has to be
/// equal. The bots of the program bring their recordings, of which 50 turns are answered. In a recording a line after
/// '> ' goes to the bot, at '<' the bot answers with a line, a game begins after an empty line, and '#' begins a
/// remark. Equal answers need a budget of playouts instead of time, for which --arguments is there.
///
/// --agent sets the agent of a bot of the program: 'boughs agents' lists the keys. Then the file is compared with
/// 'boughs bot' of this agent.
///
/// --watch writes the file anew whenever a source file changes, without verifying, until Ctrl-C. Seconds after a change
/// a quick file is written. It plays the same moves, has code that is not used, of which rustc may warn, and so needs
/// short names sooner. The complete file replaces it when it is made.
#[derive(Parser)]
#[command(
    bin_name = "boughs export",
    version,
    max_term_width = HELP_WIDTH,
    after_help = "Example:\n  boughs export --bot ahc015:solution3 --judge atcoder --out bot.rs --no-verify"
)]
struct Args {
    /// The folder of the bot's crate
    #[arg(value_name = "CRATE", conflicts_with = "bot")]
    folder: Option<PathBuf>,
    /// A bot of the program, instead of a crate
    #[arg(long, value_name = "GAME:AGENT", value_parser = bots::BOTS, hide_possible_values = true)]
    #[arg(conflicts_with = "bin")]
    bot: Option<String>,
    /// The binary, where the crate has several
    #[arg(long, value_name = "NAME")]
    bin: Option<String>,
    /// The agent of a bot of the program with other settings, such as candy:climb=40; the file has them fixed
    #[arg(long, value_name = "SPEC")]
    agent: Option<String>,
    /// The judge: codingame takes 100,000 characters and Rust 1.63, atcoder 512 KiB and edition 2024
    #[arg(long, value_enum, default_value = "codingame", hide_possible_values = true)]
    judge: JudgeName,
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "bot.rs")]
    out: PathBuf,
    /// Shorten names: auto where the limit asks for it, off to lay the file out for reading, full in any case
    #[arg(long, value_enum, default_value = "auto", hide_possible_values = true)]
    minify: MinifyName,
    /// Recorded turns that the file and the program are to answer equally
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_verify", "watch"])]
    recording: Option<PathBuf>,
    /// Arguments for both while they answer; for the bots of the program --iterations 100
    #[arg(long, value_name = "LINE", conflicts_with_all = ["no_verify", "watch"], allow_hyphen_values = true)]
    arguments: Option<String>,
    /// Write the file without verifying it
    #[arg(long)]
    no_verify: bool,
    /// Write the file anew whenever a source file changes
    #[arg(long)]
    watch: bool,
    /// Print JSON instead of text, one line a file
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum JudgeName {
    Codingame,
    Atcoder,
}

#[derive(Clone, Copy, ValueEnum)]
enum MinifyName {
    Auto,
    Off,
    Full,
}

/// A file that is to be written, and how.
struct Work<'a> {
    args: &'a Args,
    judge: Judge,
    minify: Minify,
    chosen: Chosen,
    comparison: Option<Comparison>,
}

fn main() -> ExitCode {
    let code = match arguments().and_then(|args| args.map_or(Ok(()), Args::run)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    };
    interrupt::exit_code().map_or(code, ExitCode::from)
}

/// Reads the command line; `None` if it asks for help, which is printed. A fault becomes one sentence.
fn arguments() -> Result<Option<Args>, Failure> {
    let command = Args::command();
    // With no long text left, `--help` is as compact as `-h`, one line or two an option.
    let about = command.get_long_about().cloned().unwrap_or_default();
    let mut command = command.about(about).long_about(None);
    let matches = command.try_get_matches_from_mut(std::env::args_os());
    match matches.and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => Ok(Some(args)),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            output::told(error.print())?;
            Ok(None)
        }
        Err(error) => Err(Failure::new(in_one_sentence(&error))),
    }
}

/// Joins the lines of an error of clap, without usage and the pointer to help.
fn in_one_sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
    // A word that begins with `-` is a mistyped option.
    let lines =
        lines.filter(|line| !line.is_empty() && !line.starts_with("tip: to pass '") && !line.starts_with("For more"));
    let sentence = lines.collect::<Vec<_>>().join(" ").replace(" tip: ", "; ");
    let sentence = sentence.strip_prefix("error: ").unwrap_or(&sentence);
    match error.kind() {
        ErrorKind::ArgumentConflict => format!("{sentence}; leave one of them out"),
        _ => sentence.to_string(),
    }
}

impl Args {
    fn run(self) -> Result<(), Failure> {
        // Bad input is told before the work.
        named_file::check(&self.out)?;
        let chosen = match (&self.bot, &self.folder) {
            (Some(bot), _) => Chosen::named(bot)?,
            (None, Some(folder)) => Chosen::in_folder(folder, self.bin.as_deref()),
            (None, None) => {
                return Err(Failure::new("name the folder of a bot's crate, or a bot of the program by --bot"));
            }
        };
        let chosen = match &self.agent {
            Some(agent) => chosen.with_agent(agent)?,
            None => chosen,
        };
        if self.arguments.is_some() && self.recording.is_none() && chosen.game.is_none() {
            return Err(Failure::new("--arguments are for recorded turns; name them by --recording"));
        }
        let comparison = Comparison::new(&chosen, self.recording.as_deref(), self.arguments.as_deref())?;
        let judge = match self.judge {
            JudgeName::Codingame => Judge::CodinGame,
            JudgeName::Atcoder => Judge::AtCoder,
        };
        let minify = match self.minify {
            MinifyName::Auto => Minify::Auto,
            MinifyName::Off => Minify::Off,
            MinifyName::Full => Minify::Full,
        };
        interrupt::listen()?;
        Work { args: &self, judge, minify, chosen, comparison }.run()
    }
}

impl Work<'_> {
    fn run(&self) -> Result<(), Failure> {
        if self.args.watch {
            return watch::run(self);
        }
        let spinner = output::spinner();
        let program = self.program();
        let made =
            export(&program.request(), &mut Learned::default(), &mut |stage| spinner.set_message(stage.to_string()));
        let made = made.map_err(|error| interrupted_or(&error))?;
        let say = |stage: &str| spinner.set_message(stage.to_string());
        let Work { args, judge, chosen, comparison, .. } = self;
        let verified = (!args.no_verify)
            .then(|| verified(&made.text, &name_of(&args.out), *judge, chosen, comparison.as_ref(), &say))
            .transpose();
        let verified = verified.map_err(|failure| if interrupt::has_come() { interrupted() } else { failure })?;
        drop(spinner);
        self.write(&made, verified.as_ref())
    }

    fn program(&self) -> Program {
        Program {
            folder: self.chosen.folder.clone(),
            bin: self.chosen.bin.clone(),
            agent: self.chosen.agent.as_ref().map(|agent| agent.rust.clone()),
            judge: self.judge,
            minify: self.minify,
        }
    }

    /// Writes the file and tells its size.
    fn write(&self, made: &Export, verified: Option<&Verified>) -> Result<(), Failure> {
        let out = &self.args.out;
        refuse_source(out, &made.files)?;
        named_file::write(out, &made.text)?;
        let facts = Facts::new(out, made, self.judge, verified);
        match self.args.json {
            true => print(&(serde_json::to_string(&facts)? + "\n")),
            false => print(&facts.text(self.args.watch)),
        }
    }
}

/// The failure of an export, which ends with an error when it is interrupted too.
fn interrupted_or(error: &ExportError) -> Failure {
    if interrupt::has_come() { interrupted() } else { Failure::new(on_one_line(&error.to_string())) }
}

/// Refuses to write over a file that the bot is made of.
fn refuse_source(out: &Path, files: &[PathBuf]) -> Result<(), Failure> {
    let is_source =
        out.canonicalize().is_ok_and(|out| files.iter().any(|file| file.canonicalize().is_ok_and(|it| it == out)));
    match is_source {
        true => Err(Failure::new(format!("'{}' is a source of the bot; name another file by --out", out.display()))),
        false => Ok(()),
    }
}

/// The name of a file without its folder.
fn name_of(file: &Path) -> String {
    file.file_name().map_or_else(|| "bot.rs".to_string(), |name| name.to_string_lossy().into_owned())
}
