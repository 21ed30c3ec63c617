//! Floating-point literals in patterns: Rust 1.63 warns of them.
//!
//! `Some(1.0) => x` becomes `Some(float) if float.eq(&1.0) => x`, which takes a number and a borrowed one. An arm of
//! several patterns becomes an arm for each.

use std::mem;

use proc_macro2::Span;
use syn::{Arm, Expr, ExprMatch, File, Ident, Lit, Pat, PatGuard, parse_quote};

use crate::visit_mut::{self, VisitMut};

pub(super) fn rewrite(file: &mut File) {
    Floats.visit_file_mut(file);
}

struct Floats;

impl VisitMut for Floats {
    fn visit_expr_match_mut(&mut self, choice: &mut ExprMatch) {
        visit_mut::visit_expr_match_mut(self, choice);
        choice.arms = mem::take(&mut choice.arms).into_iter().flat_map(split).map(guarded).collect();
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        crate::arguments::visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
    }
}

/// An arm for each pattern of an arm, if one of them has a floating-point literal.
fn split(arm: Arm) -> Vec<Arm> {
    let (pattern, guard) = parts(arm.pat.clone());
    let Pat::Or(cases) = &pattern else { return vec![arm] };
    let has_float = cases.cases.iter().any(|case| !bound(&mut case.clone()).is_empty());
    if !has_float {
        return vec![arm];
    }
    let whole = |case: &Pat| match &guard {
        Some(guard) => joined(case.clone(), (**guard).clone()),
        None => case.clone(),
    };
    cases.cases.iter().map(|case| Arm { pat: whole(case), ..arm.clone() }).collect()
}

/// Compares what the literals of a pattern stood for in the guard of the arm.
fn guarded(mut arm: Arm) -> Arm {
    let (mut pattern, guard) = parts(arm.pat.clone());
    let conditions = bound(&mut pattern).into_iter();
    if let Some(condition) = conditions.reduce(|all, next| parse_quote!(#all && #next)) {
        let condition = match guard {
            Some(guard) => parse_quote!(#condition && (#guard)),
            None => condition,
        };
        arm.pat = joined(pattern, condition);
    }
    arm
}

/// A pattern without its guard, and the guard.
fn parts(pattern: Pat) -> (Pat, Option<Box<Expr>>) {
    match pattern {
        Pat::Guard(PatGuard { pat, guard, .. }) => (*pat, Some(guard)),
        pattern => (pattern, None),
    }
}

fn joined(pattern: Pat, guard: Expr) -> Pat {
    let (pat, guard) = (Box::new(pattern), Box::new(guard));
    Pat::Guard(PatGuard { attrs: Vec::new(), pat, if_token: Default::default(), guard })
}

/// Puts names in the place of the literals of a pattern. Returns the comparisons with them.
fn bound(pattern: &mut Pat) -> Vec<Expr> {
    let mut bound = Bound::default();
    bound.visit_pat_mut(pattern);
    bound.conditions
}

/// Names in the place of literals, and the comparisons with them.
#[derive(Default)]
struct Bound {
    conditions: Vec<Expr>,
}

impl VisitMut for Bound {
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        match pattern {
            Pat::Lit(literal) if matches!(literal.lit, Lit::Float(_)) => {
                let name = Ident::new(&format!("float{}", self.conditions.len()), Span::call_site());
                self.conditions.push(parse_quote!(#name.eq(&#literal)));
                *pattern = parse_quote!(#name);
            }
            // A name cannot stand in one of several patterns alone.
            Pat::Or(_) => {}
            _ => visit_mut::visit_pat_mut(self, pattern),
        }
    }
}
