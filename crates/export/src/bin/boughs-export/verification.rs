//! The verification of a file before it is written.

use std::fs;
use std::path::Path;

use boughs_export::Judge;
use boughs_export::verify::{Player, Recording, Turns, build, compiles, has_no_newer_calls, verify};
use serde::Serialize;

use crate::bots::Chosen;
use crate::failure::Failure;
use crate::program;

/// The arguments of the program's own bots, with which their answers are equal on every run.
const ARGUMENTS: [&str; 2] = ["--iterations", "100"];

/// The most lines of a compiler's errors that are told.
const MOST_LINES: usize = 4;

/// The recorded turns and the arguments for a comparison.
pub(crate) struct Comparison {
    recording: Recording,
    arguments: Vec<String>,
    turns: Turns,
}

/// The result of a verification.
#[derive(Serialize)]
pub(crate) struct Verified {
    /// The number of equal answers of the file compiled with `-O`.
    pub(crate) optimised: usize,
    /// The same without optimisation and with checks for overflow.
    pub(crate) checked: usize,
    /// False if clippy was not there to look for calls that are newer than the judge's compiler.
    pub(crate) newer_calls_looked_for: bool,
}

impl Comparison {
    /// Reads the recording, which for a bot of the program is its own; `None` if there is none.
    pub(crate) fn new(
        chosen: &Chosen,
        recording: Option<&Path>,
        arguments: Option<&str>,
    ) -> Result<Option<Comparison>, Failure> {
        let turns = match recording {
            Some(_) => Turns::of_named(chosen.game),
            None => Turns::default(),
        };
        let recording = match (recording, chosen.game) {
            (Some(file), _) => {
                let named = |why: String| Failure::new(format!("'{}' {why}", file.display()));
                let text = fs::read_to_string(file)
                    .map_err(|error| named(format!("cannot be read: {error}; name the file of a recording")))?;
                Recording::parse(&text).map_err(|error| named(format!("is no recording: {error}")))?
            }
            (None, Some(game)) => match Recording::of(game) {
                Some(recording) => recording,
                None => return Ok(None),
            },
            (None, None) => return Ok(None),
        };
        let arguments = match (arguments, chosen.game) {
            (Some(line), _) => shlex::split(line).ok_or_else(|| {
                Failure::new(format!("the arguments '{line}' have a quote without its end; write the other one"))
            })?,
            (None, Some(_)) => ARGUMENTS.map(String::from).to_vec(),
            (None, None) => Vec::new(),
        };
        Ok(Some(Comparison { recording, arguments, turns }))
    }
}

/// Compiles a text as the judge does it, and with a comparison lets it answer beside the program that cargo builds.
pub(crate) fn verified(
    text: &str,
    name: &str,
    judge: Judge,
    chosen: &Chosen,
    comparison: Option<&Comparison>,
    say: &dyn Fn(&str),
) -> Result<Verified, Failure> {
    let folder = tempfile::tempdir()
        .map_err(|error| Failure::new(format!("no temporary folder can be made: {error}; free some space")))?;
    let file = folder.path().join(name);
    fs::write(&file, text).map_err(|error| Failure::of_file(&file, format!("{error}; free some space")))?;
    say("compiling the file as the judge does it");
    let newer_calls_looked_for =
        has_no_newer_calls(&file, judge).map_err(|error| in_one_sentence(&error.to_string()))?;
    let Some(Comparison { recording, arguments, turns }) = comparison else {
        compiles(&file, judge).map_err(|error| in_one_sentence(&error.to_string()))?;
        return Ok(Verified { optimised: 0, checked: 0, newer_calls_looked_for });
    };
    let program = command(chosen, say)?;
    say("comparing the answers of the file with those of the program");
    let player = Player { command: [&program[..], arguments].concat(), environment: Vec::new() };
    let same = verify(&file, judge, arguments, &player, recording, *turns)
        .map_err(|error| in_one_sentence(&error.to_string()))?;
    let Turns { optimised, checked } = same.turns;
    Ok(Verified { optimised, checked, newer_calls_looked_for })
}

/// The command line of the program whose answers the file has to give. The program `boughs` plays by an agent with
/// other settings than those of the bot's own.
fn command(chosen: &Chosen, say: &dyn Fn(&str)) -> Result<Vec<String>, Failure> {
    if let (Some(agent), Some(game)) = (&chosen.agent, chosen.game) {
        let boughs = program::file().display().to_string();
        return Ok([&boughs, "bot", game, "--agent", &agent.spec].map(String::from).to_vec());
    }
    say("building the program in its own target folder, by cargo build --release");
    let program = build(&chosen.folder, chosen.bin.as_deref())?;
    Ok(vec![program.display().to_string()])
}

fn in_one_sentence(text: &str) -> Failure {
    let told = on_one_line(text);
    Failure::of_check(format!("{told}; nothing was written, and --no-verify writes the file as it is"))
}

/// The first lines of what a compiler says, on one line.
pub(crate) fn on_one_line(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.take(MOST_LINES).collect::<Vec<_>>().join(" ")
}
