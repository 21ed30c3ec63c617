//! Rules of the house that no compiler checks.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().expect("the workspace has a folder")
}

/// Every Rust file below a folder.
pub(crate) fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut waiting = vec![folder.to_path_buf()];
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

/// The lines of a program that are no comments.
pub(crate) fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// Every Rust file of the workspace, with its text.
fn all_sources() -> Vec<(PathBuf, String)> {
    let files = sources(&workspace());
    assert!(files.len() > 30, "the sources were found");
    let with_text = |file: PathBuf| {
        let text = std::fs::read_to_string(&file).expect("a source can be read");
        (file, text)
    };
    files.into_iter().map(with_text).collect()
}

/// The file that writes the word into files for judges, and uses nothing of that itself.
const WRITER: &str = "crates/export/src/wide.rs";
/// The one file that may use it: it asks for memory ahead of time, and reads nothing.
const PREFETCH: &str = "crates/core/src/prefetch.rs";

#[test]
fn nothing_is_unsafe_but_a_prefetch() {
    let (word, exempt) = (["uns", "afe"].concat(), ["allow(", "unsafe_code)"].concat());
    let mut prefetches = 0;
    for (file, text) in all_sources() {
        if file.ends_with(PREFETCH) {
            prefetches += 1;
            assert_eq!(text.matches(&format!("{word} {{")).count(), 1, "one block, one instruction");
            assert!(text.lines().count() < 30, "nothing else belongs there");
            continue;
        }
        // The lints of the workspace forbid it there as everywhere else.
        if file.ends_with(WRITER) {
            continue;
        }
        for line in code_lines(&text) {
            let uses =
                line.contains(&format!("{word} {{")) || line.contains(&format!("{word} fn")) || line.contains(&exempt);
            assert!(!uses, "{}: {line}", file.display());
        }
    }
    assert_eq!(prefetches, 1, "the prefetch was found");
}

#[test]
fn only_one_file_of_the_core_and_one_of_the_engine_read_a_clock() {
    let reads = ["Instant::", "now()"].concat();
    for house in ["crates/core/src", "crates/engine/src"] {
        let house = workspace().join(house);
        let readers: Vec<_> = all_sources()
            .into_iter()
            .filter(|(file, text)| file.starts_with(&house) && text.contains(&reads))
            .map(|(file, _)| file.file_name().expect("a file has a name").to_owned())
            .collect();
        assert_eq!(readers, ["clock.rs"]);
    }
}

/// Pages of prose: the README and the folder of documents, without the history of measurements.
fn pages() -> Vec<(PathBuf, String)> {
    let folder = workspace().join("docs");
    let documents = std::fs::read_dir(folder).expect("a folder can be read").flatten().map(|entry| entry.path());
    let prose = documents
        .filter(|path| path.is_file() && !path.ends_with("EXPERIMENTS.md"))
        .chain([workspace().join("README.md")]);
    prose.map(|path| (path.clone(), std::fs::read_to_string(path).expect("a page can be read"))).collect()
}

/// Returns true if a text has a word, at the beginning of a sentence or inside it. Names of constants are no words.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_letter(c)).any(|other| other.eq_ignore_ascii_case(word) && other.ends_with(char::is_lowercase))
}

#[test]
fn sentences_name_their_actors() {
    let riddles = [["who", "ever"], ["some", "body"], ["no", "body"], ["any", "body"], ["what", "ever"]]
        .map(|word| word.concat());
    let mut faults = Vec::new();
    let mut check = |file: &Path, number: usize, line: &str| {
        if riddles.iter().any(|word| has_word(line, word)) {
            faults.push(format!("{}:{number}: {}", file.display(), line.trim()));
        }
    };
    for (file, text) in all_sources() {
        let comments = text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//"));
        comments.for_each(|(number, line)| check(&file, number + 1, line));
    }
    for (file, text) in pages() {
        text.lines().enumerate().for_each(|(number, line)| check(&file, number + 1, line));
    }
    assert!(faults.is_empty(), "{} lines do not say who acts:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn doc_comments_begin_with_a_noun_or_a_verb() {
    let mut faults = Vec::new();
    for (file, text) in all_sources() {
        let mut in_doc = false;
        for (number, line) in text.lines().enumerate() {
            let doc = line.trim_start().strip_prefix("///").or_else(|| line.strip_prefix("//!"));
            let first = doc.filter(|_| !in_doc).and_then(|doc| doc.split_whitespace().next());
            if matches!(first, Some("What" | "Whether")) {
                faults.push(format!("{}:{}: {}", file.display(), number + 1, line.trim()));
            }
            in_doc = doc.is_some();
        }
    }
    assert!(faults.is_empty(), "{} doc comments begin with a riddle:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn no_line_is_longer_than_a_screen() {
    const COLUMNS: usize = 120;
    let long = |(file, text): (PathBuf, String)| {
        let too_long = text.lines().enumerate().filter(|(_, line)| line.chars().count() > COLUMNS);
        too_long.map(|(number, _)| format!("{}:{}", file.display(), number + 1)).collect::<Vec<_>>()
    };
    let faults: Vec<String> = all_sources().into_iter().chain(pages()).flat_map(long).collect();
    assert!(faults.is_empty(), "{} lines have more than {COLUMNS} columns:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn files_that_the_documents_name_exist() {
    let mut named = 0;
    for (page, text) in pages().into_iter().filter(|(page, _)| !page.ends_with("CHANGELOG.md")) {
        for span in text.split('`').skip(1).step_by(2) {
            let Some(path) = path_of(span) else { continue };
            named += 1;
            assert!(path.exists(), "{} names `{span}`, and there is no {}", page.display(), path.display());
        }
    }
    assert!(named > 60, "{named} paths were found");
}

/// The file that a code span names by its path in the repository, or in the search's folder, which documents shorten
/// to `mcts/`.
fn path_of(span: &str) -> Option<PathBuf> {
    const FOLDERS: [&str; 5] = ["crates/", "tests/", "benches/", "docs/", ".ci/"];
    if span.contains(char::is_whitespace) || span.contains('<') {
        return None;
    }
    match span.strip_prefix("mcts/") {
        Some(rest) => Some(workspace().join("crates/engine/src/mcts").join(rest)),
        None if FOLDERS.iter().any(|folder| span.starts_with(folder)) => Some(workspace().join(span)),
        None => None,
    }
}

/// The settings of profiles for the library's own crates, of a manifest: lines below `[profile.NAME.package.boughs-X]`.
fn own_profiles(manifest: &str) -> BTreeMap<String, Vec<String>> {
    let text = std::fs::read_to_string(workspace().join(manifest)).expect("a manifest can be read");
    let mut profiles = BTreeMap::<_, Vec<_>>::new();
    let mut now = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            now = Some(line).filter(|line| line.starts_with("[profile.") && line.contains(".package.boughs"));
        } else if let Some(name) = now
            && line.contains('=')
        {
            profiles.entry(name.to_owned()).or_default().push(line.to_owned());
        }
    }
    profiles
}

#[test]
fn the_python_package_optimises_what_the_program_optimises() {
    let (program, python) = (own_profiles("Cargo.toml"), own_profiles("crates/python/Cargo.toml"));
    let manifest = std::fs::read_to_string(workspace().join("crates/python/Cargo.lock")).expect("a lock can be read");
    let is_there = |profile: &str| {
        let name = profile.rsplit('.').next().unwrap_or_default().trim_end_matches(']');
        manifest.contains(&format!("name = \"{name}\"\n"))
    };
    let expected: BTreeMap<_, _> = program.into_iter().filter(|(profile, _)| is_there(profile)).collect();
    assert!(expected.len() > 4, "{expected:?}");
    assert_eq!(python, expected);
}
