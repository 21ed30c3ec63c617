//! Calls of functions of one expression, which give way to that expression where it takes less room.
//!
//! The compiler is the judge: a function in which it does not take an expression keeps its calls.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Block, Expr, FnArg, ImplItem, Item, Pat, ReceiverKind, Signature, Stmt, Type, parse_quote};

use crate::arguments::{visit_arguments, visit_matches};
use crate::fault::ExportError;
use crate::print::lines::{join, lines};
use crate::prune::compiler::Compiler;
use crate::prune::effects::{self, Purity};
use crate::visit_mut::{self, VisitMut};

/// The most rounds: an expression may hold another call.
const MOST_ROUNDS: usize = 3;

/// The most times that functions which do not compile get their calls back.
const MOST_TRIES: usize = 6;

/// A function by the name of its type, if it has one, and its own.
type Name = (Option<String>, String);

/// Puts the expressions of functions in the places of their calls. Every method of the file needs a name of its own.
pub(super) fn write_out(file: syn::File, compiler: &Compiler) -> Result<syn::File, ExportError> {
    let mut kept = BTreeSet::new();
    for _ in 0..MOST_TRIES {
        let mut shorter = file.clone();
        for _ in 0..MOST_ROUNDS {
            if Formulas::of(&mut shorter).replace(&mut shorter, &kept) == 0 {
                break;
            }
        }
        let lines = lines(&shorter);
        let diagnostics = compiler.check(&lines)?;
        let mut errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error).peekable();
        if errors.peek().is_none() {
            return Ok(shorter);
        }
        let bodies = places_of_bodies(&join(&lines))?;
        let before = kept.len();
        let starts = errors.filter_map(|error| error.spans.first()).map(|place| place.start);
        kept.extend(starts.filter_map(|start| bodies.iter().position(|body| body.contains(&start))));
        if kept.len() == before {
            break;
        }
    }
    Ok(file)
}

/// The places of the bodies of all functions in a text, in its order.
fn places_of_bodies(text: &str) -> Result<Vec<Range<usize>>, ExportError> {
    let mut file = syn::parse_file(text)
        .map_err(|error| ExportError::new(format!("the shortened file cannot be read: {error}")))?;
    let mut places = Vec::new();
    each_body(&mut file, &mut |_, _, body| {
        let braces = body.brace_token.span;
        places.push(braces.open().byte_range().start..braces.close().byte_range().end);
    });
    Ok(places)
}

/// Visits the functions of a file and of the blocks for its types: with the type, if it has a plain name.
fn each_body(file: &mut syn::File, visit: &mut dyn FnMut(Option<&syn::ItemImpl>, &Signature, &mut Block)) {
    for item in &mut file.items {
        match item {
            Item::Fn(item) => visit(None, &item.sig, &mut item.block),
            Item::Impl(block) => {
                let head = syn::ItemImpl { items: Vec::new(), ..block.clone() };
                for member in &mut block.items {
                    if let ImplItem::Fn(method) = member {
                        visit(Some(&head), &method.sig, &mut method.block);
                    }
                }
            }
            _ => {}
        }
    }
}

/// A function of one expression.
struct Formula {
    parameters: Vec<String>,
    has_receiver: bool,
    value: Expr,
    /// True if the parameters are the operands of the expression, in their order.
    forwards: bool,
    /// The number of tokens of the function.
    tokens: usize,
}

/// The functions whose calls give way.
struct Formulas(BTreeMap<Name, Formula>);

impl Formulas {
    fn of(file: &mut syn::File) -> Formulas {
        let purity = Purity::of(file);
        let has_wrapper = file.items.iter().any(|item| match item {
            Item::Impl(block) => block
                .trait_
                .as_ref()
                .and_then(|(of, _)| of.segments.last())
                .is_some_and(|of| of.ident == "Deref" || of.ident == "DerefMut"),
            _ => false,
        });
        let mut all: BTreeMap<Name, Option<Formula>> = BTreeMap::new();
        each_body(file, &mut |block, signature, body| {
            if block.is_some_and(|block| block.trait_.is_some()) {
                return;
            }
            let of = block.map(|block| type_name(&block.self_ty).unwrap_or_default());
            let name = (of, signature.ident.to_string());
            let formula = formula(block, signature, body, &purity, has_wrapper);
            let is_only = !all.contains_key(&name);
            all.insert(name, formula.filter(|_| is_only));
        });
        // A method is called by its name alone.
        let mut owners: BTreeMap<String, usize> = BTreeMap::new();
        all.keys().filter(|(of, _)| of.is_some()).for_each(|(_, name)| *owners.entry(name.clone()).or_default() += 1);
        let mut formulas: BTreeMap<Name, Formula> = BTreeMap::new();
        for (name, formula) in all {
            let is_clear = |formula: &Formula| {
                !formula.has_receiver || owners.get(&name.1) == Some(&1) && !effects::is_of_std(&name.1)
            };
            if let Some(formula) = formula.filter(is_clear) {
                formulas.insert(name, formula);
            }
        }
        let mut formulas = Formulas(formulas);
        formulas.keep_those_that_save(file);
        formulas
    }

    /// Leaves those with which the file has no more tokens than before.
    fn keep_those_that_save(&mut self, file: &mut syn::File) {
        let mut calls = Calls { formulas: self, this: None, gains: BTreeMap::new(), acts: false, count: 0 };
        each_body(file, &mut |block, _, body| {
            calls.this = block.and_then(|block| type_name(&block.self_ty));
            calls.visit_block_mut(body);
        });
        let gains = calls.gains;
        self.0.retain(|name, formula| gains.get(name).is_some_and(|gain| gain + formula.tokens as isize >= 0));
    }

    /// Replaces the calls in all functions but those in `kept`. Returns their number.
    fn replace(&self, file: &mut syn::File, kept: &BTreeSet<usize>) -> usize {
        let mut calls = Calls { formulas: self, this: None, gains: BTreeMap::new(), acts: true, count: 0 };
        let mut at = 0;
        each_body(file, &mut |block, _, body| {
            if !kept.contains(&at) {
                calls.this = block.and_then(|block| type_name(&block.self_ty));
                calls.visit_block_mut(body);
            }
            at += 1;
        });
        calls.count
    }
}

/// The name of a type without arguments of another kind than lifetimes.
fn type_name(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    path.path.segments.last().map(|last| last.ident.to_string())
}

fn formula(
    block: Option<&syn::ItemImpl>,
    signature: &Signature,
    body: &Block,
    purity: &Purity,
    has_wrapper: bool,
) -> Option<Formula> {
    let has_types =
        |generics: &syn::Generics| generics.params.iter().any(|it| !matches!(it, syn::GenericParam::Lifetime(_)));
    if signature.constness.is_some() || signature.ident == "main" || has_types(&signature.generics) {
        return None;
    }
    if block.is_some_and(|block| has_types(&block.generics)) {
        return None;
    }
    let value = match &body.stmts[..] {
        [Stmt::Expr(Expr::Return(value), _)] => value.expr.as_deref()?,
        [Stmt::Expr(value, None)] => value,
        _ => return None,
    };
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        parameters.push(match input {
            FnArg::Receiver(receiver) if receiver.mutability.is_none() => match receiver.kind {
                ReceiverKind::Value | ReceiverKind::Reference(..) => "self".to_string(),
                _ => return None,
            },
            FnArg::Typed(typed) if !matches!(*typed.ty, Type::ImplTrait(_)) => match &*typed.pat {
                Pat::Ident(it) if it.by_ref.is_none() && it.mutability.is_none() && it.subpat.is_none() => {
                    it.ident.to_string()
                }
                _ => return None,
            },
            _ => return None,
        });
    }
    let mut value = value.clone();
    let mut uses = Uses { parameters: &parameters, has_wrapper, found: Vec::new(), is_unclear: false };
    uses.visit_expr_mut(&mut value);
    let mut found = uses.found.clone();
    let is_in_order = found == parameters;
    found.sort();
    found.dedup();
    let repeats = found.len() != uses.found.len();
    if uses.is_unclear || repeats {
        return None;
    }
    let forwards = is_in_order && is_call_of(&value, &parameters);
    if !forwards && purity.has_effects(&value) {
        return None;
    }
    if let Some(this) = block.and_then(|block| type_name(&block.self_ty)) {
        value = with_type(&value, &this)?;
    }
    let tokens = count_tokens(signature.to_token_stream()) + count_tokens(value.to_token_stream()) + 2;
    Some(Formula { parameters, has_receiver: signature.receiver().is_some(), value, forwards, tokens })
}

/// Returns true if an expression is a call whose operands are just these variables.
fn is_call_of(value: &Expr, parameters: &[String]) -> bool {
    let is_parameter = |expr: &Expr| match expr {
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| parameters.contains(&name.to_string())),
        _ => false,
    };
    match value {
        Expr::Call(call) => matches!(*call.func, Expr::Path(_)) && call.args.iter().all(is_parameter),
        Expr::MethodCall(call) => is_parameter(&call.receiver) && call.args.iter().all(is_parameter),
        _ => false,
    }
}

/// An expression with the name of the type for `Self`.
fn with_type(value: &Expr, this: &str) -> Option<Expr> {
    fn replaced(tokens: TokenStream, this: &str) -> TokenStream {
        let token = |token: TokenTree| match token {
            TokenTree::Group(group) => {
                TokenTree::Group(proc_macro2::Group::new(group.delimiter(), replaced(group.stream(), this)))
            }
            TokenTree::Ident(name) if name == "Self" => TokenTree::Ident(Ident::new(this, name.span())),
            token => token,
        };
        tokens.into_iter().map(token).collect()
    }
    syn::parse2(replaced(value.to_token_stream(), this)).ok()
}

fn count_tokens(tokens: TokenStream) -> usize {
    let count = |token: TokenTree| match token {
        TokenTree::Group(group) => 2 + count_tokens(group.stream()),
        _ => 1,
    };
    tokens.into_iter().map(count).sum()
}

/// The parameters in the expression of a function, in their order.
struct Uses<'a> {
    parameters: &'a [String],
    /// True if a type of the file dereferences to what it holds.
    has_wrapper: bool,
    found: Vec<String>,
    /// True if an expression may mean something else in another place.
    is_unclear: bool,
}

impl VisitMut for Uses<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        match &*expression {
            // They end the function, bind names, or move what they use into themselves.
            Expr::Return(_)
            | Expr::Try(_)
            | Expr::Macro(_)
            | Expr::Closure(_)
            | Expr::Block(_)
            | Expr::Unsafe(_)
            | Expr::If(_)
            | Expr::Match(_)
            | Expr::Let(_)
            | Expr::Loop(_)
            | Expr::While(_)
            | Expr::ForLoop(_)
            | Expr::Assign(_) => self.is_unclear = true,
            Expr::Path(path) => {
                if let Some(name) = path.path.get_ident().map(ToString::to_string)
                    && self.parameters.contains(&name)
                {
                    // `self` alone may be a reference in the other place, or a wrapper.
                    self.is_unclear |= name == "self";
                    self.found.push(name);
                }
                return;
            }
            Expr::Field(field) if is_self(&field.base) => {
                self.is_unclear |= self.has_wrapper && matches!(field.member, syn::Member::Unnamed(_));
                self.found.push("self".to_string());
                return;
            }
            Expr::MethodCall(call) if is_self(&call.receiver) => {
                // Not a method that also a wrapper or a reference may have.
                let name = call.method.to_string();
                self.is_unclear |= effects::is_of_std(&name);
                self.found.push("self".to_string());
                let Expr::MethodCall(call) = expression else { return };
                call.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
                return;
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, expression);
    }
}

fn is_self(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("self"))
}

/// The calls in a function.
struct Calls<'a> {
    formulas: &'a Formulas,
    /// The type that `Self` means.
    this: Option<String>,
    /// The tokens that each function saves in its calls, or less than 0.
    gains: BTreeMap<Name, isize>,
    acts: bool,
    count: usize,
}

impl Calls<'_> {
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
