//! Programs of the tests.

use std::fs;
use std::process::Command;

use boughs_export::print::compact;
use boughs_export::{Judge, Learned, prune};

/// Compiles a source, in which items may be unused, and returns what it prints.
pub(crate) fn answers(text: &str) -> String {
    printed(text, &["--edition", "2024", "-A", "dead_code"])
}

/// Compiles a file alone and returns what it prints. Warnings are errors.
pub(crate) fn printed(text: &str, flags: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let (source, program) = (folder.path().join("one.rs"), folder.path().join("one"));
    fs::write(&source, text).expect("a file can be written");
    let compiled = Command::new("rustc")
        .args(["-D", "warnings"])
        .args(flags)
        .arg("-o")
        .args([&program, &source])
        .output()
        .expect("rustc runs");
    assert!(compiled.status.success(), "{text}\n{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(program).output().expect("the file runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Prunes a source, compares what it prints, and returns its text.
pub(crate) fn pruned(source: &str) -> String {
    let file = syn::parse_file(source).expect("a source");
    let pruned = prune::prune(file, Judge::AtCoder.edition(), &mut Learned::default());
    let text = compact(&pruned.expect("a source that compiles"));
    assert_eq!(answers(source), answers(&text), "{text}");
    text
}
