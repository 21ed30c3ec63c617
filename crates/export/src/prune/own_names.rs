//! Names of their own for methods of different types, so that each of these names stands for one method. Methods of
//! traits, and of types that dereference to others, keep theirs.
//!
//! The compiler finds the calls: it names the type on which it misses a method.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, ImplItem, Item, TraitItem, Type};

use super::compiler::{Compiler, Diagnostic, has_error};
use super::effects;
use super::gone_parts::name_of;
use super::parse;
use super::removal::start;
use crate::arguments::{visit_arguments, visit_matches};
use crate::fault::ExportError;
use crate::print::lines::{join, lines};
use crate::visit_mut::{self, VisitMut};
use crate::words::words;

/// The text between the old name of a method and its type.
const MARK: &str = "_boughs_of_";

/// The most rounds of missed calls: a call behind another one is found once that one is.
const MOST_ROUNDS: usize = 16;

/// The traits of the standard library whose methods are listed below.
const PLAIN_TRAITS: [&str; 14] = [
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Display",
    "Drop",
    "Eq",
    "Error",
    "From",
    "Hash",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Sync",
];

/// Methods of those traits and of traits that all types have.
const DERIVED: [&str; 27] = [
    "borrow",
    "borrow_mut",
    "cause",
    "clamp",
    "clone",
    "clone_from",
    "clone_into",
    "cmp",
    "default",
    "description",
    "eq",
    "fmt",
    "ge",
    "gt",
    "hash",
    "into",
    "le",
    "lt",
    "max",
    "min",
    "ne",
    "partial_cmp",
    "source",
    "to_owned",
    "to_string",
    "try_into",
    "type_id",
];

/// A type and its method.
type Method = (String, String);

/// Gives methods names of their own where types share a name, or share it with the standard library. The file stays as
/// it is if the compiler does not find all calls.
pub(super) fn give(file: syn::File, compiler: &Compiler) -> Result<syn::File, ExportError> {
    let types = Types::of(&file);
    let names = types.names(&file);
    if names.is_empty() {
        return Ok(file);
    }
    let mut renamed = file.clone();
    Definitions { types: &types, names: &names, this: None }.visit_file_mut(&mut renamed);
    for _ in 0..MOST_ROUNDS {
        let lines = lines(&renamed);
        let text = join(&lines);
        renamed = parse(&text)?;
        let diagnostics = compiler.check(&lines)?;
        if !has_error(&diagnostics) {
            return Ok(renamed);
        }
        let missed = diagnostics.iter().filter(|diagnostic| diagnostic.code == "E0599");
        let own_name = |missed: &Diagnostic| {
            let place = missed.spans.first()?;
            Some((place.start, name_of_missed(text.get(place.clone())?, &missed.message, &names)?))
        };
        let found: BTreeMap<usize, &String> = missed.filter_map(own_name).collect();
        if found.is_empty() {
            break;
        }
        Calls(&found).visit_file_mut(&mut renamed);
    }
    Ok(file)
}

/// Gives methods their first names again, where their types have no other method of the name by now.
pub(crate) fn take_back(file: syn::File) -> Result<syn::File, ExportError> {
    let kept = ambiguous(&file);
    syn::parse2(first_names(file.to_token_stream(), &kept))
        .map_err(|error| ExportError::new(format!("the merged file cannot be read: {error}")))
}

/// The name that a method had at first.
pub(super) fn first_name(name: &str) -> &str {
    name.split_once(MARK).map_or(name, |(first, _)| first)
}

/// The names of methods whose first names their types have twice, or have from a trait.
fn ambiguous(file: &syn::File) -> BTreeSet<String> {
    let types = Types::of(file);
    let mut methods: BTreeMap<(String, String), BTreeSet<String>> = BTreeMap::new();
    for item in &file.items {
        let Item::Impl(block) = item else { continue };
        let of = types.head(&block.self_ty).unwrap_or_default();
        for member in &block.items {
            if let ImplItem::Fn(method) = member {
                let name = method.sig.ident.to_string();
                methods.entry((of.clone(), first_name(&name).to_string())).or_default().insert(name);
            }
        }
    }
    let is_ambiguous =
        |((_, first), names): &(&(String, String), &BTreeSet<String>)| names.len() > 1 || types.shared.contains(first);
    methods.iter().filter(is_ambiguous).flat_map(|(_, names)| names.iter().cloned()).collect()
}

fn first_names(tokens: TokenStream, kept: &BTreeSet<String>) -> TokenStream {
    let token = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut inner = Group::new(group.delimiter(), first_names(group.stream(), kept));
            inner.set_span(group.span());
            TokenTree::Group(inner)
        }
        TokenTree::Ident(name) => match name.to_string().split_once(MARK) {
            Some((first, _)) if !kept.contains(&name.to_string()) => TokenTree::Ident(Ident::new(first, name.span())),
            _ => TokenTree::Ident(name),
        },
        token => token,
    };
    tokens.into_iter().map(token).collect()
}

/// The new name of a method that an error misses, which quotes the type.
fn name_of_missed<'n>(method: &str, error: &str, names: &'n BTreeMap<Method, String>) -> Option<&'n String> {
    // The receiver comes before what it holds.
    let quoted = error.split('`').skip(1).step_by(2);
    quoted.flat_map(words).find_map(|word| names.get(&(word.to_string(), method.to_string())))
}

/// The types of a file.
struct Types {
    /// The types that other names stand for.
    aliases: BTreeMap<String, String>,
    /// Types on which a method of another type or trait may be called.
    unclear: BTreeSet<String>,
    /// The methods of traits.
    shared: BTreeSet<String>,
}

impl Types {
    fn of(file: &syn::File) -> Types {
        let mut types = Types { aliases: BTreeMap::new(), unclear: BTreeSet::new(), shared: BTreeSet::new() };
        types.shared.extend(DERIVED.map(str::to_string));
        let mut own_traits = BTreeSet::new();
        for item in &file.items {
            match item {
                Item::Type(item) => {
                    types.aliases.extend(name_of(&item.ty).map(|ty| (item.ident.to_string(), ty)));
                }
                Item::Trait(item) => {
                    own_traits.insert(item.ident.to_string());
                    types.shared.extend(item.items.iter().filter_map(|member| match member {
                        TraitItem::Fn(method) => Some(method.sig.ident.to_string()),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
        for item in &file.items {
            let Item::Impl(block) = item else { continue };
            let Some(of) = block.trait_.as_ref().and_then(|(of, _)| of.segments.last()) else { continue };
            types.shared.extend(block.items.iter().filter_map(|member| match member {
                ImplItem::Fn(method) => Some(method.sig.ident.to_string()),
                _ => None,
            }));
            let of = of.ident.to_string();
            if !own_traits.contains(&of) && !PLAIN_TRAITS.contains(&of.as_str()) {
                types.unclear.extend(types.head(&block.self_ty));
            }
        }
        types
    }

    /// The name of a type that is none for another one.
    fn head(&self, ty: &Type) -> Option<String> {
        name_of(ty).map(|name| self.known_as(name))
    }

    fn known_as(&self, name: String) -> String {
        self.aliases.get(&name).cloned().unwrap_or(name)
    }

    /// New names for methods.
    fn names(&self, file: &syn::File) -> BTreeMap<Method, String> {
        // The types with a function of a name, and those of them where it is a method.
        let mut owners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut methods: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for item in &file.items {
            let Item::Impl(block) = item else { continue };
            let Some(of) = self.head(&block.self_ty).filter(|_| block.trait_.is_none()) else { continue };
            for member in &block.items {
                let ImplItem::Fn(function) = member else { continue };
                let name = function.sig.ident.to_string();
                owners.entry(name.clone()).or_default().insert(of.clone());
                if function.sig.receiver().is_some() {
                    methods.entry(name).or_default().insert(of.clone());
                }
            }
        }
        methods.retain(|name, of| {
            let is_clear = !self.shared.contains(name) && of.is_disjoint(&self.unclear) && !name.contains(MARK);
            is_clear && (owners.get(name).is_some_and(|owners| owners.len() > 1) || effects::is_of_std(name))
        });
        let mut names = BTreeMap::new();
        for (name, types) in methods {
            for of in types {
                let own = format!("{name}{MARK}{}", snake_case(&of));
                if !owners.contains_key(&own) {
                    names.insert((of, name.clone()), own);
                }
            }
        }
        names
    }
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    snake
}

/// Renames methods where they are defined, and where a path names their type.
struct Definitions<'a> {
    types: &'a Types,
    names: &'a BTreeMap<Method, String>,
    this: Option<String>,
}

impl Definitions<'_> {
    fn rename(&self, of: Option<&String>, name: &mut Ident) {
        let own = of.and_then(|of| self.names.get(&(of.clone(), name.to_string())));
        if let Some(own) = own {
            *name = Ident::new(own, name.span());
        }
    }
}

impl VisitMut for Definitions<'_> {
    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        let before = std::mem::replace(&mut self.this, self.types.head(&block.self_ty));
        if block.trait_.is_none() {
            for member in &mut block.items {
                if let ImplItem::Fn(method) = member
                    && method.sig.receiver().is_some()
                {
                    self.rename(self.this.as_ref(), &mut method.sig.ident);
                }
            }
        }
        visit_mut::visit_item_impl_mut(self, block);
        self.this = before;
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        if let Expr::Path(path) = expression
            && let Some(of) = path.path.segments.iter().rev().nth(1).map(|of| of.ident.to_string())
            && let Some(last) = path.path.segments.last_mut()
        {
            let of = if of == "Self" { self.this.clone() } else { Some(self.types.known_as(of)) };
            self.rename(of.as_ref(), &mut last.ident);
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if !visit_matches(call, &mut |choice| self.visit_expr_mut(choice)) {
            visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
        }
    }
}

/// Renames methods where they are called, by the beginnings of their names.
struct Calls<'a>(&'a BTreeMap<usize, &'a String>);

impl VisitMut for Calls<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        if let Expr::MethodCall(call) = expression
            && let Some(name) = self.0.get(&start(call.method.span()))
        {
            call.method = Ident::new(name, call.method.span());
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if !visit_matches(call, &mut |choice| self.visit_expr_mut(choice)) {
            visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
        }
    }
}
