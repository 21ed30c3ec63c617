//! The program `boughs-export`: what it says of files and of bad input, and when it writes.

// Everything here is a test; the lint only knows functions that are marked as one.
#![allow(clippy::unwrap_used)]

#[path = "../../../engine/tests/common/process.rs"]
mod process;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

use process::{Running, heeding, piped, wait_until};
use tempfile::TempDir;

/// A bot that answers each line with its length.
const PROGRAM: &str = r#"
fn main() {
    let mut told = 0;
    for line in std::io::stdin().lines().map_while(Result::ok) {
        told += line.len();
        if line.starts_with("go") { println!("{}", answer(told)); }
    }
}
fn answer(told: usize) -> usize { told * 2 }
fn unused() -> usize { 7 }
"#;

const RECORDING: &str = "# A game\n> ready\n> go 1\n<\n> go 22\n<\n\n> go 333\n<\n";

/// A crate of this program with a recording beside it.
fn bot(program: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    let manifest = "[package]\nname = \"bot\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.path().join("src/main.rs"), program).unwrap();
    fs::write(folder.path().join("game.txt"), RECORDING).unwrap();
    folder
}

/// The program, in a folder.
fn exporter(folder: &Path) -> Command {
    let mut command = heeding(env!("CARGO_BIN_EXE_boughs-export"));
    command.current_dir(folder);
    command
}

/// Exports the crate of a folder in that folder.
fn export(folder: &Path, args: &str) -> Output {
    let mut command = exporter(folder);
    command.args(args.split_whitespace()).env("CARGO_TARGET_DIR", folder.join("target")).output().unwrap()
}

/// The output of a program that succeeds.
fn said(output: Output) -> String {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The sentence of a program that fails, and nothing else.
fn failure(output: Output, code: i32) -> String {
    assert!(output.status.code() == Some(code) && output.stdout.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    text.strip_prefix("boughs-export: ").expect("the name of the program").trim_end().to_string()
}

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("JSON")
}

/// Returns true if there is the program `boughs`, which knows the agents. Otherwise says that a test is skipped, past
/// the test harness, which hides what passing tests print.
fn has_boughs() -> bool {
    let is_there = std::env::var_os("BOUGHS_PROGRAM").is_some();
    if !is_there {
        let _ = writeln!(std::io::stderr(), "SKIPPED: --agent; set BOUGHS_PROGRAM to the path of the program boughs");
    }
    is_there
}

#[test]
fn a_file_is_compared_with_its_program_and_written() {
    let folder = bot(PROGRAM);
    let facts = json(&said(export(folder.path(), ". --recording game.txt --json")));
    let text = fs::read_to_string(folder.path().join("bot.rs")).unwrap();
    assert_eq!(facts["characters"], text.chars().count());
    let compared = |facts: &serde_json::Value| {
        [&facts["verified"]["optimised"], &facts["verified"]["checked"]].map(serde_json::Value::as_u64)
    };
    assert_eq!(compared(&facts), [Some(3), Some(3)]);
    assert!(!text.contains("unused"), "{text}");
    // All turns of a named recording are compared, up to 200.
    fs::write(folder.path().join("long.txt"), "> go 1\n<\n".repeat(201)).unwrap();
    let facts = json(&said(export(folder.path(), ". --recording long.txt --json")));
    assert_eq!(compared(&facts), [Some(200), Some(5)]);
    let told = said(export(folder.path(), ". --judge atcoder --out other.rs"));
    assert!(told.contains("No answers were compared: give the judge's lines by --recording FILE"), "{told}");
    assert!(told.contains("functions\n") && told.contains("  main\n"), "{told}");
}

#[test]
fn a_file_that_answers_otherwise_is_not_written() {
    // The optimised file says another thing than the program, which cargo builds without this word.
    let folder = bot(&PROGRAM.replace(
        "told * 2",
        "told * 2 + std::env::current_exe().map_or(0, |path| path.ends_with(\"optimised\") as usize)",
    ));
    let sentence = failure(export(folder.path(), ". --recording game.txt"), 1);
    let says = "does not play as the program does: its answer to question 1 of game 1 (line 4 of the recording) is \
        '19', that of the program '18'";
    assert!(sentence.contains(says) && sentence.contains("nothing was written"), "{sentence}");
    assert!(!folder.path().join("bot.rs").exists());
    let folder = bot(&PROGRAM.replace("told * 2", "if told > 0 { panic!(\"no answer\") } else { 1 }"));
    let sentence = failure(export(folder.path(), ". --recording game.txt"), 1);
    assert!(sentence.contains("instead of an answer") && sentence.contains("at question 1 of game 1"), "{sentence}");
    assert!(!folder.path().join("bot.rs").exists());
}

#[test]
fn bad_input_takes_one_sentence_and_writes_nothing() {
    let folder = bot(PROGRAM);
    let fault = |args: &str, says: &str| {
        let sentence = failure(export(folder.path(), args), 2);
        assert!(sentence.contains(says), "{args}: {sentence}");
    };
    fault("", "name the folder of a bot's crate, or a bot of the program by --bot");
    fault(
        "--bot ahc015:cand",
        "invalid value 'ahc015:cand' for '--bot <GAME:AGENT>' [possible values: photosynthesis:woods, green-circle:",
    );
    fault("--bot ahc015:cand", "; a similar value exists: 'ahc015:candy'");
    fault("--bot ahc015:candy .", "cannot be used with");
    fault("--bot ahc015:candy --bin x", "cannot be used with");
    fault("src", "src has no Cargo.toml; name the folder");
    fault(". --bin other", "the crate bot has no binary 'other'; its binaries are bot");
    fault(". --out src", "it is a folder");
    fault(". --recording src/main.rs", "'src/main.rs' is no recording: line 2 of the recording is 'fn main() {'");
    fault(". --recording none.txt", "'none.txt' cannot be read");
    fault(". --no-verify --out src/main.rs", "'src/main.rs' is a source of the bot; name another file by --out");
    fault("nowhere", "nowhere is not there; name the folder");
    fault(". --arguments x", "--arguments are for recorded turns");
    fault(". --recording game.txt --arguments '", "have a quote without its end");
    fault(". --recording game.txt --watch", "cannot be used with '--watch'; leave one of them out");
    let with = |file: &str, text: &str, says: &str| {
        let path = folder.path().join(file);
        let before = fs::read(&path).ok();
        fs::write(&path, text).unwrap();
        fault(".", says);
        match before {
            Some(before) => fs::write(&path, before).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
    };
    with("build.rs", "fn main() {}", "the crate bot has a build script");
    with("src/main.rs", "fn main() { let x = ; }", "main.rs:1:21 is no Rust");
    with(
        "src/main.rs",
        "fn main() { let x: u8 = \"\"; }",
        "of which the first is error[E0308]: mismatched types --> src/main.rs:1:25",
    );
    with("Cargo.toml", "[package", "cargo cannot read .");
    assert!(!folder.path().join("bot.rs").exists());
}

#[test]
fn a_bot_of_the_program_is_found_by_its_name() {
    let folder = TempDir::new().unwrap();
    let words = "--bot ahc015:solution3 --judge atcoder --minify full --no-verify --json";
    let facts = json(&said(export(folder.path(), words)));
    assert!(facts["characters"].as_u64().unwrap() < 60_000 && facts["verified"].is_null(), "{facts}");
    // The file answers a recorded case to its end.
    let compiled = Command::new("rustc")
        .args(["--edition", "2024", "-O", "-D", "warnings", "bot.rs"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let case = "1 ".repeat(100) + "\n" + &(1..=100).rev().map(|free| format!("{free}\n")).collect::<String>();
    fs::write(folder.path().join("case"), case).unwrap();
    let mut bot = Command::new(folder.path().join("bot"));
    let case = fs::File::open(folder.path().join("case")).unwrap();
    let answers = String::from_utf8(bot.args(["--iterations", "5"]).stdin(case).output().unwrap().stdout).unwrap();
    assert!(answers.lines().count() >= 99 && answers.lines().all(|line| "LRFB".contains(line)), "{answers}");
}

#[test]
fn a_bot_of_the_program_plays_by_the_agent_that_is_named() {
    if !has_boughs() {
        return;
    }
    let folder = TempDir::new().unwrap();
    let words = "--bot ahc015:solution3 --agent solution3:playouts=4321 --judge atcoder --minify off --no-verify";
    said(export(folder.path(), words));
    let text = fs::read_to_string(folder.path().join("bot.rs")).unwrap();
    assert!(text.contains("4321"), "{text}");
}

#[test]
fn an_agent_that_a_bot_cannot_have_takes_one_sentence() {
    let folder = bot(PROGRAM);
    let fault = |args: &str, says: &str| {
        let sentence = failure(export(folder.path(), args), 2);
        assert!(sentence.contains(says), "{args}: {sentence}");
    };
    fault(". --agent candy", "--agent is for the bots of the program; write the settings of another bot");
    if !has_boughs() {
        return;
    }
    fault("--bot ahc015:candy --agent solution3", "plays by the agent candy, and 'solution3' is another");
    fault("--bot ahc015:candy --agent candy:climb=96", "'96' in climb=96 should be");
    fault(
        "--bot ahc015:candy --agent candy:clim=40",
        "agent candy has no key 'clim'; did you mean climb? its keys are",
    );
    fault("--bot ahc015:candy --agent candy:seed=1", "agent candy has no key 'seed'");
    fault("--bot ahc015:candy --agent candy:climb", "'climb' in agent 'candy:climb' should be a key and a value");
    fault(
        "--bot green-circle:foresight --agent foresight:weights=a.json",
        "reads the file 'a.json', which a judge does not have; leave that setting out",
    );
    assert!(!folder.path().join("bot.rs").exists());
}

#[cfg(unix)]
#[test]
fn the_program_that_knows_the_agents_is_looked_for() {
    let folder = TempDir::new().unwrap();
    let alone = folder.path().join("boughs-export");
    // A program that this process writes might still be open in a child of another test when it is started.
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_boughs-export")).arg(&alone).status();
    assert!(copied.unwrap().success());
    let asked = |path: &str| {
        let mut command = Command::new(&alone);
        command.args(["--bot", "ahc015:candy", "--agent", "candy:climb=40"]).current_dir(folder.path());
        failure(command.env_remove("BOUGHS_PROGRAM").env("PATH", path).output().unwrap(), 2)
    };
    assert_eq!(
        asked("."),
        "--agent asks the program boughs, which is neither beside this one nor in PATH; in the folder of Boughs this \
         installs it: cargo install --locked --path crates/cli"
    );
    let boughs = folder.path().join("boughs");
    fs::write(&boughs, "#!/bin/sh\necho \"boughs: $*\" >&2\nexit 2\n").unwrap();
    assert!(Command::new("chmod").arg("+x").arg(&boughs).status().unwrap().success());
    assert_eq!(asked("/"), "bot-agent ahc015:candy candy:climb=40");
}

#[test]
fn a_watched_crate_is_written_anew_after_a_change_until_a_signal() {
    let folder = bot(PROGRAM);
    let mut command = exporter(folder.path());
    command.args([".", "--watch", "--json"]);
    let mut watch = Running::start(piped(&mut command));
    let mut next = || watch.line();
    let written = || fs::read_to_string(folder.path().join("bot.rs")).unwrap();
    assert!(next().starts_with("{\"file\":\"bot.rs\"") && written().contains("told*2"));
    let change = |program: String| {
        // The times of files may be coarse.
        thread::sleep(Duration::from_millis(50));
        fs::write(folder.path().join("src/main.rs"), program).unwrap();
    };
    change(PROGRAM.replace("told * 2", "told * 3 + unused()"));
    assert!(next().starts_with("{\"file\":\"bot.rs\"") && written().contains("told*3+7"));
    change(PROGRAM.replace("told * 2", "told *"));
    assert!(next().contains("is no Rust") && written().contains("told*3+7"));
    change(PROGRAM.replace("told * 2", "told * 4"));
    assert!(next().starts_with("{\"file\":\"bot.rs\"") && written().contains("told*4"));
    watch.send("INT");
    assert_eq!(watch.wait().code(), Some(130));
}

/// Starts an export by a compiler that does not end, and returns when it runs. `first` is the shell's word before.
fn endless(folder: &Path, first: &str) -> Running {
    fs::create_dir(folder.join("tmp")).unwrap();
    let rustc = folder.join("slow-rustc");
    fs::write(&rustc, "#!/bin/sh\ntouch started\nexec sleep 610\n").unwrap();
    assert!(Command::new("chmod").arg("+x").arg(&rustc).status().unwrap().success());
    let mut shell = heeding("sh");
    shell.args(["-c", &format!("{first} exec \"$0\" ."), env!("CARGO_BIN_EXE_boughs-export")]);
    shell.current_dir(folder).env("RUSTC", &rustc).env("TMPDIR", folder.join("tmp"));
    let export = Running::start(piped(&mut shell));
    wait_until("the compiler starts", || folder.join("started").exists());
    export
}

#[test]
fn a_signal_ends_an_export_and_leaves_no_file() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129), ("QUIT", 131)] {
        let folder = bot(PROGRAM);
        let export = endless(folder.path(), "");
        export.send(signal);
        assert_eq!(failure(export.finish(), code), "interrupted before the file was written");
        assert!(!folder.path().join("bot.rs").exists());
        assert_eq!(fs::read_dir(folder.path().join("tmp")).unwrap().count(), 0, "a temporary folder is left");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_ignored_signal_stays_ignored() {
    let folder = bot(PROGRAM);
    let export = endless(folder.path(), "trap '' INT TERM HUP;");
    for signal in ["INT", "TERM", "HUP"] {
        export.send(signal);
    }
    thread::sleep(Duration::from_millis(500));
    assert!(!export.has_ended());
    export.send("QUIT");
    assert_eq!(export.wait().code(), Some(131));
}

#[test]
fn help_fits_on_a_screen_names_the_bots_and_ends_with_an_example_that_works() {
    let folder = TempDir::new().unwrap();
    let help = said(export(folder.path(), "--help"));
    assert_eq!(said(export(folder.path(), "-h")), help);
    assert!(help.lines().count() <= 60 && help.lines().all(|line| line.chars().count() <= 100), "{help}");
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for bot in ["photosynthesis:woods", "green-circle:foresight", "ahc015:candy", "ahc015:solution3"] {
        assert!(words.contains(bot), "{bot}: {help}");
    }
    let example = help.split("Example:\n  boughs export ").nth(1).expect("an example").trim_end();
    assert!(said(export(folder.path(), example)).starts_with("bot.rs: "), "{example}");
}
