//! `c"text"`: Rust 1.77. It becomes a string of bytes that ends with a zero, checked when it runs.

use proc_macro2::Span;
use syn::{Expr, ExprLit, Lit, LitByteStr, Macro, parse_quote};

use super::macros;
use crate::visit_mut::{self, VisitMut};

pub(super) fn rewrite(file: &mut syn::File) {
    CStrings.visit_file_mut(file);
}

struct CStrings;

impl VisitMut for CStrings {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Lit(ExprLit { lit: Lit::CStr(text), .. }) = expr {
            let bytes = LitByteStr::new(text.value().as_bytes_with_nul(), Span::call_site());
            *expr = parse_quote!(std::ffi::CStr::from_bytes_with_nul(#bytes).unwrap());
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        macros::each_argument(call, &mut |argument| self.visit_expr_mut(argument));
    }
}
