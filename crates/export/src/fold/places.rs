//! Variables, constants and fields: where values are read, and where they are changed.

use syn::{Expr, ExprPath, ExprStruct, Member, Path, Type};

use super::program::{FunctionName, TraitConstant, head, mutable, target};
use super::value::{INTEGERS, Known, Value};
use super::walker::{Found, Scope, Walker};

/// A limit of a number type of the standard library.
fn limit(of: &str, name: &str) -> Option<Known> {
    let bits: u32 = match of {
        "f64" if name == "INFINITY" => return Some(Known::Is(Value::Float(f64::INFINITY))),
        "u8" => 8,
        "u16" => 16,
        "u32" => 32,
        _ => return None,
    };
    (name == "MAX").then(|| Known::int((1 << bits) - 1))
}

impl Walker<'_> {
    pub(super) fn path(&mut self, expr: &mut Expr) -> Found {
        let Expr::Path(path) = expr else { return Found::varies(None) };
        let found = self.read_path(path);
        // A constant stays where its name says more than its value.
        let is_place =
            path.path.segments.len() == 1 && !path.path.segments[0].ident.to_string().starts_with(char::is_uppercase);
        let is_of_trait = path.path.segments.len() == 2 && self.is_trait_constant(path);
        if is_place || is_of_trait {
            self.settle(expr, &found);
        }
        found
    }

    fn is_trait_constant(&self, path: &ExprPath) -> bool {
        path.path.segments.last().is_some_and(|last| self.program.trait_constants.contains_key(&last.ident.to_string()))
    }

    fn read_path(&mut self, path: &ExprPath) -> Found {
        let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let ([name], None) = (&segments[..], &path.qself) {
            if let Some(found) = self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
                return found.clone();
            }
            if name == "None" {
                return Found { known: Known::none(), ty: None };
            }
        }
        self.facts.mention_path(&path.path);
        let Some(last) = segments.last().cloned() else { return Found::varies(None) };
        let of = match (&path.qself, &segments[..]) {
            (Some(qself), _) => self.program.associated(&qself.ty).and_then(head),
            (None, [.., of, _]) => Some(of.clone()),
            (None, _) => None,
        };
        if let Some(known) = of.as_deref().and_then(|of| limit(of, &last)) {
            return Found { known, ty: of.and_then(|of| syn::parse_str(&of).ok()) };
        }
        let has_owner = of.is_some();
        let of = of.and_then(|of| self.own_name(of));
        if let Some(of) = &of
            && self.program.enums.get(of).and_then(|variants| variants.get(&last)) == Some(&Some(0))
            && !self.program.compared.contains(of)
        {
            let known = Known::Is(Value::Variant(of.clone(), last, Vec::new()));
            return Found { known, ty: syn::parse_str(of).ok() };
        }
        let name: FunctionName = (of.clone(), last.clone());
        // In a trait, `Self` has no name, and its constant is none of the file.
        if has_owner == name.0.is_some() && self.program.constants.contains_key(&name) {
            return self.constant(&name);
        }
        if self.program.trait_constants.contains_key(&last) {
            return self.trait_constant(of.as_deref(), &last);
        }
        self.vary_function(path);
        Found::varies(None)
    }

    /// `Self` as the name of its type.
    pub(super) fn own_name(&self, name: String) -> Option<String> {
        match self.program.aliases.get(&name) {
            _ if name == "Self" => self.this.as_ref().and_then(head),
            Some(ty) => head(ty),
            None => Some(name),
        }
    }

    /// A constant of the file or of a type.
    fn constant(&mut self, name: &FunctionName) -> Found {
        let Some((ty, value)) = self.program.constants.get(name) else { return Found::varies(None) };
        let ty = Some(ty.clone());
        if let Some(known) = self.facts.constants.get(name) {
            return Found { known: known.clone(), ty };
        }
        let this = name.0.as_ref().and_then(|of| syn::parse_str(of).ok());
        let known = self.worked_out(name.clone(), this, value, Vec::new());
        self.facts.constants.insert(name.clone(), known.clone());
        Found { known, ty }
    }

    /// A constant of a trait: that of one type, or where the type is not known all that it may be.
    fn trait_constant(&mut self, of: Option<&str>, name: &str) -> Found {
        let Some(all) = self.program.trait_constants.get(name) else { return Found::varies(None) };
        let is_of_type = |ty: &Type| {
            head(ty).as_deref() == of && !matches!(target(ty), Type::Path(path) if path.path.leading_colon.is_some())
        };
        let is_one_type = of.is_some_and(|of| {
            all.iter().any(|constant| is_of_type(&constant.of.1))
                && (self.program.structs.contains_key(of)
                    || self.program.enums.contains_key(of)
                    || INTEGERS.contains(&of))
        });
        let all = all.iter().filter(|constant| !is_one_type || is_of_type(&constant.of.1));
        self.one_of(all, name)
    }

    /// The value that each of some constants of a trait has, or of some answers of a method of a trait.
    pub(super) fn one_of<'c>(&mut self, all: impl Iterator<Item = &'c TraitConstant>, name: &str) -> Found {
        let mut known = Known::Never;
        let mut ty = None;
        for constant in all {
            let key = (
                Some(quote::ToTokens::to_token_stream(&constant.of.1).to_string()),
                format!("{}::{name}", constant.of.0),
            );
            let value = match self.facts.constants.get(&key) {
                Some(known) => known.clone(),
                None => self.worked_out(key, Some(constant.of.1.clone()), &constant.value, Vec::new()),
            };
            known = known.join(value);
            ty = Some(constant.ty.clone());
        }
        Found { known, ty }
    }

    /// The value of a constant or of a call, with no other variables.
    pub(super) fn worked_out(
        &mut self,
        name: FunctionName,
        this: Option<Type>,
        value: &Expr,
        variables: Vec<Scope>,
    ) -> Known {
        // A constant that needs itself adds nothing.
        if self.under_way.contains(&name) {
            return Known::Never;
        }
        self.under_way.push(name);
        let scopes = std::mem::replace(&mut self.scopes, variables);
        let (before, returns) = (std::mem::replace(&mut self.this, this), std::mem::take(&mut self.returns));
        let rewrites = std::mem::take(&mut self.rewrites);
        let last = self.walk(&mut value.clone()).known;
        let known = std::mem::take(&mut self.returns).join(last);
        (self.scopes, self.this, self.returns, self.rewrites) = (scopes, before, returns, rewrites);
        self.under_way.pop();
        known
    }

    pub(super) fn field(&mut self, expr: &mut Expr) -> Found {
        let Expr::Field(field) = expr else { return Found::varies(None) };
        let base = self.walk(&mut field.base);
        if let Member::Named(name) = &field.member {
            self.note_read(&base, &name.to_string());
            self.vary_atomic(&base, &name.to_string());
        }
        let found = self.read_field(&base, &field.member);
        self.settle(expr, &found);
        found
    }

    fn read_field(&self, base: &Found, member: &Member) -> Found {
        let name = match member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => {
                let at = index.index as usize;
                let part = match &base.known {
                    Known::Is(Value::Tuple(parts)) => parts.get(at).cloned(),
                    Known::Is(Value::Variant(of, name, parts)) if of == name => parts.get(at).cloned(),
                    Known::Never => Some(Known::Never),
                    _ => None,
                };
                let ty = base.ty.as_ref().and_then(|ty| self.program.part(ty, at)).cloned();
                return Found { known: part.unwrap_or(Known::Varies), ty };
            }
        };
        let ty = base.ty.as_ref().and_then(|ty| self.program.field(ty, &name)).cloned();
        if base.known == Known::Never {
            return Found { known: Known::Never, ty };
        }
        if let Known::Is(Value::Struct(of, fields)) = &base.known
            && let Some(known) = fields.get(&name)
            && self.facts.keeps_value(of, &name)
        {
            return Found { known: known.clone(), ty };
        }
        let of = base.ty.as_ref().and_then(head).filter(|_| ty.is_some());
        Found { known: of.map_or(Known::Varies, |of| self.facts.field(&of, &name)), ty }
    }

    /// A struct is made.
    pub(super) fn structure(&mut self, literal: &mut ExprStruct) -> Found {
        let of = self.name_of_struct(&literal.path);
        let mut values = std::collections::BTreeMap::new();
        for field in &mut literal.fields {
            let is_atomic = match (&of, &field.member) {
                (Some(of), Member::Named(name)) => self.is_atomic(of, &name.to_string()),
                _ => false,
            };
            let known = match is_atomic {
                true => self.first_number(&mut field.expr),
                false => self.walk(&mut field.expr).known,
            };
            if let (Some(of), Member::Named(name)) = (&of, &field.member) {
                self.facts.join_field(of, &name.to_string(), known.clone());
                values.insert(name.to_string(), if is_atomic { Known::Varies } else { known });
            }
            // The name is needed again where a value has taken the place of a variable.
            if self.rewrites && field.colon_token.is_none() && !matches!(field.expr, Expr::Path(_)) {
                field.colon_token = Some(syn::token::Colon::default());
            }
        }
        let Some(of) = of else {
            if let Some(rest) = &mut literal.rest {
                self.walk(rest);
            }
            return Found::varies(None);
        };
        if let Some(rest) = &mut literal.rest {
            let rest = self.walk(rest);
            for name in self.program.structs.get(&of).into_iter().flatten().map(|(name, _)| name) {
                if !values.contains_key(name) {
                    let member = syn::parse_str(name).map(Member::Named);
                    let known = member.map_or(Known::Varies, |member| self.read_field(&rest, &member).known);
                    values.insert(name.clone(), known);
                }
            }
        }
        Found { ty: syn::parse_str(&of).ok(), known: Known::Is(Value::Struct(of, values)) }
    }

    fn name_of_struct(&mut self, path: &Path) -> Option<String> {
        self.facts.mention_path(path);
        let name = self.own_name(path.segments.last()?.ident.to_string())?;
        self.program.structs.contains_key(&name).then_some(name)
    }

    /// A value is put in a place.
    pub(super) fn assign(&mut self, place: &mut Expr, known: Known) {
        match place {
            Expr::Field(field) => {
                let base = self.walk_place(&mut field.base);
                if let Member::Named(name) = &field.member {
                    let is_unknown = self.program.owner(base.ty.as_ref(), &name.to_string()).is_none();
                    if is_unknown || self.purity.has_effects(&field.base) {
                        self.note_reads(&name.to_string());
                    }
                    self.join_field(&base, &name.to_string(), known);
                }
            }
            Expr::Paren(inner) => self.assign(&mut inner.expr, known),
            // The parts of a tuple on the left.
            Expr::Tuple(tuple) => tuple.elems.iter_mut().for_each(|part| _ = self.changed(part)),
            Expr::Struct(literal) => {
                literal.fields.iter_mut().for_each(|field| self.assign(&mut field.expr, Known::Varies));
            }
            Expr::Array(list) => list.elems.iter_mut().for_each(|part| self.assign(part, Known::Varies)),
            _ => _ = self.walk_place(place),
        }
    }

    /// A place may be changed from here on.
    pub(super) fn changed(&mut self, place: &mut Expr) -> Found {
        let ty = self.walk_place(place).ty;
        Found::varies(ty.map(mutable))
    }

    /// Walks through a place that is changed, or a part of which is.
    fn walk_place(&mut self, place: &mut Expr) -> Found {
        match place {
            Expr::Field(field) => {
                let base = self.walk_place(&mut field.base);
                let mut ty = None;
                if let Member::Named(name) = &field.member {
                    self.note_read(&base, &name.to_string());
                    ty = base.ty.as_ref().and_then(|ty| self.program.field(ty, &name.to_string())).cloned();
                    self.join_field(&base, &name.to_string(), Known::Varies);
                }
                if let Member::Unnamed(index) = &field.member {
                    ty = base.ty.as_ref().and_then(|ty| self.program.part(ty, index.index as usize)).cloned();
                }
                Found::varies(ty)
            }
            Expr::Index(index) => {
                let base = self.walk_place(&mut index.expr);
                self.walk(&mut index.index);
                Found::varies(base.ty.as_ref().and_then(super::program::element).cloned())
            }
            Expr::Unary(unary) => Found { known: Known::Varies, ..self.walk_place(&mut unary.expr) },
            Expr::Paren(inner) => self.walk_place(&mut inner.expr),
            Expr::Path(path) => Found { known: Known::Varies, ..self.read_path(path) },
            _ => self.walk(place),
        }
    }

    fn join_field(&mut self, base: &Found, name: &str, known: Known) {
        match self.program.owner(base.ty.as_ref(), name) {
            Some(of) => self.facts.assign_field(&of, name, known),
            None => self.vary_fields(name),
        }
    }

    /// A field of this name may have any value, of all structs.
    pub(super) fn vary_fields(&mut self, name: &str) {
        self.note_reads(name);
        let program = self.program;
        for of in program.structs.iter().filter(|(_, fields)| fields.contains_key(name)).map(|(of, _)| of) {
            self.facts.assign_field(of, name, Known::Varies);
        }
    }
}
