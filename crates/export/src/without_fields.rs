//! Struct literals without fields that go.

use std::collections::BTreeMap;

use proc_macro2::Span;
use quote::ToTokens;
use syn::{Expr, ExprStruct, FieldValue, Ident, Member, Stmt, parse_quote};

use crate::shorten::names::count;
use crate::tree::retain;

/// Takes fields out of a literal. Values with effects are worked out in the order of the fields before, which may take
/// other expressions than the literal.
pub(crate) fn without_fields(
    literal: &mut ExprStruct,
    goes: &mut dyn FnMut(&FieldValue) -> bool,
    has_effects: &dyn Fn(&Expr) -> bool,
) -> Option<Expr> {
    let gone: Vec<bool> = literal.fields.iter().map(goes).collect();
    let acts = |(field, gone): (&FieldValue, &bool)| *gone && has_effects(&field.expr);
    let last = literal.fields.iter().zip(&gone).rposition(acts);
    let acting = literal.fields.iter().zip(&gone).filter(|both| acts(*both)).map(|(field, _)| &field.expr);
    let mut changed = BTreeMap::new();
    acting.for_each(|value| count(value.to_token_stream(), &mut changed));
    // A value that is the same before and after what acts.
    let stays = |value: &Expr| match value {
        Expr::Lit(_) => true,
        Expr::Path(path) => path.path.get_ident().is_none_or(|name| !changed.contains_key(&name.to_string())),
        _ => false,
    };
    let mut statements: Vec<Stmt> = Vec::new();
    let mut at = 0;
    retain(&mut literal.fields, &mut |field| {
        at += 1;
        let is_before = last.is_some_and(|last| at <= last + 1);
        let value = &field.expr;
        if gone[at - 1] {
            if has_effects(value) {
                statements.push(parse_quote!(let _ = #value;));
            }
        } else if is_before && !stays(value) {
            let name = Ident::new(&format!("boughs_{}", plain(&field.member)), Span::call_site());
            statements.push(parse_quote!(let #name = #value;));
            field.expr = parse_quote!(#name);
            field.colon_token = Some(Default::default());
        }
        !gone[at - 1]
    });
    (!statements.is_empty()).then(|| parse_quote!({ #(#statements)* #literal }))
}

fn plain(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string().trim_start_matches("r#").to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
