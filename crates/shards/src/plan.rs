//! A plan: an experiment as plain data, cut into shards.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

use boughs::checksum::Checksum;
use boughs::named_file::read_to_string;
use boughs::notation::counted;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Job, PlanError, ProgramId};

/// Number of games or cases of a shard, where nothing else is asked for.
pub const DEFAULT_SHARD_SIZE: u64 = 20;

/// The most shards of a plan. A file for each has to fit into a folder.
const MOST_SHARDS: u64 = 10_000_000;

/// A plan.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The program that has written the plan. No other one runs its shards.
    pub program: ProgramId,
    /// The words of the command that has written the plan. A call of the Python package is one word.
    pub command: Vec<String>,
    /// Number of units of a shard: games, cases, or rounds. The last shard may have fewer.
    pub shard_size: u64,
    /// The experiment.
    pub job: Job,
    /// See [`checksum`](Plan::checksum).
    #[serde(skip)]
    checksum: OnceLock<String>,
}

impl Plan {
    /// A plan of this program.
    ///
    /// # Errors
    /// If there is nothing to do, or far too many shards would do it.
    pub fn new(command: Vec<String>, shard_size: u64, job: Job) -> Result<Plan, PlanError> {
        let plan = Plan { program: ProgramId::here().clone(), command, shard_size, job, checksum: OnceLock::default() };
        plan.check().map(|()| plan)
    }

    /// Reads the text of a plan that this program has written.
    ///
    /// # Errors
    /// If the text is no plan, or the plan of another program.
    pub fn read(text: &str) -> Result<Plan, PlanError> {
        let value: Value = serde_json::from_str(text).map_err(|error| no_plan(&error))?;
        let program = value.get("program").cloned().unwrap_or_default();
        let program: ProgramId = serde_json::from_value(program).map_err(|_| no_plan(&"it names no program"))?;
        if program != *ProgramId::here() {
            return Err(PlanError::new(format!(
                "the plan is of {program}, and this is {}; use the program that has written the plan, or write \
                 it again",
                ProgramId::here()
            )));
        }
        let plan: Plan = serde_json::from_value(value).map_err(|error| no_plan(&error))?;
        plan.check().map(|()| plan)
    }

    /// Reads the file of a plan that this program has written.
    ///
    /// # Errors
    /// If the file cannot be read, is no plan, or is the plan of another program.
    pub fn open(path: &Path) -> Result<Plan, PlanError> {
        let fault = |error: &dyn std::fmt::Display| PlanError::new(format!("'{}': {error}", path.display()));
        Plan::read(&read_to_string(path).map_err(|error| fault(&error))?).map_err(|error| fault(&error))
    }

    /// Checks that a plan may be written to a file: one that does not exist, or is a plan of any program.
    ///
    /// # Errors
    /// If the file has something else.
    pub fn may_replace(path: &Path) -> Result<(), PlanError> {
        let is_free = fs::metadata(path).map_or(true, |file| !file.is_file() || file.len() == 0);
        let is_plan = || {
            let value: Option<Value> = fs::read(path).ok().and_then(|text| serde_json::from_slice(&text).ok());
            value.is_some_and(|value| ["program", "shard_size", "job"].iter().all(|name| value.get(name).is_some()))
        };
        if is_free || is_plan() {
            return Ok(());
        }
        Err(PlanError::new(format!("'{}' has something else than a plan; name another file", path.display())))
    }

    fn check(&self) -> Result<(), PlanError> {
        self.job.check().map_err(|error| no_plan(&error))?;
        let (units, size) = (self.job.units(), self.shard_size);
        if units == 0 || size == 0 {
            return Err(no_plan(&"it has nothing to do"));
        }
        if units.div_ceil(size) > MOST_SHARDS {
            return Err(PlanError::new(format!(
                "{} in shards of {size} are too many shards; a plan has {MOST_SHARDS} at most, so take larger shards",
                counted(units, self.job.unit_name())
            )));
        }
        Ok(())
    }

    /// The text of the plan.
    pub fn text(&self) -> String {
        // Plain data cannot fail to be written: its maps have texts as keys.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Checksum of everything that the results of the shards depend on. The command is not part of it.
    pub fn checksum(&self) -> &str {
        self.checksum.get_or_init(|| {
            let mut checksum = Checksum::default();
            let parts = (&self.program, self.shard_size, &self.job);
            checksum.add(serde_json::to_string(&parts).unwrap_or_default().as_bytes());
            format!("{:016x}", checksum.value())
        })
    }

    /// Number of shards.
    pub fn shards(&self) -> u64 {
        self.job.units().div_ceil(self.shard_size)
    }

    /// The units of a shard.
    ///
    /// # Errors
    /// If the plan has no shard of this number.
    pub fn units(&self, shard: u64) -> Result<Range<u64>, PlanError> {
        if shard >= self.shards() {
            return Err(PlanError::new(format!(
                "the plan has {}, numbered from 0 to {}, and none with the number {shard}",
                counted(self.shards(), "shards"),
                self.shards() - 1
            )));
        }
        let first = shard * self.shard_size;
        Ok(first..first + self.shard_size.min(self.job.units() - first))
    }

    /// The command that one machine would have been given, with this store.
    pub fn command_with_store(&self, store: Option<&Path>) -> String {
        command_without_plan(&self.command, store)
    }
}

/// The words of a command as a shell reads them, without the plan and with this store: in place of the one that the
/// command names, or else of the plan. A call of the Python package stays as it is.
pub fn command_without_plan(words: &[String], store: Option<&Path>) -> String {
    if let [call] = words {
        return call.clone();
    }
    let is = |word: &str, name: &str| word == name || word.strip_prefix(name).is_some_and(|rest| rest.starts_with('='));
    let place = if words.iter().any(|word| is(word, "--store")) { "--store" } else { "--plan" };
    let mut kept = Vec::new();
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        let is_dropped = is(word, "--plan") || is(word, "--shard-size") || store.is_some() && is(word, "--store");
        if !is_dropped {
            kept.push(word.clone());
            continue;
        }
        if !word.contains('=') {
            rest.next();
        }
        if is(word, place) {
            kept.extend(store.iter().flat_map(|store| ["--store".to_string(), store.display().to_string()]));
        }
    }
    join(&kept)
}

/// The error of something that is no plan.
fn no_plan(error: &dyn std::fmt::Display) -> PlanError {
    PlanError::new(format!("this is no plan: {error}; '--plan FILE' of match and other commands writes one"))
}

/// Words as one line for a shell.
fn join(words: &[String]) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::tests::games;

    fn plan(command: &str, units: u64, size: u64) -> Plan {
        let command = command.split(' ').map(str::to_string).collect();
        Plan::new(command, size, Job::Games(games(units))).expect("a plan")
    }

    #[test]
    fn a_plan_is_read_as_it_was_written_and_by_no_other_program() {
        let plan = plan("boughs match tictactoe", 10, 4);
        let read = Plan::read(&plan.text()).expect("a plan");
        assert_eq!((read.text(), read.checksum()), (plan.text(), plan.checksum()));
        let other = plan.text().replace(&plan.program.checksum, "0123456789abcdef");
        let refused = Plan::read(&other).expect_err("another program").to_string();
        assert!(refused.contains("0123456789abcdef") && refused.contains(&plan.program.checksum), "{refused}");
        for text in ["", "{", "7", "{}", r#"{"program":7}"#] {
            assert!(Plan::read(text).expect_err(text).to_string().contains("no plan"), "{text}");
        }
        let odd = plan.text().replace("shard_size", "shards");
        assert!(Plan::read(&odd).expect_err("another field").to_string().contains("no plan"));
    }

    #[test]
    fn shards_have_every_unit_once() {
        for (units, size) in [(10, 4), (8, 4), (1, 20), (21, 1)] {
            let plan = plan("x", units, size);
            let all: Vec<u64> = (0..plan.shards()).flat_map(|shard| plan.units(shard).expect("a shard")).collect();
            assert_eq!(all, (0..units).collect::<Vec<_>>(), "{units} in shards of {size}");
            assert!(plan.units(plan.shards()).is_err());
        }
    }

    #[test]
    fn a_plan_without_work_is_no_plan() {
        assert!(Plan::new(Vec::new(), 0, Job::Games(games(10))).is_err());
        assert!(Plan::new(Vec::new(), 1, Job::Games(games(0))).is_err());
        assert!(Plan::new(Vec::new(), 1, Job::Games(games(1 << 40))).is_err());
    }

    #[test]
    fn the_command_of_one_machine_names_the_store() {
        let command = |words: &str, store: Option<&str>| plan(words, 10, 4).command_with_store(store.map(Path::new));
        assert_eq!(command("boughs match --plan p.json hex", Some("g.db")), "boughs match --store g.db hex");
        assert_eq!(
            command("boughs match --plan=p.json --shard-size 7 hex", Some("g.db")),
            "boughs match --store g.db hex"
        );
        assert_eq!(command("boughs match hex --shard-size=7 --plan p", None), "boughs match hex");
        assert_eq!(command("boughs tune --store a.db --plan p", Some("b.db")), "boughs tune --store b.db");
        assert_eq!(command("boughs tune --store=a.db --plan p", None), "boughs tune '--store=a.db'");
        assert_eq!(command("boughs.match(game='hex')", Some("g.db")), "boughs.match(game='hex')");
    }
}
