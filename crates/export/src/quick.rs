//! A file that is written within moments after a change, and is longer than the complete one.
//!
//! Its constants are folded as those of a complete file are. The compiler is not asked in many rounds what else goes:
//! what it said of an earlier file serves as hints, and it only has to take the end result. If it does not, the hints
//! are widened by what it says, and without success there is no quick file.

use std::collections::BTreeSet;

use crate::fault::ExportError;
use crate::merged::Merged;
use crate::print::lines::{join, lines};
use crate::prune::compiler::{Compiler, has_error};
use crate::prune::hints::{Hinted, Hints};
use crate::prune::{self, Learned};
use crate::shelf::Shelf;
use crate::{Export, Judge, Request, for_old_rust, imports, shorten, verify};

/// The most tries, of which each but the first has wider hints.
const MOST_TRIES: usize = 3;

/// The most rounds of names that the compiler misses, for a program whose names are known.
const FEW_ROUNDS: usize = 2;

/// Knowledge from a complete file of a program, which makes quick files after changes of it.
pub(crate) struct Quick {
    hints: Hints,
    /// Names of the standard library, which are not shortened.
    names: BTreeSet<String>,
    /// The most rounds of names that the compiler misses.
    rounds: usize,
    /// True if the file is too long with what the compiler calls unused.
    is_long: bool,
    /// A compiler of the newest edition, and those of the judge's for long and for short names: a compiler is quick
    /// with a text that is like its last one.
    newest: Compiler,
    judges: Compiler,
    shortest: Compiler,
    /// The last complete file.
    complete: Export,
}

impl Quick {
    /// Learns from a program of which `complete` was made, with what that has taught.
    ///
    /// # Errors
    /// One sentence, if no quick file of the program can be made.
    pub(crate) fn learn(
        request: &Request<'_>,
        complete: &Export,
        learned: &Learned,
        stage: &mut dyn FnMut(&str),
    ) -> Result<Quick, ExportError> {
        stage("learning for quick files");
        let newest = Compiler::new(Judge::AtCoder.edition())?;
        let merged = Merged::read(request, &mut Shelf::default())?;
        let hints = Hints::learn(&merged.file, &newest, learned)?;
        let [judges, shortest] = [(); 2].map(|()| Compiler::new(request.judge.edition()));
        let (judges, shortest) = (judges?, shortest?);
        let (names, rounds) = (learned.names.clone(), shorten::MOST_ROUNDS);
        let mut quick =
            Quick { hints, names, rounds, is_long: false, newest, judges, shortest, complete: complete.clone() };
        quick.made(request, &merged)?;
        quick.rounds = FEW_ROUNDS;
        // Cargo checks the dependencies here, and after a change the crate alone.
        verify::check(request.folder, request.bin)?;
        Ok(quick)
    }

    /// Notes a complete file, which is taken again when only comments and white space change.
    pub(crate) fn note(&mut self, complete: &Export) {
        self.complete = complete.clone();
    }

    /// Makes a file that may be longer than the complete one.
    ///
    /// # Errors
    /// One sentence. A complete export may go without error, unless it is of the crate.
    pub(crate) fn export(
        &mut self,
        request: &Request<'_>,
        shelf: &mut Shelf,
        stage: &mut dyn FnMut(&str),
    ) -> Result<Export, ExportError> {
        stage("reading the crates");
        let merged = Merged::read(request, shelf)?;
        if let Some(same) = merged.unchanged(&self.complete) {
            return Ok(same);
        }
        stage("making a quick file");
        let before = (self.hints.clone(), self.is_long);
        let made = self.made(request, &merged);
        if made.is_err() {
            // A program at fault says nothing about the next one.
            (self.hints, self.is_long) = before;
        }
        made
    }

    fn made(&mut self, request: &Request<'_>, merged: &Merged) -> Result<Export, ExportError> {
        let mut tries = 0;
        loop {
            tries += 1;
            let hinted = self.hints.apply(&merged.file, &self.newest)?;
            let file = finished(request.judge, &hinted);
            let error = match self.printed(request, merged, &file) {
                Ok(export) => return merged.check_numbers(&file, &self.judges).map(|()| export),
                Err(error) => error,
            };
            let lines = lines(&file);
            let diagnostics = self.judges.check(&lines)?;
            if tries == 1 && has_error(&diagnostics) {
                verify::check(request.folder, request.bin)?;
            }
            let can_go_on = match has_error(&diagnostics) {
                true => self.hints.widen(&hinted, &join(&lines), &diagnostics),
                false => !std::mem::replace(&mut self.is_long, true),
            };
            if tries == MOST_TRIES || !can_go_on {
                return Err(error);
            }
        }
    }

    /// Prints a file that the compiler takes.
    fn printed(&mut self, request: &Request<'_>, merged: &Merged, file: &syn::File) -> Result<Export, ExportError> {
        if !self.is_long {
            return self.checked(request, merged, file.clone());
        }
        let no_file = || ExportError::new("the compiler does not take the quick file");
        let mut file = prune::without_first_warnings(file.clone(), &self.judges)?.ok_or_else(no_file)?;
        self.hints.remove_untyped(&mut file);
        if let Ok(export) = self.checked(request, merged, file.clone()) {
            return Ok(export);
        }
        let lines = lines(&file);
        self.hints.note_untyped(&join(&lines), &self.judges.check(&lines)?);
        let file = prune::without_errors(file, &self.judges)?;
        self.checked(request, merged, file)
    }

    /// Prints a file, with short names where they are asked for or needed, and has it checked.
    fn checked(&mut self, request: &Request<'_>, merged: &Merged, plain: syn::File) -> Result<Export, ExportError> {
        let (shortest, rounds, mut kept) = (&self.shortest, self.rounds, self.names.clone());
        let mut file = plain.clone();
        imports::import(&mut file);
        let export = merged.export(request, &file, |constants| {
            kept.extend(constants);
            shorten::short_names(plain, shortest, &mut kept, rounds)
        })?;
        self.names = kept;
        if !export.is_short {
            let diagnostics = self.judges.check(&lines(&file))?;
            if let Some(error) = diagnostics.iter().find(|diagnostic| diagnostic.is_error) {
                return Err(ExportError::of_merged(&error.rendered));
            }
        }
        Ok(Export { is_complete: false, ..export })
    }
}

/// Rewrites a file for the judge.
fn finished(judge: Judge, hinted: &Hinted) -> syn::File {
    let mut file = hinted.file.clone();
    if judge == Judge::CodinGame {
        file = for_old_rust(file);
        prune::without_docs(&mut file);
    }
    file
}
