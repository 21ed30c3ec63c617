//! Values that are known before the program runs.

use std::collections::BTreeMap;

use proc_macro2::Literal;
use syn::{Expr, parse_quote};

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Bool(bool),
    Int(i128),
    Float(f64),
    /// An enum, its variant, and the values in it.
    Variant(String, String, Vec<Known>),
    Struct(String, BTreeMap<String, Known>),
    Tuple(Vec<Known>),
}

/// Knowledge about a value: the lattice of Wegman and Zadeck (Constant propagation with conditional branches, 1991).
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) enum Known {
    /// No code that is known to run gives a value.
    #[default]
    Never,
    Is(Value),
    /// There may be several values.
    Varies,
}

impl Known {
    pub(super) fn bool(value: bool) -> Known {
        Known::Is(Value::Bool(value))
    }

    pub(super) fn int(value: i128) -> Known {
        Known::Is(Value::Int(value))
    }

    pub(super) fn none() -> Known {
        Known::Is(Value::Variant("Option".to_string(), "None".to_string(), Vec::new()))
    }

    /// The knowledge where the value comes from both places.
    pub(super) fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Never, known) | (known, Known::Never) => known,
            (Known::Is(a), Known::Is(b)) => a.join(b),
            _ => Known::Varies,
        }
    }

    pub(super) fn is_true(&self) -> bool {
        *self == Known::bool(true)
    }

    pub(super) fn is_false(&self) -> bool {
        *self == Known::bool(false)
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Known::none()
    }

    pub(super) fn as_int(&self) -> Option<i128> {
        match self {
            Known::Is(Value::Int(value)) => Some(*value),
            _ => None,
        }
    }
}

impl Value {
    /// Structs and tuples keep the parts that agree.
    fn join(self, other: Value) -> Known {
        let list = |a: Vec<Known>, b: Vec<Known>| a.into_iter().zip(b).map(|(a, b)| a.join(b)).collect();
        match (self, other) {
            (Value::Struct(name, a), Value::Struct(other, mut b)) if name == other => {
                let fields = a.into_iter().map(|(field, known)| {
                    let known = known.join(b.remove(&field).unwrap_or(Known::Varies));
                    (field, known)
                });
                Known::Is(Value::Struct(name, fields.collect()))
            }
            (Value::Tuple(a), Value::Tuple(b)) if a.len() == b.len() => Known::Is(Value::Tuple(list(a, b))),
            (Value::Variant(name, variant, a), Value::Variant(other, same, b))
                if name == other && variant == same && a.len() == b.len() =>
            {
                Known::Is(Value::Variant(name, variant, list(a, b)))
            }
            (a, b) if a == b => Known::Is(a),
            _ => Known::Varies,
        }
    }

    /// The value as an expression of a type, where it is short and has one meaning everywhere.
    pub(super) fn written(&self, ty: Option<&syn::Type>) -> Option<Expr> {
        let primitive = || match ty {
            Some(syn::Type::Path(path)) => path.path.get_ident().map(ToString::to_string),
            _ => None,
        };
        match self {
            Value::Bool(value) => Some(parse_quote!(#value)),
            Value::Int(value) => {
                let suffix = primitive().filter(|name| INTEGERS.contains(&name.as_str()))?;
                let literal: Literal = format!("{value}{suffix}").parse().ok()?;
                Some(parse_quote!(#literal))
            }
            Value::Float(value) => {
                let suffix = primitive().filter(|name| matches!(name.as_str(), "f32" | "f64"))?;
                let literal: Literal = format!("{value:?}{suffix}").parse().ok()?;
                (value.is_finite() && value.is_sign_positive()).then(|| parse_quote!(#literal))
            }
            Value::Variant(name, variant, values) if values.is_empty() && name != "Option" => {
                let name: syn::Ident = syn::parse_str(name).ok()?;
                let variant: syn::Ident = syn::parse_str(variant).ok()?;
                Some(match ty {
                    Some(syn::Type::Reference(_)) => parse_quote!(&#name::#variant),
                    _ => parse_quote!(#name::#variant),
                })
            }
            _ => None,
        }
    }
}

/// The names of integer types.
pub(crate) const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
