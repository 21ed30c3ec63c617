//! The modules of a file, and the meaning of names in them.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, UseTree};

use crate::arguments::{macro_bodies, made_by};

/// The kind of thing that a name is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Space {
    Type,
    Value,
    Macro,
}

pub(super) const SPACES: [Space; 3] = [Space::Type, Space::Value, Space::Macro];

/// The meaning of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    Module(usize),
    /// An item of the file, by its name after flattening.
    Item {
        flat: String,
        is_enum: bool,
        is_function: bool,
    },
    /// A variant of an enum: the enum's name after flattening, and its own.
    Variant(String, String),
    /// A path in the standard library.
    External(Vec<String>),
}

/// A module.
#[derive(Default)]
pub(super) struct Module {
    pub name: String,
    pub parent: Option<usize>,
    pub meanings: BTreeMap<(Space, String), Meaning>,
    /// Imports: the name, and the path it stands for.
    pub imports: Vec<(String, Vec<String>)>,
    /// Paths all names of which are imported.
    pub globs: Vec<Vec<String>>,
}

/// All modules of a file. The first is the root.
pub(super) struct Modules {
    pub all: Vec<Module>,
    /// The variants of each enum, by its name after flattening.
    pub variants: BTreeMap<String, BTreeSet<String>>,
    taken: BTreeSet<String>,
}

/// Names that every module knows.
const PRELUDE: [&str; 50] = [
    "AsMut",
    "AsRef",
    "Box",
    "Clone",
    "Copy",
    "Default",
    "DoubleEndedIterator",
    "Drop",
    "Eq",
    "Err",
    "ExactSizeIterator",
    "Extend",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "FromIterator",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Unpin",
    "Vec",
    "drop",
    "size_of",
    "align_of",
    "std",
    "core",
    "alloc",
    "assert",
    "vec",
    "format",
    "write",
    "panic",
    "matches",
];

impl Modules {
    pub(super) fn of(items: &[Item]) -> Modules {
        let taken = PRELUDE.iter().map(ToString::to_string).collect();
        let mut modules = Modules { all: vec![Module::default()], variants: BTreeMap::new(), taken };
        // The root's own names stay as they are, before libraries take them.
        modules.declare(0, items, false);
        modules.declare(0, items, true);
        modules
    }

    /// Declares the items of a module: those of its own first, and then those of the modules in it.
    fn declare(&mut self, at: usize, items: &[Item], inner: bool) {
        let bodies = macro_bodies(items.iter());
        for item in items {
            match item {
                Item::Mod(module) if inner => {
                    let name = plain(&module.ident);
                    let index = self.all.len();
                    self.all.push(Module { name: name.clone(), parent: Some(at), ..Module::default() });
                    self.all[at].meanings.insert((Space::Type, name), Meaning::Module(index));
                    let items = module.content.as_ref().map(|(_, items)| items.as_slice()).unwrap_or_default();
                    self.declare(index, items, false);
                    self.declare(index, items, true);
                }
                Item::Use(item) if !inner => import(&mut self.all[at], &item.tree, Vec::new()),
                _ if inner => {}
                Item::Const(item) if item.ident != "_" => self.add(at, &item.ident, &[Space::Value], false),
                Item::Static(item) => self.add(at, &item.ident, &[Space::Value], false),
                Item::Fn(item) => {
                    self.add(at, &item.sig.ident, &[Space::Value], true);
                }
                Item::Enum(item) => {
                    self.add(at, &item.ident, &[Space::Type], false);
                    let Some(Meaning::Item { flat, is_enum, .. }) =
                        self.all[at].meanings.get_mut(&(Space::Type, plain(&item.ident)))
                    else {
                        continue;
                    };
                    *is_enum = true;
                    let names = item.variants.iter().map(|variant| plain(&variant.ident)).collect();
                    self.variants.insert(flat.clone(), names);
                }
                Item::Struct(item) => match item.fields {
                    syn::Fields::Named(_) => self.add(at, &item.ident, &[Space::Type], false),
                    _ => self.add(at, &item.ident, &[Space::Type, Space::Value], false),
                },
                Item::Trait(item) => self.add(at, &item.ident, &[Space::Type], false),
                Item::Type(item) => self.add(at, &item.ident, &[Space::Type], false),
                Item::Union(item) => self.add(at, &item.ident, &[Space::Type], false),
                Item::Macro(item) => match &item.ident {
                    Some(name) => self.add(at, name, &[Space::Macro], false),
                    None => {
                        for (word, name) in made_by(&item.mac, &bodies) {
                            // The names of variables of threads stand in the call itself.
                            if item.mac.path.segments.last().is_some_and(|of| of.ident == "thread_local") {
                                self.add(at, &name, &[Space::Value], false);
                                continue;
                            }
                            let space = match word.as_str() {
                                "const" | "fn" | "static" => Space::Value,
                                _ => Space::Type,
                            };
                            // The name is written by the macro, so it stays.
                            let flat = plain(&name);
                            self.taken.insert(flat.clone());
                            let meaning = Meaning::Item { flat, is_enum: false, is_function: word == "fn" };
                            self.all[at].meanings.insert((space, plain(&name)), meaning);
                        }
                    }
                },
                _ => {}
            }
        }
    }

    fn add(&mut self, at: usize, name: &syn::Ident, spaces: &[Space], is_function: bool) {
        let name = plain(name);
        let flat = if at == 0 && name == "main" { name.clone() } else { self.free_name(at, &name) };
        self.taken.insert(flat.clone());
        for space in spaces {
            let meaning = Meaning::Item { flat: flat.clone(), is_enum: false, is_function };
            self.all[at].meanings.insert((*space, name.clone()), meaning);
        }
    }

    /// A name that no other item has: the item's own, or with its module before it.
    fn free_name(&self, at: usize, name: &str) -> String {
        let mut flat = name.to_string();
        let mut at = at;
        while self.taken.contains(&flat) {
            let module = &self.all[at];
            let Some(parent) = module.parent else {
                flat.push('_');
                continue;
            };
            flat = with_module(&module.name, &flat);
            at = parent;
        }
        flat
    }

    /// The meaning of a path, and how many of its segments it takes.
    pub(super) fn resolve(&self, at: usize, path: &[String], space: Space, depth: usize) -> Option<(Meaning, usize)> {
        let wanted = |last: bool| if last { space } else { Space::Type };
        let (mut meaning, mut used) = match path.first()?.as_str() {
            "crate" => (Meaning::Module(0), 1),
            "self" => (Meaning::Module(at), 1),
            "super" => (Meaning::Module(self.all[at].parent?), 1),
            first => (self.lookup(at, first, wanted(path.len() == 1), depth)?, 1),
        };
        while used < path.len() {
            let name = &path[used];
            meaning = match &meaning {
                Meaning::Module(module) if name == "super" => Meaning::Module(self.all[*module].parent?),
                Meaning::Module(module) if name == "self" => Meaning::Module(*module),
                Meaning::Module(module) => self.lookup(*module, name, wanted(used + 1 == path.len()), depth)?,
                Meaning::Item { flat, is_enum: true, .. } if self.variants[flat].contains(name) => {
                    Meaning::Variant(flat.clone(), name.clone())
                }
                Meaning::External(path) => Meaning::External(path.iter().chain([name]).cloned().collect()),
                Meaning::Item { .. } | Meaning::Variant(..) => break,
            };
            used += 1;
        }
        Some((meaning, used))
    }

    /// The meaning of a name in a module.
    pub(super) fn lookup(&self, at: usize, name: &str, space: Space, depth: usize) -> Option<Meaning> {
        const DEEPEST: usize = 24;
        if depth > DEEPEST {
            return None;
        }
        let module = &self.all[at];
        if let Some(meaning) = module.meanings.get(&(space, name.to_string())) {
            return Some(meaning.clone());
        }
        // An import that leads to itself means the crate of that name.
        let is_other = |path: &[String]| path.len() > 1 || path.first().is_none_or(|first| first != name);
        for (_, path) in module.imports.iter().filter(|(import, path)| import == name && is_other(path)) {
            if let Some((meaning, used)) = self.resolve(at, path, space, depth + 1)
                && used == path.len()
            {
                return Some(meaning);
            }
        }
        for path in &module.globs {
            match self.resolve(at, path, Space::Type, depth + 1) {
                Some((Meaning::Module(glob), _)) if glob != at => {
                    if let Some(meaning) = self.lookup(glob, name, space, depth + 1) {
                        return Some(meaning);
                    }
                }
                Some((Meaning::Item { flat, is_enum: true, .. }, _)) if self.variants[&flat].contains(name) => {
                    return Some(Meaning::Variant(flat, name.to_string()));
                }
                _ => {}
            }
        }
        ["std", "core", "alloc"].contains(&name).then(|| Meaning::External(vec![name.to_string()]))
    }
}

/// The name of an item that shares its own with another one: its module and its own name, as such names are written.
fn with_module(module: &str, name: &str) -> String {
    let upper = || module.to_uppercase();
    let camel = || module.split('_').map(capital).collect::<String>();
    match name {
        _ if name.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_') => format!("{}_{name}", upper()),
        _ if name.starts_with(char::is_uppercase) => format!("{}{name}", camel()),
        _ => format!("{module}_{name}"),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A name without the mark of a raw identifier.
pub(super) fn plain(name: &syn::Ident) -> String {
    name.to_string().trim_start_matches("r#").to_string()
}

/// Adds what an import names.
pub(super) fn import(module: &mut Module, tree: &UseTree, mut path: Vec<String>) {
    match tree {
        UseTree::Path(inner) => {
            path.push(plain(&inner.ident));
            import(module, &inner.tree, path);
        }
        UseTree::Name(name) if name.ident == "self" => {
            let last = path.last().cloned().unwrap_or_default();
            module.imports.push((last, path));
        }
        UseTree::Name(name) => {
            let name = plain(&name.ident);
            path.push(name.clone());
            module.imports.push((name, path));
        }
        UseTree::Rename(rename) => {
            if rename.ident != "self" {
                path.push(plain(&rename.ident));
            }
            module.imports.push((plain(&rename.rename), path));
        }
        UseTree::Glob(_) => module.globs.push(path),
        UseTree::Group(group) => group.items.iter().for_each(|tree| import(module, tree, path.clone())),
    }
}
