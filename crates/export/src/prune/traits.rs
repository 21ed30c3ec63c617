//! Implementations of traits of the standard library that the program does without.
//!
//! The compiler does not warn of them. So all are left out at once, and those come back that its errors name.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, Item, Path, Token, Type, TypeParamBound, parse_quote};

use super::compiler::{Compiler, Diagnostic};
use super::gone_parts::name_of;
use crate::fault::ExportError;
use crate::print::lines::lines;
use crate::shorten::names::count;
use crate::tree::retain;
use crate::visit_mut::VisitMut;

/// Traits whose implementations stay: without `Drop` a program compiles and does something else, and values are copied
/// nearly everywhere.
const KEPT: [&str; 3] = ["Drop", "Clone", "Copy"];

/// The most rounds of leaving out and putting back.
const MOST_ROUNDS: usize = 12;

/// An implementation: the trait, and the type it is for.
pub(crate) type Implementation = (String, String);

/// Leaves out implementations that are not known to be needed, without asking. Returns those that went.
pub(super) fn leave_out(file: &mut syn::File, needed: &BTreeSet<Implementation>) -> BTreeSet<Implementation> {
    let own = own_traits(file);
    let mut stripper = Stripper { own: &own, needed, gone: BTreeSet::new() };
    stripper.visit_file_mut(file);
    stripper.gone
}

/// Notes implementations that are needed, with those that they need.
pub(super) fn need_all(
    file: &syn::File,
    all: Vec<Implementation>,
    gone: &BTreeSet<Implementation>,
    needed: &mut BTreeSet<Implementation>,
) {
    let parts = parts(file);
    all.into_iter().for_each(|implementation| need(implementation, &parts, gone, needed));
}

/// Leaves out implementations that are not needed. `needed` is what earlier calls found out, and grows.
pub(super) fn strip(
    file: syn::File,
    compiler: &Compiler,
    needed: &mut BTreeSet<Implementation>,
) -> Result<syn::File, ExportError> {
    let own = own_traits(&file);
    let parts = parts(&file);
    for _ in 0..MOST_ROUNDS {
        let mut stripper = Stripper { own: &own, needed, gone: BTreeSet::new() };
        let mut stripped = file.clone();
        stripper.visit_file_mut(&mut stripped);
        let gone = stripper.gone;
        let diagnostics = compiler.check(&lines(&stripped))?;
        let errors: Vec<&Diagnostic> = diagnostics.iter().filter(|diagnostic| diagnostic.is_error).collect();
        if errors.is_empty() {
            return Ok(stripped);
        }
        let before = needed.len();
        for error in errors {
            for implementation in named(&error.notes, &gone) {
                need(implementation, &parts, &gone, needed);
            }
        }
        if needed.len() == before {
            break;
        }
    }
    Ok(file)
}

/// The implementations that an error names.
pub(super) fn named(notes: &str, gone: &BTreeSet<Implementation>) -> Vec<Implementation> {
    let words: BTreeSet<&str> = notes.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let of = |is_named: &dyn Fn(&Implementation) -> bool| {
        gone.iter().filter(|implementation| is_named(implementation)).cloned().collect::<Vec<_>>()
    };
    let both = of(&|(of, itself)| words.contains(of.as_str()) && words.contains(itself.as_str()));
    let itself = of(&|(_, itself)| words.contains(itself.as_str()));
    let of_trait = of(&|(of, _)| words.contains(of.as_str()));
    [both, itself, of_trait].into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

/// Notes an implementation that is needed, and those that it needs: of the types of its fields, and of the traits that
/// its trait demands.
fn need(
    implementation: Implementation,
    parts: &BTreeMap<String, BTreeSet<String>>,
    gone: &BTreeSet<Implementation>,
    needed: &mut BTreeSet<Implementation>,
) {
    if !gone.contains(&implementation) || !needed.insert(implementation.clone()) {
        return;
    }
    let (of, itself) = implementation;
    let demanded: &[&str] = match of.as_str() {
        "Eq" => &["PartialEq"],
        "PartialOrd" => &["PartialEq"],
        "Ord" => &["Eq", "PartialOrd"],
        _ => &[],
    };
    for demanded in demanded {
        need((demanded.to_string(), itself.clone()), parts, gone, needed);
    }
    for part in parts.get(&itself).into_iter().flatten() {
        need((of.clone(), part.clone()), parts, gone, needed);
    }
}

/// The names in the fields of each type that derives traits.
fn parts(file: &syn::File) -> BTreeMap<String, BTreeSet<String>> {
    let names = |fields: &mut dyn Iterator<Item = &syn::Field>| {
        let mut names = BTreeMap::new();
        fields.for_each(|field| count(field.ty.to_token_stream(), &mut names));
        names.into_keys().collect::<BTreeSet<String>>()
    };
    let derives = |attributes: &[Attribute]| attributes.iter().any(|attribute| attribute.path().is_ident("derive"));
    let parts = file.items.iter().filter_map(|item| match item {
        Item::Struct(item) if derives(&item.attrs) => Some((item.ident.to_string(), names(&mut item.fields.iter()))),
        Item::Enum(item) if derives(&item.attrs) => {
            let mut fields = item.variants.iter().flat_map(|variant| &variant.fields);
            Some((item.ident.to_string(), names(&mut fields)))
        }
        _ => None,
    });
    parts.collect()
}

fn own_traits(file: &syn::File) -> BTreeSet<String> {
    let name = |item: &Item| match item {
        Item::Trait(item) => Some(item.ident.to_string()),
        _ => None,
    };
    file.items.iter().filter_map(name).collect()
}

/// Leaves out the implementations that are not known to be needed.
struct Stripper<'a> {
    own: &'a BTreeSet<String>,
    needed: &'a BTreeSet<Implementation>,
    gone: BTreeSet<Implementation>,
}

impl Stripper<'_> {
    fn keeps(&mut self, of: &Path, itself: &str) -> bool {
        let of = of.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let implementation = (of, itself.to_string());
        let (of, _) = &implementation;
        // Of the file's own traits only those go that types of the standard library have.
        let is_own = self.own.contains(of) && itself.starts_with(char::is_uppercase);
        if KEPT.contains(&of.as_str()) || is_own || self.needed.contains(&implementation) {
            return true;
        }
        self.gone.insert(implementation);
        false
    }

    fn derives(&mut self, attributes: &mut Vec<Attribute>, itself: &str) {
        attributes.retain_mut(|attribute| {
            if !attribute.path().is_ident("derive") {
                return true;
            }
            let Ok(paths) = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated) else {
                return true;
            };
            let kept: Vec<Path> = paths.into_iter().filter(|path| self.keeps(path, itself)).collect();
            *attribute = parse_quote!(#[derive(#(#kept),*)]);
            !kept.is_empty()
        });
    }
}

/// The name of the type that an implementation is for, or what it is made of.
fn name_or_text(itself: &Type) -> String {
    match itself {
        Type::Reference(reference) => name_or_text(&reference.elem),
        itself => name_of(itself).unwrap_or_else(|| itself.to_token_stream().to_string()),
    }
}

impl VisitMut for Stripper<'_> {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        file.items.retain_mut(|item| match item {
            Item::Impl(block) => match &block.trait_ {
                Some((of, _)) => self.keeps(of, &name_or_text(&block.self_ty)),
                None => true,
            },
            Item::Struct(item) => {
                self.derives(&mut item.attrs, &item.ident.to_string());
                true
            }
            Item::Trait(item) => {
                let bounds = &mut item.supertraits;
                retain(bounds, &mut |bound| match bound {
                    TypeParamBound::Trait(bound) => bound.path.segments.last().is_none_or(|last| last.ident != "Debug"),
                    _ => true,
                });
                true
            }
            Item::Enum(item) => {
                let name = item.ident.to_string();
                self.derives(&mut item.attrs, &name);
                if self.gone.contains(&("Default".to_string(), name)) {
                    item.variants
                        .iter_mut()
                        .for_each(|variant| variant.attrs.retain(|of| !of.path().is_ident("default")));
                }
                true
            }
            _ => true,
        });
    }
}
