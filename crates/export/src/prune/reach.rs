//! The items that can be reached from `main`, by the names that they mention.
//!
//! `Type::name` reaches that member of that type. A call `value.name()` reaches every method of that name; the compiler
//! tells later which of them is unused. Implementations are seen only here, because the compiler does not warn of them.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use syn::{Item, Type};

use super::members::{Members, head, member_name, trait_member};
use super::mentions::{Mentions, Names};
use crate::arguments::{macro_bodies, made_by};
use crate::visit::Visit;

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
    mentions: Names,
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
    /// Its item is reached, and the member of this name of this type, or of any if that is not known.
    Member(Option<String>, String),
    /// Its item is reached, and the member of this name of this trait.
    TraitMember(String, String),
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
        let known = Members::of(items, made_items(items, &bodies));
        let mut waiting: Vec<Unit> =
            items.iter().enumerate().flat_map(|(at, item)| units(at, item, &own, &bodies, &known)).collect();
        let (mut live, mut mentions) = (Live::default(), Names::default());
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
                mentions.extend(unit.mentions);
            }
            waiting = left;
            if waiting.len() == before {
                return live;
            }
        }
    }

    fn reaches(&self, unit: &Unit, mentions: &Names) -> bool {
        let of_item = || self.items.contains(&unit.item);
        let is_exact = |of: &String, name: &String| mentions.exact.contains(&(of.clone(), name.clone()));
        let of_traits = |name: &String| mentions.members.contains(name) || mentions.of_traits.contains(name);
        match &unit.condition {
            Condition::Always => true,
            Condition::Name(name) => mentions.names.contains(name),
            Condition::Any(names) => names.iter().any(|name| mentions.names.contains(name)),
            Condition::Trait(name, members) => mentions.names.contains(name) || members.iter().any(of_traits),
            Condition::Names(names) => names.iter().all(|name| mentions.names.contains(name)),
            Condition::Member(of, name) => {
                let is_exact = of.as_ref().is_some_and(|of| is_exact(of, name));
                of_item() && (is_exact || mentions.members.contains(name))
            }
            Condition::TraitMember(of, name) => of_item() && (is_exact(of, name) || of_traits(name)),
            Condition::Item => of_item(),
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
    let made = made_items(items, bodies).into_iter().map(|name| (name, BTreeSet::new()));
    made.chain(items.iter().filter_map(name)).collect()
}

/// The names of the items that macros make.
fn made_items(items: &[Item], bodies: &BTreeMap<String, TokenStream>) -> BTreeSet<String> {
    let made = items.iter().flat_map(|item| match item {
        Item::Macro(call) if call.ident.is_none() => made_by(&call.mac, bodies),
        _ => Vec::new(),
    });
    made.map(|(_, name)| name.to_string()).collect()
}

fn units(
    at: usize,
    item: &Item,
    own: &BTreeMap<String, BTreeSet<String>>,
    bodies: &BTreeMap<String, TokenStream>,
    known: &Members,
) -> Vec<Unit> {
    let whole = |condition, mentions| vec![Unit { item: at, member: None, condition, mentions }];
    let this = match item {
        Item::Impl(block) => head(&block.self_ty),
        Item::Trait(block) => Some(block.ident.to_string()),
        _ => None,
    };
    let mentions_of = |visit: &dyn Fn(&mut Mentions<'_>)| {
        let mut mentions = Mentions::new(known, this.as_deref());
        visit(&mut mentions);
        mentions.names
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
            units.extend(block.items.iter().enumerate().map(|(member, item)| {
                Unit {
                    item: at,
                    member: Some(member),
                    condition: trait_member(item)
                        .map_or(Condition::Item, |name| Condition::TraitMember(block.ident.to_string(), name)),
                    mentions: mentions_of(&|mentions| mentions.visit_trait_item(item)),
                }
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
            let needs = header_needs(block, own, known);
            let mut units = whole(Condition::Names(needs), header);
            let members = of.as_ref().map(|of| own.get(of));
            units.extend(block.items.iter().enumerate().map(|(member, item)| Unit {
                item: at,
                member: Some(member),
                condition: match (member_name(item), members) {
                    // All of a trait of the standard library, and what the file's own traits need.
                    (_, Some(None)) | (None, _) => Condition::Item,
                    (Some(name), _) => match &of {
                        Some(of) => Condition::TraitMember(of.clone(), name),
                        None => Condition::Member(this.clone(), name),
                    },
                },
                mentions: mentions_of(&|mentions| mentions.visit_impl_item(item)),
            }));
            units
        }
        _ => whole(Condition::Always, all()),
    }
}

/// The types and traits without which an implementation is not needed: its trait, and the type it is for.
fn header_needs(block: &syn::ItemImpl, own: &BTreeMap<String, BTreeSet<String>>, known: &Members) -> Vec<String> {
    let mut mentions = Mentions::new(known, None);
    if let Some((path, _)) = &block.trait_ {
        mentions.visit_path(path);
    }
    if !matches!(&*block.self_ty, Type::Infer(_)) {
        mentions.visit_type(&block.self_ty);
    }
    mentions.names.names.into_iter().filter(|name| own.contains_key(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the sweep keeps a function whose body is the text `kept`, in a file with this `main`.
    fn keeps(items: &str, kept: &str) -> bool {
        let mut file = syn::parse_file(items).expect("items");
        sweep(&mut file);
        quote::ToTokens::to_token_stream(&file).to_string().contains(kept)
    }

    #[test]
    fn a_path_through_a_type_reaches_the_member_of_that_type_alone() {
        let types = "struct A; struct B; impl A { fn new() { one() } } impl B { fn new() { two() } } fn one() {} \
                     fn two() {}";
        let main = format!("{types} fn main() {{ A::new(); let _ = B; }}");
        assert!(keeps(&main, "one ()") && !keeps(&main, "two ()"));
    }

    #[test]
    fn a_variable_does_not_reach_the_function_of_its_name() {
        assert!(!keeps("fn entry() {} fn main() { let entry = 1; drop(entry); }", "fn entry"));
        assert!(keeps("fn entry() {} fn main() { let entry = entry(); drop(entry); }", "fn entry"));
        assert!(keeps("fn entry() {} fn main() { { let entry = 1; drop(entry); } drop(entry); }", "fn entry"));
    }

    #[test]
    fn a_call_through_a_parameter_reaches_implementations_of_traits() {
        let items = "trait T { fn new(); } struct A; impl T for A { fn new() { one() } } fn one() {} \
                     fn make<X: T>() { X::new() } fn main() { make::<A>() }";
        assert!(keeps(items, "fn one"));
    }
}
