//! Attributes and qualifiers of later compilers: `#[expect]`, reasons of lints (1.81), `#[diagnostic::..]` (1.78),
//! `#[unsafe(no_mangle)]` and `unsafe extern` (1.82).

use syn::{Attribute, ItemForeignMod, Meta, Token, punctuated::Punctuated};

use crate::visit_mut::{self, VisitMut};

pub(super) fn rewrite(file: &mut syn::File) {
    Attributes.visit_file_mut(file);
}

struct Attributes;

impl VisitMut for Attributes {
    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        attributes.retain(|attribute| {
            let first = attribute.path().segments.first();
            !first.is_some_and(|first| first.ident == "expect" || first.ident == "diagnostic")
        });
        attributes.iter_mut().for_each(|attribute| self.visit_attribute_mut(attribute));
    }

    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        let Meta::List(list) = &attribute.meta else { return };
        if list.path.is_ident("unsafe") {
            if let Ok(inner) = list.parse_args::<Meta>() {
                attribute.meta = inner;
            }
        } else if ["allow", "warn", "deny", "forbid"].iter().any(|level| list.path.is_ident(level)) {
            let Ok(lints) = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated) else { return };
            let kept: Vec<&Meta> = lints.iter().filter(|lint| !lint.path().is_ident("reason")).collect();
            let mut list = list.clone();
            list.tokens = quote::quote!(#(#kept),*);
            attribute.meta = Meta::List(list);
        }
    }

    fn visit_item_foreign_mod_mut(&mut self, item: &mut ItemForeignMod) {
        item.unsafety = None;
        visit_mut::visit_item_foreign_mod_mut(self, item);
    }
}
