//! The choice of short names.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::names::{Names, Space};

/// Words that no name may be: keywords, short names of the standard library, and prefixes of literals.
const RESERVED: [&str; 33] = [
    "as", "do", "if", "in", "fn", "Fn", "Ok", "or", "ok", "eq", "ne", "lt", "le", "gt", "ge", "ln", "rc", "u8", "i8",
    "pi", "PI", "by", "io", "fs", "E", "r", "b", "br", "c", "cr", "rb", "Eq", "at",
];

/// Names that stay.
const STAY: [&str; 6] = ["main", "self", "Self", "crate", "super", "_"];

/// Short names that begin with one of these letters, the shortest first.
fn beginning_with(firsts: &'static [RangeInclusive<char>]) -> impl Iterator<Item = String> {
    let letters = move || firsts.iter().cloned().flatten();
    let more = || ('a'..='z').chain('A'..='Z').chain('0'..='9');
    let one = letters().map(|a| a.to_string());
    let two = letters().flat_map(move |a| more().map(move |b| format!("{a}{b}")));
    let three = letters().flat_map(move |a| more().flat_map(move |b| more().map(move |c| format!("{a}{b}{c}"))));
    one.chain(two).chain(three).filter(|name| !RESERVED.contains(&name.as_str()))
}

/// The names of variables, which no constant may have.
pub(super) fn of_variables() -> impl Iterator<Item = String> {
    beginning_with(&['a'..='z'])
}

fn of_constants() -> impl Iterator<Item = String> {
    beginning_with(&['A'..='Z'])
}

fn of_others() -> impl Iterator<Item = String> {
    beginning_with(&['a'..='z', 'A'..='Z'])
}

/// The mark of a name whose kind stays as it is.
pub(super) fn kept_name(space: Space, name: &str) -> String {
    format!("{space:?} {name}")
}

/// Puts the mark that the compiler wants of what is unused before a new name, if the old one has it.
pub(super) fn marked(old: &str, new: &str) -> String {
    if old.starts_with('_') { format!("_{new}") } else { new.to_string() }
}

/// Gives each name of a file a short one: the more frequent, the shorter. `counts` tells how often each one is used.
pub(super) fn choose(
    names: &Names,
    kept: &BTreeSet<String>,
    counts: &BTreeMap<(Space, String), usize>,
) -> BTreeMap<(Space, String), String> {
    let is_renamed = |space: Space, name: &str| {
        let is_of_std = space == Space::Member && names.of_std.contains(name);
        let stays = STAY.contains(&name) || kept.contains(&kept_name(space, name));
        names.defines(space, name) && !is_of_std && !stays
    };
    let mut taken: BTreeSet<(Space, String)> =
        counts.keys().filter(|(space, name)| !is_renamed(*space, name)).cloned().collect();
    let mut groups: BTreeSet<(Vec<Space>, String)> = BTreeSet::new();
    for (space, name) in names.defined.iter().filter(|(space, name)| is_renamed(*space, name)) {
        let is_together = |other: Space| {
            let is_item = matches!(other, Space::Type | Space::Value);
            other == *space
                || names.defines(other, name) && (names.opaque.contains(name) || names.linked.contains(name) && is_item)
        };
        let spaces: Vec<Space> = Space::ALL.into_iter().filter(|other| is_together(*other)).collect();
        // A name that stays in one of the kinds that share it stays in all.
        if spaces.iter().all(|space| is_renamed(*space, name)) {
            groups.insert((spaces, name.clone()));
        } else {
            taken.extend(spaces.into_iter().map(|space| (space, name.clone())));
        }
    }
    let uses = |(spaces, name): &(Vec<Space>, String)| -> usize {
        spaces.iter().filter_map(|space| counts.get(&(*space, name.clone()))).sum()
    };
    let mut groups: Vec<(Vec<Space>, String)> = groups.into_iter().collect();
    groups.sort_by_cached_key(|group| std::cmp::Reverse(uses(group)));
    let mut chosen = BTreeMap::new();
    for (spaces, name) in groups {
        let is_free = |new: &String| {
            let new = marked(&name, new);
            spaces.iter().all(|space| !taken.contains(&(*space, new.clone())))
        };
        let of_constant = names.constants.contains(&name) && spaces != [Space::Field] && spaces != [Space::Type];
        let new = if of_constant { of_constants().find(is_free) } else { of_others().find(is_free) };
        let Some(new) = new.map(|new| marked(&name, &new)) else { continue };
        for space in spaces {
            taken.insert((space, new.clone()));
            chosen.insert((space, name.clone()), new.clone());
        }
    }
    chosen
}
