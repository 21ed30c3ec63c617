//! Access to parts of syntax trees.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Item, ItemImpl};

macro_rules! attributes {
    ($value:expr, $kind:ident: $($variant:ident)*) => {
        match $value {
            $($kind::$variant(inner) => Some(&mut inner.attrs),)*
            _ => None,
        }
    };
}

/// The attributes of an item.
pub(crate) fn item_attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    attributes!(item, Item: Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static Struct Trait TraitAlias Type
        Union Use)
}

/// The attributes of an expression.
pub(crate) fn expression_attributes(expression: &mut Expr) -> Option<&mut Vec<Attribute>> {
    attributes!(expression, Expr: Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field
        ForLoop Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference Repeat
        Return Struct Try TryBlock Tuple Unary Unsafe While Yield)
}

/// Keeps some elements of a list with separators.
///
/// A syntax tree has a dozen types of lists: in its few callers this takes less room than a function for each of them.
#[inline(always)]
pub(crate) fn retain<T, P: Default>(list: &mut Punctuated<T, P>, keeps: &mut dyn FnMut(&mut T) -> bool) {
    let is_closed = list.trailing_punct();
    let kept = std::mem::take(list).into_iter().filter_map(|mut element| keeps(&mut element).then_some(element));
    *list = kept.collect();
    // Fields before `..rest` need their comma.
    if is_closed && !list.is_empty() {
        list.push_punct(P::default());
    }
}

/// An implementation without its members. The members are not copied.
pub(crate) fn head_of(block: &ItemImpl) -> ItemImpl {
    ItemImpl {
        attrs: block.attrs.clone(),
        modifiers: block.modifiers.clone(),
        unsafety: block.unsafety,
        impl_token: block.impl_token,
        generics: block.generics.clone(),
        trait_: block.trait_.clone(),
        self_ty: block.self_ty.clone(),
        brace_token: block.brace_token,
        items: Vec::new(),
    }
}
