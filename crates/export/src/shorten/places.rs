//! The places of names in a syntax tree.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Member, parse_quote};

use super::names::{self, Space};
use super::rename::Renaming;
use crate::arguments::{visit_arguments, visit_matches};
use crate::visit::Visit;
use crate::visit_mut::{self, VisitMut};

/// The names that are followed by a single `=`: arguments of a macro that have a name.
fn named_arguments(tokens: &TokenStream) -> BTreeSet<String> {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_named = |window: &[TokenTree]| match window {
        [TokenTree::Punct(before), TokenTree::Ident(name), TokenTree::Punct(mark)] => {
            let is_alone = mark.spacing() == proc_macro2::Spacing::Alone;
            (before.as_char() == ',' && mark.as_char() == '=' && is_alone).then(|| name.to_string())
        }
        _ => None,
    };
    tokens.windows(3).filter_map(is_named).collect()
}

impl VisitMut for Renaming<'_> {
    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        match item {
            syn::Item::Const(item) => self.rename(Space::Value, &mut item.ident),
            syn::Item::Static(item) => self.rename(Space::Value, &mut item.ident),
            syn::Item::Fn(item) => self.rename(Space::Value, &mut item.sig.ident),
            syn::Item::Enum(item) => self.rename(Space::Type, &mut item.ident),
            syn::Item::Struct(item) => self.rename(Space::Type, &mut item.ident),
            syn::Item::Trait(item) => self.rename(Space::Type, &mut item.ident),
            syn::Item::Type(item) => self.rename(Space::Type, &mut item.ident),
            syn::Item::Macro(syn::ItemMacro { ident: Some(name), .. }) => self.rename(Space::Macro, name),
            _ => {}
        }
        match item {
            syn::Item::Fn(_) | syn::Item::Const(_) | syn::Item::Static(_) => {
                let (variables, tokens) = (names::variables(|names| names.visit_item(item)), item.to_token_stream());
                self.with_locals(variables, tokens, |renaming| visit_mut::visit_item_mut(renaming, item));
            }
            _ => visit_mut::visit_item_mut(self, item),
        }
    }

    fn visit_impl_item_mut(&mut self, item: &mut syn::ImplItem) {
        match item {
            syn::ImplItem::Const(item) => self.rename(Space::Member, &mut item.ident),
            syn::ImplItem::Fn(item) => self.rename(Space::Member, &mut item.sig.ident),
            syn::ImplItem::Type(item) => self.rename(Space::Member, &mut item.ident),
            _ => {}
        }
        let (variables, tokens) = (names::variables(|names| names.visit_impl_item(item)), item.to_token_stream());
        self.with_locals(variables, tokens, |renaming| visit_mut::visit_impl_item_mut(renaming, item));
    }

    fn visit_trait_item_mut(&mut self, item: &mut syn::TraitItem) {
        match item {
            syn::TraitItem::Const(item) => self.rename(Space::Member, &mut item.ident),
            syn::TraitItem::Fn(item) => self.rename(Space::Member, &mut item.sig.ident),
            syn::TraitItem::Type(item) => self.rename(Space::Member, &mut item.ident),
            _ => {}
        }
        let (variables, tokens) = (names::variables(|names| names.visit_trait_item(item)), item.to_token_stream());
        self.with_locals(variables, tokens, |renaming| visit_mut::visit_trait_item_mut(renaming, item));
    }

    fn visit_use_tree_mut(&mut self, tree: &mut syn::UseTree) {
        match tree {
            syn::UseTree::Name(name) => {
                let mut short = name.ident.clone();
                self.rename(Space::Type, &mut short);
                let ident = &name.ident;
                if short != *ident {
                    *tree = parse_quote!(#ident as #short);
                }
            }
            syn::UseTree::Rename(name) => self.rename(Space::Type, &mut name.rename),
            _ => visit_mut::visit_use_tree_mut(self, tree),
        }
    }

    fn visit_field_mut(&mut self, field: &mut syn::Field) {
        visit_mut::visit_field_mut(self, field);
        if let Some(name) = &mut field.ident {
            self.rename(Space::Field, name);
        }
    }

    fn visit_variant_mut(&mut self, variant: &mut syn::Variant) {
        visit_mut::visit_variant_mut(self, variant);
        self.rename(Space::Member, &mut variant.ident);
    }

    fn visit_type_param_mut(&mut self, parameter: &mut syn::TypeParam) {
        visit_mut::visit_type_param_mut(self, parameter);
        self.rename(Space::Type, &mut parameter.ident);
    }

    fn visit_const_param_mut(&mut self, parameter: &mut syn::ConstParam) {
        visit_mut::visit_const_param_mut(self, parameter);
        self.rename(Space::Value, &mut parameter.ident);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        visit_mut::visit_pat_ident_mut(self, pattern);
        self.rename(Space::Value, &mut pattern.ident);
    }

    fn visit_assoc_type_mut(&mut self, binding: &mut syn::AssocType) {
        visit_mut::visit_assoc_type_mut(self, binding);
        self.rename(Space::Member, &mut binding.ident);
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        self.qualified(&mut path.path, &mut path.qself, Space::Value);
    }

    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        self.qualified(&mut path.path, &mut path.qself, Space::Type);
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        self.qualified(path, &mut None, Space::Type);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        self.rename(Space::Member, &mut call.method);
    }

    fn visit_member_mut(&mut self, member: &mut Member) {
        if let Member::Named(name) = member {
            self.rename(Space::Field, name);
        }
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        visit_mut::visit_field_value_mut(self, field);
        let is_short = field.expr.to_token_stream().to_string() == field.member.to_token_stream().to_string();
        field.colon_token = if is_short { None } else { Some(Default::default()) };
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        visit_mut::visit_field_pat_mut(self, field);
        let name = field.member.to_token_stream().to_string();
        let is_short = match &*field.pat {
            syn::Pat::Ident(pattern) => pattern.ident == name && pattern.subpat.is_none(),
            _ => false,
        };
        field.colon_token = if is_short { None } else { Some(Default::default()) };
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if let Some(name) = call.path.get_ident() {
            let mut name = name.clone();
            self.rename(Space::Macro, &mut name);
            call.path = parse_quote!(#name);
        }
        if visit_matches(call, &mut |choice| self.visit_expr_mut(choice)) {
            return;
        }
        if visit_arguments(call, &mut |argument| self.visit_expr_mut(argument)) {
            let named = named_arguments(&call.tokens);
            let tokens = std::mem::take(&mut call.tokens).into_iter().map(|token| match token {
                TokenTree::Literal(literal) => self.captured(&literal, &named).into(),
                token => token,
            });
            call.tokens = tokens.collect();
        } else {
            call.tokens = self.tokens(std::mem::take(&mut call.tokens));
        }
    }

    fn visit_attribute_mut(&mut self, attribute: &mut syn::Attribute) {
        let read = Punctuated::<syn::Path, syn::Token![,]>::parse_terminated;
        if attribute.path().is_ident("derive")
            && let Ok(mut derived) = attribute.parse_args_with(read)
        {
            derived.iter_mut().for_each(|path| self.visit_path_mut(path));
            *attribute = parse_quote!(#[derive(#derived)]);
        }
    }
}
