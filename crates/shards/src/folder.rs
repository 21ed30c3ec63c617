//! The folder of a plan and the results of its shards.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::{Job, Plan, PlanError, shard};

/// Name of the plan in its folder.
const PLAN: &str = "plan.json";

/// Ending of a file that is not yet complete.
const PART: &str = ".part";

/// A folder with a plan and the results of some of its shards, a file for each.
///
/// A file appears when it is complete and on the disk. So several processes may write into the folder, and each may be
/// killed at any time.
#[derive(Debug)]
pub struct ShardFolder {
    path: PathBuf,
    plan: Plan,
}

impl ShardFolder {
    /// Opens the folder of a plan, and makes it if there is none.
    ///
    /// # Errors
    /// If the folder cannot be written to, or has another plan.
    pub fn of(path: &Path, plan: Plan) -> Result<ShardFolder, PlanError> {
        let fault = |error: io::Error| {
            PlanError::new(format!("'{}' cannot be used as a folder: {error}; name another folder", path.display()))
        };
        fs::create_dir_all(path).map_err(fault)?;
        let folder = ShardFolder { path: path.to_path_buf(), plan };
        match fs::read_to_string(path.join(PLAN)) {
            Ok(text) if text == folder.plan.text() => {}
            Ok(_) => {
                return Err(PlanError::new(format!(
                    "'{}' has the shards of another plan; name another folder",
                    path.display()
                )));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                folder.write(PLAN, &folder.plan.text()).map_err(fault)?;
            }
            Err(error) => return Err(fault(error)),
        }
        Ok(folder)
    }

    /// Opens a folder that has a plan.
    ///
    /// # Errors
    /// If there is no plan of this program.
    pub fn open(path: &Path) -> Result<ShardFolder, PlanError> {
        let name = path.join(PLAN);
        if !name.is_file() {
            return Err(PlanError::new(format!(
                "'{}' has no plan; name the folder that 'boughs shard' was given with --out",
                path.display()
            )));
        }
        Ok(ShardFolder { path: path.to_path_buf(), plan: Plan::open(&name)? })
    }

    /// The plan.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns true if the folder has the whole results of a shard. Damaged results do not count.
    ///
    /// # Errors
    /// If there is no such shard, or its file cannot be read.
    pub fn has(&self, shard: u64) -> Result<bool, PlanError> {
        self.plan.units(shard)?;
        Ok(self.text(shard)?.is_some_and(|text| shard::check(&self.plan, shard, &text).is_ok()))
    }

    /// The shards that have no file.
    pub fn missing(&self) -> Vec<u64> {
        (0..self.plan.shards()).filter(|&shard| !self.path.join(name(shard)).is_file()).collect()
    }

    /// The shards that have no whole results and are still needed: none if a sequential test is decided by the others.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn needed(&self) -> Result<Vec<u64>, PlanError> {
        let mut needed = Vec::new();
        for shard in 0..self.plan.shards() {
            if !self.has(shard)? {
                needed.push(shard);
            }
        }
        match &self.plan.job {
            Job::Games(job) if !needed.is_empty() && job.is_decided(self)? => Ok(Vec::new()),
            _ => Ok(needed),
        }
    }

    /// Keeps the results of a shard. When this returns, they are on the disk.
    ///
    /// # Errors
    /// If the text is something else than the results of this shard, or the disk is full or fails.
    pub fn put(&self, shard: u64, text: &str) -> Result<(), PlanError> {
        shard::check(&self.plan, shard, text)?;
        let name = name(shard);
        self.write(&name, text).map_err(|error| {
            PlanError::new(format!(
                "'{}' cannot be written: {error}; make room or name another folder",
                self.path.join(&name).display()
            ))
        })
    }

    /// The results of a shard; `None` if it has no file.
    ///
    /// # Errors
    /// If the file cannot be read or is damaged.
    pub(crate) fn results<T: DeserializeOwned>(&self, shard: u64) -> Result<Option<Vec<T>>, PlanError> {
        let Some(text) = self.text(shard)? else { return Ok(None) };
        let lines = shard::lines(&self.plan, shard, &text)?;
        let read = |line: &str| {
            serde_json::from_str(line).map_err(|error| {
                PlanError::new(format!("shard {shard} is damaged: {error}; delete its file and run it again"))
            })
        };
        lines.into_iter().map(read).collect::<Result<Vec<T>, PlanError>>().map(Some)
    }

    /// The results of all shards, in their order.
    ///
    /// # Errors
    /// If a shard is missing or damaged.
    pub(crate) fn all<T: DeserializeOwned>(&self) -> Result<Vec<T>, PlanError> {
        let mut all = Vec::new();
        for shard in 0..self.plan.shards() {
            all.extend(self.results(shard)?.ok_or_else(|| self.incomplete())?);
        }
        Ok(all)
    }

    /// The error of a folder in which shards are missing.
    pub(crate) fn incomplete(&self) -> PlanError {
        let (missing, all) = (self.missing(), self.plan.shards());
        PlanError::new(format!(
            "{} of {all} shards are missing: {}; run them with 'boughs shard {} --id NUMBER --out {}'",
            missing.len(),
            as_list(&missing),
            self.path.join(PLAN).display(),
            self.path.display()
        ))
    }

    fn text(&self, shard: u64) -> Result<Option<String>, PlanError> {
        let path = self.path.join(name(shard));
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) if error.kind() == ErrorKind::InvalidData => Ok(Some(String::new())),
            Err(error) => Err(PlanError::new(format!("'{}' cannot be read: {error}", path.display()))),
        }
    }

    /// Writes a file of the folder, whole or not at all, and removes what was left of attempts that were killed.
    fn write(&self, name: &str, text: &str) -> io::Result<()> {
        let mut builder = tempfile::Builder::new();
        let prefix = format!(".{name}-");
        builder.prefix(&prefix).suffix(PART);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut part = builder.tempfile_in(&self.path)?;
        part.write_all(text.as_bytes())?;
        part.as_file().sync_all()?;
        let target = self.path.join(name);
        if let Err(failed) = part.persist(&target) {
            // Another process that has written the same file has removed this part of it.
            if failed.error.kind() != ErrorKind::NotFound || !target.is_file() {
                return Err(failed.error);
            }
        }
        self.sync()?;
        for entry in fs::read_dir(&self.path)?.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(&prefix) && name.ends_with(PART) {
                _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }

    /// Writes the names of the folder to the disk, where the system can.
    fn sync(&self) -> io::Result<()> {
        if cfg!(unix) { File::open(&self.path)?.sync_all() } else { Ok(()) }
    }
}

/// Name of the file of a shard.
fn name(shard: u64) -> String {
    format!("shard-{shard:06}.jsonl")
}

/// Numbers as Slurm reads them: `3,7-12,40`.
pub fn as_list(numbers: &[u64]) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let text = |&(first, last): &(u64, u64)| match last - first {
        0 => first.to_string(),
        _ => format!("{first}-{last}"),
    };
    runs.iter().map(text).collect::<Vec<_>>().join(",")
}
