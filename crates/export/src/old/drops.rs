//! Temporaries that edition 2024 drops sooner than edition 2021: those of the value of an `if let` before its `else`,
//! and those of the last expression of a block before its variables.
//!
//! It matters where a temporary does something when it is dropped, as the guard of a lock does. A rule knows no types,
//! so it looks for the methods that return guards. [`crate::verify`] asks the compiler for the others.
//!
//! `if let P = a.lock().b { x } else { y }` becomes `loop { if let P = a.lock().b { break x; } break y; }`, and
//! `{ let a = ..; a.lock().b }` becomes `{ let a = ..; let last = a.lock().b; last }`.

use syn::{Block, Expr, ExprIf, ExprMethodCall, Item, Stmt, parse_quote};

use super::leaving::{self, Loops, Rule};
use crate::visit::{self, Visit};

/// Methods without arguments that return guards: of locks and of cells.
const GUARDS: [&str; 8] = ["lock", "try_lock", "read", "write", "try_read", "try_write", "borrow", "borrow_mut"];

pub(super) fn rewrite(file: &mut syn::File) {
    leaving::apply(&mut Drops, file);
}

struct Drops;

impl Rule for Drops {
    fn expr(&mut self, expr: &mut Expr, loops: &mut Loops) {
        let Expr::If(branches) = expr else { return };
        let Expr::Let(condition) = &*branches.cond else { return };
        if branches.else_branch.is_none() || !holds_guard(&condition.expr) {
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
            Some(Stmt::Expr(last, None)) if holds_guard(&last) => {
                block.stmts.push(parse_quote!(let last = #last;));
                block.stmts.push(Stmt::Expr(parse_quote!(last), None));
            }
            other => block.stmts.extend(other),
        }
    }
}

/// Returns true if the expression makes a guard that is dropped after it.
pub(super) fn holds_guard(expr: &Expr) -> bool {
    let mut guards = Guards(false);
    guards.visit_expr(expr);
    guards.0
}

struct Guards(bool);

impl<'ast> Visit<'ast> for Guards {
    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.0 |= call.args.is_empty() && GUARDS.iter().any(|&guard| call.method == guard);
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            // Temporaries of a statement or of a closure's body do not outlive it.
            Expr::Closure(_) | Expr::Loop(_) | Expr::ForLoop(_) | Expr::While(_) | Expr::Return(_) => {}
            Expr::Block(_) | Expr::Async(_) | Expr::Const(_) => {}
            // The branches are blocks of their own.
            Expr::If(branches) => self.visit_expr(&branches.cond),
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}
