//! The files that contestants depend on, with checksums of their content: weights of agents, and programs.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use boughs::checksum::Checksum;
use boughs::named_file::is_stream;
use boughs::{Agent, SearchError, Session, SpecError};
use boughs_agents::AgentSpec;

use crate::contestant::{Contestant, Program};
use crate::program::running_program;

/// Checksums by the name of the file, as it stands in the text of a contestant.
pub type Checksums = BTreeMap<String, String>;

/// Reads the files of contestants. A file that cannot be read, or a pipe, has no checksum: its contestant cannot play
/// either.
pub fn checksums(contestants: &[Contestant]) -> Checksums {
    let files: BTreeMap<_, _> = contestants.iter().flat_map(files_of).filter(|(_, path)| !is_stream(path)).collect();
    files.into_iter().filter_map(|(name, path)| Some((name, file_checksum(&path).ok()?))).collect()
}

/// The names and the paths of the files of a contestant.
fn files_of(contestant: &Contestant) -> Vec<(String, PathBuf)> {
    match contestant {
        Contestant::Program(program) => files_of_program(program),
        Contestant::Agent(agent) | Contestant::Odds(_, agent) => {
            agent.files().into_iter().map(|file| (file.display().to_string(), file.to_path_buf())).collect()
        }
        Contestant::Unknown(..) => Vec::new(),
    }
}

/// The executable of a program, or its source file. An executable may be an interpreter, so the first argument that is
/// a file belongs to it too, as in `python3 bot.py` and `/usr/bin/env python3 bot.py`.
fn files_of_program(program: &Program) -> Vec<(String, PathBuf)> {
    let [name, arguments @ ..] = program.words() else { return Vec::new() };
    let named = |name: &String| Some((name.clone(), PathBuf::from(name))).filter(|(_, path)| path.is_file());
    let executable = match program.is_source() || name.contains('/') {
        true => named(name),
        false => in_path(name).or_else(|| running_program(name)).map(|path| (name.clone(), path)),
    };
    executable.into_iter().chain(arguments.iter().find_map(named)).collect()
}

/// Finds a program where the system looks for programs.
fn in_path(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| is_executable(path))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Builds an agent that plays in turn with others of the same spec, each of which reads its files again.
pub(crate) fn build(spec: &AgentSpec, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
    match spec.files().into_iter().find(|file| is_stream(file)) {
        Some(file) => Err(SearchError::Setting(SpecError::new(format!(
            "'{}' is a pipe or a device and can be read once, and each game reads it; copy it to a file",
            file.display()
        )))),
        None => spec.build(position),
    }
}

/// Reads the checksum of the content of a file.
///
/// # Errors
/// If the file cannot be read.
pub fn file_checksum(path: &Path) -> io::Result<String> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut checksum = Checksum::default();
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(format!("{:016x}", checksum.value()));
        }
        checksum.add(bytes);
        let length = bytes.len();
        file.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(contestant: &str) -> Vec<String> {
        checksums(&[contestant.parse().unwrap()]).into_keys().collect()
    }

    #[test]
    fn a_contestant_depends_on_weights_programs_and_scripts() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (weights, script) = (path("w.json"), path("bot.py"));
        std::fs::write(&weights, "{}").unwrap();
        std::fs::write(&script, "print()").unwrap();
        assert_eq!(names("mcts"), [""; 0]);
        assert_eq!(names(&format!("2x:foresight:weights={weights}")), [weights.as_str()]);
        assert_eq!(names(&format!("cmd:{script} --depth 3 {weights} Cargo.toml")), [script.as_str(), weights.as_str()]);
        assert_eq!(names(&format!("cmd:/usr/bin/env sh {script} {weights}")), [script.as_str(), "/usr/bin/env"]);
        assert_eq!(names(&format!("cmd:sh -u {script} {weights}")), [script.as_str(), "sh"]);
        assert_eq!(names("cmd:./no-such-bot"), [""; 0]);
        assert_eq!(names(&format!("rs:{script} {weights}")), [script.as_str(), weights.as_str()]);
    }
}
