//! The pieces of code that a walk has to look at again, because something new is known of what they read.
//!
//! What a piece reads by way of a constant is not noted, because a constant is worked out once a walk. So a walk
//! through all pieces that finds nothing new has to come last.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use syn::Item;

use super::program::FunctionName;
use crate::prune::members::{member_name, trait_member};

/// Something that code reads.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Read {
    /// A field of a struct.
    Field(String, String),
    /// The result of a function.
    Return(FunctionName),
}

/// The pieces of a file: its items, and the members of implementations and traits one by one.
#[derive(Default)]
pub(super) struct Due {
    /// The pieces that define a name.
    definitions: HashMap<String, Vec<usize>>,
    /// The pieces that have read something.
    readers: RefCell<HashMap<Read, BTreeSet<usize>>>,
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
                Item::Impl(block) => block.items.iter().for_each(|member| due.add(member_name(member))),
                Item::Trait(block) => block.items.iter().for_each(|member| due.add(trait_member(member))),
                Item::Fn(function) => due.add(Some(function.sig.ident.to_string())),
                Item::Const(constant) => due.add(Some(constant.ident.to_string())),
                _ => due.add(None),
            }
        }
        due
    }

    fn add(&mut self, defined: Option<String>) {
        if let Some(name) = defined {
            self.definitions.entry(name).or_default().push(self.is_due.len());
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

    /// The piece that is walked through reads something.
    pub(super) fn note_read(&self, read: Read) {
        self.readers.borrow_mut().entry(read).or_default().insert(self.next - 1);
    }

    /// Something new is known of what is read here and there.
    pub(super) fn learn(&mut self, read: &Read) {
        for &piece in self.readers.borrow().get(read).into_iter().flatten() {
            self.is_due[piece] = true;
        }
    }

    /// Something new is known of what a name stands for.
    pub(super) fn learn_of_definition(&mut self, name: &str) {
        for &piece in self.definitions.get(name).into_iter().flatten() {
            self.is_due[piece] = true;
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.is_due.contains(&true)
    }
}
