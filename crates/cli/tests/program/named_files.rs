//! Files that a user names: one rule for all commands.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::Stdio;
use std::thread;

use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};
use tempfile::tempdir;

use crate::common::{Ran, boughs, json, program, ran};
#[cfg(target_os = "linux")]
use crate::interrupt::end_when;
#[cfg(target_os = "linux")]
use crate::process::side_by_side;
use crate::process::{Running, piped, wait_until};

/// Commands that write a file.
const WRITERS: [&str; 5] = [
    "match tictactoe flat random --iterations 2 --games 2 --html FILE",
    "tournament tictactoe flat random --iterations 2 --rounds 1 --html FILE",
    "judge ahc015 --agent solution1 --seeds 0..1 --html FILE",
    "analyze tictactoe --iterations 5 --record FILE",
    LEARN,
];

const SCALE: &str = "scale tictactoe --threads 1 --parallel shared --iterations 50 --rounds 1 --out FILE";
const STRENGTH: &str = "scale tictactoe --threads 1 --parallel shared --iterations 5 --strength --games 2 \
                        --workers 2 --loss 1 --out FILE";

const LEARN: &str = "learn green-circle --games 5 --round 5 --positions 20 --out FILE";

fn write(command: &str, file: &Path) -> Ran {
    ran(boughs().args(command.split(' ').map(|word| if word == "FILE" { file.as_os_str() } else { word.as_ref() })))
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn make_pipe(path: &Path) {
    mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o666), 0).unwrap();
}

/// Returns true if the file has a page, a log or weights.
fn is_written(file: &Path) -> bool {
    let text = fs::read_to_string(file).unwrap();
    text.len() > 100 && ["<!DOCTYPE html>", "boughs-log 1", "{"].iter().any(|begin| text.starts_with(begin))
}

#[test]
fn a_file_keeps_its_mode_and_a_link_stays() {
    for command in WRITERS {
        let folder = tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("other")).unwrap();
        fs::write(path("old.json"), "").unwrap();
        fs::write(path("other/target"), "").unwrap();
        // Only root may give files away.
        const OWNER: u32 = 12_345;
        let mut may_give = false;
        for (name, mode) in [("old.json", 0o604), ("other/target", 0o660)] {
            // Nothing was learned yet, and every other command replaces what is there.
            if command == LEARN {
                write(command, &path("first.json")).expect();
                fs::copy(path("first.json"), path(name)).unwrap();
            }
            may_give = chown(path(name), Some(OWNER), Some(OWNER)).is_ok();
            fs::set_permissions(path(name), Permissions::from_mode(mode)).unwrap();
        }
        symlink("other/target", path("link.json")).unwrap();
        symlink("other/none yet", path("dangling.json")).unwrap();
        for name in ["old.json", "link.json", "dangling.json"] {
            let inode = fs::metadata(path("old.json")).unwrap().ino();
            write(command, &path(name)).expect();
            assert!(is_written(&path(name)), "{command}, {name}");
            assert!(name != "old.json" || fs::metadata(path(name)).unwrap().ino() != inode || command == LEARN);
        }
        let mode = |name: &str| fs::metadata(path(name)).unwrap().mode() & 0o777;
        assert_eq!((mode("old.json"), mode("other/target")), (0o604, 0o660), "{command}");
        assert!(
            !may_give || ["old.json", "link.json"].map(|name| fs::metadata(path(name)).unwrap().uid()) == [OWNER; 2]
        );
        assert!(["link.json", "dangling.json"].iter().all(|name| path(name).is_symlink()), "{command}");
        assert_eq!(names(&path("other")), ["none yet", "target"], "{command}");
    }
}

#[test]
fn a_device_and_a_pipe_are_written_to() {
    for command in WRITERS.into_iter().filter(|&command| command != LEARN) {
        let folder = tempdir().unwrap();
        let [null, pipe] = ["null", "pipe"].map(|name| folder.path().join(name));
        let mode = Mode::from_raw_mode(0o666);
        // Only root may make devices.
        if mknodat(CWD, &null, FileType::CharacterDevice, mode, makedev(1, 3)).is_ok() {
            write(command, &null).expect();
            assert!(fs::metadata(&null).unwrap().file_type().is_char_device(), "{command}");
        }
        make_pipe(&pipe);
        // Opening one end waits for the other, and opening both at once does not.
        let both = File::options().read(true).write(true).open(&pipe).unwrap();
        let end = File::open(&pipe).unwrap();
        let reader = thread::spawn(move || io::read_to_string(end).unwrap());
        write(command, &pipe).expect();
        drop(both);
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo(), "{command}");
        wait_until("the pipe is read to its end", || reader.is_finished());
        assert!(reader.join().unwrap().len() > 100, "{command}");
    }
    let folder = tempdir().unwrap();
    make_pipe(&folder.path().join("w.json"));
    let refused = write(LEARN, &folder.path().join("w.json")).expect_failure(2);
    assert!(refused.contains("no regular file"), "{refused}");
}

#[test]
fn a_pipe_without_a_reader_is_refused() {
    let plan = "match tictactoe flat random --iterations 2 --games 2 --plan FILE";
    for command in WRITERS.into_iter().filter(|&command| command != LEARN).chain([plan]) {
        let folder = tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        make_pipe(&pipe);
        let refused = write(command, &pipe).expect_failure(2);
        assert!(refused.contains("' cannot be written: no program reads from it; start one"), "{command}: {refused}");
    }
}

/// Starts a command that reads a pipe.
fn reads(command: &str, pipe: &Path) -> Running {
    let words = command.split(' ').map(|word| word.replace("FILE", pipe.to_str().unwrap()));
    Running::start(piped(program().current_dir(pipe.parent().unwrap()).args(words)))
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_the_wait_for_a_pipe() {
    let commands = [
        "analyze connect4 --agent mcts:policy=puct,net=FILE",
        "learn connect4 --from FILE --out w.net",
        "match tictactoe flat random --openings FILE",
        "check photosynthesis --traces FILE",
        "check photosynthesis --boards FILE",
        "replay FILE",
        "replay --log FILE",
        "shard FILE --id 0 --out d",
    ];
    side_by_side(commands, |command| {
        let folder = tempdir().unwrap();
        let pipe = folder.path().join("pipe.net");
        make_pipe(&pipe);
        let waits = |program: &Running| {
            let tasks = fs::read_dir(format!("/proc/{}/task", program.id())).unwrap();
            let mut names = tasks.flatten().map(|task| fs::read_to_string(task.path().join("comm")));
            names.any(|name| name.is_ok_and(|name| name.trim() == "boughs-file"))
        };
        let output = end_when("TERM", reads(command, &pipe), waits);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.lines().count()), (Some(143), 1), "{command}: {said}");
        assert!(said.contains("interrupted before "), "{command}: {said}");
    });
}

#[test]
fn a_pipe_gives_its_bytes_and_each_game_of_a_contest_would_need_them() {
    let folder = tempdir().unwrap();
    let pipe = folder.path().join("pipe.net");
    make_pipe(&pipe);
    let given = |command: &str, text: &str| {
        let program = reads(command, &pipe);
        fs::write(&pipe, text).unwrap();
        program.finish()
    };
    let solved = given("replay FILE", "3 0.1\nbaa 30\nab 20\nbbb 4\n");
    assert!(solved.status.success() && !solved.stdout.is_empty(), "{solved:?}");
    let refused = given("analyze connect4 --agent mcts:policy=puct,net=FILE", "no network");
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("pipe.net': ") && refused.status.code() == Some(2), "{said}");
    for command in [
        "match connect4 mcts:policy=puct,net=FILE random --games 2",
        "judge ahc015 --agent mcts:policy=puct,net=FILE --seeds 0..1",
    ] {
        let output = reads(command, &pipe).finish();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("can be read once") && output.status.code() == Some(2), "{command}: {said}");
    }
}

#[test]
fn a_full_disk_takes_the_page_and_not_the_results() {
    let folder = tempdir().unwrap();
    let full = folder.path().join("full");
    // Only root may make devices.
    if mknodat(CWD, &full, FileType::CharacterDevice, Mode::from_raw_mode(0o666), makedev(1, 7)).is_err() {
        return;
    }
    fs::create_dir(folder.path().join("out")).unwrap();
    for name in ["scale.html", "strength.html", "w.svg"] {
        symlink(&full, folder.path().join("out").join(name)).unwrap();
    }
    for command in WRITERS.into_iter().chain([SCALE, STRENGTH]) {
        let ran = match command {
            LEARN => write(command, &folder.path().join("out/w.json")),
            SCALE | STRENGTH => write(command, &folder.path().join("out")),
            _ => write(command, &full),
        };
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{command}: {ran:?}");
        assert!(ran.err.contains("No space left") && ran.out.lines().count() > 2, "{command}: {ran:?}");
    }
}

#[test]
fn a_read_only_file_of_a_folder_is_refused_before_the_work() {
    for (command, name) in [(SCALE, "efficiency.svg"), (STRENGTH, "strength.html")] {
        let folder = tempdir().unwrap();
        let file = folder.path().join(name);
        fs::write(&file, "mine").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
        let refused = write(command, folder.path()).expect_failure(2);
        assert!(refused.contains(name) && refused.contains("it is read-only"), "{command}: {refused}");
        assert_eq!(names(folder.path()), [name], "{command}");
    }
}

#[test]
fn a_read_only_file_is_refused_and_stays() {
    for command in WRITERS {
        let folder = tempdir().unwrap();
        let [file, link] = ["old.json", "link.json"].map(|name| folder.path().join(name));
        fs::write(&file, "mine").unwrap();
        fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
        symlink(&file, &link).unwrap();
        for name in [&file, &link] {
            let refused = write(command, name).expect_failure(2);
            assert!(refused.contains("' cannot be written: it is read-only; make it writable"), "{command}: {refused}");
        }
        assert_eq!((fs::read_to_string(&file).unwrap(), names(folder.path()).len()), ("mine".to_string(), 2));
    }
}

#[test]
fn a_folder_that_is_not_there_is_named_and_not_made() {
    for command in WRITERS {
        let folder = tempdir().unwrap();
        let refused = |name: &str| write(command, &folder.path().join(name)).expect_failure(2);
        let sentence = refused("new/w.json");
        assert!(sentence.contains("new/w.json' cannot be written: there is no folder '"), "{command}: {sentence}");
        assert!(sentence.ends_with("new'; make it or name another file"), "{command}: {sentence}");
        assert!(refused("").contains(if command == LEARN { "names no file" } else { "it is a folder" }), "{command}");
        assert!(names(folder.path()).is_empty(), "{command}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_path_of_a_temporary_file_is_told() {
    for command in WRITERS {
        let refused = write(command, Path::new("/proc/boughs.json")).expect_failure(2);
        assert!(refused.contains("'/proc/boughs.json"), "{command}: {refused}");
        assert!(!refused.contains("/proc/.") && !refused.contains("tmp"), "{command}: {refused}");
    }
    let refused = ran(boughs().args("scale tictactoe --out /proc".split(' '))).expect_failure(2);
    assert!(refused.starts_with("'/proc' cannot be used as a folder: ") && !refused.contains("tmp"), "{refused}");
}

#[test]
fn a_page_on_standard_output_leaves_the_results_there() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("all");
    let mut command = program();
    command.args(WRITERS[0].split(' ').map(|word| if word == "FILE" { file.as_os_str() } else { word.as_ref() }));
    let page = File::create(&file).unwrap();
    let status = Running::start(command.arg("--json").stdout(page).stdin(Stdio::null())).wait();
    let text = fs::read_to_string(&file).unwrap();
    assert!(status.success() && text.starts_with("<!DOCTYPE html>"), "{text}");
    assert!(json(text.lines().last().unwrap())["games"].is_object(), "{text}");
}

#[test]
fn a_page_does_not_replace_the_store() {
    let folder = tempdir().unwrap();
    let [store, link] = ["games.db", "link.html"].map(|name| folder.path().join(name));
    symlink("games.db", &link).unwrap();
    for command in &WRITERS[..3] {
        for page in [&store, &link] {
            let command = format!("{command} --store {}", store.display());
            let refused = write(&command, page).expect_failure(2);
            assert!(refused.contains("' cannot be written: it is the store too; name two files"), "{refused}");
            assert!(!store.exists());
        }
    }
}

#[test]
fn learning_takes_no_file_that_is_not_its_own() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("w.json.part"), "mine").unwrap();
    write(LEARN, &path("w.json")).expect();
    assert_eq!(fs::read_to_string(path("w.json.part")).unwrap(), "mine");
    assert_eq!(names(folder.path()), ["w.json", "w.json.part", "w.svg"], "the lock ends with the command");
    fs::write(path("a.json.lock"), "mine").unwrap();
    fs::write(path("victim"), "mine").unwrap();
    symlink("victim", path("b.json.lock")).unwrap();
    symlink("none yet", path("c.json.lock")).unwrap();
    fs::create_dir(path("d.json.lock")).unwrap();
    make_pipe(&path("e.json.lock"));
    for name in ["a.json", "b.json", "c.json", "d.json", "e.json"] {
        let refused = write(LEARN, &path(name)).expect_failure(2);
        assert!(
            refused.contains(".json.lock' is not a lock of this program") && refused.contains("--out"),
            "{refused}"
        );
        assert!(!path(name).exists());
    }
    assert!(["a.json.lock", "victim"].iter().all(|name| fs::read_to_string(path(name)).unwrap() == "mine"));
    assert!(path("c.json.lock").is_symlink() && !path("none yet").exists());
    // A killed command leaves an empty file.
    fs::write(path("f.json.lock"), "").unwrap();
    write(LEARN, &path("f.json")).expect();
    assert!(!path("f.json.lock").exists());
}

#[test]
fn a_measurement_takes_no_file_that_is_not_its_own() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join("made").join(name);
    let measure = || {
        let words = "scale tictactoe --threads 1 --parallel shared --iterations 20 --rounds 1 --out".split(' ');
        ran(boughs().args(words).arg(folder.path().join("made")))
    };
    measure().expect();
    fs::write(path("scale.csv.part"), "mine").unwrap();
    fs::write(path("victim"), "").unwrap();
    fs::remove_file(path("scale.csv")).unwrap();
    symlink("victim", path("scale.csv")).unwrap();
    measure().expect();
    assert_eq!(fs::read_to_string(path("scale.csv.part")).unwrap(), "mine");
    assert!(path("scale.csv").is_symlink() && fs::read_to_string(path("victim")).unwrap().starts_with("mode,"));
    fs::set_permissions(path("scale.json"), Permissions::from_mode(0o444)).unwrap();
    assert!(measure().expect_failure(2).contains("scale.json' cannot be written: it is read-only"));
}

#[test]
fn a_path_need_not_be_text() {
    let folder = tempdir().unwrap();
    let path = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
    for (number, command) in WRITERS.iter().enumerate() {
        let file = path(&[&[b'0' + number as u8], &b"\xff.json"[..]].concat());
        write(command, &file).expect();
        assert!(is_written(&file), "{command}");
    }
    for command in [
        "match tictactoe flat random --iterations 2 --games 2 --store FILE",
        "tournament tictactoe flat random --iterations 2 --rounds 1 --store FILE",
        "tune tictactoe mcts --param c=0.2..3 --candidates 1 --rounds 1 --most-rounds 1 --iterations 3 --store FILE",
        "judge ahc015 --agent solution1 --seeds 0..1 --store FILE",
    ] {
        write(command, &path(b"games\xff.db")).expect();
        assert!(path(b"games\xff.db").is_file(), "{command}");
    }
    write("replay --log FILE", &path(b"3\xff.json")).expect();
    let scaling = path(b"scaling\xff");
    write("scale tictactoe --threads 1 --parallel shared --iterations 20 --rounds 1 --out FILE", &scaling).expect();
    let report = json(&fs::read_to_string(scaling.join("scale.json")).unwrap());
    assert!(report["command"].as_str().unwrap().ends_with("scaling\\xff'"), "{report}");
}
