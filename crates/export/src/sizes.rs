//! The room that each part of a file takes.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::{Item, Type};

use crate::print::compact;

/// The parts of a file with their characters, the largest first. A type comes with its implementations.
pub fn sizes(file: &syn::File) -> Vec<(String, usize)> {
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for item in &file.items {
        *sizes.entry(name(item)).or_default() += characters(item);
    }
    let mut sizes: Vec<(String, usize)> = sizes.into_iter().collect();
    sizes.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    sizes
}

/// The characters of each kind of item.
pub(crate) struct Room(BTreeMap<&'static str, isize>);

impl Room {
    pub(crate) fn of(file: &syn::File) -> Room {
        let mut room = BTreeMap::new();
        for item in &file.items {
            *room.entry(kind(item)).or_default() += characters(item) as isize;
        }
        Room(room)
    }

    pub(crate) fn total(&self) -> usize {
        self.0.values().sum::<isize>().unsigned_abs()
    }

    /// The characters that another file has less, by their kind.
    pub(crate) fn less(&self, other: &Room) -> impl Iterator<Item = (&'static str, isize)> {
        self.0.iter().map(|(kind, size)| (*kind, size - other.0.get(kind).unwrap_or(&0)))
    }
}

fn kind(item: &Item) -> &'static str {
    match item {
        Item::Impl(block) if block.trait_.is_some() => "implementations of traits",
        Item::Impl(_) => "methods",
        Item::Fn(_) => "functions",
        Item::Enum(_) | Item::Struct(_) | Item::Trait(_) | Item::Type(_) | Item::Union(_) => "types and traits",
        _ => "constants, macros and imports",
    }
}

fn characters(item: &Item) -> usize {
    let single = syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item.clone()] };
    compact(&single).trim_end().chars().count()
}

fn name(item: &Item) -> String {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(syn::ItemMacro { ident: Some(name), .. }) => name,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Use(_) => return "use".to_string(),
        Item::Impl(block) => {
            return match &*block.self_ty {
                Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default(),
                other => other.to_token_stream().to_string(),
            };
        }
        _ => return "other items".to_string(),
    };
    name.to_string()
}
