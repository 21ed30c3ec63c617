//! Patterns against known values.

use syn::{Expr, Pat};

use super::arithmetic::{equal, literal};
use super::value::{Known, Value};
use super::walker::Walker;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Match {
    Yes,
    No,
    /// That is not known.
    Maybe,
}

impl Match {
    fn and(self, other: Match) -> Match {
        match (self, other) {
            (Match::No, _) | (_, Match::No) => Match::No,
            (Match::Yes, Match::Yes) => Match::Yes,
            _ => Match::Maybe,
        }
    }
}

impl Walker<'_> {
    pub(super) fn matches(&mut self, pattern: &Pat, known: &Known) -> Match {
        match pattern {
            Pat::Wild(_) | Pat::Rest(_) => Match::Yes,
            Pat::Ident(it) if it.ident.to_string().starts_with(char::is_uppercase) => {
                let mut path =
                    Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: it.ident.clone().into() });
                self.equals(&mut path, known)
            }
            Pat::Ident(it) => it.subpat.as_ref().map_or(Match::Yes, |(_, inner)| self.matches(inner, known)),
            Pat::Paren(inner) => self.matches(&inner.pat, known),
            Pat::Reference(inner) => self.matches(&inner.pat, known),
            Pat::Type(inner) => self.matches(&inner.pat, known),
            Pat::Lit(it) => compared(&literal(&it.lit).known, known),
            Pat::Path(path) => self.equals(&mut Expr::Path(path.clone()), known),
            Pat::Or(cases) => {
                let mut any = Match::No;
                for case in &cases.cases {
                    match self.matches(case, known) {
                        Match::Yes => return Match::Yes,
                        Match::Maybe => any = Match::Maybe,
                        Match::No => {}
                    }
                }
                any
            }
            Pat::Tuple(tuple) => {
                let parts = match known {
                    Known::Is(Value::Tuple(parts)) if parts.len() == tuple.elems.len() => parts.clone(),
                    _ => vec![Known::Varies; tuple.elems.len()],
                };
                self.all_match(tuple.elems.iter(), &parts)
            }
            Pat::TupleStruct(it) => self.variant(it, known),
            Pat::Struct(it) => {
                // Of the values only the name of the variant is known.
                self.facts.mention_path(&it.path);
                let name = it.path.segments.last().map(|last| last.ident.to_string());
                match known {
                    Known::Is(Value::Variant(_, variant, _)) if Some(variant) != name.as_ref() => Match::No,
                    _ => Match::Maybe,
                }
            }
            _ => {
                self.mention_pattern(pattern);
                Match::Maybe
            }
        }
    }

    fn variant(&mut self, pattern: &syn::PatTupleStruct, known: &Known) -> Match {
        self.facts.mention_path(&pattern.path);
        let name = pattern.path.segments.last().map(|last| last.ident.to_string());
        let has_rest = pattern.elems.iter().any(|part| matches!(part, Pat::Rest(_)));
        match known {
            Known::Is(Value::Variant(_, variant, _)) if Some(variant) != name.as_ref() => Match::No,
            Known::Is(Value::Variant(_, _, values)) if values.len() == pattern.elems.len() && !has_rest => {
                let values = values.clone();
                self.all_match(pattern.elems.iter(), &values)
            }
            _ => {
                let unknown = vec![Known::Varies; pattern.elems.len()];
                self.all_match(pattern.elems.iter(), &unknown).and(Match::Maybe)
            }
        }
    }

    fn all_match<'a>(&mut self, patterns: impl Iterator<Item = &'a Pat>, parts: &[Known]) -> Match {
        let mut all = Match::Yes;
        for (pattern, part) in patterns.zip(parts) {
            all = all.and(self.matches(pattern, part));
        }
        all
    }

    fn equals(&mut self, path: &mut Expr, known: &Known) -> Match {
        let rewrites = std::mem::take(&mut self.rewrites);
        let constant = self.walk(path).known;
        self.rewrites = rewrites;
        compared(&constant, known)
    }

    fn mention_pattern(&mut self, pattern: &Pat) {
        self.unknown_tokens(quote::ToTokens::to_token_stream(pattern));
    }
}

fn compared(pattern: &Known, known: &Known) -> Match {
    match (pattern, known) {
        (Known::Is(pattern), Known::Is(value)) => match equal(pattern, value) {
            Some(true) => Match::Yes,
            Some(false) => Match::No,
            None => Match::Maybe,
        },
        _ => Match::Maybe,
    }
}
