//! Loops that stand for blocks which are left early with a value, as `'block: { .. break 'block value; .. }` is.
//!
//! Rust 1.63 has no such blocks, but `loop { .. break value; .. break last; }` does the same, if every path breaks.
//! A `break` or `continue` of the code inside means a loop further out, so it gets the label of that loop.

use proc_macro2::Span;
use syn::{Block, Expr, ExprBreak, ExprLoop, Item, Label, Lifetime, Macro, Stmt, parse_quote};

use super::macros;
use crate::visit::{self, Visit};
use crate::visit_mut::{self, VisitMut};

/// Rewrites expressions and blocks, the inner ones first.
pub(super) trait Rule {
    fn expr(&mut self, _: &mut Expr, _: &mut Loops) {}

    fn block(&mut self, _: &mut Block, _: &mut Loops) {}
}

/// Applies a rule to all expressions and blocks.
pub(super) fn apply(rule: &mut impl Rule, file: &mut syn::File) {
    Walk { rule, loops: Loops { around: Vec::new(), named: 0 } }.visit_file_mut(file);
}

/// The loops around an expression.
pub(super) struct Loops {
    /// The labels of the loops, the innermost last. It ends at the closure or function around the expression.
    around: Vec<Option<Lifetime>>,
    /// The number of labels that were made up.
    named: usize,
}

impl Loops {
    /// Gives every `break` and `continue` without a label the label of the loop it means, so that the code may move
    /// into a loop of its own.
    pub(super) fn escape(&mut self, code: &mut Expr) {
        Escape(self).visit_expr_mut(code);
    }

    /// Does for a block what [`Loops::escape`] does.
    pub(super) fn escape_block(&mut self, code: &mut Block) {
        Escape(self).visit_block_mut(code);
    }

    fn innermost(&mut self) -> Option<Lifetime> {
        let label = self.around.last_mut()?;
        if label.is_none() {
            self.named += 1;
            *label = Some(Lifetime::new(&format!("'outer{}", self.named), Span::call_site()));
        }
        label.clone()
    }
}

/// Makes the loop that stands for a block. Every path through the statements has to leave it.
pub(super) fn loop_of(stmts: Vec<Stmt>, label: Option<Label>) -> Expr {
    let body = Block { brace_token: Default::default(), stmts };
    Expr::Loop(ExprLoop { attrs: Vec::new(), label, loop_token: Default::default(), body })
}

/// Makes statements that run a block and leave the innermost loop with its value.
pub(super) fn leave(block: Block, label: Option<Lifetime>) -> Vec<Stmt> {
    let mut stmts = block.stmts;
    let leaving = |expr| ExprBreak { attrs: Vec::new(), break_token: Default::default(), label, expr };
    match stmts.pop() {
        Some(stmt) if stmt_diverges(&stmt) => stmts.push(with_semicolon(stmt)),
        Some(Stmt::Expr(value, None)) => {
            stmts.push(Stmt::Expr(Expr::Break(leaving(Some(Box::new(value)))), Some(Default::default())));
        }
        Some(Stmt::Macro(call)) if call.semi_token.is_none() => {
            let value = Expr::Macro(syn::ExprMacro { attrs: call.attrs, mac: call.mac });
            stmts.push(Stmt::Expr(Expr::Break(leaving(Some(Box::new(value)))), Some(Default::default())));
        }
        last => {
            stmts.extend(last);
            stmts.push(Stmt::Expr(Expr::Break(leaving(None)), Some(Default::default())));
        }
    }
    stmts
}

/// Makes statements that run a block without a value and go on with the innermost loop.
pub(super) fn go_on(block: Block) -> Vec<Stmt> {
    let mut stmts = block.stmts;
    if let Some(last) = stmts.pop() {
        let diverges = stmt_diverges(&last);
        stmts.push(with_semicolon(last));
        if diverges {
            return stmts;
        }
    }
    stmts.push(parse_quote!(continue;));
    stmts
}

/// Makes a block of the branch after `else`.
pub(super) fn block_of(branch: Expr) -> Block {
    match branch {
        Expr::Block(branch) if branch.label.is_none() && branch.attrs.is_empty() => branch.block,
        other => Block { brace_token: Default::default(), stmts: vec![Stmt::Expr(other, None)] },
    }
}

fn with_semicolon(stmt: Stmt) -> Stmt {
    match stmt {
        Stmt::Expr(value, None) => Stmt::Expr(value, Some(Default::default())),
        other => other,
    }
}

fn stmt_diverges(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Expr(value, _) => diverges(value),
        Stmt::Macro(call) => panics(&call.mac),
        _ => false,
    }
}

/// Returns true if the expression never has a value, as far as its syntax tells.
fn diverges(expr: &Expr) -> bool {
    let ends = |block: &Block| block.stmts.last().is_some_and(stmt_diverges);
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Macro(call) => panics(&call.mac),
        Expr::Call(call) => {
            matches!(&*call.func, Expr::Path(f) if f.path.segments.last().is_some_and(|last| last.ident == "exit"))
        }
        Expr::Block(inner) => inner.label.is_none() && ends(&inner.block),
        Expr::Unsafe(inner) => ends(&inner.block),
        Expr::If(branches) => {
            ends(&branches.then_branch) && branches.else_branch.as_ref().is_some_and(|(_, other)| diverges(other))
        }
        Expr::Match(arms) => !arms.arms.is_empty() && arms.arms.iter().all(|arm| diverges(&arm.body)),
        Expr::Loop(inner) => {
            let mut breaks = Breaks { label: inner.label.as_ref().map(|label| &label.name), depth: 0, found: false };
            breaks.visit_block(&inner.body);
            !breaks.found
        }
        _ => false,
    }
}

fn panics(call: &syn::Macro) -> bool {
    let name = call.path.segments.last().map(|last| last.ident.to_string());
    matches!(name.as_deref(), Some("panic" | "unreachable" | "todo" | "unimplemented"))
}

/// The search for a `break` that leaves a loop.
struct Breaks<'l> {
    label: Option<&'l Lifetime>,
    depth: usize,
    found: bool,
}

impl<'ast> Visit<'ast> for Breaks<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Break(leaving) => {
                self.found |= match &leaving.label {
                    Some(label) => Some(label) == self.label,
                    None => self.depth == 0,
                };
                visit::visit_expr(self, expr);
            }
            Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) => {
                self.depth += 1;
                visit::visit_expr(self, expr);
                self.depth -= 1;
            }
            Expr::Closure(_) | Expr::Async(_) => {}
            _ => visit::visit_expr(self, expr),
        }
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

struct Escape<'l>(&'l mut Loops);

impl VisitMut for Escape<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Break(leaving) if leaving.label.is_none() => leaving.label = self.0.innermost(),
            Expr::Continue(going) if going.label.is_none() => going.label = self.0.innermost(),
            Expr::Loop(_) | Expr::While(_) | Expr::Closure(_) | Expr::Async(_) => return,
            Expr::ForLoop(each) => return self.visit_expr_mut(&mut each.expr),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        macros::each_argument(call, &mut |argument| self.visit_expr_mut(argument));
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

struct Walk<'r, R> {
    rule: &'r mut R,
    loops: Loops,
}

impl<R: Rule> Walk<'_, R> {
    /// Visits code that is the body of a loop, and gives the loop the label that the code needs.
    fn inside(&mut self, body: &mut Block, label: &mut Option<Label>) {
        self.loops.around.push(label.as_ref().map(|label| label.name.clone()));
        self.visit_block_mut(body);
        if let (None, Some(Some(name))) = (&label, self.loops.around.pop()) {
            *label = Some(Label { name, colon_token: Default::default() });
        }
    }

    /// Visits code that no `break` leaves.
    fn apart(&mut self, visit: impl FnOnce(&mut Self)) {
        let around = std::mem::take(&mut self.loops.around);
        visit(self);
        self.loops.around = around;
    }
}

impl<R: Rule> VisitMut for Walk<'_, R> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Loop(inner) => self.inside(&mut inner.body, &mut inner.label),
            Expr::While(inner) => {
                self.visit_expr_mut(&mut inner.cond);
                self.inside(&mut inner.body, &mut inner.label);
            }
            Expr::ForLoop(inner) => {
                self.visit_expr_mut(&mut inner.expr);
                self.inside(&mut inner.body, &mut inner.label);
            }
            Expr::Closure(_) | Expr::Async(_) => self.apart(|walk| visit_mut::visit_expr_mut(walk, expr)),
            _ => visit_mut::visit_expr_mut(self, expr),
        }
        self.rule.expr(expr, &mut self.loops);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        self.rule.block(block, &mut self.loops);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        macros::each_argument(call, &mut |argument| self.visit_expr_mut(argument));
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        self.apart(|walk| visit_mut::visit_item_mut(walk, item));
    }
}
