//! `const { value }`: Rust 1.79. It becomes the value. In `[const { value }; 8]`, where the value need not be `Copy`,
//! it becomes `std::array::from_fn::<_, 8, _>(|_| value)`.

use syn::{Expr, ExprBlock, ExprConst, Macro, Stmt, parse_quote};

use super::macros;
use crate::visit_mut::{self, VisitMut};

pub(super) fn rewrite(file: &mut syn::File) {
    ConstBlocks.visit_file_mut(file);
}

struct ConstBlocks;

impl VisitMut for ConstBlocks {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Repeat(array) => {
                if let Expr::Const(constant) = &*array.expr {
                    let (value, length) = (value_of(constant), &array.len);
                    let length = match &**length {
                        number @ Expr::Lit(_) => quote::quote!(#number),
                        other => quote::quote!({ #other }),
                    };
                    *expr = parse_quote!(std::array::from_fn::<_, #length, _>(|_| #value));
                }
            }
            Expr::Const(constant) => *expr = value_of(constant),
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expr);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        macros::each_argument(call, &mut |argument| self.visit_expr_mut(argument));
    }
}

/// The value of the block, without its braces where it is one expression.
fn value_of(constant: &ExprConst) -> Expr {
    match &constant.block.stmts[..] {
        [Stmt::Expr(value, None)] => value.clone(),
        _ => Expr::Block(ExprBlock { attrs: Vec::new(), label: None, block: constant.block.clone() }),
    }
}
