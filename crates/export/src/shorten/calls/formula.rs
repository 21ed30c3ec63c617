//! Functions of one expression that mean the same where they are called.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Block, Expr, FnArg, ImplItem, Item, Pat, ReceiverKind, Signature, Stmt, Type};

use super::type_name;
use crate::fold::INTEGERS;
use crate::prune::Copied;
use crate::prune::effects::{self, Purity};
use crate::visit_mut::{self, VisitMut};

/// The methods of cells and locks whose results hold them.
const GUARDS: [&str; 7] = ["borrow", "borrow_mut", "lock", "read", "try_borrow", "try_borrow_mut", "write"];

/// A function of one expression.
pub(super) struct Formula {
    pub(super) parameters: Vec<String>,
    /// The places of those that are numbers.
    pub(super) numbers: BTreeSet<usize>,
    pub(super) has_receiver: bool,
    pub(super) value: Expr,
    /// The names of the file in the expression.
    pub(super) free: BTreeSet<String>,
    /// True if the parameters are the operands of the expression, in their order.
    pub(super) forwards: bool,
    /// The number of tokens of the function.
    pub(super) tokens: usize,
}

/// The parts of a file on which the meaning of an expression depends.
pub(super) struct Context {
    purity: Purity,
    copied: Copied,
    /// True if a type of the file dereferences to what it holds.
    has_wrapper: bool,
    /// The fields and the methods of such types.
    of_wrappers: BTreeSet<String>,
    /// The methods of traits.
    pub(super) of_traits: BTreeSet<String>,
    /// The functions of the file without parameters for types, by their names.
    plain: BTreeSet<String>,
}

impl Context {
    pub(super) fn of(file: &syn::File) -> Context {
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

pub(super) fn formula(
    block: Option<&syn::ItemImpl>,
    signature: &Signature,
    body: &Block,
    context: &Context,
) -> Option<Formula> {
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

pub(super) fn count_tokens(tokens: TokenStream) -> usize {
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
