//! `boughs export` runs `boughs-export`, which is another program: that beside it, or else that in PATH.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::common::{Ran, ran, run};

/// A program that tells its file, the file of `boughs` and its arguments, and ends with an exit code of its own.
const STAND_IN: &str = "#!/bin/sh\nprintf '%s|' \"$0\" \"$BOUGHS_PROGRAM\" \"$@\"\nexit 7\n";

/// A folder with the program, and an empty one for PATH.
struct Folders {
    own: TempDir,
    path: TempDir,
}

impl Folders {
    fn new() -> Folders {
        let folders = Folders { own: TempDir::new().unwrap(), path: TempDir::new().unwrap() };
        // A program that this process writes might still be open in a child of another test when it is started.
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_boughs")).arg(folders.program()).status();
        assert!(copied.unwrap().success());
        folders
    }

    fn program(&self) -> PathBuf {
        self.own.path().join("boughs")
    }

    fn export(&self, args: &[&str]) -> Ran {
        let mut command = assert_cmd::Command::new(self.program());
        ran(command.arg("export").args(args).env("PATH", self.path.path()))
    }
}

fn stand_in(folder: &Path) -> PathBuf {
    let file = folder.join("boughs-export");
    fs::write(&file, STAND_IN).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    file
}

#[test]
fn a_missing_exporter_takes_one_sentence_with_the_line_that_installs_it() {
    let folders = Folders::new();
    for args in [&[][..], &["--help"], &["--bot", "ahc015:candy"]] {
        assert_eq!(
            folders.export(args).expect_failure(2),
            "boughs-export is neither beside this program nor in PATH; in the folder of Boughs this installs it: cargo \
             install --locked --path crates/export"
        );
    }
    assert!(run("help").expect().contains("\n  export "), "it is in the list of commands");
}

#[test]
fn an_exporter_gets_all_words_as_they_are_and_its_exit_code_is_that_of_the_command() {
    let folders = Folders::new();
    let (program, in_path) = (folders.program(), stand_in(folders.path.path()));
    let words = ["--", "--help", "a b", "-x", "--", "--out=é"];
    let says = |file: &Path| format!("{}|{}|--|--help|a b|-x|--|--out=é|", file.display(), program.display());
    let Ran { code, out, err } = folders.export(&words);
    assert_eq!((code, out, err), (Some(7), says(&in_path), String::new()));
    let beside = stand_in(folders.own.path());
    assert_eq!(folders.export(&words).out, says(&beside), "the program beside comes first");
    // Help of the command is that of the exporter.
    assert!(ran(assert_cmd::Command::new(&program).args(["help", "export"])).out.ends_with("|--help|"));
}
