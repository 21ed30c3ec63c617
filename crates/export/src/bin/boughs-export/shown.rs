//! The facts about a file for a judge, as text and as JSON.

use std::path::Path;

use boughs_export::{Export, Judge};
use indicatif::HumanCount;
use serde::Serialize;

use crate::failure::harmless;
use crate::verification::Verified;

/// The facts about a file.
#[derive(Serialize)]
pub(crate) struct Facts<'a> {
    file: String,
    characters: usize,
    limit: usize,
    names_shortened: bool,
    /// False for a quick file, which a complete one will replace.
    complete: bool,
    /// `None` if the file was not verified.
    verified: Option<&'a Verified>,
    characters_read: usize,
    pruned: Vec<Part<'a>>,
    largest: Vec<Part<'a>>,
}

/// A number of characters with the name of what takes them.
#[derive(Serialize)]
struct Part<'a> {
    name: &'a str,
    characters: isize,
}

impl<'a> Facts<'a> {
    pub(crate) fn new(out: &Path, made: &'a Export, judge: Judge, verified: Option<&'a Verified>) -> Facts<'a> {
        Facts {
            file: out.display().to_string(),
            characters: made.characters,
            limit: judge.limit(),
            names_shortened: made.is_short,
            complete: made.is_complete,
            verified,
            characters_read: made.before,
            pruned: made.pruned.iter().map(|&(name, characters)| Part { name, characters }).collect(),
            largest: made.parts.iter().map(|(name, size)| Part { name, characters: *size as isize }).collect(),
        }
    }

    /// The facts as text. `is_watched` is true where quick and complete files take turns.
    pub(crate) fn text(&self, is_watched: bool) -> String {
        let quick = match self.complete {
            true if is_watched => "This is the complete file.\n",
            true => "",
            false => "This is a quick file after a change, with code that is not used. The complete one follows.\n",
        };
        let (names, before) = match self.names_shortened {
            true => (", names shortened", ", before names are shortened"),
            false => ("", ""),
        };
        let verified = match self.verified {
            None => String::new(),
            Some(Verified { optimised: 0, .. }) => "The judge's flags compile it. No answers were compared: give \
                the judge's lines by --recording FILE to compare them.\n"
                .to_string(),
            Some(Verified { optimised, checked, .. }) => format!(
                "It answers as the program does: {optimised} equal {} with -O, {checked} without optimisation and with \
                 checks for overflow.\n",
                if *optimised == 1 { "answer" } else { "answers" }
            ),
        };
        let unasked = match self.verified {
            Some(Verified { newer_calls_looked_for: false, .. }) => {
                "Calls newer than the judge's Rust were not looked for, because clippy does not run: rustup component \
                 add clippy\n"
            }
            _ => "",
        };
        format!(
            "{}: {} characters, {} % of the {} that the judge takes{names}\n{quick}{verified}{unasked}{} characters \
             were read. Characters that went:\n{}What takes the most room{before}:\n{}",
            harmless(&self.file),
            HumanCount(self.characters as u64),
            100 * self.characters / self.limit.max(1),
            HumanCount(self.limit as u64),
            HumanCount(self.characters_read as u64),
            lines(&self.pruned),
            lines(&self.largest),
        )
    }
}

fn lines(parts: &[Part<'_>]) -> String {
    let count = |size: isize| {
        let sign = if size < 0 { "-" } else { "" };
        format!("{sign}{}", HumanCount(size.unsigned_abs() as u64))
    };
    parts.iter().map(|part| format!("  {:>9}  {}\n", count(part.characters), part.name)).collect()
}
