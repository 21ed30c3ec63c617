//! The names that a piece of code mentions.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::{Expr, ExprMethodCall, Macro, Path};

use super::members::{Meaning, Members};
use crate::arguments::{captured, matches_as_match, visit_arguments};
use crate::visit::{self, Visit};

/// The names that pieces of code mention. Fields and variables that are only defined are not among them.
#[derive(Default)]
pub(crate) struct Names {
    /// First names of paths: items, and variables.
    pub names: BTreeSet<String>,
    /// Methods, and names behind `::`, of any type.
    pub members: BTreeSet<String>,
    /// Names that a type has of a trait only.
    pub of_traits: BTreeSet<String>,
    /// Members of one type or trait.
    pub exact: BTreeSet<(String, String)>,
}

impl Names {
    pub(crate) fn extend(&mut self, other: Names) {
        self.names.extend(other.names);
        self.members.extend(other.members);
        self.of_traits.extend(other.of_traits);
        self.exact.extend(other.exact);
    }
}

/// Collects the names that a piece of code mentions.
pub(crate) struct Mentions<'a> {
    known: &'a Members,
    /// The type or the trait that `Self` means.
    this: Option<&'a str>,
    /// The variables in scope, which hide functions of their names.
    variables: Vec<String>,
    pub names: Names,
}

impl<'a> Mentions<'a> {
    pub(crate) fn new(known: &'a Members, this: Option<&'a str>) -> Mentions<'a> {
        Mentions { known, this, variables: Vec::new(), names: Names::default() }
    }

    /// Visits the scope of variables.
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let count = self.variables.len();
        visit(self);
        self.variables.truncate(count);
    }

    /// The variables that a literal captures, if it is that of a format, and constants.
    fn captured(&mut self, literal: &str) {
        let variables = &self.variables;
        self.names.names.extend(captured(literal).into_iter().filter(|name| !variables.contains(name)));
    }

    /// A name behind a path of one name.
    fn member(&mut self, of: &str, name: String) {
        let meaning = match self.this.filter(|_| of == "Self") {
            Some(this) => self.known.behind(this, &name),
            None if of == "Self" || of == "crate" => Meaning::Any,
            None => self.known.behind(of, &name),
        };
        match meaning {
            Meaning::Nothing => {}
            Meaning::Of(of) => _ = self.names.exact.insert((of, name)),
            Meaning::OfOrTrait(of) => {
                self.names.of_traits.insert(name.clone());
                self.names.exact.insert((of, name));
            }
            Meaning::OfTraits => _ = self.names.of_traits.insert(name),
            Meaning::Any => _ = self.names.members.insert(name),
        }
    }
}

impl<'ast> Visit<'ast> for Mentions<'_> {
    fn visit_path(&mut self, path: &'ast Path) {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match &names[..] {
            [of, name] if path.leading_colon.is_none() => {
                self.names.names.insert(of.clone());
                if of == "crate" {
                    self.names.names.insert(name.clone());
                }
                self.member(of, name.clone());
            }
            [name] if path.leading_colon.is_none() && self.variables.contains(name) => {}
            [first, rest @ ..] => {
                self.names.names.insert(first.clone());
                if path.leading_colon.is_some() {
                    self.names.members.insert(first.clone());
                }
                if first == "crate" {
                    self.names.names.extend(rest.first().cloned());
                }
                match first.as_str() {
                    "std" | "core" | "alloc" => self.names.of_traits.extend(rest.iter().cloned()),
                    _ => self.names.members.extend(rest.iter().cloned()),
                }
            }
            [] => {}
        }
        visit::visit_path(self, path);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        let name = call.method.to_string();
        let of_self = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
        match self.this.filter(|this| of_self && self.known.is_own_method(this, &name)) {
            Some(this) => _ = self.names.exact.insert((this.to_string(), name)),
            None => _ = self.names.members.insert(name),
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        // A constant as a pattern reads like a variable.
        let name = pattern.ident.to_string();
        if name.starts_with(char::is_uppercase) {
            self.names.names.insert(name);
        } else {
            self.variables.push(name);
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        // The value does not see the variables.
        if let Some(init) = &local.init {
            self.visit_local_init(init);
        }
        self.visit_pat(&local.pat);
    }

    fn visit_expr_let(&mut self, binding: &'ast syn::ExprLet) {
        self.visit_expr(&binding.expr);
        self.visit_pat(&binding.pat);
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast syn::ExprForLoop) {
        self.visit_expr(&repeated.expr);
        self.within(|mentions| {
            mentions.visit_pat(&repeated.pat);
            mentions.visit_block(&repeated.body);
        });
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.within(|mentions| visit::visit_block(mentions, block));
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.within(|mentions| visit::visit_arm(mentions, arm));
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.within(|mentions| visit::visit_expr_closure(mentions, closure));
    }

    fn visit_expr_if(&mut self, choice: &'ast syn::ExprIf) {
        self.within(|mentions| {
            mentions.visit_expr(&choice.cond);
            mentions.visit_block(&choice.then_branch);
        });
        if let Some((_, other)) = &choice.else_branch {
            self.visit_expr(other);
        }
    }

    fn visit_expr_while(&mut self, repeated: &'ast syn::ExprWhile) {
        self.within(|mentions| visit::visit_expr_while(mentions, repeated));
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        // An item inside of a function sees none of its variables.
        let outer = std::mem::take(&mut self.variables);
        visit::visit_item(self, item);
        self.variables = outer;
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        visit::visit_macro(self, call);
        if let Some(choice) = matches_as_match(call) {
            return Visit::visit_expr(self, &choice);
        }
        let mut call = call.clone();
        for literal in call.tokens.clone() {
            if let TokenTree::Literal(literal) = literal {
                self.captured(&literal.to_string());
            }
        }
        if !visit_arguments(&mut call, &mut |argument| self.visit_expr(argument)) {
            self.tokens(call.tokens);
        }
    }

    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
}

impl Mentions<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(name) => {
                    self.names.names.insert(name.to_string());
                    self.names.members.insert(name.to_string());
                }
                TokenTree::Literal(literal) => self.captured(&literal.to_string()),
                TokenTree::Punct(_) => {}
            }
        }
    }
}
