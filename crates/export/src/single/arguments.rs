//! Arguments for parameters that are gone.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{AngleBracketedGenericArguments, GenericArgument, Item, Path, PathArguments, TraitItem, Type};

use super::inherent::types;
use super::parameters::Removed;
use super::substitute::Single;
use super::{implements, member, trait_member};
use crate::arguments::{visit_arguments, visit_matches};
use crate::shorten::names::count;
use crate::tree::retain;
use crate::visit_mut::{self, VisitMut};

/// Leaves out arguments for parameters that are gone.
pub(super) struct Fewer<'a> {
    pub removed: &'a Removed,
    pub single: &'a Single,
    /// Names that stand for the type of the implementation, or for parameters of aliases.
    pub known: &'a BTreeSet<String>,
    /// Members of the trait that other implementations of it are used for.
    pub of_others: &'a BTreeSet<String>,
    /// True where `Self` is the type of the implementation.
    pub is_inside: bool,
    /// True if an argument for another type would have to go.
    pub is_unclear: bool,
}

impl Fewer<'_> {
    /// Leaves out arguments of a name. Returns false if none is left.
    fn keeps(&mut self, arguments: &mut AngleBracketedGenericArguments, is_member: bool, name: String) -> bool {
        let Some(gone) = self.removed.get(&(is_member, name)) else { return true };
        let (single, known, mut is_unclear, mut place) = (self.single, self.known, false, 0);
        let is_inside = self.is_inside;
        retain(&mut arguments.args, &mut |argument| {
            if !matches!(argument, GenericArgument::Type(_) | GenericArgument::Const(_)) {
                return true;
            }
            place += 1;
            let stays = !gone.contains(&(place - 1));
            if let (false, GenericArgument::Type(of)) = (stays, &*argument) {
                is_unclear |=
                    !(single.is_only || single.is_itself(of) || is_known(of, known) || is_inside && is_self(of));
            }
            stays
        });
        self.is_unclear |= is_unclear;
        !arguments.args.is_empty()
    }
}

/// The names that stand for the type of an implementation, or for parameters of aliases.
pub(super) fn known(file: &syn::File, single: &Single) -> BTreeSet<String> {
    let (mut known, mut others) = (BTreeSet::new(), BTreeSet::new());
    for item in &file.items {
        match item {
            Item::Type(alias) => {
                known.extend(alias.generics.type_params().map(|parameter| parameter.ident.to_string()));
            }
            Item::Impl(block) => {
                for (name, of) in types(block) {
                    if single.is_itself(&of) {
                        known.insert(name)
                    } else {
                        others.insert(name)
                    };
                }
            }
            _ => {}
        }
    }
    &known - &others
}

fn is_self(of: &Type) -> bool {
    matches!(of, Type::Path(path) if path.path.is_ident("Self"))
}

/// Members of the trait that are named behind the types of its other implementations, and what those need.
pub(super) fn of_others(file: &syn::File, single: &Single) -> BTreeSet<String> {
    let mut bodies: Vec<(String, BTreeMap<String, usize>)> = Vec::new();
    let mut add = |name: Option<String>, tokens: TokenStream| {
        let mut words = BTreeMap::new();
        count(tokens, &mut words);
        bodies.extend(name.map(|name| (name, words)));
    };
    let mut others = BTreeSet::new();
    let mut methods = BTreeSet::new();
    for item in &file.items {
        match item {
            Item::Trait(item) if item.ident == single.of => item.items.iter().for_each(|it| {
                methods.extend(match it {
                    TraitItem::Fn(method) if method.sig.receiver().is_some() => trait_member(it),
                    _ => None,
                });
                add(trait_member(it), it.to_token_stream());
            }),
            Item::Impl(block) if implements(block, &single.of) && !single.is_itself(&block.self_ty) => {
                others.insert(block.self_ty.to_token_stream().to_string());
                block.items.iter().for_each(|it| add(member(it), it.to_token_stream()));
            }
            _ => {}
        }
    }
    if others.is_empty() {
        return BTreeSet::new();
    }
    // A method may be called on a value of any type.
    let text = file.to_token_stream().to_string();
    let is_named =
        |name: &String| methods.contains(name) || others.iter().any(|of| text.contains(&format!("{of} :: {name}")));
    let mut reached: BTreeSet<String> =
        bodies.iter().map(|(name, _)| name).filter(|name| is_named(name)).cloned().collect();
    loop {
        let before = reached.len();
        let needed =
            bodies.iter().filter(|(name, _)| reached.contains(name)).flat_map(|(_, words)| words.keys().cloned());
        let needed: Vec<String> = needed.filter(|word| bodies.iter().any(|(name, _)| name == word)).collect();
        reached.extend(needed);
        if reached.len() == before {
            return reached;
        }
    }
}

fn is_known(of: &Type, known: &BTreeSet<String>) -> bool {
    match of {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| known.contains(&last.ident.to_string())),
        _ => false,
    }
}

impl VisitMut for Fewer<'_> {
    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        self.is_inside = self.single.is_itself(&block.self_ty);
        visit_mut::visit_item_impl_mut(self, block);
        self.is_inside = false;
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        let is_of = item.ident == self.single.of;
        for member in &mut item.items {
            self.is_inside = is_of && trait_member(member).is_some_and(|name| !self.of_others.contains(&name));
            self.visit_trait_item_mut(member);
        }
        self.is_inside = false;
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        for (at, segment) in path.segments.iter_mut().enumerate() {
            if let PathArguments::AngleBracketed(arguments) = &mut segment.arguments
                && !self.keeps(arguments, at > 0, segment.ident.to_string())
            {
                segment.arguments = PathArguments::None;
            }
        }
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        if let Some(arguments) = &mut call.turbofish
            && !self.keeps(arguments, true, call.method.to_string())
        {
            call.turbofish = None;
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if !visit_matches(call, &mut |choice| self.visit_expr_mut(choice)) {
            visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
        }
    }
}
