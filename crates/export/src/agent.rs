//! The agent of a program with settings that the user names, in place of those in `main`.
//!
//! The settings are fixed before anything is pruned, so that what they do not use goes.

use syn::punctuated::Punctuated;
use syn::{Expr, ExprStruct, Item, Member, Token};

use crate::fault::ExportError;
use crate::visit_mut::{self, VisitMut};

/// Sets the fields of the agent in `main`, the one struct literal of its type, to those of `agent`. Its text is that of
/// `Debug`, which may be within the variant of a list of agents: `Candy(Candy { climb: 40, plans: 1 })`.
pub(crate) fn fix(program: &mut syn::File, agent: &str) -> Result<(), ExportError> {
    let fault = |what: &str| ExportError::new(format!("the agent {agent} cannot stand in main, {what}"));
    let named = match syn::parse_str(agent) {
        Ok(Expr::Struct(named)) => named,
        Ok(Expr::Call(call)) => match call.args.into_iter().next() {
            Some(Expr::Struct(named)) => named,
            _ => return Err(fault("because it has no fields; export it without --agent")),
        },
        _ => return Err(fault("because its text is no Rust; export it without --agent")),
    };
    let mains = program.items.iter_mut().filter_map(|item| match item {
        Item::Fn(item) if item.sig.ident == "main" => Some(item),
        _ => None,
    });
    let mut fixing = Fixing { agent: named, found: 0, wrong: None };
    mains.for_each(|main| fixing.visit_item_fn_mut(main));
    match (fixing.found, fixing.wrong) {
        (1, None) => Ok(()),
        (1, Some(field)) => Err(fault(&format!("because of its field {field}; leave that setting out"))),
        (found, _) => {
            Err(fault(&format!("which has {found} literals of its type; write it there once, with all its fields")))
        }
    }
}

/// The search for the literals of an agent's type, which get its fields.
struct Fixing {
    agent: ExprStruct,
    found: usize,
    /// A field without a value that can be written.
    wrong: Option<String>,
}

impl VisitMut for Fixing {
    fn visit_expr_struct_mut(&mut self, literal: &mut ExprStruct) {
        let name = |literal: &ExprStruct| literal.path.segments.last().map(|segment| segment.ident.clone());
        if name(literal) != name(&self.agent) {
            return visit_mut::visit_expr_struct_mut(self, literal);
        }
        self.found += 1;
        let mut fields: Punctuated<_, Token![,]> = Punctuated::new();
        for mut field in self.agent.fields.iter().cloned() {
            let old = literal.fields.iter().find(|old| old.member == field.member).map(|old| &old.expr);
            match old.and_then(|old| written(old, &field.expr)) {
                Some(value) => field.expr = value,
                None => self.wrong = Some(name_of(&field.member)),
            }
            fields.push(field);
        }
        literal.fields = fields;
        literal.dot2_token = None;
        literal.rest = None;
    }
}

fn name_of(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// A value of a field as `main` can have it. `Debug` writes variants without their type, which the value in `main` has.
fn written(old: &Expr, new: &Expr) -> Option<Expr> {
    match (old, new) {
        (Expr::Path(old), Expr::Path(new)) => {
            let mut path = old.clone();
            *path.path.segments.last_mut()? = new.path.segments.last()?.clone();
            Some(Expr::Path(path))
        }
        (_, Expr::Lit(_)) => Some(new.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::parse_quote;

    use super::*;

    fn program() -> syn::File {
        parse_quote! {
            fn other() { Agent { width: 1 } }
            fn main() {
                let agent = own::Agent { width: 80, tree: Tree::Multi, fast: true, file: None };
                run(&agent);
            }
        }
    }

    fn fixed(agent: &str) -> Result<String, String> {
        let mut program = program();
        fix(&mut program, agent).map_err(|error| error.to_string())?;
        Ok(program.items[1].to_token_stream().to_string())
    }

    #[test]
    fn main_gets_the_fields_of_the_agent() {
        let text = fixed("Agent(Agent { width: 4, tree: Plain, fast: false, file: None })").unwrap();
        let says = "own :: Agent { width : 4 , tree : Tree :: Plain , fast : false , file : None }";
        assert!(text.contains(says), "{text}");
    }

    #[test]
    fn an_agent_that_main_cannot_have_is_a_fault() {
        for (agent, says) in [
            ("Agent { width: 4, tree: Plain, fast: true, file: Some(\"a\") }", "because of its field file; leave"),
            ("Agent { width: 4, height: 4 }", "because of its field height; leave"),
            ("Other { width: 4 }", "which has 0 literals of its type; write it there once"),
            ("Agent", "because its text is no Rust"),
        ] {
            let error = fixed(agent).expect_err(agent);
            assert!(error.contains(says), "{error}");
        }
    }
}
