//! The run of a shard, and the text of its results.
//!
//! The text has a line for each unit, in the order of their numbers, between a first line that names the plan and a
//! last line with the number of lines and their checksum. So a file that is cut or changed is found out.

use boughs::StopFlag;
use boughs::checksum::Checksum;
use serde::{Deserialize, Serialize};

use crate::{Plan, PlanError, ProgramId};

/// The first line.
#[derive(Serialize, Deserialize)]
struct Head {
    shard: u64,
    plan: String,
    program: ProgramId,
}

/// The last line.
#[derive(PartialEq, Serialize, Deserialize)]
struct Foot {
    lines: u64,
    checksum: String,
}

impl Foot {
    fn of<'l>(lines: impl Iterator<Item = &'l str>) -> Foot {
        let (mut count, mut checksum) = (0, Checksum::default());
        for line in lines {
            count += 1;
            checksum.add(line.as_bytes());
            checksum.add(b"\n");
        }
        Foot { lines: count, checksum: format!("{:016x}", checksum.value()) }
    }
}

/// Runs a shard: its games, cases or rounds, `at_once` at a time. `see` gets the number of units that are done. Returns
/// the text of the results; `None` if `stop` was raised before the end.
///
/// # Errors
/// If the plan has no such shard, the shard cannot be run here, or the files of its contestants differ from those of
/// the plan.
pub fn run(
    plan: &Plan,
    shard: u64,
    at_once: usize,
    stop: &StopFlag,
    see: &mut dyn FnMut(u64),
) -> Result<Option<String>, PlanError> {
    let units = plan.units(shard)?;
    let count = units.end - units.start;
    let lines = plan.job.run(units, at_once.max(1), stop, see)?;
    if (lines.len() as u64) < count {
        return Ok(None);
    }
    let head = Head { shard, plan: plan.checksum().to_string(), program: ProgramId::here().clone() };
    Ok(Some(text(&serde_json::to_string(&head)?, &lines)))
}

/// The text of these lines behind a first one.
pub(crate) fn text(head: &str, lines: &[String]) -> String {
    let foot = Foot::of(lines.iter().map(String::as_str));
    let foot = format!(r#"{{"lines":{},"checksum":"{}"}}"#, foot.lines, foot.checksum);
    let lines = [head].into_iter().chain(lines.iter().map(String::as_str)).chain([foot.as_str()]);
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Checks that a text has the whole results of a shard of a plan.
///
/// # Errors
/// If it does not, for a reason in one sentence.
pub fn check(plan: &Plan, shard: u64, text: &str) -> Result<(), PlanError> {
    lines(plan, shard, text).map(drop)
}

/// The lines of the results of a shard, one for each of its units.
pub(crate) fn lines<'t>(plan: &Plan, shard: u64, text: &'t str) -> Result<Vec<&'t str>, PlanError> {
    let units = plan.units(shard)?;
    let fault = |what: &str| damaged(shard, what);
    let (head, rest) = text.split_once('\n').ok_or_else(|| fault("is cut"))?;
    let head: Head = serde_json::from_str(head).map_err(|_| fault("has no results"))?;
    if head.program != plan.program {
        return Err(fault(&format!("was made by {}, and the plan is of {}", head.program, plan.program)));
    }
    if (head.shard, head.plan.as_str()) != (shard, plan.checksum()) {
        return Err(fault(&format!("has the results of shard {} of the plan {}", head.shard, head.plan)));
    }
    let mut lines: Vec<&str> = rest.strip_suffix('\n').ok_or_else(|| fault("is cut"))?.split('\n').collect();
    let foot: Option<Foot> = lines.pop().and_then(|foot| serde_json::from_str(foot).ok());
    let foot = foot.ok_or_else(|| fault("is cut"))?;
    if foot != Foot::of(lines.iter().copied()) || lines.len() as u64 != units.end - units.start {
        return Err(fault("is damaged"));
    }
    Ok(lines)
}

/// The error of a shard whose file is of no use.
pub(crate) fn damaged(shard: u64, what: &str) -> PlanError {
    PlanError::new(format!("shard {shard} {what}; run it again"))
}
