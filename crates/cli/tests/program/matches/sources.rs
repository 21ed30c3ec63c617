//! A side of a match may be a source file, which is compiled at the start.

use std::path::Path;

use assert_cmd::Command;
use tempfile::TempDir;

use crate::common::{boughs, json, ran};

/// A bot that plays the first legal move by the plain lines. Its let chain is of edition 2024.
const BOT: &str = r#"
fn main() {
    let (mut first, mut unused) = (String::new(), 0);
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        if let Some(legal) = line.strip_prefix("legal ") && let Some(next) = legal.split(' ').next() {
            first = next.to_string();
        }
        match line.as_str() {
            "ready" => println!("ready"),
            "go" => println!("{first}"),
            _ => {}
        }
    }
}
"#;

#[test]
fn a_source_file_is_compiled_once_and_plays() {
    let folder = TempDir::new().unwrap();
    let bot = written(folder.path(), BOT);
    let mut kept = Vec::new();
    for _ in 0..2 {
        let args = ["match", "tictactoe", &bot, "flat", "--iterations", "9", "--games", "2", "--json"];
        let played = json(&ran(within(&folder).args(args)).expect());
        assert_eq!(played["sides"][0]["faults"], serde_json::json!({}), "{played}");
        assert_ne!(played["sides"][0]["moves"], 0, "{played}");
        let programs = std::fs::read_dir(folder.path().join("boughs/programs")).unwrap();
        kept.extend(programs.map(|program| program.unwrap().metadata().unwrap().modified().unwrap()));
    }
    assert!(kept.len() == 2 && kept[0] == kept[1], "one program is compiled, and once: {kept:?}");
}

#[test]
fn the_errors_of_the_compiler_are_shown_as_it_gives_them() {
    let folder = TempDir::new().unwrap();
    let bot = written(folder.path(), "fn main() {\n    nothing();\n}\n");
    let refused = ran(within(&folder).args(["match", "tictactoe", &bot, "mcts"]));
    assert!(refused.err.starts_with("error[E0425]: cannot find function `nothing` in this scope\n"), "{refused:?}");
    assert!(refused.err.ends_with("bot.rs' does not compile; correct the errors above\n"), "{refused:?}");
    assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""));
}

#[test]
fn a_source_file_for_a_contest_is_of_the_edition_of_its_judge() {
    let folder = TempDir::new().unwrap();
    let bot = written(folder.path(), BOT);
    let refused = ran(within(&folder).args(["match", "photosynthesis", &bot, "greedy"]));
    assert!(refused.err.contains("let chains are only allowed in Rust 2024"), "{refused:?}");
    let bot = written(
        folder.path(),
        "fn main() { if let Some(n) = Some(1) && n == 1 { for _ in 0..100 { println!(\"F\"); } } }",
    );
    let judged = ran(within(&folder).args(["judge", "ahc015", "--cmd", &bot, "--seeds", "0..1", "--json"]));
    // It compiles, and then does what no case is played by.
    assert_eq!(judged.code, Some(1), "{judged:?}");
}

#[test]
fn a_missing_source_file_or_compiler_is_named() {
    let folder = TempDir::new().unwrap();
    let refused = ran(within(&folder).args(["match", "tictactoe", "rs:no-such-bot.rs", "mcts"])).expect_failure(2);
    assert!(refused.contains("'no-such-bot.rs' cannot be read") && refused.contains("name a source file"), "{refused}");
    let bot = written(folder.path(), BOT);
    let refused = ran(within(&folder).env("RUSTC", "no-such-rustc").args(["match", "tictactoe", &bot, "mcts"]));
    assert!(refused.err.contains("'no-such-rustc' does not run"), "{refused:?}");
}

/// The program, which keeps compiled programs in this folder.
fn within(folder: &TempDir) -> Command {
    let mut command = boughs();
    command.env("XDG_CACHE_HOME", folder.path());
    command
}

/// Writes a source file and names it as a side.
fn written(folder: &Path, text: &str) -> String {
    let path = folder.join("bot.rs");
    std::fs::write(&path, text).unwrap();
    format!("rs:{}", path.display())
}
