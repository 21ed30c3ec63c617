//! Calls of the standard library that are newer than Rust 1.63, and what replaces them: `polyfills.rs`.
//!
//! `a.div_ceil(b)` becomes `a.old_div_ceil(b)`, a method of a trait that the module imports; `std::iter::repeat_n`
//! becomes a path into the module with the replacements. A method that the program defines itself under such a name
//! stays, and so does a name that the standard library has long had for another type, as `inspect` of iterators.

mod calls;
mod imports;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span};
use syn::{File, Item, Signature, parse_quote};

use calls::Calls;

use crate::visit::{self, Visit};
use crate::visit_mut::VisitMut;

/// The module of a rewritten file that holds the replacements.
pub(super) const POLYFILLS: &str = "newer_std";

pub(super) fn rewrite(file: &mut File) {
    let replacements = replacements();
    let mut own = OwnNames::default();
    own.visit_file(file);
    let is_method = |name: &&String| has_trait(&replacements[*name]) && !own.methods.contains(*name);
    let methods = replacements.keys().filter(is_method).cloned().collect();
    let mut calls = Calls::of(methods, own.functions.clone());
    calls.visit_file_mut(file);
    imports::add(&mut file.items, &calls);
    calls.used.iter().for_each(|name| add_polyfill(file, name));
}

/// Copies a replacement, and what it stands on, into the file.
pub(super) fn add_polyfill(file: &mut File, name: &str) {
    if name == "lazy_lock" {
        add_polyfill(file, "once_lock");
    }
    let Some(replacement) = replacements().remove(name) else { return };
    let found = file.items.iter_mut().find_map(|item| match item {
        Item::Mod(module) if module.ident == POLYFILLS => Some(module),
        _ => None,
    });
    match found.and_then(|module| module.content.as_mut()) {
        Some((_, items)) if items.contains(&replacement) => {}
        Some((_, items)) => items.push(replacement),
        None => {
            let module = Ident::new(POLYFILLS, Span::call_site());
            file.items.push(parse_quote!(mod #module { #replacement }));
        }
    }
}

/// The modules of `polyfills.rs` by name.
fn replacements() -> BTreeMap<String, Item> {
    let items = syn::parse_file(include_str!("polyfills.rs")).map(|file| file.items).unwrap_or_default();
    let named = items.into_iter().filter_map(|item| match &item {
        Item::Mod(module) => Some((module.ident.to_string(), item)),
        _ => None,
    });
    named.collect()
}

/// Returns true if the replacement is that of a method.
fn has_trait(replacement: &Item) -> bool {
    let Item::Mod(module) = replacement else { return false };
    let items = module.content.iter().flat_map(|(_, items)| items);
    items.into_iter().any(|item| matches!(item, Item::Trait(item) if item.ident == "Method"))
}

/// The names of the methods that a program defines, and of its functions with types as parameters.
#[derive(Default)]
struct OwnNames {
    methods: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for OwnNames {
    fn visit_signature(&mut self, signature: &'ast Signature) {
        if signature.receiver().is_some() {
            self.methods.insert(signature.ident.to_string());
        } else if signature.generics.type_params().next().is_some() {
            self.functions.insert(signature.ident.to_string());
        }
        visit::visit_signature(self, signature);
    }
}
