//! `let P = value else { leave };`: Rust 1.65.
//!
//! It becomes `let (a, b) = match value { P => (a, b), _ => { leave } };`, where `a` and `b` are what `P` binds. The
//! `match` keeps temporaries of the value until after `leave`, which matters if one is a guard: then it becomes
//! `let (a, b) = loop { if let P = value { break (a, b); } leave };`.

use std::mem;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Block, Expr, Local, Pat, PatIdent, Stmt, Token, parse_quote};

use super::drops::Makers;
use super::leaving::{self, Loops, Rule};
use crate::visit_mut::{self, VisitMut};

pub(super) fn rewrite(file: &mut syn::File) {
    leaving::apply(&mut LetElse(Makers::of(file)), file);
}

struct LetElse(Makers);

impl Rule for LetElse {
    fn block(&mut self, block: &mut Block, loops: &mut Loops) {
        for stmt in mem::take(&mut block.stmts) {
            match stmt {
                Stmt::Local(Local { pat, init: Some(init), .. }) if init.diverge.is_some() => {
                    let other = init.diverge.map(|(_, other)| leaving::block_of(*other)).unwrap_or_else(no_statements);
                    let is_guard = self.0.holds_guard(&init.expr);
                    rewritten(pat, *init.expr, is_guard, other, &mut block.stmts, loops);
                }
                other => block.stmts.push(other),
            }
        }
    }
}

fn rewritten(pat: Pat, value: Expr, is_guard: bool, mut other: Block, stmts: &mut Vec<Stmt>, loops: &mut Loops) {
    let (mut pat, mut value) = match pat {
        Pat::Type(typed) => {
            let (pat, ty) = (typed.pat, typed.ty);
            stmts.push(local(quote!(let let_else: #ty = ()), value));
            (*pat, parse_quote!(let_else))
        }
        Pat::Paren(inner) => (*inner.pat, value),
        pat => (pat, value),
    };
    // A `let` keeps a borrowed temporary as long as what it binds, and a `match` does not.
    if let Expr::Reference(borrow) = &mut value
        && is_temporary(&borrow.expr)
    {
        let kept = mem::replace(&mut *borrow.expr, parse_quote!(let_else));
        let mutable = borrow.mutability;
        stmts.push(local(quote!(let #mutable let_else = ()), kept));
    }
    let mut bindings = Bindings::default();
    bindings.visit_pat_mut(&mut pat);
    let names = &bindings.names;
    let muts = &bindings.muts;
    let (left, result): (TokenStream, Expr) = match names.len() {
        0 => (quote!(), parse_quote!({})),
        1 => (quote!(let #(#muts #names)* =), parse_quote!(#(#names)*)),
        _ => (quote!(let (#(#muts #names),*) =), parse_quote!((#(#names),*))),
    };
    let mut chosen: Expr = if is_guard {
        loops.escape_block(&mut other);
        let leave = &other.stmts;
        let mut body: Block = parse_quote!({ if let #pat = () { break #result; } #(#leave)* });
        if let Some(Stmt::Expr(Expr::If(first), _)) = body.stmts.first_mut()
            && let Expr::Let(condition) = &mut *first.cond
        {
            *condition.expr = value;
        }
        leaving::loop_of(body.stmts, None)
    } else {
        let mut chosen: syn::ExprMatch = parse_quote!(match () { #pat => #result, _ => #other });
        *chosen.expr = value;
        Expr::Match(chosen)
    };
    stmts.push(match left.is_empty() {
        true => Stmt::Expr(mem::replace(&mut chosen, parse_quote!(())), Some(Default::default())),
        false => local(quote!(#left ()), chosen),
    });
}

/// Makes a `let` statement of one with the value `()` and its value.
fn local(tokens: TokenStream, value: Expr) -> Stmt {
    let mut stmt: Stmt = parse_quote!(#tokens;);
    if let Stmt::Local(Local { init: Some(init), .. }) = &mut stmt {
        *init.expr = value;
    }
    stmt
}

fn no_statements() -> Block {
    parse_quote!({})
}

fn is_temporary(value: &Expr) -> bool {
    matches!(value, Expr::Call(_) | Expr::MethodCall(_) | Expr::Macro(_) | Expr::Array(_) | Expr::Tuple(_))
}

/// The names that a pattern binds. The pattern loses their `mut`s, which the `let` gets.
#[derive(Default)]
struct Bindings {
    names: Vec<Ident>,
    muts: Vec<Option<Token![mut]>>,
}

impl VisitMut for Bindings {
    fn visit_pat_ident_mut(&mut self, binding: &mut PatIdent) {
        // By the conventions of names, one that begins with a capital is a constant or a variant.
        let is_constant = binding.ident.to_string().starts_with(char::is_uppercase);
        if !is_constant && !self.names.contains(&binding.ident) {
            self.names.push(binding.ident.clone());
            self.muts.push(if binding.by_ref.is_none() { binding.mutability } else { None });
        }
        if binding.by_ref.is_none() {
            binding.mutability = None;
        }
        visit_mut::visit_pat_ident_mut(self, binding);
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}
