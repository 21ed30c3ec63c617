//! Patterns as `1..5` and `..5` (Rust 1.80) and `..=5` (1.66).
//!
//! `1..5` becomes `1..=4`. Where an end is no literal, or the start is missing, a guard says it:
//! `FIRST..END | OTHER => ..` becomes `ref range if range.is_in_range_pattern(FIRST..END) || .. => ..`, a method that
//! [`super::std_calls`] adds. The compiler does not count an arm with a guard, so a `match` that needs it to be
//! complete has to be written with `_`.

use proc_macro2::{Ident, Span};
use syn::{Arm, Expr, ExprLit, ExprMatch, Lit, LitChar, LitInt, Macro, Pat, PatRange, RangeLimits, parse_quote};

use super::macros;
use crate::visit_mut::{self, VisitMut};

pub(super) fn rewrite(file: &mut syn::File) {
    Ranges.visit_file_mut(file);
}

struct Ranges;

impl VisitMut for Ranges {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if let Pat::Range(range) = pat
            && matches!(range.limits, RangeLimits::HalfOpen(_))
            && let (Some(_), Some(end)) = (&range.start, &mut range.end)
            && let Some(last) = before(end)
        {
            **end = last;
            range.limits = RangeLimits::Closed(Default::default());
        }
        visit_mut::visit_pat_mut(self, pat);
    }

    fn visit_expr_match_mut(&mut self, arms: &mut ExprMatch) {
        visit_mut::visit_expr_match_mut(self, arms);
        arms.arms.iter_mut().for_each(with_guard);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        macros::each_argument(call, &mut |argument| self.visit_expr_mut(argument));
    }
}

/// The literal before this one.
fn before(end: &Expr) -> Option<Expr> {
    match end {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => {
            let last = number.base10_parse::<i128>().ok()?.checked_sub(1)?;
            let last = LitInt::new(&format!("{last}{}", number.suffix()), Span::call_site());
            Some(parse_quote!(#last))
        }
        Expr::Lit(ExprLit { lit: Lit::Char(end), .. }) => {
            let last = LitChar::new(char::from_u32(u32::from(end.value()).checked_sub(1)?)?, Span::call_site());
            Some(parse_quote!(#last))
        }
        _ => None,
    }
}

/// Adds the guard that says what the ranges of an arm say.
fn with_guard(arm: &mut Arm) {
    let mut guards = Guards::default();
    let guard = match &mut arm.pat {
        Pat::Guard(guarded) => {
            guards.visit_pat_mut(&mut guarded.pat);
            let guard = &guarded.guard;
            Some(parse_quote!((#guard)))
        }
        pat => {
            guards.visit_pat_mut(pat);
            None
        }
    };
    if guards.conditions.is_empty() {
        return;
    }
    let pat = match &arm.pat {
        Pat::Guard(guarded) => &guarded.pat,
        pat => pat,
    };
    let guard = guards.conditions.into_iter().chain(guard).reduce(|before, next| parse_quote!(#before && #next));
    let mut guarded: ExprMatch = parse_quote!(match () { #pat if #guard => {} });
    if let Some(guarded) = guarded.arms.pop() {
        arm.pat = guarded.pat;
    }
}

/// Replaces ranges by names, and collects what the guard says of the names.
#[derive(Default)]
struct Guards {
    conditions: Vec<Expr>,
}

impl Guards {
    fn replace(&mut self, pat: &mut Pat, ranges: &[Expr]) {
        let name = Ident::new(&format!("range{}", self.conditions.len() + 1), Span::call_site());
        let any = ranges.iter().map(|range| -> Expr { parse_quote!(#name.is_in_range_pattern(#range)) });
        let Some(any) = any.reduce(|before, next| parse_quote!(#before || #next)) else { return };
        self.conditions.push(if ranges.len() == 1 { any } else { parse_quote!((#any)) });
        *pat = parse_quote!(ref #name);
    }
}

impl VisitMut for Guards {
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        match pat {
            Pat::Range(range) if !is_taken(range) => {
                let range = parse_quote!(#range);
                self.replace(pat, &[range]);
            }
            Pat::Or(cases) if cases.cases.iter().any(|case| matches!(case, Pat::Range(range) if !is_taken(range))) => {
                let ranges: Option<Vec<Expr>> = cases.cases.iter().map(range_of).collect();
                if let Some(ranges) = ranges {
                    self.replace(pat, &ranges);
                }
            }
            _ => visit_mut::visit_pat_mut(self, pat),
        }
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

/// The numbers that a pattern matches, if it is a range or a constant.
fn range_of(pat: &Pat) -> Option<Expr> {
    match pat {
        Pat::Range(range) => Some(parse_quote!(#range)),
        Pat::Lit(_) | Pat::Path(_) | Pat::Ident(_) => Some(parse_quote!(#pat..=#pat)),
        _ => None,
    }
}

/// Returns true if Rust 1.63 takes the pattern.
fn is_taken(range: &PatRange) -> bool {
    range.start.is_some() && (range.end.is_none() || matches!(range.limits, RangeLimits::Closed(_)))
}
