//! One macro for the attribute of functions that are always inlined.
//!
//! No compiler checks the file after this step, which leaves its meaning as it is; the verification does.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, ImplItem, Item, parse_quote};

/// The fewest functions for which the macro takes less room than their attributes.
const LEAST: usize = 8;

/// Lists the functions that are always inlined as arguments of a macro, which gives them the attribute.
pub(super) fn group(file: &mut syn::File) {
    let count = |item: &Item| match item {
        Item::Fn(item) => usize::from(item.attrs.iter().any(is_inlined)),
        Item::Impl(block) => block.items.iter().filter(|member| is_inlined_member(member)).count(),
        _ => 0,
    };
    let has_macro = file.items.iter().any(|item| matches!(item, Item::Macro(call) if call.ident.is_some()));
    if has_macro || file.items.iter().map(count).sum::<usize>() < LEAST {
        return;
    }
    let mut functions = TokenStream::new();
    for item in std::mem::take(&mut file.items) {
        match item {
            Item::Fn(mut item) if item.attrs.iter().any(is_inlined) => {
                item.attrs.retain(|attribute| !is_inlined(attribute));
                functions.extend(quote!(#item));
            }
            Item::Impl(mut block) => {
                group_members(&mut block.items);
                file.items.push(Item::Impl(block));
            }
            item => file.items.push(item),
        }
    }
    // A macro is known behind its definition only.
    let at = file.items.iter().take_while(|item| matches!(item, Item::Use(_))).count();
    let definition = parse_quote!(
        macro_rules! i { ($($f:item)*) => { $(#[inline(always)] $f)* } }
    );
    file.items.insert(at, definition);
    if !functions.is_empty() {
        file.items.push(parse_quote!(i! { #functions }));
    }
}

fn group_members(members: &mut Vec<ImplItem>) {
    if members.iter().filter(|member| is_inlined_member(member)).count() == 0 {
        return;
    }
    let mut methods = TokenStream::new();
    members.retain_mut(|member| {
        let is_inlined_member = is_inlined_member(member);
        if let (true, ImplItem::Fn(method)) = (is_inlined_member, member) {
            method.attrs.retain(|attribute| !is_inlined(attribute));
            methods.extend(quote!(#method));
        }
        !is_inlined_member
    });
    members.push(parse_quote!(i! { #methods }));
}

fn is_inlined_member(member: &ImplItem) -> bool {
    matches!(member, ImplItem::Fn(method) if method.attrs.iter().any(is_inlined))
}

/// Returns true for the attribute of functions that are always inlined.
pub(super) fn is_inlined(attribute: &Attribute) -> bool {
    match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("inline") && list.tokens.to_string() == "always",
        _ => false,
    }
}
