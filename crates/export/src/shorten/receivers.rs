//! A short name for `self` in methods that use it often.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::{Block, Expr, ImplItemFn, Signature, TraitItemFn, parse_quote};

use super::names::count;
use crate::arguments::{visit_arguments, visit_matches};
use crate::visit_mut::{self, VisitMut};

/// The name for `self` until variables get their letters.
const NAME: &str = "receiver";

/// The characters of `let a=self;`, and those that each use saves.
const COST: usize = 11;
const SAVED: usize = 3;

/// Gives `self` a name of one letter where that takes less room.
pub(super) fn shorten(file: &mut syn::File) {
    Methods.visit_file_mut(file);
}

struct Methods;

fn rename(signature: &Signature, body: &mut Block) {
    let mut words = BTreeMap::new();
    count(body.to_token_stream(), &mut words);
    let uses = words.get("self").copied().unwrap_or_default();
    let Some(receiver) = signature.receiver() else { return };
    if receiver.mutability.is_some() || words.contains_key(NAME) || uses * SAVED <= COST {
        return;
    }
    let mut uses = Uses { is_unclear: false };
    let mut renamed = body.clone();
    uses.visit_block_mut(&mut renamed);
    if uses.is_unclear {
        return;
    }
    let name = Ident::new(NAME, Span::call_site());
    renamed.stmts.insert(0, parse_quote!(let #name = self;));
    *body = renamed;
}

impl VisitMut for Methods {
    fn visit_impl_item_fn_mut(&mut self, method: &mut ImplItemFn) {
        if method.sig.constness.is_none() {
            rename(&method.sig, &mut method.block);
        }
    }

    fn visit_trait_item_fn_mut(&mut self, method: &mut TraitItemFn) {
        if let Some(body) = &mut method.default {
            rename(&method.sig, body);
        }
    }
}

/// Uses of `self` in a body.
struct Uses {
    /// True if `self` may stand among tokens that are no expressions.
    is_unclear: bool,
}

impl VisitMut for Uses {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match expression {
            Expr::Path(path) if path.path.is_ident("self") => {
                let name = Ident::new(NAME, Span::call_site());
                *expression = parse_quote!(#name);
            }
            _ => visit_mut::visit_expr_mut(self, expression),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if !visit_matches(call, &mut |choice| self.visit_expr_mut(choice)) {
            self.is_unclear |= !visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
        }
    }
}
