//! A type in the place of a parameter.

use std::collections::BTreeMap;

use proc_macro2::{TokenStream, TokenTree};
use syn::{ExprPath, GenericArgument, Lifetime, Path, PathArguments, QSelf, Type};

use crate::arguments::{visit_arguments, visit_matches};
use crate::visit_mut::{self, VisitMut};

/// An implementation of a trait: the only one, or the only one that is meant where the trait is a bound.
#[derive(Clone)]
pub(super) struct Single {
    /// The name of the trait.
    pub of: String,
    /// The type that implements it.
    pub itself: Type,
    /// The types that the implementation names.
    pub types: BTreeMap<String, Type>,
    /// The lifetimes that the implementation gives the trait.
    pub lifetimes: Vec<Lifetime>,
    /// True if neither the trait nor the implementation has parameters other than lifetimes.
    pub is_plain: bool,
    /// True if the trait has no other implementation.
    pub is_only: bool,
}

impl Single {
    /// The same with the lifetimes of a bound.
    pub(super) fn with_lifetimes(&self, lifetimes: Vec<Lifetime>) -> Single {
        let mut single = self.clone();
        let mut renaming = Lifetimes::new(&self.lifetimes, &lifetimes);
        renaming.visit_type_mut(&mut single.itself);
        single.types.values_mut().for_each(|of| renaming.visit_type_mut(of));
        Single { lifetimes, ..single }
    }

    /// Returns true if a type is that of the implementation, but for lifetimes, or left to the compiler.
    pub(super) fn is_itself(&self, of: &Type) -> bool {
        let (Type::Path(own), Type::Path(of)) = (&self.itself, of) else { return matches!(of, Type::Infer(_)) };
        own.path.segments.last().map(|last| &last.ident) == of.path.segments.last().map(|last| &last.ident)
    }
}

/// Lifetimes in the place of others.
pub(super) struct Lifetimes(BTreeMap<String, Lifetime>);

impl Lifetimes {
    pub(super) fn new<'a>(
        old: impl IntoIterator<Item = &'a Lifetime>,
        new: impl IntoIterator<Item = &'a Lifetime>,
    ) -> Lifetimes {
        Lifetimes(old.into_iter().map(ToString::to_string).zip(new.into_iter().cloned()).collect())
    }
}

impl VisitMut for Lifetimes {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if let Some(new) = self.0.get(&lifetime.to_string()) {
            *lifetime = new.clone();
        }
    }
}

/// The lifetimes among the arguments of the last name of a path.
pub(super) fn lifetimes(path: &Path) -> Vec<Lifetime> {
    let Some(PathArguments::AngleBracketed(list)) = path.segments.last().map(|last| &last.arguments) else {
        return Vec::new();
    };
    let lifetime = |argument: &GenericArgument| match argument {
        GenericArgument::Lifetime(lifetime) => Some(lifetime.clone()),
        _ => None,
    };
    list.args.iter().filter_map(lifetime).collect()
}

/// Writes the type of an implementation in the place of a parameter.
pub(super) struct Substitution {
    pub single: Single,
    pub parameter: String,
    /// True if the parameter stands among tokens that are no expressions.
    pub is_unclear: bool,
}

impl Substitution {
    /// Replaces the parameter, or a type of the trait, at the beginning of a path.
    fn path(&self, itself: &mut Option<QSelf>, path: &mut Path, in_type: bool) {
        let Single { of, itself: known, types, .. } = &self.single;
        let (Type::Path(known), names) = (known, &path.segments) else { return };
        let named = |at: usize| names.get(at).and_then(|segment| types.get(&segment.ident.to_string()));
        match itself {
            None if names.first().is_some_and(|first| first.ident == self.parameter) => match named(1) {
                Some(inner) => {
                    let rest = names.iter().skip(2).cloned().collect();
                    (*itself, *path) = inside(inner, rest);
                }
                None => {
                    path.segments[0] = known.path.segments[0].clone();
                    if !in_type {
                        // The compiler knows the lifetimes of values.
                        path.segments[0].arguments = PathArguments::None;
                    }
                }
            },
            Some(outer) if is_parameter(&outer.ty, &self.parameter) && outer.position > 0 => {
                let position = outer.position;
                let is_of = names.get(position - 1).is_some_and(|segment| segment.ident == *of);
                if let Some(inner) = named(position).filter(|_| is_of) {
                    let rest = names.iter().skip(position + 1).cloned().collect();
                    (*itself, *path) = inside(inner, rest);
                }
            }
            _ => {}
        }
    }
}

/// The path of these names inside of a type.
fn inside(outer: &Type, rest: Vec<syn::PathSegment>) -> (Option<QSelf>, Path) {
    match outer {
        Type::Path(outer) => {
            let mut path = outer.clone();
            path.path.segments.extend(rest);
            (path.qself, path.path)
        }
        outer => {
            let itself = QSelf {
                lt_token: Default::default(),
                ty: Box::new(outer.clone()),
                position: 0,
                as_token: None,
                gt_token: Default::default(),
            };
            let leading_colon = Some(Default::default());
            (Some(itself), Path { leading_colon, segments: rest.into_iter().collect() })
        }
    }
}

fn is_parameter(of: &Type, name: &str) -> bool {
    matches!(of, Type::Path(path) if path.qself.is_none() && path.path.is_ident(name))
}

impl VisitMut for Substitution {
    fn visit_type_mut(&mut self, of: &mut Type) {
        if let Type::Path(path) = of {
            self.path(&mut path.qself, &mut path.path, true);
            // A type without a path of its own stands alone.
            if let Some(itself) = path.qself.as_ref().filter(|_| path.path.segments.is_empty()) {
                *of = (*itself.ty).clone();
            }
        }
        visit_mut::visit_type_mut(self, of);
    }

    fn visit_expr_path_mut(&mut self, path: &mut ExprPath) {
        self.path(&mut path.qself, &mut path.path, false);
        visit_mut::visit_expr_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if !visit_matches(call, &mut |choice| self.visit_expr_mut(choice))
            && !visit_arguments(call, &mut |argument| self.visit_expr_mut(argument))
        {
            self.is_unclear |= names(call.tokens.clone(), &self.parameter);
        }
    }
}

fn names(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => names(group.stream(), name),
        TokenTree::Ident(word) => word == name,
        _ => false,
    })
}
