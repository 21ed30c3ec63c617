//! Fields that are written and never read: they go, with the work for their values.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Expr, Item, Member, Type, parse_quote};

use super::program::{Program, head};
use super::value::Known;
use super::walker::{Found, Walker};
use crate::tree::retain;
use crate::without_fields::without_fields;

/// A struct and its field.
pub(super) type FieldName = (String, String);

/// The fields that are not among those that are read, and whose values can go without notice.
pub(super) fn unread(items: &[Item], program: &Program, reads: &BTreeSet<FieldName>) -> BTreeSet<FieldName> {
    let plain = plain_types(items);
    let mut unread = BTreeSet::new();
    for item in items {
        let Item::Struct(item) = item else { continue };
        let of = item.ident.to_string();
        for (name, ty) in program.structs.get(&of).into_iter().flatten() {
            let field = (of.clone(), name.clone());
            if !has_reading_derive(&item.attrs) && !reads.contains(&field) && is_plain(ty, &plain) {
                unread.insert(field);
            }
        }
    }
    unread
}

/// Removes fields from their structs.
pub(super) fn remove_declared(items: &mut [Item], unread: &BTreeSet<FieldName>) {
    for item in items {
        let Item::Struct(item) = item else { continue };
        let of = item.ident.to_string();
        if let syn::Fields::Named(fields) = &mut item.fields {
            retain(&mut fields.named, &mut |field| {
                field.ident.as_ref().is_none_or(|name| !unread.contains(&(of.clone(), name.to_string())))
            });
        }
    }
}

/// Returns true if the struct has derived methods that read all fields.
fn has_reading_derive(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().filter(|attribute| attribute.path().is_ident("derive")).any(|attribute| {
        let mut reads = false;
        let list = attribute.parse_nested_meta(|meta| {
            reads |= !["Clone", "Copy", "Default"].iter().any(|name| meta.path.is_ident(name));
            Ok(())
        });
        reads || list.is_err()
    })
}

/// The types of the file whose values can be dropped without notice, as far as their own `Drop` goes, and the types of
/// their parts.
fn plain_types(items: &[Item]) -> BTreeMap<String, Vec<Type>> {
    let mut types: BTreeMap<String, Vec<Type>> = BTreeMap::new();
    for item in items {
        match item {
            Item::Struct(item) if item.generics.params.is_empty() => {
                types.insert(item.ident.to_string(), item.fields.iter().map(|field| field.ty.clone()).collect());
            }
            Item::Enum(item) if item.generics.params.is_empty() => {
                let parts = item.variants.iter().flat_map(|variant| &variant.fields).map(|field| field.ty.clone());
                types.insert(item.ident.to_string(), parts.collect());
            }
            _ => {}
        }
    }
    for item in items {
        if let Item::Impl(block) = item
            && block.trait_.as_ref().and_then(|(path, _)| path.segments.last()).is_some_and(|last| last.ident == "Drop")
            && let Some(of) = head(&block.self_ty)
        {
            types.remove(&of);
        }
    }
    types
}

/// Returns true if values of a type hold nothing but numbers and texts.
fn is_plain(ty: &Type, plain: &BTreeMap<String, Vec<Type>>) -> bool {
    const PLAIN: [&str; 20] = [
        "AtomicBool",
        "AtomicU32",
        "AtomicU64",
        "AtomicUsize",
        "Duration",
        "Instant",
        "String",
        "bool",
        "char",
        "f32",
        "f64",
        "i16",
        "i32",
        "i64",
        "i8",
        "u16",
        "u32",
        "u64",
        "u8",
        "usize",
    ];
    match ty {
        Type::Array(list) => is_plain(&list.elem, plain),
        Type::Tuple(tuple) => tuple.elems.iter().all(|part| is_plain(part, plain)),
        Type::Path(path) if path.qself.is_none() => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            match (name.as_str(), &last.arguments) {
                ("Option" | "Vec", syn::PathArguments::AngleBracketed(of)) => of
                    .args
                    .iter()
                    .all(|argument| matches!(argument, syn::GenericArgument::Type(ty) if is_plain(ty, plain))),
                (name, syn::PathArguments::None) => {
                    PLAIN.contains(&name)
                        || plain.get(name).is_some_and(|parts| {
                            // A type that holds itself is none of those.
                            let others = plain.iter().filter(|(other, _)| *other != name);
                            let others = others.map(|(name, parts)| (name.clone(), parts.clone())).collect();
                            parts.iter().all(|part| is_plain(part, &others))
                        })
                }
                _ => false,
            }
        }),
        _ => false,
    }
}

impl Walker<'_> {
    /// A field is read.
    pub(super) fn note_read(&mut self, base: &Found, name: &str) {
        match self.program.owner(base.ty.as_ref(), name) {
            Some(of) => _ = self.facts.reads.insert((of, name.to_string())),
            None => self.note_reads(name),
        }
    }

    /// A field of this name is read, of some struct.
    pub(super) fn note_reads(&mut self, name: &str) {
        let program = self.program;
        let all = program.structs.iter().filter(|(_, fields)| fields.contains_key(name));
        self.facts.reads.extend(all.map(|(of, _)| (of.clone(), name.to_string())));
    }

    /// The field that a place is stays.
    pub(super) fn note_place(&mut self, place: &Expr) {
        if let Expr::Field(syn::ExprField { member: Member::Named(name), .. }) = place {
            self.note_reads(&name.to_string());
        }
    }

    /// Walks through a call that only adds to the list in a field or empties it: that does not read it.
    pub(super) fn adds_to_field(&mut self, expr: &mut Expr) -> bool {
        let Expr::MethodCall(call) = &mut *expr else { return false };
        let Expr::Field(syn::ExprField { base, member: Member::Named(name), .. }) = &mut *call.receiver else {
            return false;
        };
        let (name, adds) = (name.to_string(), ["clear", "extend", "push"].iter().any(|name| call.method == name));
        if !adds || self.purity.has_effects(base) {
            return false;
        }
        let Some(of) = self.look(base).ty.as_ref().and_then(head) else { return false };
        let ty = self.program.structs.get(&of).and_then(|fields| fields.get(&name));
        if !matches!(ty, Some(Type::Path(path)) if path.path.segments.last().is_some_and(|last| last.ident == "Vec")) {
            return false;
        }
        self.walk(base);
        call.args.iter_mut().for_each(|argument| _ = self.walk(argument));
        self.facts.assign_field(&of, &name, Known::Varies);
        self.facts.mention_member(&call.method.to_string());
        if self.unread.contains(&(of, name)) {
            let effects = call.args.iter().filter(|argument| self.purity.has_effects(argument));
            *expr = parse_quote!({ #(let _ = #effects;)* });
        }
        true
    }

    fn is_unread(&self, of: Option<String>, member: &Member) -> bool {
        match (of, member) {
            (Some(of), Member::Named(name)) => self.unread.contains(&(of, name.to_string())),
            _ => false,
        }
    }

    /// Takes the fields out of a struct that is made, which are never read.
    pub(super) fn without_unread(&mut self, expr: &mut Expr) {
        let Expr::Struct(literal) = expr else { return };
        let of = literal.path.segments.last().and_then(|last| self.own_name(last.ident.to_string()));
        let goes = &mut |field: &syn::FieldValue| self.is_unread(of.clone(), &field.member);
        if let Some(now) = without_fields(literal, goes, &|value| self.purity.has_effects(value)) {
            *expr = now;
        }
    }

    /// Takes out an assignment to a field that is never read.
    pub(super) fn without_assignment(&mut self, expr: &mut Expr) {
        let (left, right) = match expr {
            Expr::Assign(assignment) => (&mut assignment.left, &assignment.right),
            Expr::Binary(binary) => (&mut binary.left, &binary.right),
            _ => return,
        };
        let Expr::Field(field) = &mut **left else { return };
        let right = right.clone();
        let of = self.look(&field.base).ty.as_ref().and_then(head);
        if self.is_unread(of, &field.member) {
            *expr = if self.purity.has_effects(&right) { parse_quote!({ let _ = #right; }) } else { parse_quote!({}) };
        }
    }
}
