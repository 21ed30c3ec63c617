//! The places of calls, where the expressions of functions take over.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::{Block, Expr, FnArg, Item, Pat, Signature, parse_quote};

use super::formula::count_tokens;
use super::{Formulas, Name, type_name};
use crate::arguments::{visit_arguments, visit_matches};
use crate::shorten::names;
use crate::visit_mut::{self, VisitMut};

/// The calls in a function.
pub(super) struct Calls<'a> {
    formulas: &'a Formulas,
    /// The type that `Self` means.
    this: Option<String>,
    /// The tokens that each function saves in its calls, or less than 0.
    pub(super) gains: BTreeMap<Name, isize>,
    acts: bool,
    pub(super) count: usize,
    /// The names that the function binds itself, and those of its parameters.
    bound: BTreeSet<String>,
    typed: BTreeSet<String>,
}

impl<'a> Calls<'a> {
    pub(super) fn new(formulas: &'a Formulas, acts: bool) -> Calls<'a> {
        let (gains, bound, typed) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        Calls { formulas, this: None, gains, acts, count: 0, bound, typed }
    }

    /// Visits the calls in a function.
    pub(super) fn enter(&mut self, block: Option<&syn::ItemImpl>, signature: &Signature, body: &mut Block) {
        self.this = block.and_then(|block| type_name(&block.self_ty));
        let typed = signature.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                Pat::Ident(name) => Some(name.ident.to_string()),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        });
        self.typed = typed.collect();
        let mut bound = Bound { all: BTreeSet::new(), locals: BTreeSet::new() };
        bound.visit_block_mut(body);
        self.typed.retain(|name| !bound.locals.contains(name));
        bound.all.extend(self.typed.iter().cloned());
        for generics in [Some(&signature.generics), block.map(|block| &block.generics)].into_iter().flatten() {
            bound.all.extend(generics.params.iter().filter_map(|parameter| match parameter {
                syn::GenericParam::Const(it) => Some(it.ident.to_string()),
                syn::GenericParam::Type(it) => Some(it.ident.to_string()),
                syn::GenericParam::Lifetime(_) => None,
            }));
        }
        self.bound = bound.all;
        self.visit_block_mut(body);
    }

    /// The function that a call means, and its operands.
    fn call(&self, expression: &Expr) -> Option<(Name, Vec<Expr>)> {
        match expression {
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else { return None };
                let names: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
                let name = match &names[..] {
                    [name] => (None, name.clone()),
                    [of, name] if of == "Self" => (self.this.clone(), name.clone()),
                    [of, name] => (Some(of.clone()), name.clone()),
                    _ => return None,
                };
                let formula = self.formulas.0.get(&name).filter(|formula| !formula.has_receiver)?;
                let operands: Vec<Expr> = call.args.iter().cloned().collect();
                (path.qself.is_none() && operands.len() == formula.parameters.len()).then_some((name, operands))
            }
            Expr::MethodCall(call) => {
                let method = call.method.to_string();
                let mut all = self.formulas.0.iter();
                let (name, formula) = all.find(|((_, name), formula)| *name == method && formula.has_receiver)?;
                let operands: Vec<Expr> = [(*call.receiver).clone()].into_iter().chain(call.args.clone()).collect();
                (call.turbofish.is_none() && operands.len() == formula.parameters.len())
                    .then(|| (name.clone(), operands))
            }
            _ => None,
        }
    }

    fn written_out(&self, name: &Name, operands: Vec<Expr>) -> Option<Expr> {
        let formula = self.formulas.0.get(name)?;
        let called = if formula.has_receiver { None } else { Some(name.0.as_ref().unwrap_or(&name.1)) };
        if formula.free.iter().chain(called).any(|name| self.bound.contains(name)) {
            return None;
        }
        // A variable may have its type from this call alone.
        let is_told = |(at, operand): (usize, &Expr)| match operand {
            Expr::Path(path) if formula.numbers.contains(&at) && !formula.forwards => {
                let name = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
                name.starts_with(char::is_uppercase) || self.typed.contains(&name)
            }
            _ => true,
        };
        if !operands.iter().enumerate().all(is_told) {
            return None;
        }
        // A number without a type takes that of its place.
        let is_untyped = |operand: &Expr| match operand {
            Expr::Lit(literal) => match &literal.lit {
                syn::Lit::Int(number) => number.suffix().is_empty(),
                syn::Lit::Float(number) => number.suffix().is_empty(),
                _ => false,
            },
            Expr::Unary(_) | Expr::Binary(_) => true,
            _ => false,
        };
        let is_pure = |operand: &Expr| match operand {
            Expr::Reference(place) => matches!(*place.expr, Expr::Path(_) | Expr::Field(_)),
            operand => matches!(operand, Expr::Path(_) | Expr::Field(_) | Expr::Lit(_)),
        };
        let may_move = formula.forwards || operands.iter().all(is_pure);
        let typed = operands.iter().enumerate().all(|(at, it)| at == 0 && formula.has_receiver || !is_untyped(it));
        if !may_move || !typed {
            return None;
        }
        let places: BTreeMap<&str, Expr> = formula.parameters.iter().map(String::as_str).zip(operands).collect();
        let mut value = formula.value.clone();
        Operands(&places).visit_expr_mut(&mut value);
        Some(value)
    }
}

impl VisitMut for Calls<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let Some((name, operands)) = self.call(expression) else { return };
        let Some(value) = self.written_out(&name, operands) else { return };
        if self.acts {
            *expression = parenthesized(value);
            self.count += 1;
        } else {
            let gain =
                count_tokens(expression.to_token_stream()) as isize - count_tokens(value.to_token_stream()) as isize;
            *self.gains.entry(name).or_default() += gain;
        }
    }

    fn visit_macro_mut(&mut self, call: &mut syn::Macro) {
        if !visit_matches(call, &mut |choice| self.visit_expr_mut(choice)) {
            visit_arguments(call, &mut |argument| self.visit_expr_mut(argument));
        }
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

/// The names that a function binds: variables, items, and the variables alone.
struct Bound {
    all: BTreeSet<String>,
    locals: BTreeSet<String>,
}

impl VisitMut for Bound {
    fn visit_pat_mut(&mut self, pattern: &mut Pat) {
        if let Pat::Ident(name) = pattern {
            self.all.insert(name.ident.to_string());
            self.locals.insert(name.ident.to_string());
        }
        visit_mut::visit_pat_mut(self, pattern);
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        let mut words = BTreeMap::new();
        names::count(item.to_token_stream(), &mut words);
        self.all.extend(words.into_keys());
    }
}

/// The operands of a call in the places of parameters.
struct Operands<'a>(&'a BTreeMap<&'a str, Expr>);

impl VisitMut for Operands<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if let Expr::Path(path) = expression
            && let Some(operand) = path.path.get_ident().and_then(|name| self.0.get(name.to_string().as_str()))
        {
            *expression = parenthesized(operand.clone());
            return;
        }
        if let Expr::Struct(literal) = expression {
            for field in literal.fields.iter_mut().filter(|field| field.colon_token.is_none()) {
                field.colon_token = Some(Default::default());
            }
        }
        visit_mut::visit_expr_mut(self, expression);
    }
}

/// An expression that may stand in the place of a name.
fn parenthesized(expr: Expr) -> Expr {
    match expr {
        Expr::Path(_)
        | Expr::Lit(_)
        | Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Paren(_)
        | Expr::Tuple(_)
        | Expr::Array(_)
        | Expr::Macro(_) => expr,
        expr => parse_quote!((#expr)),
    }
}
