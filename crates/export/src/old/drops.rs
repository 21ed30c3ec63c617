//! Temporaries that edition 2024 drops sooner than edition 2021: those of the value of an `if let` before its `else`,
//! and those of the last expression of a block before its variables.
//!
//! It matters where a temporary does something when it is dropped, as the guard of a lock does. A rule knows no types,
//! so it looks for the methods that return guards, and for what makes values of the file's own types with a `Drop`.
//! [`crate::verify`] asks the compiler for the others.
//!
//! `if let P = a.lock().b { x } else { y }` becomes `loop { if let P = a.lock().b { break x; } break y; }`, and
//! `{ let a = ..; a.lock().b }` becomes `{ let a = ..; let last = a.lock().b; last }`.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::{Block, Expr, ExprIf, ExprMethodCall, ImplItem, Item, Path, Signature, Stmt, parse_quote};

use super::leaving::{self, Loops, Rule};
use crate::dropped::dropped_types;
use crate::prune::name_of;
use crate::visit::{self, Visit};
use crate::words::words;

/// Methods without arguments that return guards: of locks and of cells.
const GUARDS: [&str; 8] = ["lock", "try_lock", "read", "write", "try_read", "try_write", "borrow", "borrow_mut"];

pub(super) fn rewrite(file: &mut syn::File) {
    leaving::apply(&mut Drops(Makers::of(file)), file);
}

struct Drops(Makers);

impl Rule for Drops {
    fn expr(&mut self, expr: &mut Expr, loops: &mut Loops) {
        let Expr::If(branches) = expr else { return };
        let Expr::Let(condition) = &*branches.cond else { return };
        if branches.else_branch.is_none() || !self.0.holds_guard(&condition.expr) {
            return;
        }
        let mut branches = branches.clone();
        loops.escape(&mut branches.cond);
        loops.escape_block(&mut branches.then_branch);
        let mut stmts = Vec::new();
        if let Some((_, mut other)) = branches.else_branch.take() {
            loops.escape(&mut other);
            stmts = leaving::leave(leaving::block_of(*other), None);
        }
        let then_branch = Block { stmts: leaving::leave(branches.then_branch, None), ..parse_quote!({}) };
        stmts.insert(0, Stmt::Expr(Expr::If(ExprIf { then_branch, ..branches }), None));
        *expr = leaving::loop_of(stmts, None);
    }

    fn block(&mut self, block: &mut Block, _: &mut Loops) {
        if !block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Local(_))) {
            return;
        }
        match block.stmts.pop() {
            Some(Stmt::Expr(last, None)) if self.0.holds_guard_beside_value(&last) => {
                block.stmts.push(parse_quote!(let last = #last;));
                block.stmts.push(Stmt::Expr(parse_quote!(last), None));
            }
            other => block.stmts.extend(other),
        }
    }
}

/// The makers of values of the file's own types that do something when they are dropped.
#[derive(Default)]
pub(super) struct Makers {
    types: BTreeSet<String>,
    /// Functions that return such a value, after the type that they belong to.
    functions: BTreeSet<(String, String)>,
    methods: BTreeSet<String>,
}

impl Makers {
    pub(super) fn of(file: &syn::File) -> Makers {
        let mut makers = Makers { types: dropped_types(file), ..Makers::default() };
        let blocks =
            || file.items.iter().filter_map(|item| if let Item::Impl(block) = item { Some(block) } else { None });
        for item in &file.items {
            if let Item::Fn(item) = item {
                makers.add("", &item.sig);
            }
        }
        for block in blocks() {
            let of = name_of(&block.self_ty).unwrap_or_default();
            for member in &block.items {
                if let ImplItem::Fn(member) = member {
                    makers.add(&of, &member.sig);
                }
            }
        }
        makers
    }

    fn add(&mut self, of: &str, signature: &Signature) {
        let output = signature.output.to_token_stream().to_string();
        let is_maker = words(&output).any(|word| self.types.contains(if word == "Self" { of } else { word }));
        if is_maker && signature.receiver().is_some() {
            self.methods.insert(signature.ident.to_string());
        } else if is_maker {
            self.functions.insert((of.to_string(), signature.ident.to_string()));
        }
    }

    /// Returns true if a path is such a type or function.
    fn has(&self, path: &Path) -> bool {
        let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (name, of) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        self.types.contains(&name) || self.functions.contains(&(of, name))
    }

    /// Returns true if the expression makes a guard that is dropped after it.
    pub(super) fn holds_guard(&self, expr: &Expr) -> bool {
        let mut guards = Guards { makers: self, found: false };
        guards.visit_expr(expr);
        guards.found
    }

    /// Returns true if it makes one that is not its value.
    fn holds_guard_beside_value(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => call.args.iter().any(|argument| self.holds_guard_beside_value(argument)),
            Expr::Struct(value) => value.fields.iter().any(|field| self.holds_guard_beside_value(&field.expr)),
            Expr::Path(_) => false,
            _ => self.holds_guard(expr),
        }
    }
}

struct Guards<'a> {
    makers: &'a Makers,
    found: bool,
}

impl<'ast> Visit<'ast> for Guards<'_> {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.found |= call.args.is_empty() && GUARDS.iter().any(|&guard| call.method == guard);
        self.found |= self.makers.methods.contains(&call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            // Temporaries of a statement or of a closure's body do not outlive it.
            Expr::Closure(_) | Expr::Loop(_) | Expr::ForLoop(_) | Expr::While(_) | Expr::Return(_) => {}
            Expr::Block(_) | Expr::Async(_) | Expr::Const(_) => {}
            Expr::Path(path) if self.makers.has(&path.path) => self.found = true,
            Expr::Struct(value) if self.makers.has(&value.path) => self.found = true,
            // The branches are blocks of their own.
            Expr::If(branches) => self.visit_expr(&branches.cond),
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}
