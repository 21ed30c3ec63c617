//! `boughs merge`: the results of all shards of a plan, put together.

use std::path::{Path, PathBuf};
use std::time::Duration;

use boughs::notation::counted;
use boughs_arena::Store;
use boughs_shards::{CasesJob, ContestKind, GamesJob, Job, LearnJob, ScaleJob, ShardFolder, as_list};
use serde::Serialize;

use super::{learn, scale};
use crate::args;
use crate::bests::Bests;
use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::program;
use crate::progress::Live;
use crate::show::contest::Played;
use crate::show::judging::{self, Judged, Judgement};
use crate::show::matches::{self, MatchReport};
use crate::show::tournament::{self, TournamentReport};

/// Put the shards of a plan together
///
/// The results are those of one machine: the store gets the games in the order of their numbers, and the statistics are
/// those of the command that wrote the plan. With --sprt games count in this order too, and games after the decision
/// are left out; shards that only have such games need not be there. Merging again adds nothing to a store.
///
/// 'boughs tune' and 'boughs learn' plan one stage or round at a time: after the merge the same command with --plan
/// writes the next plan, until nothing is left to plan.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  boughs match nim flat random --games 3 --plan p && boughs shard p --id 0 --out d && \
                  boughs merge d"
)]
pub(crate) struct Args {
    /// The folder that 'boughs shard' was given with --out
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Store for the games, the best scores of cases, or the measurement of scaling; a stage of 'tune' needs one
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Folder for the files of 'scale', or the file of weights of 'learn'
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
    /// Print the numbers of the shards that are missing, as Slurm's --array takes them, and do nothing else
    #[arg(long, conflicts_with_all = ["store", "out", "json"])]
    missing: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let folder = ShardFolder::open(&self.folder)?;
        if self.missing {
            return print(&format!("{}\n", as_list(&folder.needed()?)));
        }
        // A store gets nothing before everything is there.
        folder.check_complete()?;
        match &folder.plan().job {
            Job::Games(job) => self.games(&folder, job),
            Job::Cases(job) => self.cases(&folder, job),
            Job::Scale(job) => self.rounds(&folder, job),
            Job::Learn(job) => self.lessons(&folder, job),
        }
    }

    /// Refuses an argument that this kind of plan has no use for.
    fn refuse(&self, name: &str, given: Option<&Path>) -> Result<(), Failure> {
        match given {
            Some(_) => Err(Failure::new(format!("a plan of this kind has no use for {name}; leave it out"))),
            None => Ok(()),
        }
    }

    fn games(&self, folder: &ShardFolder, job: &GamesJob) -> Result<(), Failure> {
        self.refuse("--out", self.out.as_deref())?;
        if job.kind == ContestKind::Tune && self.store.is_none() {
            return Err(Failure::new("a stage of a tuning is for the store of 'boughs tune'; name it with --store"));
        }
        let mut store = match &self.store {
            Some(path) => Store::open(path)?,
            None => Store::in_memory()?,
        };
        let command = folder.plan().command_with_store(self.store.as_deref());
        let live = Live::new(Some(job.games));
        let merged = job.merge(folder, &mut store, &command, args::replay, &mut |games| live.show(games, String::new));
        let (contest, progress) = merged?;
        drop(live);
        let played = Played { contest: &contest, progress, load: None, command: &command, interrupted: false };
        match job.kind {
            ContestKind::Match => {
                let report = MatchReport::new(&played, job.test()?, job.asked());
                if self.json { print_json(&report) } else { print(&matches::text(&report)) }?;
            }
            ContestKind::Tournament => {
                let report = TournamentReport::new(&played, job.gauntlet);
                if self.json { print_json(&report) } else { print(&tournament::text(&report)) }?;
            }
            ContestKind::Tune => {
                let games = progress.kept + progress.games;
                if self.json {
                    print_json(&MergedStage { games, new: progress.games, command: &command })?;
                } else {
                    print(&format!(
                        "the store has the stage, {}; the command that planned it plans the next one\n",
                        counted(games, "games")
                    ))?;
                }
            }
        }
        drop(contest);
        Ok(store.close()?)
    }

    fn cases(&self, folder: &ShardFolder, job: &CasesJob) -> Result<(), Failure> {
        self.refuse("--out", self.out.as_deref())?;
        let (contestant, settings) = (job.contestant()?, job.settings());
        let verdicts = job.merge(folder)?;
        let command = folder.plan().command_with_store(self.store.as_deref());
        let mut bests = Bests::open(self.store.as_deref(), &job.game, &contestant, command)?;
        let mut judged: Vec<Judged> = Vec::new();
        let mut took = Duration::ZERO;
        for (named, verdict) in &verdicts {
            let before = bests.compare(named, verdict)?;
            judged.push(Judged::of(named, verdict, before, judged.last()));
            took += verdict.time;
        }
        bests.close(None)?;
        let judgement = Judgement::new(&job.game, &contestant, &settings, judged, false, took);
        if self.json { print_json(&judgement) } else { print(&judging::text(&judgement)) }?;
        judgement.check()
    }

    fn rounds(&self, folder: &ShardFolder, job: &ScaleJob) -> Result<(), Failure> {
        let out = self.out.as_deref().ok_or_else(|| Failure::new("--out is missing; name a folder for the files"))?;
        let command = folder.plan().command_with_store(self.store.as_deref());
        let report = job.merge(folder, format!("{command} --out {}", program::quoted(out.as_os_str())))?;
        scale::keep(&report, out, self.store.as_deref(), self.json)
    }

    fn lessons(&self, folder: &ShardFolder, job: &LearnJob) -> Result<(), Failure> {
        self.refuse("--store", self.store.as_deref())?;
        let out = self.out.as_deref();
        let out = out.ok_or_else(|| Failure::new("--out is missing; name the file of weights of 'boughs learn'"))?;
        learn::keep_round(job, &job.merge(folder)?, out, self.json)
    }
}

/// The output of `--json` for a stage of a tuning.
#[derive(Serialize)]
struct MergedStage<'a> {
    games: u64,
    /// Games that the store did not have before.
    new: u64,
    /// The command that goes on with the tuning.
    command: &'a str,
}
