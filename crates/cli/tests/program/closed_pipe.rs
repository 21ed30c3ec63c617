//! A reader who leaves early is a sentence and an exit code, never a panic.

use std::process::Stdio;

use crate::common::program;
use crate::process::Running;

const CLOSED: &str = "boughs: standard output was closed before the result was written\n";

#[test]
fn every_command_notices_that_nobody_reads() {
    for args in [
        "--help",
        "games",
        "games --json",
        "analyze connect4 --iterations 100",
        "analyze connect4 --iterations 100 --json",
        "analyze connect4 --iterations 100 --tree 3 --dot",
        "check tictactoe --games 1",
        "check tictactoe --games 1 --json",
        "bench tictactoe --iterations 100",
        "play tictactoe",
    ] {
        // The reading end is closed before the program starts, so it cannot be faster.
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = program();
        command.args(args.split(' ')).stdin(Stdio::null()).stdout(writer).stderr(Stdio::piped());
        let output = Running::start(&mut command).finish();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((said.as_str(), output.status.code()), (CLOSED, Some(2)), "boughs {args}");
    }
}

#[test]
fn a_full_disk_is_named() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else { return };
    let mut command = program();
    let output = Running::start(command.arg("games").stdout(full).stderr(Stdio::piped())).finish();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("boughs: standard output cannot be written: No space left"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}
