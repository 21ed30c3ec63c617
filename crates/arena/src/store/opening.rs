//! Opening a file as a store.

use std::fs::{self, File};
use std::path::{self, Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::flusher::Flusher;
use super::{Store, StoreError, schema};

/// Pause between two looks at a store that another process is making.
const GLANCE: Duration = Duration::from_millis(5);

/// Settings of a connection: no sync of the log at a commit, and `fullfsync`, so that a sync reaches the disk under
/// macOS too.
const SYNCS: &str = "PRAGMA synchronous = NORMAL; PRAGMA fullfsync = ON";

/// Opens or makes the store at `path`. Waits for `patience` if another program holds it.
pub(super) fn open(path: &Path, patience: Duration) -> Result<Store, StoreError> {
    let name = format!("'{}'", path.display());
    // SQLite takes some names for something else than files: ':memory:', 'file:...' and the empty one.
    let path = path::absolute(path).map_err(|error| StoreError::not_reached(&name, &error))?;
    check_path(&path, &name)?;
    let failed = |error| StoreError::of(&name, error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(&path, flags).map_err(failed)?;
    connection.busy_timeout(patience).map_err(failed)?;
    schema::check(&connection, &name)?;
    if connection.is_readonly("main").map_err(failed)? {
        return Err(StoreError::read_only(&name));
    }
    if keep_log(&connection, patience).map_err(failed)? != "wal" {
        return Err(StoreError::new(format!("{name} is where SQLite can keep no log; name a file on a local disk")));
    }
    connection.execute_batch(SYNCS).map_err(failed)?;
    schema::migrate(&mut connection, &name)?;
    let flusher = flusher(&path).map_err(|error| StoreError::not_written(&name, &error))?;
    Ok(Store { flusher: Some(flusher), connection, name })
}

/// Makes a store in memory.
pub(super) fn in_memory() -> Result<Store, StoreError> {
    let name = "the store in memory".to_string();
    let mut connection = Connection::open_in_memory().map_err(|error| StoreError::of(&name, error))?;
    schema::migrate(&mut connection, &name)?;
    Ok(Store { flusher: None, connection, name })
}

/// Refuses paths for which SQLite has no good error message. The file is not opened: closing it would release the locks
/// of every other connection of this process to it, by the rules of POSIX.
fn check_path(path: &Path, name: &str) -> Result<(), StoreError> {
    match fs::metadata(path) {
        Ok(file) if file.is_dir() => Err(StoreError::new(format!("{name} is a folder; name a file in it"))),
        Ok(file) if !file.is_file() => Err(StoreError::foreign(name)),
        Ok(file) if file.permissions().readonly() => Err(StoreError::read_only(name)),
        Ok(_) => Ok(()),
        Err(_) if path.parent().is_some_and(|folder| !folder.is_dir()) => {
            Err(StoreError::new(format!("the folder of {name} does not exist; make it or name another file")))
        }
        Err(_) => Ok(()),
    }
}

/// Turns the write-ahead log on. Returns the mode of the file after that: `wal`, unless its file system does not allow
/// it.
fn keep_log(connection: &Connection, patience: Duration) -> rusqlite::Result<String> {
    // Turning the log on in a new file takes a lock that SQLite does not wait for.
    let mut looks = patience.as_nanos() / GLANCE.as_nanos();
    loop {
        match connection.query_row("PRAGMA journal_mode = WAL", (), |row| row.get(0)) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && looks > 0 => {
                looks -= 1;
                thread::sleep(GLANCE);
            }
            result => break result,
        }
    }
}

/// Syncs the log of the store through a second handle, which works as well as SQLite's.
fn flusher(path: &Path) -> std::io::Result<Flusher> {
    let mut log = fs::canonicalize(path)?.into_os_string();
    log.push("-wal");
    // The log stays the same file as long as a connection is open.
    let log = File::options().write(true).open(PathBuf::from(log))?;
    Flusher::new(move || log.sync_data())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(30);

    #[test]
    fn a_locked_file_is_refused_when_patience_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN EXCLUSIVE").unwrap();
        let error = open(&path, SHORT).err().expect("the file is locked").to_string();
        assert!(error.contains("locked by another program") && error.contains("close that one"), "{error}");
        other.execute_batch("ROLLBACK").unwrap();
        assert!(open(&path, SHORT).is_ok());
    }

    #[test]
    fn commits_are_synced_now_and_then_and_not_each() {
        let folder = tempfile::tempdir().unwrap();
        let store = open(&folder.path().join("games.db"), SHORT).unwrap();
        let pragma = |sql| store.connection.query_row(sql, (), |row| row.get::<_, rusqlite::types::Value>(0)).unwrap();
        assert_eq!(pragma("PRAGMA journal_mode"), "wal".to_string().into());
        assert_eq!(pragma("PRAGMA synchronous"), 1.into(), "NORMAL");
        assert!(store.flusher.is_some());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_store_is_the_store() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("games.db"), folder.path().join("link.db"));
        drop(open(&path, SHORT).unwrap());
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let _both = [open(&link, SHORT).unwrap(), open(&path, SHORT).unwrap()];
        assert!(!folder.path().join("link.db-wal").exists());
    }
}
