//! `[value; _]`, whose length the compiler infers: Rust 1.89. It becomes `std::array::from_fn(|_| value)`.

use syn::{Expr, Macro, parse_quote};

use super::macros;
use crate::visit_mut::{self, VisitMut};

pub(super) fn rewrite(file: &mut syn::File) {
    ArrayLengths.visit_file_mut(file);
}

struct ArrayLengths;

impl VisitMut for ArrayLengths {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Expr::Repeat(array) = expr else { return };
        if !matches!(*array.len, Expr::Infer(_)) {
            return;
        }
        let value = &array.expr;
        *expr = match **value {
            Expr::Lit(_) | Expr::Path(_) => parse_quote!(std::array::from_fn(|_| #value)),
            // The value is computed once.
            _ => parse_quote!({ let element = #value; std::array::from_fn(|_| element) }),
        };
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        macros::each_argument(call, &mut |argument| self.visit_expr_mut(argument));
    }
}
