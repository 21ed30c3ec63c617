//! Statements that do nothing in the judge's optimised build: assertions of debug builds, and `let _ = name;`.

use syn::{Block, Expr, Local, Macro, Pat, Stmt};

use crate::visit_mut::{self, VisitMut};

/// Removes them.
pub(crate) fn remove(file: &mut syn::File) {
    Remover.visit_file_mut(file);
}

struct Remover;

fn is_for_debugging(call: &Macro) -> bool {
    ["debug_assert", "debug_assert_eq", "debug_assert_ne"].iter().any(|name| call.path.is_ident(name))
}

/// Returns true if a statement only names a place, which is not read so.
fn is_place(local: &Local) -> bool {
    let value = local.init.as_ref().map(|init| &*init.expr);
    matches!(local.pat, Pat::Wild(_)) && matches!(value, Some(Expr::Path(_)))
}

impl VisitMut for Remover {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain(|statement| match statement {
            Stmt::Macro(statement) => !is_for_debugging(&statement.mac),
            Stmt::Expr(Expr::Macro(call), _) => !is_for_debugging(&call.mac),
            Stmt::Local(local) => !is_place(local),
            _ => true,
        });
        visit_mut::visit_block_mut(self, block);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_assertions_of_debug_builds_go() {
        let mut file = syn::parse_quote! {
            fn main() { debug_assert!(1 == 1); assert!(2 == 2); if true { debug_assert_eq!(3, 3) }
                debug_assert_ne!(4, 5); let _ = a; let _ = f(); }
        };
        remove(&mut file);
        assert_eq!(crate::print::compact(&file).trim(), "fn main(){assert!(2==2);if true{}let _=f();}");
    }
}
