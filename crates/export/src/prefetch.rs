//! The prefetch instruction, which stands in a file with the reason why it does no harm.

use syn::{Expr, Item, Stmt};

/// The reason, above the function.
pub(crate) const REASON: &str = "\
// SAFETY: a prefetch reads nothing and cannot fault at any address, and every x86-64 processor has it.
";

/// Returns true for a function that is one prefetch.
pub(crate) fn is_prefetch(item: &Item) -> bool {
    match item {
        Item::Fn(function) => matches!(&function.block.stmts[..], [Stmt::Expr(Expr::Unsafe(_), _)]),
        _ => false,
    }
}
