//! Settings that are fixed in the program as constants: expressions of one value give way to it, and branches that are
//! never taken go.
//!
//! The fields of structs, the parameters and the results of functions are followed through the whole program, by the
//! conditional constant propagation of Wegman and Zadeck (1991).

mod arithmetic;
mod atomics;
mod branches;
mod calls;
mod due;
mod facts;
mod idle;
mod patterns;
mod places;
mod program;
mod rest;
mod type_names;
mod unread;
mod value;
mod variants;
mod walker;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{FnArg, ImplItem, Item, Signature, TraitItem, Type};

use crate::prune::effects::Purity;
use crate::shorten::names::count;
use due::Due;
use facts::Facts;
use program::{FunctionName, Program, constant_binding, head, mutable};
pub(crate) use value::INTEGERS;
use value::Known;
use walker::{Found, Walker};

pub(crate) use rest::write_out_defaults;

/// The trait and the type of an implementation.
pub(crate) type ImplementationName = (String, String);

/// The implementations of text for types that have a text form: what is written can be read. Settings that are fixed
/// are neither written nor read, and their defaults are written out.
pub(crate) fn text_forms(file: &mut syn::File) -> BTreeSet<ImplementationName> {
    let all: BTreeSet<ImplementationName> = implementations(file).collect();
    let mut with_defaults = Vec::new();
    traits_with_defaults(file, &mut |item| with_defaults.push(item.ident.to_string()));
    let has = |of: &str, ty: &str| all.contains(&(of.to_string(), ty.to_string()));
    let is_text = |of: &str, ty: &str| match of {
        "Display" => has("FromStr", ty),
        "FromStr" => has("Display", ty),
        "Default" => has("FromStr", ty) || with_defaults.iter().any(|of| has(of, ty)),
        _ => false,
    };
    all.iter().filter(|(of, ty)| is_text(of, ty)).cloned().collect()
}

/// The implementations of traits in a file.
pub(crate) fn implementations(file: &syn::File) -> impl Iterator<Item = ImplementationName> {
    file.items.iter().filter_map(|item| match item {
        Item::Impl(block) => implementation_name(block),
        _ => None,
    })
}

/// The traits of the file whose types have to have a default value.
fn traits_with_defaults(file: &mut syn::File, visit: &mut dyn FnMut(&mut syn::ItemTrait)) {
    for item in &mut file.items {
        let is_default = |bound: &syn::TypeParamBound| match bound {
            syn::TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| last.ident == "Default"),
            _ => false,
        };
        if let Item::Trait(item) = item
            && item.supertraits.iter().any(is_default)
        {
            visit(item);
        }
    }
}

/// Removes implementations of traits, and the demand for a default value.
pub(crate) fn remove_implementations(file: &mut syn::File, names: &BTreeSet<ImplementationName>) {
    traits_with_defaults(file, &mut |item| {
        crate::tree::retain(&mut item.supertraits, &mut |bound| match bound {
            syn::TypeParamBound::Trait(bound) => bound.path.segments.last().is_none_or(|last| last.ident != "Default"),
            _ => true,
        });
    });
    file.items.retain(|item| match item {
        Item::Impl(block) => implementation_name(block).is_none_or(|name| !names.contains(&name)),
        _ => true,
    });
}

fn implementation_name(block: &syn::ItemImpl) -> Option<ImplementationName> {
    let (of, _) = block.trait_.as_ref()?;
    Some((of.segments.last()?.ident.to_string(), head(&block.self_ty)?))
}

/// Returns true if a path begins with a crate of the standard library.
fn is_of_std(path: &syn::Path) -> bool {
    let first = path.segments.first().map(|first| first.ident.to_string()).unwrap_or_default();
    path.segments.len() > 1 && ["std", "core", "alloc"].contains(&first.as_str())
}

/// Returns true if the type of a result is not written out.
fn tells_type_in_body(output: &syn::ReturnType) -> bool {
    let mut words = BTreeMap::new();
    count(output.to_token_stream(), &mut words);
    words.contains_key("impl")
}

/// The most walks through a program or through the code in it that is due.
const MOST_WALKS: usize = 200;

/// Folds what has one value. Returns the number of expressions that went.
///
/// Implementations in `unused` are taken to be never called. The caller has to see that they go.
pub(crate) fn fold(file: &mut syn::File, unused: &BTreeSet<ImplementationName>) -> usize {
    let program = Program::of(&file.items);
    let purity = Purity::of(file);
    let mut facts = Facts::of(&program);
    facts.due = Due::of(&file.items);
    facts.mention("main");
    for name in type_names::type_names(&file.items) {
        walker(&program, &purity, unused, &mut facts, false).unknown_name(&name);
    }
    let mut walks_all = true;
    for _ in 0..MOST_WALKS {
        facts.has_changed = false;
        facts.constants.clear();
        facts.due.begin(walks_all);
        walk_program(file, &program, &purity, unused, &mut facts, false);
        // A walk through all sees what depends on something by way of a constant that is worked out once.
        let has_walked_all = std::mem::replace(&mut walks_all, facts.due.is_empty());
        if has_walked_all && !facts.has_changed {
            facts.due.begin(true);
            facts.reads.clear();
            walk_program(file, &program, &purity, unused, &mut facts, true);
            if facts.folded == 0 {
                let unread = unread::unread(&file.items, &program, &facts.reads);
                facts.folded += unread.len();
                walker(&program, &purity, unused, &mut facts, true).without(unread, file);
            }
            return facts.folded;
        }
    }
    0
}

fn walk_program(
    file: &mut syn::File,
    program: &Program,
    purity: &Purity,
    unused: &BTreeSet<ImplementationName>,
    facts: &mut Facts,
    rewrites: bool,
) {
    let mut walker = walker(program, purity, unused, facts, rewrites);
    file.items.iter_mut().for_each(|item| walker.item(item));
}

fn walker<'p>(
    program: &'p Program,
    purity: &'p Purity,
    unused: &'p BTreeSet<ImplementationName>,
    facts: &'p mut Facts,
    rewrites: bool,
) -> Walker<'p> {
    Walker {
        program,
        purity,
        unused,
        facts,
        scopes: Vec::new(),
        this: None,
        returns: Known::Never,
        rewrites,
        unread: BTreeSet::new(),
        under_way: Vec::new(),
    }
}

impl Walker<'_> {
    /// Takes out fields that are never read.
    fn without(mut self, unread: BTreeSet<unread::FieldName>, file: &mut syn::File) {
        if !unread.is_empty() {
            self.unread = unread;
            self.facts.due.begin(true);
            file.items.iter_mut().for_each(|item| self.item(item));
            unread::remove_declared(&mut file.items, &self.unread);
        }
    }

    /// Returns true if code is walked through: that which may run, and in the end all.
    fn is_walked(&self, is_mentioned: bool) -> bool {
        is_mentioned || self.rewrites
    }

    /// Returns true if a function is walked through. The body of one that is never called goes.
    fn walks_or_empties(&mut self, is_reached: bool, signature: &Signature, body: &mut syn::Block) -> bool {
        let gone: syn::Block = syn::parse_quote!({ unreachable!() });
        // A type that only the body tells has to stay, and the compiler calls a constant function where it likes.
        let stays = signature.constness.is_some() || tells_type_in_body(&signature.output);
        if is_reached || !self.rewrites || *body == gone || stays {
            return self.is_walked(is_reached);
        }
        *body = gone;
        self.facts.folded += 1;
        false
    }

    fn item(&mut self, item: &mut Item) {
        if !matches!(item, Item::Impl(_) | Item::Trait(_)) && !self.facts.due.take_next() {
            return;
        }
        match item {
            Item::Fn(item) => {
                let name = item.sig.ident.to_string();
                if self.walks_or_empties(self.facts.mentioned.contains(&name), &item.sig, &mut item.block) {
                    self.function((None, name), &item.sig, &mut item.block, true);
                }
            }
            Item::Const(item) if self.is_walked(self.facts.mentioned.contains(&item.ident.to_string())) => {
                self.walk(&mut item.expr);
            }
            Item::Static(item) => _ = self.walk(&mut item.expr),
            Item::Impl(block) => self.implementation(block),
            Item::Trait(block) => {
                for member in &mut block.items {
                    if !self.facts.due.take_next() {
                        continue;
                    }
                    if let TraitItem::Const(syn::TraitItemConst { default: Some((_, value)), .. }) = member {
                        self.walk(value);
                    }
                    if let TraitItem::Fn(method) = member
                        && let Some(body) = &mut method.default
                        && self.walks_or_empties(
                            self.facts.members.contains(&method.sig.ident.to_string()),
                            &method.sig,
                            body,
                        )
                    {
                        self.function((None, String::new()), &method.sig, body, false);
                    }
                }
            }
            Item::Macro(call) => self.unknown_tokens(call.mac.tokens.clone()),
            _ => {}
        }
    }

    fn implementation(&mut self, block: &mut syn::ItemImpl) {
        self.this = Some((*block.self_ty).clone());
        let of = head(&block.self_ty);
        let is_unused = implementation_name(block).is_some_and(|name| self.unused.contains(&name));
        let is_own = block.trait_.is_none();
        for member in &mut block.items {
            if !self.facts.due.take_next() {
                continue;
            }
            match member {
                ImplItem::Fn(method) => {
                    let name = method.sig.ident.to_string();
                    // The standard library may call its traits' methods at any time.
                    let is_foreign = block.trait_.as_ref().is_some_and(|(path, _)| self.is_foreign(path));
                    let is_sure =
                        || of.clone().is_some_and(|of| self.facts.members_of_types.contains(&(of, name.clone())));
                    let is_mentioned = self.facts.members.contains(&name) || is_sure();
                    let is_reached = !is_unused && (is_foreign || is_mentioned);
                    if self.walks_or_empties(is_reached, &method.sig, &mut method.block) {
                        self.function((of.clone(), name), &method.sig, &mut method.block, is_own && of.is_some());
                    }
                }
                ImplItem::Const(constant)
                    if self.is_walked(self.facts.members.contains(&constant.ident.to_string())) =>
                {
                    self.walk(&mut constant.expr);
                }
                _ => {}
            }
        }
        self.this = None;
    }

    /// Returns true if a trait is none of the file's.
    fn is_foreign(&self, path: &syn::Path) -> bool {
        is_of_std(path)
            || path.segments.last().is_none_or(|last| !self.program.traits.contains(&last.ident.to_string()))
    }

    /// Walks through a function, whose parameters are known where all its calls are.
    fn function(&mut self, name: FunctionName, signature: &Signature, body: &mut syn::Block, is_known: bool) {
        let is_known = is_known && self.program.functions.get(&name).is_some_and(|function| function.is_one);
        self.scopes = vec![BTreeMap::new()];
        self.returns = Known::Never;
        for (at, input) in signature.inputs.iter().enumerate() {
            match input {
                FnArg::Receiver(receiver) => {
                    let this = self.this.clone().map(|this| match receiver.kind {
                        syn::ReceiverKind::Reference(_, _, Some(_)) => mutable(this),
                        _ => this,
                    });
                    let is_value = !matches!(receiver.kind, syn::ReceiverKind::Reference(_, _, Some(_)));
                    let known = match self.facts.parameters.get(&(name.clone(), at)) {
                        known if is_known && is_value && receiver.mutability.is_none() => {
                            known.cloned().unwrap_or_default()
                        }
                        _ => Known::Varies,
                    };
                    self.declare("self".to_string(), Found { known, ty: this });
                }
                FnArg::Typed(typed) => {
                    let key = (name.clone(), at);
                    let changes = matches!(&*typed.ty, Type::Reference(it) if it.mutability.is_some());
                    let known = match self.facts.parameters.get(&key) {
                        _ if !is_known || changes => Known::Varies,
                        known => known.cloned().unwrap_or_default(),
                    };
                    match constant_binding(&typed.pat) {
                        Some(variable) => {
                            self.declare(variable, Found { known, ty: Some((*typed.ty).clone()) });
                        }
                        None => self.bind(&typed.pat, known, Some((*typed.ty).clone())),
                    }
                }
            }
        }
        let last = self.block(body);
        let returns = std::mem::take(&mut self.returns).join(last.known);
        if is_known {
            let has_value = !matches!(signature.output, syn::ReturnType::Default);
            self.facts.join_return(&name, if has_value { returns } else { Known::Varies });
        }
        self.scopes.clear();
    }

    /// An item inside of a function.
    fn inner_item(&mut self, item: &mut Item) {
        let scopes = std::mem::take(&mut self.scopes);
        let returns = std::mem::take(&mut self.returns);
        match item {
            Item::Const(constant) => _ = self.walk(&mut constant.expr),
            Item::Fn(function) => {
                let (signature, this) = (function.sig.clone(), self.this.take());
                self.function((None, String::new()), &signature, &mut function.block, false);
                self.this = this;
            }
            _ => self.unknown_tokens(quote::ToTokens::to_token_stream(item)),
        }
        (self.scopes, self.returns) = (scopes, returns);
        if let Item::Const(constant) = item {
            self.scopes.last_mut().map(|scope| scope.insert(constant.ident.to_string(), Found::varies(None)));
        }
    }

    /// A name that may be called and changed.
    fn unknown_name(&mut self, name: &str) {
        self.facts.mention(name);
        self.facts.mention_member(name);
        self.vary_fields(name);
        self.vary_functions(name, None);
    }

    /// Code that is not read: each name in it may be called and changed.
    fn unknown_tokens(&mut self, tokens: TokenStream) {
        let mut in_std = false;
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.unknown_tokens(group.stream()),
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    in_std |= name == "std";
                    if !in_std {
                        self.unknown_name(&name);
                    }
                    continue;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => continue,
                _ => {}
            }
            in_std = false;
        }
    }
}
