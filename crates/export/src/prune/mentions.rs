//! The names that a piece of code mentions.

use std::collections::BTreeSet;

use crate::visit::{self, Visit};
use proc_macro2::{TokenStream, TokenTree};
use syn::{ExprMethodCall, Macro, Path};

use crate::arguments::{captured, visit_arguments};

/// The names that a piece of code mentions. Fields and variables that are only defined are not among them.
#[derive(Default)]
pub(crate) struct Mentions {
    /// First names of paths: items, and variables.
    pub names: BTreeSet<String>,
    /// Methods, and names behind `::`.
    pub members: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_path(&mut self, path: &'ast Path) {
        for (at, segment) in path.segments.iter().enumerate() {
            let name = segment.ident.to_string();
            if at == 0 {
                self.names.insert(name);
            } else {
                // `crate::name` is an item.
                if at == 1 {
                    self.names.insert(name.clone());
                }
                self.members.insert(name);
            }
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.members.insert(call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        // A constant as a pattern reads like a variable.
        let name = pattern.ident.to_string();
        if name.starts_with(char::is_uppercase) {
            self.names.insert(name);
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        visit::visit_macro(self, call);
        let mut call = call.clone();
        for literal in call.tokens.clone() {
            if let TokenTree::Literal(literal) = literal {
                self.names.extend(captured(&literal.to_string()));
            }
        }
        if !visit_arguments(&mut call, &mut |argument| self.visit_expr(argument)) {
            self.tokens(call.tokens);
        }
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

impl Mentions {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) => {
                    self.names.insert(name.to_string());
                    self.members.insert(name.to_string());
                }
                TokenTree::Literal(literal) => self.names.extend(captured(&literal.to_string())),
                TokenTree::Punct(_) => {}
            }
        }
    }
}
