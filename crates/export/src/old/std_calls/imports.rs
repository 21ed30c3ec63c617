//! The imports of the traits whose methods replace those of the standard library.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::{Item, parse_quote};

use super::POLYFILLS;
use super::calls::{Calls, idents};

/// Adds to each module the imports that its calls need, and those of its calls of the program's own macros.
pub(super) fn add(items: &mut Vec<Item>, calls: &Calls) {
    let mut needed = BTreeSet::new();
    for item in items.iter_mut() {
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &mut module.content {
                    add(items, calls);
                }
            }
            // A macro calls what it calls where it is used.
            Item::Macro(item) if item.ident.is_some() => {}
            item => {
                for name in idents(item.to_token_stream()) {
                    needed.extend(calls.replaced(&name));
                    needed.extend(calls.of_macros.get(&name).into_iter().flatten().cloned());
                }
            }
        }
    }
    for method in needed.iter().rev() {
        let (polyfills, module) = (Ident::new(POLYFILLS, Span::call_site()), Ident::new(method, Span::call_site()));
        items.insert(0, parse_quote!(use crate::#polyfills::#module::Method as _;));
    }
}
