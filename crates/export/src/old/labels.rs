//! `'block: { .. break 'block value; .. }`: Rust 1.65. It becomes a loop that always breaks.

use syn::Expr;

use super::leaving::{self, Loops, Rule};

pub(super) fn rewrite(file: &mut syn::File) {
    leaving::apply(&mut Labels, file);
}

struct Labels;

impl Rule for Labels {
    fn expr(&mut self, expr: &mut Expr, _: &mut Loops) {
        // Inside of such a block every `break` and `continue` has a label already.
        if let Expr::Block(labelled) = expr
            && let Some(label) = labelled.label.take()
        {
            *expr = leaving::loop_of(leaving::leave(labelled.block.clone(), None), Some(label));
        }
    }
}
