//! The items of a file, by their names.

use std::collections::{BTreeMap, BTreeSet};

use syn::{
    Expr, Fields, FnArg, ImplItem, Item, Pat, ReceiverKind, ReturnType, Signature, TraitItem, TraitItemFn, Type,
    parse_quote,
};

use super::variants::{VariantName, never_made};

/// The name of a function, and of the type that it belongs to.
pub(super) type FunctionName = (Option<String>, String);

/// A function as its callers see it.
#[derive(Clone)]
pub(super) struct Function {
    pub parameters: Vec<Type>,
    pub returns: Option<Type>,
    /// True if it has a receiver.
    pub is_method: bool,
    /// The names of the parameters and the body, where that is one expression.
    pub formula: Option<(Vec<String>, Expr)>,
    /// True if the name stands for one function. Then all calls are known.
    pub is_one: bool,
}

#[derive(Default)]
pub(super) struct Program {
    /// The types of the fields of structs.
    pub structs: BTreeMap<String, BTreeMap<String, Type>>,
    /// The types of the parts of structs without field names.
    pub parts: BTreeMap<String, Vec<Type>>,
    /// Types with an equality of their own.
    pub compared: BTreeSet<String>,
    /// The variants of enums, and the number of values in them; `None` for named ones.
    pub enums: BTreeMap<String, BTreeMap<String, Option<usize>>>,
    /// Functions of the file that only call the closure they are given, and catch its panics.
    pub guards: BTreeSet<String>,
    /// The types that other names stand for.
    pub aliases: BTreeMap<String, Type>,
    pub functions: BTreeMap<FunctionName, Function>,
    /// The names of functions that belong to types, and of those types.
    pub methods: BTreeMap<String, BTreeSet<String>>,
    /// The names of methods that may change what they are called on.
    pub changing: BTreeSet<String>,
    /// Types and the methods of traits that they implement themselves.
    pub implemented: BTreeSet<(String, String)>,
    /// The results of the methods of traits.
    pub trait_methods: BTreeMap<(String, String), Type>,
    /// Types with a method that may change them.
    pub changed_by_methods: BTreeSet<String>,
    /// Constants: of the file, and of types.
    pub constants: BTreeMap<FunctionName, (Type, Expr)>,
    /// The constants of traits: with their defaults, and those of each implementation.
    pub trait_constants: BTreeMap<String, Vec<TraitConstant>>,
    /// The methods of traits that take nothing but a receiver and are one expression in each implementation.
    pub trait_answers: BTreeMap<(String, String), Vec<TraitConstant>>,
    /// Variants of which no value is made.
    pub never_made: BTreeSet<VariantName>,
    /// The types of the traits of the file, by their names.
    pub types: BTreeMap<String, Vec<Type>>,
    /// The traits of the file.
    pub traits: BTreeSet<String>,
    /// Structs whose default value is derived.
    pub derived_defaults: BTreeSet<String>,
    /// The literal that is the body of `Default::default` of a struct.
    pub defaults: BTreeMap<String, syn::ExprStruct>,
}

/// A constant of a trait, or the answer of a method of a trait.
#[derive(Clone)]
pub(super) struct TraitConstant {
    /// The trait, and the type that implements it.
    pub of: (String, Type),
    pub ty: Type,
    pub value: Expr,
}

impl Program {
    pub(super) fn of(items: &[Item]) -> Program {
        let mut program = Program::default();
        for item in items {
            program.add(item);
        }
        program.add_trait_constants(items);
        program.add_trait_answers(items);
        program.never_made = never_made(items, &program.enums);
        program
    }

    fn add(&mut self, item: &Item) {
        match item {
            Item::Struct(item) => {
                let name = item.ident.to_string();
                if derives(&item.attrs, "Default") {
                    self.derived_defaults.insert(name.clone());
                }
                if let Fields::Unnamed(fields) = &item.fields {
                    let types = fields.unnamed.iter().map(|field| field.ty.clone());
                    self.parts.insert(name.clone(), types.collect());
                }
                let fields = item.fields.iter();
                let typed = |field: &syn::Field| Some((field.ident.as_ref()?.to_string(), field.ty.clone()));
                self.structs.insert(name, fields.filter_map(typed).collect());
            }
            Item::Enum(item) => {
                let values = |fields: &Fields| match fields {
                    Fields::Named(_) => None,
                    fields => Some(fields.len()),
                };
                let variants = item.variants.iter().map(|it| (it.ident.to_string(), values(&it.fields)));
                self.enums.insert(item.ident.to_string(), variants.collect());
            }
            Item::Fn(item) => {
                if catches_panics(item) {
                    self.guards.insert(item.sig.ident.to_string());
                }
                self.function(None, &item.sig, &item.block);
            }
            Item::Const(item) => {
                let name = (None, item.ident.to_string());
                self.constants.insert(name, ((*item.ty).clone(), (*item.expr).clone()));
            }
            Item::Impl(block) => self.implementation(block),
            Item::Type(item) => _ = self.aliases.insert(item.ident.to_string(), (*item.ty).clone()),
            Item::Trait(item) => self.declare_trait(item),
            _ => {}
        }
    }

    fn declare_trait(&mut self, item: &syn::ItemTrait) {
        self.traits.insert(item.ident.to_string());
        for member in &item.items {
            let TraitItem::Fn(method) = member else { continue };
            let name = method.sig.ident.to_string();
            if may_change(&method.sig) {
                self.changing.insert(name.clone());
            }
            if let ReturnType::Type(_, ty) = &method.sig.output {
                self.trait_methods.insert((item.ident.to_string(), name), (**ty).clone());
            }
        }
    }

    /// The type of the result of a method of a trait object.
    pub(super) fn trait_method(&self, object: &Type, name: &str) -> Option<&Type> {
        of_object(&self.trait_methods, object, name)
    }

    /// The answers that a method of a trait object may give; `None` if they are not known.
    pub(super) fn trait_answers(&self, object: &Type, name: &str) -> Option<&Vec<TraitConstant>> {
        of_object(&self.trait_answers, object, name)
    }

    fn implementation(&mut self, block: &syn::ItemImpl) {
        let Some(name) = head(&block.self_ty) else { return };
        let of = block.trait_.as_ref().and_then(|(path, _)| path.segments.last());
        if of.is_some_and(|of| of.ident == "PartialEq") {
            self.compared.insert(name.clone());
            // Also a type that is compared with it from the other side.
            if let Some(syn::PathArguments::AngleBracketed(list)) = of.map(|of| &of.arguments) {
                self.compared.extend(list.args.iter().filter_map(|argument| match argument {
                    syn::GenericArgument::Type(ty) => head(ty),
                    _ => None,
                }));
            }
        }
        for item in &block.items {
            match item {
                ImplItem::Fn(method) => {
                    if may_change(&method.sig) {
                        self.changed_by_methods.insert(name.clone());
                        self.changing.insert(method.sig.ident.to_string());
                    }
                    if block.trait_.is_some() {
                        self.implemented.insert((name.clone(), method.sig.ident.to_string()));
                    }
                    if block.trait_.is_none() {
                        self.function(Some(name.clone()), &method.sig, &method.block);
                    } else if method.sig.ident == "default"
                        && let [syn::Stmt::Expr(Expr::Struct(literal), None)] = &method.block.stmts[..]
                        && literal.rest.is_none()
                    {
                        self.defaults.insert(name.clone(), literal.clone());
                    }
                }
                ImplItem::Type(ty) if block.trait_.is_some() => {
                    self.types.entry(ty.ident.to_string()).or_default().push(ty.ty.clone());
                }
                ImplItem::Const(constant) if block.trait_.is_none() => {
                    let known = (constant.ty.clone(), constant.expr.clone());
                    self.constants.insert((Some(name.clone()), constant.ident.to_string()), known);
                }
                _ => {}
            }
        }
    }

    fn function(&mut self, of: Option<String>, signature: &Signature, body: &syn::Block) {
        let name = signature.ident.to_string();
        if let Some(of) = &of {
            self.methods.entry(name.clone()).or_default().insert(of.clone());
        }
        let parameters = signature.inputs.iter().map(|input| match input {
            FnArg::Receiver(receiver) => match &receiver.kind {
                ReceiverKind::Value => parse_quote!(Self),
                ReceiverKind::Reference(_, _, None) => parse_quote!(&Self),
                _ => parse_quote!(&mut Self),
            },
            FnArg::Typed(typed) => (*typed.ty).clone(),
        });
        let returns = match &signature.output {
            ReturnType::Type(_, ty) => Some((**ty).clone()),
            ReturnType::Default => None,
        };
        let is_method = signature.receiver().is_some();
        let name_of = |input: &FnArg| match input {
            FnArg::Receiver(_) => Some("self".to_string()),
            FnArg::Typed(typed) => constant_binding(&typed.pat),
        };
        let names: Option<Vec<String>> = signature.inputs.iter().map(name_of).collect();
        let formula = match &body.stmts[..] {
            [syn::Stmt::Expr(value, None)] => names.map(|names| (names, value.clone())),
            _ => None,
        };
        let function = Function { parameters: parameters.collect(), returns, is_method, formula, is_one: true };
        let key = (of, name);
        match self.functions.get_mut(&key) {
            Some(other) => other.is_one = false,
            None => _ = self.functions.insert(key, function),
        }
    }

    fn add_trait_constants(&mut self, items: &[Item]) {
        let mut defaults: BTreeMap<String, Vec<(String, Type, Option<Expr>)>> = BTreeMap::new();
        for item in items {
            if let Item::Trait(item) = item {
                let constants = item.items.iter().filter_map(|member| match member {
                    TraitItem::Const(it) => {
                        Some((it.ident.to_string(), it.ty.clone(), it.default.as_ref().map(|(_, value)| value.clone())))
                    }
                    _ => None,
                });
                defaults.insert(item.ident.to_string(), constants.collect());
            }
        }
        for item in items {
            let Item::Impl(block) = item else { continue };
            let Some(of) = block.trait_.as_ref().and_then(|(path, _)| path.segments.last()) else { continue };
            let of = of.ident.to_string();
            for (name, ty, default) in defaults.get(&of).into_iter().flatten() {
                let own = block.items.iter().find_map(|member| match member {
                    ImplItem::Const(constant) if constant.ident == name => Some(constant.expr.clone()),
                    _ => None,
                });
                let Some(value) = own.or(default.clone()) else { continue };
                let constant = TraitConstant { of: (of.clone(), (*block.self_ty).clone()), ty: ty.clone(), value };
                self.trait_constants.entry(name.clone()).or_default().push(constant);
            }
        }
    }

    fn add_trait_answers(&mut self, items: &[Item]) {
        for of in items.iter().filter_map(|item| if let Item::Trait(of) = item { Some(of) } else { None }) {
            let name = of.ident.to_string();
            for method in of.items.iter().filter_map(|member| match member {
                TraitItem::Fn(method) if method.sig.receiver().is_some() && method.sig.inputs.len() == 1 => {
                    Some(method)
                }
                _ => None,
            }) {
                if let Some(all) = answers(items, &name, method) {
                    self.trait_answers.insert((name.clone(), method.sig.ident.to_string()), all);
                }
            }
        }
    }

    /// A type, where it is that of a trait and all implementations agree.
    pub(super) fn associated<'t>(&'t self, ty: &'t Type) -> Option<&'t Type> {
        let Type::Path(path) = target(ty) else { return Some(ty) };
        let name = path.path.segments.last().filter(|_| path.path.segments.len() == 2 || path.qself.is_some());
        let Some(all) = name.and_then(|name| self.types.get(&name.ident.to_string())) else { return Some(ty) };
        let (first, others) = all.split_first()?;
        others.iter().all(|other| other == first).then_some(first)
    }

    /// The struct that a value of a type is, if it has a field of this name itself.
    pub(super) fn owner(&self, ty: Option<&Type>, field: &str) -> Option<String> {
        head(ty?).filter(|of| self.structs.get(of).is_some_and(|fields| fields.contains_key(field)))
    }

    /// The type of a part of a struct without field names.
    pub(super) fn part(&self, of: &Type, at: usize) -> Option<&Type> {
        self.parts.get(&head(of)?)?.get(at)
    }

    /// The type of a field.
    pub(super) fn field(&self, of: &Type, name: &str) -> Option<&Type> {
        self.structs.get(&head(of)?)?.get(name)
    }
}

/// The entry of a method of a trait object.
fn of_object<'m, T>(methods: &'m BTreeMap<(String, String), T>, object: &Type, name: &str) -> Option<&'m T> {
    let Type::TraitObject(object) = target(object) else { return None };
    object.bounds.iter().find_map(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => {
            let of = bound.path.segments.last()?.ident.to_string();
            methods.get(&(of, name.to_string()))
        }
        _ => None,
    })
}

/// The expressions that are a method of a trait in its implementations; `None` if it is more than that in one of them.
fn answers(items: &[Item], of: &str, method: &TraitItemFn) -> Option<Vec<TraitConstant>> {
    let ReturnType::Type(_, ty) = &method.sig.output else { return None };
    let mut all = Vec::new();
    for item in items {
        let Item::Impl(block) = item else { continue };
        let is_of_trait = |(path, _): &(syn::Path, _)| path.segments.last().is_some_and(|last| last.ident == of);
        if !block.trait_.as_ref().is_some_and(is_of_trait) {
            continue;
        }
        let own = block.items.iter().find_map(|member| match member {
            ImplItem::Fn(own) if own.sig.ident == method.sig.ident => Some(&own.block),
            _ => None,
        });
        let [syn::Stmt::Expr(value, None)] = &own.or(method.default.as_ref())?.stmts[..] else { return None };
        let of = (of.to_string(), (*block.self_ty).clone());
        all.push(TraitConstant { of, ty: (**ty).clone(), value: value.clone() });
    }
    Some(all)
}

/// Returns true if a function is `catch_unwind(AssertUnwindSafe(parameter))`, perhaps with another error.
fn catches_panics(item: &syn::ItemFn) -> bool {
    let [syn::Stmt::Expr(value, None)] = &item.block.stmts[..] else { return false };
    let caught = match value {
        Expr::MethodCall(call) if call.method == "map_err" => &call.receiver,
        value => value,
    };
    let called = argument_of(caught, "catch_unwind").and_then(|wrapped| argument_of(wrapped, "AssertUnwindSafe"));
    match (called, item.sig.inputs.first()) {
        (Some(Expr::Path(called)), Some(FnArg::Typed(given))) => {
            let given = constant_binding(&given.pat);
            item.sig.inputs.len() == 1 && given.is_some_and(|given| called.path.is_ident(&given))
        }
        _ => false,
    }
}

/// The argument of a call of a function with one parameter.
fn argument_of<'e>(call: &'e Expr, function: &str) -> Option<&'e Expr> {
    let Expr::Call(call) = call else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let is_it = path.path.segments.last()?.ident == function && call.args.len() == 1;
    call.args.first().filter(|_| is_it)
}

/// Returns true if a method may change what it is called on.
fn may_change(signature: &Signature) -> bool {
    match signature.inputs.first() {
        Some(FnArg::Receiver(receiver)) => {
            !matches!(receiver.kind, ReceiverKind::Value | ReceiverKind::Reference(_, _, None))
        }
        _ => false,
    }
}

fn derives(attributes: &[syn::Attribute], name: &str) -> bool {
    let mut derives = false;
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        let list = attribute.parse_nested_meta(|meta| {
            derives |= meta.path.is_ident(name);
            Ok(())
        });
        derives |= list.is_err();
    }
    derives
}

/// The name of the type that a type dereferences to. A type of the standard library that is written with its path keeps
/// the path, because the file may have a type of that name.
pub(super) fn head(ty: &Type) -> Option<String> {
    let Type::Path(path) = target(ty) else { return None };
    let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    match &names[..] {
        [library, ..] if matches!(&**library, "std" | "core" | "alloc") => Some(names.join("::")),
        _ => names.last().cloned(),
    }
}

/// The type that a type dereferences to.
pub(super) fn target(ty: &Type) -> &Type {
    match ty {
        Type::Reference(inner) => target(&inner.elem),
        Type::Paren(inner) => target(&inner.elem),
        Type::Group(inner) => target(&inner.elem),
        Type::Path(path) => match path.path.segments.last() {
            Some(last) if last.ident == "Arc" || last.ident == "Box" => first_argument(last).map_or(ty, target),
            _ => ty,
        },
        _ => ty,
    }
}

/// A reference that may change what it refers to.
pub(super) fn mutable(ty: Type) -> Type {
    Type::Reference(syn::TypeReference {
        attrs: Vec::new(),
        and_token: Default::default(),
        lifetime: None,
        mutability: Some(Default::default()),
        elem: Box::new(ty),
    })
}

/// The type of the elements of a list.
pub(super) fn element(ty: &Type) -> Option<&Type> {
    match target(ty) {
        Type::Array(list) => Some(&list.elem),
        Type::Slice(list) => Some(&list.elem),
        Type::Path(path) => path
            .path
            .segments
            .last()
            .filter(|last| last.ident == "Vec" || last.ident == "Option")
            .and_then(first_argument),
        _ => None,
    }
}

fn first_argument(segment: &syn::PathSegment) -> Option<&Type> {
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The name of a pattern that binds one variable which does not change.
pub(super) fn constant_binding(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(it) if it.by_ref.is_none() && it.mutability.is_none() && it.subpat.is_none() => {
            Some(it.ident.to_string())
        }
        Pat::Type(typed) => constant_binding(&typed.pat),
        _ => None,
    }
}
