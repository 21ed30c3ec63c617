//! Imports of what a file uses from the standard library.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Item, UseTree};

use crate::arguments::visit_arguments;
use crate::shorten::names::{Names, Space};
use crate::visit_mut::{self, VisitMut};

/// Names that mean something without an import.
const PRELUDE: [&str; 14] = [
    "Box", "Clone", "Copy", "Default", "Drop", "Fn", "From", "Into", "Iterator", "Option", "Result", "String", "Vec",
    "drop",
];

/// Imports what is used more than once, under its own name where that is free.
pub fn import(file: &mut syn::File) {
    let mut uses = Uses { counts: BTreeMap::new(), imports: BTreeMap::new() };
    uses.visit_file_mut(file);
    let names = Names::of(file);
    let of_root = names.defined.iter().filter(|(space, _)| matches!(space, Space::Type | Space::Value));
    let mut taken: BTreeSet<String> = of_root.map(|(_, name)| name.clone()).chain(names.locals.clone()).collect();
    taken.extend(PRELUDE.map(str::to_string));
    let often: Vec<Vec<String>> =
        uses.counts.iter().filter(|(_, count)| **count > 1).map(|(path, _)| path.clone()).collect();
    for path in often {
        if let Some(name) = import_names(&path).into_iter().find(|name| !taken.contains(name)) {
            taken.insert(name.clone());
            uses.imports.insert(path, name);
        }
    }
    uses.visit_file_mut(file);
    let mut tree = Tree::default();
    file.items.retain(|item| match item {
        Item::Use(item) => {
            tree.add_tree(&item.tree, &mut Vec::new());
            false
        }
        _ => true,
    });
    for (path, name) in &uses.imports {
        tree.add(path, name);
    }
    if let Ok(item) = syn::parse2(tree.item()) {
        file.items.insert(0, item);
    }
}

/// The names that an import may have: the last of its path, or with the one before.
fn import_names(path: &[String]) -> Vec<String> {
    let last = path.last().cloned().unwrap_or_default();
    let before = path.iter().rev().nth(1).cloned().unwrap_or_default();
    let mut letters = before.chars();
    let capital: String = letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    let joined =
        if last.starts_with(char::is_uppercase) { format!("{capital}{last}") } else { format!("{before}_{last}") };
    vec![last, joined]
}

/// The part of a path that can be imported: up to a variant, a type, or a function.
fn importable(path: &syn::Path) -> Option<Vec<String>> {
    let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    if path.leading_colon.is_some()
        || names.first()? != "std"
        || names.len() < 3 && !names.last()?.contains(char::is_uppercase)
    {
        return None;
    }
    let is_type =
        |name: &&String| name.starts_with(char::is_uppercase) && (name.len() == 1 || name.contains(char::is_lowercase));
    let end = match names.iter().position(|name| is_type(&name)) {
        Some(at) if names.get(at + 1).as_ref().is_some_and(is_type) && path.segments[at].arguments.is_none() => at + 2,
        Some(at) => at + 1,
        None => names.len(),
    };
    Some(names[..end].to_vec())
}

/// Counts paths, and writes those short that are imported.
struct Uses {
    counts: BTreeMap<Vec<String>, usize>,
    imports: BTreeMap<Vec<String>, String>,
}

impl VisitMut for Uses {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        let Some(whole) = importable(path) else { return };
        *self.counts.entry(whole.clone()).or_default() += 1;
        if let Some(name) = self.imports.get(&whole) {
            let mut segments: Vec<syn::PathSegment> = path.segments.iter().skip(whole.len() - 1).cloned().collect();
            segments[0].ident = Ident::new(name, segments[0].ident.span());
            path.segments = segments.into_iter().collect();
        }
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        match &mut path.qself {
            // The path holds the trait, and the number of its segments is counted.
            Some(itself) => self.visit_type_mut(&mut itself.ty),
            None => self.visit_path_mut(&mut path.path),
        }
    }

    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        match &mut path.qself {
            Some(itself) => self.visit_type_mut(&mut itself.ty),
            None => self.visit_path_mut(&mut path.path),
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
    }

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}
}

/// Imports that share the beginnings of their paths.
#[derive(Default)]
struct Tree {
    inner: BTreeMap<String, Tree>,
    /// The names under which this path is imported.
    names: BTreeSet<String>,
}

impl Tree {
    fn add(&mut self, path: &[String], name: &str) {
        match path {
            [first, rest @ ..] => self.inner.entry(first.clone()).or_default().add(rest, name),
            [] => _ = self.names.insert(name.to_string()),
        }
    }

    fn add_tree(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.add_tree(&inner.tree, path);
                path.pop();
            }
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add_tree(tree, path)),
            UseTree::Name(name) => {
                path.push(name.ident.to_string());
                self.add(path, &name.ident.to_string());
                path.pop();
            }
            UseTree::Rename(rename) => {
                path.push(rename.ident.to_string());
                self.add(path, &rename.rename.to_string());
                path.pop();
            }
            UseTree::Glob(_) => {}
        }
    }

    fn item(&self) -> TokenStream {
        let parts = self.parts();
        match parts.as_slice() {
            [one] => quote!(use #one;),
            [] => TokenStream::new(),
            many => quote!(use {#(#many),*};),
        }
    }

    fn parts(&self) -> Vec<TokenStream> {
        let mut parts = Vec::new();
        for (segment, tree) in &self.inner {
            let ident = Ident::new(segment, Span::call_site());
            // A trait that has a name is in scope by it.
            let is_named = tree.names.len() > 1;
            for name in tree.names.iter().filter(|name| !is_named || *name != "_") {
                parts.push(match name.as_str() {
                    "_" => quote!(#ident as _),
                    name if name == segment => quote!(#ident),
                    name => {
                        let alias = Ident::new(name, Span::call_site());
                        quote!(#ident as #alias)
                    }
                });
            }
            let inner = tree.parts();
            match inner.as_slice() {
                [] => {}
                [one] => parts.push(quote!(#ident::#one)),
                many => parts.push(quote!(#ident::{#(#many),*})),
            }
        }
        parts
    }
}
