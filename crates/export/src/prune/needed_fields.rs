//! Fields that stay for the parameters of their struct.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Fields, parse_quote};

use super::removal::start;
use crate::shorten::names::count;
use crate::visit_mut::VisitMut;

/// Lets the compiler be silent about fields that nothing reads and that a parameter of their struct needs. `unread` are
/// the beginnings of the names of fields that nothing reads.
pub(super) fn allow(file: &mut syn::File, unread: &BTreeSet<usize>) {
    Allow(unread).visit_file_mut(file);
}

struct Allow<'a>(&'a BTreeSet<usize>);

impl VisitMut for Allow<'_> {
    fn visit_item_struct_mut(&mut self, item: &mut syn::ItemStruct) {
        let needed = needed_fields(item, &|name| self.0.contains(&start(name.span())));
        for field in &mut item.fields {
            if field.ident.as_ref().is_some_and(|name| needed.contains(name)) {
                field.attrs.push(parse_quote!(#[allow(dead_code)]));
            }
        }
    }
}

/// The fields among those that go without which a parameter of their struct would have no use: the compiler takes no
/// such struct. It still sees in a later round if the whole struct goes.
pub(super) fn needed_fields(item: &syn::ItemStruct, goes: &dyn Fn(&Ident) -> bool) -> Vec<Ident> {
    let Fields::Named(fields) = &item.fields else { return Vec::new() };
    let parameters: BTreeSet<String> = item.generics.params.iter().map(parameter_name).collect();
    let used = |field: &syn::Field| {
        let mut words = BTreeMap::new();
        count(field.ty.to_token_stream(), &mut words);
        words.into_keys().filter(|word| parameters.contains(word)).collect::<BTreeSet<String>>()
    };
    let (gone, kept): (Vec<_>, Vec<_>) = fields.named.iter().partition(|field| field.ident.as_ref().is_some_and(goes));
    let mut served: BTreeSet<String> = kept.into_iter().flat_map(used).collect();
    let mut needed = Vec::new();
    for field in gone {
        let of_field = used(field);
        if !of_field.is_subset(&served) {
            served.extend(of_field);
            needed.extend(field.ident.clone());
        }
    }
    needed
}

/// The name of a parameter, of a lifetime without its mark.
fn parameter_name(parameter: &syn::GenericParam) -> String {
    match parameter {
        syn::GenericParam::Lifetime(parameter) => parameter.lifetime.ident.to_string(),
        syn::GenericParam::Type(parameter) => parameter.ident.to_string(),
        syn::GenericParam::Const(parameter) => parameter.ident.to_string(),
    }
}
