//! The destinations of results: a store of games, JSON, a page; and how many games are played at a time.

use std::path::PathBuf;

use boughs_arena::{Conditions, Store, tables_here};

use super::some_threads;
use crate::failure::Failure;
use crate::named_file::NamedFile;

/// The destinations of games and results.
#[derive(clap::Args)]
pub(crate) struct ResultArgs {
    /// Games to play at the same time [default: as many as the cores allow]
    #[arg(long, value_name = "K", value_parser = some_threads)]
    concurrency: Option<usize>,
    /// File that keeps every game (SQLite), and from which an interrupted run goes on
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl ResultArgs {
    /// Opens the store of `--store`, or one in memory.
    pub(crate) fn store(&self) -> Result<Store, Failure> {
        Ok(match &self.store {
            Some(path) => Store::open(path)?,
            None => Store::in_memory()?,
        })
    }

    /// Opens the store of a contest, if `--store` names one or a page needs the games.
    pub(crate) fn store_for(&self, page: Option<&NamedFile>) -> Result<Option<Store>, Failure> {
        page.map_or(Ok(()), |page| page.check_store(self.store.as_deref()))?;
        (self.store.is_some() || page.is_some()).then(|| self.store()).transpose()
    }

    /// Returns true if there is a `--store`.
    pub(crate) fn has_store(&self) -> bool {
        self.store.is_some()
    }

    /// Returns true if there is a `--concurrency`.
    pub(crate) fn has_concurrency(&self) -> bool {
        self.concurrency.is_some()
    }

    /// The number of games that are played at a time.
    pub(crate) fn tables(&self, conditions: &Conditions) -> usize {
        self.concurrency.unwrap_or_else(|| tables_here(conditions))
    }
}

/// The destination of a page.
#[derive(clap::Args)]
pub(crate) struct PageArgs {
    /// Write a page with the results and every game move by move
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl PageArgs {
    /// Returns true if there is a `--html`.
    pub(crate) fn is_given(&self) -> bool {
        self.html.is_some()
    }

    /// Opens the file of `--html`. An unwritable file is an error here, before any game is played.
    pub(crate) fn file(&self) -> Result<Option<NamedFile>, Failure> {
        self.html.as_deref().map(NamedFile::at).transpose()
    }
}
