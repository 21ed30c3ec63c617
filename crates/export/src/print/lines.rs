//! The text of a file in lines that are the same as long as the code in them is.

use quote::ToTokens;
use syn::{Item, ItemTrait};

use super::Printer;
use crate::tree::head_of;

/// A piece of the text of a file: an item, the head of an implementation or a trait, one of their members, or their
/// end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Line {
    pub text: String,
    /// True if an item ends here.
    pub ends_item: bool,
    /// True if an implementation begins here.
    pub is_implementation: bool,
}

/// The text of a file in lines, which are few when little of it changes.
pub(crate) fn lines(file: &syn::File) -> Vec<Line> {
    let line = |code: &dyn ToTokens, ends_item, is_implementation| {
        let mut printer = Printer::new(usize::MAX);
        printer.stream(code.to_token_stream(), false);
        Line { text: printer.text, ends_item, is_implementation }
    };
    // Empty braces end the head of a block.
    let head = |code: &dyn ToTokens, is_implementation| {
        let mut head = line(code, false, is_implementation);
        head.text.pop();
        head
    };
    let end = || Line { text: "}".to_string(), ends_item: true, is_implementation: false };
    let mut lines: Vec<Line> = file.attrs.iter().map(|attribute| line(attribute, true, false)).collect();
    for item in &file.items {
        match item {
            Item::Impl(block) if !block.items.is_empty() => {
                lines.push(head(&head_of(block), true));
                lines.extend(block.items.iter().map(|member| line(member, false, false)));
                lines.push(end());
            }
            Item::Trait(block) if !block.items.is_empty() => {
                lines.push(head(&ItemTrait { items: Vec::new(), ..block.clone() }, false));
                lines.extend(block.items.iter().map(|member| line(member, false, false)));
                lines.push(end());
            }
            item => lines.push(line(item, true, matches!(item, Item::Impl(_)))),
        }
    }
    lines
}

/// The text of lines.
pub(crate) fn join(lines: &[Line]) -> String {
    lines.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect()
}
