//! `boughs replay` prints the path of a puzzle, and the line and column of a fault.

use std::path::Path;

use crate::common::{Ran, boughs, ran, run, run_with_input};

const PUZZLE: &str = "3 0.1\nbaa 30\nab 20\nbbb 4\n";

#[test]
fn a_puzzle_is_read_from_a_file_or_from_standard_input() {
    assert_eq!(run_with_input("replay", PUZZLE).expect(), "a\n");
    assert_eq!(run_with_input("replay -", PUZZLE).expect(), "a\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a puzzle.txt");
    std::fs::write(&file, PUZZLE).unwrap();
    assert_eq!(ran(boughs().arg("replay").arg(file)).expect(), "a\n");
}

#[test]
fn the_explanation_goes_to_standard_error() {
    let Ran { code, out, err } = run_with_input("replay --explain", PUZZLE);
    assert_eq!((code, out.as_str()), (Some(0), "a\n"));
    assert!(err.contains("C = 0.1") && err.contains("The answer is a."), "{err}");
}

#[test]
fn faults_have_a_line_and_a_column() {
    for (input, sentence) in [
        (&b""[..], "standard input, line 1, column 1: expected the number of playouts N"),
        (b"two 0.1\n", "standard input, line 1, column 1: expected the number of playouts N"),
        (b"2 0.1\nab 20\nb4 30\n", "standard input, line 3, column 2: expected a word of 1 to 49 letters"),
        (b"2 0.1\nab 20\n", "standard input, line 3, column 1: expected 2 playouts as N says"),
        (b"1 0.1\n\xc3\xa9\xff 20\n", "standard input, line 2, column 2: expected UTF-8 text"),
    ] {
        let said = run_with_input("replay", input).expect_failure(2);
        assert!(said.starts_with(sentence), "{said}");
    }
    let long = run_with_input("replay", vec![b'\n'; (1 << 20) + 1]);
    assert!(long.expect_failure(2).contains("longer than any puzzle"));
}

#[test]
fn something_else_than_a_log_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (text, part) in [("", "line 1"), ("3 0.1\n", "line 1"), ("boughs-log 1\ngame chess\n", "line 3")] {
        let file = folder.path().join("log");
        std::fs::write(&file, text).unwrap();
        let said = ran(boughs().args(["replay", "--log"]).arg(&file)).expect_failure(2);
        assert!(said.contains(part), "{said}");
    }
    assert!(run("replay --log /").expect_failure(2).contains("'/'"));
    if Path::new("/dev/zero").exists() {
        let said = run("replay --log /dev/zero").expect_failure(2);
        assert_eq!(said, "'/dev/zero', line 1: is longer than any line of a log");
    }
}
