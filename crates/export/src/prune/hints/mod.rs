//! Facts about a program that an earlier file of it has shown, with which the next file takes one look by the compiler.
//!
//! A hint is what the compiler has said: which calls mean which methods, without which implementations the program
//! compiles, and which values have no type once the field is gone that they were for. None is about constants, which
//! are folded anew in each file. Where a hint is no longer right, the compiler does not take the file, and
//! [`Hints::widen`] gives up what its errors name.

mod apart;
mod untyped;

use std::collections::BTreeSet;

use super::compiler::{Compiler, Diagnostic, has_error};
use super::traits::{self, Implementation};
use super::unneeded;
use super::{Learned, fold_until, parse, reach};
use crate::fault::ExportError;
use crate::fold;
use crate::print::lines::{join, lines};
use apart::Apart;
use untyped::Untyped;

/// The most rounds in which the first hints are found.
const MOST_ROUNDS: usize = 16;

/// The errors about names that stand for nothing.
const UNKNOWN_NAME: [&str; 6] = ["E0405", "E0412", "E0423", "E0425", "E0432", "E0433"];

/// The number of expressions in a walk that are left when they give way to constants, for the time of another walk.
const REST: usize = 40;

/// Facts that the compiler told of an earlier file.
#[derive(Clone)]
pub(crate) struct Hints {
    apart: Apart,
    /// Implementations of traits of the standard library that are needed.
    needed: BTreeSet<Implementation>,
    /// Implementations of the file's traits without which it compiles.
    unneeded: BTreeSet<Implementation>,
    /// Statements whose values have no type.
    untyped: BTreeSet<Untyped>,
    /// True if the implementations of text cannot go.
    keeps_text_forms: bool,
}

/// A file that hints made short.
pub(crate) struct Hinted {
    pub(crate) file: syn::File,
    /// The implementations that are left out.
    gone: BTreeSet<Implementation>,
}

impl Hints {
    /// Finds out the hints for a file, after what was learned from its complete removal.
    pub(crate) fn learn(whole: &syn::File, compiler: &Compiler, learned: &Learned) -> Result<Hints, ExportError> {
        let begun = begun(whole);
        let mut hints = Hints {
            apart: Apart::learn(whole, &begun, compiler)?.0,
            needed: learned.needed.clone(),
            unneeded: unneeded::candidates(&begun),
            untyped: BTreeSet::new(),
            keeps_text_forms: false,
        };
        for _ in 0..MOST_ROUNDS {
            let hinted = hints.apply(whole, compiler)?;
            let lines = lines(&hinted.file);
            let diagnostics = compiler.check(&lines)?;
            if !has_error(&diagnostics) || !hints.widen(&hinted, &join(&lines), &diagnostics) {
                break;
            }
        }
        Ok(hints)
    }

    /// Removes from a file what these hints tell, and folds what is constant.
    pub(crate) fn apply(&mut self, whole: &syn::File, compiler: &Compiler) -> Result<Hinted, ExportError> {
        let begun = begun(whole);
        let mut file = match self.apart.apply(whole, &begun) {
            Some(separate) => separate,
            None => {
                let (apart, separate) = Apart::learn(whole, &begun, compiler)?;
                self.apart = apart;
                // Types have changed, and with them perhaps what has none.
                self.untyped.clear();
                separate
            }
        };
        let unused = if self.keeps_text_forms { BTreeSet::new() } else { fold::text_forms(&mut file) };
        fold_until(&mut file, &unused, REST);
        // Nothing is folded behind this: a fold sees no effects of an implementation that is gone, and it might remove
        // the use of it that the compiler would miss.
        fold::remove_implementations(&mut file, &unused);
        let mut gone = traits::leave_out(&mut file, &self.needed);
        gone.extend(unneeded::leave_out(&mut file, &self.unneeded));
        self.remove_untyped(&mut file);
        reach::sweep(&mut file);
        Ok(Hinted { file, gone })
    }

    /// Removes values that have no type.
    pub(crate) fn remove_untyped(&self, file: &mut syn::File) {
        untyped::remove(file, &self.untyped);
    }

    /// Notes the statements whose types errors about a text miss.
    pub(crate) fn note_untyped(&mut self, text: &str, diagnostics: &[Diagnostic]) {
        let untyped = diagnostics.iter().filter(|error| ["E0282", "E0283"].contains(&error.code.as_str()));
        let places: BTreeSet<usize> = untyped.flat_map(|error| &error.spans).map(|span| span.start).collect();
        if let Ok(mut file) = parse(text) {
            self.untyped.extend(untyped::at(&mut file, &places));
        }
    }

    /// Gives up the hints that errors speak against. Returns false if there are none, or if names are missing: hints
    /// take no item away but implementations, so the program itself is at fault.
    pub(crate) fn widen(&mut self, hinted: &Hinted, text: &str, diagnostics: &[Diagnostic]) -> bool {
        if diagnostics.iter().any(|diagnostic| UNKNOWN_NAME.contains(&diagnostic.code.as_str())) {
            return false;
        }
        let sizes = |hints: &Hints| (hints.needed.len(), hints.unneeded.len(), hints.untyped.len());
        let before = sizes(self);
        self.note_untyped(text, diagnostics);
        for error in diagnostics.iter().filter(|diagnostic| diagnostic.is_error) {
            let named = traits::named(&error.notes, &hinted.gone);
            named.iter().for_each(|name| _ = self.unneeded.remove(name));
            traits::need_all(&hinted.file, named, &hinted.gone, &mut self.needed);
        }
        sizes(self) != before || !std::mem::replace(&mut self.keeps_text_forms, true)
    }
}

/// A file of which only that is left that `main` reaches.
fn begun(whole: &syn::File) -> syn::File {
    let mut file = whole.clone();
    fold::write_out_defaults(&mut file);
    reach::sweep(&mut file);
    file
}
