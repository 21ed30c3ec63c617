//! Statements that compute a value which nothing uses.

use syn::{Expr, Local, LocalInit, Pat, Stmt};

use super::walker::Walker;

impl Walker<'_> {
    /// Removes statements that only compute a value, and the parts of tuples that no name is given to.
    pub(super) fn remove_idle(&mut self, statements: &mut Vec<Stmt>) {
        let count = statements.len();
        let mut at = 0;
        statements.retain(|statement| {
            at += 1;
            !self.is_idle(statement, at == count)
        });
        self.facts.folded += count - statements.len();
        for statement in statements {
            if let Stmt::Local(local) = statement {
                self.remove_idle_parts(local);
            }
        }
    }

    fn is_idle(&self, statement: &Stmt, is_last: bool) -> bool {
        match statement {
            Stmt::Local(Local { pat, init: Some(LocalInit { expr, .. }), .. }) if is_nothing(pat) => match &**expr {
                Expr::Reference(place) => !self.purity.has_effects(&place.expr),
                value => !self.purity.has_effects(value),
            },
            Stmt::Expr(
                expr @ (Expr::Lit(_)
                | Expr::Unary(_)
                | Expr::Call(_)
                | Expr::MethodCall(_)
                | Expr::Path(_)
                | Expr::Field(_)
                | Expr::If(_)
                | Expr::Match(_)),
                Some(_),
            ) => !self.purity.has_effects(expr),
            // Without a mark at its end such an expression has no value where it is not the last of its block.
            Stmt::Expr(expr @ Expr::If(branches), None) => {
                (!is_last || branches.else_branch.is_none()) && !self.purity.has_effects(expr)
            }
            Stmt::Expr(expr @ Expr::Match(_), None) => !is_last && !self.purity.has_effects(expr),
            _ => false,
        }
    }

    /// Takes the parts out of `let (_, name) = (part, value)` that get no name.
    fn remove_idle_parts(&mut self, local: &mut Local) {
        let (Pat::Tuple(names), Some(LocalInit { expr, diverge: None, .. })) = (&mut local.pat, &mut local.init) else {
            return;
        };
        let Expr::Tuple(values) = &mut **expr else { return };
        let has_rest = names.elems.iter().any(|name| matches!(name, Pat::Rest(_)));
        if has_rest || names.elems.len() != values.elems.len() {
            return;
        }
        let pairs = names.elems.iter().cloned().zip(values.elems.iter().cloned());
        let is_needed = |(name, value): &(Pat, Expr)| !is_nothing(name) || self.purity.has_effects(value);
        let (left_names, left_values): (Vec<Pat>, Vec<Expr>) = pairs.filter(is_needed).unzip();
        if left_names.len() == names.elems.len() {
            return;
        }
        self.facts.folded += 1;
        match (&left_names[..], &left_values[..]) {
            ([name], [value]) => {
                let (name, value) = (name.clone(), value.clone());
                (local.pat, **expr) = (name, value);
            }
            _ => {
                names.elems = left_names.into_iter().collect();
                values.elems = left_values.into_iter().collect();
            }
        }
    }
}

/// Returns true if a pattern matches everything and names nothing.
fn is_nothing(pattern: &Pat) -> bool {
    match pattern {
        Pat::Wild(_) => true,
        Pat::Tuple(parts) => parts.elems.iter().all(is_nothing),
        _ => false,
    }
}
