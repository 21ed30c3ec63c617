//! The head of a file: the program that wrote it, the command that compiles it, and the constants of `main.rs`, which a
//! user may want to change.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use syn::{Attribute, Expr, ExprLit, Item, Lit, Meta};

use crate::{Judge, prefetch, wide};

/// The constants of a program with their documentation.
#[derive(Clone)]
pub(crate) struct Header {
    /// The name of the program.
    bot: String,
    /// The lines of documentation of each constant, by its name.
    constants: BTreeMap<String, Vec<String>>,
}

impl Header {
    /// Reads the documented constants from the first file of a program, whose merged text has no documentation.
    pub(crate) fn read(bot: &str, path: &Path) -> Header {
        let program = fs::read_to_string(path).ok().and_then(|text| syn::parse_file(&text).ok());
        let items = program.map(|program| program.items).unwrap_or_default();
        let constants = items.iter().filter_map(|item| match item {
            Item::Const(item) => Some((item.ident.to_string(), documentation(&item.attrs))),
            _ => None,
        });
        Header { bot: bot.to_string(), constants: constants.filter(|(_, lines)| !lines.is_empty()).collect() }
    }

    /// The names of the constants.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.constants.keys().map(String::as_str)
    }

    /// The text of a file: imports, then the constants below their documentation, then the rest.
    pub(crate) fn print(&self, file: &syn::File, judge: Judge, print: fn(&syn::File) -> String) -> String {
        let part = |items: Vec<Item>| syn::File { shebang: None, attrs: Vec::new(), items, frontmatter: None };
        let (imports, rest): (Vec<Item>, Vec<Item>) =
            file.items.iter().cloned().partition(|item| matches!(item, Item::Use(_)));
        let (constants, rest): (Vec<Item>, Vec<Item>) = rest.into_iter().partition(|item| self.lines(item).is_some());
        let edition = judge.edition();
        let mut text = format!("// {}, written by boughs export; rustc -O --edition {edition} compiles it\n", self.bot);
        text += &print(&syn::File { attrs: file.attrs.clone(), ..part(imports) });
        for constant in constants {
            self.lines(&constant).into_iter().flatten().for_each(|line| text += &format!("//{line}\n"));
            text += &print(&part(vec![constant]));
        }
        let mut plain = Vec::new();
        for mut item in rest {
            match wide::functions(&item) {
                Some(functions) => text += &format!("{}{}", wide::REASON, print(&part(functions))),
                None if prefetch::is_prefetch(&item) => {
                    text += &format!("{}{}", prefetch::REASON, print(&part(vec![item])));
                }
                None => {
                    wide::unmark(&mut item);
                    plain.push(item);
                }
            }
        }
        text += &print(&part(plain));
        text
    }

    /// The documentation of an item that is one of the constants.
    fn lines(&self, item: &Item) -> Option<&[String]> {
        match item {
            Item::Const(item) => self.constants.get(&item.ident.to_string()).map(Vec::as_slice),
            _ => None,
        }
    }
}

/// The lines of a documentation, each with the space at its beginning.
fn documentation(attributes: &[Attribute]) -> Vec<String> {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    lines.flat_map(|text| text.lines().map(str::to_string).collect::<Vec<_>>()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print;

    #[test]
    fn what_the_compiler_does_not_check_has_its_reason_above_it() {
        // The word would be taken for a block of this file.
        let block = ["uns", "afe"].concat();
        let file = syn::parse_str(&format!(
            r##"
            fn main() {{ prefetch(&3); println!("{{}}", sum(&[2.5])); }}
            fn prefetch(value: &u8) {{ {block} {{ _mm_prefetch::<3>(std::ptr::from_ref(value).cast()); }} }}
            #[rust_analyzer::features("avx2")] fn sum(all: &[f32]) -> f32 {{ all.iter().sum() }}
            "##
        ));
        let header = Header { bot: "bot".to_string(), constants: BTreeMap::new() };
        for print in [print::compact, print::pretty] {
            let text = header.print(file.as_ref().expect("a file"), Judge::CodinGame, print);
            for (reason, function) in [(prefetch::REASON, "fn prefetch"), (wide::REASON, "fn sum")] {
                let (_, behind) = text.split_once(reason).expect("a reason");
                assert!(behind.starts_with(function), "{text}");
            }
            assert_eq!(text.matches("SAFETY").count(), 2, "{text}");
        }
    }
}
