//! Names in lengths, arguments of types and numbers of variants, which the compiler works out by itself.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{GenericArgument, Item, Type};

use crate::shorten::names::count;
use crate::visit::{self, Visit};

/// The names of what types are made with: constants and functions.
pub(super) fn type_names(items: &[Item]) -> BTreeSet<String> {
    let mut names = TypeNames::default();
    items.iter().for_each(|item| names.visit_item(item));
    names.0
}

#[derive(Default)]
struct TypeNames(BTreeSet<String>);

impl TypeNames {
    fn tokens(&mut self, tokens: TokenStream) {
        let mut words = BTreeMap::new();
        count(tokens, &mut words);
        self.0.extend(words.into_keys());
    }
}

impl<'ast> Visit<'ast> for TypeNames {
    fn visit_type(&mut self, of: &'ast Type) {
        if let Type::Array(array) = of {
            self.tokens(array.len.to_token_stream());
        }
        visit::visit_type(self, of);
    }

    fn visit_generic_argument(&mut self, argument: &'ast GenericArgument) {
        match argument {
            GenericArgument::Const(value) => self.tokens(value.to_token_stream()),
            // A constant reads like a type.
            GenericArgument::Type(Type::Path(path)) => self.0.extend(path.path.get_ident().map(ToString::to_string)),
            _ => {}
        }
        visit::visit_generic_argument(self, argument);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        if let Some((_, number)) = &variant.discriminant {
            self.tokens(number.to_token_stream());
        }
        visit::visit_variant(self, variant);
    }
}
