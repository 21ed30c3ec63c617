//! The crates of a program as one flat file, and the facts about it that its user is told.

use std::path::{Path, PathBuf};

use crate::fault::ExportError;
use crate::header::Header;
use crate::prune::compiler::Compiler;
use crate::shelf::Shelf;
use crate::sizes::{Room, sizes};
use crate::sources::Read;
use crate::{Export, Judge, Minify, Request, agent, asserts, flatten, merge, numbers, print, shorten, sources};

/// The number of parts that are told.
const TOLD: usize = 10;

/// The crates of a program as one file without modules, of which nothing is removed yet but assertions.
pub(crate) struct Merged {
    pub(crate) file: syn::File,
    header: Header,
    judge: Judge,
    files: Vec<PathBuf>,
    /// The characters of all files that were read.
    before: usize,
    room: Room,
    pruned: Vec<(&'static str, isize)>,
}

impl Merged {
    /// Reads the crates.
    pub(crate) fn read(request: &Request<'_>, shelf: &mut Shelf) -> Result<Merged, ExportError> {
        let mut sources = sources::read_with(request.folder, request.bin, shelf)?;
        if let Some(agent) = request.agent {
            agent::fix(&mut sources.program.file, agent)?;
        }
        let Read { files, characters: before, code } = sources.read.clone();
        files.iter().try_for_each(|file| check_room(file, request.judge))?;
        let header = sources.header.clone();
        let mut file = flatten::flatten(merge::merge_with(sources, shelf)?);
        asserts::remove(&mut file);
        let room = Room::of(&file);
        let pruned = vec![
            ("comments, documentation and white space", gone(before, code)),
            ("tests, features that are off, and paths", gone(code, room.total())),
        ];
        Ok(Merged { file, header, judge: request.judge, files, before, room, pruned })
    }

    /// The complete file of the same code, if comments and white space alone have changed since it was made.
    pub(crate) fn unchanged(&self, complete: &Export) -> Option<Export> {
        let (files, before, pruned) = (self.files.clone(), self.before, complete.pruned.clone());
        (self.text() == complete.source).then(|| Export { files, before, pruned, ..complete.clone() })
    }

    /// Refuses a file in which a variant has lost the number that a cast reads.
    pub(crate) fn check_numbers(&self, file: &syn::File, compiler: &Compiler) -> Result<(), ExportError> {
        numbers::check(&self.file, file, &self.files, compiler)
    }

    /// The text of all code, below the documentation that goes into the file.
    fn text(&self) -> String {
        self.header.print(&self.file, self.judge, print::compact)
    }

    /// Prints what was made of the file, with the names that `shorten` gives where they are asked for or needed. It is
    /// given the names of constants that stay.
    pub(crate) fn export(
        &self,
        request: &Request<'_>,
        file: &syn::File,
        shorten: impl FnOnce(Vec<String>) -> Result<syn::File, ExportError>,
    ) -> Result<Export, ExportError> {
        let Merged { header, files, before, room, .. } = self;
        let mut pruned = self.pruned.clone();
        let Request { judge, minify, .. } = *request;
        pruned.extend(room.less(&Room::of(file)));
        let mut parts = sizes(file);
        parts.truncate(TOLD);
        let mut text = match minify {
            Minify::Off => header.print(file, judge, print::pretty),
            Minify::Auto | Minify::Full => header.print(file, judge, print::compact),
        };
        let is_large = |text: &str| text.chars().count() > judge.limit();
        let is_short = minify == Minify::Full || minify == Minify::Auto && is_large(&text);
        if is_short {
            let short = shorten(header.names().map(shorten::kept_constant).collect())?;
            let long = text.chars().count();
            text = header.print(&short, judge, print::compact);
            pruned.push(("long names", gone(long, text.chars().count())));
        }
        let characters = text.chars().count();
        if is_large(&text) {
            let largest: Vec<String> = parts.iter().map(|(name, size)| format!("{name} {size}")).collect();
            let (cure, before) = match minify {
                Minify::Off => ("shorten names by --minify auto", ""),
                Minify::Auto | Minify::Full => ("make it shorter", ", before names are shortened,"),
            };
            return Err(ExportError::new(format!(
                "the file has {characters} characters and the judge takes {}; {cure}; the largest \
                 parts{before} are {}",
                judge.limit(),
                largest.join(", ")
            )));
        }
        let (before, files, source) = (*before, files.clone(), self.text());
        Ok(Export { characters, text, before, pruned, parts, is_short, is_complete: true, files, source })
    }
}

/// The characters that a step takes away, below 0 if it adds some.
fn gone(before: usize, after: usize) -> isize {
    before as isize - after as isize
}

/// Refuses a file of data, as `include_bytes!` takes in, that alone has more bytes than the judge takes characters.
fn check_room(file: &Path, judge: Judge) -> Result<(), ExportError> {
    let is_code = file.extension().is_some_and(|extension| extension == "rs" || extension == "toml");
    let bytes = if is_code { 0 } else { file.metadata().map_or(0, |facts| facts.len()) };
    if bytes <= judge.limit() as u64 {
        return Ok(());
    }
    Err(ExportError::new(format!(
        "{} has {bytes} bytes, and a file for the judge has room for {} characters; take in less",
        file.display(),
        judge.limit()
    )))
}
