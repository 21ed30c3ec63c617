//! The numbers of the variants of enums, which change when a variant before them goes.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use syn::{Fields, Item, ItemEnum, parse_quote};

use crate::fault::ExportError;
use crate::print::lines::{join, lines};
use crate::prune::compiler::Compiler;

/// The errors of casts that the compiler does not take.
const CASTS: [&str; 2] = ["E0605", "E0606"];

/// The number of each variant: the last variant before it whose number is written out, if there is one, and the
/// distance from there.
type Numbers = BTreeMap<String, (Option<String>, usize)>;

/// Refuses a file that casts an enum to a number of which a variant has another number than before. `files` are the
/// files that the program was read from.
pub(crate) fn check(
    before: &syn::File,
    after: &syn::File,
    files: &[PathBuf],
    compiler: &Compiler,
) -> Result<(), ExportError> {
    let known: BTreeMap<String, &ItemEnum> = enums(before).map(|item| (item.ident.to_string(), item)).collect();
    let is_changed = |item: &ItemEnum| {
        let now = numbers(item);
        known.get(&item.ident.to_string()).is_some_and(|item| {
            let then = numbers(item);
            now.iter().any(|(name, number)| then.get(name).is_some_and(|before| before != number))
        })
    };
    if !enums(after).any(is_changed) {
        return Ok(());
    }
    // An enum with a value in a variant has no number, so the compiler finds every cast.
    let mut probe = after.clone();
    for item in &mut probe.items {
        if let Item::Enum(item) = item
            && is_changed(item)
        {
            item.variants.iter_mut().for_each(|variant| variant.discriminant = None);
            item.variants.push(parse_quote!(BoughsWithoutNumber(u8)));
        }
    }
    let lines = lines(&probe);
    let diagnostics = compiler.check(&lines)?;
    let Some(cast) = diagnostics.iter().find(|diagnostic| CASTS.contains(&diagnostic.code.as_str())) else {
        return Ok(());
    };
    let text = join(&lines);
    let cast = cast.spans.first().and_then(|span| text.get(span.clone())).unwrap_or_default();
    // The types of a cast stand in quotes.
    let named = |item: &&ItemEnum| is_changed(item) && cast_names(&diagnostics, &item.ident.to_string());
    let Some(item) = enums(after).find(named).and_then(|item| known.get(&item.ident.to_string())) else {
        return Ok(());
    };
    Err(ExportError::new(format!(
        "{}: the enum {} is cast to a number, as in {cast}, and has variants that nothing constructs; they go, which \
         would change the numbers of others; write the numbers of all variants out, or remove those that nothing \
         constructs",
        place(item, files),
        item.ident
    )))
}

/// Returns true if an error about a cast names a type.
fn cast_names(diagnostics: &[crate::prune::compiler::Diagnostic], name: &str) -> bool {
    let quoted = format!("`{name}`");
    diagnostics
        .iter()
        .any(|diagnostic| CASTS.contains(&diagnostic.code.as_str()) && diagnostic.message.contains(&quoted))
}

/// The enums of a file whose variants have no values.
fn enums(file: &syn::File) -> impl Iterator<Item = &ItemEnum> {
    file.items.iter().filter_map(|item| match item {
        Item::Enum(item) if item.variants.iter().all(|variant| matches!(variant.fields, Fields::Unit)) => Some(item),
        _ => None,
    })
}

fn numbers(item: &ItemEnum) -> Numbers {
    let (mut written, mut distance) = (None, 0);
    let number = |variant: &syn::Variant| {
        if variant.discriminant.is_some() {
            (written, distance) = (Some(variant.ident.to_string()), 0);
        }
        distance += 1;
        (variant.ident.to_string(), (written.clone(), distance))
    };
    item.variants.iter().map(number).collect()
}

/// The line of an enum, with its file where that is known.
fn place(item: &ItemEnum, files: &[PathBuf]) -> String {
    let (line, head) = (item.ident.span().start().line, format!("enum {}", item.ident));
    let has_it = |text: String| text.lines().nth(line.saturating_sub(1)).is_some_and(|text| text.contains(&head));
    match files.iter().find(|file| fs::read_to_string(file).is_ok_and(has_it)) {
        Some(file) => format!("{}:{line}", file.display()),
        None => format!("line {line}"),
    }
}
