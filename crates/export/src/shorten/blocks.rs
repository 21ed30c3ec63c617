//! Implementations of one type in one block.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::{Item, ItemImpl};

use crate::tree::head_of;

/// Merges the blocks without a trait that have the same head.
pub(super) fn merge(file: &mut syn::File) {
    let mut merged: Vec<Item> = Vec::new();
    let mut first = BTreeMap::new();
    for item in std::mem::take(&mut file.items) {
        let Item::Impl(block) = &item else {
            merged.push(item);
            continue;
        };
        if block.trait_.is_none() {
            if block.items.is_empty() {
                continue;
            }
            let at = *first.entry(head(block)).or_insert(merged.len());
            if let Some(Item::Impl(other)) = merged.get_mut(at) {
                other.items.extend(block.items.iter().cloned());
                continue;
            }
        }
        merged.push(item);
    }
    file.items = merged;
}

/// A block without its members, as text.
fn head(block: &ItemImpl) -> String {
    head_of(block).to_token_stream().to_string()
}
