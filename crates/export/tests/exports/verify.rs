//! A file is compared with its program: compiled as the judge does it, and asked what was recorded.

use std::path::{Path, PathBuf};

use boughs_export::verify::{Level, Player, Recording, Turns, Verified, compile, has_no_newer_calls, verify};
use boughs_export::{ExportError, Judge};
use tempfile::TempDir;

/// A bot of the plain lines. It answers with the legal move at the place of `CHOICE`.
const BOT: &str = r#"
use std::io::{stdin, stdout, Write};

fn main() {
    let mut legal = Vec::new();
    let mut asked: u32 = 0;
    for line in stdin().lines() {
        let line = line.unwrap();
        let mut words = line.split(' ');
        match words.next() {
            Some("ready") => println!("ready"),
            Some("legal") => legal = words.map(str::to_string).collect(),
            Some("go") => {
                asked += 1;
                println!("{} {asked} {:?}", legal[CHOICE % legal.len()],
                    (std::env::var("BUDGET"), std::env::args().nth(2)));
            }
            _ => {}
        }
        stdout().flush().unwrap();
    }
}
"#;

#[test]
fn a_file_that_plays_as_its_program_does_is_verified() {
    let verified = compared("asked as usize", "asked as usize").expect("equal answers");
    assert_eq!(verified, Verified { turns: Turns { optimised: 50, checked: 5 }, notes: String::new() });
}

#[test]
fn the_first_different_answer_is_named() {
    let error = compared("asked as usize", "(asked + asked / 13) as usize").expect_err("other answers").to_string();
    let says = "question 14 of game 1 (line 60 of the recording) is '7 13 (Ok(\"9\"), Some(\"5\"))', that of the \
        program '6 13 (";
    assert!(error.contains("compiled with -O") && error.contains(says), "{error}");
}

#[test]
fn an_overflow_is_found_by_the_compilation_with_checks() {
    let error = compared("0", "(asked.wrapping_sub(3) + 2) as usize * 0").expect_err("an overflow").to_string();
    assert!(
        error.contains("checked --iterations 5' ends with exit status: 101 instead of an answer (thread 'main'"),
        "{error}"
    );
    assert!(error.contains("attempt to add with overflow"), "{error}");
    assert!(error.contains("at question 2 of game 1 (line 12 of the recording)"), "{error}");
}

#[test]
fn a_warning_is_an_error_and_shown_as_the_compiler_gives_it() {
    let error = compared("0", "{ let unused = 0; 0 }").expect_err("a warning").to_string();
    assert!(error.contains("does not compile with -O:\nerror: unused variable: `unused`\n"), "{error}");
}

#[test]
fn places_where_the_editions_may_differ_are_noted() {
    let guarded = "{
        struct Guard(Option<usize>);
        impl Drop for Guard { fn drop(&mut self) { eprintln!(\"dropped\"); } }
        if let Some(first) = Guard(None).0.as_ref() { *first } else { 0 }
    }";
    let verified = compared("0", guarded).expect("equal answers");
    assert!(verified.notes.contains("`if let` assigns a shorter lifetime since Edition 2024"), "{verified:?}");
}

#[test]
fn calls_that_the_compiler_of_the_judge_lacks_are_named() {
    let folder = TempDir::new().expect("a folder");
    // What clippy calls an error by itself says nothing about the judge.
    let newer = "loop { break 0; } + legal.as_chunks::<2>().0.len() + usize::midpoint(1, 2)";
    let [file, plain] =
        [("newer.rs", newer), ("plain.rs", "7")].map(|(name, choice)| written(folder.path(), name, choice));
    match has_no_newer_calls(&file, Judge::CodinGame) {
        Ok(false) => return eprintln!("skipped: clippy does not run"),
        looked => {
            let error = looked.expect_err("newer calls").to_string();
            let says = "the judge's Rust 1.63 has no 'as_chunks' (line 15 of the file, stable since 1.88.0), no \
                'usize::midpoint' (line 15 of the file, stable since 1.85.0); write it with what Rust 1.63 has";
            assert_eq!(error, says);
        }
    }
    assert!(has_no_newer_calls(&plain, Judge::CodinGame).expect("older calls"));
    assert!(has_no_newer_calls(&file, Judge::AtCoder).expect("a new compiler"));
}

#[test]
fn a_program_that_does_not_start_is_named() {
    let folder = TempDir::new().expect("a folder");
    let file = written(folder.path(), "file.rs", "0");
    let player = Player { command: vec!["./no-such-bot".to_string()], environment: Vec::new() };
    let recording = Recording::of("connect4").expect("a recording");
    let error = verify(&file, Judge::CodinGame, &[], &player, &recording, Turns::default()).expect_err("no program");
    assert!(error.to_string().starts_with("'./no-such-bot' does not start: "), "{error}");
}

/// Verifies a file against a program that are the bot with these choices.
fn compared(program: &str, file: &str) -> Result<Verified, ExportError> {
    let folder = TempDir::new().expect("a folder");
    let [program, file] =
        [("program.rs", program), ("my-file.rs", file)].map(|(name, choice)| written(folder.path(), name, choice));
    let binary = folder.path().join("program");
    compile(&program, Judge::CodinGame, Level::Optimised, &binary).expect("a program");
    let environment = vec![("BUDGET".to_string(), "9".to_string())];
    let budget = ["--iterations".to_string(), "5".to_string()];
    let player = Player { command: [&[binary.display().to_string()], &budget[..]].concat(), environment };
    let recording = Recording::of("connect4").expect("a recording");
    verify(&file, Judge::CodinGame, &budget, &player, &recording, Turns::default())
}

fn written(folder: &Path, name: &str, choice: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, BOT.replace("CHOICE", &format!("({choice})"))).expect("a file");
    path
}
