//! New names in the place of old ones.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Group, Ident, TokenStream, TokenTree};

use super::letters;
use super::names::{self, Names, Space};
use crate::arguments::rename_captured;
use crate::visit_mut::VisitMut;

/// The crates whose paths stay.
const STD: [&str; 3] = ["std", "core", "alloc"];

/// The new names of a file. Without any it counts the old ones.
pub(super) struct Renaming<'a> {
    pub names: &'a Names,
    pub new: BTreeMap<(Space, String), String>,
    pub counts: BTreeMap<(Space, String), usize>,
    /// Counts, and renames nothing.
    pub is_counting: bool,
    /// The new names of the variables of the item that is visited.
    locals: BTreeMap<String, String>,
    is_inside: bool,
}

impl<'a> Renaming<'a> {
    pub(super) fn new(names: &'a Names) -> Renaming<'a> {
        Renaming {
            names,
            new: BTreeMap::new(),
            counts: BTreeMap::new(),
            is_counting: true,
            locals: BTreeMap::new(),
            is_inside: false,
        }
    }

    /// The names, and their kinds, that a new name stands for.
    pub(super) fn old(&self, new: &str) -> impl Iterator<Item = &(Space, String)> {
        self.new.iter().filter(move |(_, name)| *name == new).map(|(old, _)| old)
    }

    pub(super) fn rename(&mut self, space: Space, name: &mut Ident) {
        let old = name.to_string();
        if space == Space::Value && self.locals.contains_key(&old) {
            *name = Ident::new(&self.locals[&old], name.span());
            return;
        }
        let key = (space, old);
        if self.is_counting {
            *self.counts.entry(key).or_default() += 1;
        } else if let Some(new) = self.new.get(&key) {
            *name = Ident::new(new, name.span());
        }
    }

    /// Renames a path whose first name is of this kind if it is the only one, and a type otherwise.
    fn path(&mut self, path: &mut syn::Path, only: Space) {
        let Some(first) = path.segments.first().map(|first| first.ident.to_string()) else { return };
        let is_single = path.segments.len() == 1;
        if path.leading_colon.is_some() || !is_single && STD.contains(&first.as_str()) {
            return;
        }
        for (at, segment) in path.segments.iter_mut().enumerate() {
            let space = match at {
                0 if is_single => only,
                0 => Space::Type,
                _ => Space::Member,
            };
            self.rename(space, &mut segment.ident);
        }
    }

    /// Renames a path behind `<Type as Trait>`, where `position` names belong to the trait.
    pub(super) fn qualified(&mut self, path: &mut syn::Path, itself: &mut Option<syn::QSelf>, only: Space) {
        match itself {
            Some(itself) if itself.position == 0 => {
                path.segments.iter_mut().for_each(|segment| self.rename(Space::Member, &mut segment.ident));
            }
            _ => self.path(path, only),
        }
        if let Some(itself) = itself {
            self.visit_type_mut(&mut itself.ty);
        }
        self.arguments(path);
    }

    fn arguments(&mut self, path: &mut syn::Path) {
        for segment in &mut path.segments {
            self.visit_path_arguments_mut(&mut segment.arguments);
        }
    }

    /// Renames words of which only the spelling is known. A name has one new name if it stands among such.
    pub(super) fn tokens(&mut self, tokens: TokenStream) -> TokenStream {
        let (mut of_std, mut is_path) = (false, false);
        let rewritten = tokens.into_iter().map(|token| {
            let goes_on = std::mem::replace(
                &mut is_path,
                matches!(&token, TokenTree::Punct(mark) if mark.as_char() == ':')
                    || matches!(&token, TokenTree::Ident(_)),
            );
            of_std &= goes_on;
            match token {
                TokenTree::Group(group) => Group::new(group.delimiter(), self.tokens(group.stream())).into(),
                TokenTree::Ident(mut name) => {
                    let text = name.to_string();
                    of_std |= STD.contains(&text.as_str());
                    let space = Space::ALL.into_iter().find(|space| self.names.defines(*space, &text));
                    if let Some(space) = space.filter(|_| !of_std) {
                        self.rename(space, &mut name);
                    }
                    name.into()
                }
                TokenTree::Literal(literal) => self.captured(&literal, &BTreeSet::new()).into(),
                token => token,
            }
        });
        rewritten.collect()
    }

    /// Renames what a format string captures, but for its named arguments.
    pub(super) fn captured(
        &mut self,
        literal: &proc_macro2::Literal,
        named: &BTreeSet<String>,
    ) -> proc_macro2::Literal {
        let mut new = BTreeMap::new();
        for name in crate::arguments::captured(&literal.to_string()).into_iter().filter(|name| !named.contains(name)) {
            let mut ident = Ident::new(&name, literal.span());
            self.rename(Space::Value, &mut ident);
            new.insert(name, ident.to_string());
        }
        rename_captured(literal, &new)
    }

    /// Renames an item or a member with variables of its own.
    pub(super) fn with_locals(
        &mut self,
        variables: BTreeSet<String>,
        tokens: TokenStream,
        visit: impl FnOnce(&mut Self),
    ) {
        if self.is_inside {
            return visit(self);
        }
        let mut words = BTreeMap::new();
        names::count(tokens, &mut words);
        let value = |name: &String| self.new.get(&(Space::Value, name.clone()));
        let taken: BTreeSet<String> = words.keys().filter_map(value).cloned().collect();
        let mut variables: Vec<String> =
            variables.into_iter().filter(|name| !self.names.defines(Space::Value, name) && name != "self").collect();
        variables.sort_by_cached_key(|name| std::cmp::Reverse(words.get(name).copied().unwrap_or_default()));
        let mut free = letters::of_variables().filter(|name| !taken.contains(name));
        self.locals = variables
            .into_iter()
            .zip(&mut free)
            .map(|(old, new)| (letters::marked(&old, &new), old))
            .map(|(new, old)| (old, new))
            .collect();
        self.is_inside = true;
        visit(self);
        self.is_inside = false;
        self.locals.clear();
    }
}
