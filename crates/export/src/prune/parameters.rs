//! Parameters that their functions do not read, and the arguments for them.
//!
//! The compiler counts arguments: where a call is missed, it does not take the file, and the function stays as it was.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, ImplItem, Item, Pat, Signature, Token, TraitItem, Type};

use super::compiler::Compiler;
use super::effects::Purity;
use super::{parse, remove, without_warnings};
use crate::arguments::{visit_arguments, visit_matches};
use crate::fault::ExportError;
use crate::print::lines::{join, lines};
use crate::tree::retain;
use crate::visit_mut::{self, VisitMut};
use crate::words::words;

/// The most rounds: an argument that goes may leave another parameter unread.
const MOST_ROUNDS: usize = 24;

/// The owner of functions that belong to no type.
const FREE: &str = "fn";

/// The name of a function, and the type that it belongs to where types share the name.
type Key = (Option<String>, String);

/// Removes the parameters that functions do not read, and the arguments for them.
pub fn without_unread_parameters(file: syn::File, edition: &'static str) -> Result<syn::File, ExportError> {
    without_unread(file, &Compiler::new(edition)?, &mut BTreeSet::new(), without_warnings)
}

/// The same, where `clean` takes what then is unused, and functions in `given_up` stay as they are.
pub(super) fn without_unread(
    mut file: syn::File,
    compiler: &Compiler,
    given_up: &mut BTreeSet<String>,
    clean: fn(syn::File, &Compiler) -> Result<syn::File, ExportError>,
) -> Result<syn::File, ExportError> {
    // True if something was removed since the last check.
    let mut is_new = false;
    for _ in 0..MOST_ROUNDS {
        let mut functions = Functions::default();
        functions.visit_file_mut(&mut file);
        let mut unread = functions.unread(&Copied::of(&file));
        let purity = Purity::of(&file);
        unread.retain(|(_, name), _| !given_up.contains(name));
        let mut effects = Calls { unread: &unread, purity: &purity, of: None, kept: BTreeSet::new(), acts: false };
        effects.visit_file_mut(&mut file);
        let kept = effects.kept;
        unread.retain(|key, _| !kept.contains(key));
        if unread.is_empty() && !is_new {
            return Ok(file);
        }
        if unread.is_empty() {
            file = clean(file, compiler)?;
            is_new = false;
            continue;
        }
        let mut fewer = file.clone();
        let mut calls = Calls { unread: &unread, purity: &purity, of: None, kept: BTreeSet::new(), acts: true };
        calls.visit_file_mut(&mut fewer);
        let lines = lines(&fewer);
        let diagnostics = compiler.check(&lines)?;
        let errors = || diagnostics.iter().filter(|diagnostic| diagnostic.is_error);
        if errors().next().is_none() {
            // What is unused now goes with the next parameters, before the next check.
            file = parse(&join(&lines))?;
            is_new = remove(&mut file, &diagnostics) > 0;
        } else if is_new {
            file = clean(file, compiler)?;
            is_new = false;
        } else {
            let told: BTreeSet<&str> = errors().flat_map(|error| words(&error.rendered)).collect();
            let is_told = unread.keys().any(|(_, name)| told.contains(name.as_str()));
            let names = unread.keys().map(|(_, name)| name.clone());
            given_up.extend(names.filter(|name| !is_told || told.contains(name.as_str())));
        }
    }
    clean(file, compiler)
}

/// The types whose values are copied, by their names.
pub(crate) struct Copied(BTreeSet<String>);

impl Copied {
    /// The types of a file, the primitive ones and some of the standard library.
    pub(crate) fn of(file: &syn::File) -> Copied {
        const OF_STD: [&str; 19] = [
            "bool", "char", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
            "u128", "usize", "Duration", "Instant", "Ordering",
        ];
        let derives = |attributes: &[syn::Attribute]| {
            let of_copy =
                |attribute: &syn::Attribute| words(&attribute.to_token_stream().to_string()).any(|it| it == "Copy");
            attributes.iter().any(|attribute| attribute.path().is_ident("derive") && of_copy(attribute))
        };
        let own = file.items.iter().filter_map(|item| match item {
            Item::Struct(item) if derives(&item.attrs) => Some(item.ident.to_string()),
            Item::Enum(item) if derives(&item.attrs) => Some(item.ident.to_string()),
            _ => None,
        });
        let mut copied = Copied(own.chain(OF_STD.map(str::to_string)).collect());
        for item in &file.items {
            if let Item::Type(item) = item
                && copied.has(&item.ty)
            {
                copied.0.insert(item.ident.to_string());
            }
        }
        copied
    }

    pub(crate) fn has(&self, ty: &Type) -> bool {
        match ty {
            Type::Reference(_) | Type::ImplTrait(_) => true,
            Type::Array(list) => self.has(&list.elem),
            Type::Tuple(parts) => parts.elems.iter().all(|part| self.has(part)),
            Type::Path(path) => path.path.segments.last().is_some_and(|last| self.0.contains(&last.ident.to_string())),
            _ => false,
        }
    }
}

/// The places of the parameters of a function that it does not read; the receiver is at place 0.
#[derive(Clone)]
struct Unread {
    count: usize,
    has_receiver: bool,
    places: BTreeMap<usize, Type>,
}

/// The functions of a file.
#[derive(Default)]
struct Functions {
    found: BTreeMap<Key, Vec<Unread>>,
    /// The traits and types that have a member of a name.
    owners: BTreeMap<String, BTreeSet<String>>,
}

impl Functions {
    fn add(&mut self, owner: &str, signature: &Signature) {
        let name = signature.ident.to_string();
        let places = signature.inputs.iter().enumerate().filter_map(|(at, input)| match input {
            FnArg::Typed(typed) if matches!(*typed.pat, Pat::Wild(_)) => Some((at, (*typed.ty).clone())),
            _ => None,
        });
        let (places, count) = (places.collect(), signature.inputs.len());
        let unread = Unread { count, has_receiver: signature.receiver().is_some(), places };
        if owner != FREE {
            self.owners.entry(name.clone()).or_default().insert(owner.to_string());
        }
        self.found.entry((Some(owner.to_string()), name)).or_default().push(unread);
    }

    /// Parameters that can go: where a name stands for several functions, the place has to be unread in each.
    fn unread(self, copied: &Copied) -> BTreeMap<Key, Unread> {
        let mut unread = BTreeMap::new();
        for ((owner, name), mut all) in self.found {
            let Some(mut first) = all.pop() else { continue };
            let are_alike = all.iter().all(|it| it.count == first.count && it.has_receiver == first.has_receiver);
            let is_free = owner.as_deref() == Some(FREE);
            let of_one = !is_free && self.owners.get(&name).is_some_and(|owners| owners.len() == 1);
            first.places.retain(|at, ty| copied.has(ty) && all.iter().all(|other| other.places.contains_key(at)));
            if are_alike && !first.places.is_empty() && (of_one || !first.has_receiver) {
                unread.insert((owner.filter(|_| !of_one), name), first);
            }
        }
        unread
    }
}

impl VisitMut for Functions {
    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.add(FREE, &item.sig);
        visit_mut::visit_item_fn_mut(self, item);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        let of_trait = block.trait_.as_ref().and_then(|(of, _)| of.segments.last()).map(|last| last.ident.to_string());
        let owner = of_trait.unwrap_or_else(|| head(&block.self_ty));
        for item in &block.items {
            if let ImplItem::Fn(method) = item {
                self.add(&owner, &method.sig);
            }
        }
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        for member in &item.items {
            if let TraitItem::Fn(method) = member {
                self.add(&item.ident.to_string(), &method.sig);
            }
        }
        visit_mut::visit_item_trait_mut(self, item);
    }
}

/// The name of a type.
fn head(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
        other => other.to_token_stream().to_string(),
    }
}

/// The calls of functions with unread parameters, and their signatures.
struct Calls<'a> {
    unread: &'a BTreeMap<Key, Unread>,
    purity: &'a Purity,
    /// The type or the trait whose members are visited.
    of: Option<String>,
    /// Functions that are given arguments with effects.
    kept: BTreeSet<Key>,
    /// Arguments and parameters go now.
    acts: bool,
}

impl Calls<'_> {
    /// The function that a name stands for behind the name of a type.
    fn find(&self, owner: Option<&str>, name: &str) -> Option<(Key, &Unread)> {
        let owner = if owner == Some("Self") { self.of.as_deref() } else { owner };
        let of_one = (owner != Some(FREE)).then(|| (None, name.to_string()));
        let mut keys = [(owner.map(str::to_string), name.to_string())].into_iter().chain(of_one);
        keys.find_map(|key| self.unread.get(&key).map(|unread| (key, unread)))
    }

    /// Leaves out arguments, of which the receiver is one or not.
    fn arguments(&mut self, found: Option<(Key, Unread)>, list: &mut Punctuated<Expr, Token![,]>, is_method: bool) {
        let Some((key, unread)) = found else { return };
        let before = usize::from(is_method);
        if list.len() + before != unread.count {
            return;
        }
        if !self.acts {
            let has_effects = |at: &usize| list.get(at - before).is_none_or(|given| self.purity.has_effects(given));
            if unread.places.keys().any(has_effects) {
                self.kept.insert(key);
            }
            return;
        }
        let mut at = before;
        retain(list, &mut |_| {
            at += 1;
            !unread.places.contains_key(&(at - 1))
        });
    }

    fn signature(&mut self, owner: &str, signature: &mut Signature) {
        let found = self.find(Some(owner), &signature.ident.to_string());
        if let Some((_, unread)) = found.filter(|(_, unread)| self.acts && unread.count == signature.inputs.len()) {
            let mut at = 0;
            retain(&mut signature.inputs, &mut |_| {
                at += 1;
                !unread.places.contains_key(&(at - 1))
            });
        }
    }
}

impl VisitMut for Calls<'_> {
    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        self.signature(FREE, &mut item.sig);
        visit_mut::visit_item_fn_mut(self, item);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        let of_trait = block.trait_.as_ref().and_then(|(of, _)| of.segments.last()).map(|last| last.ident.to_string());
        let owner = of_trait.unwrap_or_else(|| head(&block.self_ty));
        for item in &mut block.items {
            if let ImplItem::Fn(method) = item {
                self.signature(&owner, &mut method.sig);
            }
        }
        let before = self.of.replace(head(&block.self_ty));
        visit_mut::visit_item_impl_mut(self, block);
        self.of = before;
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        let owner = item.ident.to_string();
        for member in &mut item.items {
            if let TraitItem::Fn(method) = member {
                self.signature(&owner, &mut method.sig);
            }
        }
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        match expression {
            Expr::MethodCall(call) => {
                let found = self.find(None, &call.method.to_string()).filter(|(_, unread)| unread.has_receiver);
                let found = found.map(|(key, unread)| (key, unread.clone()));
                self.arguments(found, &mut call.args, true);
            }
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else { return };
                let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                let found = match names.as_slice() {
                    [.., owner, name] => self.find(Some(owner), name),
                    [name] => self.find(Some(FREE), name),
                    [] => None,
                };
                let found = found.map(|(key, unread)| (key, unread.clone()));
                self.arguments(found, &mut call.args, false);
            }
            _ => {}
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if !visit_matches(call, &mut |choice| self.visit_expr_mut(choice)) {
            visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
        }
    }
}
