//! The types of a file whose values do something when they are dropped.

use std::collections::BTreeSet;

use crate::prune::name_of;
use crate::visit::{self, Visit};

/// The types for which a file implements `Drop`.
pub(crate) fn dropped_types(file: &syn::File) -> BTreeSet<String> {
    let mut types = Dropped(BTreeSet::new());
    types.visit_file(file);
    types.0
}

struct Dropped(BTreeSet<String>);

impl<'ast> Visit<'ast> for Dropped {
    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        if block.trait_.as_ref().and_then(|(of, _)| of.segments.last()).is_some_and(|of| of.ident == "Drop") {
            self.0.extend(name_of(&block.self_ty));
        }
        visit::visit_item_impl(self, block);
    }
}
