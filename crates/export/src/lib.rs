//! The crate of a bot as one source file, which the judge of a contest compiles as it is. The program `boughs-export`
//! writes it, for which `boughs export` is another name. It is installed in the folder of Boughs:
//!
//! ```sh
//! cargo install --locked --path crates/export
//! ```
//!
//! Each step is a module: [`sources`] reads the crates that have to travel, `agent` sets the agent of `main` if the
//! user names one, [`merge`] makes one file of them, [`flatten`] moves every item to its root, [`prune`] removes what
//! the program does not reach, [`single`] the traits that one type implements, [`old`] rewrites what an old compiler
//! does not take, [`imports`] and [`shorten`] make names short, [`print`](mod@print) writes the rest in little space,
//! and [`verify`] compares the file with the program. [`Watch`] makes quick files of a program that changes.

mod agent;
mod arguments;
mod asserts;
mod dropped;
mod expand;
pub mod fault;
pub mod flatten;
mod fold;
mod header;
pub mod imports;
pub mod merge;
mod merged;
mod numbers;
pub mod old;
mod prefetch;
pub mod print;
mod process;
pub mod prune;
mod quick;
mod shelf;
pub mod shorten;
pub mod single;
mod sizes;
pub mod sources;
mod tree;
pub mod verify;
mod visit;
mod visit_mut;
mod watch;
mod wide;
mod without_fields;
mod words;

pub use fault::ExportError;
pub use process::stop;
pub use sizes::sizes;
pub use watch::{Program, Watch};

use std::path::{Path, PathBuf};

pub use prune::Learned;

use fault::Source;
use merged::Merged;
use prune::compiler::Compiler;
use prune::own_names;
use shelf::Shelf;

/// A program and the file that is made of it.
pub struct Request<'a> {
    /// The folder of the crate.
    pub folder: &'a Path,
    /// The name of the binary, where the crate has several.
    pub bin: Option<&'a str>,
    /// The agent with the settings that `main` is to have, as `Debug` writes it; `None` leaves those of `main`.
    pub agent: Option<&'a str>,
    /// The judge that compiles the file.
    pub judge: Judge,
    /// The work on the length of the file.
    pub minify: Minify,
}

/// A file for a judge.
#[derive(Clone)]
pub struct Export {
    /// The text of the file.
    pub text: String,
    /// The characters of the file.
    pub characters: usize,
    /// The characters of all files that were read.
    pub before: usize,
    /// The characters that were removed, by what they were. What was rewritten may take more.
    pub pruned: Vec<(&'static str, isize)>,
    /// The parts that take the most room, the largest first.
    pub parts: Vec<(String, usize)>,
    /// True if names are shortened.
    pub is_short: bool,
    /// True if all went that the compiler finds unused; false for a quick file.
    pub is_complete: bool,
    /// Every file that was read.
    pub files: Vec<PathBuf>,
    /// The text of the code that the file was made of.
    source: String,
}

/// Makes the file. `learned` shortens the work when the file is made again.
///
/// # Errors
/// One sentence. The compiler's first error about the crate follows in its own words, if it does not compile.
pub fn export(
    request: &Request<'_>,
    learned: &mut Learned,
    stage: &mut dyn FnMut(&str),
) -> Result<Export, ExportError> {
    let made = made(request, learned, stage);
    if made.as_ref().is_err_and(|error| error.source == Source::Merged) {
        stage("asking cargo for the errors of the crate");
        verify::check(request.folder, request.bin)?;
    }
    made
}

fn made(request: &Request<'_>, learned: &mut Learned, stage: &mut dyn FnMut(&str)) -> Result<Export, ExportError> {
    stage("reading the crates");
    let merged = Merged::read(request, &mut Shelf::default())?;
    stage("removing what main does not reach");
    // What is removed is seen by the compiler of the newest edition, in which the crates are written.
    let mut compiler = Compiler::new(Judge::AtCoder.edition())?;
    let mut file = prune::prune_with_own_names(merged.file.clone(), &compiler, learned)?;
    if request.judge == Judge::CodinGame {
        stage("rewriting for Rust 1.63");
        file = for_old_rust(file);
        compiler = Compiler::new(request.judge.edition())?;
        file = prune::tidy(file, &compiler, learned)?;
    }
    file = prune::without_field_warnings(file, &compiler)?;
    merged.check_numbers(&file, &compiler)?;
    let with_own_names = file.clone();
    file = own_names::take_back(file)?;
    imports::import(&mut file);
    merged.export(request, &file, |constants| {
        stage("shortening names");
        learned.names.extend(constants);
        shorten::shorten_with(with_own_names, &compiler, &mut learned.names)
    })
}

/// Rewrites a file for the compiler of CodinGame.
fn for_old_rust(mut file: syn::File) -> syn::File {
    old::rewrite(&mut file);
    expand::expand(&mut file.items);
    flatten::flatten(file)
}

/// The work on the length of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Minify {
    /// Names are shortened if the file is too long otherwise.
    Auto,
    /// The file is laid out as programmers do it.
    Off,
    /// Names are shortened.
    Full,
}

/// The judge that compiles the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judge {
    /// 100,000 characters, edition 2021, as Rust 1.63 takes it.
    CodinGame,
    /// 512 KiB, edition 2024.
    AtCoder,
}

impl Judge {
    /// The most characters of a file.
    pub fn limit(self) -> usize {
        match self {
            Judge::CodinGame => 100_000,
            Judge::AtCoder => 512 * 1024,
        }
    }

    /// The edition of the file, as rustc is told.
    pub fn edition(self) -> &'static str {
        match self {
            Judge::CodinGame => "2021",
            Judge::AtCoder => "2024",
        }
    }
}
