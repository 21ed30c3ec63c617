//! Fixture crates, each written as one file that compiles alone without a warning and answers as the crate does.

use std::fs;
use std::path::Path;

use boughs_export::{Judge, Learned, Minify, Request, export};
use tempfile::TempDir;

use crate::common::printed;

const LIBRARY: &str = r##"
mod board;
pub mod unused {
    pub const MAGIC: u8 = 99;
    pub struct Gone(pub u8);
    impl std::fmt::Display for Gone {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "{}", self.0) }
    }
}
pub use board::{Board, Cell};
use std::fmt;
/// Doubles.
#[macro_export]
macro_rules! double { ($x:expr) => { $crate::twice($x) }; }
macro_rules! constants { ($($name:ident = $value:literal),*) => { $(pub const $name: u32 = $value;)* }; }
constants!(FIRST = 1, SECOND = 2);
pub fn twice(x: u32) -> u32 { x * 2 }
pub trait Shape { fn area(&self) -> u32; fn name(&self) -> String { "shape".into() } }
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind { Small, Large, Never { x: u32 } }
impl Kind {
    pub fn cost(self) -> u32 {
        match self { Kind::Small => FIRST, Kind::Large => crate::twice(4), Kind::Never { x } => x }
    }
}
impl fmt::Display for Kind { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.write_str("kind") } }
#[cfg(test)]
mod tests { #[test] fn nothing() {} }
"##;

const BOARD: &str = r#"
use super::Shape;
use crate::Kind;
pub struct Board { pub cells: Vec<Cell>, note: &'static str, width: u32 }
#[derive(Clone, Debug)]
pub struct Cell { pub kind: Kind }
const LIMIT: u32 = 7;
impl Board {
    pub fn new(width: u32) -> Board {
        let cells = vec![Cell { kind: Kind::Small }, Cell { kind: Kind::Large }];
        Board { cells, note: "x", width }
    }
    pub fn iter(&self) -> u8 { crate::unused::MAGIC }
    pub fn note(&self) -> &'static str { self.note }
    pub fn limit(&self) -> String { format!("{LIMIT}") }
}
impl Shape for Board {
    fn area(&self) -> u32 { self.cells.iter().map(|cell| cell.kind.cost()).sum::<u32>() * self.width }
}
"#;

pub(crate) const PROGRAM: &str = r#"
mod deep;
use rules::{Board, Shape, double};
const LIMIT: u32 = 9;
fn main() {
    let board = Board::new(deep::size::SIZE);
    let text = "a\"b // no comment";
    println!("{} {} {text:?} {LIMIT} {}", board.area(), rules::double!(double!(3)), board.limit());
    for cell in &board.cells {
        println!("{}", matches!(cell.kind, rules::Kind::Small));
    }
    let code = 5u8;
    let mut last = 0;
    for number in 0..code { if number > 3 { last = number; break; } }
    let name = std::env::args().nth(1).unwrap_or_else(|| "there".into());
    match name.as_str() { "here" => println!("here"), THERE => println!("there"), "none" => {}, _ => {} }
    match code { LOW..HIGH => println!("low"), HIGH.. => println!("high"), _ => println!("none") }
    let _ = (1 .. 2, 3 & &4, if cfg!(debug_assertions) { 1 } else { 2 });
}
const THERE: &str = "there";
const LOW: u8 = 2;
const HIGH: u8 = 5;
"#;

/// A bot's crate with a library, in a folder of its own.
pub(crate) fn fixture(manifest: &str, program: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
        fs::write(path, text).expect("a file can be written");
    };
    let package = |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    write("bot/Cargo.toml", &format!("{}{manifest}\n[workspace]\n", package("bot")));
    write("bot/src/main.rs", program);
    write("bot/src/deep/mod.rs", "pub mod size;");
    write("bot/src/deep/size.rs", "pub const SIZE: u32 = 3; pub const OTHER: u32 = 4;");
    write("rules/Cargo.toml", &package("rules"));
    write("rules/src/lib.rs", LIBRARY);
    write("rules/src/board.rs", BOARD);
    write("macros/Cargo.toml", &format!("{}[lib]\nproc-macro = true\n", package("macros")));
    write("macros/src/lib.rs", "");
    folder
}

pub(crate) const DEPENDENCY: &str = "[dependencies]\nrules = { path = \"../rules\" }";

fn exported(folder: &Path, judge: Judge, minify: Minify) -> Result<String, String> {
    let request = Request { folder: &folder.join("bot"), bin: None, agent: None, judge, minify };
    let made = export(&request, &mut Learned::default(), &mut |_| {});
    made.map(|made| made.text).map_err(|error| error.to_string())
}

const ANSWERS: &str = "27 12 \"a\\\"b // no comment\" 9 7\ntrue\nfalse\nthere\nhigh\n";

#[test]
fn a_crate_and_its_library_become_one_file_that_answers_the_same() {
    let folder = fixture(DEPENDENCY, PROGRAM);
    for judge in [Judge::AtCoder, Judge::CodinGame] {
        for minify in [Minify::Off, Minify::Auto, Minify::Full] {
            let text = exported(folder.path(), judge, minify).expect("the crate is exported");
            assert_eq!(printed(&text, &["--edition", judge.edition()]), ANSWERS, "{judge:?} {minify:?}");
            for gone in ["Gone", "Never", "OTHER", "SECOND", "note", "Hash", "\"kind\"", "doc"] {
                assert!(!text.contains(gone), "{gone} is still there: {text}");
            }
            assert_eq!(text.contains("allow"), minify == Minify::Full, "{text}");
        }
    }
}

#[test]
fn the_file_begins_with_its_name_and_the_documented_constants_of_the_program() {
    let program = r#"
    use std::time::Duration;
    fn main() { println!("{:?} {UNTOLD} {}", TIME - LEAST_MARGIN, limit::LIMIT); }
    /// The time of an answer.
    const TIME: Duration = Duration::from_millis(50);
    /// The least margin.
    ///
    /// Raise it if the judge calls an answer late.
    const LEAST_MARGIN: Duration = Duration::from_millis(8);
    const UNTOLD: u8 = 4;
    mod limit {
        /// The limit.
        pub const LIMIT: u8 = 5;
    }
    "#;
    let folder = fixture("", program);
    for judge in [Judge::AtCoder, Judge::CodinGame] {
        for minify in [Minify::Off, Minify::Auto, Minify::Full] {
            let text = exported(folder.path(), judge, minify).expect("the crate is exported");
            assert_eq!(printed(&text, &["--edition", judge.edition()]), "42ms 4 5\n");
            let (first, rest) = text.split_once('\n').expect("a line");
            let command = format!("rustc -O --edition {}", judge.edition());
            assert_eq!(first, format!("// bot, written by boughs export; {command} compiles it"));
            let (head, code) = rest.split_once("fn ").expect("a function");
            let lines =
                ["// The time of an answer.", "// The least margin.", "// Raise it if the judge calls an answer late."];
            assert!(lines.iter().all(|line| head.lines().any(|own| own == *line)), "{text}");
            assert!(head.contains("const TIME") && head.contains("const LEAST_MARGIN"), "{text}");
            assert!(!text.contains("// The limit") && !code.contains("//"), "{text}");
        }
    }
}

#[test]
fn what_multiversion_compiles_for_newer_processors_is_one_checked_call() {
    let program = r#"
    #[cfg_attr(feature = "crates", multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2+bmi1")))]
    fn total(mut sum: u32, numbers: &[u32]) -> u32 { for number in numbers { sum += number; } sum }
    fn main() { println!("{}", total(3, &[4, 5, 6])); println!("{}", total(4, &[7])); }
    "#;
    let folder = fixture("", program);
    for judge in [Judge::AtCoder, Judge::CodinGame] {
        for minify in [Minify::Off, Minify::Full] {
            let text = exported(folder.path(), judge, minify).expect("the crate is exported");
            assert_eq!(printed(&text, &["--edition", judge.edition()]), "18\n11\n");
            assert_eq!(text.replace(' ', "").matches("unsafe{").count(), 1, "{text}");
            let (before, call) = text.split_once("fn ").expect("a function");
            let reason = before.lines().any(|line| line.starts_with("// SAFETY: ")) || call.contains("\n// SAFETY: ");
            assert!(reason && text.contains("avx2,bmi1") && !text.contains("avx512"), "{text}");
        }
    }
}

#[test]
fn shortened_names_take_less_room() {
    let folder = fixture(DEPENDENCY, PROGRAM);
    let size = |minify| exported(folder.path(), Judge::AtCoder, minify).expect("the crate is exported").len();
    let (off, auto, full) = (size(Minify::Off), size(Minify::Auto), size(Minify::Full));
    assert!(off > auto && auto > full, "{off} {auto} {full}");
}

#[test]
fn a_crate_that_cannot_be_exported_is_told_in_one_sentence() {
    let fault = |manifest: &str, program: &str| {
        let folder = fixture(manifest, program);
        exported(folder.path(), Judge::CodinGame, Minify::Auto).expect_err("the crate cannot be exported")
    };
    let macros = fault("[dependencies]\nmacros = { path = \"../macros\" }", "fn main() {}");
    assert!(macros.starts_with("the crate bot depends on the procedural macros of macros"), "{macros}");
    let folder = fixture("", "fn main() {}");
    fs::write(folder.path().join("bot/build.rs"), "fn main() {}").expect("a file can be written");
    let script = exported(folder.path(), Judge::CodinGame, Minify::Auto).expect_err("a build script");
    assert!(script.starts_with("the crate bot has a build script"), "{script}");
    let folder =
        fixture("", "const DATA: &[u8] = include_bytes!(\"data\"); fn main() { println!(\"{}\", DATA.len()); }");
    fs::write(folder.path().join("bot/src/data"), vec![7; 500_000]).expect("a file can be written");
    let large = exported(folder.path(), Judge::CodinGame, Minify::Auto).expect_err("a large file");
    assert!(large.contains("has 500000 bytes"), "{large}");
    fs::write(folder.path().join("bot/src/data"), vec![7; 150_000]).expect("a file can be written");
    let large = exported(folder.path(), Judge::CodinGame, Minify::Auto).expect_err("a file larger than the judge's");
    assert!(large.contains("src/data has 150000 bytes, and a file for the judge has room for 100000"), "{large}");
    let numbered = fault(
        "",
        "#[derive(Clone, Copy, PartialEq)]\nenum Side { Left, Right, None }\n\
         fn main() { let side = if std::env::args().count() > 5 { Side::Right } else { Side::None };\n\
         println!(\"{} {}\", side == Side::Left, side as u8); }",
    );
    assert!(numbered.contains("bot/src/main.rs:2: the enum Side is cast to a number, as in side as u8"), "{numbered}");
    let included = fault("", "include!(\"other.rs\"); fn main() {}");
    assert!(included.contains("main.rs takes in the code of other.rs by include!"), "{included}");
    let words = "word ".repeat(30_000);
    let long = fault("", &format!("fn main() {{ println!(\"{words}\"); }}"));
    assert!(
        long.contains("the judge takes 100000; make it shorter; the largest parts") && long.contains("main 150"),
        "{long}"
    );
    let broken = fault("", "fn main() { let x = ; }");
    assert!(broken.contains("main.rs:1:21 is no Rust"), "{broken}");
    let request =
        Request { folder: folder.path(), bin: None, agent: None, judge: Judge::CodinGame, minify: Minify::Auto };
    let none = export(&request, &mut Learned::default(), &mut |_| {}).err().map(|error| error.to_string());
    assert!(none.is_some_and(|none| none.contains("has no Cargo.toml")));
    let folder = fixture("", "fn main() {}");
    let bot = folder.path().join("bot");
    let request =
        Request { folder: &bot, bin: Some("other"), agent: None, judge: Judge::CodinGame, minify: Minify::Auto };
    let missing = export(&request, &mut Learned::default(), &mut |_| {}).err().map(|error| error.to_string());
    assert_eq!(missing.as_deref(), Some("the crate bot has no binary 'other'; its binaries are bot"));
    fs::remove_file(bot.join("src/main.rs")).expect("a file can be removed");
    fs::write(bot.join("src/lib.rs"), "").expect("a file can be written");
    let none = exported(folder.path(), Judge::CodinGame, Minify::Auto).expect_err("a library");
    assert_eq!(none, "the crate bot has no binary; write its src/main.rs");
}

#[test]
fn variables_of_threads_keep_apart_where_modules_share_their_names() {
    let program = r#"
        mod first {
            pub const LAST: u32 = 7;
            thread_local! { pub static LIST: std::cell::Cell<u32> = const { std::cell::Cell::new(LAST) } }
        }
        mod second {
            thread_local! {
                static LIST: std::cell::Cell<u32> = const { std::cell::Cell::new(20) };
                pub static LAST: std::cell::RefCell<Vec<u32>> = const { std::cell::RefCell::new(Vec::new()) };
            }
            pub fn add() -> u32 { LIST.with(|list| list.replace(list.get() + 1)) }
        }
        use second::LAST;
        fn main() {
            LAST.with(|last| last.borrow_mut().push(first::LAST + second::add()));
            let list = first::LIST.with(std::cell::Cell::get);
            println!("{list} {} {:?}", second::add(), LAST.with(|last| last.borrow().clone()));
        }"#;
    let folder = fixture("", program);
    for minify in [Minify::Off, Minify::Full] {
        let text = exported(folder.path(), Judge::AtCoder, minify).expect("the crate is exported");
        assert_eq!(printed(&text, &["--edition", "2024"]), "7 21 [27]\n", "{text}");
    }
}

#[test]
fn a_file_written_anew_after_a_change_answers_as_one_written_from_nothing() {
    let folder = fixture(DEPENDENCY, PROGRAM);
    let bot = folder.path().join("bot");
    let mut learned = Learned::default();
    let write = |learned: &mut Learned| {
        let request = Request { folder: &bot, bin: None, agent: None, judge: Judge::CodinGame, minify: Minify::Full };
        export(&request, learned, &mut |_| {}).expect("the crate is exported").text
    };
    let first = write(&mut learned);
    assert_eq!(first, write(&mut learned), "without a change");
    // What was gone comes back: a function, a type with an implementation, a variant, a field, a constant of a pattern.
    for (old, new) in [
        ("let code = 5u8;", "let code = 4u8 + 2;"),
        ("match code { LOW", "match code { rules::unused::MAGIC => println!(\"magic\"), LOW"),
        ("let code = 4u8", "println!(\"{}\", rules::unused::Gone(8)); let code = 4u8"),
        ("let code = 4u8", "println!(\"{} {}\", rules::Kind::Never { x: 6 }.cost(), board.note()); let code = 4u8"),
        ("let code = 4u8", "println!(\"{}\", board.name()); let code = 4u8"),
        ("println!(\"{} {}\", rules::Kind::Never { x: 6 }.cost(), board.note());", ""),
    ] {
        let path = bot.join("src/main.rs");
        let program = fs::read_to_string(&path).expect("a program");
        assert!(program.contains(old), "{old}");
        fs::write(&path, program.replacen(old, new, 1)).expect("a file can be written");
        let (anew, nothing) = (write(&mut learned), write(&mut Learned::default()));
        let answers = |text: &str| printed(text, &["--edition", "2021"]);
        assert_eq!(answers(&anew), answers(&nothing), "{new}");
        assert!(anew.len() <= nothing.len() + 40, "{} {}\n{anew}\n{nothing}", anew.len(), nothing.len());
    }
}
