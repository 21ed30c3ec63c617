//! Implementations of one type in one block.

use quote::ToTokens;
use syn::{Item, ItemImpl};

/// Merges the blocks without a trait that have the same head.
pub(super) fn merge(file: &mut syn::File) {
    let mut merged: Vec<Item> = Vec::new();
    for item in std::mem::take(&mut file.items) {
        let Item::Impl(block) = &item else {
            merged.push(item);
            continue;
        };
        let first = merged.iter_mut().find_map(|other| match other {
            Item::Impl(other) if block.trait_.is_none() && head(other) == head(block) => Some(other),
            _ => None,
        });
        match first {
            Some(first) => first.items.extend(block.items.iter().cloned()),
            None if block.trait_.is_none() && block.items.is_empty() => {}
            None => merged.push(item),
        }
    }
    file.items = merged;
}

/// A block without its members, as text.
fn head(block: &ItemImpl) -> String {
    ItemImpl { items: Vec::new(), ..block.clone() }.to_token_stream().to_string()
}
