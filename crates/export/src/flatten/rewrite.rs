//! Paths of an item, as they are at the root.

use std::collections::BTreeSet;

use proc_macro2::{Group, Ident, Punct, Spacing, TokenStream, TokenTree};
use syn::{Expr, Item, Pat, PathSegment, Stmt, parse_quote};

use super::locals::Names;
use super::scope::{Meaning, Modules, SPACES, Space, import, plain};
use crate::arguments::{captured, matches_as_match, rename_captured, visit_arguments};
use crate::visit_mut::{self, VisitMut};

pub(super) struct Rewriter<'a> {
    modules: &'a Modules,
    /// The module of the item.
    at: usize,
    scopes: Vec<Names>,
    /// Imports of blocks from the standard library.
    externals: &'a mut BTreeSet<Vec<String>>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(modules: &'a Modules, at: usize, externals: &'a mut BTreeSet<Vec<String>>) -> Rewriter<'a> {
        Rewriter { modules, at, scopes: Vec::new(), externals }
    }

    fn within(&mut self, names: Names, visit: impl FnOnce(&mut Self)) {
        self.scopes.push(names);
        visit(self);
        self.scopes.pop();
    }

    fn bind(&mut self, pattern: &Pat) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.bind(pattern);
        }
    }

    fn is_variable(&self, name: &str) -> bool {
        self.scopes.iter().any(|scope| scope.values.contains(name))
    }

    /// The meaning of a path and the number of segments it takes, unless it is of local names.
    fn resolve(&self, path: &[String], space: Space) -> Option<(Meaning, usize)> {
        let first = path.first()?;
        for scope in self.scopes.iter().rev() {
            let is_value = path.len() == 1 && space == Space::Value;
            if if is_value { scope.values.contains(first) } else { scope.types.contains(first) } {
                return None;
            }
            for (_, import) in scope.imports.imports.iter().filter(|(name, _)| name == first) {
                let whole: Vec<String> = import.iter().chain(&path[1..]).cloned().collect();
                if let Some((meaning, used)) = self.modules.resolve(self.at, &whole, space, 0)
                    && used >= import.len()
                {
                    return Some((meaning, used + 1 - import.len()));
                }
            }
            for glob in &scope.imports.globs {
                let whole: Vec<String> = glob.iter().chain(path).cloned().collect();
                if let Some((meaning, used)) = self.modules.resolve(self.at, &whole, space, 0)
                    && used > glob.len()
                    && !matches!(meaning, Meaning::External(_))
                {
                    return Some((meaning, used - glob.len()));
                }
            }
        }
        self.modules.resolve(self.at, path, space, 0)
    }

    /// The new names in place of the first ones of a path, and how many they replace.
    fn replacement(&self, path: &[String], space: Space) -> Option<(Vec<String>, usize)> {
        if path.first()? == "Self" || path == ["self"] {
            return None;
        }
        let (names, used) = match self.resolve(path, space)? {
            (Meaning::Item { flat, .. }, used) => {
                let hidden = space == Space::Value && used == path.len() && self.is_variable(&flat);
                (if hidden { vec!["crate".to_string(), flat] } else { vec![flat] }, used)
            }
            (Meaning::Variant(of, name), used) => (vec![of, name], used),
            (Meaning::External(path), used) => (path, used),
            (Meaning::Module(_), _) => return None,
        };
        Some((names, used))
    }

    fn path(&self, path: &mut syn::Path, space: Space) {
        if path.leading_colon.is_some() {
            return;
        }
        let names: Vec<String> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let Some((new, used)) = self.replacement(&names, space) else { return };
        if new == names[..used] {
            return;
        }
        let old: Vec<PathSegment> = std::mem::take(&mut path.segments).into_iter().collect();
        let mut segments: Vec<PathSegment> = new.iter().map(|name| name_at(name, &old[used - 1]).into()).collect();
        // Arguments stay at the segment from the end that has them.
        for (segment, old) in segments.iter_mut().rev().zip(old[..used].iter().rev()) {
            segment.arguments = old.arguments.clone();
        }
        segments.extend(old.into_iter().skip(used));
        path.segments = segments.into_iter().collect();
    }

    /// Rewrites the paths among tokens that are not parsed.
    fn tokens(&self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut out: Vec<TokenTree> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => {
                    let mut inner = Group::new(group.delimiter(), self.tokens(group.stream()));
                    inner.set_span(group.span());
                    out.push(inner.into());
                    at += 1;
                }
                TokenTree::Ident(_) => {
                    let (names, end) = path_among(&tokens, at);
                    let follows = at.checked_sub(1).map(|before| tokens[before].to_string());
                    let is_part = matches!(
                        follows.as_deref(),
                        Some("." | "$" | "'" | "fn" | "enum" | "struct" | "trait" | "type" | "const")
                    ) || follows.as_deref() == Some(":") && is_mark(&tokens, at.wrapping_sub(2));
                    let is_field = names.len() == 1
                        && follows.as_deref() != Some("static")
                        && matches!(tokens.get(end), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
                    let is_macro = matches!(tokens.get(end), Some(TokenTree::Punct(mark)) if mark.as_char() == '!');
                    let spaces: &[Space] = if is_macro { &[Space::Macro] } else { &SPACES[..2] };
                    let found = spaces.iter().find_map(|space| self.replacement(&names, *space));
                    match found.filter(|_| !is_part && !is_field) {
                        Some((new, used)) => {
                            let all: Vec<&String> = new.iter().chain(&names[used..]).collect();
                            for (number, name) in all.iter().enumerate() {
                                if number > 0 {
                                    out.extend(path_mark());
                                }
                                out.push(Ident::new(name, tokens[at].span()).into());
                            }
                        }
                        None => out.extend(tokens[at..end].iter().cloned()),
                    }
                    at = end;
                }
                token => {
                    out.push(token.clone());
                    at += 1;
                }
            }
        }
        out.into_iter().collect()
    }

    fn generic_item(&mut self, generics: &syn::Generics, visit: impl FnOnce(&mut Self)) {
        self.within(Names::of_generics(generics), visit);
    }
}

fn name_at(name: &str, segment: &PathSegment) -> Ident {
    match name {
        _ if segment.ident == name => segment.ident.clone(),
        name => Ident::new(name, segment.ident.span()),
    }
}

fn path_mark() -> [TokenTree; 2] {
    [Punct::new(':', Spacing::Joint).into(), Punct::new(':', Spacing::Alone).into()]
}

/// Returns true if `::` stands here.
fn is_mark(tokens: &[TokenTree], at: usize) -> bool {
    let colon = |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(mark)) if mark.as_char() == ':');
    at < tokens.len() && colon(at) && colon(at + 1)
}

/// The names of the path that begins here, and its end.
fn path_among(tokens: &[TokenTree], begin: usize) -> (Vec<String>, usize) {
    let mut names = Vec::new();
    let mut at = begin;
    while let Some(TokenTree::Ident(name)) = tokens.get(at) {
        names.push(plain(name));
        at += 1;
        if !is_mark(tokens, at) || !matches!(tokens.get(at + 2), Some(TokenTree::Ident(_))) {
            break;
        }
        at += 2;
    }
    (names, at)
}

impl VisitMut for Rewriter<'_> {
    fn visit_item_fn_mut(&mut self, item: &mut syn::ItemFn) {
        let generics = item.sig.generics.clone();
        self.generic_item(&generics, |rewriter| {
            rewriter.visit_signature_mut(&mut item.sig);
            rewriter.visit_block_mut(&mut item.block);
        });
    }

    fn visit_impl_item_fn_mut(&mut self, item: &mut syn::ImplItemFn) {
        let generics = item.sig.generics.clone();
        self.generic_item(&generics, |rewriter| {
            rewriter.visit_signature_mut(&mut item.sig);
            rewriter.visit_block_mut(&mut item.block);
        });
    }

    fn visit_trait_item_fn_mut(&mut self, item: &mut syn::TraitItemFn) {
        let generics = item.sig.generics.clone();
        self.generic_item(&generics, |rewriter| visit_mut::visit_trait_item_fn_mut(rewriter, item));
    }

    fn visit_fn_arg_mut(&mut self, argument: &mut syn::FnArg) {
        visit_mut::visit_fn_arg_mut(self, argument);
        if let syn::FnArg::Typed(typed) = argument {
            self.bind(&typed.pat);
        }
    }

    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        let generics = item.generics.clone();
        self.generic_item(&generics, |rewriter| {
            if let Some((path, _)) = &mut item.trait_ {
                rewriter.path(path, Space::Type);
            }
            visit_mut::visit_item_impl_mut(rewriter, item);
        });
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        let generics = item.generics.clone();
        self.generic_item(&generics, |rewriter| visit_mut::visit_item_trait_mut(rewriter, item));
    }

    fn visit_item_struct_mut(&mut self, item: &mut syn::ItemStruct) {
        let generics = item.generics.clone();
        self.generic_item(&generics, |rewriter| visit_mut::visit_item_struct_mut(rewriter, item));
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        let generics = item.generics.clone();
        self.generic_item(&generics, |rewriter| visit_mut::visit_item_enum_mut(rewriter, item));
    }

    fn visit_item_type_mut(&mut self, item: &mut syn::ItemType) {
        let generics = item.generics.clone();
        self.generic_item(&generics, |rewriter| visit_mut::visit_item_type_mut(rewriter, item));
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let mut names = Names::default();
        for statement in &block.stmts {
            match statement {
                Stmt::Item(Item::Use(item)) => import(&mut names.imports, &item.tree, Vec::new()),
                Stmt::Item(Item::Fn(item)) => _ = names.values.insert(plain(&item.sig.ident)),
                Stmt::Item(Item::Const(item)) => _ = names.values.insert(plain(&item.ident)),
                Stmt::Item(Item::Static(item)) => _ = names.values.insert(plain(&item.ident)),
                Stmt::Item(Item::Enum(item)) => _ = names.types.insert(plain(&item.ident)),
                Stmt::Item(Item::Struct(item)) => {
                    names.types.insert(plain(&item.ident));
                    if !matches!(item.fields, syn::Fields::Named(_)) {
                        names.values.insert(plain(&item.ident));
                    }
                }
                Stmt::Item(Item::Trait(item)) => _ = names.types.insert(plain(&item.ident)),
                _ => {}
            }
        }
        for (_, path) in &names.imports.imports {
            if let Some((Meaning::External(path), _)) = self.modules.resolve(self.at, path, Space::Type, 0) {
                self.externals.insert(path);
            }
        }
        block.stmts.retain(|statement| !matches!(statement, Stmt::Item(Item::Use(_))));
        self.within(names, |rewriter| visit_mut::visit_block_mut(rewriter, block));
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let Some(init) = &mut local.init {
            self.visit_local_init_mut(init);
        }
        self.visit_pat_mut(&mut local.pat);
        self.bind(&local.pat);
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.within(Names::default(), |rewriter| {
            rewriter.visit_pat_mut(&mut arm.pat);
            rewriter.bind(&arm.pat);
            rewriter.visit_expr_mut(&mut arm.body);
        });
    }

    fn visit_pat_guard_mut(&mut self, guarded: &mut syn::PatGuard) {
        self.visit_pat_mut(&mut guarded.pat);
        self.bind(&guarded.pat);
        self.visit_expr_mut(&mut guarded.guard);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut syn::ExprClosure) {
        self.within(Names::default(), |rewriter| {
            for input in &mut closure.inputs {
                rewriter.visit_pat_mut(input);
                rewriter.bind(input);
            }
            rewriter.visit_return_type_mut(&mut closure.output);
            rewriter.visit_expr_mut(&mut closure.body);
        });
    }

    fn visit_expr_for_loop_mut(&mut self, repeat: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut repeat.expr);
        self.within(Names::default(), |rewriter| {
            rewriter.visit_pat_mut(&mut repeat.pat);
            rewriter.bind(&repeat.pat);
            rewriter.visit_block_mut(&mut repeat.body);
        });
    }

    fn visit_expr_if_mut(&mut self, choice: &mut syn::ExprIf) {
        self.within(Names::default(), |rewriter| {
            rewriter.visit_expr_mut(&mut choice.cond);
            rewriter.visit_block_mut(&mut choice.then_branch);
        });
        if let Some((_, otherwise)) = &mut choice.else_branch {
            self.visit_expr_mut(otherwise);
        }
    }

    fn visit_expr_while_mut(&mut self, repeat: &mut syn::ExprWhile) {
        self.within(Names::default(), |rewriter| {
            rewriter.visit_expr_mut(&mut repeat.cond);
            rewriter.visit_block_mut(&mut repeat.body);
        });
    }

    fn visit_expr_let_mut(&mut self, condition: &mut syn::ExprLet) {
        self.visit_expr_mut(&mut condition.expr);
        self.visit_pat_mut(&mut condition.pat);
        self.bind(&condition.pat);
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Ident(name) = pattern
            && name.subpat.is_none()
            && name.by_ref.is_none()
            && name.mutability.is_none()
        {
            let meaning = self.resolve(&[plain(&name.ident)], Space::Value);
            let is_path = match meaning {
                Some((Meaning::Item { is_function, .. }, _)) => !is_function,
                Some((Meaning::Variant(..), _)) => true,
                Some((Meaning::External(path), _)) => {
                    path.last().is_some_and(|name| name.starts_with(char::is_uppercase))
                }
                _ => false,
            };
            if is_path {
                let ident = &name.ident;
                let path: syn::ExprPath = parse_quote!(#ident);
                *pattern = Pat::Path(path);
            }
        }
        visit_mut::visit_pat_mut(self, pattern);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Macro(call) = expression
            && let Some(long) = matches_as_match(&call.mac)
        {
            *expression = long;
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    fn visit_field_value_mut(&mut self, field: &mut syn::FieldValue) {
        let before = field.expr.clone();
        visit_mut::visit_field_value_mut(self, field);
        if field.expr != before && field.colon_token.is_none() {
            field.colon_token = Some(Default::default());
        }
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        visit_mut::visit_expr_path_mut(self, path);
        match &mut path.qself {
            None => self.path(&mut path.path, Space::Value),
            Some(itself) => self.trait_of(&mut path.path, itself),
        }
    }

    fn visit_type_path_mut(&mut self, path: &mut syn::TypePath) {
        visit_mut::visit_type_path_mut(self, path);
        match &mut path.qself {
            None => self.path(&mut path.path, Space::Type),
            Some(itself) => self.trait_of(&mut path.path, itself),
        }
    }

    fn visit_trait_bound_mut(&mut self, bound: &mut syn::TraitBound) {
        visit_mut::visit_trait_bound_mut(self, bound);
        self.path(&mut bound.path, Space::Type);
    }

    fn visit_expr_struct_mut(&mut self, value: &mut syn::ExprStruct) {
        visit_mut::visit_expr_struct_mut(self, value);
        self.path(&mut value.path, Space::Type);
    }

    fn visit_pat_struct_mut(&mut self, pattern: &mut syn::PatStruct) {
        visit_mut::visit_pat_struct_mut(self, pattern);
        self.path(&mut pattern.path, Space::Type);
    }

    fn visit_pat_tuple_struct_mut(&mut self, pattern: &mut syn::PatTupleStruct) {
        visit_mut::visit_pat_tuple_struct_mut(self, pattern);
        self.path(&mut pattern.path, Space::Value);
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        // A field without a pattern of its own is a variable.
        if field.colon_token.is_some() {
            visit_mut::visit_field_pat_mut(self, field);
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        self.path(&mut call.path, Space::Macro);
        if !visit_arguments(call, &mut |argument| self.visit_expr_mut(argument)) {
            call.tokens = self.tokens(std::mem::take(&mut call.tokens));
            return;
        }
        // A format string may capture a constant.
        let tokens = std::mem::take(&mut call.tokens).into_iter().map(|token| match token {
            TokenTree::Literal(literal) => {
                let captured = captured(&literal.to_string()).into_iter().filter_map(|name| {
                    match self.replacement(std::slice::from_ref(&name), Space::Value)?.0.as_slice() {
                        [flat] => Some((name, flat.clone())),
                        _ => None,
                    }
                });
                rename_captured(&literal, &captured.collect()).into()
            }
            token => token,
        });
        call.tokens = tokens.collect();
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut syn::GenericArgument) {
        let is_constant = |name: &str| name.len() > 1 && !name.contains(char::is_lowercase);
        let single = match argument {
            syn::GenericArgument::Type(syn::Type::Path(path)) if path.qself.is_none() => path.path.get_ident(),
            _ => None,
        };
        if let Some(name) = single.filter(|name| is_constant(&plain(name)))
            && let Some((Meaning::External(path), _)) = self.resolve(&[plain(name)], Space::Value)
        {
            let path = path.iter().map(|part| Ident::new(part, name.span()));
            *argument = syn::GenericArgument::Const(parse_quote!({ #(#path)::* }));
            return;
        }
        visit_mut::visit_generic_argument_mut(self, argument);
    }

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_visibility_mut(&mut self, _: &mut syn::Visibility) {}
}

impl Rewriter<'_> {
    /// Rewrites the trait in a path such as `<T as Trait>::item`.
    fn trait_of(&self, path: &mut syn::Path, itself: &mut syn::QSelf) {
        if itself.position == 0 {
            return;
        }
        let rest: Vec<PathSegment> = path.segments.iter().skip(itself.position).cloned().collect();
        let mut of = syn::Path {
            leading_colon: path.leading_colon,
            segments: path.segments.iter().take(itself.position).cloned().collect(),
        };
        self.path(&mut of, Space::Type);
        itself.position = of.segments.len();
        of.segments.extend(rest);
        *path = of;
    }
}
