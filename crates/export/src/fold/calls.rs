//! Calls: the values of parameters, and what is returned.

use syn::punctuated::Punctuated;
use syn::{Expr, ExprPath, Token, Type, parse_quote};

use super::arithmetic::fits;
use super::program::{FunctionName, element, head, mutable, target};
use super::value::{INTEGERS, Known, Value};
use super::walker::{Found, Walker, inner_type};
use crate::prune::effects;

/// Methods of `Option` that do not change it.
const READING: [&str; 24] = [
    "and_then",
    "as_deref",
    "as_ref",
    "clone",
    "cloned",
    "copied",
    "expect",
    "filter",
    "into_iter",
    "is_none",
    "is_none_or",
    "is_some",
    "is_some_and",
    "iter",
    "len",
    "map",
    "map_or",
    "map_or_else",
    "ok_or",
    "ok_or_else",
    "or",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
];

impl Walker<'_> {
    pub(super) fn call(&mut self, expr: &mut Expr) -> Found {
        let Expr::Call(call) = expr else { return Found::varies(None) };
        let Expr::Path(path) = &*call.func else {
            self.walk(&mut call.func);
            call.args.iter_mut().for_each(|argument| _ = self.walk(argument));
            return Found::varies(None);
        };
        let path = path.clone();
        if let Some(found) = self.guarded(&path, &mut call.args) {
            return found;
        }
        let arguments: Vec<Known> = call.args.iter_mut().map(|argument| self.walk(argument).known).collect();
        self.facts.mention_path(&path.path);
        if arguments.contains(&Known::Never) {
            return Found::default();
        }
        if let Some(found) = self.made(&path, &arguments) {
            return found;
        }
        let Some(name) = self.function_name(&path) else { return Found::varies(None) };
        let found = self.called(&name, &arguments);
        self.settle(expr, &found);
        found
    }

    /// A call of a function that catches the panics of a closure, which has one value and does nothing else.
    fn guarded(&mut self, path: &ExprPath, arguments: &mut Punctuated<Expr, Token![,]>) -> Option<Found> {
        let name = path.path.get_ident().filter(|name| self.program.guards.contains(&name.to_string()))?;
        let Expr::Closure(closure) = arguments.first_mut().filter(|_| path.qself.is_none())? else { return None };
        let value = self.look_into(closure);
        let has_value = matches!(value.known, Known::Is(_)) && !self.purity.has_effects(&closure.body);
        if !has_value {
            return None;
        }
        self.facts.mention(&name.to_string());
        self.closure(closure, None);
        let known = Known::Is(Value::Variant("Result".to_string(), "Ok".to_string(), vec![value.known]));
        Some(Found { known, ty: value.ty.map(|ty| parse_quote!(Result<#ty, ()>)) })
    }

    /// The value of a closure without parameters, which stays as it is.
    fn look_into(&mut self, closure: &syn::ExprClosure) -> Found {
        let rewrites = std::mem::take(&mut self.rewrites);
        let found = self.closure(&mut closure.clone(), None);
        self.rewrites = rewrites;
        if closure.inputs.is_empty() { found } else { Found::varies(None) }
    }

    /// The value that a variant of an enum or a conversion makes.
    fn made(&mut self, path: &ExprPath, arguments: &[Known]) -> Option<Found> {
        let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let variant =
            |of: &str, name: &str| Known::Is(Value::Variant(of.to_string(), name.to_string(), arguments.to_vec()));
        match (&segments[..], arguments) {
            ([name], [_]) if name == "Some" => Some(Found { known: variant("Option", name), ty: None }),
            ([name], [_]) if name == "Ok" || name == "Err" => Some(Found { known: variant("Result", name), ty: None }),
            ([ty, from], [known]) if from == "from" && INTEGERS.contains(&ty.as_str()) => {
                let fitting = known.as_int().filter(|value| fits(*value, ty));
                let known = fitting.map_or(Known::Varies, Known::int);
                Some(Found { known, ty: syn::parse_str(ty).ok() })
            }
            ([of, default], []) if default == "default" => {
                let of = self.own_name(of.clone()).filter(|of| self.program.structs.contains_key(of))?;
                Some(Found::varies(syn::parse_str(&of).ok()))
            }
            ([of], _) => {
                let of = self.own_name(of.clone()).filter(|of| !self.program.compared.contains(of))?;
                let parts = self.program.parts.get(&of)?;
                (parts.len() == arguments.len())
                    .then(|| Found { known: variant(&of, &of), ty: syn::parse_str(&of).ok() })
            }
            ([of, name], _) => {
                let of = self.own_name(of.clone()).filter(|of| !self.program.compared.contains(of))?;
                let count = self.program.enums.get(&of)?.get(name)?;
                (*count == Some(arguments.len()))
                    .then(|| Found { known: variant(&of, name), ty: syn::parse_str(&of).ok() })
            }
            _ => None,
        }
    }

    /// The one function of the file that a path means.
    fn function_name(&mut self, path: &ExprPath) -> Option<FunctionName> {
        let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let last = segments.last()?.clone();
        let of = match (&path.qself, &segments[..]) {
            (None, [name]) if self.scopes.iter().any(|scope| scope.contains_key(name)) => return None,
            (None, [_]) => None,
            (None, [of, _]) => Some(self.own_name(of.clone())?),
            (Some(qself), [_]) => Some(head(&qself.ty)?),
            // The path of a trait or of the standard library.
            _ => return None,
        };
        let name = (of, last);
        match self.program.functions.get(&name) {
            Some(function) if function.is_one => Some(name),
            _ => None,
        }
    }

    /// A function that a path means without calling it: it may be called with anything.
    pub(super) fn vary_function(&mut self, path: &ExprPath) {
        if let Some(name) = self.function_name(path) {
            let count = self.program.functions.get(&name).map_or(0, |function| function.parameters.len());
            (0..count).for_each(|at| self.facts.join_parameter(&name, at, Known::Varies));
        }
    }

    fn called(&mut self, name: &FunctionName, arguments: &[Known]) -> Found {
        for (at, known) in arguments.iter().enumerate() {
            self.facts.join_parameter(name, at, known.clone());
        }
        let returns = self.program.functions.get(name).and_then(|function| function.returns.clone());
        let this = name.0.as_ref();
        let is_self = matches!(&returns, Some(Type::Path(path)) if path.path.is_ident("Self"));
        let ty = if is_self { this.and_then(|of| syn::parse_str(of).ok()) } else { returns };
        let mut known = self.facts.returned(name);
        if known == Known::Varies && arguments.iter().any(|argument| matches!(argument, Known::Is(_))) {
            known = self.computed(name, arguments);
        }
        Found { known, ty }
    }

    /// The value of one call of a function whose body is an expression.
    fn computed(&mut self, name: &FunctionName, arguments: &[Known]) -> Known {
        let program = self.program;
        let Some(function) = program.functions.get(name) else { return Known::Varies };
        let Some((names, value)) = &function.formula else { return Known::Varies };
        let changes = |ty: &Type| matches!(ty, Type::Reference(it) if it.mutability.is_some());
        if names.len() != arguments.len() || function.parameters.iter().any(changes) {
            return Known::Varies;
        }
        let this = name.0.as_ref().and_then(|of| syn::parse_str(of).ok());
        let mut scope = std::collections::BTreeMap::new();
        for ((name, known), ty) in names.iter().zip(arguments).zip(&function.parameters) {
            let ty = if name == "self" { this.clone() } else { Some(ty.clone()) };
            scope.insert(name.clone(), Found { known: known.clone(), ty });
        }
        match self.worked_out(name.clone(), this, value, vec![scope]) {
            // A function that needs itself.
            Known::Never => Known::Varies,
            known => known,
        }
    }

    /// All functions of a name may be called with anything, or only its methods with some number of parameters.
    pub(super) fn vary_functions(&mut self, name: &str, count: Option<usize>) {
        let program = self.program;
        let of_types = program.methods.get(name).into_iter().flatten().cloned().map(Some);
        for of in of_types.chain([None]) {
            let key = (of, name.to_string());
            if let Some(function) = program.functions.get(&key)
                && count.is_none_or(|count| function.is_method && count == function.parameters.len())
            {
                for at in 0..function.parameters.len() {
                    self.facts.join_parameter(&key, at, Known::Varies);
                }
            }
        }
    }

    pub(super) fn method_call(&mut self, expr: &mut Expr) -> Found {
        if let Some(found) = self.load(expr) {
            return found;
        }
        let Expr::MethodCall(call) = expr else { return Found::varies(None) };
        let method = call.method.to_string();
        // Only a place can be changed, and whether it is depends on its type.
        let is_place = matches!(
            &*call.receiver,
            Expr::Field(_) | Expr::Index(_) | Expr::Paren(_) | Expr::Path(_) | Expr::Unary(_)
        );
        let receiver = if is_place { self.look(&call.receiver) } else { self.walk(&mut call.receiver) };
        let function = receiver.ty.as_ref().and_then(head).map(|of| (Some(of), method.clone()));
        let function = function.filter(|name| self.program.functions.get(name).is_some_and(|function| function.is_one));
        if is_place && self.may_change(&receiver, function.as_ref(), &method) {
            self.changed(&mut call.receiver);
        } else if is_place {
            self.walk(&mut call.receiver);
        }
        let is_own = |of: &String| self.program.implemented.contains(&(of.clone(), method.clone()));
        match receiver.ty.as_ref().and_then(head).filter(|of| function.is_some() || is_own(of)) {
            Some(of) => self.facts.mention_member_of(of, &method),
            None => self.facts.mention_member(&method),
        }
        if receiver.known == Known::Never && !self.rewrites {
            return Found::default();
        }
        let is_some = match &receiver.known {
            Known::Is(Value::Variant(of, variant, _)) if of == "Option" => Some(variant == "Some"),
            _ => None,
        };
        let asked = match (&*method, is_some) {
            ("is_some", Some(is_some)) => Some(is_some),
            ("is_none", Some(is_some)) => Some(!is_some),
            // The closure of an option that is never there is never called.
            ("is_some_and", Some(false)) => Some(false),
            ("is_none_or", Some(false)) => Some(true),
            _ => None,
        };
        if let Some(answer) = asked {
            let found = Found { known: Known::bool(answer), ty: None };
            if !self.purity.has_effects(&call.receiver) {
                self.settle_call(expr, &found);
            }
            return found;
        }
        let is_unused = |argument: &Expr| {
            matches!(argument, Expr::Closure(_)) && calls_no_closure(&receiver.known, &method) && !self.rewrites
        };
        let mut arguments = vec![receiver.known.clone()];
        let unused: Vec<bool> = call.args.iter().map(is_unused).collect();
        let item = receiver.ty.as_ref().and_then(element).filter(|_| GIVING.contains(&&*method)).cloned();
        for (argument, is_unused) in call.args.iter_mut().zip(unused) {
            arguments.push(match argument {
                _ if is_unused => Known::Varies,
                Expr::Closure(closure) => {
                    self.closure(closure, item.clone());
                    Known::Varies
                }
                _ => self.walk(argument).known,
            });
        }
        if arguments.contains(&Known::Never) && !self.rewrites {
            return Found::default();
        }
        let found = match function {
            Some(name) => self.called(&name, &arguments),
            None if receiver.ty.as_ref().is_some_and(|ty| matches!(target(ty), Type::TraitObject(_))) => {
                self.vary_functions(&method, Some(arguments.len()));
                self.answered(receiver.ty.as_ref(), &method)
            }
            None => {
                if receiver.ty.as_ref().is_none_or(|ty| !self.is_of_std(ty)) {
                    self.vary_functions(&method, Some(arguments.len()));
                }
                of_std(&receiver, &method, arguments.get(1))
            }
        };
        self.settle(expr, &found);
        found
    }

    /// The result of a method of a trait object, which is known if all implementations agree.
    fn answered(&mut self, object: Option<&Type>, method: &str) -> Found {
        let program = self.program;
        let returns = object.and_then(|object| program.trait_method(object, method)).cloned();
        match object.and_then(|object| program.trait_answers(object, method)) {
            Some(all) => Found { ty: returns, ..self.one_of(all.iter(), &format!("{method}()")) },
            None => Found::varies(returns),
        }
    }

    fn settle_call(&mut self, expr: &mut Expr, found: &Found) {
        if let (true, Known::Is(value)) = (self.rewrites, &found.known)
            && let Some(written) = value.written(None)
        {
            *expr = written;
            self.facts.folded += 1;
        }
    }

    /// Returns true if a type is none of the file's.
    fn is_of_std(&self, ty: &Type) -> bool {
        match target(ty) {
            Type::Path(path) => path.path.segments.last().is_some_and(|last| {
                matches!(&*last.ident.to_string(), "Option" | "Vec" | "String" | "bool" | "f64" | "f32")
                    || INTEGERS.iter().any(|name| last.ident == name)
            }),
            Type::Array(_) | Type::Slice(_) => true,
            _ => false,
        }
    }

    /// Returns true if a method may change the value that it is called on.
    fn may_change(&self, receiver: &Found, function: Option<&FunctionName>, method: &str) -> bool {
        let Some(ty) = &receiver.ty else {
            let is_own = self.program.methods.contains_key(method) && !effects::may_change(method);
            return !READING.contains(&method) && !is_own || self.program.changing.contains(method);
        };
        if let Some(function) = function.and_then(|name| self.program.functions.get(name)) {
            return matches!(function.parameters.first(), Some(Type::Reference(it)) if it.mutability.is_some());
        }
        let Some(of) = head(ty) else { return self.program.changing.contains(method) };
        let is_number = INTEGERS.contains(&of.as_str()) || matches!(of.as_str(), "bool" | "f32" | "f64");
        if is_number {
            return method.ends_with("_assign") || method == "clone_from" || self.program.changing.contains(method);
        }
        if of == "Option" {
            return !READING.contains(&method);
        }
        let is_own = self.program.structs.contains_key(&of) || self.program.enums.contains_key(&of);
        !is_own || self.program.changed_by_methods.contains(&of) || method == "clone_from"
    }
}

/// Methods of lists, their iterators and options that give each item to a closure.
const GIVING: [&str; 18] = [
    "all",
    "and_then",
    "any",
    "filter",
    "filter_map",
    "find",
    "find_map",
    "flat_map",
    "for_each",
    "inspect",
    "is_none_or",
    "is_some_and",
    "map",
    "max_by_key",
    "min_by_key",
    "position",
    "skip_while",
    "take_while",
];

/// Returns true if a method does not call the closure that it is given.
fn calls_no_closure(receiver: &Known, method: &str) -> bool {
    let variant = match receiver {
        Known::Is(Value::Variant(of, variant, _)) if of == "Option" || of == "Result" => variant.as_str(),
        _ => "",
    };
    match method {
        "map" | "and_then" | "filter" | "is_some_and" | "is_none_or" | "is_ok_and" | "inspect" => {
            matches!(variant, "None" | "Err")
        }
        "map_err" | "inspect_err" => variant == "Ok",
        "or_else" | "unwrap_or_else" | "ok_or_else" => matches!(variant, "Some" | "Ok"),
        "then" => receiver.is_false(),
        _ => false,
    }
}

/// The value of a method of the standard library.
fn of_std(receiver: &Found, method: &str, argument: Option<&Known>) -> Found {
    let ty = receiver.ty.clone();
    match (method, &receiver.known, argument) {
        ("clone" | "as_ref" | "as_deref" | "cloned" | "copied", known, None) => Found { known: known.clone(), ty },
        ("unwrap" | "expect", known, _) => {
            let inner = match known {
                Known::Is(Value::Variant(of, name, values))
                    if matches!((of.as_str(), name.as_str()), ("Option", "Some") | ("Result", "Ok")) =>
                {
                    values.first().cloned()
                }
                _ => None,
            };
            Found { known: inner.unwrap_or(Known::Varies), ty: ty.as_ref().and_then(inner_type) }
        }
        ("map" | "and_then" | "filter" | "inspect", known, _) if known.is_none() => {
            Found { known: known.clone(), ty: None }
        }
        ("then" | "then_some", Known::Is(Value::Bool(false)), _) => Found { known: Known::none(), ty: None },
        ("transpose", known, None) if known.is_none() => {
            let known = Value::Variant("Result".to_string(), "Ok".to_string(), vec![known.clone()]);
            Found { known: Known::Is(known), ty: None }
        }
        ("iter_mut", _, _) => {
            let element = ty.as_ref().and_then(element).cloned().map(mutable);
            Found::varies(element.map(|element| parse_quote!(Vec<#element>)))
        }
        // Iterators have the type of their list.
        ("iter" | "into_iter" | "rev" | "skip" | "take" | "copied" | "filter", _, _) => Found::varies(ty),
        ("min" | "max", Known::Is(Value::Int(a)), Some(Known::Is(Value::Int(b)))) => {
            Found { known: Known::int(if method == "min" { *a.min(b) } else { *a.max(b) }), ty }
        }
        ("contains", Known::Is(Value::Variant(range, _, ends)), Some(Known::Is(value)))
            if range == "RangeInclusive" =>
        {
            let is_within = match (&ends[..], value) {
                ([Known::Is(Value::Int(first)), Known::Is(Value::Int(last))], Value::Int(value)) => {
                    Known::bool((first..=last).contains(&value))
                }
                ([Known::Is(Value::Float(first)), Known::Is(Value::Float(last))], Value::Float(value)) => {
                    Known::bool((first..=last).contains(&value))
                }
                _ => Known::Varies,
            };
            Found { known: is_within, ty: None }
        }
        ("is_finite", Known::Is(Value::Float(value)), None) => {
            Found { known: Known::bool(value.is_finite()), ty: None }
        }
        ("is_infinite", Known::Is(Value::Float(value)), None) => {
            Found { known: Known::bool(value.is_infinite()), ty: None }
        }
        _ => Found::varies(None),
    }
}
