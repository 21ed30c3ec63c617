//! Imports of the frequent names of the standard library, so that they get short names as well.

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::parse_quote;

use super::names::{self, Names, Space};
use crate::imports;

/// Names that are in scope without an import, with the modules that define them.
const KNOWN: [(&[&str], &[&str]); 13] = [
    (
        &["primitive"],
        &[
            "bool", "char", "f32", "f64", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32", "u64",
            "usize",
        ],
    ),
    (&["option"], &["Option"]),
    (&["option", "Option"], &["None", "Some"]),
    (&["result"], &["Result"]),
    (&["result", "Result"], &["Err", "Ok"]),
    (&["vec"], &["Vec"]),
    (&["string"], &["String"]),
    (&["boxed"], &["Box"]),
    (&["clone"], &["Clone"]),
    (&["marker"], &["Copy", "Send", "Sync"]),
    (&["cmp"], &["Eq", "Ord", "PartialEq", "PartialOrd"]),
    (&["default"], &["Default"]),
    (&["iter"], &["Iterator"]),
];

/// The characters of a short name, and those that an import takes beside the name.
const SHORT: usize = 2;
const IMPORT: usize = " as ab,".len();

/// Imports the names that take less room so.
pub(super) fn import(file: &mut syn::File) {
    let names = Names::of(file);
    let mut counts = BTreeMap::new();
    names::count(file.to_token_stream(), &mut counts);
    for (path, known) in KNOWN {
        for name in known {
            let uses = counts.get(*name).copied().unwrap_or_default();
            let is_own = names.defines(Space::Type, name) || names.defines(Space::Value, name);
            if !is_own && uses * name.len().saturating_sub(SHORT) > name.len() + IMPORT + path.concat().len() {
                let name = Ident::new(name, Span::call_site());
                let path = path.iter().map(|part| Ident::new(part, Span::call_site()));
                file.items.push(parse_quote!(use std::#(#path::)*#name;));
            }
        }
    }
    imports::import(file);
}
