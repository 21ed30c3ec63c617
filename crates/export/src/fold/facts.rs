//! Knowledge about the fields, the parameters and the functions of a program, which grows until nothing new is found.

use std::collections::{BTreeMap, BTreeSet};

use super::atomics::derived_default;
use super::due::{Due, Read};
use super::program::{FunctionName, Program};
use super::value::Known;

#[derive(Default)]
pub(super) struct Facts {
    /// The values of the fields of structs.
    pub fields: BTreeMap<(String, String), Known>,
    /// The fields that get another value after their struct was made.
    assigned: BTreeSet<(String, String)>,
    pub parameters: BTreeMap<(FunctionName, usize), Known>,
    returns: BTreeMap<FunctionName, Known>,
    /// Names that code mentions which may run: of items, and behind dots and `::`.
    pub mentioned: BTreeSet<String>,
    pub members: BTreeSet<String>,
    /// Types and their methods that code mentions which is sure of the type.
    pub members_of_types: BTreeSet<(String, String)>,
    /// Constants as far as they are worked out.
    pub constants: BTreeMap<FunctionName, Known>,
    /// The fields that code reads.
    pub reads: BTreeSet<(String, String)>,
    pub has_changed: bool,
    /// The code that what is new concerns.
    pub due: Due,
    /// The number of expressions that gave way to their values.
    pub folded: usize,
}

impl Facts {
    /// Nothing is known but the derived default values, of which those of numbers are followed.
    pub(super) fn of(program: &Program) -> Facts {
        let mut facts = Facts::default();
        for of in &program.derived_defaults {
            for (field, ty) in program.structs.get(of).into_iter().flatten() {
                facts.fields.insert((of.clone(), field.clone()), derived_default(ty));
            }
        }
        facts
    }

    pub(super) fn field(&self, of: &str, name: &str) -> Known {
        let key = (of.to_string(), name.to_string());
        let known = self.fields.get(&key).cloned().unwrap_or_default();
        self.due.note_read(Read::Field(key.0, key.1));
        known
    }

    pub(super) fn join_field(&mut self, of: &str, name: &str, known: Known) {
        let key = (of.to_string(), name.to_string());
        if join(self.fields.entry(key.clone()).or_default(), known) {
            self.learn(&Read::Field(key.0, key.1));
        }
    }

    /// Notes that a field may get a value after its struct was made.
    pub(super) fn assign_field(&mut self, of: &str, name: &str, known: Known) {
        if self.assigned.insert((of.to_string(), name.to_string())) {
            self.learn(&Read::Field(of.to_string(), name.to_string()));
        }
        self.join_field(of, name, known);
    }

    /// Returns true if a field keeps the value with which its struct was made.
    pub(super) fn keeps_value(&self, of: &str, name: &str) -> bool {
        self.due.note_read(Read::Field(of.to_string(), name.to_string()));
        !self.assigned.contains(&(of.to_string(), name.to_string()))
    }

    pub(super) fn join_parameter(&mut self, of: &FunctionName, at: usize, known: Known) {
        if join(self.parameters.entry((of.clone(), at)).or_default(), known) {
            self.learn_of_definition(&of.1);
        }
    }

    pub(super) fn join_return(&mut self, of: &FunctionName, known: Known) {
        if join(self.returns.entry(of.clone()).or_default(), known) {
            self.learn(&Read::Return(of.clone()));
        }
    }

    /// The result of a function.
    pub(super) fn returned(&self, of: &FunctionName) -> Known {
        self.due.note_read(Read::Return(of.clone()));
        self.returns.get(of).cloned().unwrap_or_default()
    }

    pub(super) fn mention_member(&mut self, name: &str) {
        if !self.members.contains(name) {
            self.members.insert(name.to_string());
            self.learn_of_definition(name);
        }
    }

    /// A method behind a value of a type that implements it.
    pub(super) fn mention_member_of(&mut self, of: String, name: &str) {
        if self.members_of_types.insert((of, name.to_string())) {
            self.learn_of_definition(name);
        }
    }

    /// A path as the code has it.
    pub(super) fn mention_path(&mut self, path: &syn::Path) {
        for (at, segment) in path.segments.iter().enumerate() {
            let name = segment.ident.to_string();
            if at == 0 {
                self.mention(&name);
            } else {
                self.mention_member(&name);
            }
        }
    }

    fn learn_of_definition(&mut self, name: &str) {
        self.has_changed = true;
        self.due.learn_of_definition(name);
    }

    fn learn(&mut self, read: &Read) {
        self.has_changed = true;
        self.due.learn(read);
    }

    pub(super) fn mention(&mut self, name: &str) {
        if !self.mentioned.contains(name) {
            self.mentioned.insert(name.to_string());
            self.learn_of_definition(name);
        }
    }
}

/// Returns true if that is new.
fn join(old: &mut Known, new: Known) -> bool {
    let joined = old.clone().join(new);
    let is_new = joined != *old;
    *old = joined;
    is_new
}
