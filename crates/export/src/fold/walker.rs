//! The walk through a function: the values of its expressions, and their effect on what is known.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Block, Expr, Local, Macro, Pat, Stmt, Type};

use super::ImplementationName;
use super::atomics::number_in;
use super::facts::Facts;
use super::patterns::Match;
use super::program::{FunctionName, Program, constant_binding, element, head, mutable};
use super::unread::FieldName;
use super::value::{Known, Value};
use crate::arguments::visit_arguments;
use crate::prune::effects::Purity;
use crate::visit_mut::{self, VisitMut};

/// An expression's value, and its type as far as the names of fields and functions tell it.
#[derive(Clone, Default)]
pub(super) struct Found {
    pub known: Known,
    pub ty: Option<Type>,
}

impl Found {
    pub(super) fn varies(ty: Option<Type>) -> Found {
        Found { known: Known::Varies, ty }
    }
}

/// The variables of a block.
pub(super) type Scope = BTreeMap<String, Found>;

pub(super) struct Walker<'p> {
    pub program: &'p Program,
    pub purity: &'p Purity,
    /// Implementations that are taken to be never called.
    pub unused: &'p BTreeSet<ImplementationName>,
    pub facts: &'p mut Facts,
    /// Variables, the innermost last.
    pub scopes: Vec<Scope>,
    /// The type that `Self` means.
    pub this: Option<Type>,
    /// The value that the function returns.
    pub returns: Known,
    /// True if expressions give way to their values.
    pub rewrites: bool,
    /// Fields that go.
    pub unread: BTreeSet<FieldName>,
    /// Constants that are being worked out.
    pub under_way: Vec<FunctionName>,
}

impl Walker<'_> {
    pub(super) fn walk(&mut self, expr: &mut Expr) -> Found {
        match expr {
            Expr::Lit(literal) => super::arithmetic::literal(&literal.lit),
            Expr::Paren(inner) => self.walk(&mut inner.expr),
            Expr::Group(inner) => self.walk(&mut inner.expr),
            Expr::Reference(inner) if inner.mutability.is_some() => self.changed(&mut inner.expr),
            Expr::Reference(inner) => self.walk(&mut inner.expr),
            Expr::Unary(unary) => {
                let found = self.unary(unary);
                if matches!(found.known, Known::Is(Value::Bool(_))) {
                    self.settle(expr, &found);
                }
                found
            }
            Expr::Binary(_) => self.binary(expr),
            Expr::Cast(cast) => {
                let from = self.walk(&mut cast.expr);
                Found { known: super::arithmetic::cast(&from.known, &cast.ty), ty: Some((*cast.ty).clone()) }
            }
            Expr::Range(range) => {
                let mut end = |end: &mut Option<Box<Expr>>| end.as_mut().map(|end| self.walk(end).known);
                let known = match (end(&mut range.start), end(&mut range.end), &range.limits) {
                    (Some(first), Some(last), syn::RangeLimits::Closed(_)) => {
                        Known::Is(Value::Variant("RangeInclusive".to_string(), "..=".to_string(), vec![first, last]))
                    }
                    _ => Known::Varies,
                };
                Found { known, ty: None }
            }
            Expr::Assign(assignment) => {
                let value = self.walk(&mut assignment.right).known;
                match (&mut *assignment.left, value) {
                    (Expr::Tuple(places), Known::Is(Value::Tuple(values))) if places.elems.len() == values.len() => {
                        for (place, value) in places.elems.iter_mut().zip(values) {
                            self.assign(place, value);
                            // It cannot be taken out of here.
                            self.note_place(place);
                        }
                    }
                    (place, value) => self.assign(place, value),
                }
                if !self.unread.is_empty() {
                    self.without_assignment(expr);
                }
                Found::varies(None)
            }
            Expr::Path(_) => self.path(expr),
            Expr::Field(_) => self.field(expr),
            Expr::Struct(literal) => {
                let found = self.structure(literal);
                if !self.unread.is_empty() {
                    self.without_unread(expr);
                }
                found
            }
            Expr::Call(_) => self.call(expr),
            Expr::MethodCall(_) => self.method_call(expr),
            Expr::If(_) => self.condition(expr),
            Expr::Let(binding) => self.let_condition(binding),
            Expr::Match(_) => self.choice(expr),
            Expr::Macro(_) => self.macro_call(expr),
            Expr::Block(block) => {
                let found = self.block(&mut block.block);
                // A `break` with a value may leave it.
                if block.label.is_some() { Found::varies(found.ty) } else { found }
            }
            Expr::Unsafe(block) => self.block(&mut block.block),
            Expr::Const(block) => self.block(&mut block.block),
            Expr::Tuple(tuple) => {
                let parts = tuple.elems.iter_mut().map(|part| self.walk(part)).collect::<Vec<_>>();
                let known = parts.into_iter().map(|part| part.known).collect();
                Found { known: Known::Is(Value::Tuple(known)), ty: None }
            }
            Expr::Closure(closure) => {
                self.closure(closure, None);
                Found::varies(None)
            }
            Expr::ForLoop(repeated) => {
                let list = self.walk(&mut repeated.expr);
                let of_list = list.ty.as_ref().and_then(|ty| {
                    let element = element(ty)?.clone();
                    Some(if is_mutable(ty) { mutable(element) } else { element })
                });
                self.scopes.push(BTreeMap::new());
                self.bind(&repeated.pat, Known::Varies, of_list);
                self.block(&mut repeated.body);
                self.scopes.pop();
                Found::varies(None)
            }
            Expr::While(repeated) => {
                self.scopes.push(BTreeMap::new());
                self.walk(&mut repeated.cond);
                self.block(&mut repeated.body);
                self.scopes.pop();
                Found::varies(None)
            }
            Expr::Index(index) => {
                let list = self.walk(&mut index.expr);
                self.walk(&mut index.index);
                Found::varies(list.ty.as_ref().and_then(element).cloned())
            }
            Expr::Try(inner) => {
                let from = self.walk(&mut inner.expr);
                let ty = from.ty.as_ref().and_then(inner_type);
                let known = match from.known {
                    Known::Never => Known::Never,
                    Known::Is(Value::Variant(_, variant, values)) if variant == "Ok" || variant == "Some" => {
                        values.into_iter().next().unwrap_or(Known::Varies)
                    }
                    _ => {
                        self.returns = Known::Varies;
                        Known::Varies
                    }
                };
                let found = Found { known, ty };
                if let (true, Known::Is(value)) = (self.rewrites, &found.known)
                    && !self.purity.has_effects(&inner.expr)
                    && let Some(written) = value.written(found.ty.as_ref())
                {
                    *expr = written;
                    self.facts.folded += 1;
                }
                found
            }
            Expr::Return(leaving) => {
                let known = leaving.expr.as_mut().map_or(Known::Varies, |value| self.walk(value).known);
                self.returns = std::mem::take(&mut self.returns).join(known);
                Found::default()
            }
            Expr::Break(_) | Expr::Continue(_) => {
                visit_mut::visit_expr_mut(self, expr);
                Found::default()
            }
            _ => {
                visit_mut::visit_expr_mut(self, expr);
                Found::varies(None)
            }
        }
    }

    /// The value of an expression, which stays as it is.
    pub(super) fn look(&mut self, expr: &Expr) -> Found {
        let rewrites = std::mem::take(&mut self.rewrites);
        let found = self.walk(&mut expr.clone());
        self.rewrites = rewrites;
        found
    }

    /// A closure whose only parameter has a type that is known or not.
    pub(super) fn closure(&mut self, closure: &mut syn::ExprClosure, ty: Option<Type>) -> Found {
        self.scopes.push(BTreeMap::new());
        let returns = std::mem::take(&mut self.returns);
        let ty = ty.filter(|_| closure.inputs.len() == 1);
        closure.inputs.iter().for_each(|input| self.bind(input, Known::Varies, ty.clone()));
        let mut found = self.walk(&mut closure.body);
        if std::mem::replace(&mut self.returns, returns) != Known::Never {
            found.known = Known::Varies;
        }
        self.scopes.pop();
        found
    }

    /// Puts the value in the place of an expression that does nothing else.
    pub(super) fn settle(&mut self, expr: &mut Expr, found: &Found) {
        if let (true, Known::Is(value)) = (self.rewrites, &found.known)
            && !self.purity.has_effects(expr)
            && let Some(written) = value.written(found.ty.as_ref())
        {
            *expr = written;
            self.facts.folded += 1;
        }
    }

    pub(super) fn block(&mut self, block: &mut Block) -> Found {
        self.scopes.push(BTreeMap::new());
        let mut last = Found::varies(None);
        let mut leaves = None;
        for (at, statement) in block.stmts.iter_mut().enumerate() {
            last = match statement {
                Stmt::Local(local) => self.local(local),
                Stmt::Expr(expr, None) => self.walk(expr),
                Stmt::Expr(expr, Some(_)) => match self.adds_to_field(expr) || self.walk(expr).known != Known::Never {
                    true => Found::varies(None),
                    false => Found::default(),
                },
                Stmt::Macro(call) => {
                    self.visit_macro_mut(&mut call.mac);
                    Found::varies(None)
                }
                Stmt::Item(item) => {
                    self.inner_item(item);
                    Found::varies(None)
                }
            };
            self.settle_local(statement);
            // Code is not reached behind a value that never comes.
            if last.known == Known::Never && !self.rewrites {
                break;
            }
            if let Stmt::Expr(expr, _) = statement
                && super::branches::leaves(expr)
            {
                leaves = Some(at);
                last = Found::default();
                break;
            }
        }
        self.scopes.pop();
        if self.rewrites {
            if let Some(at) = leaves {
                block.stmts.truncate(at + 1);
            }
            self.remove_idle(&mut block.stmts);
            super::branches::tidy(&mut block.stmts);
        }
        last
    }

    /// Puts the block after `else` in the place of a pattern that never matches.
    fn settle_local(&mut self, statement: &mut Stmt) {
        if self.rewrites
            && let Stmt::Local(Local { pat, init: Some(init), .. }) = statement
            && let Some((_, other)) = &init.diverge
        {
            let known = self.look(&init.expr).known;
            let matched = self.matches(pat, &known);
            if matched == Match::Yes && !super::branches::binds(pat) {
                let value = &init.expr;
                *statement = syn::parse_quote!(let _ = #value;);
                self.facts.folded += 1;
            } else if matched == Match::No {
                let (value, other) = (&init.expr, &**other);
                let block: Expr = match self.purity.has_effects(value) {
                    true => syn::parse_quote!({ let _ = #value; #other }),
                    false => other.clone(),
                };
                *statement = Stmt::Expr(block, None);
                self.facts.folded += 1;
            }
        }
    }

    fn local(&mut self, local: &mut Local) -> Found {
        let annotated = match &local.pat {
            Pat::Type(typed) => Some((*typed.ty).clone()),
            _ => None,
        };
        let mut found = Found::varies(None);
        if let Some(init) = &mut local.init {
            found = self.walk(&mut init.expr);
            let matched = self.matches(&local.pat, &found.known);
            if let Some((_, other)) = &mut init.diverge {
                if matched != Match::Yes || self.rewrites {
                    self.walk(other);
                }
                if matched == Match::No {
                    // The code behind is never reached.
                    self.bind(&local.pat, Known::Varies, None);
                    return Found::default();
                }
            }
        }
        let is_reached = found.known != Known::Never;
        let ty = annotated.or(found.ty);
        self.bind(&local.pat, found.known, ty);
        if is_reached { Found::varies(None) } else { Found::default() }
    }

    /// Brings the variables of a pattern into scope.
    pub(super) fn bind(&mut self, pattern: &Pat, known: Known, ty: Option<Type>) {
        if let Some(name) = constant_binding(pattern) {
            return self.declare(name, Found { known, ty });
        }
        match pattern {
            Pat::Ident(it) => {
                self.declare(it.ident.to_string(), Found::varies(ty.clone()));
                if let Some((_, inner)) = &it.subpat {
                    self.bind(inner, known, ty);
                }
            }
            Pat::Type(typed) => self.bind(&typed.pat, known, Some((*typed.ty).clone())),
            Pat::Paren(inner) => self.bind(&inner.pat, known, ty),
            Pat::Reference(inner) => self.bind(&inner.pat, known, ty),
            Pat::Tuple(tuple) => {
                let has_rest = tuple.elems.iter().any(|it| matches!(it, Pat::Rest(_)));
                let types = match &ty {
                    Some(Type::Tuple(types)) if !has_rest => Some(types),
                    _ => None,
                };
                for (at, part) in tuple.elems.iter().enumerate() {
                    let known = match &known {
                        Known::Is(Value::Tuple(parts)) if !has_rest => parts.get(at).cloned().unwrap_or(Known::Varies),
                        _ => Known::Varies,
                    };
                    self.bind(part, known, types.as_ref().and_then(|types| types.elems.get(at)).cloned());
                }
            }
            Pat::TupleStruct(it) => {
                let is_some = it.path.is_ident("Some");
                let values = match &known {
                    Known::Is(Value::Variant(_, _, values)) if values.len() == it.elems.len() => values.clone(),
                    _ => vec![Known::Varies; it.elems.len()],
                };
                let has_rest = it.elems.iter().any(|part| matches!(part, Pat::Rest(_)));
                for (part, known) in it.elems.iter().zip(values) {
                    let known = if has_rest { Known::Varies } else { known };
                    let inner = ty.as_ref().filter(|_| is_some).and_then(|ty| {
                        let inner = element(ty)?.clone();
                        Some(if is_mutable(ty) { mutable(inner) } else { inner })
                    });
                    self.bind(part, known, inner);
                }
            }
            Pat::Struct(it) => {
                let of = it.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                let of = if of == "Self" { self.this.as_ref().and_then(head).unwrap_or_default() } else { of };
                let is_mutable =
                    ty.as_ref().is_none_or(|ty| matches!(ty, Type::Reference(it) if it.mutability.is_some()));
                for field in &it.fields {
                    let syn::Member::Named(name) = &field.member else { continue };
                    self.note_reads(&name.to_string());
                    let changes =
                        matches!(&*field.pat, Pat::Ident(it) if it.by_ref.is_some() && it.mutability.is_some());
                    let ty = self.program.structs.get(&of).and_then(|fields| fields.get(&name.to_string())).cloned();
                    let is_atomic = ty.as_ref().and_then(number_in).is_some();
                    if is_mutable || changes || is_atomic {
                        // The variable may be a way to change the field.
                        self.facts.assign_field(&of, &name.to_string(), Known::Varies);
                        let ty = ty.map(mutable);
                        self.bind(&field.pat, Known::Varies, ty);
                    } else {
                        let known = match ty {
                            Some(_) => self.facts.field(&of, &name.to_string()),
                            None => Known::Varies,
                        };
                        self.bind(&field.pat, known, ty);
                    }
                }
            }
            Pat::Or(cases) => cases.cases.iter().for_each(|case| self.bind(case, Known::Varies, None)),
            Pat::Slice(slice) => slice.elems.iter().for_each(|part| self.bind(part, Known::Varies, None)),
            _ => {}
        }
    }

    pub(super) fn declare(&mut self, name: String, found: Found) {
        // A constant as a pattern reads like a variable.
        if name.starts_with(char::is_uppercase) {
            return self.facts.mention(&name);
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, found);
        }
    }

    fn macro_call(&mut self, expr: &mut Expr) -> Found {
        let Expr::Macro(call) = expr else { return Found::varies(None) };
        if let Some(mut choice) = crate::arguments::matches_as_match(&call.mac) {
            let before = self.facts.folded;
            let found = self.walk(&mut choice);
            if self.facts.folded > before {
                *expr = choice;
            }
            self.settle(expr, &Found { known: found.known.clone(), ty: None });
            return found;
        }
        self.visit_macro_mut(&mut call.mac);
        Found::varies(None)
    }
}

impl VisitMut for Walker<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        self.walk(expr);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.block(block);
    }

    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        self.bind(pattern, Known::Varies, None);
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if !visit_arguments(call, &mut |argument| _ = self.walk(argument)) {
            self.unknown_tokens(call.tokens.clone());
        }
    }

    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        self.facts.mention_path(path);
    }
}

fn is_mutable(ty: &Type) -> bool {
    matches!(ty, Type::Reference(it) if it.mutability.is_some())
}

/// The type of the value in an `Option` or a `Result`.
pub(super) fn inner_type(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option" || last.ident == "Result")?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    })
}
