//! Atomic numbers in fields that keep the value with which their struct is made: all that a program does with them is
//! to load them.

use syn::{Expr, ExprField, Member, Type};

use super::program::head;
use super::value::{INTEGERS, Known};
use super::walker::{Found, Walker};

/// The type of the number in an atomic number that is no reference to one.
pub(super) fn number_in(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let number = path.path.segments.last()?.ident.to_string().strip_prefix("Atomic")?.to_lowercase();
    let is_number = number == "bool" || INTEGERS.contains(&number.as_str());
    syn::parse_str(&number).ok().filter(|_| is_number)
}

/// The value of a field of a derived default, as far as it is known.
pub(super) fn derived_default(ty: &Type) -> Known {
    let of = |ty: &Type| head(ty).unwrap_or_default();
    match number_in(ty).map_or_else(|| of(ty), |number| of(&number)).as_str() {
        "bool" => Known::bool(false),
        name if INTEGERS.contains(&name) => Known::int(0),
        _ => Known::Varies,
    }
}

impl Walker<'_> {
    /// The number with which an atomic field is made: `AtomicU64::new(7)`.
    pub(super) fn first_number(&mut self, value: &mut Expr) -> Known {
        if let Expr::Call(call) = value
            && let Expr::Path(path) = &*call.func
            && path.path.segments.last().is_some_and(|last| last.ident == "new")
            && let Some(of) = path.path.segments.iter().rev().nth(1)
            && of.ident.to_string().starts_with("Atomic")
            && !self.program.structs.contains_key(&of.ident.to_string())
            && call.args.len() == 1
            && let Some(number) = call.args.first_mut()
        {
            return self.walk(number).known;
        }
        self.walk(value);
        Known::Varies
    }

    /// The number that is loaded from a field; `None` if an expression does something else.
    pub(super) fn load(&mut self, expr: &mut Expr) -> Option<Found> {
        let Expr::MethodCall(call) = &mut *expr else { return None };
        let Expr::Field(ExprField { base, member: Member::Named(name), .. }) = &mut *call.receiver else { return None };
        if call.method != "load" {
            return None;
        }
        let name = name.to_string();
        let of = self.look(base).ty;
        let (of, number) = (self.program.owner(of.as_ref(), &name)?, self.program.field(of.as_ref()?, &name)?);
        let number = number_in(number)?;
        let base = self.walk(base);
        call.args.iter_mut().for_each(|argument| _ = self.walk(argument));
        self.note_read(&base, &name);
        self.facts.mention_member("load");
        let found = Found { known: self.facts.field(&of, &name), ty: Some(number) };
        self.settle(expr, &found);
        Some(found)
    }

    /// Returns true if a field of a struct is an atomic number.
    pub(super) fn is_atomic(&self, of: &str, field: &str) -> bool {
        self.program.structs.get(of).and_then(|fields| fields.get(field)).and_then(number_in).is_some()
    }

    /// Notes that an atomic field may be changed where it is mentioned.
    pub(super) fn vary_atomic(&mut self, base: &Found, name: &str) {
        let program = self.program;
        let all = match program.owner(base.ty.as_ref(), name) {
            Some(of) => vec![of],
            None => program.structs.keys().cloned().collect(),
        };
        for of in all {
            if self.is_atomic(&of, name) {
                self.facts.assign_field(&of, name, Known::Varies);
            }
        }
    }
}
