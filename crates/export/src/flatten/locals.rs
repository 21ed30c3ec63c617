//! Names that a function, a block or a list of generics brings into scope.

use std::collections::BTreeSet;

use syn::{Generics, Pat, PatIdent};

use super::scope::{Module, plain};
use crate::visit::{self, Visit};

/// Names of one block, function or item.
#[derive(Default)]
pub(super) struct Names {
    pub values: BTreeSet<String>,
    pub types: BTreeSet<String>,
    /// Imports of a block.
    pub imports: Module,
}

impl Names {
    pub(super) fn of_generics(generics: &Generics) -> Names {
        let mut names = Names::default();
        for parameter in &generics.params {
            match parameter {
                syn::GenericParam::Type(parameter) => {
                    names.types.insert(plain(&parameter.ident));
                }
                syn::GenericParam::Const(parameter) => {
                    names.values.insert(plain(&parameter.ident));
                }
                syn::GenericParam::Lifetime(_) => {}
            }
        }
        names
    }

    pub(super) fn bind(&mut self, pattern: &Pat) {
        Bindings(self).visit_pat(pattern);
    }
}

struct Bindings<'a>(&'a mut Names);

impl<'ast> Visit<'ast> for Bindings<'_> {
    fn visit_pat_ident(&mut self, pattern: &'ast PatIdent) {
        self.0.values.insert(plain(&pattern.ident));
        visit::visit_pat_ident(self, pattern);
    }
}
