//! One file of several crates: each library becomes a module of the program.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Item, Visibility, parse_quote};

use crate::expand::expand;
use crate::fault::ExportError;
use crate::shelf::Shelf;
use crate::sources::{Source, Sources};
use crate::visit_mut::{self, VisitMut};

/// Makes one file of a program and its libraries.
pub fn merge(sources: Sources) -> Result<syn::File, ExportError> {
    merge_with(sources, &mut Shelf::default())
}

/// The same, where libraries may be known.
pub(crate) fn merge_with(sources: Sources, shelf: &mut Shelf) -> Result<syn::File, ExportError> {
    let modules = module_names(&sources);
    let mut items = Vec::new();
    for library in &sources.libraries {
        let module = &modules[&library.name];
        let name = Ident::new(module, Span::call_site());
        let made_of = format!("{:?} {:?} {modules:?}", library.number, library.dependencies);
        let make = || rewritten(library, Some(module), &modules).map(|file| file.items);
        let inner = shelf.merged(&library.name, made_of, make)?;
        let mut library: syn::ItemMod = parse_quote!(pub(crate) mod #name {});
        library.content = library.content.map(|(braces, _)| (braces, inner));
        items.push(Item::Mod(library));
    }
    let program = rewritten(&sources.program, None, &modules)?;
    items.extend(program.items);
    Ok(syn::File { shebang: None, attrs: Vec::new(), items, frontmatter: None })
}

/// The module of each library: its name, unless the program has an item of that name.
fn module_names(sources: &Sources) -> BTreeMap<String, String> {
    let taken: BTreeSet<String> = sources.program.file.items.iter().filter_map(item_name).collect();
    let name = |library: &Source| {
        let mut module = library.name.clone();
        while taken.contains(&module) {
            module.push('_');
        }
        (library.name.clone(), module)
    };
    sources.libraries.iter().map(name).collect()
}

fn item_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Mod(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Struct(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        _ => return None,
    };
    Some(name.to_string())
}

/// The file of a crate, whose paths begin at the root of the merged file.
fn rewritten(
    source: &Source,
    module: Option<&str>,
    modules: &BTreeMap<String, String>,
) -> Result<syn::File, ExportError> {
    let targets =
        source.dependencies.iter().filter_map(|(name, library)| Some((name.clone(), modules.get(library)?.clone())));
    let paths = Paths { module: module.map(str::to_string), crates: targets.collect() };
    let mut file = source.file.clone();
    file.attrs.clear();
    expand(&mut file.items);
    let mut exported = Vec::new();
    export_macros(&mut file.items, &mut Vec::new(), &mut exported);
    file.items.extend(exported);
    let tokens = paths.rewrite(file.into_token_stream(), false);
    let mut file: syn::File = syn::parse2(tokens)
        .map_err(|error| ExportError::new(format!("the crate {} cannot be merged: {error}", source.name)))?;
    file.items.retain(|item| !matches!(item, Item::ExternCrate(item) if modules.contains_key(&item.ident.to_string())));
    Widths.visit_file_mut(&mut file);
    Ok(file)
}

/// Gives exported macros a path: an import where they are defined, and one at the root of their crate.
fn export_macros(items: &mut Vec<Item>, path: &mut Vec<Ident>, exported: &mut Vec<Item>) {
    let mut at = 0;
    while at < items.len() {
        match &mut items[at] {
            Item::Mod(module) => {
                if let Some((_, inner)) = &mut module.content {
                    path.push(module.ident.clone());
                    export_macros(inner, path, exported);
                    path.pop();
                }
            }
            Item::Macro(item) => {
                let before = item.attrs.len();
                item.attrs.retain(|attribute| !attribute.path().is_ident("macro_export"));
                if let (Some(name), true) = (item.ident.clone(), item.attrs.len() < before) {
                    if !path.is_empty() {
                        exported.push(parse_quote!(pub(crate) use self::#(#path::)* #name;));
                    }
                    at += 1;
                    items.insert(at, parse_quote!(pub(crate) use #name;));
                }
            }
            _ => {}
        }
        at += 1;
    }
}

/// The new beginnings of the paths of a crate.
struct Paths {
    /// The module that the crate becomes, unless it is the program.
    module: Option<String>,
    /// The names of other crates, and their modules.
    crates: BTreeMap<String, String>,
}

impl Paths {
    /// Rewrites paths, in the bodies and arguments of macros too. A list behind `::` continues a path.
    fn rewrite(&self, tokens: TokenStream, continues: bool) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out: Vec<TokenTree> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let follows = is_path_mark(&tokens, at.wrapping_sub(2));
            let leads = is_path_mark(&tokens, at + 1);
            match token {
                TokenTree::Group(group) => {
                    let is_list = group.delimiter() == proc_macro2::Delimiter::Brace && follows;
                    let mut inner = Group::new(group.delimiter(), self.rewrite(group.stream(), is_list));
                    inner.set_span(group.span());
                    out.push(TokenTree::Group(inner));
                }
                TokenTree::Ident(name) if name == "crate" && leads => {
                    // `$crate` of a macro.
                    if matches!(out.last(), Some(TokenTree::Punct(mark)) if mark.as_char() == '$') {
                        out.pop();
                    }
                    out.push(token.clone());
                    out.extend(self.module.iter().flat_map(|module| behind_mark(module, name.span())));
                }
                TokenTree::Ident(name) if leads && !continues => {
                    let is_global = follows && !is_path_before(&tokens, at - 2);
                    let is_first =
                        !follows && !matches!(out.last(), Some(TokenTree::Punct(mark)) if mark.as_char() == '$');
                    match self.crates.get(&name.to_string()) {
                        Some(module) if is_global || is_first => {
                            if is_global {
                                out.truncate(out.len() - 2);
                            }
                            out.push(Ident::new("crate", name.span()).into());
                            out.extend(behind_mark(module, name.span()));
                        }
                        _ => out.push(token.clone()),
                    }
                }
                _ => out.push(token.clone()),
            }
        }
        out.into_iter().collect()
    }
}

/// Returns true if `::` stands here.
fn is_path_mark(tokens: &[TokenTree], at: usize) -> bool {
    let is_colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    let is_joint =
        |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.spacing() == Spacing::Joint);
    at < tokens.len() && is_colon(at) && is_joint(at) && is_colon(at + 1)
}

/// Returns true if the `::` here continues a path.
fn is_path_before(tokens: &[TokenTree], mark: usize) -> bool {
    const KEYWORDS: [&str; 12] =
        ["use", "impl", "for", "in", "as", "return", "dyn", "mut", "match", "if", "else", "where"];
    match mark.checked_sub(1).map(|before| &tokens[before]) {
        Some(TokenTree::Ident(name)) => !KEYWORDS.iter().any(|word| name == word),
        Some(TokenTree::Punct(mark)) => mark.as_char() == '>',
        _ => false,
    }
}

fn behind_mark(name: &str, span: Span) -> [TokenTree; 3] {
    [Punct::new(':', Spacing::Joint).into(), Punct::new(':', Spacing::Alone).into(), Ident::new(name, span).into()]
}

/// Makes every item that is not private visible in the whole file, and no further: the compiler then tells which of
/// them are unused.
struct Widths;

impl VisitMut for Widths {
    fn visit_visibility_mut(&mut self, visibility: &mut Visibility) {
        if !matches!(visibility, Visibility::Inherited) {
            *visibility = parse_quote!(pub(crate));
        }
    }

    fn visit_item_macro_mut(&mut self, item: &mut syn::ItemMacro) {
        item.mac.tokens = narrowed(std::mem::take(&mut item.mac.tokens));
        visit_mut::visit_item_macro_mut(self, item);
    }
}

/// Makes what macros write visible in the whole file, and no further.
fn narrowed(tokens: TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut out = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), narrowed(group.stream()));
                inner.set_span(group.span());
                out.extend([TokenTree::Group(inner)]);
            }
            TokenTree::Ident(name) if name == "pub" => {
                let is_width = |group: &Group| {
                    let first = group.stream().into_iter().next().map(|first| first.to_string());
                    matches!(first.as_deref(), Some("crate" | "super" | "self" | "in"))
                };
                if matches!(tokens.peek(), Some(TokenTree::Group(group)) if is_width(group)) {
                    tokens.next();
                }
                out.extend(quote!(pub(crate)));
            }
            token => out.extend([token]),
        }
    }
    out
}
