//! The parts of a file that the program does not reach.

mod apart;
pub(crate) mod compiler;
pub(crate) mod effects;
mod gone_parts;
mod layout;
mod members;
mod memory;
mod mentions;
mod needed_fields;
mod parameters;
mod reach;
mod removal;
mod traits;

use std::collections::BTreeSet;

use crate::fault::ExportError;
use crate::fold;
use crate::print::lines::{join, lines};
use crate::single;
use crate::visit_mut::VisitMut;
use compiler::Compiler;
use memory::Memory;
pub use parameters::without_unread_parameters;
use removal::Removal;
use traits::Implementation;

/// The most rounds of warnings and removals.
const MOST_ROUNDS: usize = 60;

/// The most times that the removal of code lets more be folded.
const MOST_FOLDS: usize = 8;

/// Knowledge about a program that saves time when its file is written anew.
#[derive(Default, Clone)]
pub struct Learned {
    needed: BTreeSet<Implementation>,
    /// Of those, the ones that a program with folded constants needs.
    needed_at_last: BTreeSet<Implementation>,
    /// Names of the standard library, which are not shortened.
    pub(crate) names: BTreeSet<String>,
    /// The results of the steps, each for the items it was given.
    reached: Memory,
    folded: Vec<Memory>,
    stripped: Memory,
    tidied: Memory,
}

/// Removes what the program does not reach.
pub fn prune(mut file: syn::File, edition: &'static str, learned: &mut Learned) -> Result<syn::File, ExportError> {
    let compiler = Compiler::new(edition)?;
    fold::write_out_defaults(&mut file);
    reach::sweep(&mut file);
    let unused = fold::text_forms(&mut file);
    for _ in 0..MOST_FOLDS {
        let count = fold::fold(&mut file, &unused);
        reach::sweep(&mut file);
        if count == 0 {
            break;
        }
    }
    file =
        learned.reached.step(file, &compiler, |file| without_warnings(apart::separate(file, &compiler)?, &compiler))?;
    file = traits::strip(&file, &compiler, &mut learned.needed)?;
    reach::sweep(&mut file);
    let mut unused = fold::text_forms(&mut file);
    loop {
        let mut folded = folded(file.clone(), &compiler, learned, &unused)?;
        // What was taken to be never called has to go.
        let needed: Vec<_> = fold::implementations(&folded).filter(|name| unused.contains(name)).collect();
        fold::remove_implementations(&mut folded, &unused);
        if !compiler.check(&lines(&folded))?.iter().any(|diagnostic| diagnostic.is_error) {
            reach::sweep(&mut folded);
            return without_warnings(folded, &compiler);
        }
        needed.iter().for_each(|name| _ = unused.remove(name));
    }
}

/// Folds what is constant and removes what is not reached then, until nothing more goes.
fn folded(
    mut file: syn::File,
    compiler: &Compiler,
    learned: &mut Learned,
    unused: &BTreeSet<fold::ImplementationName>,
) -> Result<syn::File, ExportError> {
    let mut needed = learned.needed.difference(unused).cloned().collect();
    let mut is_written_for_one = false;
    for round in 0..MOST_FOLDS {
        let count = fold::fold(&mut file, unused);
        if count == 0 && std::mem::replace(&mut is_written_for_one, true) {
            break;
        }
        reach::sweep(&mut file);
        if learned.folded.len() == round {
            learned.folded.push(Memory::default());
        }
        file = learned.folded[round].step(file, compiler, |mut file| {
            if count == 0 {
                // Few traits are left with several implementations.
                file = single::instantiate_with(file, compiler)?;
            }
            let mut file = traits::strip(&without_warnings(file, compiler)?, compiler, &mut needed)?;
            reach::sweep(&mut file);
            without_warnings(file, compiler)
        })?;
    }
    file = traits::strip(&file, compiler, &mut learned.needed_at_last)?;
    reach::sweep(&mut file);
    let file = learned.stripped.step(file, compiler, |file| without_warnings(file, compiler))?;
    parameters::without_unread(file, compiler)
}

/// Removes what a rewritten file does not reach.
pub(crate) fn tidy(
    mut file: syn::File,
    edition: &'static str,
    learned: &mut Learned,
) -> Result<syn::File, ExportError> {
    WithoutDocs.visit_file_mut(&mut file);
    reach::sweep(&mut file);
    let compiler = Compiler::new(edition)?;
    learned.tidied.step(file, &compiler, |file| without_warnings(file, &compiler))
}

struct WithoutDocs;

impl VisitMut for WithoutDocs {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
        attributes.retain(|attribute| !attribute.path().is_ident("doc"));
    }
}

/// Removes what the compiler calls unused, until it is silent.
fn without_warnings(mut file: syn::File, compiler: &Compiler) -> Result<syn::File, ExportError> {
    for _ in 0..MOST_ROUNDS {
        let lines = lines(&file);
        file = parse(&join(&lines))?;
        let diagnostics = compiler.check(&lines)?;
        if diagnostics.is_empty() {
            break;
        }
        let has_errors = diagnostics.iter().any(|diagnostic| diagnostic.is_error);
        let mut removal = Removal::of(diagnostics.iter().filter(|diagnostic| diagnostic.is_error == has_errors));
        removal.apply(&mut file);
        reach::sweep(&mut file);
        if removal.count == 0 {
            return match diagnostics.iter().find(|diagnostic| diagnostic.is_error) {
                Some(error) => Err(ExportError::new(format!("the merged file does not compile: {}", error.rendered))),
                None => Ok(file),
            };
        }
    }
    Ok(file)
}

fn parse(text: &str) -> Result<syn::File, ExportError> {
    syn::parse_file(text).map_err(|error| {
        let at = error.span().start();
        ExportError::new(format!("the merged file cannot be read at {}:{}: {error}", at.line, at.column))
    })
}
