//! The items that can be reached from `main`, by the names that they mention.
//!
//! A name that two methods share keeps both; the compiler tells later which of them is unused. Implementations are
//! seen only here, because the compiler does not warn of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::visit::Visit;
use proc_macro2::TokenStream;
use syn::{ImplItem, Item, TraitItem, Type};

use super::mentions::Mentions;
use crate::arguments::{macro_bodies, made_by};

/// Removes what cannot be reached from `main`.
pub(crate) fn sweep(file: &mut syn::File) {
    let live = Live::of(&file.items);
    let mut at = 0;
    file.items.retain_mut(|item| {
        let number = at;
        at += 1;
        if !live.items.contains(&number) {
            return false;
        }
        let mut member = 0;
        let mut keeps = || {
            member += 1;
            live.members.contains(&(number, member - 1))
        };
        match item {
            Item::Impl(block) => block.items.retain(|_| keeps()),
            Item::Trait(block) => block.items.retain(|_| keeps()),
            _ => {}
        }
        true
    });
}

/// A piece of code that is reached as a whole.
struct Unit {
    item: usize,
    /// The number of a member of an implementation or a trait.
    member: Option<usize>,
    condition: Condition,
    mentions: Mentions,
}

/// The condition under which a unit is reached.
enum Condition {
    Always,
    /// An item of this name is mentioned.
    Name(String),
    /// One of these names is mentioned.
    Any(Vec<String>),
    /// A trait of this name is mentioned, or one of its members.
    Trait(String, BTreeSet<String>),
    /// All these items are reached.
    Names(Vec<String>),
    /// Its item is reached, and a member of this name is mentioned.
    Member(String),
    /// Its item is reached.
    Item,
}

#[derive(Default)]
struct Live {
    items: BTreeSet<usize>,
    members: BTreeSet<(usize, usize)>,
}

impl Live {
    fn of(items: &[Item]) -> Live {
        let bodies = macro_bodies(items.iter());
        let own = own_types(items, &bodies);
        let mut waiting: Vec<Unit> =
            items.iter().enumerate().flat_map(|(at, item)| units(at, item, &own, &bodies)).collect();
        let (mut live, mut mentions) = (Live::default(), Mentions::default());
        loop {
            let before = waiting.len();
            let mut left = Vec::new();
            for unit in waiting {
                if !live.reaches(&unit, &mentions) {
                    left.push(unit);
                    continue;
                }
                match unit.member {
                    None => _ = live.items.insert(unit.item),
                    Some(member) => _ = live.members.insert((unit.item, member)),
                }
                mentions.names.extend(unit.mentions.names);
                mentions.members.extend(unit.mentions.members);
            }
            waiting = left;
            if waiting.len() == before {
                return live;
            }
        }
    }

    fn reaches(&self, unit: &Unit, mentions: &Mentions) -> bool {
        match &unit.condition {
            Condition::Always => true,
            Condition::Name(name) => mentions.names.contains(name),
            Condition::Any(names) => names.iter().any(|name| mentions.names.contains(name)),
            Condition::Trait(name, members) => mentions.names.contains(name) || !members.is_disjoint(&mentions.members),
            Condition::Names(names) => names.iter().all(|name| mentions.names.contains(name)),
            Condition::Member(name) => self.items.contains(&unit.item) && mentions.members.contains(name),
            Condition::Item => self.items.contains(&unit.item),
        }
    }
}

/// The types and traits of the file, and the members of each trait.
fn own_types(items: &[Item], bodies: &BTreeMap<String, TokenStream>) -> BTreeMap<String, BTreeSet<String>> {
    let name = |item: &Item| match item {
        Item::Struct(item) => Some((item.ident.to_string(), BTreeSet::new())),
        Item::Enum(item) => Some((item.ident.to_string(), BTreeSet::new())),
        Item::Union(item) => Some((item.ident.to_string(), BTreeSet::new())),
        Item::Type(item) => Some((item.ident.to_string(), BTreeSet::new())),
        Item::Trait(item) => Some((item.ident.to_string(), item.items.iter().filter_map(trait_member).collect())),
        _ => None,
    };
    let made = items.iter().flat_map(|item| match item {
        Item::Macro(call) if call.ident.is_none() => made_by(&call.mac, bodies),
        _ => Vec::new(),
    });
    let made = made.map(|(_, name)| (name.to_string(), BTreeSet::new()));
    made.chain(items.iter().filter_map(name)).collect()
}

fn trait_member(item: &TraitItem) -> Option<String> {
    match item {
        TraitItem::Const(item) => Some(item.ident.to_string()),
        TraitItem::Fn(item) => Some(item.sig.ident.to_string()),
        TraitItem::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

fn member_name(item: &ImplItem) -> Option<String> {
    match item {
        ImplItem::Const(item) => Some(item.ident.to_string()),
        ImplItem::Fn(item) => Some(item.sig.ident.to_string()),
        ImplItem::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

fn units(
    at: usize,
    item: &Item,
    own: &BTreeMap<String, BTreeSet<String>>,
    bodies: &BTreeMap<String, TokenStream>,
) -> Vec<Unit> {
    let whole = |condition, mentions| vec![Unit { item: at, member: None, condition, mentions }];
    let mentions_of = |visit: &dyn Fn(&mut Mentions)| {
        let mut mentions = Mentions::default();
        visit(&mut mentions);
        mentions
    };
    let all = || mentions_of(&|mentions| mentions.visit_item(item));
    match item {
        Item::Fn(item) if item.sig.ident == "main" => whole(Condition::Always, all()),
        Item::Fn(item) => whole(Condition::Name(item.sig.ident.to_string()), all()),
        Item::Const(item) => whole(Condition::Name(item.ident.to_string()), all()),
        Item::Static(item) => whole(Condition::Name(item.ident.to_string()), all()),
        Item::Struct(item) => whole(Condition::Name(item.ident.to_string()), all()),
        Item::Enum(item) => whole(Condition::Name(item.ident.to_string()), all()),
        Item::Union(item) => whole(Condition::Name(item.ident.to_string()), all()),
        Item::Type(item) => whole(Condition::Name(item.ident.to_string()), all()),
        Item::Macro(syn::ItemMacro { ident: Some(name), .. }) => whole(Condition::Name(name.to_string()), all()),
        Item::Macro(call) => {
            let made: Vec<String> = made_by(&call.mac, bodies).into_iter().map(|(_, name)| name.to_string()).collect();
            whole(if made.is_empty() { Condition::Always } else { Condition::Any(made) }, all())
        }
        Item::Trait(block) => {
            let header = mentions_of(&|mentions| {
                mentions.visit_generics(&block.generics);
                block.supertraits.iter().for_each(|bound| mentions.visit_type_param_bound(bound));
            });
            let mut header = header;
            header.names.insert(block.ident.to_string());
            let members = own.get(&block.ident.to_string()).cloned().unwrap_or_default();
            let mut units = whole(Condition::Trait(block.ident.to_string(), members), header);
            units.extend(block.items.iter().enumerate().map(|(member, item)| Unit {
                item: at,
                member: Some(member),
                condition: trait_member(item).map_or(Condition::Item, Condition::Member),
                mentions: mentions_of(&|mentions| mentions.visit_trait_item(item)),
            }));
            units
        }
        Item::Impl(block) => {
            let header = mentions_of(&|mentions| {
                mentions.visit_generics(&block.generics);
                mentions.visit_type(&block.self_ty);
                block.trait_.iter().for_each(|(path, _)| mentions.visit_path(path));
            });
            let of = block
                .trait_
                .as_ref()
                .and_then(|(path, _)| path.get_ident().or(path.segments.last().map(|last| &last.ident)));
            let of = of.map(ToString::to_string);
            let needs = header_needs(block, own);
            let mut units = whole(Condition::Names(needs), header);
            let members = of.as_ref().map(|of| own.get(of));
            units.extend(block.items.iter().enumerate().map(|(member, item)| Unit {
                item: at,
                member: Some(member),
                condition: match (member_name(item), members) {
                    // All of a trait of the standard library, and what the file's own traits need.
                    (_, Some(None)) | (None, _) => Condition::Item,
                    (Some(name), _) => Condition::Member(name),
                },
                mentions: mentions_of(&|mentions| mentions.visit_impl_item(item)),
            }));
            units
        }
        _ => whole(Condition::Always, all()),
    }
}

/// The types and traits without which an implementation is not needed: its trait, and the type it is for.
fn header_needs(block: &syn::ItemImpl, own: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut mentions = Mentions::default();
    if let Some((path, _)) = &block.trait_ {
        mentions.visit_path(path);
    }
    if !matches!(&*block.self_ty, Type::Infer(_)) {
        mentions.visit_type(&block.self_ty);
    }
    mentions.names.into_iter().filter(|name| own.contains_key(name)).collect()
}
