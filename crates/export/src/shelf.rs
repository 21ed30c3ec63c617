//! The libraries of a program as they were read and rewritten last, for when the program is read again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use syn::Item;

use crate::fault::ExportError;
use crate::sources::Read;

/// Libraries that need no work until one of their files changes.
#[derive(Default)]
pub(crate) struct Shelf {
    read: BTreeMap<String, Library>,
    /// The items that became of a library, with what they were made of.
    merged: BTreeMap<String, (String, Vec<Item>)>,
    /// The number of libraries that were read.
    count: usize,
}

/// A library that was read.
struct Library {
    /// The features and the build variables of the code.
    settings: String,
    times: Vec<(PathBuf, Option<SystemTime>)>,
    file: syn::File,
    read: Read,
    number: usize,
}

impl Shelf {
    /// Returns a library with its files and a number that a later reading does not have.
    pub(crate) fn library(
        &mut self,
        name: &str,
        settings: String,
        make: impl FnOnce(&mut Read) -> Result<syn::File, ExportError>,
    ) -> Result<(syn::File, Read, usize), ExportError> {
        if let Some(known) = self.read.get(name).filter(|known| known.settings == settings && known.is_fresh()) {
            return Ok((known.file.clone(), known.read.clone(), known.number));
        }
        let begun = SystemTime::now();
        let mut read = Read::default();
        let file = make(&mut read)?;
        self.count += 1;
        let times: Vec<_> = read.files.iter().map(|file| (file.clone(), changed(file))).collect();
        // A file that has changed while it was read is read again.
        if times.iter().all(|(_, time)| time.is_some_and(|time| time < begun)) {
            let (file, read) = (file.clone(), read.clone());
            self.read.insert(name.to_string(), Library { settings, times, file, read, number: self.count });
        }
        Ok((file, read, self.count))
    }

    /// Returns what became of a library, from the last time if it was made of the same.
    pub(crate) fn merged(
        &mut self,
        name: &str,
        made_of: String,
        make: impl FnOnce() -> Result<Vec<Item>, ExportError>,
    ) -> Result<Vec<Item>, ExportError> {
        if let Some((_, items)) = self.merged.get(name).filter(|(known, _)| *known == made_of) {
            return Ok(items.clone());
        }
        let items = make()?;
        self.merged.insert(name.to_string(), (made_of, items.clone()));
        Ok(items)
    }
}

impl Library {
    /// Returns true if no file has changed.
    fn is_fresh(&self) -> bool {
        self.times.iter().all(|(file, time)| changed(file) == *time)
    }
}

fn changed(file: &Path) -> Option<SystemTime> {
    file.metadata().ok().and_then(|facts| facts.modified().ok())
}
