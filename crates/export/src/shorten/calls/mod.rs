//! Calls of functions of one expression, which give way to that expression where it takes less room.
//!
//! The compiler judges the types: a function in which it does not take an expression keeps its calls. What compiles and
//! may still mean something else keeps its calls from the beginning.

mod formula;
mod replace;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use syn::{Block, ImplItem, Item, Signature, Type};

use crate::fault::ExportError;
use crate::print::lines::{join, lines};
use crate::prune::compiler::Compiler;
use crate::prune::effects;
use formula::{Context, Formula, formula};
use replace::Calls;

/// The most rounds: an expression may hold another call.
const MOST_ROUNDS: usize = 3;

/// The most times that functions which do not compile get their calls back.
const MOST_TRIES: usize = 6;

/// A function by the name of its type, if it has one, and its own.
type Name = (Option<String>, String);

/// Puts the expressions of functions in the places of their calls. A method whose name another type or trait has stays.
pub(super) fn write_out(file: syn::File, compiler: &Compiler) -> Result<syn::File, ExportError> {
    let mut kept = BTreeSet::new();
    for _ in 0..MOST_TRIES {
        let mut shorter = file.clone();
        for _ in 0..MOST_ROUNDS {
            if Formulas::of(&mut shorter).replace(&mut shorter, &kept) == 0 {
                break;
            }
        }
        let lines = lines(&shorter);
        let diagnostics = compiler.check(&lines)?;
        let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error).peekable();
        if errors.peek().is_none() {
            return Ok(shorter);
        }
        let bodies = places_of_bodies(&join(&lines))?;
        let before = kept.len();
        let starts = errors.filter_map(|error| error.spans.first()).map(|place| place.start);
        kept.extend(starts.filter_map(|start| bodies.iter().position(|body| body.contains(&start))));
        if kept.len() == before {
            break;
        }
    }
    Ok(file)
}

/// The places of the bodies of all functions in a text, in its order.
fn places_of_bodies(text: &str) -> Result<Vec<Range<usize>>, ExportError> {
    let mut file = syn::parse_file(text)
        .map_err(|error| ExportError::new(format!("the shortened file cannot be read: {error}")))?;
    let mut places = Vec::new();
    each_body(&mut file, &mut |_, _, body| {
        let braces = body.brace_token.span;
        places.push(braces.open().byte_range().start..braces.close().byte_range().end);
    });
    Ok(places)
}

/// Visits the functions of a file and of the blocks for its types: with the type, if it has a plain name.
fn each_body(file: &mut syn::File, visit: &mut dyn FnMut(Option<&syn::ItemImpl>, &Signature, &mut Block)) {
    for item in &mut file.items {
        match item {
            Item::Fn(item) => visit(None, &item.sig, &mut item.block),
            Item::Impl(block) => {
                let head = syn::ItemImpl { items: Vec::new(), ..block.clone() };
                for member in &mut block.items {
                    if let ImplItem::Fn(method) = member {
                        visit(Some(&head), &method.sig, &mut method.block);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The functions whose calls give way.
struct Formulas(BTreeMap<Name, Formula>);

impl Formulas {
    fn of(file: &mut syn::File) -> Formulas {
        let context = Context::of(file);
        let mut all: BTreeMap<Name, Option<Formula>> = BTreeMap::new();
        each_body(file, &mut |block, signature, body| {
            if block.is_some_and(|block| block.trait_.is_some()) {
                return;
            }
            let of = block.map(|block| type_name(&block.self_ty).unwrap_or_default());
            let name = (of, signature.ident.to_string());
            let formula = formula(block, signature, body, &context);
            let is_only = !all.contains_key(&name);
            all.insert(name, formula.filter(|_| is_only));
        });
        // A method is called by its name alone.
        let mut owners: BTreeMap<String, usize> = BTreeMap::new();
        all.keys().filter(|(of, _)| of.is_some()).for_each(|(_, name)| *owners.entry(name.clone()).or_default() += 1);
        let is_clear =
            |name: &str| owners.get(name) == Some(&1) && !effects::is_of_std(name) && !context.of_traits.contains(name);
        let formulas = all.into_iter().filter_map(|(name, formula)| {
            let formula = formula.filter(|formula| !formula.has_receiver || is_clear(&name.1))?;
            Some((name, formula))
        });
        let mut formulas = Formulas(formulas.collect());
        formulas.keep_those_that_save(file);
        formulas
    }

    /// Leaves those with which the file has no more tokens than before.
    fn keep_those_that_save(&mut self, file: &mut syn::File) {
        let mut calls = Calls::new(self, false);
        each_body(file, &mut |block, signature, body| calls.enter(block, signature, body));
        let gains = calls.gains;
        self.0.retain(|name, formula| gains.get(name).is_some_and(|gain| gain + formula.tokens as isize >= 0));
    }

    /// Replaces the calls in all functions but those in `kept`. Returns their number.
    fn replace(&self, file: &mut syn::File, kept: &BTreeSet<usize>) -> usize {
        let mut calls = Calls::new(self, true);
        let mut at = 0;
        each_body(file, &mut |block, signature, body| {
            if !kept.contains(&at) {
                calls.enter(block, signature, body);
            }
            at += 1;
        });
        calls.count
    }
}

/// The name of a type without arguments of another kind than lifetimes.
fn type_name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    path.path.segments.last().map(|last| last.ident.to_string())
}
