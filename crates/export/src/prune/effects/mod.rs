//! Expressions whose value alone matters.

mod std_names;

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, Macro, ReturnType, Signature, Token, Type};

use crate::arguments::{matches_as_match, visit_arguments};
use crate::dropped::dropped_types;
use crate::shorten::names::count;
use crate::visit::{self, Visit};
use crate::words::words;

/// The functions of a file by their effects.
#[derive(Default)]
pub(crate) struct Purity {
    /// Those that only compute a value.
    pure: BTreeSet<Name>,
    /// Those that change nothing but what they are given to change.
    local: BTreeSet<Name>,
    own: BTreeSet<Name>,
    /// Those that belong to no type.
    free: BTreeSet<Name>,
    /// Those that call what they are given.
    calling: BTreeSet<Name>,
    /// The types whose values do something when they are dropped, each of which is made as a whole.
    dropped: BTreeSet<String>,
    /// True if the file names a type or a trait of the standard library with a method `read` that acts.
    has_acting_read: bool,
    /// True if an iterator of the file does more than to give its values.
    has_acting_iterator: bool,
}

/// The name of a function, after the type that it belongs to and before the number of its parameters. Without a type it
/// stands for all of the name, and with a point for all methods of the name.
type Name = (String, String, usize);

/// All types, for a call behind a point.
const METHOD: &str = ".";

impl Purity {
    /// Finds them: at first all seem pure, until nothing more is found that one of them does.
    pub(crate) fn of(file: &syn::File) -> Purity {
        let mut functions = Functions::default();
        functions.visit_file(file);
        let own: BTreeSet<Name> = functions.all.iter().flat_map(|function| function.names()).collect();
        let has_acting_read = functions.has_acting_read;
        let names = |of: &dyn Fn(&Function<'_>) -> bool| {
            functions.all.iter().filter(|it| of(it)).flat_map(Function::names).collect::<BTreeSet<Name>>()
        };
        let free = names(&|it| it.is_free);
        let calling = names(&|it| is_given_code(it.signature));
        let mut dropped = dropped_types(file);
        if !dropped.is_empty() {
            // In its own functions a type has another name.
            dropped.insert("Self".to_string());
        }
        let (pure, local) = (BTreeSet::new(), own.clone());
        let mut purity =
            Purity { pure, local, own, free, calling, dropped, has_acting_read, has_acting_iterator: false };
        let callers = callers(&functions.all);
        let mut due: Vec<usize> = (0..functions.all.len()).rev().collect();
        while let Some(at) = due.pop() {
            let function = &functions.all[at];
            if purity.local.contains(&function.name) && purity.changes(function.signature, function.body) {
                function.names().for_each(|name| _ = purity.local.remove(&name));
                due.extend(callers.get(&function.name.1).into_iter().flatten());
            }
        }
        let next = (METHOD.to_string(), "next".to_string(), 1);
        purity.has_acting_iterator = purity.own.contains(&next) && !purity.local.contains(&next);
        purity.pure = purity.local.clone();
        let may_change = |it: &&Function<'_>| match it.body.stmts.is_empty() {
            true => is_given_a_value(it.signature),
            false => is_given_a_place(it.signature) || matches!(it.signature.output, ReturnType::Default),
        };
        for function in functions.all.iter().filter(may_change) {
            function.names().for_each(|name| _ = purity.pure.remove(&name));
        }
        purity
    }

    /// Returns true if an expression may do more than compute its value.
    pub(crate) fn has_effects(&self, expression: &Expr) -> bool {
        let mut effects = Effects { purity: self, found: false, parameters: None, shared: BTreeSet::new() };
        effects.visit_expr(expression);
        effects.found
    }

    /// Returns true if a type of the file does something when its values are dropped.
    pub(crate) fn has_dropped_types(&self) -> bool {
        !self.dropped.is_empty()
    }

    /// Returns true if a function may change more than what it is given.
    fn changes(&self, signature: &Signature, body: &syn::Block) -> bool {
        let mut parameters = Parameters::default();
        signature.inputs.iter().for_each(|input| parameters.visit_fn_arg(input));
        Closures(&mut parameters).visit_block(body);
        let shared = signature.inputs.iter().filter_map(shared).collect();
        let mut effects = Effects { purity: self, found: false, parameters: Some(&parameters.0), shared };
        effects.visit_block(body);
        effects.found
    }

    /// Returns true if a function changes nothing, or in a function nothing but what it is given.
    fn may_call(&self, of: &str, name: &str, count: usize, in_function: bool) -> bool {
        let exact = (of.to_string(), name.to_string(), count);
        let of = if of == METHOD { METHOD } else { "" };
        let name = if self.own.contains(&exact) { exact } else { (of.to_string(), name.to_string(), count) };
        // Behind a point the method of the standard library with this name may be meant.
        let (changes, acts) = match of {
            METHOD if name.1 == "read" && !self.has_acting_read => (false, false),
            METHOD => (may_change(&name.1), std_names::ACTING.contains(&name.1.as_str())),
            _ => (false, false),
        };
        match (self.own.contains(&name), in_function) {
            (true, true) => self.local.contains(&name) && !acts,
            (true, false) => self.pure.contains(&name) && !changes,
            (false, true) => std_names::is_pure(&name.1) || std_names::CHANGING.contains(&name.1.as_str()),
            (false, false) => std_names::is_pure(&name.1),
        }
    }

    /// Returns true if a path is none of the file's functions of a type, or one that changes nothing.
    fn may_be_called(&self, path: &syn::Path) -> bool {
        let mut names = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (Some(name), Some(of)) = (names.next(), names.next()) else { return true };
        let of = |own: &&Name| own.1 == name && (own.0 == of || of == "Self");
        self.own.iter().filter(of).all(|own| self.pure.contains(own))
    }
}

/// Returns true if the standard library has a function of this name, as far as its functions are listed here.
pub(crate) fn is_of_std(name: &str) -> bool {
    std_names::is_pure(name) || may_change(name)
}

/// Returns true if a method of the standard library has this name and may change the value that it is called on.
pub(crate) fn may_change(method: &str) -> bool {
    std_names::CHANGING.contains(&method) || std_names::ACTING.contains(&method)
}

/// The names of parameters. The effects of a closure count where it is written.
#[derive(Default)]
struct Parameters(BTreeSet<String>);

impl<'ast> Visit<'ast> for Parameters {
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.0.insert(pattern.ident.to_string());
    }
}

/// Returns true if a method `read` of what has this name in the standard library acts.
fn has_acting_read(name: &str) -> bool {
    ["Read", "RwLock", "prelude"].contains(&name)
}

/// Returns true if a function is given something that may do something when it is dropped.
fn is_given_a_value(signature: &Signature) -> bool {
    let is_number = |ty: &Type| matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(is_primitive));
    signature.inputs.iter().any(|input| match input {
        FnArg::Receiver(receiver) => !receiver.to_token_stream().to_string().starts_with('&'),
        FnArg::Typed(typed) => !matches!(&*typed.ty, Type::Reference(_)) && !is_number(&typed.ty),
    })
}

fn is_primitive(name: &proc_macro2::Ident) -> bool {
    let name = name.to_string();
    name == "bool"
        || name == "char"
        || name.starts_with(['f', 'i', 'u']) && name.ends_with(|c: char| c.is_ascii_digit())
        || name == "usize"
        || name == "isize"
}

/// Returns true if a function calls what it is given.
fn is_given_code(signature: &Signature) -> bool {
    let tokens = signature.to_token_stream().to_string();
    // The signature begins with a `fn` of its own.
    words(&tokens).filter(|word| matches!(*word, "Fn" | "FnMut" | "FnOnce" | "fn")).count() > 1
}

/// Returns true if a function is given something that it can change.
fn is_given_a_place(signature: &Signature) -> bool {
    // Also one in an option or in a tuple.
    let mutable = |of: &Type| words(&of.to_token_stream().to_string()).any(|word| word == "mut");
    let is_place = |input: &FnArg| match input {
        FnArg::Receiver(receiver) => {
            let tokens = receiver.to_token_stream().to_string();
            tokens.starts_with('&') && tokens.contains("mut")
        }
        FnArg::Typed(typed) => mutable(&typed.ty),
    };
    signature.inputs.iter().any(is_place)
}

/// The functions whose bodies mention each name.
fn callers(all: &[Function<'_>]) -> BTreeMap<String, Vec<usize>> {
    let mut callers: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, function) in all.iter().enumerate() {
        let mut mentions = Mentions::default();
        mentions.visit_block(function.body);
        mentions.0.into_iter().for_each(|name| callers.entry(name).or_default().push(at));
    }
    callers
}

/// The names that code may call.
#[derive(Default)]
struct Mentions(BTreeSet<String>);

impl<'ast> Visit<'ast> for Mentions {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        match expression {
            Expr::MethodCall(call) => _ = self.0.insert(call.method.to_string()),
            Expr::Path(path) => self.0.extend(path.path.segments.last().map(|last| last.ident.to_string())),
            _ => {}
        }
        visit::visit_expr(self, expression);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        let mut words = BTreeMap::new();
        count(call.tokens.clone(), &mut words);
        self.0.extend(words.into_keys());
    }
}

/// A function with a body.
struct Function<'ast> {
    name: Name,
    /// True if it belongs to no type and no trait.
    is_free: bool,
    signature: &'ast Signature,
    body: &'ast syn::Block,
}

impl Function<'_> {
    /// Its name, and what a call may say where the type is not known.
    fn names(&self) -> impl Iterator<Item = Name> {
        let (of, name, count) = &self.name;
        let method = self.signature.receiver().map(|_| METHOD);
        [of.as_str(), ""].into_iter().chain(method).map(|of| (of.to_string(), name.clone(), *count))
    }
}

#[derive(Default)]
struct Functions<'ast> {
    all: Vec<Function<'ast>>,
    has_acting_read: bool,
    of: String,
}

impl<'ast> Functions<'ast> {
    fn add(&mut self, is_free: bool, signature: &'ast Signature, body: &'ast syn::Block) {
        let name = (self.of.clone(), signature.ident.to_string(), signature.inputs.len());
        self.all.push(Function { name, is_free, signature, body });
    }

    fn count_words(&mut self, tokens: proc_macro2::TokenStream) {
        let mut words = BTreeMap::new();
        count(tokens, &mut words);
        self.has_acting_read |= words.into_keys().any(|word| has_acting_read(&word));
    }
}

impl<'ast> Visit<'ast> for Functions<'ast> {
    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        // Two implementations for a type may have functions of the same name.
        if let (Type::Path(path), None) = (&*block.self_ty, &block.trait_) {
            self.of = path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        }
        visit::visit_item_impl(self, block);
        self.of.clear();
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.has_acting_read |= path.segments.iter().any(|segment| has_acting_read(&segment.ident.to_string()));
        visit::visit_path(self, path);
    }

    fn visit_use_tree(&mut self, tree: &'ast syn::UseTree) {
        self.count_words(tree.to_token_stream());
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        self.count_words(call.tokens.clone());
        visit::visit_macro(self, call);
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(true, &item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(false, &item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.add(false, &item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

/// The name of a parameter that is a shared reference.
fn shared(input: &FnArg) -> Option<String> {
    match input {
        FnArg::Receiver(receiver) => {
            let tokens = receiver.to_token_stream().to_string();
            (tokens.starts_with('&') && words(&tokens).all(|word| word != "mut")).then(|| "self".to_string())
        }
        FnArg::Typed(typed) => match (&*typed.ty, &*typed.pat) {
            (Type::Reference(to), syn::Pat::Ident(name)) if to.mutability.is_none() => Some(name.ident.to_string()),
            _ => None,
        },
    }
}

/// The variable of which an expression is a part.
fn root(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        Expr::Paren(inner) => root(&inner.expr),
        Expr::Unary(inner) => root(&inner.expr),
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        _ => None,
    }
}

/// The variables that are closures.
struct Closures<'a>(&'a mut Parameters);

impl<'ast> Visit<'ast> for Closures<'_> {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        if local.init.as_ref().is_some_and(|init| matches!(&*init.expr, Expr::Closure(_))) {
            self.0.visit_pat(&local.pat);
        }
        visit::visit_local(self, local);
    }
}

struct Effects<'a> {
    purity: &'a Purity,
    found: bool,
    /// The parameters of the function that the code is in. There its variables are its own, and it may return.
    parameters: Option<&'a BTreeSet<String>>,
    /// Those of its parameters that are shared references: only a cell in them can be changed.
    shared: BTreeSet<String>,
}

impl Effects<'_> {
    /// Returns true if an operand of a call may be code with effects that the call runs: a function of the file, or a
    /// closure in a variable.
    fn gives_code(&self, of: &str, name: &str, operands: &Punctuated<Expr, Token![,]>, is_method: bool) -> bool {
        let purity = self.purity;
        // While the effects of functions are looked for, none is known to be pure.
        let harmless = if purity.pure.is_empty() { &purity.local } else { &purity.pure };
        let count = operands.len() + usize::from(is_method);
        let is_calling = || {
            let mut all = [of, "", METHOD].map(|of| (of.to_string(), name.to_string(), count)).into_iter();
            self.parameters.is_none() && all.any(|name| purity.calling.contains(&name))
        };
        operands.iter().any(|operand| match operand {
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| {
                let mut functions = purity.free.iter().filter(|own| name == &own.1).peekable();
                if functions.peek().is_some() { functions.any(|own| !harmless.contains(own)) } else { is_calling() }
            }),
            Expr::Reference(of) => root(&of.expr).is_some() && is_calling(),
            _ => false,
        })
    }

    /// Returns true if a path makes a value that does something when it is dropped.
    fn makes_dropped(&self, path: &syn::Path) -> bool {
        path.segments.last().is_some_and(|last| self.purity.dropped.contains(&last.ident.to_string()))
    }

    fn may_call_path(&self, path: &syn::Path, count: usize) -> bool {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let (of, name) = match &names[..] {
            [name] => ("", name),
            [.., of, name] => (of.as_str(), name),
            [] => return false,
        };
        let is_parameter = of.is_empty() && self.parameters.is_some_and(|names| names.contains(name));
        // A tuple struct or a variant.
        let is_value = name.starts_with(char::is_uppercase);
        let is_of_std = ["std", "Vec", "String", "Box", "Option"].contains(&names[0].as_str());
        is_parameter
            || is_value
            || if is_of_std {
                std_names::is_pure(name) || self.parameters.is_some() && std_names::CHANGING.contains(&name.as_str())
            } else {
                self.purity.may_call(of, name, count, self.parameters.is_some())
            }
    }
}

impl<'ast> Visit<'ast> for Effects<'_> {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        let in_function = self.parameters.is_some();
        self.found |= match expression {
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => {
                    let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
                    let (name, of) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
                    !self.may_call_path(&path.path, call.args.len())
                        || self.makes_dropped(&path.path)
                        || self.gives_code(&of, &name, &call.args, false)
                }
                _ => true,
            },
            Expr::MethodCall(call) => {
                let (count, name) = (call.args.len() + 1, call.method.to_string());
                let is_of_cell = || root(&call.receiver).is_some_and(|root| self.shared.contains(&root));
                !self.purity.may_call(METHOD, &name, count, in_function)
                    || self.purity.has_acting_iterator && std_names::ITERATING.contains(&name.as_str())
                    || std_names::OF_CELLS.contains(&name.as_str()) && is_of_cell()
                    || self.gives_code("", &name, &call.args, true)
            }
            // A function that is called by another one, or a value that is dropped.
            Expr::Path(path) => !self.purity.may_be_called(&path.path) || self.makes_dropped(&path.path),
            Expr::Struct(value) => self.makes_dropped(&value.path),
            // A function can change its own variables and what it is given.
            Expr::Assign(_) | Expr::Reference(syn::ExprReference { mutability: Some(_), .. }) => !in_function,
            Expr::Return(_) | Expr::Try(_) | Expr::Break(_) | Expr::Continue(_) => !in_function,
            Expr::Loop(_) | Expr::While(_) => !in_function,
            Expr::Await(_) | Expr::Unsafe(_) | Expr::Yield(_) => true,
            Expr::Binary(binary) => is_assignment(&binary.op) && !in_function,
            _ => false,
        };
        match expression {
            Expr::Call(call) if matches!(&*call.func, Expr::Path(_)) => {
                call.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        const PURE: [&str; 5] = ["debug_assert", "debug_assert_eq", "format", "unreachable", "vec"];
        if let Some(choice) = matches_as_match(call) {
            let mut inner = Effects { found: false, shared: self.shared.clone(), ..*self };
            inner.visit_expr(&choice);
            self.found |= inner.found;
        } else if PURE.iter().any(|name| call.path.is_ident(name)) {
            let mut inner = Effects { found: false, shared: self.shared.clone(), ..*self };
            let is_read = visit_arguments(&mut call.clone(), &mut |argument| inner.visit_expr(argument));
            self.found |= inner.found || !is_read;
        } else {
            self.found = true;
        }
    }
}

fn is_assignment(operator: &syn::BinOp) -> bool {
    use syn::BinOp;
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
