//! Errors of a store, each with its cure.

use std::fmt;
use std::io;

use rusqlite::ErrorCode;

/// The error of a store. `Display` gives one sentence with its cure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreError(String);

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for StoreError {}

impl StoreError {
    pub(super) fn new(sentence: String) -> StoreError {
        StoreError(sentence)
    }

    /// Translates an error of SQLite about the store of this name.
    pub(super) fn of(name: &str, error: rusqlite::Error) -> StoreError {
        use ErrorCode::*;
        if let rusqlite::Error::ToSqlConversionFailure(_) = error {
            return StoreError(format!("{name} has room for numbers below 2^63; count games from 0"));
        }
        match &error {
            rusqlite::Error::FromSqlConversionFailure(.., what) => return StoreError::misfit(name, &what.to_string()),
            rusqlite::Error::IntegralValueOutOfRange(..) | rusqlite::Error::InvalidColumnType(..) => {
                return StoreError::misfit(name, &error.to_string());
            }
            _ => {}
        }
        match error.sqlite_error_code() {
            Some(DiskFull | SystemIoFailure) => StoreError::not_written(name, &error),
            Some(DatabaseBusy | DatabaseLocked | FileLockingProtocolFailed) => StoreError(format!(
                "{name} is locked by another program; close that one and give the same command again"
            )),
            Some(NotADatabase) => StoreError::foreign(name),
            Some(DatabaseCorrupt) => StoreError(format!(
                "{name} is damaged ({error}); name another file, and save what can be read of this one with \
                 sqlite3's .recover"
            )),
            Some(ReadOnly | PermissionDenied) => StoreError::read_only(name),
            Some(CannotOpen) => StoreError(format!(
                "{name} cannot be opened, or no files be made beside it; name a file in a folder you may write to"
            )),
            _ => StoreError(format!("{name} cannot be used: {error}")),
        }
    }

    pub(super) fn not_written(name: &str, error: &dyn fmt::Display) -> StoreError {
        StoreError(format!(
            "{name} cannot be written ({error}): the disk is full or failing; make room and give the same command \
             again, which goes on from the games that are kept"
        ))
    }

    /// The error of rows that no version of Boughs has written.
    pub(super) fn misfit(name: &str, what: &str) -> StoreError {
        StoreError(format!(
            "{name} holds something other than what Boughs wrote ({what}); name another file, or take back what was \
             changed in this one"
        ))
    }

    pub(super) fn not_reached(name: &str, error: &io::Error) -> StoreError {
        StoreError(format!("{name} cannot be reached: {error}; name a file in a folder you may write to"))
    }

    pub(super) fn read_only(name: &str) -> StoreError {
        StoreError(format!("{name} is read-only; make it writable or name another file"))
    }

    pub(super) fn foreign(name: &str) -> StoreError {
        StoreError(format!("{name} is something other than a store of Boughs; name another file"))
    }

    pub(super) fn newer(name: &str, version: i64, known: usize) -> StoreError {
        StoreError(format!(
            "{name} was written by a newer Boughs (its schema has version {version}, and this one knows those up to \
             {known}); use that one or name another file"
        ))
    }
}
