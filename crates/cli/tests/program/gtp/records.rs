//! `loadsgf`.

use std::fs;

use super::check;

#[test]
fn the_moves_of_a_record_are_taken_back_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    fs::write(&path, "(;GM[1]SZ[5]AB[aa][bb];W[cc];B[];B[dd];W[resign])").unwrap();
    let load = format!("loadsgf {}", path.display());
    let stones = "final_status_list alive";
    check(
        "go",
        &[
            (&*load, "="),
            (stones, "= A5 B4 C3 D2"),
            ("undo", "="),
            (stones, "= A5 B4 C3"),
            ("gogui-rules_side_to_move", "= white"),
            ("undo", "="),
            ("gogui-rules_side_to_move", "= black"),
            ("undo", "="),
            (stones, "= A5 B4"),
            ("undo", "? cannot undo"),
            (&*load, "="),
            ("play w e5", "="),
            ("undo", "="),
            (stones, "= A5 B4 C3 D2"),
            ("undo", "="),
            (stones, "= A5 B4 C3"),
        ],
    );
}

#[test]
fn a_path_may_have_spaces() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = |name: &str| folder.path().join(name).display().to_string();
    fs::write(in_folder("my  first game.sgf"), "(;GM[1]SZ[5];B[aa];W[bb])").unwrap();
    fs::write(in_folder("game 2"), "(;GM[1]SZ[5];B[cc])").unwrap();
    let (first, second) = (in_folder("my  first game.sgf"), in_folder("game 2"));
    for (load, stones) in [
        (first.clone(), "= A5 B4"),
        (format!("{first} 2"), "= A5"),
        (format!("\"{first}\""), "= A5 B4"),
        (format!("\"{first}\" 2"), "= A5"),
        (second.clone(), "= C3"),
        (format!("{second} 1"), "="),
        (format!("\"{second}\""), "= C3"),
    ] {
        check("go", &[(&*format!("loadsgf {load}"), "="), ("final_status_list alive", stones)]);
    }
    let missing = in_folder("no game.sgf");
    let answer = format!("? cannot load file: '{missing}': No such file or directory (os error 2)");
    check(
        "go",
        &[
            (&*format!("loadsgf {missing} 3"), &*answer),
            ("loadsgf \"a\" b", "? syntax error"),
            ("loadsgf", "? syntax error"),
        ],
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_record() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    let answer = format!("? cannot load file: '{}': this is no regular file", pipe.display());
    check("go", &[(&*format!("loadsgf {}", pipe.display()), &*answer), ("name", "= Boughs")]);
    let args = ["analyze", "go", "--position-file", pipe.to_str().unwrap()];
    let sentence = crate::common::ran(crate::common::boughs().args(args)).expect_failure(2);
    assert!(sentence.ends_with("this is no regular file"), "{sentence}");
}
