//! Files that are no store are refused in one sentence with its cure, and left as they are.

use std::fs;
use std::path::Path;

use boughs_arena::Store;
use rusqlite::Connection;

use super::{game, open};

/// Checks that opening fails with this message and does not change the file.
fn assert_refused(path: &Path, says: &[&str]) {
    let before = fs::read(path).ok();
    let Err(error) = Store::open(path) else {
        panic!("{} was opened, with {} bytes", path.display(), before.map_or(0, |it| it.len()))
    };
    let error = error.to_string();
    assert!(says.iter().all(|says| error.contains(says)), "{error}");
    assert!(!error.contains('\n') && !error.contains(". "), "one sentence: {error}");
    assert_eq!(fs::read(path).ok(), before, "{error}");
}

#[test]
fn a_place_where_no_file_can_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert_refused(folder.path(), &["is a folder", "name a file"]);
    assert_refused(&folder.path().join("no/games.db"), &["folder", "does not exist", "make it"]);
    assert_refused(Path::new(""), &["''", "name a file"]);
    let file = folder.path().join("file");
    fs::write(&file, "text").unwrap();
    assert_refused(&file.join("games.db"), &["does not exist", "name another"]);
}

#[test]
fn a_file_that_is_no_store_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let noise: Vec<u8> = (0..9_000_u32).map(|place| ((place * place) >> 3) as u8).collect();
    for content in [&b"Dear diary"[..], &noise] {
        fs::write(&path, content).unwrap();
        assert_refused(&path, &["something other than a store", "name another"]);
    }
    let other = folder.path().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE cakes (name TEXT)").unwrap();
    assert_refused(&other, &["something other than a store", "name another"]);
}

#[test]
fn a_store_of_a_newer_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    open(&path).0.close().unwrap();
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 1000").unwrap();
    assert_refused(&path, &["newer Boughs", "1000", "use that one"]);
}

#[test]
fn a_truncated_store_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let (mut store, event) = open(&path);
    for number in 0..100 {
        store.add(event, &game(number), "").unwrap();
    }
    store.close().unwrap();
    let whole = fs::read(&path).unwrap();
    for length in [2, 50, 99, 100, 1_000, 4_096, 5_000, whole.len() / 2, whole.len() - 4_096] {
        fs::write(&path, &whole[..length]).unwrap();
        assert_refused(&path, &["name another file"]);
    }
}

#[test]
fn a_read_only_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    open(&path).0.close().unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    assert_refused(&path, &["read-only", "make it writable"]);
}

#[test]
fn names_that_mean_something_to_sqlite_are_files_like_others() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["file:games.db?mode=memory", ":memory:", "with space and 'quote'", "\u{e9}t\u{e9}.db"] {
        let path = folder.path().join(name);
        drop(open(&path));
        assert!(path.is_file(), "{name}");
    }
}

#[test]
fn a_file_beside_a_store_is_not_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    for (end, is_new) in
        [("db-wal", true), ("db-journal", true), ("db-shm", true), ("db-wal", false), ("db-shm", false)]
    {
        if !is_new {
            Store::open(&path).unwrap().close().unwrap();
        }
        let beside = path.with_extension(end);
        // As long as the index of a log, which SQLite would make.
        let notes = "my notes".repeat(4_096);
        fs::write(&beside, &notes).unwrap();
        let error = Store::open(&path).err().expect("a file is in the way").to_string();
        assert!(error.contains(end) && error.contains("move it away"), "{error}");
        assert_eq!(fs::read_to_string(&beside).unwrap(), notes);
        fs::remove_file(&beside).unwrap();
    }
}
