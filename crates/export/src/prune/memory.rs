//! The result of a step of the removal for each item, from the last time that the file was written.
//!
//! An item that is the same again becomes what it became, so that only changed items take work. What a changed item
//! names comes back with what that needs. The compiler then has to take the file; if not, nothing is remembered.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{ImplItem, Item, ItemImpl};

use super::{compiler::Compiler, own_names, parse, with_fewer_warnings};
use crate::fault::ExportError;
use crate::print::compact;
use crate::print::lines::{join, lines};
use crate::tree::head_of;
use crate::words::words;

/// The results of one step.
#[derive(Default, Clone)]
pub(crate) struct Memory {
    /// The piece that each piece became, by its text.
    became: BTreeMap<String, Option<Piece>>,
    /// The text of each piece, by its key.
    texts: BTreeMap<String, String>,
}

/// An item, or a member of an implementation.
#[derive(Clone)]
enum Piece {
    Item(Box<Item>),
    Member(Box<ImplItem>),
}

/// A piece, the name that it is mentioned by, and the type that it belongs to.
pub(super) struct Unit {
    pub(super) key: String,
    pub(super) text: String,
    name: String,
    of: Option<String>,
    piece: Piece,
}

impl Memory {
    /// Does a step that leaves at most `rest` warnings, or what is left of it after what is remembered.
    pub(super) fn step(
        &mut self,
        file: syn::File,
        compiler: &Compiler,
        rest: usize,
        step: impl FnOnce(syn::File) -> Result<syn::File, ExportError>,
    ) -> Result<syn::File, ExportError> {
        let units: Vec<Unit> = file.items.iter().flat_map(units).collect();
        let remembered = match self.became.is_empty() {
            true => None,
            false => self.remembered(&file, &units, compiler)?,
        };
        let made = match remembered {
            Some(remembered) => with_fewer_warnings(remembered, compiler, rest)?,
            None => step(file)?,
        };
        self.remember(units, &made);
        Ok(made)
    }

    /// The file with what its items became; `None` if the compiler does not take it.
    fn remembered(
        &self,
        file: &syn::File,
        units: &[Unit],
        compiler: &Compiler,
    ) -> Result<Option<syn::File>, ExportError> {
        let fresh = self.fresh(units);
        let mut number = 0;
        let mut next = || {
            number += 1;
            match fresh.contains(&(number - 1)) {
                true => Some(units[number - 1].piece.clone()),
                false => self.became.get(&units[number - 1].text).cloned().flatten(),
            }
        };
        let mut items = Vec::new();
        for item in &file.items {
            let Item::Impl(block) = item else {
                items.extend(next().and_then(|piece| match piece {
                    Piece::Item(item) => Some(*item),
                    Piece::Member(_) => None,
                }));
                continue;
            };
            let head = next();
            let members: Vec<ImplItem> = (0..block.items.len())
                .filter_map(|_| match next() {
                    Some(Piece::Member(member)) => Some(*member),
                    _ => None,
                })
                .collect();
            if head.is_some() || !members.is_empty() {
                items.push(Item::Impl(ItemImpl { items: members, ..head_of(block) }));
            }
        }
        let lines = lines(&syn::File { items, ..file.clone() });
        if compiler.takes(&lines)? { parse(&join(&lines)).map(Some) } else { Ok(None) }
    }

    /// The numbers of the units that are not remembered, and of those that they need.
    fn fresh(&self, units: &[Unit]) -> BTreeSet<usize> {
        let mut fresh: BTreeSet<usize> =
            (0..units.len()).filter(|&number| !self.became.contains_key(&units[number].text)).collect();
        let all: BTreeSet<&str> = fresh.iter().flat_map(|&number| words(&units[number].text)).collect();
        let mut new: BTreeSet<&str> = fresh.iter().flat_map(|&number| self.new_words(&units[number])).collect();
        let is_gone = |unit: &Unit| matches!(self.became.get(&unit.text), Some(None));
        let mut types: BTreeSet<&str> =
            units.iter().filter(|unit| unit.of.is_none() && !is_gone(unit)).map(|unit| unit.name.as_str()).collect();
        loop {
            // A constant that is missing in a pattern would become a variable, and the compiler would take that.
            let is_named = |unit: &Unit| {
                let is_old = unit.key.starts_with("const ") && all.contains(unit.name.as_str());
                (is_old || new.contains(unit.name.as_str()))
                    && unit.of.as_ref().is_none_or(|of| types.contains(of.as_str()))
            };
            let named: Vec<usize> = (0..units.len())
                .filter(|number| !fresh.contains(number) && is_gone(&units[*number]) && is_named(&units[*number]))
                .collect();
            if named.is_empty() {
                return fresh;
            }
            for number in named {
                fresh.insert(number);
                types.insert(&units[number].name);
                new.extend(words(&units[number].text));
            }
        }
    }

    /// The words of a unit that it did not have before.
    fn new_words<'u>(&self, unit: &'u Unit) -> Vec<&'u str> {
        let before: BTreeSet<&str> = self.texts.get(&unit.key).into_iter().flat_map(|text| words(text)).collect();
        words(&unit.text).filter(|word| !before.contains(word)).collect()
    }

    /// Notes what became of the units, unless something is there that was none of them.
    fn remember(&mut self, units: Vec<Unit>, made: &syn::File) {
        let mut left: BTreeMap<String, Vec<Unit>> = BTreeMap::new();
        for unit in made.items.iter().flat_map(self::units) {
            left.entry(unit.key.clone()).or_default().push(unit);
        }
        left.values_mut().for_each(|units| units.reverse());
        *self = Memory::default();
        for unit in units {
            let became = left.get_mut(&unit.key).and_then(Vec::pop).map(|unit| unit.piece);
            self.became.insert(unit.text.clone(), became);
            self.texts.insert(unit.key, unit.text);
        }
        if left.values().any(|units| !units.is_empty()) {
            *self = Memory::default();
        }
    }
}

/// The units of an item: itself, or the head of an implementation and its members.
pub(super) fn units(item: &Item) -> Vec<Unit> {
    let text = |item: &Item| {
        let attrs = Vec::new();
        compact(&syn::File { shebang: None, frontmatter: None, attrs, items: vec![item.clone()] })
    };
    let Item::Impl(block) = item else {
        let (kind, name) = kind_and_name(item);
        let (key, text) = (format!("{kind} {name}"), text(item));
        // Items without a name are told apart by their text.
        let key = if name.is_empty() { text.clone() } else { key };
        return vec![Unit { key, text, name, of: None, piece: Piece::Item(Box::new(item.clone())) }];
    };
    let head = head_of(block);
    let of = words(&block.self_ty.to_token_stream().to_string()).last().unwrap_or_default().to_string();
    let head_text = text(&Item::Impl(head.clone()));
    let of_trait = block.trait_.as_ref().and_then(|(path, _)| path.segments.last()).map(|last| last.ident.to_string());
    let name = of_trait.clone().unwrap_or_else(|| of.clone());
    let head = Piece::Item(Box::new(Item::Impl(head)));
    let mut units =
        vec![Unit { key: head_text.clone(), text: head_text.clone(), name, of: Some(of.clone()), piece: head }];
    for member in &block.items {
        let name = match member {
            ImplItem::Const(item) => item.ident.to_string(),
            ImplItem::Fn(item) => item.sig.ident.to_string(),
            ImplItem::Type(item) => item.ident.to_string(),
            _ => String::new(),
        };
        // Methods that two traits share have the name of their trait before their own.
        let plain = of_trait.as_ref().and_then(|of| name.strip_prefix(&format!("{}_", of.to_lowercase())));
        let key = format!("{head_text} {}", own_names::first_name(plain.unwrap_or(&name)));
        let single = Item::Impl(ItemImpl { items: vec![member.clone()], ..head_of(block) });
        let piece = Piece::Member(Box::new(member.clone()));
        units.push(Unit { key, text: text(&single), name, of: Some(of.clone()), piece });
    }
    units
}

fn kind_and_name(item: &Item) -> (&'static str, String) {
    let (kind, name) = match item {
        Item::Const(item) => ("const", &item.ident),
        Item::Static(item) => ("static", &item.ident),
        Item::Fn(item) => ("fn", &item.sig.ident),
        Item::Enum(item) => ("type", &item.ident),
        Item::Struct(item) => ("type", &item.ident),
        Item::Trait(item) => ("type", &item.ident),
        Item::Type(item) => ("type", &item.ident),
        Item::Union(item) => ("type", &item.ident),
        Item::Macro(syn::ItemMacro { ident: Some(name), .. }) => ("macro", name),
        _ => return ("", String::new()),
    };
    (kind, name.to_string())
}
