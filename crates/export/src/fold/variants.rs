//! Variants that a program compares values with, and of which it never makes one.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use syn::{BinOp, Expr, Item, Path};

use crate::arguments::visit_arguments;
use crate::shorten::names::count;
use crate::visit::{self, Visit};

/// The names of an enum and its variant.
pub(super) type VariantName = (String, String);

/// The variants without values of which no code makes one.
pub(super) fn never_made(
    items: &[Item],
    enums: &BTreeMap<String, BTreeMap<String, Option<usize>>>,
) -> BTreeSet<VariantName> {
    let mut made = Made { enums, names: BTreeSet::new(), is_unchecked: false };
    items.iter().for_each(|item| made.visit_item(item));
    if made.is_unchecked {
        return BTreeSet::new();
    }
    let of_enum = |(of, variants): (&String, &BTreeMap<String, Option<usize>>)| {
        let names =
            variants.iter().filter(|(_, values)| **values == Some(0)).map(|(name, _)| (of.clone(), name.clone()));
        names.collect::<Vec<_>>()
    };
    let all = enums.iter().flat_map(of_enum);
    all.filter(|(of, name)| {
        !made.names.contains(&(Some(of.clone()), name.clone())) && !made.names.contains(&(None, name.clone()))
    })
    .collect()
}

/// The last two names of a path.
pub(super) fn variant(path: &Path) -> Option<VariantName> {
    let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
    let (name, of) = (names.next()?, names.next()?);
    Some((of, name))
}

/// The names of values that code makes, behind the name of an enum or behind any.
struct Made<'e> {
    enums: &'e BTreeMap<String, BTreeMap<String, Option<usize>>>,
    names: BTreeSet<(Option<String>, String)>,
    /// True if values may be made without their names.
    is_unchecked: bool,
}

impl Made<'_> {
    fn path(&mut self, path: &Path) {
        match variant(path) {
            Some((of, name)) if self.enums.contains_key(&of) => _ = self.names.insert((Some(of), name)),
            // Another name of the enum, or none.
            _ => self.names.extend(path.segments.last().map(|last| (None, last.ident.to_string()))),
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        let mut words = BTreeMap::new();
        count(tokens, &mut words);
        self.names.extend(words.into_keys().map(|name| (None, name)));
    }
}

impl<'ast> Visit<'ast> for Made<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Path(path) => self.path(&path.path),
            Expr::Unsafe(_) => self.is_unchecked = true,
            Expr::Binary(binary) if matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_)) => {
                for operand in [&*binary.left, &*binary.right] {
                    if !matches!(operand, Expr::Path(path) if path.path.segments.len() > 1) {
                        self.visit_expr(operand);
                    }
                }
            }
            expr => visit::visit_expr(self, expr),
        }
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        // The variant of a derived default value.
        if variant.attrs.iter().any(|attribute| attribute.path().is_ident("default")) {
            self.names.insert((None, variant.ident.to_string()));
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let mut call = call.clone();
        if let Some(choice) = crate::arguments::matches_as_match(&call) {
            Visit::visit_expr(self, &choice);
        } else if !visit_arguments(&mut call, &mut |argument| self.visit_expr(argument)) {
            self.tokens(call.tokens);
        }
    }
}
