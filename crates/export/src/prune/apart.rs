//! Methods of different traits with one name, told apart.
//!
//! In a file without modules every trait is in scope everywhere, so a type with two traits that share a method's name
//! has two methods of that name. The methods of a trait that is implemented for a type parameter, or for a type of the
//! standard library, get names of their own. The compiler then says which calls meant them.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use syn::{GenericParam, ImplItem, Item, ItemImpl, Path, TraitItem, Type};

use super::compiler::Compiler;
use super::parse;
use crate::fault::ExportError;
use crate::print::lines::{join, lines};
use crate::visit_mut::{self, VisitMut};

/// The most rounds of calls that the compiler misses.
const MOST_ROUNDS: usize = 12;

/// Gives methods names of their own where two traits share a name.
pub(super) fn separate(mut file: syn::File, compiler: &Compiler) -> Result<syn::File, ExportError> {
    let renamed = shared(&file.items);
    if renamed.is_empty() {
        return Ok(file);
    }
    rename_definitions(&renamed, &mut file);
    for _ in 0..MOST_ROUNDS {
        let lines = lines(&file);
        file = parse(&join(&lines))?;
        let diagnostics = compiler.check(&lines)?;
        let missing = diagnostics.iter().filter(|error| ["E0599", "E0061"].contains(&error.code.as_str()));
        let places = missing.flat_map(|error| &error.spans).map(|span| span.start).collect();
        let mut calls = Calls { renamed: &renamed, places, count: 0 };
        calls.visit_file_mut(&mut file);
        if calls.count == 0 {
            break;
        }
    }
    Ok(file)
}

/// Renames methods where they are defined, and where a path names their trait.
pub(super) fn rename_definitions(renamed: &Renamed, file: &mut syn::File) {
    Definitions(renamed).visit_file_mut(file);
}

/// The new names of methods, by their trait and their name.
pub(super) type Renamed = BTreeMap<(String, String), String>;

pub(super) fn shared(items: &[Item]) -> Renamed {
    let mut methods: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut blanket = BTreeSet::new();
    let aliases: BTreeSet<&Ident> = items.iter().filter_map(alias).collect();
    for item in items {
        match item {
            Item::Trait(item) => {
                let names = item.items.iter().filter_map(|item| match item {
                    TraitItem::Fn(item) => Some(item.sig.ident.to_string()),
                    _ => None,
                });
                methods.insert(item.ident.to_string(), names.collect());
            }
            Item::Impl(block) if is_for_a_parameter(block) || is_for_a_box(block, &aliases) => {
                blanket.extend(trait_of(block))
            }
            _ => {}
        }
    }
    let mut renamed = Renamed::new();
    for (of, names) in methods.iter().filter(|(of, _)| blanket.contains(*of)) {
        let others = methods.iter().filter(|(other, _)| *other != of);
        let others: BTreeSet<&String> = others.flat_map(|(_, names)| names).collect();
        for name in names.iter().filter(|name| others.contains(name)) {
            renamed.insert((of.clone(), name.clone()), format!("{}_{name}", of.to_lowercase()));
        }
    }
    renamed
}

fn trait_of(block: &ItemImpl) -> Option<String> {
    block.trait_.as_ref().and_then(|(path, _)| path.segments.last()).map(|last| last.ident.to_string())
}

fn is_for_a_parameter(block: &ItemImpl) -> bool {
    let Type::Path(path) = &*block.self_ty else { return false };
    block.generics.params.iter().any(|parameter| match parameter {
        GenericParam::Type(parameter) => path.path.is_ident(&parameter.ident),
        _ => false,
    })
}

fn alias(item: &Item) -> Option<&Ident> {
    match item {
        Item::Type(item) => Some(&item.ident),
        _ => None,
    }
}

fn is_for_a_box(block: &ItemImpl, aliases: &BTreeSet<&Ident>) -> bool {
    match &*block.self_ty {
        Type::Path(path) => {
            path.path.segments.first().is_some_and(|first| first.ident == "Box" || aliases.contains(&first.ident))
        }
        Type::Reference(_) | Type::TraitObject(_) => true,
        _ => false,
    }
}

/// Renames methods where they are defined, and where a path names their trait.
struct Definitions<'a>(&'a Renamed);

impl Definitions<'_> {
    fn rename(&self, of: &str, name: &mut Ident) {
        if let Some(new) = self.0.get(&(of.to_string(), name.to_string())) {
            *name = Ident::new(new, name.span());
        }
    }
}

impl VisitMut for Definitions<'_> {
    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        visit_mut::visit_item_trait_mut(self, item);
        let of = item.ident.to_string();
        for item in &mut item.items {
            if let TraitItem::Fn(item) = item {
                self.rename(&of, &mut item.sig.ident);
            }
        }
    }

    fn visit_item_impl_mut(&mut self, block: &mut ItemImpl) {
        visit_mut::visit_item_impl_mut(self, block);
        let Some(of) = trait_of(block) else { return };
        for item in &mut block.items {
            if let ImplItem::Fn(item) = item {
                self.rename(&of, &mut item.sig.ident);
            }
        }
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        if path.segments.len() == 2 {
            let of = path.segments[0].ident.to_string();
            self.rename(&of, &mut path.segments[1].ident);
        }
    }
}

/// Renames calls at the places that the compiler names.
struct Calls<'a> {
    renamed: &'a Renamed,
    places: BTreeSet<usize>,
    count: usize,
}

impl VisitMut for Calls<'_> {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        if !self.places.contains(&call.method.span().byte_range().start) {
            return;
        }
        let name = call.method.to_string();
        // The traits that have the method are tried one after the other.
        let old = self.renamed.iter().find(|(_, new)| **new == name).map_or(&name, |((_, old), _)| old);
        let mut tried = self.renamed.iter().filter(|((_, of), _)| of == old).map(|(_, new)| new);
        if *old != name {
            tried.by_ref().find(|new| **new == name);
        }
        if let Some(new) = tried.next() {
            call.method = Ident::new(new, call.method.span());
            self.count += 1;
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        crate::arguments::visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
    }
}
