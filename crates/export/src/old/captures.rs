//! Functions that return `impl Trait`: in edition 2024 it may hold everything with a lifetime of the function's
//! arguments, or what `use<..>` names (Rust 1.82). In edition 2021 it may hold the lifetimes it names.
//!
//! `fn f(&self) -> impl Trait` becomes `fn f(&self) -> impl Trait + Captures<'_>`, where every type is a `Captures` of
//! every lifetime. Lifetimes that have no name get one where `'_` would not mean them.

use proc_macro2::Span;
use syn::{
    CapturedParam, Expr, FnArg, GenericParam, Generics, ImplItem, ItemFn, ItemImpl, Lifetime, ReceiverKind, ReturnType,
    Signature, Type, TypeImplTrait, TypeParamBound, TypeReference, parse_quote,
};

use super::std_calls::POLYFILLS;
use crate::visit_mut::{self, VisitMut};

pub(super) fn rewrite(file: &mut syn::File) {
    let mut captures = Captures { of_impl: Vec::new(), used: false };
    captures.visit_file_mut(file);
    if captures.used {
        super::std_calls::add_polyfill(file, "captures");
    }
}

struct Captures {
    /// The lifetimes of the `impl` around a function.
    of_impl: Vec<Lifetime>,
    used: bool,
}

impl VisitMut for Captures {
    fn visit_item_fn_mut(&mut self, item: &mut ItemFn) {
        let of_impl = std::mem::take(&mut self.of_impl);
        self.rewrite(&mut item.sig);
        visit_mut::visit_item_fn_mut(self, item);
        self.of_impl = of_impl;
    }

    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        let returns = |item: &ImplItem| matches!(item, ImplItem::Fn(f) if returns_impl(&f.sig));
        if item.items.iter().any(returns) {
            name_lifetimes(&mut item.self_ty, "impl", &mut item.generics);
        }
        self.of_impl = item.generics.lifetimes().map(|param| param.lifetime.clone()).collect();
        for item in &mut item.items {
            if let ImplItem::Fn(item) = item {
                self.rewrite(&mut item.sig);
            }
        }
        visit_mut::visit_item_impl_mut(self, item);
        self.of_impl.clear();
    }
}

impl Captures {
    fn rewrite(&mut self, signature: &mut Signature) {
        if !returns_impl(signature) {
            return;
        }
        let mut bounds = Bounds { captured: None, lifetimes: Vec::new(), outlives: false };
        bounds.visit_return_type_mut(&mut signature.output);
        let captured = match bounds.captured.take() {
            Some(named) => named,
            None => {
                let mut all = self.of_impl.clone();
                all.extend(lifetimes_of(signature));
                all
            }
        };
        // A bound as `+ 'a` is enough for the one lifetime there is.
        if captured.is_empty() || (captured.len() == 1 && bounds.outlives) {
            return;
        }
        self.used = true;
        bounds.lifetimes = captured;
        bounds.visit_return_type_mut(&mut signature.output);
    }
}

fn returns_impl(signature: &Signature) -> bool {
    let ReturnType::Type(_, returned) = &signature.output else { return false };
    let mut found = Found(false);
    found.visit_type_mut(&mut returned.as_ref().clone());
    found.0
}

struct Found(bool);

impl VisitMut for Found {
    fn visit_type_impl_trait_mut(&mut self, _: &mut TypeImplTrait) {
        self.0 = true;
    }

    fn visit_expr_mut(&mut self, _: &mut Expr) {}
}

/// The lifetimes of a function. Those of its arguments without a name get one, unless `'_` means the only one.
fn lifetimes_of(signature: &mut Signature) -> Vec<Lifetime> {
    let mut names = Names { of: "arg", generics: None, found: 0 };
    let mut is_named = false;
    for argument in &mut signature.inputs {
        match argument {
            FnArg::Receiver(receiver) => {
                names.found += usize::from(matches!(receiver.kind, ReceiverKind::Reference(_, None, _)));
                is_named = matches!(receiver.kind, ReceiverKind::Reference(_, Some(_), _));
            }
            FnArg::Typed(argument) => names.visit_type_mut(&mut argument.ty),
        }
    }
    let mut all: Vec<Lifetime> = Vec::new();
    if names.found == 1 && !is_named {
        all.push(Lifetime::new("'_", Span::call_site()));
    } else if names.found > 0 {
        for argument in &mut signature.inputs {
            match argument {
                FnArg::Receiver(receiver) => {
                    if let ReceiverKind::Reference(_, lifetime @ None, _) = &mut receiver.kind {
                        let own: Lifetime = Lifetime::new("'this", Span::call_site());
                        signature.generics.params.insert(0, parse_quote!(#own));
                        *lifetime = Some(own);
                    }
                }
                FnArg::Typed(argument) => name_lifetimes(&mut argument.ty, "arg", &mut signature.generics),
            }
        }
    }
    all.extend(signature.generics.lifetimes().map(|param| param.lifetime.clone()));
    all
}

/// Gives the lifetimes of a type that have no name one, and adds them to the generics.
fn name_lifetimes(ty: &mut Type, of: &str, generics: &mut Generics) {
    let found = generics.lifetimes().count();
    Names { of, generics: Some(generics), found }.visit_type_mut(ty);
}

/// Counts the lifetimes without a name, and names them if they have a place to go to.
struct Names<'n> {
    of: &'n str,
    generics: Option<&'n mut Generics>,
    found: usize,
}

impl Names<'_> {
    fn next(&mut self) -> Option<Lifetime> {
        self.found += 1;
        let lifetime = Lifetime::new(&format!("'{}{}", self.of, self.found), Span::call_site());
        let param: GenericParam = parse_quote!(#lifetime);
        self.generics.as_mut()?.params.insert(0, param);
        Some(lifetime)
    }
}

impl VisitMut for Names<'_> {
    fn visit_type_reference_mut(&mut self, reference: &mut TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = self.next();
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_"
            && let Some(name) = self.next()
        {
            *lifetime = name;
        }
    }

    // The lifetimes of the arguments of functions are their own.
    fn visit_parenthesized_generic_arguments_mut(&mut self, _: &mut syn::ParenthesizedGenericArguments) {}

    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
}

/// Removes `use<..>` from the bounds and adds these lifetimes to them.
struct Bounds {
    captured: Option<Vec<Lifetime>>,
    lifetimes: Vec<Lifetime>,
    outlives: bool,
}

impl VisitMut for Bounds {
    fn visit_type_impl_trait_mut(&mut self, returned: &mut TypeImplTrait) {
        let bounds = std::mem::take(&mut returned.bounds);
        for bound in bounds {
            match bound {
                TypeParamBound::PreciseCapture(named) => {
                    let lifetimes = named.params.iter().filter_map(|param| match param {
                        CapturedParam::Lifetime(lifetime) => Some(lifetime.clone()),
                        _ => None,
                    });
                    self.captured = Some(lifetimes.collect());
                }
                bound => {
                    self.outlives |= matches!(bound, TypeParamBound::Lifetime(_));
                    returned.bounds.push(bound);
                }
            }
        }
        let polyfills = syn::Ident::new(POLYFILLS, Span::call_site());
        for lifetime in &self.lifetimes {
            returned.bounds.push(parse_quote!(crate::#polyfills::captures::Captures<#lifetime>));
        }
        visit_mut::visit_type_impl_trait_mut(self, returned);
    }
}
