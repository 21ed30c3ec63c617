//! Operators on known values.

use syn::{BinOp, Expr, ExprUnary, Lit, Type, UnOp, parse_quote};

use super::program::head;
use super::value::{INTEGERS, Known, Value};
use super::variants::variant;
use super::walker::{Found, Walker};

/// The largest integers that are worked out. All integer types that hold larger ones hold these.
const LARGEST: i128 = 1 << 53;

pub(super) fn literal(literal: &Lit) -> Found {
    let ty = |suffix: &str| syn::parse_str::<Type>(suffix).ok();
    match literal {
        Lit::Bool(value) => Found { known: Known::bool(value.value), ty: None },
        Lit::Int(value) => Found {
            known: value.base10_parse().map_or(Known::Varies, |value| within(Some(value))),
            ty: ty(value.suffix()),
        },
        Lit::Float(value) => Found {
            known: value.base10_parse().map_or(Known::Varies, |value| Known::Is(Value::Float(value))),
            ty: ty(value.suffix()),
        },
        _ => Found::varies(None),
    }
}

fn within(value: Option<i128>) -> Known {
    value.filter(|value| value.abs() <= LARGEST).map_or(Known::Varies, Known::int)
}

/// A value as another type.
pub(super) fn cast(known: &Known, ty: &Type) -> Known {
    let Type::Path(path) = ty else { return Known::Varies };
    match (known, path.path.get_ident()) {
        (Known::Never, _) => Known::Never,
        (Known::Is(Value::Int(value)), Some(name)) if fits(*value, &name.to_string()) => Known::int(*value),
        _ => Known::Varies,
    }
}

/// Returns true if an integer type holds a value.
pub(super) fn fits(value: i128, ty: &str) -> bool {
    if !INTEGERS.contains(&ty) {
        return false;
    }
    let is_signed = ty.starts_with('i');
    let bits: u32 = ty[1..].parse().unwrap_or(64);
    let bits = if is_signed { bits - 1 } else { bits }.min(100);
    value < 1 << bits && value >= if is_signed { -(1 << bits) } else { 0 }
}

impl Walker<'_> {
    pub(super) fn unary(&mut self, unary: &mut ExprUnary) -> Found {
        let inner = self.walk(&mut unary.expr);
        let known = match (&unary.op, inner.known) {
            (UnOp::Deref(_), known) => known,
            (_, Known::Never) => Known::Never,
            (UnOp::Not(_), Known::Is(Value::Bool(value))) => Known::bool(!value),
            (UnOp::Neg(_), Known::Is(Value::Int(value))) => Known::int(-value),
            (UnOp::Neg(_), Known::Is(Value::Float(value))) => Known::Is(Value::Float(-value)),
            _ => Known::Varies,
        };
        Found { known, ty: inner.ty }
    }

    pub(super) fn binary(&mut self, expr: &mut Expr) -> Found {
        let Expr::Binary(binary) = expr else { return Found::varies(None) };
        if matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            return self.logic(expr);
        }
        if is_assignment(&binary.op) {
            self.walk(&mut binary.right);
            self.assign(&mut binary.left, Known::Varies);
            if !self.unread.is_empty() {
                self.without_assignment(expr);
            }
            return Found::varies(None);
        }
        let (left, right) = (self.walk(&mut binary.left), self.walk(&mut binary.right));
        let known = match self.compares_with_nothing(binary) {
            Some(is_equal) => Known::bool(is_equal),
            None => operate(&binary.op, &left.known, &right.known),
        };
        let is_integer = [&left, &right]
            .into_iter()
            .any(|operand| operand.ty.as_ref().and_then(head).is_some_and(|of| INTEGERS.contains(&of.as_str())));
        let known = match known {
            Known::Varies if is_integer => of_zero(&binary.op, &left.known, &right.known),
            known => known,
        };
        let found = Found { known, ty: left.ty.or(right.ty) };
        if matches!(found.known, Known::Is(Value::Bool(_))) {
            self.settle(expr, &found);
        }
        found
    }

    /// The result of a comparison with a variant of which no value is made.
    fn compares_with_nothing(&self, binary: &syn::ExprBinary) -> Option<bool> {
        let is_equal = match binary.op {
            BinOp::Eq(_) => false,
            BinOp::Ne(_) => true,
            _ => return None,
        };
        let is_never_made = |operand: &Expr| match operand {
            Expr::Path(path) => variant(&path.path).is_some_and(|name| {
                self.program.never_made.contains(&name) && !self.program.compared.contains(&name.0)
            }),
            _ => false,
        };
        (is_never_made(&binary.left) || is_never_made(&binary.right)).then_some(is_equal)
    }

    /// `&&` and `||`. The second operand counts only where the first one lets it.
    fn logic(&mut self, expr: &mut Expr) -> Found {
        let Expr::Binary(binary) = expr else { return Found::varies(None) };
        let is_and = matches!(binary.op, BinOp::And(_));
        // The value of the first operand that decides.
        let decisive = Known::bool(!is_and);
        let left = self.walk(&mut binary.left).known;
        if left == Known::Never && !self.rewrites {
            return Found::default();
        }
        let right = if left == decisive { Known::Never } else { self.walk(&mut binary.right).known };
        let known = match (&left, right) {
            (left, _) if *left == decisive => decisive.clone(),
            (Known::Is(_), right) => right,
            // A first operand with effects stays, and decides nothing.
            (_, right) if right == decisive => decisive.clone(),
            _ => Known::Varies,
        };
        if self.rewrites {
            let is_pure = |this: &Self, expr: &Expr| !this.purity.has_effects(expr);
            let (left_expr, right_expr) = (&*binary.left, &*binary.right);
            let neutral = Known::bool(is_and);
            let now: Option<Expr> = if known == decisive && is_pure(self, left_expr) {
                let value = !is_and;
                Some(parse_quote!(#value))
            } else if left == decisive {
                // The second operand is never looked at.
                Some(left_expr.clone())
            } else if left == neutral && is_pure(self, left_expr) {
                Some(right_expr.clone())
            } else if known == Known::Varies && self.is_neutral(right_expr, is_and) {
                Some(left_expr.clone())
            } else {
                None
            };
            if let Some(now) = now {
                *expr = now;
                self.facts.folded += 1;
            }
        }
        Found { known, ty: None }
    }

    /// Returns true if an expression was folded to the value that changes nothing.
    fn is_neutral(&self, expr: &Expr, is_and: bool) -> bool {
        matches!(expr, Expr::Lit(syn::ExprLit { lit: Lit::Bool(value), .. }) if value.value == is_and)
    }
}

pub(super) fn is_assignment(operator: &BinOp) -> bool {
    quote::ToTokens::to_token_stream(operator).to_string().replace(' ', "").ends_with('=')
        && !matches!(operator, BinOp::Eq(_) | BinOp::Le(_) | BinOp::Ge(_) | BinOp::Ne(_))
}

fn operate(operator: &BinOp, left: &Known, right: &Known) -> Known {
    let (left, right) = match (left, right) {
        (Known::Never, _) | (_, Known::Never) => return Known::Never,
        (Known::Is(left), Known::Is(right)) => (left, right),
        _ => return Known::Varies,
    };
    match (operator, equal(left, right)) {
        (BinOp::Eq(_), Some(is_equal)) => return Known::bool(is_equal),
        (BinOp::Ne(_), Some(is_equal)) => return Known::bool(!is_equal),
        _ => {}
    }
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => integers(operator, *a, *b),
        (Value::Float(a), Value::Float(b)) => match operator {
            BinOp::Lt(_) => Known::bool(a < b),
            BinOp::Le(_) => Known::bool(a <= b),
            BinOp::Gt(_) => Known::bool(a > b),
            BinOp::Ge(_) => Known::bool(a >= b),
            _ => Known::Varies,
        },
        (Value::Bool(a), Value::Bool(b)) => match operator {
            BinOp::BitAnd(_) => Known::bool(a & b),
            BinOp::BitOr(_) => Known::bool(a | b),
            BinOp::BitXor(_) => Known::bool(a ^ b),
            _ => Known::Varies,
        },
        _ => Known::Varies,
    }
}

/// The result where one operand is 0 and the other may be any number.
fn of_zero(operator: &BinOp, left: &Known, right: &Known) -> Known {
    let is_zero = |known: &Known| known.as_int() == Some(0);
    let stays_zero = match operator {
        BinOp::Shr(_) | BinOp::Shl(_) => is_zero(left),
        BinOp::BitAnd(_) | BinOp::Mul(_) => is_zero(left) || is_zero(right),
        _ => false,
    };
    if stays_zero { Known::int(0) } else { Known::Varies }
}

fn integers(operator: &BinOp, a: i128, b: i128) -> Known {
    match operator {
        BinOp::Lt(_) => Known::bool(a < b),
        BinOp::Le(_) => Known::bool(a <= b),
        BinOp::Gt(_) => Known::bool(a > b),
        BinOp::Ge(_) => Known::bool(a >= b),
        BinOp::Add(_) => within(a.checked_add(b)),
        BinOp::Sub(_) => within(a.checked_sub(b)),
        BinOp::Mul(_) => within(a.checked_mul(b)),
        BinOp::Div(_) => within(a.checked_div(b)),
        BinOp::Rem(_) => within(a.checked_rem(b)),
        BinOp::BitAnd(_) => within(Some(a & b)),
        BinOp::BitOr(_) => within(Some(a | b)),
        // A shift loses bits of small types, so only small results count.
        BinOp::Shl(_) if (0..64).contains(&b) => {
            within(a.checked_mul(1 << b)).as_int().filter(|value| *value < 1 << 31).map_or(Known::Varies, Known::int)
        }
        BinOp::Shr(_) if (0..64).contains(&b) && a >= 0 => within(Some(a >> b)),
        _ => Known::Varies,
    }
}

/// Returns true if values are equal; `None` if that is not known.
pub(super) fn equal(left: &Value, right: &Value) -> Option<bool> {
    match (left, right) {
        (Value::Variant(_, a, x), Value::Variant(_, b, y)) if a == b && x.len() == y.len() => all_equal(x, y),
        (Value::Variant(_, a, _), Value::Variant(_, b, _)) if a != b => Some(false),
        (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => all_equal(x, y),
        (Value::Bool(a), Value::Bool(b)) => Some(a == b),
        (Value::Int(a), Value::Int(b)) => Some(a == b),
        (Value::Float(a), Value::Float(b)) => Some(a == b),
        _ => None,
    }
}

fn all_equal(left: &[Known], right: &[Known]) -> Option<bool> {
    let mut all = Some(true);
    for (left, right) in left.iter().zip(right) {
        match (left, right) {
            (Known::Is(left), Known::Is(right)) => match equal(left, right) {
                Some(false) => return Some(false),
                Some(true) => {}
                None => all = None,
            },
            _ => all = None,
        }
    }
    all
}
