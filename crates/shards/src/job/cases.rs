//! The cases of a contest.

use std::ops::Range;
use std::time::Duration;

use boughs::StopFlag;
use boughs_arena::judge::{CaseVerdict, Cases, JudgeSettings, NamedCase, judge};
use boughs_arena::{Checksums, Contestant, Edition, Limit, checksums};
use boughs_games::NamedGame as _;
use boughs_games::ahc015::Ahc015;
use serde::{Deserialize, Serialize};

use super::{check_files, check_programs};
use crate::{PlanError, ShardFolder};

/// The most cases of a run.
const MOST_CASES: u64 = 1_000_000;

/// The cases of a contest and what is judged by them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CasesJob {
    /// Name of the game.
    pub game: String,
    contestant: String,
    /// Checksums of the files of the contestant.
    #[serde(skip_serializing_if = "Checksums::is_empty", default)]
    files: Checksums,
    limit: LimitText,
    margin_ns: u64,
    seed: u64,
    cases: CasesText,
}

/// The limit of a case.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LimitText {
    TimeNs(u64),
    Playouts(u64),
}

/// The cases.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum CasesText {
    /// Cases made from seeds.
    Seeds(Range<u64>),
    /// The names of files and their texts.
    Files(Vec<(String, String)>),
}

impl CasesJob {
    /// The cases of this game, judged by these settings.
    ///
    /// # Errors
    /// If a program is not there, whose checksum belongs to the plan.
    pub fn new(
        game: &str,
        contestant: &Contestant,
        cases: &Cases,
        settings: &JudgeSettings,
    ) -> Result<CasesJob, PlanError> {
        let files = checksums(std::slice::from_ref(contestant));
        check_programs(std::iter::once(contestant), &files)?;
        Ok(CasesJob {
            game: game.to_string(),
            contestant: contestant.to_string(),
            files,
            limit: match settings.limit {
                Limit::Time(time) => LimitText::TimeNs(nanos(time)),
                Limit::Playouts(playouts) => LimitText::Playouts(playouts),
            },
            margin_ns: nanos(settings.margin),
            seed: settings.seed,
            cases: match cases {
                Cases::Seeds(seeds) => CasesText::Seeds(seeds.clone()),
                Cases::Files(files) => {
                    CasesText::Files(files.iter().map(|file| (file.name.clone(), file.case.to_string())).collect())
                }
            },
        })
    }

    pub(super) fn units(&self) -> u64 {
        match &self.cases {
            CasesText::Seeds(seeds) => seeds.end.saturating_sub(seeds.start),
            CasesText::Files(files) => files.len() as u64,
        }
    }

    pub(super) fn check(&self) -> Result<(), PlanError> {
        self.contestant()?;
        if let CasesText::Files(_) = self.cases {
            self.cases(0..self.units())?;
        }
        let fault = match self.limit {
            _ if self.game != Ahc015::NAME => "its game has no cases",
            _ if self.units() > MOST_CASES => "it has too many cases",
            LimitText::TimeNs(time) if self.margin_ns >= time => "its margin leaves no time",
            _ => return Ok(()),
        };
        Err(PlanError::new(fault))
    }

    /// Number of cores that one case at a time needs.
    pub(super) fn cores(&self) -> usize {
        let contestant = self.contestant().ok();
        contestant.and_then(|contestant| Some(contestant.agent()?.threads())).map_or(1, boughs::run::threads)
    }

    /// The contestant that is judged.
    ///
    /// # Errors
    /// If this version does not know it.
    pub fn contestant(&self) -> Result<Contestant, PlanError> {
        Ok(self.contestant.parse()?)
    }

    /// The settings of the run.
    pub fn settings(&self) -> JudgeSettings {
        JudgeSettings {
            limit: match self.limit {
                LimitText::TimeNs(time) => Limit::Time(Duration::from_nanos(time)),
                LimitText::Playouts(playouts) => Limit::Playouts(playouts),
            },
            margin: Duration::from_nanos(self.margin_ns),
            seed: self.seed,
            concurrency: 1,
            kept: 0,
        }
    }

    /// The cases with these numbers.
    fn cases(&self, numbers: Range<u64>) -> Result<Cases, PlanError> {
        Ok(match &self.cases {
            CasesText::Seeds(seeds) => Cases::Seeds(seeds.start + numbers.start..seeds.start + numbers.end),
            CasesText::Files(files) => {
                let files = &files[numbers.start as usize..numbers.end as usize];
                let read = |(name, text): &(String, String)| {
                    let case = text.parse().map_err(|error| PlanError::new(format!("case '{name}': {error}")))?;
                    Ok(NamedCase { name: name.clone(), case })
                };
                Cases::Files(files.iter().map(read).collect::<Result<_, PlanError>>()?)
            }
        })
    }

    pub(super) fn run(
        &self,
        numbers: Range<u64>,
        at_once: usize,
        stop: &StopFlag,
        see: &mut dyn FnMut(u64),
    ) -> Result<Vec<String>, PlanError> {
        let mut contestant = self.contestant()?;
        check_files(&self.files, &checksums(std::slice::from_ref(&contestant)))?;
        if let Contestant::Program(program) = contestant {
            contestant = Contestant::Program(program.compiled(Edition::E2024)?);
        }
        let settings = JudgeSettings { concurrency: at_once, ..self.settings() };
        let mut done = 0;
        let verdicts = judge(&self.cases(numbers)?, &contestant, &settings, stop, &mut |_, _| {
            done += 1;
            see(done);
            std::ops::ControlFlow::Continue(())
        })?;
        Ok(verdicts.iter().map(|(_, verdict)| serde_json::to_string(verdict)).collect::<Result<_, _>>()?)
    }

    /// The verdicts of all shards, in the order of their cases.
    ///
    /// # Errors
    /// If a shard is missing or damaged.
    pub fn merge(&self, folder: &ShardFolder) -> Result<Vec<(NamedCase, CaseVerdict)>, PlanError> {
        let cases = self.cases(0..self.units())?;
        let verdicts: Vec<CaseVerdict> = folder.all(|shard| folder.results(shard))?;
        Ok((0..).map_while(|number| cases.get(number)).zip(verdicts).collect())
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
