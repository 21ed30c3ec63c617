//! Macros of a crate that make items, written out, so that each item can be removed alone.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Item};

/// The most depths of macros that make macros.
const DEEPEST: usize = 16;

/// Writes out the calls of a crate's own macros among its items.
pub(crate) fn expand(items: &mut Vec<Item>) {
    let mut macros = BTreeMap::new();
    collect(items, &mut macros);
    expand_with(items, &macros, 0);
}

fn collect(items: &[Item], macros: &mut BTreeMap<String, TokenStream>) {
    for item in items {
        match item {
            Item::Macro(syn::ItemMacro { ident: Some(name), mac, .. }) => {
                macros.insert(name.to_string(), mac.tokens.clone());
            }
            Item::Mod(module) => collect(module.content.as_ref().map_or(&[], |(_, items)| items), macros),
            _ => {}
        }
    }
}

fn expand_with(items: &mut Vec<Item>, macros: &BTreeMap<String, TokenStream>, depth: usize) {
    let mut out = Vec::new();
    for mut item in std::mem::take(items) {
        let made = match &mut item {
            Item::Mod(module) => {
                if let Some((_, inner)) = &mut module.content {
                    expand_with(inner, macros, depth);
                }
                None
            }
            Item::Macro(call) if call.ident.is_none() && depth < DEEPEST => {
                let name = call.mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                macros.get(&name).and_then(|rules| written_out(rules.clone(), &call.mac.tokens))
            }
            _ => None,
        };
        match made {
            Some(mut made) => {
                expand_with(&mut made, macros, depth + 1);
                out.extend(made);
            }
            None => out.push(item),
        }
    }
    *items = out;
}

/// The items that the first rule makes that the arguments match.
fn written_out(rules: TokenStream, arguments: &TokenStream) -> Option<Vec<Item>> {
    let groups: Vec<Group> = rules
        .into_iter()
        .filter_map(|token| match token {
            TokenTree::Group(group) => Some(group),
            _ => None,
        })
        .collect();
    groups.chunks_exact(2).find_map(|rule| {
        let pattern = patterns(rule[0].stream());
        let found = (|input: ParseStream<'_>| matched(&pattern, input)).parse2(arguments.clone()).ok()?;
        let file: syn::File = syn::parse2(transcribed(rule[1].stream(), &found)?).ok()?;
        Some(file.items)
    })
}

/// A part of the pattern of a rule.
enum Pattern {
    Token(String),
    Group(Delimiter, Vec<Pattern>),
    Variable(String, String),
    Repeat(Vec<Pattern>, Option<String>, char),
}

/// The meaning of a variable of a rule.
#[derive(Clone)]
enum Binding {
    One(TokenStream),
    Many(Vec<Binding>),
}

type Bindings = BTreeMap<String, Binding>;

fn punct(token: Option<&TokenTree>) -> Option<char> {
    match token {
        Some(TokenTree::Punct(mark)) => Some(mark.as_char()),
        _ => None,
    }
}

/// The separator and the sign behind a repetition, and the number of their tokens.
fn repetition(tokens: &[TokenTree]) -> Option<(Option<String>, char, usize)> {
    const SIGNS: [char; 3] = ['*', '+', '?'];
    match (punct(tokens.first()), punct(tokens.get(1))) {
        (Some(sign), _) if SIGNS.contains(&sign) => Some((None, sign, 1)),
        (_, Some(sign)) if SIGNS.contains(&sign) => Some((Some(tokens[0].to_string()), sign, 2)),
        _ => None,
    }
}

fn patterns(tokens: TokenStream) -> Vec<Pattern> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let is_variable = punct(tokens.get(at)) == Some('$');
        match (&tokens[at], tokens.get(at + 1), tokens.get(at + 3)) {
            (_, Some(TokenTree::Ident(name)), Some(TokenTree::Ident(kind))) if is_variable => {
                out.push(Pattern::Variable(name.to_string(), kind.to_string()));
                at += 4;
            }
            (_, Some(TokenTree::Group(body)), _) if is_variable => {
                let Some((separator, sign, length)) = repetition(&tokens[at + 2..]) else { return out };
                out.push(Pattern::Repeat(patterns(body.stream()), separator, sign));
                at += 2 + length;
            }
            (TokenTree::Group(group), ..) => {
                out.push(Pattern::Group(group.delimiter(), patterns(group.stream())));
                at += 1;
            }
            (token, ..) => {
                out.push(Pattern::Token(token.to_string()));
                at += 1;
            }
        }
    }
    out
}

/// Matches the whole input.
fn matched(pattern: &[Pattern], input: ParseStream<'_>) -> syn::Result<Bindings> {
    let found = matched_part(pattern, input)?;
    if input.is_empty() { Ok(found) } else { Err(input.error("more than the rule takes")) }
}

fn matched_part(pattern: &[Pattern], input: ParseStream<'_>) -> syn::Result<Bindings> {
    let mut found = Bindings::new();
    for part in pattern {
        match part {
            Pattern::Token(text) => {
                if input.parse::<TokenTree>()?.to_string() != *text {
                    return Err(input.error("another token"));
                }
            }
            Pattern::Group(delimiter, inner) => match input.parse::<TokenTree>()? {
                TokenTree::Group(group) if group.delimiter() == *delimiter => {
                    found.extend((|input: ParseStream<'_>| matched(inner, input)).parse2(group.stream())?);
                }
                _ => return Err(input.error("another list")),
            },
            Pattern::Variable(name, kind) => {
                found.insert(name.clone(), Binding::One(fragment(kind, input)?));
            }
            Pattern::Repeat(body, separator, sign) => {
                let mut rounds: Vec<Bindings> = Vec::new();
                while !input.is_empty() && matched_part(body, &input.fork()).is_ok() {
                    rounds.push(matched_part(body, input)?);
                    let goes_on = match separator {
                        Some(text) => input.fork().parse::<TokenTree>().is_ok_and(|token| token.to_string() == *text),
                        None => true,
                    };
                    if !goes_on || *sign == '?' {
                        break;
                    }
                    if separator.is_some() {
                        let ahead = input.fork();
                        ahead.parse::<TokenTree>()?;
                        // A last separator may belong to what follows.
                        if matched_part(body, &ahead).is_err() {
                            break;
                        }
                        input.parse::<TokenTree>()?;
                    }
                }
                for name in variables(body) {
                    let all = rounds.iter().filter_map(|round| round.get(&name).cloned()).collect();
                    found.insert(name, Binding::Many(all));
                }
            }
        }
    }
    Ok(found)
}

fn variables(pattern: &[Pattern]) -> Vec<String> {
    let of = |part: &Pattern| match part {
        Pattern::Token(_) => Vec::new(),
        Pattern::Group(_, inner) | Pattern::Repeat(inner, ..) => variables(inner),
        Pattern::Variable(name, _) => vec![name.clone()],
    };
    pattern.iter().flat_map(of).collect()
}

fn fragment(kind: &str, input: ParseStream<'_>) -> syn::Result<TokenStream> {
    Ok(match kind {
        "ident" => input.call(Ident::parse_any)?.into_token_stream(),
        "ty" => input.parse::<syn::Type>()?.into_token_stream(),
        "path" => input.parse::<syn::Path>()?.into_token_stream(),
        "literal" => input.parse::<Expr>()?.into_token_stream(),
        "expr" => {
            let value = input.parse::<Expr>()?;
            match value {
                Expr::Binary(_) | Expr::Cast(_) | Expr::Range(_) | Expr::Unary(_) | Expr::Assign(_) => {
                    syn::parse_quote!((#value))
                }
                value => value.into_token_stream(),
            }
        }
        "block" => input.parse::<syn::Block>()?.into_token_stream(),
        "pat" | "pat_param" => syn::Pat::parse_multi_with_leading_vert(input)?.into_token_stream(),
        "lifetime" => input.parse::<syn::Lifetime>()?.into_token_stream(),
        "item" => input.parse::<Item>()?.into_token_stream(),
        "meta" => input.parse::<syn::Meta>()?.into_token_stream(),
        "vis" => input.parse::<syn::Visibility>()?.into_token_stream(),
        "stmt" => input.parse::<syn::Stmt>()?.into_token_stream(),
        _ => input.parse::<TokenTree>()?.into_token_stream(),
    })
}

/// The tokens that a rule makes.
fn transcribed(tokens: TokenStream, found: &Bindings) -> Option<TokenStream> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let (mut out, mut at) = (TokenStream::new(), 0);
    while at < tokens.len() {
        let is_variable = punct(tokens.get(at)) == Some('$');
        match (&tokens[at], tokens.get(at + 1)) {
            (_, Some(TokenTree::Ident(name))) if is_variable => {
                match found.get(&name.to_string()) {
                    Some(Binding::One(value)) => out.extend(value.clone()),
                    Some(Binding::Many(_)) => return None,
                    None if name == "crate" => out.extend(name.to_token_stream()),
                    None => return None,
                }
                at += 2;
            }
            (_, Some(TokenTree::Group(body))) if is_variable => {
                let (separator, _, length) = repetition(&tokens[at + 2..])?;
                for (number, round) in rounds(body.stream(), found).iter().enumerate() {
                    if number > 0
                        && let Some(separator) = &separator
                    {
                        out.extend(separator.parse::<TokenStream>().ok()?);
                    }
                    out.extend(transcribed(body.stream(), round)?);
                }
                at += 2 + length;
            }
            (TokenTree::Group(group), _) => {
                out.extend([TokenTree::Group(Group::new(group.delimiter(), transcribed(group.stream(), found)?))]);
                at += 1;
            }
            (token, _) => {
                out.extend([token.clone()]);
                at += 1;
            }
        }
    }
    Some(out)
}

/// The meanings of variables in each round of a repetition.
fn rounds(body: TokenStream, found: &Bindings) -> Vec<Bindings> {
    let mut names = Vec::new();
    used(body, &mut names);
    let lists = names.iter().filter_map(|name| match found.get(name) {
        Some(Binding::Many(all)) => Some((name, all)),
        _ => None,
    });
    let lists: Vec<(&String, &Vec<Binding>)> = lists.collect();
    let count = lists.iter().map(|(_, all)| all.len()).max().unwrap_or(0);
    let round = |number: usize| {
        let mut round = found.clone();
        for (name, all) in &lists {
            if let Some(binding) = all.get(number) {
                round.insert((*name).clone(), binding.clone());
            }
        }
        round
    };
    (0..count).map(round).collect()
}

/// The variables that tokens use.
fn used(tokens: TokenStream, names: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => used(group.stream(), names),
            TokenTree::Ident(name) if at > 0 && punct(tokens.get(at - 1)) == Some('$') => names.push(name.to_string()),
            _ => {}
        }
    }
}
