//! A watched program gets a quick file after a change, and then a complete one.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use boughs_export::{Export, ExportError, Judge, Learned, Minify, Program, Watch, export};

use super::common::printed;
use super::one_file::{DEPENDENCY, PROGRAM, fixture};

/// The most time for a file.
const LIMIT: Duration = Duration::from_secs(120);

fn program(folder: &Path, minify: Minify) -> Program {
    Program { folder: folder.to_path_buf(), bin: None, agent: None, judge: Judge::CodinGame, minify }
}

fn complete(watch: &mut Watch) -> Result<Export, ExportError> {
    let since = Instant::now();
    while since.elapsed() < LIMIT {
        match watch.complete(&mut |_| ()) {
            Some(made) => return made,
            None => thread::sleep(Duration::from_millis(20)),
        }
    }
    panic!("no file after {LIMIT:?}");
}

/// Waits until changes of a program have quick files.
fn learned(program: &Program) -> Watch {
    let mut watch = Watch::new(program.clone());
    assert!(complete(&mut watch).expect("a complete file").is_complete);
    let since = Instant::now();
    while !watch.is_quick() && since.elapsed() < LIMIT {
        assert!(watch.complete(&mut |_| ()).is_none(), "one file for one order");
        thread::sleep(Duration::from_millis(20));
    }
    assert!(watch.is_quick(), "nothing was learned after {LIMIT:?}");
    watch
}

fn change(folder: &Path, old: &str, new: &str) {
    let path = folder.join("src/main.rs");
    let text = fs::read_to_string(&path).expect("a program");
    assert!(text.contains(old), "{old}");
    fs::write(&path, text.replacen(old, new, 1)).expect("a file can be written");
}

/// Compiles a file, in which more may be unused than in a complete one, and returns what it prints.
fn answers(text: &str) -> String {
    printed(text, &["--edition", "2021", "--cap-lints", "allow"])
}

fn answers_from_nothing(program: &Program) -> String {
    let made = export(&program.request(), &mut Learned::default(), &mut |_| ()).expect("a file");
    answers(&made.text)
}

#[test]
fn a_quick_file_answers_as_the_changed_program_does() {
    for minify in [Minify::Full, Minify::Auto] {
        let folder = fixture(DEPENDENCY, PROGRAM);
        let bot = folder.path().join("bot");
        let program = program(&bot, minify);
        let mut watch = learned(&program);
        let mut before = answers_from_nothing(&program);
        // A constant alone; then what was gone comes back: a variant, a method, a field, a constant of a pattern.
        for (old, new) in [
            ("let code = 5u8;", "let code = 4u8;"),
            ("let code = 4u8", "println!(\"{}\", rules::unused::Gone(8)); let code = 4u8"),
            ("let code = 4u8", "println!(\"{} {}\", rules::Kind::Never { x: 6 }.cost(), board.note()); let code = 4u8"),
            ("let code = 4u8", "println!(\"{}\", board.name()); let code = 4u8"),
            ("match code { LOW", "match code { rules::unused::MAGIC => println!(\"magic\"), LOW"),
        ] {
            change(&bot, old, new);
            let quick = watch.change(&mut |_| ()).expect(new).expect(new);
            assert!(!quick.is_complete);
            let expected = answers_from_nothing(&program);
            assert_eq!(answers(&quick.text), expected, "{new}\n{}", quick.text);
            if new == "let code = 4u8;" {
                assert_ne!(expected, before, "the change is one of the answers");
            }
            before = expected;
        }
        let last = complete(&mut watch).expect("a complete file");
        assert!(last.is_complete);
        assert_eq!(answers(&last.text), before);
    }
}

#[test]
fn a_change_of_white_space_has_the_complete_file_at_once() {
    let folder = fixture(DEPENDENCY, PROGRAM);
    let bot = folder.path().join("bot");
    let program = program(&bot, Minify::Full);
    let mut watch = learned(&program);
    change(&bot, "let code", "\n\n    // A remark.\n    let code");
    let same = watch.change(&mut |_| ()).expect("a file").expect("a program that compiles");
    assert!(same.is_complete);
    let nothing = export(&program.request(), &mut Learned::default(), &mut |_| ()).expect("a file");
    assert_eq!((same.text, same.before), (nothing.text, nothing.before));
}

#[test]
fn a_change_without_a_quick_file_ends_in_a_right_complete_one() {
    let folder = fixture(DEPENDENCY, PROGRAM);
    let bot = folder.path().join("bot");
    let program = program(&bot, Minify::Full);
    // A change before anything is learned.
    let mut watch = Watch::new(program.clone());
    change(&bot, "let code = 5u8;", "let code = 4u8;");
    assert!(watch.change(&mut |_| ()).is_none());
    let made = complete(&mut watch).expect("a complete file");
    assert_eq!(answers(&made.text), answers_from_nothing(&program));
}

#[test]
fn an_error_of_the_crate_is_told_before_a_complete_file_is_tried() {
    let folder = fixture(DEPENDENCY, PROGRAM);
    let bot = folder.path().join("bot");
    let program = program(&bot, Minify::Full);
    let mut watch = learned(&program);
    // The complete file of this change is being made when the next one comes.
    change(&bot, "let code = 5u8;", "let code = 4u8;");
    assert!(watch.change(&mut |_| ()).expect("a quick file").is_ok());
    for (old, new) in [("let code = 4u8", "let code: u8 = missing();let code = 4u8"), ("missing()", "\"text\"")] {
        change(&bot, old, new);
        let error = watch.change(&mut |_| ()).expect("a fault").err().expect("a fault").to_string();
        assert!(error.starts_with("the crate does not compile; ") && error.contains("src/main.rs"), "{error}");
        thread::sleep(Duration::from_millis(500));
        assert!(watch.complete(&mut |_| ()).is_none(), "no complete file is tried");
    }
    change(&bot, "\"text\"", "3");
    let quick = watch.change(&mut |_| ()).expect("a quick file").expect("a program that compiles");
    let made = complete(&mut watch).expect("a complete file");
    let expected = answers_from_nothing(&program);
    assert_eq!([answers(&quick.text), answers(&made.text)], [expected.clone(), expected]);
}
