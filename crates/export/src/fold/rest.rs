//! `..Default::default()` in a struct, written out where the default is a literal: a field that the struct sets does
//! not have the value of the default then.

use syn::{Expr, ExprStruct, Member};

use super::program::Program;
use crate::visit_mut::{self, VisitMut};

/// Writes out the defaults of the structs of a file.
pub(crate) fn write_out_defaults(file: &mut syn::File) {
    let program = Program::of(&file.items);
    Writer { program: &program }.visit_file_mut(file);
}

struct Writer<'a> {
    program: &'a Program,
}

impl VisitMut for Writer<'_> {
    fn visit_expr_struct_mut(&mut self, literal: &mut ExprStruct) {
        visit_mut::visit_expr_struct_mut(self, literal);
        let Some(of) = literal.path.get_ident().map(ToString::to_string) else { return };
        let is_default = matches!(literal.rest.as_deref(), Some(Expr::Call(call)) if is_default(&call.func, &of));
        let Some(default) = self.program.defaults.get(&of).filter(|_| is_default) else { return };
        for field in &default.fields {
            if !literal.fields.iter().any(|own| named(&own.member) == named(&field.member)) {
                literal.fields.push(field.clone());
            }
        }
        (literal.rest, literal.dot2_token) = (None, None);
    }
}

fn is_default(function: &Expr, of: &str) -> bool {
    let Expr::Path(path) = function else { return false };
    let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match &segments[..] {
        [.., ty, method] => method == "default" && (ty == of || ty == "Default"),
        _ => false,
    }
}

fn named(member: &Member) -> Option<String> {
    match member {
        Member::Named(name) => Some(name.to_string()),
        Member::Unnamed(_) => None,
    }
}
