//! The arguments of the macros of the standard library, as expressions.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Item, Macro, Token, parse_quote};

/// The macros whose arguments are expressions.
const KNOWN: [&str; 19] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// An argument of a macro: an expression, or a named one.
struct Argument {
    name: Option<(Ident, Token![=])>,
    value: Expr,
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let is_named = input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if is_named { Some((input.parse()?, input.parse()?)) } else { None };
        Ok(Argument { name, value: input.parse()? })
    }
}

impl ToTokens for Argument {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        if let Some((name, equals)) = &self.name {
            name.to_tokens(tokens);
            equals.to_tokens(tokens);
        }
        self.value.to_tokens(tokens);
    }
}

/// Returns true if the arguments of a macro are expressions.
pub(crate) fn is_known(call: &Macro) -> bool {
    KNOWN.iter().any(|name| call.path.is_ident(name))
}

/// Visits the arguments of a macro of the standard library.
///
/// Returns false if they are no expressions.
pub(crate) fn visit_arguments(call: &mut Macro, visit: &mut dyn FnMut(&mut Expr)) -> bool {
    if !is_known(call) {
        return false;
    }
    if let Ok(mut arguments) = Punctuated::<Argument, Token![,]>::parse_terminated.parse2(call.tokens.clone()) {
        arguments.iter_mut().for_each(|argument| visit(&mut argument.value));
        call.tokens = arguments.into_token_stream();
        true
    } else if let Ok((mut value, mark, mut count)) = repeat.parse2(call.tokens.clone()) {
        visit(&mut value);
        visit(&mut count);
        call.tokens = TokenStream::new();
        value.to_tokens(&mut call.tokens);
        mark.to_tokens(&mut call.tokens);
        count.to_tokens(&mut call.tokens);
        true
    } else {
        false
    }
}

/// Reads `value; count`.
fn repeat(input: ParseStream<'_>) -> syn::Result<(Expr, Token![;], Expr)> {
    Ok((input.parse()?, input.parse()?, input.parse()?))
}

/// The `match` that a call of `matches!` means.
pub(crate) fn matches_as_match(call: &Macro) -> Option<Expr> {
    let read = |input: ParseStream<'_>| {
        let value: Expr = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = syn::Pat::parse_multi_with_leading_vert(input)?;
        let guard = if input.peek(Token![if]) {
            input.parse::<Token![if]>()?;
            Some(input.parse::<Expr>()?)
        } else {
            None
        };
        input.parse::<Option<Token![,]>>()?;
        Ok((value, pattern, guard))
    };
    if !call.path.is_ident("matches") {
        return None;
    }
    let (value, pattern, guard) = read.parse2(call.tokens.clone()).ok()?;
    Some(match guard {
        Some(guard) => parse_quote!(match #value { #pattern if #guard => true, _ => false }),
        None => parse_quote!(match #value { #pattern => true, _ => false }),
    })
}

/// Visits a call of `matches!` as the `match` that it means. Returns false if it is another macro.
pub(crate) fn visit_matches(call: &mut Macro, visit: &mut dyn FnMut(&mut Expr)) -> bool {
    let Some(mut choice) = matches_as_match(call) else { return false };
    visit(&mut choice);
    if let Expr::Match(choice) = choice {
        let (value, pattern) = (&choice.expr, &choice.arms[0].pat);
        call.tokens = quote::quote!(#value, #pattern);
    }
    true
}

/// The variables that a format string captures, `{name}` or `{name:?}`.
pub(crate) fn captured(literal: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in literal.replace("{{", "").split('{').skip(1) {
        let inside = part.split('}').next().unwrap_or_default();
        // A width or a precision may be a variable too: `{value:width$}`.
        for piece in inside.split([':', '.', '$', '>', '<', '^']) {
            if piece.starts_with(|c: char| c.is_alphabetic() || c == '_') && piece.chars().all(is_letter) {
                names.push(piece.to_string());
            }
        }
    }
    names
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The bodies of the macros that these items define.
pub(crate) fn macro_bodies<'a>(items: impl Iterator<Item = &'a Item>) -> BTreeMap<String, TokenStream> {
    let body = |item: &Item| match item {
        Item::Macro(item) => item.ident.as_ref().map(|name| (name.to_string(), item.mac.tokens.clone())),
        _ => None,
    };
    items.filter_map(body).collect()
}

/// The items that a macro makes of its arguments, by the words before their names and their names.
pub(crate) fn made_by(call: &Macro, bodies: &BTreeMap<String, TokenStream>) -> Vec<(String, Ident)> {
    let mut made = Vec::new();
    definitions(call.tokens.clone(), &mut made);
    let name = call.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    if let Some(body) = bodies.get(&name) {
        for token in body.clone() {
            if let TokenTree::Group(arm) = token {
                definitions(arm.stream(), &mut made);
            }
        }
    }
    made
}

/// Definitions among tokens, those in repetitions too, and none inside of other items.
fn definitions(tokens: TokenStream, made: &mut Vec<(String, Ident)>) {
    const WORDS: [&str; 7] = ["const", "enum", "fn", "static", "struct", "trait", "type"];
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => definitions(group.stream(), made),
            TokenTree::Ident(word) if WORDS.iter().any(|known| word == known) => {
                if let Some(TokenTree::Ident(name)) = tokens.get(at + 1) {
                    made.push((word.to_string(), name.clone()));
                }
            }
            _ => {}
        }
    }
}

/// Renames the variables that a format string captures.
pub(crate) fn rename_captured(literal: &Literal, names: &BTreeMap<String, String>) -> Literal {
    let text = literal.to_string();
    if !text.starts_with('"') && !text.starts_with('r') || !text.contains('{') {
        return literal.clone();
    }
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..=at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix('{') {
            out.push('{');
            rest = after;
            continue;
        }
        let end = rest.find('}').unwrap_or(0);
        let (inside, after) = rest.split_at(end);
        let mut word = String::new();
        for letter in inside.chars().chain(['}']) {
            if letter.is_alphanumeric() || letter == '_' {
                word.push(letter);
                continue;
            }
            out.push_str(names.get(&word).unwrap_or(&word));
            word.clear();
            if letter != '}' {
                out.push(letter);
            }
        }
        rest = after;
    }
    out.push_str(rest);
    out.parse().unwrap_or_else(|_| literal.clone())
}
