//! Rules of the house that no compiler checks.

use std::path::{Path, PathBuf};

/// Every Rust file of the workspace.
fn sources() -> Vec<PathBuf> {
    let mut waiting = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    let mut files = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder can be read").flatten() {
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if path.is_dir() && !hidden && !path.ends_with("target") {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files
}

/// The one file that may: it asks for memory ahead of time, and reads nothing.
const PREFETCH: &str = "crates/engine/src/tree/prefetch.rs";

#[test]
fn nothing_is_unsafe_but_a_prefetch() {
    let files = sources();
    assert!(files.len() > 30, "the sources were found");
    let (word, exempt) = (["uns", "afe"].concat(), ["allow(", "unsafe_code)"].concat());
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        if file.ends_with(PREFETCH) {
            assert_eq!(text.matches(&format!("{word} {{")).count(), 1, "one block, one instruction");
            assert!(text.lines().count() < 30, "nothing else belongs there");
            continue;
        }
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            let uses =
                line.contains(&format!("{word} {{")) || line.contains(&format!("{word} fn")) || line.contains(&exempt);
            assert!(!uses, "{}: {line}", file.display());
        }
    }
}

#[test]
fn only_one_file_of_the_engine_reads_a_clock() {
    let engine = Path::new("crates/engine/src");
    let reads = ["Instant::", "now()"].concat();
    let readers: Vec<_> = sources()
        .into_iter()
        .filter(|file| file.to_string_lossy().contains(&*engine.to_string_lossy()))
        .filter(|file| std::fs::read_to_string(file).expect("a source can be read").contains(&reads))
        .map(|file| file.file_name().expect("a file has a name").to_owned())
        .collect();
    assert_eq!(readers, ["clock.rs"]);
}
