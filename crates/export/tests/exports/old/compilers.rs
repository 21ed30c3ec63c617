//! The compilers that the tests ask: the one that runs the tests, and Rust 1.63 where there is one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

/// Environment variable with the path of a rustc 1.63.
const OLD: &str = "BOUGHS_RUSTC_163";

/// The most time for a program, which needs none.
const PATIENCE: Duration = Duration::from_secs(20);

/// Compiles and runs a program as it is, and rewritten, by each compiler. Returns the rewritten program.
pub(crate) fn same_answers(program: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let before = run("rustc".as_ref(), "2024", program, folder.path());
    let rewritten = rewritten(program);
    assert!(!before.is_empty(), "the program says nothing");
    for compiler in [Some(PathBuf::from("rustc")), old_rustc()].into_iter().flatten() {
        assert_eq!(run(&compiler, "2021", &rewritten, folder.path()), before, "{}:\n{rewritten}", compiler.display());
    }
    rewritten
}

/// Rewrites a part of a program that need not run, and compares it with what it should become.
pub(crate) fn becomes(before: &str, after: &str) {
    let expected = syn::parse_file(after).expect("a program");
    assert_eq!(rewritten(before), prettyplease::unparse(&expected));
}

/// The text of a rewritten program.
pub(crate) fn rewritten(program: &str) -> String {
    let mut file = syn::parse_file(program).expect("a program");
    boughs_export::old::rewrite(&mut file);
    prettyplease::unparse(&file)
}

fn run(compiler: &Path, edition: &str, program: &str, folder: &Path) -> String {
    let (source, binary) = (folder.join("program.rs"), folder.join("program"));
    std::fs::write(&source, program).expect("a file");
    let mut command = Command::new(compiler);
    command.args(["-C", "overflow-checks=on", "-D", "warnings", "--edition", edition, "-o"]).arg(&binary).arg(&source);
    let compiled = command.output().expect("a compiler");
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{} --edition {edition}:\n{errors}\n{program}", compiler.display());
    let mut child = Command::new(&binary).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("a program");
    let begun = Instant::now();
    while child.try_wait().expect("a status").is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().expect("an end");
            panic!("the program does not end, perhaps because it waits for a lock that it holds:\n{program}");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let ran = child.wait_with_output().expect("a program");
    assert!(ran.status.success(), "{}:\n{program}", ran.status);
    String::from_utf8(ran.stdout).expect("text")
}

fn old_rustc() -> Option<PathBuf> {
    static SAID: Once = Once::new();
    let path = std::env::var_os(OLD).map(PathBuf::from);
    if path.is_none() {
        SAID.call_once(|| eprintln!("skipped: Rust 1.63; set {OLD} to the path of its rustc"));
    }
    path
}
