//! Functions that the sources compile for newer processors, too: one checked call each.
//!
//! In the sources the crate `multiversion` does that, which a judge does not have. A mark, which the compiler passes
//! over, stands for it until the file is printed.

use syn::{Attribute, FnArg, Item, ItemFn, LitStr, Meta, Pat, parse_quote};

/// The reason for the call, above its function.
pub(crate) const REASON: &str = "\
// SAFETY: the call is made only where the processor says that it has these instructions, with which this function
// takes half the time.
";

/// The mark of a function that a macro of the sources compiles for newer processors.
pub(crate) fn mark(of: &Meta) -> Option<Attribute> {
    let Meta::List(list) = of else { return None };
    if list.path.segments.last()?.ident != "multiversion" {
        return None;
    }
    // Of several processors the last is the most common one.
    let tokens = list.tokens.to_string();
    let features = tokens.split('"').filter_map(|word| word.strip_prefix("x86_64+")).next_back()?.replace('+', ",");
    Some(parse_quote!(#[rust_analyzer::features(#features)]))
}

/// The functions in the place of a marked one; `None` for an item without a mark.
pub(crate) fn functions(item: &Item) -> Option<Vec<Item>> {
    let Item::Fn(function) = item else { return None };
    let features = features(function)?;
    let mut body = function.clone();
    body.attrs = vec![parse_quote!(#[inline(always)])];
    let names: Option<Vec<syn::Ident>> = function.sig.inputs.iter().map(name).collect();
    let names = names.filter(|_| function.sig.generics.params.is_empty())?;
    let (mut plain, inputs) = (function.sig.clone(), &function.sig.inputs);
    plain.inputs = inputs.iter().zip(&names).map(|(input, name)| without_mut(input, name)).collect();
    let mut wide = plain.clone();
    wide.ident = quote::format_ident!("{}_wide", plain.ident);
    body.sig.ident = quote::format_ident!("{}_body", plain.ident);
    let (wide_name, body_name) = (&wide.ident, &body.sig.ident);
    let has = features.split(',').map(|feature| LitStr::new(feature, proc_macro2::Span::call_site()));
    let caller = parse_quote! {
        #plain {
            if #(std::is_x86_feature_detected!(#has))&&* { unsafe { #wide_name(#(#names),*) } }
            else { #body_name(#(#names),*) }
        }
    };
    let wide = parse_quote!(#[target_feature(enable = #features)] unsafe #wide { #body_name(#(#names),*) });
    Some(vec![caller, wide, Item::Fn(body)])
}

/// Removes the mark of an item that is printed as it is.
pub(crate) fn unmark(item: &mut Item) {
    if let Item::Fn(function) = item {
        function.attrs.retain(|attribute| !is_mark(attribute));
    }
}

fn is_mark(attribute: &Attribute) -> bool {
    attribute.path().segments.first().is_some_and(|first| first.ident == "rust_analyzer")
}

fn features(function: &ItemFn) -> Option<String> {
    let mark = function.attrs.iter().find(|attribute| is_mark(attribute))?;
    mark.parse_args::<LitStr>().ok().map(|features| features.value())
}

/// The name of an input.
fn name(input: &FnArg) -> Option<syn::Ident> {
    match input {
        FnArg::Typed(typed) => match &*typed.pat {
            Pat::Ident(name) => Some(name.ident.clone()),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

fn without_mut(input: &FnArg, name: &syn::Ident) -> FnArg {
    match input {
        FnArg::Typed(typed) => {
            let of = &typed.ty;
            parse_quote!(#name: #of)
        }
        receiver => receiver.clone(),
    }
}
