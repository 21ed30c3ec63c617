//! Types, traits, fields and variants that go, by their names, so that what stands only for them goes in the same step.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use syn::{Fields, Item, Member, Path, Type};

use super::needed_fields::needed_fields;

/// The fields and variants of a file that go.
#[derive(Default)]
pub(super) struct GoneParts {
    /// The names of types and traits.
    types: BTreeSet<String>,
    /// The names of a struct, or of an enum and its variant, and of a field.
    fields: BTreeSet<(Vec<String>, String)>,
    /// The names of an enum and its variant.
    variants: BTreeSet<(String, String)>,
    /// The type that `Self` means.
    this: Option<String>,
}

impl GoneParts {
    /// The parts that `goes` tells by the names in their definitions.
    pub(super) fn of(items: &[Item], goes: &dyn Fn(&Ident) -> bool) -> GoneParts {
        let mut parts = GoneParts::default();
        for item in items {
            match item {
                Item::Struct(syn::ItemStruct { ident, .. })
                | Item::Enum(syn::ItemEnum { ident, .. })
                | Item::Trait(syn::ItemTrait { ident, .. })
                    if goes(ident) =>
                {
                    parts.types.insert(ident.to_string());
                }
                Item::Struct(item) => {
                    let needed = needed_fields(item, goes);
                    parts.add(&[&item.ident], &item.fields, &|name| goes(name) && !needed.contains(name));
                }
                Item::Enum(item) => {
                    for variant in &item.variants {
                        parts.add(&[&item.ident, &variant.ident], &variant.fields, goes);
                        if goes(&variant.ident) {
                            parts.variants.insert((item.ident.to_string(), variant.ident.to_string()));
                        }
                    }
                }
                _ => {}
            }
        }
        parts
    }

    fn add(&mut self, of: &[&Ident], fields: &Fields, goes: &dyn Fn(&Ident) -> bool) {
        let Fields::Named(fields) = fields else { return };
        let names = fields.named.iter().filter_map(|field| field.ident.as_ref()).filter(|name| goes(name));
        let of: Vec<String> = of.iter().map(ToString::to_string).collect();
        self.fields.extend(names.map(|name| (of.clone(), name.to_string())));
    }

    /// Returns true if a type or a trait goes.
    pub(super) fn has_type(&self, path: &Path) -> bool {
        // A longer path is one of the standard library.
        path.segments.len() == 1 && self.types.contains(&path.segments[0].ident.to_string())
    }

    /// Enters the implementations of a type, and returns the one that was left.
    pub(super) fn enter(&mut self, this: Option<String>) -> Option<String> {
        std::mem::replace(&mut self.this, this)
    }

    /// Returns true if a field of what a path means goes.
    pub(super) fn has_field(&self, of: &Path, field: &Member) -> bool {
        let Member::Named(name) = field else { return false };
        !self.fields.is_empty() && self.fields.contains(&(self.names(of), name.to_string()))
    }

    /// Returns true if a path means a variant that goes.
    pub(super) fn has_variant(&self, path: &Path) -> bool {
        !self.variants.is_empty()
            && matches!(&self.names(path)[..], [of, name] if self.variants.contains(&(of.clone(), name.clone())))
    }

    /// The names of a path, with that of the type for `Self`.
    fn names(&self, path: &Path) -> Vec<String> {
        let names = path.segments.iter().map(|segment| segment.ident.to_string());
        names.map(|name| if name == "Self" { self.this.clone().unwrap_or(name) } else { name }).collect()
    }
}

/// The name of the type that an implementation is for.
pub(crate) fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    }
}
