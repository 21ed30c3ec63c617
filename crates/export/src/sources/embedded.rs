//! Files and variables of the build that a program takes into itself, as literals.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cargo_metadata::Package;
use proc_macro2::{Group, Literal, TokenStream, TokenTree};

use crate::fault::ExportError;

/// The most bytes of a file that becomes a literal.
const MOST_BYTES: u64 = 400_000;

/// The variables that cargo sets for a build.
#[derive(Debug)]
pub(super) struct Environment(BTreeMap<String, String>);

impl Environment {
    pub(super) fn of(package: &Package, crate_name: &str) -> Environment {
        let version = &package.version;
        let variables = [
            ("CARGO_PKG_NAME", package.name.to_string()),
            ("CARGO_PKG_VERSION", version.to_string()),
            ("CARGO_PKG_VERSION_MAJOR", version.major.to_string()),
            ("CARGO_PKG_VERSION_MINOR", version.minor.to_string()),
            ("CARGO_PKG_VERSION_PATCH", version.patch.to_string()),
            ("CARGO_PKG_DESCRIPTION", package.description.clone().unwrap_or_default()),
            ("CARGO_PKG_AUTHORS", package.authors.join(":")),
            ("CARGO_CRATE_NAME", crate_name.to_string()),
        ];
        Environment(variables.into_iter().map(|(name, value)| (name.to_string(), value)).collect())
    }

    /// Replaces `include_str!`, `include_bytes!` and `env!` by literals. `include!` is a fault.
    pub(super) fn embed(
        &self,
        tokens: TokenStream,
        file: &Path,
        files: &mut Vec<PathBuf>,
    ) -> Result<TokenStream, ExportError> {
        let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if let TokenTree::Group(group) = &tokens[at] {
                let mut embedded = Group::new(group.delimiter(), self.embed(group.stream(), file, files)?);
                embedded.set_span(group.span());
                tokens[at] = TokenTree::Group(embedded);
            }
            if let [TokenTree::Ident(name), TokenTree::Punct(mark), TokenTree::Group(group), ..] = &tokens[at..]
                && mark.as_char() == '!'
                && let Ok(argument) = syn::parse2::<syn::LitStr>(without_last_comma(group.stream()))
                && let Some(literal) = self.literal(&name.to_string(), &argument.value(), file, files)?
            {
                tokens.splice(at..at + 3, [TokenTree::Literal(literal)]);
            }
            at += 1;
        }
        Ok(tokens.into_iter().collect())
    }

    fn literal(
        &self,
        macro_name: &str,
        argument: &str,
        file: &Path,
        files: &mut Vec<PathBuf>,
    ) -> Result<Option<Literal>, ExportError> {
        let mut bytes = || {
            let path = file.parent().unwrap_or(Path::new(".")).join(argument);
            let bytes = read(&path)?;
            files.push(path);
            Ok::<_, ExportError>(bytes)
        };
        Ok(match macro_name {
            "include_str" => Some(Literal::string(&String::from_utf8_lossy(&bytes()?))),
            "include_bytes" => Some(Literal::byte_string(&bytes()?)),
            "env" => {
                let value = self.0.get(argument).ok_or_else(|| {
                    ExportError::new(format!(
                        "{} takes the variable {argument} of the build, which a judge does not set; write its value",
                        file.display()
                    ))
                })?;
                Some(Literal::string(value))
            }
            "include" => {
                return Err(ExportError::new(format!(
                    "{} takes in the code of {argument} by include!, which is not bundled; make a module of it",
                    file.display()
                )));
            }
            _ => None,
        })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, ExportError> {
    let unreadable = |error| {
        ExportError::new(format!(
            "{} cannot be read: {error}; put the file there, or take in another one",
            path.display()
        ))
    };
    let length = path.metadata().map_err(unreadable)?.len();
    if length > MOST_BYTES {
        return Err(ExportError::new(format!(
            "{} has {length} bytes, and the file of a judge has room for {MOST_BYTES} at the most; take in less",
            path.display()
        )));
    }
    std::fs::read(path).map_err(unreadable)
}

fn without_last_comma(tokens: TokenStream) -> TokenStream {
    tokens.into_iter().filter(|token| !matches!(token, TokenTree::Punct(mark) if mark.as_char() == ',')).collect()
}
