//! Calls of functions of one expression, which give way to that expression where it takes less room.
//!
//! The compiler judges the types: a function in which it does not take an expression keeps its calls. What compiles and
//! may still mean something else keeps its calls from the beginning.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Block, Expr, FnArg, ImplItem, Item, Pat, ReceiverKind, Signature, Stmt, Type, parse_quote};

use crate::arguments::{visit_arguments, visit_matches};
use crate::fault::ExportError;
use crate::fold::INTEGERS;
use crate::print::lines::{join, lines};
use crate::prune::Copied;
use crate::prune::compiler::Compiler;
use crate::prune::effects::{self, Purity};
use crate::visit_mut::{self, VisitMut};

/// The most rounds: an expression may hold another call.
const MOST_ROUNDS: usize = 3;

/// The most times that functions which do not compile get their calls back.
const MOST_TRIES: usize = 6;

/// The methods of cells and locks whose results hold them.
const GUARDS: [&str; 7] = ["borrow", "borrow_mut", "lock", "read", "try_borrow", "try_borrow_mut", "write"];

/// A function by the name of its type, if it has one, and its own.
type Name = (Option<String>, String);

/// Puts the expressions of functions in the places of their calls. A method whose name another type or trait has stays.
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
    /// The places of those that are numbers.
    numbers: BTreeSet<usize>,
    has_receiver: bool,
    value: Expr,
    /// The names of the file in the expression.
    free: BTreeSet<String>,
    /// True if the parameters are the operands of the expression, in their order.
    forwards: bool,
    /// The number of tokens of the function.
    tokens: usize,
}

/// The functions whose calls give way.
struct Formulas(BTreeMap<Name, Formula>);

impl Formulas {
    fn of(file: &mut syn::File) -> Formulas {
        let context = Context::of(file);
        let mut all: BTreeMap<Name, Option<Formula>> = BTreeMap::new();
        each_body(file, &mut |block, signature, body| {
            if block.is_some_and(|block| block.trait_.is_some()) {
                return;
            }
            let of = block.map(|block| type_name(&block.self_ty).unwrap_or_default());
            let name = (of, signature.ident.to_string());
            let formula = formula(block, signature, body, &context);
            let is_only = !all.contains_key(&name);
            all.insert(name, formula.filter(|_| is_only));
        });
        // A method is called by its name alone.
        let mut owners: BTreeMap<String, usize> = BTreeMap::new();
        all.keys().filter(|(of, _)| of.is_some()).for_each(|(_, name)| *owners.entry(name.clone()).or_default() += 1);
        let is_clear =
            |name: &str| owners.get(name) == Some(&1) && !effects::is_of_std(name) && !context.of_traits.contains(name);
        let formulas = all.into_iter().filter_map(|(name, formula)| {
            let formula = formula.filter(|formula| !formula.has_receiver || is_clear(&name.1))?;
            Some((name, formula))
        });
        let mut formulas = Formulas(formulas.collect());
        formulas.keep_those_that_save(file);
        formulas
    }

    /// Leaves those with which the file has no more tokens than before.
    fn keep_those_that_save(&mut self, file: &mut syn::File) {
        let mut calls = Calls::new(self, false);
        each_body(file, &mut |block, signature, body| calls.enter(block, signature, body));
        let gains = calls.gains;
        self.0.retain(|name, formula| gains.get(name).is_some_and(|gain| gain + formula.tokens as isize >= 0));
    }

    /// Replaces the calls in all functions but those in `kept`. Returns their number.
    fn replace(&self, file: &mut syn::File, kept: &BTreeSet<usize>) -> usize {
        let mut calls = Calls::new(self, true);
        let mut at = 0;
        each_body(file, &mut |block, signature, body| {
            if !kept.contains(&at) {
                calls.enter(block, signature, body);
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

/// The parts of a file on which the meaning of an expression depends.
struct Context {
    purity: Purity,
    copied: Copied,
    /// True if a type of the file dereferences to what it holds.
    has_wrapper: bool,
    /// The fields and the methods of such types.
    of_wrappers: BTreeSet<String>,
    /// The methods of traits.
    of_traits: BTreeSet<String>,
    /// The functions of the file without parameters for types, by their names.
    plain: BTreeSet<String>,
}

impl Context {
    fn of(file: &syn::File) -> Context {
        let mut context = Context {
            purity: Purity::of(file),
            copied: Copied::of(file),
            has_wrapper: false,
            of_wrappers: BTreeSet::new(),
            of_traits: BTreeSet::new(),
            plain: BTreeSet::new(),
        };
        let blocks = || {
            file.items.iter().filter_map(|item| match item {
                Item::Impl(block) => Some(block),
                _ => None,
            })
        };
        let of_trait = |block: &syn::ItemImpl| Some(block.trait_.as_ref()?.0.segments.last()?.ident.to_string());
        let methods = |block: &syn::ItemImpl| -> Vec<Signature> {
            let method = |member: &ImplItem| match member {
                ImplItem::Fn(method) => Some(method.sig.clone()),
                _ => None,
            };
            block.items.iter().filter_map(method).collect()
        };
        let dereferences = |block: &&syn::ItemImpl| matches!(of_trait(block).as_deref(), Some("Deref" | "DerefMut"));
        let wrappers: BTreeSet<String> =
            blocks().filter(dereferences).filter_map(|block| type_name(&block.self_ty)).collect();
        context.has_wrapper = blocks().any(|block| dereferences(&block));
        for block in blocks() {
            let names = methods(block).into_iter().map(|method| method.ident.to_string());
            if type_name(&block.self_ty).is_none_or(|of| wrappers.contains(&of)) {
                context.of_wrappers.extend(names.clone());
            }
            if block.trait_.is_some() {
                context.of_traits.extend(names);
            } else if !has_types(&block.generics) {
                let plain = methods(block).into_iter().filter(|method| !has_types(&method.generics));
                context.plain.extend(plain.map(|method| method.ident.to_string()));
            }
        }
        for item in &file.items {
            match item {
                Item::Struct(item) if wrappers.contains(&item.ident.to_string()) => {
                    let names = item.fields.iter().filter_map(|field| field.ident.as_ref());
                    context.of_wrappers.extend(names.map(ToString::to_string));
                }
                Item::Trait(item) => context.of_traits.extend(item.items.iter().filter_map(|member| match member {
                    syn::TraitItem::Fn(method) => Some(method.sig.ident.to_string()),
                    _ => None,
                })),
                Item::Fn(item) if !has_types(&item.sig.generics) => {
                    context.plain.insert(item.sig.ident.to_string());
                }
                _ => {}
            }
        }
        context
    }

    /// Returns true if a method or a field of `self` may be that of a type which holds the value.
    fn may_be_of_wrapper(&self, member: &str) -> bool {
        self.has_wrapper && (self.of_wrappers.contains(member) || self.of_traits.contains(member))
    }
}

fn has_types(generics: &syn::Generics) -> bool {
    generics.params.iter().any(|it| !matches!(it, syn::GenericParam::Lifetime(_)))
}

fn formula(block: Option<&syn::ItemImpl>, signature: &Signature, body: &Block, context: &Context) -> Option<Formula> {
    let is_generic = has_types(&signature.generics) || block.is_some_and(|block| has_types(&block.generics));
    if signature.constness.is_some() || signature.ident == "main" || is_generic {
        return None;
    }
    let value = match &body.stmts[..] {
        [Stmt::Expr(Expr::Return(value), _)] => value.expr.as_deref()?,
        [Stmt::Expr(value, None)] => value,
        _ => return None,
    };
    // What becomes of a reference depends on its type, which the function tells, as that of a lone number.
    if matches!(value, Expr::Reference(_) | Expr::Lit(_)) {
        return None;
    }
    let mut parameters = Vec::new();
    let mut numbers = BTreeSet::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) if receiver.mutability.is_none() => {
                let is_copied = block.is_some_and(|block| context.copied.has(&block.self_ty));
                match receiver.kind {
                    ReceiverKind::Reference(..) => {}
                    ReceiverKind::Value if is_copied => {}
                    _ => return None,
                }
                parameters.push("self".to_string());
            }
            FnArg::Typed(typed) if context.copied.has(&typed.ty) && !matches!(*typed.ty, Type::ImplTrait(_)) => {
                let Pat::Ident(it) = &*typed.pat else { return None };
                if it.by_ref.is_some() || it.mutability.is_some() || it.subpat.is_some() {
                    return None;
                }
                let of = type_name(&typed.ty).unwrap_or_default();
                if INTEGERS.contains(&of.as_str()) || of == "f32" || of == "f64" {
                    numbers.insert(parameters.len());
                }
                parameters.push(it.ident.to_string());
            }
            _ => return None,
        }
    }
    let mut value = value.clone();
    let mut uses = Uses { parameters: &parameters, context, found: Vec::new(), is_unclear: false };
    uses.visit_expr_mut(&mut value);
    let mut found = uses.found.clone();
    let is_in_order = found == parameters;
    found.sort();
    found.dedup();
    let repeats = found.len() != uses.found.len();
    let has_receiver = signature.receiver().is_some();
    let is_lone = found.is_empty() && matches!(value, Expr::Binary(_) | Expr::Unary(_) | Expr::Paren(_));
    if is_lone || uses.is_unclear || repeats || has_receiver && !found.contains(&"self".to_string()) {
        return None;
    }
    let forwards = is_in_order && is_call_of(&value, &parameters, &context.plain);
    if !forwards && context.purity.has_effects(&value) {
        return None;
    }
    if let Some(this) = block.and_then(|block| type_name(&block.self_ty)) {
        value = with_type(&value, &this)?;
    }
    let mut names = FreeNames(BTreeSet::new());
    names.visit_expr_mut(&mut value.clone());
    let free = names.0.into_iter().filter(|name| !parameters.contains(name)).collect();
    let tokens = count_tokens(signature.to_token_stream()) + count_tokens(value.to_token_stream()) + 2;
    Some(Formula { parameters, numbers, has_receiver, value, free, forwards, tokens })
}

/// The names that an expression takes from the root of the file.
struct FreeNames(BTreeSet<String>);

impl VisitMut for FreeNames {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        self.0.extend(path.segments.first().map(|first| first.ident.to_string()));
        visit_mut::visit_path_mut(self, path);
    }
}

/// Returns true if an expression is a call of a function of the file whose operands are just these variables.
fn is_call_of(value: &Expr, parameters: &[String], plain: &BTreeSet<String>) -> bool {
    let is_parameter = |expr: &Expr| match expr {
        Expr::Path(path) => path.path.get_ident().is_some_and(|name| parameters.contains(&name.to_string())),
        _ => false,
    };
    // Only a function that is not generic tells the types of its operands.
    let is_plain = |function: &Expr| match function {
        Expr::Path(path) => path.path.segments.last().is_some_and(|last| plain.contains(&last.ident.to_string())),
        _ => false,
    };
    match value {
        Expr::Call(call) => is_plain(&call.func) && call.args.iter().all(is_parameter),
        Expr::MethodCall(call) => {
            plain.contains(&call.method.to_string())
                && is_parameter(&call.receiver)
                && call.args.iter().all(is_parameter)
        }
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
    context: &'a Context,
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
                self.is_unclear |= match &field.member {
                    syn::Member::Named(name) => self.context.may_be_of_wrapper(&name.to_string()),
                    syn::Member::Unnamed(_) => self.context.has_wrapper,
                };
                self.found.push("self".to_string());
                return;
            }
            Expr::MethodCall(call) if is_self(&call.receiver) => {
                // Not a method that also a wrapper or a reference may have.
                let name = call.method.to_string();
                self.is_unclear |= effects::is_of_std(&name) || self.context.may_be_of_wrapper(&name);
                self.found.push("self".to_string());
                let Expr::MethodCall(call) = expression else { return };
                call.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
                return;
            }
            // What such a method returns is held until the end of the statement.
            Expr::MethodCall(call) => self.is_unclear |= GUARDS.iter().any(|name| call.method == name),
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
    /// The names that the function binds itself, and those of its parameters.
    bound: BTreeSet<String>,
    typed: BTreeSet<String>,
}

impl<'a> Calls<'a> {
    fn new(formulas: &'a Formulas, acts: bool) -> Calls<'a> {
        let (gains, bound, typed) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        Calls { formulas, this: None, gains, acts, count: 0, bound, typed }
    }

    /// Visits the calls in a function.
    fn enter(&mut self, block: Option<&syn::ItemImpl>, signature: &Signature, body: &mut Block) {
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
        super::names::count(item.to_token_stream(), &mut words);
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
