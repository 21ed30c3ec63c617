//! Opening a file as a store.

use std::fs::{self, File};
use std::io::{self, Read};
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
    let target = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
    JOURNALS.iter().try_for_each(|journal| check_journal(&target, journal))?;
    check_index(&target)?;
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

/// A file that SQLite keeps beside a database: the end of its name, and the bytes it begins with.
type Journal = (&'static str, &'static [&'static [u8]]);

/// The write-ahead log and the rollback journal, as the file format of SQLite has them.
const JOURNALS: [Journal; 2] =
    [("-wal", &[b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83"]), ("-journal", &[b"\xd9\xd5\x05\xf9"])];

/// The first number of a write-ahead log's index, in the byte order of the machine.
const INDEX_HEAD: [u8; 4] = 3_007_000_u32.to_ne_bytes();

/// The pages by which SQLite lengthens the index, in bytes.
const INDEX_PAGE: u64 = 4_096;

/// Refuses a file of the user where SQLite keeps one of its own and would empty it.
fn check_journal(path: &Path, (end, heads): &Journal) -> Result<(), StoreError> {
    let journal = beside(path, end);
    let Ok(found) = fs::symlink_metadata(&journal) else { return Ok(()) };
    if found.is_file() && begins_with(&journal, heads) { Ok(()) } else { Err(in_the_way(&journal)) }
}

/// Refuses a file of the user in the place of the write-ahead log's index.
///
/// Beside a log the index may be in use. It is not opened then, for the reason that holds for the store itself: its
/// length has to do.
fn check_index(path: &Path) -> Result<(), StoreError> {
    let index = beside(path, "-shm");
    let Ok(found) = fs::symlink_metadata(&index) else { return Ok(()) };
    let has_length = found.len() < INDEX_HEAD.len() as u64 || found.len().is_multiple_of(INDEX_PAGE);
    let has_head = || beside(path, "-wal").exists() || begins_with(&index, &[&INDEX_HEAD]);
    if found.is_file() && has_length && has_head() { Ok(()) } else { Err(in_the_way(&index)) }
}

/// The path of a file beside the store.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(end);
    beside.into()
}

/// Returns true if a file begins with one of these heads, or with the zeros that a power cut leaves. A file that is too
/// short for a head has nothing to lose.
fn begins_with(file: &Path, heads: &[&[u8]]) -> bool {
    let head = || -> io::Result<[u8; 4]> {
        let mut head = [0; 4];
        File::open(file)?.read_exact(&mut head).map(|()| head)
    };
    head().map_or(true, |head| head == [0; 4] || heads.contains(&&head[..]))
}

fn in_the_way(file: &Path) -> StoreError {
    StoreError::new(format!(
        "'{}' is in the place of a file that SQLite keeps beside the store; move it away or name another store",
        file.display()
    ))
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
