//! Atomic numbers in fields that keep the value with which their struct is made: all that a program does with them is
//! to load them.

use syn::{Expr, ExprField, Member, Type};

use super::program::head;
use super::value::{INTEGERS, Known};
use super::walker::{Found, Walker};

/// The type of the number in an atomic number.
pub(super) fn number_in(ty: &Type) -> Option<Type> {
    let name = head(ty)?;
    let number = name.rsplit("::").next()?.strip_prefix("Atomic")?.to_lowercase();
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

    /// Notes that an atomic field may be changed where it is mentioned.
    pub(super) fn vary_atomic(&mut self, base: &Found, name: &str) {
        let is_atomic = |ty: Option<&Type>| ty.and_then(number_in).is_some();
        match self.program.owner(base.ty.as_ref(), name) {
            Some(of) => {
                if is_atomic(self.program.structs.get(&of).and_then(|fields| fields.get(name))) {
                    self.facts.assign_field(&of, name, Known::Varies);
                }
            }
            None => {
                let program = self.program;
                for (of, _) in program.structs.iter().filter(|(_, fields)| is_atomic(fields.get(name))) {
                    self.facts.assign_field(of, name, Known::Varies);
                }
            }
        }
    }
}
