//! A file without modules: every item has a name that no other has, and stands at the root.
//!
//! Paths are resolved as the compiler does it, so imports and visibilities go. Paths into the standard library are
//! written in full, and [`imports`](crate::imports) makes them short again.

mod locals;
mod rewrite;
mod scope;

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span};
use syn::{Item, Visibility, parse_quote};

use rewrite::Rewriter;
use scope::{Meaning, Modules, Space, plain};

use crate::visit_mut::{self, VisitMut};

/// Moves every item to the root.
pub fn flatten(file: syn::File) -> syn::File {
    let modules = Modules::of(&file.items);
    let mut flattener = Flattener { modules: &modules, next: 1, items: Vec::new(), externals: BTreeSet::new() };
    flattener.module(0, file.items);
    let Flattener { mut items, externals, .. } = flattener;
    // A trait of the standard library is in scope only if it is imported. `Debug` is in scope in the same places as
    // `Display`, whose method has the same name, so calls go without it.
    let is_trait =
        |path: &&Vec<String>| path.last().is_some_and(|name| name.starts_with(char::is_uppercase) && name != "Debug");
    for path in externals.iter().filter(is_trait) {
        let path = path.iter().map(|name| Ident::new(name, Span::call_site()));
        items.insert(0, parse_quote!(use #(#path)::* as _;));
    }
    // A macro has to be defined before it is used.
    items.sort_by_key(|item| !matches!(item, Item::Macro(item) if item.ident.is_some()));
    let mut file = syn::File { items, ..file };
    Open.visit_file_mut(&mut file);
    file
}

struct Flattener<'a> {
    modules: &'a Modules,
    /// The number of the next module, in the order in which they were declared.
    next: usize,
    items: Vec<Item>,
    externals: BTreeSet<Vec<String>>,
}

impl Flattener<'_> {
    fn module(&mut self, at: usize, items: Vec<Item>) {
        let mut inner = Vec::new();
        for item in items {
            match item {
                Item::Mod(module) => inner.push(module),
                Item::Use(_) => {}
                mut item => {
                    Rewriter::new(self.modules, at, &mut self.externals).visit_item_mut(&mut item);
                    self.rename(at, &mut item);
                    self.items.push(item);
                }
            }
        }
        for (_, path) in &self.modules.all[at].imports {
            if let Some((Meaning::External(path), _)) = self.modules.resolve(at, path, Space::Type, 0) {
                self.externals.insert(path);
            }
        }
        for module in inner {
            let at = self.next;
            self.next += 1;
            self.module(at, module.content.map(|(_, items)| items).unwrap_or_default());
        }
    }

    /// Gives an item its name at the root.
    fn rename(&self, at: usize, item: &mut Item) {
        let (name, space) = match item {
            Item::Const(item) => (&mut item.ident, Space::Value),
            Item::Static(item) => (&mut item.ident, Space::Value),
            Item::Fn(item) => (&mut item.sig.ident, Space::Value),
            Item::Enum(item) => (&mut item.ident, Space::Type),
            Item::Struct(item) => (&mut item.ident, Space::Type),
            Item::Trait(item) => (&mut item.ident, Space::Type),
            Item::Type(item) => (&mut item.ident, Space::Type),
            Item::Union(item) => (&mut item.ident, Space::Type),
            Item::Macro(syn::ItemMacro { ident: Some(name), .. }) => (name, Space::Macro),
            _ => return,
        };
        if let Some(Meaning::Item { flat, .. }) = self.modules.all[at].meanings.get(&(space, plain(name)))
            && *flat != plain(name)
        {
            *name = Ident::new(flat, name.span());
        }
    }
}

/// Makes everything private, which at the root is visible to all.
struct Open;

impl VisitMut for Open {
    fn visit_visibility_mut(&mut self, visibility: &mut Visibility) {
        *visibility = Visibility::Inherited;
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        visit_mut::visit_item_mut(self, item);
    }
}
