//! Programs that are source files: compiled as the judge of a contest does it, and kept for the next time.

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use boughs::checksum::Checksum;
use boughs::named_file::is_stream;

use crate::ArenaError;

/// The edition of Rust of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edition {
    /// Edition 2021.
    E2021,
    /// Edition 2024.
    E2024,
}

impl Edition {
    fn name(self) -> &'static str {
        match self {
            Edition::E2021 => "2021",
            Edition::E2024 => "2024",
        }
    }
}

/// Compiles a source file with `rustc -O`, unless the same compiler has compiled the same text before. Returns the path
/// of the compiled program. The compiler writes its errors to standard error.
pub(crate) fn compile(source: &Path, edition: Edition) -> Result<PathBuf, ArenaError> {
    let shown = source.display();
    let fault = |why: &dyn Display| {
        ArenaError::new(format!("'{shown}' cannot be read: {why}; name a source file that is there"))
    };
    if is_stream(source) {
        return Err(fault(&"it is no regular file"));
    }
    let text = fs::read(source).map_err(|error| fault(&error))?;
    let version = rustc().args(["--version", "--verbose"]).output().map_err(no_compiler)?;
    let mut checksum = Checksum::default();
    [edition.name().as_bytes(), &version.stdout, &text].iter().for_each(|bytes| checksum.add(bytes));
    let folder = kept_programs();
    let unwritable = |error: io::Error| {
        ArenaError::new(format!(
            "'{}' cannot be written: {error}; set XDG_CACHE_HOME to another folder",
            folder.display()
        ))
    };
    fs::create_dir_all(&folder).map_err(unwritable)?;
    let program = folder.join(format!("{:016x}", checksum.value()));
    if program.is_file() {
        return Ok(program);
    }
    // Another process may compile the same file at the same time, so the name is given to a whole program only.
    let unnamed = folder.join(format!("{:016x}-{}", checksum.value(), std::process::id()));
    let mut compile = rustc();
    compile.args(["-O", "--cap-lints", "allow", "--crate-name", "bot", "--edition", edition.name(), "-o"]);
    // The compiler itself writes its errors to standard error.
    if !compile.arg(&unnamed).arg(source).status().map_err(no_compiler)?.success() {
        return Err(ArenaError::new(format!("'{shown}' does not compile; correct the errors above")));
    }
    fs::rename(&unnamed, &program).map_err(unwritable)?;
    Ok(program)
}

fn rustc() -> Command {
    Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
}

fn no_compiler(error: io::Error) -> ArenaError {
    let compiler = rustc();
    let compiler = compiler.get_program().to_string_lossy();
    ArenaError::new(format!("'{compiler}' does not run: {error}; install Rust, or name a compiled program by cmd:"))
}

/// The folder of the user for what can be made again.
fn kept_programs() -> PathBuf {
    let folder = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let caches = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
    caches.unwrap_or_else(std::env::temp_dir).join("boughs").join("programs")
}
