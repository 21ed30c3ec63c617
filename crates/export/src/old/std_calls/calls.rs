//! The calls that are replaced: methods by name, functions and types by path.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use syn::{
    Block, ExprMethodCall, File, Item, ItemMacro, ItemMod, Macro, Path, PathSegment, Stmt, UseTree, parse_quote,
};

use super::super::macros;
use super::POLYFILLS;
use crate::visit_mut::{self, VisitMut};

/// Functions and types: the name before the last in their path, the last, and the module of the replacement.
const PATHS: [(&str, &str, &str); 7] = [
    ("hint", "black_box", "black_box"),
    ("hint", "select_unpredictable", "select_unpredictable"),
    ("io", "read_to_string", "read_to_string"),
    ("iter", "repeat_n", "repeat_n"),
    ("ptr", "from_ref", "from_ref"),
    ("sync", "LazyLock", "lazy_lock"),
    ("sync", "OnceLock", "once_lock"),
];

/// Functions of `std::mem` that need no import since Rust 1.80.
const IN_PRELUDE: [&str; 4] = ["size_of", "size_of_val", "align_of", "align_of_val"];

/// Types whose methods may be named by their path, as in `u32::div_ceil`.
#[rustfmt::skip]
const TYPES: [&str; 17] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool", "str", "Option",
    "Result", "Duration",
];

/// The walk over a file that renames calls.
pub(super) struct Calls {
    /// The methods that are replaced.
    pub(super) methods: BTreeSet<String>,
    /// The functions of the program with types as parameters.
    own: BTreeSet<String>,
    /// The macros of the program that call such methods, with the methods.
    pub(super) of_macros: BTreeMap<String, BTreeSet<String>>,
    /// The replacements that the file needs.
    pub(super) used: BTreeSet<String>,
}

impl Calls {
    pub(super) fn of(methods: BTreeSet<String>, own: BTreeSet<String>) -> Calls {
        Calls { methods, own, of_macros: BTreeMap::new(), used: BTreeSet::new() }
    }

    fn rename(&mut self, method: &mut Ident) {
        let name = method.to_string();
        if self.methods.contains(&name) {
            *method = Ident::new(&old(&name), method.span());
            self.used.insert(name);
        }
    }

    /// The path of what replaces this one.
    fn replacement(&mut self, before: &Ident, last: &PathSegment) -> Option<Path> {
        let &(.., module) = PATHS.iter().find(|(first, second, _)| before == first && last.ident == second)?;
        self.used.insert(module.to_string());
        let (polyfills, module) = (ident(POLYFILLS), ident(module));
        Some(parse_quote!(crate::#polyfills::#module::#last))
    }

    /// Renames methods in the tokens of a macro.
    fn renamed(&mut self, tokens: TokenStream) -> TokenStream {
        let (mut after_dot, mut renamed) = (false, Vec::new());
        for mut token in tokens {
            match &mut token {
                TokenTree::Ident(method) if after_dot => self.rename(method),
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.renamed(group.stream()));
                    inner.set_span(group.span());
                    *group = inner;
                }
                _ => {}
            }
            after_dot = matches!(&token, TokenTree::Punct(dot) if dot.as_char() == '.');
            renamed.push(token);
        }
        renamed.into_iter().collect()
    }

    /// The method that a name with `old_` before it replaces.
    pub(super) fn replaced(&self, name: &str) -> Option<String> {
        let method = name.strip_prefix("old_")?;
        self.methods.contains(method).then(|| method.to_string())
    }

    /// Replaces what items import from the standard library.
    fn with_uses(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut all = Vec::new();
        for item in items {
            match item {
                Item::Use(item) if is_std(&item.tree) => {
                    let mut taken = Vec::new();
                    let kept = self.take(item.tree, None, &mut taken);
                    let (vis, attrs) = (&item.vis, &item.attrs);
                    all.extend(kept.map(|tree| -> Item { parse_quote!(#(#attrs)* #vis use #tree;) }));
                    all.extend(taken.into_iter().map(|(path, name)| -> Item {
                        match path.segments.last().is_some_and(|last| last.ident == name) {
                            true => parse_quote!(#(#attrs)* #vis use #path;),
                            false => parse_quote!(#(#attrs)* #vis use #path as #name;),
                        }
                    }));
                }
                other => all.push(other),
            }
        }
        all
    }

    /// Removes from a `use` what is replaced, and returns paths with the names they are imported by.
    fn take(&mut self, tree: UseTree, before: Option<&Ident>, taken: &mut Vec<(Path, Ident)>) -> Option<UseTree> {
        match tree {
            UseTree::Path(mut path) => {
                *path.tree = self.take(*path.tree, Some(&path.ident), taken)?;
                Some(UseTree::Path(path))
            }
            UseTree::Group(mut group) => {
                let kept = std::mem::take(&mut group.items).into_iter();
                group.items = kept.filter_map(|tree| self.take(tree, before, taken)).collect();
                (!group.items.is_empty()).then_some(UseTree::Group(group))
            }
            UseTree::Name(name) => match self.replacement(before?, &name.ident.clone().into()) {
                Some(path) => {
                    taken.push((path, name.ident));
                    None
                }
                None => Some(UseTree::Name(name)),
            },
            UseTree::Rename(name) => match self.replacement(before?, &name.ident.clone().into()) {
                Some(path) => {
                    taken.push((path, name.rename));
                    None
                }
                None => Some(UseTree::Rename(name)),
            },
            other => Some(other),
        }
    }
}

impl VisitMut for Calls {
    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        self.rename(&mut call.method);
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        let count = path.segments.len();
        let is_own = |first: &PathSegment| ["crate", "self", "super"].iter().any(|&name| first.ident == name);
        if count == 1
            && let Some(&name) = IN_PRELUDE.iter().find(|&&name| path.segments[0].ident == name)
            && !self.own.contains(name)
            && (name.ends_with("_val") || !path.segments[0].arguments.is_empty())
        {
            let name = &path.segments[0];
            *path = parse_quote!(std::mem::#name);
            return;
        }
        if count < 2 || path.segments.first().is_some_and(is_own) {
            return;
        }
        if TYPES.iter().any(|&name| path.segments[count - 2].ident == name) {
            self.rename(&mut path.segments[count - 1].ident);
        }
        // What is behind a type, as in `std::sync::LazyLock::new`, stays behind it.
        for at in 1..count {
            let replacement = self.replacement(&path.segments[at - 1].ident.clone(), &path.segments[at].clone());
            if let Some(mut replacement) = replacement {
                replacement.segments.extend(path.segments.iter().skip(at + 1).cloned());
                *path = replacement;
                return;
            }
        }
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        macros::each_argument(call, &mut |argument| self.visit_expr_mut(argument));
        call.tokens = self.renamed(std::mem::take(&mut call.tokens));
    }

    fn visit_item_macro_mut(&mut self, item: &mut ItemMacro) {
        visit_mut::visit_item_macro_mut(self, item);
        let renamed: BTreeSet<String> =
            idents(item.mac.tokens.clone()).into_iter().filter_map(|name| self.replaced(&name)).collect();
        if let (Some(name), false) = (&item.ident, renamed.is_empty()) {
            self.of_macros.insert(name.to_string(), renamed);
        }
    }

    fn visit_file_mut(&mut self, file: &mut File) {
        visit_mut::visit_file_mut(self, file);
        file.items = self.with_uses(std::mem::take(&mut file.items));
    }

    fn visit_item_mod_mut(&mut self, module: &mut ItemMod) {
        visit_mut::visit_item_mod_mut(self, module);
        if let Some((_, items)) = &mut module.content {
            *items = self.with_uses(std::mem::take(items));
        }
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        for stmt in std::mem::take(&mut block.stmts) {
            match stmt {
                Stmt::Item(item @ Item::Use(_)) => {
                    block.stmts.extend(self.with_uses(vec![item]).into_iter().map(Stmt::Item));
                }
                other => block.stmts.push(other),
            }
        }
    }
}

/// The name of the method that replaces one.
fn old(name: &str) -> String {
    format!("old_{name}")
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Returns true if a `use` takes from the standard library.
fn is_std(tree: &UseTree) -> bool {
    matches!(tree, UseTree::Path(path) if path.ident == "std" || path.ident == "core")
}

/// All identifiers among tokens.
pub(super) fn idents(tokens: TokenStream) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for token in tokens {
        match token {
            TokenTree::Ident(name) => _ = all.insert(name.to_string()),
            TokenTree::Group(group) => all.extend(idents(group.stream())),
            _ => {}
        }
    }
    all
}
