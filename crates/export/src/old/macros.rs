//! The arguments of the standard library's macros, as far as other rules need to see them.
//!
//! Rules read syntax, and the arguments of a macro are tokens without one. `matches!` becomes its `match`, and the
//! arguments of macros as `assert!` and `vec!` are read as the expressions they are. The bodies of a program's own
//! macros stay as they are, but for calls of the standard library ([`super::std_calls`]).

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Macro, Pat, Token, parse_quote};

use crate::visit_mut::{self, VisitMut};

/// Macros whose arguments are expressions, the first perhaps a format.
#[rustfmt::skip]
const OF_EXPRESSIONS: [&str; 20] = [
    "assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "print", "println",
    "eprint", "eprintln", "format", "format_args", "write", "writeln", "panic", "unreachable", "todo",
    "unimplemented", "vec", "dbg",
];

pub(super) fn expand(file: &mut syn::File) {
    Macros.visit_file_mut(file);
}

struct Macros;

impl VisitMut for Macros {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Macro(call) = expr
            && call.mac.path.is_ident("matches")
            && let Ok(expanded) = matches_of.parse2(call.mac.tokens.clone())
        {
            *expr = expanded;
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        each_argument(call, &mut |argument| self.visit_expr_mut(argument));
    }
}

/// Visits the arguments of a macro of the standard library, if they are expressions.
pub(super) fn each_argument(call: &mut Macro, visit: &mut dyn FnMut(&mut Expr)) {
    let is_known = |last: &syn::PathSegment| OF_EXPRESSIONS.iter().any(|&name| last.ident == name);
    if !call.path.segments.last().is_some_and(is_known) {
        return;
    }
    let Ok(arguments) = arguments_of.parse2(call.tokens.clone()) else { return };
    call.tokens = TokenStream::new();
    for (mut argument, separator) in arguments {
        visit(&mut argument);
        argument.to_tokens(&mut call.tokens);
        call.tokens.extend(separator);
    }
}

/// Reads expressions with their commas, or with the semicolon of `vec![0; 8]`.
fn arguments_of(input: ParseStream) -> syn::Result<Vec<(Expr, Option<TokenStream>)>> {
    let mut all = Vec::new();
    while !input.is_empty() {
        let argument = input.parse()?;
        let separator = match (input.parse::<Option<Token![,]>>()?, input.peek(Token![;])) {
            (Some(comma), _) => Some(comma.to_token_stream()),
            (None, true) => Some(input.parse::<Token![;]>()?.to_token_stream()),
            (None, false) if input.is_empty() => None,
            (None, false) => return Err(input.error("a comma is missing")),
        };
        all.push((argument, separator));
    }
    Ok(all)
}

/// Reads the arguments of `matches!` and makes the `match` that it stands for.
fn matches_of(input: ParseStream) -> syn::Result<Expr> {
    let value: Expr = input.parse()?;
    input.parse::<Token![,]>()?;
    let pat = Pat::parse_multi_with_leading_vert(input)?;
    let guard = match input.parse::<Option<Token![if]>>()? {
        Some(_) => Some(input.parse::<Expr>()?),
        None => None,
    };
    input.parse::<Option<Token![,]>>()?;
    let guard = guard.map(|guard| quote::quote!(if #guard));
    let mut expanded: syn::ExprMatch = parse_quote!(match () { #pat #guard => true, _ => false });
    *expanded.expr = value;
    Ok(Expr::Match(expanded))
}
