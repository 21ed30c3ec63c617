//! Statements `let _ = value;` that a field has left which is gone, and whose value has no type without it.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Local, Pat, Stmt};

use super::super::removal::start;
use crate::visit_mut::{self, VisitMut};

/// The name of a function and the text of a statement in it.
pub(super) type Untyped = (String, String);

/// Removes such statements.
pub(super) fn remove(file: &mut syn::File, known: &BTreeSet<Untyped>) {
    if !known.is_empty() {
        walk(file, &mut |of, local| !known.contains(&(of.to_string(), local.to_token_stream().to_string())));
    }
}

/// The statements of a parsed file that begin a pattern `_` at one of these places.
pub(super) fn at(file: &mut syn::File, places: &BTreeSet<usize>) -> BTreeSet<Untyped> {
    let mut found = BTreeSet::new();
    walk(file, &mut |of, local| {
        if matches!(local.pat, Pat::Wild(_)) && places.contains(&start(local.pat.span())) {
            found.insert((of.to_string(), local.to_token_stream().to_string()));
        }
        true
    });
    found
}

fn walk(file: &mut syn::File, keeps: &mut dyn FnMut(&str, &Local) -> bool) {
    Walk { function: String::new(), keeps }.visit_file_mut(file);
}

/// The statements `let _ = value;` of functions, of which some are kept.
struct Walk<'a> {
    function: String,
    keeps: &'a mut dyn FnMut(&str, &Local) -> bool,
}

impl VisitMut for Walk<'_> {
    fn visit_signature_mut(&mut self, signature: &mut syn::Signature) {
        self.function = signature.ident.to_string();
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        visit_mut::visit_block_mut(self, block);
        block.stmts.retain(|statement| match statement {
            Stmt::Local(local) if matches!(local.pat, Pat::Wild(_)) => (self.keeps)(&self.function, local),
            _ => true,
        });
    }
}
