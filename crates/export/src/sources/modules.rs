//! The modules of a crate, in one tree.

use std::path::Path;

use quote::ToTokens;
use syn::{Expr, ExprLit, Item, ItemMod, Lit, Meta};

use super::Read;
use super::cfg::Cfg;
use super::embedded::Environment;
use crate::fault::ExportError;
use crate::print::compact;

/// Reads a crate from its first file.
pub(super) fn read(
    path: &Path,
    cfg: &Cfg,
    environment: &Environment,
    read: &mut Read,
) -> Result<syn::File, ExportError> {
    let mut reader = Reader { cfg, environment, read };
    let folder = path.parent().unwrap_or(Path::new("."));
    reader.file(path, folder)
}

struct Reader<'a> {
    cfg: &'a Cfg,
    environment: &'a Environment,
    read: &'a mut Read,
}

impl Reader<'_> {
    /// Reads a file, whose modules have their files in a folder.
    fn file(&mut self, path: &Path, folder: &Path) -> Result<syn::File, ExportError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ExportError::new(format!("{} cannot be read: {error}", path.display())))?;
        let mut file = syn::parse_file(&text).map_err(|error| {
            let at = error.span().start();
            ExportError::new(format!(
                "{}:{}:{} is no Rust: {error}; correct that line",
                path.display(),
                at.line,
                at.column + 1
            ))
        })?;
        self.read.files.push(path.to_path_buf());
        self.read.characters += text.chars().count();
        self.read.code += compact(&file).chars().count();
        file.shebang = None;
        self.cfg.apply(&mut file);
        let files = self.read.files.len();
        let tokens = self.environment.embed(file.to_token_stream(), path, &mut self.read.files)?;
        let before = file;
        let mut file: syn::File = syn::parse2(tokens)
            .map_err(|error| ExportError::new(format!("{} cannot be rewritten: {error}", path.display())))?;
        if self.read.files.len() > files {
            let [before, after] = [&before, &file].map(|file| compact(file).chars().count());
            let embedded = after.saturating_sub(before);
            self.read.characters += embedded;
            self.read.code += embedded;
        }
        self.modules(&mut file.items, path, folder, path.parent().unwrap_or(Path::new(".")))?;
        Ok(file)
    }

    /// Reads the modules among these items. `beside` is the folder that `#[path]` begins from.
    fn modules(&mut self, items: &mut [Item], file: &Path, folder: &Path, beside: &Path) -> Result<(), ExportError> {
        for item in items {
            let Item::Mod(module) = item else { continue };
            let path = take_path(module);
            let name = module.ident.to_string();
            let name = name.trim_start_matches("r#");
            if let Some((_, items)) = &mut module.content {
                let inner = path.map_or_else(|| folder.join(name), |path| beside.join(path));
                self.modules(items, file, &inner, &inner)?;
                continue;
            }
            let (path, inner) = match path {
                Some(path) => {
                    let path = beside.join(path);
                    let inner = path.parent().map(Path::to_path_buf).unwrap_or_default();
                    (path, inner)
                }
                None => {
                    let [flat, nested] = [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")];
                    (if flat.is_file() { flat } else { nested }, folder.join(name))
                }
            };
            if !path.is_file() {
                return Err(ExportError::new(format!(
                    "the module {name} of {} has no file; write {}.rs",
                    file.display(),
                    folder.join(name).display()
                )));
            }
            let mut read = self.file(&path, &inner)?;
            module.attrs.append(&mut read.attrs);
            module.content = Some((syn::token::Brace::default(), read.items));
            module.semi = None;
        }
        Ok(())
    }
}

/// Takes the value of `#[path = ".."]` from a module.
fn take_path(module: &mut ItemMod) -> Option<String> {
    let at = module.attrs.iter().position(|attribute| attribute.path().is_ident("path"))?;
    match module.attrs.remove(at).meta {
        Meta::NameValue(pair) => match pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    }
}
