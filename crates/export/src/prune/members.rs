//! The members of the types and traits of a file, and which of them a path means.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};
use syn::{Generics, ImplItem, Item, TraitItem, Type};

/// The members that the types and traits of a file have.
#[derive(Default)]
pub(crate) struct Members {
    /// The structs and enums, and the members that belong to each of them without a trait.
    own: BTreeMap<String, BTreeSet<String>>,
    variants: BTreeMap<String, BTreeSet<String>>,
    /// Types with parameters: an implementation may be for some of their arguments only.
    generic: BTreeSet<String>,
    traits: BTreeMap<String, BTreeSet<String>>,
    /// The types that other names stand for; `None` if that is no path.
    aliases: BTreeMap<String, Option<String>>,
    /// The names of parameters that are types.
    parameters: BTreeSet<String>,
    /// Items that macros make.
    made: BTreeSet<String>,
}

/// The members that a name behind `::` means.
#[derive(PartialEq, Debug)]
pub(crate) enum Meaning {
    /// A variant.
    Nothing,
    /// A member of this type or trait.
    Of(String),
    /// A member of this type, or one of a trait.
    OfOrTrait(String),
    /// A member of some trait.
    OfTraits,
    /// A member of any type.
    Any,
}

impl Members {
    /// The members of the types and traits among these items, of which macros make those with the names in `made`.
    pub(crate) fn of(items: &[Item], made: BTreeSet<String>) -> Members {
        let mut members = Members { made, ..Members::default() };
        for item in items {
            members.add(item);
        }
        let mut parameters = Parameters(&mut members.parameters);
        items.iter().for_each(|item| parameters.visit_item(item));
        members
    }

    fn add(&mut self, item: &Item) {
        match item {
            Item::Struct(item) => self.add_type(item.ident.to_string(), &item.generics),
            Item::Enum(item) => {
                self.add_type(item.ident.to_string(), &item.generics);
                let variants = item.variants.iter().map(|variant| variant.ident.to_string());
                self.variants.insert(item.ident.to_string(), variants.collect());
            }
            Item::Impl(block) if block.trait_.is_none() => {
                let members = block.items.iter().filter_map(member_name);
                if let Some(of) = head(&block.self_ty) {
                    self.own.entry(of).or_default().extend(members);
                }
            }
            Item::Trait(item) => {
                let members = item.items.iter().filter_map(trait_member).collect();
                self.traits.insert(item.ident.to_string(), members);
            }
            Item::Type(item) => _ = self.aliases.insert(item.ident.to_string(), head(&item.ty)),
            _ => {}
        }
    }

    fn add_type(&mut self, name: String, generics: &Generics) {
        if !generics.params.is_empty() {
            self.generic.insert(name.clone());
        }
        self.own.entry(name).or_default();
    }

    /// The members that `of::name` means.
    pub(crate) fn behind(&self, of: &str, name: &str) -> Meaning {
        // A parameter may have the name of a type.
        let is_parameter = self.parameters.contains(of);
        if let Some(members) = self.own.get(of).filter(|_| !is_parameter) {
            let is_variant = self.variants.get(of).is_some_and(|variants| variants.contains(name));
            return match (members.contains(name), is_variant) {
                (true, _) if self.generic.contains(of) => Meaning::OfOrTrait(of.to_string()),
                (true, _) => Meaning::Of(of.to_string()),
                (false, true) => Meaning::Nothing,
                (false, false) => Meaning::Any,
            };
        }
        if let Some(aliased) = self.aliases.get(of).filter(|_| !is_parameter) {
            return match aliased {
                Some(aliased) if aliased != of => self.behind(aliased, name),
                _ => Meaning::Any,
            };
        }
        match self.traits.get(of) {
            Some(members) if members.contains(name) => Meaning::Of(of.to_string()),
            _ if self.made.contains(of) => Meaning::Any,
            _ => Meaning::OfTraits,
        }
    }

    /// Returns true if `self.name()` in this type is known to call a method of its own.
    pub(crate) fn is_own_method(&self, of: &str, name: &str) -> bool {
        self.own.get(of).is_some_and(|members| members.contains(name))
            && !self.traits.values().any(|members| members.contains(name))
    }
}

/// The names of the parameters that are types.
struct Parameters<'a>(&'a mut BTreeSet<String>);

impl<'ast> Visit<'ast> for Parameters<'_> {
    fn visit_type_param(&mut self, parameter: &'ast syn::TypeParam) {
        self.0.insert(parameter.ident.to_string());
        visit::visit_type_param(self, parameter);
    }
}

/// The first name of the path of a type, if it is the only one.
pub(super) fn head(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
            path.path.segments.first().map(|first| first.ident.to_string())
        }
        Type::Paren(inner) => head(&inner.elem),
        Type::Group(inner) => head(&inner.elem),
        _ => None,
    }
}

pub(crate) fn trait_member(item: &TraitItem) -> Option<String> {
    match item {
        TraitItem::Const(item) => Some(item.ident.to_string()),
        TraitItem::Fn(item) => Some(item.sig.ident.to_string()),
        TraitItem::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

pub(crate) fn member_name(item: &ImplItem) -> Option<String> {
    match item {
        ImplItem::Const(item) => Some(item.ident.to_string()),
        ImplItem::Fn(item) => Some(item.sig.ident.to_string()),
        ImplItem::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}
