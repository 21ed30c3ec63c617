//! Spellings that say the same in less room.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Attribute, LitFloat, LitInt, Meta};

use super::always_inlined::is_inlined;
use super::names::count;
use crate::visit_mut::{self, VisitMut};

/// Writes numbers as short as they can be, and leaves out hints.
pub(super) fn trim(file: &mut syn::File) {
    let mut words = BTreeMap::new();
    count(file.to_token_stream(), &mut words);
    Trimmer { words }.visit_file_mut(file);
}

struct Trimmer {
    /// How often each word stands in the file.
    words: BTreeMap<String, usize>,
}

impl Trimmer {
    /// The optimiser inlines a function that is called in one place, where no field or variable has its name.
    fn without_inline(&self, name: &Ident, attributes: &mut Vec<Attribute>) {
        const DEFINED_AND_CALLED: usize = 2;
        if self.words.get(&name.to_string()) == Some(&DEFINED_AND_CALLED) {
            attributes.retain(|attribute| !is_inlined(attribute));
        }
    }
}

impl VisitMut for Trimmer {
    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.without_inline(&item.sig.ident, &mut item.attrs);
        visit_mut::visit_item_fn_mut(self, item);
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        self.without_inline(&item.sig.ident, &mut item.attrs);
        visit_mut::visit_impl_item_fn_mut(self, item);
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        // In one crate the optimiser inlines small functions unasked; `inline(always)` and `inline(never)` say more.
        attributes.retain(|attribute| {
            let is_hint = matches!(&attribute.meta, Meta::Path(path) if path.is_ident("inline"));
            !is_hint && !attribute.path().is_ident("must_use")
        });
    }

    fn visit_lit_int_mut(&mut self, number: &mut LitInt) {
        let (digits, suffix) = (number.base10_digits(), number.suffix());
        let Ok(value) = digits.parse::<u128>() else { return };
        let hexadecimal = format!("{value:#x}");
        // Behind hexadecimal digits some suffixes would be digits.
        let is_shorter = hexadecimal.len() < digits.len() && !suffix.starts_with('f');
        let short = if is_shorter { hexadecimal } else { digits.to_string() };
        *number = LitInt::new(&format!("{short}{suffix}"), number.span());
    }

    fn visit_lit_float_mut(&mut self, number: &mut LitFloat) {
        let short = format!("{}{}", number.base10_digits(), number.suffix());
        *number = LitFloat::new(&short, number.span());
    }
}
