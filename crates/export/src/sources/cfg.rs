//! Conditional compilation, decided when the file is written.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Meta, Token};

use crate::tree::{expression_attributes, item_attributes, retain};
use crate::visit_mut::{self, VisitMut};
use crate::wide;

/// Conditions that are true without a value.
const TRUE: [&str; 3] = ["unix", "panic_unwind", "true"];

/// Conditions that are true with this value.
const VALUES: [(&str, &str); 12] = [
    ("target_os", "linux"),
    ("target_family", "unix"),
    ("target_arch", "x86_64"),
    ("target_env", "gnu"),
    ("target_vendor", "unknown"),
    ("target_endian", "little"),
    ("target_pointer_width", "64"),
    ("target_has_atomic", "8"),
    ("target_has_atomic", "16"),
    ("target_has_atomic", "32"),
    ("target_has_atomic", "64"),
    ("target_has_atomic", "ptr"),
];

/// The conditions under which a crate is compiled.
pub(super) struct Cfg {
    /// The features of the crate that are on.
    pub(super) features: BTreeSet<String>,
}

impl Cfg {
    /// Returns true if a condition is met.
    fn is_met(&self, condition: &Meta) -> bool {
        match condition {
            Meta::Path(path) => TRUE.iter().any(|name| path.is_ident(name)),
            Meta::NameValue(pair) => {
                let value = pair.value.to_token_stream().to_string();
                let value = value.trim_matches('"');
                match pair.path.is_ident("feature") {
                    true => self.features.contains(value),
                    false => VALUES.iter().any(|(name, met)| pair.path.is_ident(name) && *met == value),
                }
            }
            Meta::List(list) => {
                let conditions = conditions(list.tokens.clone());
                match () {
                    () if list.path.is_ident("not") => !conditions.iter().all(|condition| self.is_met(condition)),
                    () if list.path.is_ident("any") => conditions.iter().any(|condition| self.is_met(condition)),
                    () => conditions.iter().all(|condition| self.is_met(condition)),
                }
            }
        }
    }

    /// Removes what a file has under conditions that are not met, and attributes that do not matter.
    pub(super) fn apply(&self, file: &mut syn::File) {
        Visit(self).visit_file_mut(file);
    }

    /// Decides the conditions of an item: true if it stays. Its attributes are then those of the exported program.
    fn keeps(&self, attributes: &mut Vec<Attribute>) -> bool {
        let mut is_met = true;
        let mut kept = Vec::new();
        for attribute in attributes.drain(..) {
            match &attribute.meta {
                Meta::List(list) if list.path.is_ident("cfg") => {
                    is_met &= conditions(list.tokens.clone()).iter().all(|condition| self.is_met(condition));
                }
                Meta::List(list) if list.path.is_ident("cfg_attr") => {
                    let mut parts = conditions(list.tokens.clone()).into_iter();
                    match parts.next().is_some_and(|condition| self.is_met(&condition)) {
                        true => kept.extend(parts.map(|meta| Attribute { meta, ..attribute.clone() })),
                        false => kept.extend(parts.filter_map(|meta| wide::mark(&meta))),
                    }
                }
                meta if matters(meta) => kept.push(attribute),
                _ => {}
            }
        }
        is_met &= !kept.iter().any(|attribute| attribute.path().is_ident("test"));
        *attributes = kept;
        is_met
    }

    /// Replaces `cfg!(..)` in the arguments of macros.
    fn decide(&self, tokens: TokenStream) -> TokenStream {
        let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if let TokenTree::Group(group) = &tokens[at] {
                let inner = self.decide(group.stream());
                let mut decided = proc_macro2::Group::new(group.delimiter(), inner);
                decided.set_span(group.span());
                tokens[at] = TokenTree::Group(decided);
            }
            if let [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(group), ..] = &tokens[at..]
                && name == "cfg"
                && mark.as_char() == '!'
                && group.delimiter() == Delimiter::Parenthesis
            {
                let is_met = conditions(group.stream()).iter().all(|condition| self.is_met(condition));
                let word = proc_macro2::Ident::new(if is_met { "true" } else { "false" }, name.span());
                tokens.splice(at..at + 3, [TokenTree::Ident(word)]);
            }
            at += 1;
        }
        tokens.into_iter().collect()
    }
}

/// Returns true if an attribute changes what a program does or is needed to compile it.
fn matters(attribute: &Meta) -> bool {
    const NO_MATTER: [&str; 17] = [
        "doc",
        "allow",
        "warn",
        "deny",
        "forbid",
        "expect",
        "must_use",
        "deprecated",
        "rustfmt",
        "clippy",
        "non_exhaustive",
        "diagnostic",
        "ignore",
        "should_panic",
        "track_caller",
        "cold",
        "automatically_derived",
    ];
    let first = attribute.path().segments.first().map(|segment| segment.ident.to_string());
    first.is_some_and(|first| !NO_MATTER.contains(&first.as_str()))
}

fn conditions(tokens: TokenStream) -> Vec<Meta> {
    let parser = Punctuated::<Meta, Token![,]>::parse_terminated;
    syn::parse::Parser::parse2(parser, tokens).map(|list| list.into_iter().collect()).unwrap_or_default()
}

/// Visits a file, whose conditions it decides.
struct Visit<'a>(&'a Cfg);

impl VisitMut for Visit<'_> {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.0.keeps(&mut file.attrs);
        file.items.retain_mut(|item| item_attributes(item).is_none_or(|attributes| self.0.keeps(attributes)));
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            items.retain_mut(|item| item_attributes(item).is_none_or(|attributes| self.0.keeps(attributes)));
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        block.items.retain_mut(|item| match item {
            syn::ImplItem::Const(item) => self.0.keeps(&mut item.attrs),
            syn::ImplItem::Fn(item) => self.0.keeps(&mut item.attrs),
            syn::ImplItem::Type(item) => self.0.keeps(&mut item.attrs),
            syn::ImplItem::Macro(item) => self.0.keeps(&mut item.attrs),
            _ => true,
        });
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        item.items.retain_mut(|item| match item {
            syn::TraitItem::Const(item) => self.0.keeps(&mut item.attrs),
            syn::TraitItem::Fn(item) => self.0.keeps(&mut item.attrs),
            syn::TraitItem::Type(item) => self.0.keeps(&mut item.attrs),
            syn::TraitItem::Macro(item) => self.0.keeps(&mut item.attrs),
            _ => true,
        });
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_fields_mut(&mut self, fields: &mut syn::Fields) {
        match fields {
            syn::Fields::Named(fields) => retain(&mut fields.named, &mut |field| self.0.keeps(&mut field.attrs)),
            syn::Fields::Unnamed(fields) => retain(&mut fields.unnamed, &mut |field| self.0.keeps(&mut field.attrs)),
            syn::Fields::Unit => {}
        }
        visit_mut::visit_fields_mut(self, fields);
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        retain(&mut item.variants, &mut |variant| self.0.keeps(&mut variant.attrs));
        visit_mut::visit_item_enum_mut(self, item);
    }

    fn visit_expr_match_mut(&mut self, expression: &mut syn::ExprMatch) {
        expression.arms.retain_mut(|arm| self.0.keeps(&mut arm.attrs));
        visit_mut::visit_expr_match_mut(self, expression);
    }

    fn visit_expr_struct_mut(&mut self, expression: &mut syn::ExprStruct) {
        retain(&mut expression.fields, &mut |field| self.0.keeps(&mut field.attrs));
        visit_mut::visit_expr_struct_mut(self, expression);
    }

    fn visit_pat_struct_mut(&mut self, pattern: &mut syn::PatStruct) {
        retain(&mut pattern.fields, &mut |field| self.0.keeps(&mut field.attrs));
        visit_mut::visit_pat_struct_mut(self, pattern);
    }

    fn visit_signature_mut(&mut self, signature: &mut syn::Signature) {
        retain(&mut signature.inputs, &mut |input| match input {
            syn::FnArg::Receiver(receiver) => self.0.keeps(&mut receiver.attrs),
            syn::FnArg::Typed(typed) => self.0.keeps(&mut typed.attrs),
        });
        visit_mut::visit_signature_mut(self, signature);
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain_mut(|statement| match statement {
            syn::Stmt::Local(local) => self.0.keeps(&mut local.attrs),
            syn::Stmt::Item(item) => item_attributes(item).is_none_or(|attributes| self.0.keeps(attributes)),
            syn::Stmt::Expr(expression, _) => {
                expression_attributes(expression).is_none_or(|attributes| self.0.keeps(attributes))
            }
            syn::Stmt::Macro(call) => self.0.keeps(&mut call.attrs),
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        self.0.keeps(attributes);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        call.tokens = self.0.decide(std::mem::take(&mut call.tokens));
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        if let Expr::Macro(call) = expression
            && call.mac.path.is_ident("cfg")
        {
            let is_met = conditions(call.mac.tokens.clone()).iter().all(|condition| self.0.is_met(condition));
            *expression = if is_met { syn::parse_quote!(true) } else { syn::parse_quote!(false) };
        }
    }
}
