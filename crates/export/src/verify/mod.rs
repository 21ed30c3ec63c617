//! The comparison of the file with the program: both get the same recorded lines, and have to answer the same.

mod compile;
mod newer;
mod play;
mod program;
mod recording;

use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::Judge;
use crate::fault::ExportError;
pub use compile::{Level, compile};
pub use play::Player;
pub use program::build;
pub(crate) use program::check;
pub use recording::Recording;

/// The most time for the answers of the program and of the file together.
const LIMIT: Duration = Duration::from_secs(150);

/// The number of answers that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Turns {
    /// Of the file compiled with `-O`.
    pub optimised: usize,
    /// Of the file compiled without, and with checks for overflow.
    pub checked: usize,
}

impl Turns {
    /// The most answers to a recording that the user names: 200, or those of 20 cases of AHC015.
    pub fn of_named(game: Option<&str>) -> Turns {
        let optimised = if game == Some("ahc015") { 20 * 100 } else { 200 };
        Turns { optimised, ..Turns::default() }
    }
}

impl Default for Turns {
    fn default() -> Turns {
        Turns { optimised: 50, checked: 5 }
    }
}

/// A file that plays as its program does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// The number of answers that were equal.
    pub turns: Turns,
    /// The compiler's notes on places where the editions may differ.
    pub notes: String,
}

/// Compiles the file as the judge may do it, plays the recording through it with these arguments and through the
/// program, and compares. Arguments or environment have to give both the same budget of playouts: with a time they
/// answer as it comes.
///
/// # Errors
/// What the compiler says, or one sentence about the first answers that differ.
pub fn verify(
    file: &Path,
    judge: Judge,
    arguments: &[String],
    program: &Player,
    recording: &Recording,
    turns: Turns,
) -> Result<Verified, ExportError> {
    let folder = folder()?;
    let until = Instant::now() + LIMIT;
    let answers = program.play(recording, turns.optimised.max(turns.checked), until)?;
    let mut compared = [0; 2];
    let levels = [(Level::Optimised, turns.optimised), (Level::Checked, turns.checked)];
    for ((level, most), compared) in levels.into_iter().zip(&mut compared) {
        let binary = folder.path().join(level.name());
        compile(file, judge, level, &binary)?;
        let command = [&[binary.display().to_string()], arguments].concat();
        let player = Player { command, ..program.clone() };
        let own = player.play(recording, most, until)?;
        if let Some(at) = (0..own.len()).find(|&at| own[at] != answers[at]) {
            return Err(ExportError::new(format!(
                "compiled with {level}, {} does not play as the program does: its answer to {} is '{}', that of the \
                 program '{}'",
                file.display(),
                recording.place(at),
                own[at],
                answers[at],
            )));
        }
        *compared = own.len();
    }
    let [optimised, checked] = compared;
    Ok(Verified { turns: Turns { optimised, checked }, notes: compile::edition_notes(file, judge, folder.path())? })
}

/// Compiles the file as the judge may do it, with and without optimisation.
///
/// # Errors
/// What the compiler says.
pub fn compiles(file: &Path, judge: Judge) -> Result<(), ExportError> {
    let folder = folder()?;
    [Level::Optimised, Level::Checked]
        .into_iter()
        .try_for_each(|level| compile(file, judge, level, &folder.path().join(level.name())))
}

/// Looks for calls of the standard library that are newer than the judge's compiler. Returns false if that cannot be
/// done, because clippy does not run.
///
/// # Errors
/// One sentence about the first calls.
pub fn has_no_newer_calls(file: &Path, judge: Judge) -> Result<bool, ExportError> {
    match judge {
        Judge::CodinGame => newer::look(file, judge, folder()?.path()),
        // Its compiler is as new as that of the program.
        Judge::AtCoder => Ok(true),
    }
}

fn folder() -> Result<TempDir, ExportError> {
    tempfile::tempdir()
        .map_err(|error| ExportError::new(format!("there is no folder for compiled files: {error}; free some space")))
}
