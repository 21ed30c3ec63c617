//! The names that a file defines itself.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::{Fields, Ident, Item};

use crate::arguments::{captured, matches_as_match, visit_arguments};
use crate::visit::{self, Visit};

/// A kind of name. Names of two kinds never meet, so they may be spelled alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Space {
    Type,
    Value,
    /// Variants, and members of traits and implementations.
    Member,
    Field,
    Macro,
}

impl Space {
    pub(crate) const ALL: [Space; 5] = [Space::Type, Space::Value, Space::Member, Space::Field, Space::Macro];
}

/// The names that a file defines.
#[derive(Default)]
pub(crate) struct Names {
    pub defined: BTreeSet<(Space, String)>,
    /// Values that are meant where a pattern names them, and variants, with which no variable shares a name.
    pub constants: BTreeSet<String>,
    /// Structs that are types and values, imports, of which only the compiler knows the kind, and constants that are
    /// arguments of types.
    pub linked: BTreeSet<String>,
    /// Arguments of types, of which only the definition tells if they are constants.
    arguments: BTreeSet<String>,
    /// Names among tokens that are no expressions, so that their kind is not known.
    pub opaque: BTreeSet<String>,
    /// Variables.
    pub locals: BTreeSet<String>,
    /// Members that a trait of the standard library names.
    pub of_std: BTreeSet<String>,
    traits: BTreeSet<String>,
}

impl Names {
    pub(crate) fn of(file: &syn::File) -> Names {
        let traits = file.items.iter().filter_map(trait_name).collect();
        let mut names = Names { traits, ..Names::default() };
        names.visit_file(file);
        // Where the kind of a variable is not known, it has one name in the whole file.
        for name in names.opaque.intersection(&names.locals) {
            names.defined.insert((Space::Value, name.clone()));
        }
        for name in std::mem::take(&mut names.arguments) {
            if names.defines(Space::Value, &name) {
                names.defined.insert((Space::Type, name.clone()));
                names.linked.insert(name);
            }
        }
        names
    }

    pub(crate) fn defines(&self, space: Space, name: &str) -> bool {
        self.defined.contains(&(space, name.to_string()))
    }

    fn add(&mut self, space: Space, name: &Ident) {
        self.defined.insert((space, name.to_string()));
    }

    fn constant(&mut self, space: Space, name: &Ident) {
        self.add(space, name);
        self.constants.insert(name.to_string());
    }

    /// Adds a name that is a type and a value.
    fn both(&mut self, name: &Ident) {
        self.add(Space::Type, name);
        self.constant(Space::Value, name);
        self.linked.insert(name.to_string());
    }

    fn of_member(&mut self, name: &Ident, of_own: bool) {
        if of_own {
            self.add(Space::Member, name);
        } else {
            self.of_std.insert(name.to_string());
        }
    }
}

fn trait_name(item: &Item) -> Option<String> {
    match item {
        Item::Trait(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

/// Counts the words among tokens, and those that format strings capture.
pub(crate) fn count(tokens: TokenStream, counts: &mut BTreeMap<String, usize>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => count(group.stream(), counts),
            TokenTree::Ident(name) => *counts.entry(name.to_string()).or_default() += 1,
            TokenTree::Literal(literal) => {
                for name in captured(&literal.to_string()) {
                    *counts.entry(name).or_default() += 1;
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
}

/// The variables of an item or of a member.
pub(super) fn variables(visit: impl FnOnce(&mut Names)) -> BTreeSet<String> {
    let mut names = Names::default();
    visit(&mut names);
    names.locals
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Const(item) => self.constant(Space::Value, &item.ident),
            Item::Static(item) => self.constant(Space::Value, &item.ident),
            Item::Fn(item) => self.add(Space::Value, &item.sig.ident),
            Item::Struct(item) => match item.fields {
                Fields::Named(_) => self.add(Space::Type, &item.ident),
                Fields::Unnamed(_) | Fields::Unit => self.both(&item.ident),
            },
            Item::Enum(item) => self.add(Space::Type, &item.ident),
            Item::Trait(item) => self.add(Space::Type, &item.ident),
            Item::Type(item) => self.add(Space::Type, &item.ident),
            Item::Macro(syn::ItemMacro { ident: Some(name), .. }) => self.add(Space::Macro, name),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let of_own = block.trait_.as_ref().is_none_or(|(path, _)| {
            path.segments.last().is_some_and(|last| self.traits.contains(&last.ident.to_string()))
        });
        for item in &block.items {
            match item {
                syn::ImplItem::Const(item) => self.of_member(&item.ident, of_own),
                syn::ImplItem::Fn(item) => self.of_member(&item.sig.ident, of_own),
                syn::ImplItem::Type(item) => self.of_member(&item.ident, of_own),
                _ => {}
            }
        }
        visit::visit_item_impl(self, block);
    }

    fn visit_trait_item(&mut self, item: &'ast syn::TraitItem) {
        match item {
            syn::TraitItem::Const(item) => self.add(Space::Member, &item.ident),
            syn::TraitItem::Fn(item) => self.add(Space::Member, &item.sig.ident),
            syn::TraitItem::Type(item) => self.add(Space::Member, &item.ident),
            _ => {}
        }
        visit::visit_trait_item(self, item);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(name) = &field.ident {
            self.add(Space::Field, name);
        }
        visit::visit_field(self, field);
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.constant(Space::Member, &variant.ident);
        visit::visit_variant(self, variant);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        // `None` and the like are no variables.
        if !pattern.ident.to_string().starts_with(char::is_uppercase) {
            self.locals.insert(pattern.ident.to_string());
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_type_param(&mut self, parameter: &'ast syn::TypeParam) {
        self.add(Space::Type, &parameter.ident);
        visit::visit_type_param(self, parameter);
    }

    fn visit_const_param(&mut self, parameter: &'ast syn::ConstParam) {
        self.constant(Space::Value, &parameter.ident);
        visit::visit_const_param(self, parameter);
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        if let syn::GenericArgument::Type(syn::Type::Path(path)) = argument
            && let Some(name) = path.path.get_ident()
        {
            self.arguments.insert(name.to_string());
        }
        visit::visit_generic_argument(self, argument);
    }

    fn visit_use_tree(&mut self, tree: &'ast syn::UseTree) {
        match tree {
            syn::UseTree::Name(name) => self.both(&name.ident),
            syn::UseTree::Rename(name) if name.rename != "_" => self.both(&name.rename),
            _ => visit::visit_use_tree(self, tree),
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        if let Some(choice) = matches_as_match(call) {
            return visit::visit_expr(self, &choice);
        }
        if !visit_arguments(&mut call.clone(), &mut |argument| self.visit_expr(argument)) {
            let mut words = BTreeMap::new();
            count(call.tokens.clone(), &mut words);
            self.opaque.extend(words.into_keys());
        }
    }
}
