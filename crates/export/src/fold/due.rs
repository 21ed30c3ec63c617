//! The pieces of code that a walk has to look at again, because something new is known about a name in them.

use std::collections::{BTreeSet, HashMap};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

use crate::prune::members::{member_name, trait_member};

/// The pieces of a file: its items, and the members of implementations and traits one by one.
#[derive(Default)]
pub(super) struct Due {
    /// The pieces in which a name stands.
    pieces: HashMap<String, Vec<usize>>,
    /// The pieces that define a name.
    definitions: HashMap<String, Vec<usize>>,
    is_due: Vec<bool>,
    /// The number of the next piece of the walk.
    next: usize,
}

impl Due {
    /// Nothing is due.
    pub(super) fn of(items: &[Item]) -> Due {
        let mut due = Due::default();
        for item in items {
            match item {
                Item::Impl(block) => block.items.iter().for_each(|member| due.add(member, member_name(member))),
                Item::Trait(block) => block.items.iter().for_each(|member| due.add(member, trait_member(member))),
                Item::Fn(function) => due.add(item, Some(function.sig.ident.to_string())),
                Item::Const(constant) => due.add(item, Some(constant.ident.to_string())),
                item => due.add(item, None),
            }
        }
        due
    }

    fn add(&mut self, piece: &impl ToTokens, defined: Option<String>) {
        if let Some(name) = defined {
            self.definitions.entry(name).or_default().push(self.is_due.len());
        }
        let mut names = BTreeSet::new();
        add_names(piece.to_token_stream(), &mut names);
        for name in names {
            self.pieces.entry(name).or_default().push(self.is_due.len());
        }
        self.is_due.push(false);
    }

    /// Begins a walk, of all pieces or of those that are due.
    pub(super) fn begin(&mut self, walks_all: bool) {
        self.next = 0;
        if walks_all {
            self.is_due.fill(true);
        }
    }

    /// Returns true if the next piece is due, which then is no longer.
    pub(super) fn take_next(&mut self) -> bool {
        self.next += 1;
        std::mem::take(&mut self.is_due[self.next - 1])
    }

    /// Something new is known that concerns only what a name stands for.
    pub(super) fn learn_of_definition(&mut self, name: &str) {
        for &piece in self.definitions.get(name).into_iter().flatten() {
            self.is_due[piece] = true;
        }
    }

    /// Something new is known that concerns all code with this name.
    pub(super) fn learn(&mut self, name: &str) {
        for &piece in self.pieces.get(name).into_iter().flatten() {
            self.is_due[piece] = true;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.is_due.contains(&true)
    }
}

fn add_names(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => add_names(group.stream(), names),
            TokenTree::Ident(name) => _ = names.insert(name.to_string()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
