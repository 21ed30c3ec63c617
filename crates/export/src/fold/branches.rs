//! `if` and `match`: branches that are never taken go, and do not count.

use quote::ToTokens;
use syn::{Arm, Block, Expr, ExprLet, Pat, Stmt, parse_quote};

use super::patterns::Match;
use super::value::Known;
use super::walker::{Found, Walker};

impl Walker<'_> {
    pub(super) fn condition(&mut self, expr: &mut Expr) -> Found {
        let Expr::If(branches) = expr else { return Found::varies(None) };
        self.scopes.push(Default::default());
        let condition = self.walk(&mut branches.cond).known;
        let is_dead = |known: &Known, wanted: bool, rewrites: bool| {
            *known == Known::bool(!wanted) || *known == Known::Never && !rewrites
        };
        let mut found = Found::default();
        if !is_dead(&condition, true, self.rewrites) {
            found = self.block(&mut branches.then_branch);
        }
        self.scopes.pop();
        if !is_dead(&condition, false, self.rewrites) {
            let other = match &mut branches.else_branch {
                Some((_, other)) => self.walk(other),
                None => Found::varies(None),
            };
            found = Found { known: found.known.join(other.known), ty: found.ty.or(other.ty) };
        }
        if self.rewrites && !self.purity.has_effects(&branches.cond) {
            let taken: Option<Expr> = if condition.is_true() {
                let block = branches.then_branch.clone();
                Some(parse_quote!(#block))
            } else if condition.is_false() {
                Some(branches.else_branch.as_ref().map_or_else(|| parse_quote!({}), |(_, other)| (**other).clone()))
            } else {
                None
            };
            if let Some(taken) = taken {
                *expr = unwrapped(taken);
                self.facts.folded += 1;
            }
        }
        found
    }

    pub(super) fn let_condition(&mut self, binding: &mut ExprLet) -> Found {
        let value = self.walk(&mut binding.expr);
        let found = self.matches(&binding.pat, &value.known);
        self.bind(&binding.pat, value.known.clone(), value.ty);
        let known = match found {
            _ if value.known == Known::Never => Known::Never,
            Match::No => Known::bool(false),
            Match::Yes if !binds(&binding.pat) => Known::bool(true),
            _ => Known::Varies,
        };
        Found { known, ty: None }
    }

    pub(super) fn choice(&mut self, expr: &mut Expr) -> Found {
        let Expr::Match(choice) = expr else { return Found::varies(None) };
        let value = self.walk(&mut choice.expr);
        if value.known == Known::Never && !self.rewrites {
            return Found::default();
        }
        let mut found = Found::default();
        // The arms that may be taken; those of a known guard lose it.
        let mut kept: Vec<(usize, bool)> = Vec::new();
        let mut taken = None;
        for (at, arm) in choice.arms.iter_mut().enumerate() {
            let (pattern, mut guard) = parted(&mut arm.pat);
            let matched = self.matches(pattern, &value.known);
            if matched == Match::No {
                continue;
            }
            self.scopes.push(Default::default());
            self.bind(pattern, value.known.clone(), value.ty.clone());
            let is_pure = guard.as_ref().is_none_or(|guard| !self.purity.has_effects(guard));
            let guard = guard.as_mut().map(|guard| self.walk(guard).known);
            if guard
                .as_ref()
                .is_some_and(|guard| guard.is_false() && is_pure || *guard == Known::Never && !self.rewrites)
            {
                self.scopes.pop();
                continue;
            }
            let body = self.walk(&mut arm.body);
            self.scopes.pop();
            found = Found { known: found.known.join(body.known), ty: found.ty.or(body.ty) };
            let is_certain = guard.as_ref().is_none_or(|guard| guard.is_true() && is_pure);
            kept.push((at, is_certain));
            if matched == Match::Yes && is_certain {
                taken = Some(at);
                break;
            }
        }
        if self.rewrites {
            self.rewrite_choice(expr, &kept, taken);
        }
        found
    }

    fn rewrite_choice(&mut self, expr: &mut Expr, kept: &[(usize, bool)], taken: Option<usize>) {
        let Expr::Match(choice) = expr else { return };
        let is_kept = |at: usize| kept.iter().any(|(kept, _)| *kept == at);
        // The one arm that is left.
        if let (Some(at), [_]) = (taken, kept) {
            let Arm { mut pat, body, .. } = choice.arms[at].clone();
            let pat = parted(&mut pat).0.clone();
            if !binds(&pat) {
                let value = &choice.expr;
                *expr = match self.purity.has_effects(value) {
                    true => parse_quote!({ let _ = #value; #body }),
                    false => unwrapped(*body),
                };
                self.facts.folded += 1;
                return;
            }
            if is_variable(&pat) {
                let value = &choice.expr;
                *expr = parse_quote!({ let #pat = #value; #body });
                self.facts.folded += 1;
                return;
            }
        }
        let closes = taken.is_some_and(|at| {
            let pattern = parted(&mut choice.arms[at].pat).0;
            matches!(pattern, Pat::Wild(_)) || is_variable(pattern)
        });
        let mut arms: Vec<Arm> = Vec::new();
        for (at, mut arm) in std::mem::take(&mut choice.arms).into_iter().enumerate() {
            let goes = closes && !is_kept(at) || parted(&mut arm.pat).1.is_some_and(|guard| is_false(guard));
            if kept.contains(&(at, true)) && matches!(arm.pat, Pat::Guard(_)) {
                arm.pat = parted(&mut arm.pat).0.clone();
                self.facts.folded += 1;
            }
            let text = parted(&mut arm.pat).0.to_token_stream().to_string();
            let repeats = arms.iter().any(|earlier| earlier.pat.to_token_stream().to_string() == text);
            if goes || repeats {
                self.facts.folded += 1;
                continue;
            }
            arms.push(arm);
        }
        choice.arms = arms;
    }
}

/// The pattern of an arm and its guard.
fn parted(pattern: &mut Pat) -> (&mut Pat, Option<&mut Expr>) {
    match pattern {
        Pat::Guard(guarded) => (&mut guarded.pat, Some(&mut guarded.guard)),
        pattern => (pattern, None),
    }
}

fn is_false(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(value), .. }) if !value.value)
}

/// Returns true if a pattern is a variable, which matches everything.
fn is_variable(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Ident(it) if it.subpat.is_none() && !it.ident.to_string().starts_with(char::is_uppercase))
}

/// Returns true if a pattern names a variable.
pub(super) fn binds(pattern: &Pat) -> bool {
    let mut finder = Variables(false);
    crate::visit::Visit::visit_pat(&mut finder, pattern);
    finder.0
}

struct Variables(bool);

impl<'ast> crate::visit::Visit<'ast> for Variables {
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.0 |= !pattern.ident.to_string().starts_with(char::is_uppercase);
        crate::visit::visit_pat_ident(self, pattern);
    }

    fn visit_field_pat(&mut self, field: &'ast syn::FieldPat) {
        self.0 |= field.colon_token.is_none();
        crate::visit::visit_field_pat(self, field);
    }
}

/// A block of one expression as that expression.
fn unwrapped(expr: Expr) -> Expr {
    match expr {
        Expr::Block(block) if block.label.is_none() => match &block.block.stmts[..] {
            [Stmt::Expr(inner, None)] if !matches!(inner, Expr::Let(_)) => inner.clone(),
            _ => Expr::Block(block),
        },
        other => other,
    }
}

/// Returns true if the code after an expression is never reached.
pub(super) fn leaves(expr: &Expr) -> bool {
    match expr {
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => true,
        Expr::Block(block) if block.label.is_none() => last_leaves(&block.block),
        _ => false,
    }
}

fn last_leaves(block: &Block) -> bool {
    matches!(block.stmts.last(), Some(Stmt::Expr(expr, _)) if leaves(expr))
}

/// Statements that do nothing go, and blocks without variables of their own are opened.
pub(super) fn tidy(statements: &mut Vec<Stmt>) {
    let count = statements.len();
    let mut out = Vec::new();
    for (at, statement) in std::mem::take(statements).into_iter().enumerate() {
        let is_last = at + 1 == count;
        match statement {
            Stmt::Expr(Expr::Block(block), end) if block.label.is_none() && block.attrs.is_empty() => {
                let has_own = block.block.stmts.iter().any(|it| matches!(it, Stmt::Local(_) | Stmt::Item(_)));
                let is_value = matches!(block.block.stmts.last(), Some(Stmt::Expr(_, None)));
                if has_own || is_value && !is_last && end.is_some() || is_value && end.is_some() {
                    out.push(Stmt::Expr(Expr::Block(block), end));
                } else {
                    out.extend(block.block.stmts);
                }
            }
            Stmt::Expr(Expr::Tuple(tuple), Some(_)) if tuple.elems.is_empty() => {}
            statement => out.push(statement),
        }
    }
    // What has taken the place of a block needs a mark of its own.
    if let Some((_, before)) = out.split_last_mut() {
        for statement in before {
            if let Stmt::Expr(expr, end @ None) = statement
                && !ends_itself(expr)
            {
                *end = Some(Default::default());
            }
        }
    }
    *statements = out;
}

/// Returns true if an expression is a statement without a mark at its end.
fn ends_itself(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Block(_)
            | Expr::Const(_)
            | Expr::ForLoop(_)
            | Expr::If(_)
            | Expr::Loop(_)
            | Expr::Match(_)
            | Expr::Unsafe(_)
            | Expr::While(_)
    )
}
