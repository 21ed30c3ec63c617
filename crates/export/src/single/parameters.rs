//! Parameters that have a bound of which only one type is capable.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{GenericParam, Generics, ImplItem, Item, Lifetime, TraitItem, Type, TypeParamBound, WherePredicate};

use super::arguments::{Fewer, known, of_others};
use super::substitute::{Single, Substitution, lifetimes};
use crate::shorten::names::count;
use crate::tree::retain;
use crate::visit_mut::{self, VisitMut};

/// Places of parameters that are gone, among those that are no lifetimes, by the names of what has them. Names of
/// members are marked.
pub(super) type Removed = BTreeMap<(bool, String), BTreeSet<usize>>;

/// Writes the type in the place of parameters. Returns false if there are none.
pub(super) fn write(file: &mut syn::File, single: &Single) -> bool {
    let mut parameters = Parameters { single, removed: Removed::new(), is_unclear: false, count: 0 };
    parameters.visit_file_mut(file);
    let Parameters { mut removed, mut is_unclear, count, .. } = parameters;
    let of_others = of_others(file, single);
    while !removed.is_empty() {
        let known = known(file, single);
        let mut fewer =
            Fewer { removed: &removed, single, known: &known, of_others: &of_others, is_inside: false, is_unclear };
        fewer.visit_file_mut(file);
        is_unclear = fewer.is_unclear;
        removed = unused_of_aliases(file);
    }
    count > 0 && !is_unclear
}

/// A parameter that is gone.
struct Taken {
    name: String,
    /// Its place among the parameters that are no lifetimes.
    at: usize,
    /// The lifetimes that its bound gives the trait.
    lifetimes: Vec<Lifetime>,
}

/// Replaces parameters by the type of a single implementation.
struct Parameters<'a> {
    single: &'a Single,
    removed: Removed,
    is_unclear: bool,
    /// The number of parameters that are gone.
    count: usize,
}

impl Parameters<'_> {
    /// The lifetimes that a bound gives the trait; `None` if it is another bound.
    fn lifetimes(&self, bound: &TypeParamBound) -> Option<Vec<Lifetime>> {
        let TypeParamBound::Trait(bound) = bound else { return None };
        let is_of = bound.path.segments.last().is_some_and(|last| last.ident == self.single.of);
        is_of.then(|| lifetimes(&bound.path))
    }

    /// Takes the parameters out of a list, and returns their names and places.
    fn take(&self, generics: &mut Generics) -> Vec<Taken> {
        let bound = |name: &str| {
            let of = |predicate: &WherePredicate| match predicate {
                WherePredicate::Type(of) if of.bounded_ty.to_token_stream().to_string() == name => {
                    of.bounds.iter().find_map(|bound| self.lifetimes(bound))
                }
                _ => None,
            };
            generics.where_clause.as_ref().and_then(|clause| clause.predicates.iter().find_map(of))
        };
        let places = generics.params.iter().filter(|parameter| !matches!(parameter, GenericParam::Lifetime(_)));
        let taken: Vec<Taken> = places
            .enumerate()
            .filter_map(|(at, parameter)| match parameter {
                GenericParam::Type(parameter) => {
                    let name = parameter.ident.to_string();
                    let own = parameter.bounds.iter().find_map(|bound| self.lifetimes(bound));
                    let lifetimes = own.or_else(|| bound(&name))?;
                    Some(Taken { name, at, lifetimes })
                }
                _ => None,
            })
            .collect();
        let is_taken = |name: String| taken.iter().any(|taken| taken.name == name);
        retain(&mut generics.params, &mut |parameter| match parameter {
            GenericParam::Type(parameter) => !is_taken(parameter.ident.to_string()),
            _ => true,
        });
        if let Some(clause) = &mut generics.where_clause {
            retain(&mut clause.predicates, &mut |predicate| match predicate {
                WherePredicate::Type(of) => !is_taken(of.bounded_ty.to_token_stream().to_string()),
                _ => true,
            });
        }
        taken
    }

    /// Takes the parameters out of what a name has, and returns them.
    fn taken(&mut self, generics: &mut Generics, name: Option<(bool, String)>) -> Vec<Taken> {
        let taken = self.take(generics);
        self.count += taken.len();
        if let Some(name) = name.filter(|_| !taken.is_empty()) {
            self.removed.entry(name).or_default().extend(taken.iter().map(|taken| taken.at));
        }
        taken
    }

    /// Replaces parameters by the type.
    fn substitute(&mut self, parameters: Vec<Taken>, visit: &mut dyn FnMut(&mut Substitution)) {
        for Taken { name: parameter, lifetimes, .. } in parameters {
            let single = self.single.with_lifetimes(lifetimes);
            let mut substitution = Substitution { single, parameter, is_unclear: false };
            visit(&mut substitution);
            self.is_unclear |= substitution.is_unclear;
        }
    }
}

impl VisitMut for Parameters<'_> {
    fn visit_item_mut(&mut self, item: &mut Item) {
        let (generics, name) = match item {
            Item::Enum(item) => (&mut item.generics, Some(&item.ident)),
            Item::Fn(item) => (&mut item.sig.generics, Some(&item.sig.ident)),
            Item::Impl(block) => {
                // What all types of a trait have stays with all of them.
                let is_for = |parameter: &GenericParam| match parameter {
                    GenericParam::Type(of) => of.ident == block.self_ty.to_token_stream().to_string(),
                    _ => false,
                };
                self.is_unclear |= !self.single.is_only && block.generics.params.iter().any(is_for);
                (&mut block.generics, None)
            }
            Item::Struct(item) => (&mut item.generics, Some(&item.ident)),
            Item::Trait(item) => (&mut item.generics, Some(&item.ident)),
            Item::Type(item) => (&mut item.generics, Some(&item.ident)),
            _ => return visit_mut::visit_item_mut(self, item),
        };
        let parameters = self.taken(generics, name.map(|name| (false, name.to_string())));
        self.substitute(parameters, &mut |substitution| substitution.visit_item_mut(item));
        visit_mut::visit_item_mut(self, item);
    }

    fn visit_impl_item_mut(&mut self, item: &mut ImplItem) {
        if let ImplItem::Fn(method) = item {
            let parameters = self.taken(&mut method.sig.generics, Some((true, method.sig.ident.to_string())));
            self.substitute(parameters, &mut |substitution| substitution.visit_impl_item_mut(item));
        }
        visit_mut::visit_impl_item_mut(self, item);
    }

    fn visit_trait_item_mut(&mut self, item: &mut TraitItem) {
        if let TraitItem::Fn(method) = item {
            let parameters = self.taken(&mut method.sig.generics, Some((true, method.sig.ident.to_string())));
            self.substitute(parameters, &mut |substitution| substitution.visit_trait_item_mut(item));
        }
        visit_mut::visit_trait_item_mut(self, item);
    }

    fn visit_type_mut(&mut self, of: &mut Type) {
        if let Type::ImplTrait(bounds) = of
            && let Some(lifetimes) = bounds.bounds.iter().find_map(|bound| self.lifetimes(bound))
        {
            *of = self.single.with_lifetimes(lifetimes).itself;
            self.count += 1;
        }
        visit_mut::visit_type_mut(self, of);
    }
}

/// Takes out the parameters of aliases that their types do not name any more.
fn unused_of_aliases(file: &mut syn::File) -> Removed {
    let mut removed = Removed::new();
    for item in &mut file.items {
        let Item::Type(alias) = item else { continue };
        let mut words = BTreeMap::new();
        count(alias.ty.to_token_stream(), &mut words);
        let mut at = 0;
        retain(&mut alias.generics.params, &mut |parameter| {
            let GenericParam::Type(parameter) = parameter else {
                at += usize::from(matches!(parameter, GenericParam::Const(_)));
                return true;
            };
            let is_used = words.contains_key(&parameter.ident.to_string());
            if !is_used {
                removed.entry((false, alias.ident.to_string())).or_default().insert(at);
            }
            at += 1;
            is_used
        });
    }
    removed
}
