//! Traits of which one implementation is meant: what is generic in them is written for the type that has it.
//!
//! Each trait is a trial: if the compiler does not take the file afterwards, it stays as it was.

mod arguments;
mod inherent;
mod objects;
mod parameters;
mod substitute;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use quote::ToTokens;
use syn::{
    FnArg, GenericArgument, GenericParam, Generics, ImplItem, Item, ItemImpl, ItemTrait, Pat, PathArguments, Type,
    parse_quote,
};

use crate::fault::ExportError;
use crate::print::lines::lines;
use crate::prune::compiler::Compiler;
use crate::shorten::names::count;
use substitute::{Single, lifetimes};

/// A change for an implementation of a trait. It returns false if there is nothing to do.
struct Change {
    change: fn(&mut syn::File, &Single) -> bool,
    /// Takes an implementation that is generic itself.
    takes_generic: bool,
    /// Takes an implementation that is not the only one.
    takes_several: bool,
}

const CHANGES: [Change; 4] = [
    Change { change: without_overridden, takes_generic: true, takes_several: false },
    Change { change: parameters::write, takes_generic: false, takes_several: true },
    Change { change: objects::write, takes_generic: false, takes_several: false },
    Change { change: inherent::write, takes_generic: true, takes_several: true },
];

/// Writes what is generic in a trait with one implementation for the type that has it.
pub fn instantiate(file: syn::File, edition: &'static str) -> Result<syn::File, ExportError> {
    instantiate_with(file, &Compiler::new(edition)?, &mut Refused::default())
}

/// The same without the changes in `refused`, to which those are added that the compiler does not take.
pub(crate) fn instantiate_with(
    file: syn::File,
    compiler: &Compiler,
    refused: &mut Refused,
) -> Result<syn::File, ExportError> {
    // Mostly the compiler takes all changes. If not, those of a kind are a trial, and of a kind that fails each one.
    let all = change(&file, 0..CHANGES.len(), refused, |_| Ok(true))?;
    if compiler.takes(&lines(&all))? {
        return Ok(all);
    }
    let mut file = file;
    for kind in 0..CHANGES.len() {
        let of_kind = change(&file, kind..kind + 1, refused, |_| Ok(true))?;
        file = match compiler.takes(&lines(&of_kind))? {
            true => of_kind,
            false => change(&file, kind..kind + 1, refused, |tighter| compiler.takes(&lines(tighter)))?,
        };
    }
    Ok(file)
}

/// The changes that a compiler has not taken. One is tried again when its trait or an implementation has changed.
#[derive(Default, Clone)]
pub(crate) struct Refused(BTreeSet<(usize, String)>);

/// The place of a change and the code that it is about.
fn trial(file: &syn::File, at: usize, single: &Single) -> (usize, String) {
    let mut code = single.itself.to_token_stream();
    for item in &file.items {
        match item {
            Item::Trait(of) if of.ident == single.of => of.to_tokens(&mut code),
            Item::Impl(block) if implements(block, &single.of) => block.to_tokens(&mut code),
            _ => {}
        }
    }
    (at, code.to_string())
}

/// Makes the changes of some kinds that `takes` lets through.
fn change(
    file: &syn::File,
    kinds: Range<usize>,
    refused: &mut Refused,
    takes: impl Fn(&syn::File) -> Result<bool, ExportError>,
) -> Result<syn::File, ExportError> {
    let mut file = file.clone();
    let mut tried = BTreeSet::new();
    while let Some((single, at)) = next(&file, kinds.clone(), &mut tried) {
        let trial = trial(&file, at, &single);
        let mut tighter = file.clone();
        if refused.0.contains(&trial) || !(CHANGES[at].change)(&mut tighter, &single) || misses(&tighter, &single.of) {
            continue;
        }
        if takes(&tighter)? {
            file = tighter;
        } else {
            refused.0.insert(trial);
        }
    }
    Ok(file)
}

/// Takes from a trait what its members do by default, if the one implementation does it otherwise.
fn without_overridden(file: &mut syn::File, single: &Single) -> bool {
    let of_trait = |block: &&ItemImpl| implements(block, &single.of);
    let own: BTreeSet<String> = file
        .items
        .iter()
        .filter_map(as_block)
        .find(of_trait)
        .into_iter()
        .flat_map(|block| &block.items)
        .filter_map(member)
        .collect();
    let mut count = 0;
    for item in &mut file.items {
        let Item::Trait(of) = item else { continue };
        for item in of.items.iter_mut().filter(|_| of.ident == single.of) {
            if trait_member(item).is_some_and(|name| own.contains(&name))
                && let syn::TraitItem::Fn(method) = item
                && method.default.take().is_some()
            {
                method.semi_token = Some(Default::default());
                method.attrs.retain(|attribute| !attribute.path().is_ident("inline"));
                method.sig.inputs.iter_mut().for_each(without_pattern);
                count += 1;
            }
        }
    }
    count > 0
}

/// Takes from a parameter what only a body needs.
fn without_pattern(parameter: &mut FnArg) {
    if let FnArg::Typed(typed) = parameter {
        match &mut *typed.pat {
            Pat::Ident(variable) if variable.by_ref.is_none() && variable.subpat.is_none() => {
                variable.mutability = None;
            }
            pattern => *pattern = parse_quote!(_),
        }
    }
}

/// Returns true if a file mentions a trait that it does not have.
fn misses(file: &syn::File, of: &str) -> bool {
    let is_declared = file.items.iter().any(|item| matches!(item, Item::Trait(item) if item.ident == of));
    let mut names = BTreeMap::new();
    if !is_declared {
        count(file.to_token_stream(), &mut names);
    }
    names.contains_key(of)
}

/// A change that was not tried.
fn next(
    file: &syn::File,
    mut kinds: Range<usize>,
    tried: &mut BTreeSet<(usize, String, String)>,
) -> Option<(Single, usize)> {
    let singles = singles(file);
    kinds.find_map(|at| {
        let Change { takes_generic, takes_several, .. } = CHANGES[at];
        let may = |it: &&Single| (it.is_plain || takes_generic) && (it.is_only || takes_several);
        let key = |it: &Single| (at, it.of.clone(), it.itself.to_token_stream().to_string());
        let single = singles.iter().filter(may).find(|single| tried.insert(key(single)))?;
        Some((single.clone(), at))
    })
}

/// The implementations of the traits of the file.
fn singles(file: &syn::File) -> Vec<Single> {
    file.items
        .iter()
        .flat_map(|item| if let Item::Trait(of) = item { singles_of(file, of) } else { Vec::new() })
        .collect()
}

fn singles_of(file: &syn::File, item: &ItemTrait) -> Vec<Single> {
    let blocks = || file.items.iter().filter_map(as_block);
    let of = item.ident.to_string();
    let of_trait: Vec<&ItemImpl> = blocks().filter(|block| implements(block, &of)).collect();
    let members: BTreeSet<String> = item.items.iter().filter_map(trait_member).collect();
    let single = |block: &&ItemImpl| {
        let Type::Path(itself) = &*block.self_ty else { return None };
        let name = itself.path.segments.last()?.ident.to_string();
        let is_plain = has_lifetimes_alone(&block.generics)
            && has_lifetimes_alone(&item.generics)
            && itself.path.segments.iter().all(|segment| lifetimes_alone(&segment.arguments));
        // A member of the type itself would be meant in the place of the trait's.
        let is_own = |block: &&ItemImpl| block.trait_.is_none() && names(&block.self_ty, &name);
        let is_hidden = blocks()
            .filter(is_own)
            .flat_map(|block| &block.items)
            .filter_map(member)
            .any(|name| members.contains(&name));
        let single = Single {
            of: of.clone(),
            itself: (*block.self_ty).clone(),
            types: inherent::types(block),
            lifetimes: block.trait_.as_ref().map(|(path, _)| lifetimes(path)).unwrap_or_default(),
            is_plain,
            is_only: of_trait.len() == 1,
        };
        (!is_hidden).then_some(single)
    };
    of_trait.iter().filter_map(single).collect()
}

fn has_lifetimes_alone(generics: &Generics) -> bool {
    generics.params.iter().all(|parameter| matches!(parameter, GenericParam::Lifetime(_)))
}

fn lifetimes_alone(arguments: &PathArguments) -> bool {
    match arguments {
        PathArguments::None => true,
        PathArguments::AngleBracketed(list) => {
            list.args.iter().all(|argument| matches!(argument, GenericArgument::Lifetime(_)))
        }
        PathArguments::Parenthesized(_) => false,
    }
}

/// Returns true if a block implements the trait of this name.
fn implements(block: &ItemImpl, name: &str) -> bool {
    block.trait_.as_ref().is_some_and(|(of, _)| of.segments.last().is_some_and(|last| last.ident == name))
}

fn names(of: &Type, name: &str) -> bool {
    matches!(of, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

fn as_block(item: &Item) -> Option<&ItemImpl> {
    match item {
        Item::Impl(block) => Some(block),
        _ => None,
    }
}

fn member(item: &ImplItem) -> Option<String> {
    match item {
        ImplItem::Const(item) => Some(item.ident.to_string()),
        ImplItem::Fn(item) => Some(item.sig.ident.to_string()),
        ImplItem::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

fn trait_member(item: &syn::TraitItem) -> Option<String> {
    match item {
        syn::TraitItem::Const(item) => Some(item.ident.to_string()),
        syn::TraitItem::Fn(item) => Some(item.sig.ident.to_string()),
        syn::TraitItem::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}
