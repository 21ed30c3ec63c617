//! The parts of a file that the program does not reach.

mod apart;
mod bases;
pub(crate) mod compiler;
pub(crate) mod effects;
mod gone_parts;
pub(crate) mod hints;
mod layout;
pub(crate) mod members;
mod memory;
mod mentions;
mod needed_fields;
pub(crate) mod own_names;
mod parameters;
mod reach;
mod removal;
mod traits;
mod unneeded;

use std::collections::{BTreeMap, BTreeSet};

use crate::fault::ExportError;
use crate::fold;
use crate::numbers;
use crate::print::lines::{join, lines};
use crate::process;
use crate::single::{self, Refused};
use crate::visit_mut::VisitMut;
use compiler::{Compiler, Diagnostic, has_error};
pub(crate) use gone_parts::name_of;
use memory::Memory;
pub(crate) use parameters::Copied;
pub use parameters::without_unread_parameters;
use removal::Removal;
use traits::Implementation;

/// The most rounds of warnings and removals.
const MOST_ROUNDS: usize = 60;

/// The most times that the removal of code lets more be folded.
const MOST_FOLDS: usize = 8;

/// The number of warnings that are left for a later step.
const FEW: usize = 3;

/// The number of expressions in a walk that are left for a later step when they give way to constants.
const FEW_FOLDS: usize = 5;

/// Knowledge about a program that saves time when its file is written anew.
#[derive(Default, Clone)]
pub struct Learned {
    /// Implementations of traits of the standard library that the program needs.
    needed: BTreeSet<Implementation>,
    /// Names of the standard library, which are not shortened.
    pub(crate) names: BTreeSet<String>,
    /// Changes that the compiler has refused.
    refused: Refused,
    /// The results of the steps, each for the items it was given.
    reached: Memory,
    stripped: Memory,
    named: BTreeMap<usize, Memory>,
    folded: BTreeMap<usize, Memory>,
    tidied: Memory,
}

/// Removes what the program does not reach.
pub fn prune(file: syn::File, edition: &'static str, learned: &mut Learned) -> Result<syn::File, ExportError> {
    let compiler = Compiler::new(edition)?;
    let pruned = prune_with_own_names(file.clone(), &compiler, learned)?;
    let pruned = without_field_warnings(pruned, &compiler)?;
    numbers::check(&file, &pruned, &[], &compiler)?;
    own_names::take_back(pruned)
}

/// Lets the compiler be silent about the fields that a file keeps for parameters of their structs. Comes last, because
/// a field may still go with its parameter.
pub(crate) fn without_field_warnings(mut file: syn::File, compiler: &Compiler) -> Result<syn::File, ExportError> {
    let lines = lines(&file);
    let diagnostics = compiler.check(&lines)?;
    let unread = diagnostics.iter().filter(|diagnostic| diagnostic.code == "dead_code");
    let unread: BTreeSet<usize> = unread.flat_map(|diagnostic| &diagnostic.spans).map(|span| span.start).collect();
    if !unread.is_empty() {
        file = parse(&join(&lines))?;
        needed_fields::allow(&mut file, &unread);
    }
    Ok(file)
}

/// The same, in which methods have names of their own.
pub(crate) fn prune_with_own_names(
    mut file: syn::File,
    compiler: &Compiler,
    learned: &mut Learned,
) -> Result<syn::File, ExportError> {
    fold::write_out_defaults(&mut file);
    reach::sweep(&mut file);
    let mut unused = fold::text_forms(&mut file);
    loop {
        if let Some(pruned) = without_unused(file.clone(), compiler, learned, &mut unused)? {
            return Ok(pruned);
        }
    }
}

/// Removes what the program does not reach if some implementations of traits are never called. Returns `None` if it
/// does not compile without these, and leaves in `unused` fewer, which can still be tried.
fn without_unused(
    mut file: syn::File,
    compiler: &Compiler,
    learned: &mut Learned,
    unused: &mut BTreeSet<fold::ImplementationName>,
) -> Result<Option<syn::File>, ExportError> {
    fold_most(&mut file, unused);
    file = learned.reached.step(file, compiler, FEW, |file| {
        let file = without_most_warnings(apart::separate(file, compiler)?, compiler)?;
        unneeded::without_unneeded(file, compiler)
    })?;
    file = single::instantiate_with(file, compiler, &mut learned.refused)?;
    fold_most(&mut file, unused);
    file = traits::strip(file, compiler, &mut learned.needed)?;
    file = learned.stripped.step(file, compiler, FEW, |file| without_most_warnings(file, compiler))?;
    fold_most(&mut file, unused);
    let mut given_up = BTreeSet::new();
    for round in 0..MOST_FOLDS {
        file = single::instantiate_with(file, compiler, &mut learned.refused)?;
        file = learned
            .named
            .entry(round)
            .or_default()
            .step(file, compiler, usize::MAX, |file| own_names::give(file, compiler))?;
        file = learned.folded.entry(round).or_default().step(file, compiler, FEW, |file| {
            let file = without_most_warnings(file, compiler)?;
            parameters::without_unread(file, compiler, &mut given_up, without_most_warnings)
        })?;
        if fold_most(&mut file, unused) == 0 {
            break;
        }
    }
    let present: Vec<_> = fold::implementations(&file).filter(|name| unused.contains(name)).collect();
    fold::remove_implementations(&mut file, unused);
    if let Some(error) = compiler.check(&lines(&file))?.iter().find(|diagnostic| diagnostic.is_error) {
        present.iter().for_each(|name| _ = unused.remove(name));
        return if present.is_empty() { Err(ExportError::of_merged(&error.rendered)) } else { Ok(None) };
    }
    reach::sweep(&mut file);
    for round in MOST_FOLDS..2 * MOST_FOLDS {
        file = learned.folded.entry(round).or_default().step(file, compiler, 0, |file| {
            let file = without_warnings(file, compiler)?;
            parameters::without_unread(file, compiler, &mut given_up, without_warnings)
        })?;
        if fold_all(&mut file, unused) == 0 {
            break;
        }
    }
    Ok(Some(file))
}

/// Folds what is constant and removes what is not reached then, until nothing more goes. Returns what was folded.
fn fold_all(file: &mut syn::File, unused: &BTreeSet<fold::ImplementationName>) -> usize {
    fold_until(file, unused, 0)
}

/// The same, but for a rest that costs more time than it is worth.
fn fold_most(file: &mut syn::File, unused: &BTreeSet<fold::ImplementationName>) -> usize {
    fold_until(file, unused, FEW_FOLDS)
}

fn fold_until(file: &mut syn::File, unused: &BTreeSet<fold::ImplementationName>, rest: usize) -> usize {
    let mut all = 0;
    for _ in 0..MOST_FOLDS {
        let count = fold::fold(file, unused);
        bases::remove_idle(file);
        reach::sweep(file);
        all += count;
        // The next look by the compiler ends an export that is stopped.
        if count <= rest || process::is_stopped() {
            break;
        }
    }
    all
}

/// Removes what a rewritten file does not reach.
pub(crate) fn tidy(mut file: syn::File, compiler: &Compiler, learned: &mut Learned) -> Result<syn::File, ExportError> {
    without_docs(&mut file);
    learned.tidied.step(file, compiler, 0, |file| without_warnings(file, compiler))
}

/// Removes documentation, and what a rewritten file does not reach.
pub(crate) fn without_docs(file: &mut syn::File) {
    WithoutDocs.visit_file_mut(file);
    reach::sweep(file);
}

struct WithoutDocs;

impl VisitMut for WithoutDocs {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
        attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    }
}

/// Removes what the compiler calls unused, until it is silent.
pub(crate) fn without_warnings(file: syn::File, compiler: &Compiler) -> Result<syn::File, ExportError> {
    with_fewer_warnings(file, compiler, 0)
}

/// Removes what the compiler calls unused at its first look, and then only what errors say of that. Returns `None` if
/// the compiler does not take the file at all.
pub(crate) fn without_first_warnings(
    mut file: syn::File,
    compiler: &Compiler,
) -> Result<Option<syn::File>, ExportError> {
    let lines = lines(&file);
    file = parse(&join(&lines))?;
    let diagnostics = compiler.check(&lines)?;
    if has_error(&diagnostics) {
        return Ok(None);
    }
    remove(&mut file, &diagnostics);
    Ok(Some(file))
}

/// Removes what errors say of the last removal, until there is none.
pub(crate) fn without_errors(file: syn::File, compiler: &Compiler) -> Result<syn::File, ExportError> {
    with_fewer_warnings(file, compiler, usize::MAX)
}

/// Removes what the compiler calls unused, but for a rest that costs another step more time than it is worth.
fn without_most_warnings(file: syn::File, compiler: &Compiler) -> Result<syn::File, ExportError> {
    with_fewer_warnings(file, compiler, FEW)
}

fn with_fewer_warnings(mut file: syn::File, compiler: &Compiler, most: usize) -> Result<syn::File, ExportError> {
    for _ in 0..MOST_ROUNDS {
        let lines = lines(&file);
        file = parse(&join(&lines))?;
        let diagnostics = compiler.check(&lines)?;
        if diagnostics.len() <= most && !has_error(&diagnostics) {
            break;
        }
        if remove(&mut file, &diagnostics) == 0 {
            return match diagnostics.iter().find(|diagnostic| diagnostic.is_error) {
                Some(error) => Err(ExportError::of_merged(&error.rendered)),
                None => Ok(file),
            };
        }
    }
    Ok(file)
}

/// Removes what warnings call unused, or what errors say of the last removal. Returns the number of things that went.
fn remove(file: &mut syn::File, diagnostics: &[Diagnostic]) -> usize {
    let has_errors = has_error(diagnostics);
    let mut removal = Removal::of(diagnostics.iter().filter(|diagnostic| diagnostic.is_error == has_errors));
    removal.apply(file);
    reach::sweep(file);
    removal.count
}

fn parse(text: &str) -> Result<syn::File, ExportError> {
    syn::parse_file(text).map_err(|error| {
        let at = error.span().start();
        ExportError::new(format!("the merged file cannot be read at {}:{}: {error}", at.line, at.column))
    })
}
