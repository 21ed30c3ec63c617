//! Trait objects of which only one type can be the value.

use syn::{GenericArgument, Item, PathArguments, Type, TypeParamBound};

use super::substitute::Single;
use crate::arguments::{visit_arguments, visit_matches};
use crate::visit_mut::{self, VisitMut};

/// Writes the type in the place of trait objects. Returns false if there are none.
pub(super) fn write(file: &mut syn::File, single: &Single) -> bool {
    let mut objects = Objects { single, count: 0 };
    // Boxes of the type are cloned by the standard library.
    file.items.retain(|item| match item {
        Item::Impl(block) => {
            let of_clone = block.trait_.as_ref().is_some_and(|(of, _)| of.is_ident("Clone"));
            !(of_clone && boxed(&block.self_ty).is_some_and(|inner| objects.is_object(inner)))
        }
        _ => true,
    });
    objects.visit_file_mut(file);
    objects.count > 0
}

fn boxed(of: &Type) -> Option<&Type> {
    let Type::Path(path) = of else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Box")?;
    match &last.arguments {
        PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
            GenericArgument::Type(inner) => Some(inner),
            _ => None,
        },
        _ => None,
    }
}

struct Objects<'a> {
    single: &'a Single,
    count: usize,
}

impl Objects<'_> {
    fn is_object(&self, of: &Type) -> bool {
        let is_of = |bound: &TypeParamBound| match bound {
            TypeParamBound::Trait(bound) => bound.path.is_ident(&self.single.of),
            _ => false,
        };
        matches!(of, Type::TraitObject(object) if object.bounds.iter().any(is_of))
    }
}

impl VisitMut for Objects<'_> {
    fn visit_type_mut(&mut self, of: &mut Type) {
        let is_object = match &*of {
            Type::Paren(inner) => self.is_object(&inner.elem),
            other => self.is_object(other),
        };
        if is_object {
            self.count += 1;
            *of = self.single.itself.clone();
        }
        visit_mut::visit_type_mut(self, of);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if !visit_matches(call, &mut |choice| self.visit_expr_mut(choice)) {
            visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
        }
    }
}
