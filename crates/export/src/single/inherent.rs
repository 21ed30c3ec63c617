//! Traits that nothing is generic in: their members become the type's own.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{
    ExprPath, Ident, ImplItem, Item, ItemImpl, ItemTrait, Path, PathArguments, QSelf, TraitItem, Type, TypeParamBound,
};

use super::substitute::{Lifetimes, Single, lifetimes};
use super::{implements, member};
use crate::arguments::{visit_arguments, visit_matches};
use crate::tree::retain;
use crate::visit_mut::{self, VisitMut};

/// Gives the type the members of the trait, which goes.
pub(super) fn write(file: &mut syn::File, single: &Single) -> bool {
    if is_of_language(&single.itself) {
        return false;
    }
    let at = file.items.iter().position(|item| matches!(item, Item::Trait(item) if item.ident == single.of));
    let Some(Item::Trait(of)) = at.map(|at| file.items.remove(at)) else { return false };
    let mut singles = Vec::new();
    for item in &mut file.items {
        if let Item::Impl(block) = item
            && implements(block, &single.of)
        {
            singles.push(Single { itself: (*block.self_ty).clone(), types: types(block), ..single.clone() });
            take_over(block, &of);
        }
    }
    file.items.retain(|item| !matches!(item, Item::Impl(block) if block.trait_.is_none() && block.items.is_empty()));
    for single in &singles {
        Members { single, is_other: false }.visit_file_mut(file);
    }
    true
}

/// Returns true for a type of the language, such as `u8`, which has no members of a file's.
fn is_of_language(of: &Type) -> bool {
    let Type::Path(path) = of else { return true };
    path.path.segments.last().is_none_or(|last| last.ident.to_string().starts_with(char::is_lowercase))
}

/// The types that an implementation names.
pub(super) fn types(block: &ItemImpl) -> BTreeMap<String, Type> {
    let types = block.items.iter().filter_map(|item| match item {
        ImplItem::Type(item) => Some((item.ident.to_string(), item.ty.clone())),
        _ => None,
    });
    types.collect()
}

/// Makes an implementation of a trait one of the type alone, with what the trait has by default.
fn take_over(block: &mut ItemImpl, of: &ItemTrait) {
    let own: BTreeSet<String> = block.items.iter().filter_map(member).collect();
    let given = block.trait_.take().map(|(path, _)| lifetimes(&path)).unwrap_or_default();
    let mut renaming = Lifetimes::new(of.generics.lifetimes().map(|declared| &declared.lifetime), &given);
    block.items.retain(|item| !matches!(item, ImplItem::Type(_)));
    for item in &of.items {
        // A member with a value or a body reads like one of an implementation.
        if let Ok(mut item) = syn::parse2::<ImplItem>(item.to_token_stream())
            && !matches!(item, ImplItem::Verbatim(_))
            && member(&item).is_some_and(|name| !own.contains(&name))
            && has_default(of, &item)
        {
            renaming.visit_impl_item_mut(&mut item);
            block.items.push(item);
        }
    }
}

fn has_default(of: &ItemTrait, wanted: &ImplItem) -> bool {
    of.items.iter().any(|item| match (item, wanted) {
        (TraitItem::Const(item), ImplItem::Const(wanted)) => item.ident == wanted.ident && item.default.is_some(),
        (TraitItem::Fn(item), ImplItem::Fn(wanted)) => item.sig.ident == wanted.sig.ident && item.default.is_some(),
        _ => false,
    })
}

/// Writes paths through the trait as paths through the type.
struct Members<'a> {
    single: &'a Single,
    /// True inside of implementations for another type, which `Self` stands for there.
    is_other: bool,
}

impl Members<'_> {
    fn path(&self, itself: &mut Option<QSelf>, path: &mut Path) {
        let Single { of, itself: known, .. } = self.single;
        let is_of = |name: Option<&Ident>| name.is_some_and(|name| name == of);
        match itself {
            None if self.single.is_only
                && path.segments.len() > 1
                && is_of(path.segments.first().map(|first| &first.ident)) =>
            {
                if let Type::Path(known) = known {
                    let rest: Vec<syn::PathSegment> = path.segments.iter().skip(1).cloned().collect();
                    *path = known.path.clone();
                    path.segments.iter_mut().filter(|_| !self.single.lifetimes.is_empty()).for_each(|segment| {
                        // The compiler knows the lifetimes of values.
                        segment.arguments = PathArguments::None;
                    });
                    path.segments.extend(rest);
                }
            }
            Some(outer) if outer.position == 1 && is_of(path.segments.first().map(|first| &first.ident)) => {
                if let Type::Path(inner) = &*outer.ty
                    && inner.qself.is_none()
                {
                    let rest: Vec<syn::PathSegment> = path.segments.iter().skip(1).cloned().collect();
                    let inner = inner.path.clone();
                    *path = inner;
                    path.segments.extend(rest);
                    *itself = None;
                }
            }
            _ => {}
        }
    }
}

impl VisitMut for Members<'_> {
    fn visit_type_mut(&mut self, of: &mut Type) {
        visit_mut::visit_type_mut(self, of);
        let Type::Path(path) = of else { return };
        self.path(&mut path.qself, &mut path.path);
        let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let known = self.single.itself.to_token_stream().to_string();
        if let (None, [outer, inner]) = (&path.qself, names.as_slice())
            && (outer == "Self" && !self.is_other || *outer == known)
            && let Some(inner) = self.single.types.get(inner)
        {
            *of = inner.clone();
        }
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        visit_mut::visit_expr_path_mut(self, path);
        self.path(&mut path.qself, &mut path.path);
    }

    fn visit_item_impl_mut(&mut self, block: &mut ItemImpl) {
        self.is_other = !self.single.is_itself(&block.self_ty);
        visit_mut::visit_item_impl_mut(self, block);
        self.is_other = false;
    }

    fn visit_item_trait_mut(&mut self, item: &mut ItemTrait) {
        visit_mut::visit_item_trait_mut(self, item);
        retain(&mut item.supertraits, &mut |bound| match bound {
            TypeParamBound::Trait(bound) => !bound.path.is_ident(&self.single.of),
            _ => true,
        });
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if !visit_matches(call, &mut |choice| self.visit_expr_mut(choice)) {
            visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
        }
    }
}
