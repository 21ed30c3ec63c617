//! The removal of what the compiler warns about, at the places it names.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{Expr, Fields, ImplItem, Item, Pat, Stmt, TraitItem, UseTree, parse_quote};

use super::compiler::Diagnostic;
use super::effects::Purity;
use super::gone_parts::{GoneParts, name_of};
use super::needed_fields::needed_fields;
use crate::arguments::{matches_as_match, visit_arguments};
use crate::tree::retain;
use crate::visit_mut::{self, VisitMut};
use crate::without_fields::without_fields;

/// Places of a text where something has to go.
#[derive(Default)]
pub(super) struct Removal {
    /// Beginnings of names of definitions.
    definitions: BTreeSet<usize>,
    /// Beginnings of variables that are not read.
    variables: BTreeSet<usize>,
    /// Beginnings of assignments whose values are not read.
    assignments: BTreeSet<usize>,
    /// Variables that are not changed.
    constant: Vec<Range<usize>>,
    imports: Vec<Range<usize>>,
    /// Beginnings of uses of definitions that are gone.
    uses: BTreeSet<usize>,
    /// Methods of traits that are gone.
    methods: BTreeSet<(String, String)>,
    /// Calls of variants that have lost their only field, and places where such a variant is a function.
    calls: BTreeSet<usize>,
    functions: BTreeSet<usize>,
    /// Values of enums that have no variant left, behind borrows.
    empty: BTreeSet<usize>,
    /// Braces that a removal left over.
    braces: BTreeSet<usize>,
    /// Values left for their effects, whose type only a field told that is gone.
    untyped: BTreeSet<usize>,
    /// Statements behind one that always leaves their block.
    unreachable: BTreeSet<usize>,
    /// Patterns that no value reaches, because those before them take all.
    unmatched: BTreeSet<usize>,
    /// Parts of types that are gone, by their names.
    parts: GoneParts,
    purity: Purity,
    /// The number of things that went.
    pub(super) count: usize,
}

impl Removal {
    /// Collects what the compiler warns about, or what errors say of the last removal.
    pub(super) fn of<'a>(diagnostics: impl Iterator<Item = &'a Diagnostic>) -> Removal {
        let mut removal = Removal::default();
        for diagnostic in diagnostics {
            let starts = diagnostic.spans.iter().map(|span| span.start);
            match diagnostic.code.as_str() {
                "dead_code" | "unused_macros" => removal.definitions.extend(starts),
                "unused_variables" => removal.variables.extend(starts),
                "unused_assignments" => removal.assignments.extend(starts),
                "unused_mut" => removal.constant.extend(diagnostic.spans.iter().cloned()),
                "unused_imports" => removal.imports.extend(diagnostic.spans.iter().cloned()),
                "E0432" | "E0433" | "E0559" | "E0560" | "E0609" | "E0026" | "E0599" | "E0412" | "E0405" | "E0407"
                | "E0425" | "E0437" | "E0438" => removal.uses.extend(starts),
                "E0618" | "E0532" | "E0164" => removal.calls.extend(starts),
                "E0004" => removal.empty.extend(starts),
                "E0277" => removal.functions.extend(starts),
                "unused_braces" | "unused_parens" => removal.braces.extend(starts),
                "E0282" | "E0283" => removal.untyped.extend(starts),
                "unreachable_code" => removal.unreachable.extend(starts),
                "unreachable_patterns" => removal.unmatched.extend(starts),
                _ => {}
            }
        }
        if !removal.unreachable.is_empty() {
            // Their variables only seem unread: the compiler has not looked behind the place that is never reached.
            removal.variables.clear();
            removal.assignments.clear();
        }
        removal
    }

    /// Removes it from the file that the text was read as.
    pub(super) fn apply(&mut self, file: &mut syn::File) {
        self.purity = Purity::of(file);
        self.parts = GoneParts::of(&file.items, &|name| self.definitions.contains(&start(name.span())));
        self.visit_file_mut(file);
        if !self.methods.is_empty() {
            let mut implementations = Implementations { methods: &self.methods };
            implementations.visit_file_mut(file);
        }
    }

    fn is_gone(&mut self, name: &Ident) -> bool {
        self.take(name.span(), |removal| &removal.definitions)
    }

    fn is_use_of_gone(&mut self, span: Span) -> bool {
        self.take(span, |removal| &removal.uses)
    }

    fn take(&mut self, span: Span, set: impl Fn(&Removal) -> &BTreeSet<usize>) -> bool {
        let found = set(self).contains(&start(span));
        self.count += usize::from(found);
        found
    }

    fn keeps_item(&mut self, item: &Item) -> bool {
        let name = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Macro(item) => match &item.ident {
                Some(name) => name,
                None => return true,
            },
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Impl(item) => {
                let of = item.trait_.as_ref().map(|(path, _)| path);
                let itself = match &*item.self_ty {
                    syn::Type::Path(path) => Some(&path.path),
                    _ => None,
                };
                let mut is_gone = |path: &syn::Path| {
                    self.parts.has_type(path)
                        || path.segments.last().is_some_and(|last| self.is_use_of_gone(last.ident.span()))
                };
                return !of.into_iter().chain(itself).any(&mut is_gone);
            }
            _ => return true,
        };
        !self.is_gone(name)
    }

    fn items(&mut self, items: &mut Vec<Item>) {
        items.retain_mut(|item| {
            if let Item::Use(import) = item {
                return self.keeps_import(&mut import.tree);
            }
            self.keeps_item(item)
        });
    }

    /// Removes what is unused from an import; false if nothing is left.
    fn keeps_import(&mut self, tree: &mut UseTree) -> bool {
        match tree {
            UseTree::Path(path) => self.keeps_import(&mut path.tree),
            UseTree::Group(group) => {
                retain(&mut group.items, &mut |tree| self.keeps_import(tree));
                !group.items.is_empty()
            }
            UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => {
                let at = start(tree.span());
                let unused = self.imports.iter().any(|span| span.contains(&at));
                let unknown = self.uses.contains(&at);
                self.count += usize::from(unused || unknown);
                !unused && !unknown
            }
        }
    }

    /// Returns true if a pattern names a variant that is gone.
    fn is_impossible(&mut self, pattern: &mut Pat) -> bool {
        match pattern {
            Pat::Or(cases) => {
                retain(&mut cases.cases, &mut |case| !self.is_impossible(case));
                cases.cases.is_empty()
            }
            pattern if self.take(pattern.span(), |removal| &removal.unmatched) => true,
            Pat::Guard(inner) => self.is_impossible(&mut inner.pat),
            Pat::Paren(inner) => self.is_impossible(&mut inner.pat),
            Pat::Reference(inner) => self.is_impossible(&mut inner.pat),
            Pat::Tuple(tuple) => tuple.elems.iter_mut().any(|pattern| self.is_impossible(pattern)),
            Pat::Slice(slice) => slice.elems.iter_mut().any(|pattern| self.is_impossible(pattern)),
            Pat::TupleStruct(pattern) => {
                self.is_path_gone(&pattern.path) || pattern.elems.iter_mut().any(|pattern| self.is_impossible(pattern))
            }
            Pat::Struct(pattern) => {
                self.is_path_gone(&pattern.path)
                    || pattern.fields.iter_mut().any(|field| self.is_impossible(&mut field.pat))
            }
            Pat::Path(path) => self.is_path_gone(&path.path),
            Pat::Ident(pattern) => pattern.subpat.as_mut().is_some_and(|(_, pattern)| self.is_impossible(pattern)),
            _ => false,
        }
    }

    /// Returns true if a variable is not read, and its value has no effects.
    fn is_unused(&mut self, local: &syn::Local) -> bool {
        let name = match &local.pat {
            Pat::Wild(pattern) => return self.take(pattern.span(), |removal| &removal.untyped),
            Pat::Ident(pattern) => &pattern.ident,
            Pat::Type(typed) => match &*typed.pat {
                Pat::Ident(pattern) => &pattern.ident,
                _ => return false,
            },
            _ => return false,
        };
        let unused = self.variables.contains(&start(name.span()))
            && local.init.as_ref().is_none_or(|init| !self.purity.has_effects(&init.expr));
        self.count += usize::from(unused);
        unused
    }

    fn is_unread(&self, variable: &syn::PatIdent) -> bool {
        let word = variable.mutability.as_ref().map(|word| start(word.span()));
        self.variables.contains(&start(variable.ident.span()))
            || word.is_some_and(|word| self.variables.contains(&word))
    }

    fn is_path_gone(&mut self, path: &syn::Path) -> bool {
        self.parts.has_variant(path) || path.segments.last().is_some_and(|last| self.is_use_of_gone(last.ident.span()))
    }

    fn is_field_gone(&mut self, of: &syn::Path, field: &syn::Member) -> bool {
        self.parts.has_field(of, field) || self.is_use_of_gone(field.span())
    }

    /// Returns true if a statement only assigns to a field that is gone, and then leaves the value's effects.
    fn is_assignment_to_gone(&mut self, statement: &mut Stmt) -> bool {
        let Stmt::Expr(Expr::Assign(assignment), _) = statement else { return false };
        if matches!(&*assignment.left, Expr::Path(_)) && self.assignments.contains(&start(assignment.left.span())) {
            self.count += 1;
            let value = (*assignment.right).clone();
            let stays = self.purity.has_effects(&value);
            if stays {
                *statement = parse_quote!(let _ = #value;);
            }
            return !stays;
        }
        let Expr::Field(field) = &*assignment.left else { return false };
        if !self.is_use_of_gone(field.member.span()) {
            return false;
        }
        let value = (*assignment.right).clone();
        let stays = self.purity.has_effects(&value);
        if stays {
            *statement = parse_quote!(let _ = #value;);
        }
        !stays
    }
}

pub(super) fn start(span: Span) -> usize {
    span.byte_range().start
}

impl VisitMut for Removal {
    fn visit_file_mut(&mut self, file: &mut syn::File) {
        self.items(&mut file.items);
        visit_mut::visit_file_mut(self, file);
    }

    fn visit_item_mod_mut(&mut self, module: &mut syn::ItemMod) {
        if let Some((_, items)) = &mut module.content {
            self.items(items);
        }
        visit_mut::visit_item_mod_mut(self, module);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        block.items.retain(|item| match item {
            ImplItem::Const(item) => !self.is_gone(&item.ident) && !self.is_use_of_gone(item.ident.span()),
            ImplItem::Fn(item) => !self.is_gone(&item.sig.ident) && !self.is_use_of_gone(item.sig.ident.span()),
            ImplItem::Type(item) => !self.is_gone(&item.ident) && !self.is_use_of_gone(item.ident.span()),
            _ => true,
        });
        let before = self.parts.enter(name_of(&block.self_ty));
        visit_mut::visit_item_impl_mut(self, block);
        self.parts.enter(before);
    }

    fn visit_item_trait_mut(&mut self, block: &mut syn::ItemTrait) {
        let of = block.ident.to_string();
        block.items.retain(|item| {
            let name = match item {
                TraitItem::Const(item) => &item.ident,
                TraitItem::Fn(item) => &item.sig.ident,
                TraitItem::Type(item) => &item.ident,
                _ => return true,
            };
            let gone = self.is_gone(name);
            if gone {
                self.methods.insert((of.clone(), name.to_string()));
            }
            !gone
        });
        visit_mut::visit_item_trait_mut(self, block);
    }

    fn visit_item_enum_mut(&mut self, item: &mut syn::ItemEnum) {
        retain(&mut item.variants, &mut |variant| !self.is_gone(&variant.ident));
        visit_mut::visit_item_enum_mut(self, item);
    }

    fn visit_item_struct_mut(&mut self, item: &mut syn::ItemStruct) {
        for name in needed_fields(item, &|name| self.definitions.contains(&start(name.span()))) {
            self.definitions.remove(&start(name.span()));
        }
        visit_mut::visit_item_struct_mut(self, item);
    }

    fn visit_fields_mut(&mut self, fields: &mut Fields) {
        if let Fields::Unnamed(all) = fields
            && !all.unnamed.is_empty()
            && all.unnamed.iter().all(|field| self.definitions.contains(&start(field.ty.span())))
        {
            self.count += 1;
            *fields = Fields::Unit;
        }
        if let Fields::Named(fields) = fields {
            retain(&mut fields.named, &mut |field| !field.ident.as_ref().is_some_and(|name| self.is_gone(name)));
        }
        visit_mut::visit_fields_mut(self, fields);
    }

    fn visit_stmt_mut(&mut self, statement: &mut Stmt) {
        visit_mut::visit_stmt_mut(self, statement);
        if let Stmt::Local(syn::Local { pat, init: Some(init), .. }) = statement
            && let Some((_, otherwise)) = &init.diverge
            && self.is_impossible(pat)
        {
            let value = &init.expr;
            *statement = Stmt::Expr(parse_quote!({ let _ = #value; #otherwise }), None);
        }
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        let is_unreachable = |statement: &Stmt| self.unreachable.contains(&start(statement.span()));
        // The place of a statement takes a look at all its tokens.
        if !self.unreachable.is_empty()
            && let Some(at) = block.stmts.iter().position(is_unreachable)
        {
            block.stmts.truncate(at);
            self.count += 1;
        }
        block.stmts.retain_mut(|statement| match statement {
            Stmt::Item(Item::Use(import)) => self.keeps_import(&mut import.tree),
            Stmt::Item(item) => self.keeps_item(item),
            Stmt::Local(local) if self.is_unused(local) => false,
            statement => !self.is_assignment_to_gone(statement),
        });
        visit_mut::visit_block_mut(self, block);
        // A block that is all of a block takes braces for nothing.
        while let [Stmt::Expr(Expr::Block(inner), None)] = block.stmts.as_slice()
            && inner.label.is_none()
        {
            block.stmts = inner.block.stmts.clone();
        }
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        let pattern = match &mut local.pat {
            Pat::Type(typed) => &mut *typed.pat,
            pattern => pattern,
        };
        if let (Pat::Ident(variable), Some(init)) = (pattern, &local.init)
            && self.purity.has_dropped_types()
            && !matches!(&*init.expr, Expr::Path(_))
            && self.is_unread(variable)
        {
            // A value that does something when it is dropped has to stay until the end of its block.
            let name = variable.ident.to_string();
            variable.mutability = None;
            variable.ident = Ident::new(&format!("_{}", name.trim_start_matches("r#")), Span::call_site());
            self.count += 1;
        }
        visit_mut::visit_local_mut(self, local);
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        visit_mut::visit_pat_mut(self, pattern);
        match pattern {
            Pat::Ident(variable) if self.is_unread(variable) => {
                self.count += 1;
                *pattern = parse_quote!(_);
            }
            Pat::TupleStruct(variant) if self.calls.contains(&start(variant.path.span())) => {
                self.count += 1;
                let path = &variant.path;
                let path: syn::PatPath = parse_quote!(#path);
                *pattern = Pat::Path(path);
            }
            Pat::Struct(pattern) => {
                let of = pattern.path.clone();
                retain(&mut pattern.fields, &mut |field| !self.is_field_gone(&of, &field.member));
            }
            _ => {}
        }
    }

    fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
        if field.colon_token.is_none() && self.variables.contains(&start(field.member.span())) {
            field.colon_token = Some(Default::default());
        }
        visit_mut::visit_field_pat_mut(self, field);
    }

    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        if let Some(word) = &pattern.mutability {
            let at = start(word.span());
            if self.constant.iter().any(|span| span.contains(&at)) {
                self.count += 1;
                pattern.mutability = None;
            }
        }
        visit_mut::visit_pat_ident_mut(self, pattern);
    }

    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        match expression {
            Expr::Macro(call) => {
                if let Some(mut long) = matches_as_match(&call.mac) {
                    self.visit_expr_mut(&mut long);
                    *expression = long;
                }
            }
            Expr::Struct(value) => {
                let of = value.path.clone();
                let purity = std::mem::take(&mut self.purity);
                let goes = &mut |field: &syn::FieldValue| self.is_field_gone(&of, &field.member);
                let now = without_fields(value, goes, &|value| purity.has_effects(value));
                self.purity = purity;
                if let Some(now) = now {
                    *expression = now;
                }
            }
            Expr::Call(call) if self.calls.contains(&start(call.func.span())) => {
                self.count += 1;
                let effects = call.args.iter().filter(|argument| self.purity.has_effects(argument));
                let (effects, unit): (Vec<&Expr>, &Expr) = (effects.collect(), &call.func);
                *expression =
                    if effects.is_empty() { unit.clone() } else { parse_quote!({ #(let _ = #effects;)* #unit }) };
            }
            Expr::Path(_) if self.functions.contains(&start(expression.span())) => {
                self.count += 1;
                *expression = parse_quote!(|_| #expression);
            }
            Expr::Block(block)
                if block.label.is_none() && self.braces.contains(&start(block.block.brace_token.span.open())) =>
            {
                if let [Stmt::Expr(inner, None)] = block.block.stmts.as_slice() {
                    self.count += 1;
                    *expression = inner.clone();
                }
            }
            Expr::Paren(inner) if self.braces.contains(&start(inner.paren_token.span.open())) => {
                self.count += 1;
                *expression = (*inner.expr).clone();
            }
            Expr::Match(choice) => {
                choice.arms.retain_mut(|arm| !self.is_impossible(&mut arm.pat));
                let value = &choice.expr;
                if choice.arms.is_empty() && self.empty.contains(&start(value.span())) {
                    self.count += 1;
                    choice.expr = parse_quote!(*#value);
                }
            }
            Expr::If(choice) => {
                if let Expr::Let(condition) = &mut *choice.cond
                    && self.is_impossible(&mut condition.pat)
                {
                    *expression = match choice.else_branch.take() {
                        Some((_, otherwise)) => *otherwise,
                        None => parse_quote!({}),
                    };
                }
            }
            _ => {}
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
    }
}

/// Removes implementations of methods that their traits no longer have.
struct Implementations<'a> {
    methods: &'a BTreeSet<(String, String)>,
}

impl VisitMut for Implementations<'_> {
    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        let Some(of) = block.trait_.as_ref().and_then(|(path, _)| path.segments.last()) else { return };
        let of = of.ident.to_string();
        block.items.retain(|item| {
            let name = match item {
                ImplItem::Const(item) => &item.ident,
                ImplItem::Fn(item) => &item.sig.ident,
                ImplItem::Type(item) => &item.ident,
                _ => return true,
            };
            !self.methods.contains(&(of.clone(), name.to_string()))
        });
    }
}
