//! The folder of a plan and the results of its shards.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use boughs::named_file::is_stream;
use boughs::notation::counted;
use serde::de::DeserializeOwned;

use crate::{Job, Plan, PlanError, shard};

/// Name of the plan in its folder.
const PLAN: &str = "plan.json";

/// Ending of a file that is not yet complete.
const PART: &str = ".part";

/// The time after which nothing writes a part any more.
const LONGEST_WRITE: Duration = Duration::from_secs(3600);

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
    /// If the folder cannot be made or does not take the plan, or has another plan.
    pub fn of(path: &Path, plan: Plan) -> Result<ShardFolder, PlanError> {
        let fault = |error: io::Error| {
            let reason = reason(&error);
            PlanError::new(format!("'{}' cannot be used as a folder: {reason}; name another folder", path.display()))
        };
        if !path.is_dir() {
            fs::create_dir_all(path).map_err(fault)?;
            sync(path.parent().filter(|parent| parent.is_dir()).unwrap_or(Path::new("."))).map_err(fault)?;
        }
        let folder = ShardFolder { path: path.to_path_buf(), plan };
        let name = path.join(PLAN);
        if !name.exists() {
            folder.write(PLAN, &folder.plan.text(), &|| name.exists()).map_err(fault)?;
        }
        if Plan::open(&name)?.checksum() != folder.plan.checksum() {
            let path = path.display();
            return Err(PlanError::new(match folder.missing().len() as u64 == folder.plan.shards() {
                true => format!("'{path}' has another plan and no shard; delete it or name another folder"),
                false => format!("'{path}' has the shards of another plan; name another folder"),
            }));
        }
        Ok(folder)
    }

    /// Checks that results can be kept, so that work that could not be is not begun.
    ///
    /// # Errors
    /// If nothing can be written to the folder.
    pub fn check_writable(&self) -> Result<(), PlanError> {
        tempfile::tempfile_in(&self.path).map(drop).map_err(|error| {
            let (path, reason) = (self.path.display(), reason(&error));
            PlanError::new(format!("'{path}' cannot be written to: {reason}; name another folder"))
        })
    }

    /// Checks that all shards are there that are needed to put the results together.
    ///
    /// # Errors
    /// If some are missing, or a file cannot be read.
    pub fn check_complete(&self) -> Result<(), PlanError> {
        let missing = self.missing();
        // Shards after the decision of a sequential test are not needed.
        if missing.is_empty() || self.needed()?.is_empty() { Ok(()) } else { Err(self.incomplete()) }
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

    /// Returns true if the folder has the whole results of a shard. Results that are damaged or do not fit the plan do
    /// not count.
    ///
    /// # Errors
    /// If there is no such shard, or its file cannot be read.
    pub fn has(&self, shard: u64) -> Result<bool, PlanError> {
        self.plan.units(shard)?;
        Ok(self.text(shard)?.is_some() && self.plan.job.check_results(self, shard).is_ok())
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
            Job::Games(job) if !needed.is_empty() => {
                let test = job.running_test()?;
                let is_decided = test.map_or(Ok(false), |mut test| test.is_decided(self))?;
                Ok(if is_decided { Vec::new() } else { needed })
            }
            _ => Ok(needed),
        }
    }

    /// Keeps the results of a shard, unless the folder has some already. When this returns, they are on the disk.
    ///
    /// # Errors
    /// If the text is something else than the results of this shard, or the disk is full or fails.
    pub fn put(&self, shard: u64, text: &str) -> Result<(), PlanError> {
        shard::check(&self.plan, shard, text)?;
        let (name, is_there) = (name(shard), || self.has(shard).unwrap_or(false));
        if is_there() {
            return Ok(());
        }
        self.write(&name, text, &is_there).map_err(|error| {
            let path = self.path.join(&name);
            PlanError::new(format!(
                "'{}' cannot be written: {}; make room or name another folder",
                path.display(),
                reason(&error)
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
            serde_json::from_str(line).map_err(|error| shard::damaged(shard, &format!("is damaged: {error}")))
        };
        lines.into_iter().map(read).collect::<Result<Vec<T>, PlanError>>().map(Some)
    }

    /// The results of all shards, in their order.
    ///
    /// # Errors
    /// If a shard is missing or damaged.
    pub(crate) fn all<T>(
        &self,
        results: impl Fn(u64) -> Result<Option<Vec<T>>, PlanError>,
    ) -> Result<Vec<T>, PlanError> {
        let mut all = Vec::new();
        for shard in 0..self.plan.shards() {
            all.extend(results(shard)?.ok_or_else(|| self.incomplete())?);
        }
        Ok(all)
    }

    /// The error of a folder in which shards are missing.
    pub(crate) fn incomplete(&self) -> PlanError {
        let (missing, all) = (self.missing(), self.plan.shards());
        PlanError::new(format!(
            "missing: {} of {}, {}; run them with 'boughs shard {} --id NUMBER --out {}'",
            missing.len(),
            counted(all, "shards"),
            as_list(&missing),
            self.path.join(PLAN).display(),
            self.path.display()
        ))
    }

    fn text(&self, shard: u64) -> Result<Option<String>, PlanError> {
        let path = self.path.join(name(shard));
        if is_stream(&path) {
            return Err(PlanError::new(format!("'{}' is no regular file; move it away", path.display())));
        }
        match fs::read_to_string(&path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) if error.kind() == ErrorKind::InvalidData => Ok(Some(String::new())),
            Err(error) => Err(PlanError::new(format!("'{}' cannot be read: {error}", path.display()))),
        }
    }

    /// Writes a file of the folder, whole or not at all. If another process has written it meanwhile, so that
    /// `is_there` is true, its file stays.
    fn write(&self, name: &str, text: &str, is_there: &dyn Fn() -> bool) -> io::Result<()> {
        let prefix = format!(".{name}-");
        let write = || -> io::Result<()> {
            let mut builder = tempfile::Builder::new();
            builder.prefix(&prefix).suffix(PART);
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut part = builder.tempfile_in(&self.path)?;
            part.write_all(text.as_bytes())?;
            part.as_file().sync_all()?;
            let target = self.path.join(name);
            // The first one to write a file wins. One that is damaged is replaced.
            if let Err(failed) = part.persist_noclobber(&target)
                && !is_there()
            {
                failed.file.persist(&target)?;
            }
            sync(&self.path)
        };
        match write() {
            Err(error) if !is_there() => return Err(error),
            _ => self.remove_old_parts(&prefix),
        }
        Ok(())
    }

    /// Removes what attempts that were killed have left long ago. Parts that are young may be of processes that live.
    fn remove_old_parts(&self, prefix: &str) {
        let is_old = |file: &fs::DirEntry| {
            let changed = file.metadata().and_then(|file| file.modified());
            changed.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > LONGEST_WRITE))
        };
        for file in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            let name = file.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(prefix) && name.ends_with(PART) && is_old(&file) {
                _ = fs::remove_file(file.path());
            }
        }
    }
}

/// Writes the names in a folder to the disk, where the system can.
fn sync(folder: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(folder)?.sync_all() {
        // Some file systems of networks do not know this.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}

/// The reason of an error, without the name of a part.
fn reason(error: &io::Error) -> String {
    error.raw_os_error().map_or_else(|| error.kind().to_string(), |code| io::Error::from_raw_os_error(code).to_string())
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
