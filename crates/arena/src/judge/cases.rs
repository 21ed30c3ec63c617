//! The cases of a run: made from seeds, or read from files.

use std::fs;
use std::ops::Range;
use std::path::Path;

use boughs::checksum::Checksum;
use boughs_games::ahc015::{Case, CaseError};

use super::JudgeError;

/// Length of the longest file that can be a case. Files of the contest are shorter.
const LONGEST: u64 = 1 << 20;

/// The cases of a run, each by its number from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum Cases {
    /// Cases made from seeds, each when it is its turn.
    Seeds(Range<u64>),
    /// Cases of files, read before the first one is played, in the order of their names.
    Files(Vec<NamedCase>),
}

/// A case with its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedCase {
    /// Its seed, or the name of its file.
    pub name: String,
    /// The case.
    pub case: Case,
}

impl NamedCase {
    /// Checksum of the content of the case. It tells apart different cases of the same name.
    pub fn checksum(&self) -> u64 {
        let mut checksum = Checksum::default();
        checksum.add(&self.case.flavours);
        checksum.add(&self.case.placements);
        checksum.value()
    }
}

impl Cases {
    /// Reads all files of a folder except those whose names begin with a dot.
    ///
    /// # Errors
    /// If there are no files, or one cannot be read or is no case. The error names the file, and the line.
    pub fn in_folder(folder: &Path) -> Result<Cases, JudgeError> {
        let shown = folder.display();
        let fault = |error: std::io::Error| {
            JudgeError::Cases(format!("the folder '{shown}' cannot be read ({error}); name one with files of cases"))
        };
        let mut names = Vec::new();
        for entry in fs::read_dir(folder).map_err(fault)? {
            let path = entry.map_err(fault)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_file() && !name.starts_with('.') {
                names.push((name, path));
            }
        }
        names.sort();
        if names.is_empty() {
            return Err(JudgeError::Cases(format!(
                "there is no file in '{shown}'; put files of cases there, one a file"
            )));
        }
        let files: Result<_, _> =
            names.into_iter().map(|(name, path)| case(&path).map(|case| NamedCase { name, case })).collect();
        files.map(Cases::Files)
    }

    /// Number of cases.
    pub fn len(&self) -> usize {
        match self {
            Cases::Seeds(seeds) => usize::try_from(seeds.end.saturating_sub(seeds.start)).unwrap_or(usize::MAX),
            Cases::Files(files) => files.len(),
        }
    }

    /// Returns true if there are no cases.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The case with this number, counted from 0; `None` after the last.
    pub fn get(&self, number: usize) -> Option<NamedCase> {
        match self {
            Cases::Seeds(seeds) => {
                let seed = seeds.start.checked_add(number as u64).filter(|seed| *seed < seeds.end)?;
                Some(NamedCase { name: seed.to_string(), case: Case::generate(seed) })
            }
            Cases::Files(files) => files.get(number).cloned(),
        }
    }
}

/// Reads the case of a file.
fn case(path: &Path) -> Result<Case, JudgeError> {
    let shown = path.display();
    let fault = |error: std::io::Error| JudgeError::Cases(format!("the file '{shown}' cannot be read: {error}"));
    if fs::metadata(path).map_err(fault)?.len() > LONGEST {
        return Err(JudgeError::Cases(format!("the file '{shown}' is too long for a case; move it elsewhere")));
    }
    let text = fs::read_to_string(path).map_err(fault)?;
    text.parse().map_err(|error: CaseError| JudgeError::Cases(format!("the file '{shown}' is no case: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_cases_in_their_order_and_come_to_an_end() {
        let cases = Cases::Seeds(7..9);
        assert_eq!((cases.len(), cases.is_empty()), (2, false));
        assert_eq!(cases.get(1), Some(NamedCase { name: "8".into(), case: Case::generate(8) }));
        assert_eq!(cases.get(2), None);
        assert_eq!(Cases::Seeds(u64::MAX - 1..u64::MAX).get(1), None);
        assert_ne!(cases.get(0).map(|named| named.checksum()), cases.get(1).map(|named| named.checksum()));
    }
}
