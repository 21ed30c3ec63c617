//! The calls of methods that got names of their own, from an earlier file of the program.
//!
//! The compiler has said which calls mean a renamed method. It would say the same of a function with the same text, as
//! long as no type, trait, signature or head of an implementation has changed, because these and the function alone
//! tell the types in it. Other functions are taken as [`apart::separate`] begins with them: without a renamed call,
//! which the compiler misses if there has to be one.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::{ImplItem, Item};

use super::super::apart::{self, Renamed};
use super::super::compiler::Compiler;
use super::super::memory::units;
use crate::fault::ExportError;
use crate::visit_mut::{self, VisitMut};

/// Renamed methods, and the calls of them.
#[derive(Default, Clone)]
pub(super) struct Apart {
    renamed: Renamed,
    /// The code that tells the types in functions, by the key of each item.
    frame: BTreeMap<String, String>,
    /// The new names of the calls in a unit, by its text and by their numbers among its calls.
    calls: BTreeMap<String, BTreeMap<usize, String>>,
}

impl Apart {
    /// Asks the compiler for the calls. Returns them with the file in which they are renamed.
    pub(super) fn learn(
        whole: &syn::File,
        file: &syn::File,
        compiler: &Compiler,
    ) -> Result<(Apart, syn::File), ExportError> {
        let renamed = apart::shared(&file.items);
        let separate = apart::separate(file.clone(), compiler)?;
        let mut calls = BTreeMap::new();
        for (mut before, mut after) in file.items.iter().cloned().zip(separate.items.iter().cloned()) {
            let (texts, before) = (texts(&before), calls_of(&mut before));
            for ((text, before), after) in texts.into_iter().zip(before).zip(calls_of(&mut after)) {
                let new = before.into_iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
                calls.insert(text, new.map(|(at, (_, after))| (at, after)).collect());
            }
        }
        Ok((Apart { renamed, frame: frame(whole), calls }, separate))
    }

    /// Renames the methods of a file and their calls; `None` if the compiler has to be asked.
    pub(super) fn apply(&self, whole: &syn::File, file: &syn::File) -> Option<syn::File> {
        if apart::shared(&file.items) != self.renamed || !self.has_frame_of(whole) {
            return None;
        }
        let mut file = file.clone();
        let all_texts: Vec<Vec<String>> = file.items.iter().map(texts).collect();
        apart::rename_definitions(&self.renamed, &mut file);
        for (item, texts) in file.items.iter_mut().zip(all_texts) {
            for (unit, text) in texts.iter().enumerate() {
                if let Some(calls) = self.calls.get(text).filter(|calls| !calls.is_empty()) {
                    visit_unit(item, unit, &mut Calls { at: 0, see: &mut |at, name| rename(calls.get(&at), name) });
                }
            }
        }
        Some(file)
    }

    /// Returns true if all that told the types in functions is still there, and nothing is new but functions, types and
    /// constants whose names are none of the renamed ones.
    fn has_frame_of(&self, file: &syn::File) -> bool {
        let new = frame(file);
        let is_renamed = |key: &str| self.renamed.keys().any(|(_, name)| key.ends_with(&format!(" {name}")));
        let is_allowed = |key: &String| key.starts_with(NEW) && !is_renamed(key);
        self.frame.iter().all(|(key, text)| new.get(key) == Some(text))
            && new.keys().all(|key| self.frame.contains_key(key) || is_allowed(key))
    }
}

fn rename(new: Option<&String>, name: &mut Ident) {
    if let Some(new) = new {
        *name = Ident::new(new, name.span());
    }
}

/// The first letter of the keys of items that do not change what calls in others mean.
const NEW: char = '+';

/// The code that tells the types in functions: items without the bodies of functions and the values of constants.
fn frame(file: &syn::File) -> BTreeMap<String, String> {
    let mut frame = BTreeMap::new();
    for item in &file.items {
        let mut outside = item.clone();
        match &mut outside {
            Item::Fn(function) => function.block.stmts.clear(),
            Item::Const(constant) => *constant.expr = syn::parse_quote!(_),
            Item::Static(constant) => *constant.expr = syn::parse_quote!(_),
            Item::Impl(block) => block.items.iter_mut().for_each(|member| match member {
                ImplItem::Fn(method) => method.block.stmts.clear(),
                ImplItem::Const(constant) => constant.expr = syn::parse_quote!(_),
                _ => {}
            }),
            Item::Use(_) => continue,
            _ => {}
        }
        for (at, unit) in units(&outside).into_iter().enumerate() {
            let is_free = matches!(item, Item::Fn(_) | Item::Const(_) | Item::Struct(_) | Item::Enum(_)) || at > 0;
            let mark = if is_free { NEW } else { '=' };
            frame.insert(format!("{mark}{}", unit.key), unit.text);
        }
    }
    frame
}

/// The texts of the units of an item.
fn texts(item: &Item) -> Vec<String> {
    units(item).into_iter().map(|unit| unit.text).collect()
}

/// The names of the methods that each unit of an item calls, in their order.
fn calls_of(item: &mut Item) -> Vec<Vec<String>> {
    let count = if let Item::Impl(block) = item { block.items.len() + 1 } else { 1 };
    let names = |unit| {
        let mut names = Vec::new();
        visit_unit(item, unit, &mut Calls { at: 0, see: &mut |_, name| names.push(name.to_string()) });
        names
    };
    (0..count).map(names).collect()
}

fn visit_unit(item: &mut Item, unit: usize, calls: &mut Calls<'_>) {
    match item {
        Item::Impl(block) => {
            // The head of an implementation calls nothing.
            if let Some(member) = unit.checked_sub(1).and_then(|at| block.items.get_mut(at)) {
                calls.visit_impl_item_mut(member);
            }
        }
        item => calls.visit_item_mut(item),
    }
}

/// The calls behind a point, one after the other.
struct Calls<'a> {
    at: usize,
    see: &'a mut dyn FnMut(usize, &mut Ident),
}

impl VisitMut for Calls<'_> {
    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        (self.see)(self.at, &mut call.method);
        self.at += 1;
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        crate::arguments::visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
    }
}
