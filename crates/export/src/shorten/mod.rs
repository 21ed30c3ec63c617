//! Short names in the place of those that the file defines.
//!
//! A name of the standard library that the file defines too cannot be told from it without types. So all names that are
//! not known to be of the standard library are renamed, and the compiler says which of them it misses.

mod aliases;
mod always_inlined;
mod blocks;
mod calls;
mod letters;
pub(crate) mod names;
mod places;
mod receivers;
mod rename;
mod trim;

use std::collections::BTreeSet;
use std::ops::Range;

use syn::parse_quote;

use crate::fault::ExportError;
use crate::imports;
use crate::print::lines::{join, lines};
use crate::prune::compiler::Compiler;
use crate::prune::{self, effects, own_names};
use crate::visit_mut::VisitMut;
use crate::words::words;
use letters::kept_name;
use names::{Names, Space};
use rename::Renaming;

/// The most rounds of names that the compiler misses.
pub(crate) const MOST_ROUNDS: usize = 12;

/// The fields of ranges.
const OF_RANGES: [&str; 2] = ["start", "end"];

/// The name under which a constant is kept.
pub(crate) fn kept_constant(name: &str) -> String {
    kept_name(Space::Value, name)
}

/// Shortens names, and what else says the same in less room.
pub fn shorten(file: syn::File, edition: &'static str, kept: &mut BTreeSet<String>) -> Result<syn::File, ExportError> {
    shorten_with(file, &Compiler::new(edition)?, kept)
}

/// The same, with a compiler that may know the file.
pub(crate) fn shorten_with(
    file: syn::File,
    compiler: &Compiler,
    kept: &mut BTreeSet<String>,
) -> Result<syn::File, ExportError> {
    let file = prune::without_warnings(calls::write_out(file, compiler)?, compiler)?;
    short_names(file, compiler, kept, MOST_ROUNDS)
}

/// Shortens names alone. The compiler looks at the file once, and once more for each round of names that it misses.
pub(crate) fn short_names(
    mut file: syn::File,
    compiler: &Compiler,
    kept: &mut BTreeSet<String>,
    rounds: usize,
) -> Result<syn::File, ExportError> {
    trim::trim(&mut file);
    file = own_names::take_back(file)?;
    imports::import(&mut file);
    blocks::merge(&mut file);
    receivers::shorten(&mut file);
    aliases::import(&mut file);
    let names = Names::of(&file);
    let mut renaming = Renaming::new(&names);
    renaming.visit_file_mut(&mut file.clone());
    renaming.is_counting = false;
    // Where the file and the standard library have members of one name, a use is mostly found to mean either.
    let is_of_std = |(space, name): &&(Space, String)| match space {
        Space::Member => effects::is_of_std(name),
        Space::Field => OF_RANGES.contains(&name.as_str()),
        _ => false,
    };
    kept.extend(names.defined.iter().filter(is_of_std).map(|(space, name)| kept_name(*space, name)));
    let mut last = String::new();
    for _ in 0..rounds {
        renaming.new = letters::choose(&names, kept, &renaming.counts);
        let mut short = file.clone();
        renaming.visit_file_mut(&mut short);
        short.attrs.push(parse_quote!(#![allow(nonstandard_style)]));
        let lines = lines(&short);
        let text = join(&lines);
        let diagnostics = compiler.check(&lines)?;
        let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error).collect();
        if errors.is_empty() {
            always_inlined::group(&mut short);
            return Ok(short);
        }
        let before = kept.len();
        for error in &errors {
            let known: Vec<String> = error.spans.iter().flat_map(|span| missed(&text, span, &renaming)).collect();
            match known.is_empty() {
                true => {
                    let quoted = error.message.split('`').skip(1).step_by(2).flat_map(words);
                    kept.extend(
                        quoted.flat_map(|word| renaming.old(word)).map(|(space, name)| kept_name(*space, name)),
                    );
                }
                false => kept.extend(known),
            }
        }
        last = errors.first().map(|error| error.rendered.clone()).unwrap_or_default();
        if kept.len() == before {
            break;
        }
    }
    Err(ExportError::new(format!("the names cannot be shortened; export with --minify off: {last}")))
}

/// The names of members that the compiler does not know at a place: names of the standard library.
fn missed(text: &str, place: &Range<usize>, renaming: &Renaming<'_>) -> Vec<String> {
    let (before, after) = (text.get(..place.start).unwrap_or_default(), text.get(place.end..).unwrap_or_default());
    let spaces: &[Space] = match before.chars().next_back() {
        Some('.') if after.starts_with(['(', ':']) => &[Space::Member],
        Some('.') => &[Space::Field],
        Some(':') => &[Space::Member],
        _ => &[Space::Member, Space::Field],
    };
    let words = text.get(place.clone()).into_iter().flat_map(words);
    let old = words.flat_map(|word| renaming.old(word)).filter(|(space, _)| spaces.contains(space));
    old.map(|(space, name)| kept_name(*space, name)).collect()
}
