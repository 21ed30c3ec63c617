//! Implementations of the file's own traits that the program compiles without.
//!
//! The compiler does not warn of them. Where one of several implementations is left, what is generic in the trait can
//! be written for its type.

use std::collections::BTreeSet;

use syn::{Item, ItemImpl, Path, Type};

use super::compiler::Compiler;
use super::effects;
use super::members::trait_member;
use super::traits::{Implementation, named};
use crate::fault::ExportError;
use crate::print::lines::lines;

/// The most rounds of putting back what errors name.
const MOST_ROUNDS: usize = 3;

/// Leaves out implementations of traits that several types have. If the compiler keeps missing some, all stay.
pub(super) fn without_unneeded(file: syn::File, compiler: &Compiler) -> Result<syn::File, ExportError> {
    let all = candidates(&file);
    let mut gone = all.clone();
    for _ in 0..MOST_ROUNDS {
        if gone.is_empty() {
            break;
        }
        let mut less = file.clone();
        remove(&mut less, &gone);
        let diagnostics = compiler.check(&lines(&less))?;
        let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error).collect();
        if errors.is_empty() {
            return Ok(less);
        }
        let needed: BTreeSet<Implementation> = errors.iter().flat_map(|error| named(&error.notes, &gone)).collect();
        if needed.is_empty() {
            break;
        }
        gone.retain(|name| !needed.contains(name));
    }
    Ok(file)
}

fn remove(file: &mut syn::File, gone: &BTreeSet<Implementation>) {
    file.items.retain(|item| implementation(item).is_none_or(|name| !gone.contains(&name)));
}

/// Leaves out implementations that were not needed earlier, without asking. Returns those that went.
pub(super) fn leave_out(file: &mut syn::File, unneeded: &BTreeSet<Implementation>) -> BTreeSet<Implementation> {
    let gone: BTreeSet<Implementation> = candidates(file).intersection(unneeded).cloned().collect();
    remove(file, &gone);
    gone
}

/// The implementations of the file's traits that several of its types have. A type that dereferences keeps its own,
/// because a call would mean a method of what is behind it.
pub(super) fn candidates(file: &syn::File) -> BTreeSet<Implementation> {
    let name_of = |item: &Item| match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        _ => None,
    };
    let types: BTreeSet<String> = file.items.iter().filter_map(name_of).collect();
    let trait_name = |item: &Item| match item {
        Item::Trait(item) => Some(item.ident.to_string()),
        _ => None,
    };
    let traits: BTreeSet<String> = file.items.iter().filter_map(trait_name).collect();
    let methods = |item: &Item| match item {
        Item::Trait(item) => {
            item.items.iter().filter(|member| is_method(member)).filter_map(trait_member).collect::<Vec<_>>()
        }
        _ => Vec::new(),
    };
    let all_methods: Vec<String> = file.items.iter().flat_map(methods).collect();
    // A call of such a method would mean another one, of the standard library or of another trait.
    let is_ambiguous =
        |name: &String| effects::is_of_std(name) || all_methods.iter().filter(|other| *other == name).count() > 1;
    let unclear: BTreeSet<String> =
        file.items.iter().filter(|item| methods(item).iter().any(is_ambiguous)).filter_map(trait_name).collect();
    let all: Vec<Implementation> = file.items.iter().filter_map(implementation).collect();
    let is_several = |of: &str| all.iter().filter(|(other, _)| other == of).count() > 1;
    let dereferences = |itself: &str| all.iter().any(|(of, other)| of == "Deref" && other == itself);
    all.iter()
        .filter(|(of, itself)| {
            traits.contains(of)
                && !unclear.contains(of)
                && types.contains(itself)
                && is_several(of)
                && !dereferences(itself)
        })
        .cloned()
        .collect()
}

/// The names of the trait and of the type of an implementation.
fn implementation(item: &Item) -> Option<Implementation> {
    let last = |path: &Path| path.segments.last().map(|last| last.ident.to_string());
    match item {
        Item::Impl(ItemImpl { trait_: Some((of, _)), self_ty, .. }) => match &**self_ty {
            Type::Path(path) => Some((last(of)?, last(&path.path)?)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns true for a member that is called behind a point.
fn is_method(member: &syn::TraitItem) -> bool {
    matches!(member, syn::TraitItem::Fn(function) if function.sig.receiver().is_some())
}
