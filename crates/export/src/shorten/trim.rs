//! Spellings that say the same in less room.

use syn::{Attribute, LitFloat, LitInt, Meta};

use crate::visit_mut::VisitMut;

/// Writes numbers as short as they can be, and leaves out hints.
pub(super) fn trim(file: &mut syn::File) {
    Trimmer.visit_file_mut(file);
}

struct Trimmer;

impl VisitMut for Trimmer {
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
