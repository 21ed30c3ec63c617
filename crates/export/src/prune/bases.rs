//! Bases of struct literals that give no field any more: `..settings` where all fields are set, or none is left. The
//! compiler calls such a base unused and still wants its name.

use std::collections::BTreeMap;

use syn::{Expr, ExprStruct, Fields, Item};

use crate::visit_mut::{self, VisitMut};

/// Removes them.
pub(super) fn remove_idle(file: &mut syn::File) {
    let fields_of = |item: &Item| match item {
        Item::Struct(item) => match &item.fields {
            Fields::Named(fields) => Some((item.ident.to_string(), fields.named.len())),
            _ => None,
        },
        _ => None,
    };
    let fields: BTreeMap<String, usize> = file.items.iter().filter_map(fields_of).collect();
    IdleBases(&fields).visit_file_mut(file);
}

/// The number of fields of each struct.
struct IdleBases<'f>(&'f BTreeMap<String, usize>);

impl VisitMut for IdleBases<'_> {
    fn visit_expr_struct_mut(&mut self, literal: &mut ExprStruct) {
        visit_mut::visit_expr_struct_mut(self, literal);
        let of = literal.path.get_ident().map(ToString::to_string);
        let all = of.and_then(|of| self.0.get(&of));
        if matches!(literal.rest.as_deref(), Some(Expr::Path(_))) && all == Some(&literal.fields.len()) {
            (literal.rest, literal.dot2_token) = (None, None);
        }
    }
}
