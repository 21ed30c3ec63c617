//! `boughs judge`: the cases of a contest, played and scored.

use std::ops::{ControlFlow, Range};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use boughs_arena::judge::{CaseVerdict, Cases, JudgeSettings, NamedCase, judge};
use boughs_arena::{Contestant, Edition, Limit, Program};
use boughs_games::ahc015::Ahc015;
use boughs_games::{NamedGame as _, start};
use boughs_pages::cases::{MOST_SHOWN, ShownCase, page};
use boughs_shards::{CasesJob, Job};

use crate::bests::Bests;
use crate::failure::Failure;
use crate::named_file::NamedFile;
use crate::output::{print, print_json};
use crate::progress::Live;
use crate::show::judging::{Judged, Judgement, live_rows, text};
use crate::{args, interrupt, program};

/// Time for a case without `--time`, as in the contest.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// The part of the time that an agent leaves without `--margin`, as a divisor.
const MARGIN: u32 = 20;

/// Seeds without `--seeds` and `--cases`.
const DEFAULT_SEEDS: Range<u64> = 0..100;

/// The most cases of a run.
const MOST_CASES: u64 = 1_000_000;

/// Play the cases of a contest and print the score of each
///
/// An agent or any program plays each case by the rules of the contest. A program is started anew for each case, speaks
/// the protocol of the contest (docs/PROTOCOL.md) and is timed from outside; a program that breaks the rules scores 0
/// in that case, for a stated reason, and the run goes on. With --store the best score of each case is remembered, and
/// scores are compared with it.
///
/// Ctrl-C ends the run and prints the results so far.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  boughs judge ahc015 --agent solution2 --seeds 0..20")]
pub(crate) struct Args {
    /// The game of the contest: ahc015
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    agent: args::AgentArgs,
    /// Judge a program instead of an agent, by its command, such as './bot --flag', or its Rust source, as in rs:bot.rs
    #[arg(long, value_name = "COMMAND", value_parser = read_program)]
    #[arg(conflicts_with_all = ["agent", "threads", "memory", "iterations", "margin"])]
    cmd: Option<Program>,
    /// Cases made from these seeds, the last one excluded [default: 0..100]
    #[arg(long, value_name = "A..B", value_parser = seeds, conflicts_with = "cases")]
    seeds: Option<Range<u64>>,
    /// Cases from the files of this folder, as the contest gives them, in the order of their names
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
    /// Time for a whole case [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = args::duration, conflicts_with = "iterations")]
    time: Option<Duration>,
    /// Least time before the limit at which an agent stops searching; wider while threads wake late
    /// [default: a twentieth of the time]
    #[arg(long, value_name = "TIME", value_parser = args::duration, conflicts_with = "iterations")]
    margin: Option<Duration>,
    /// Playouts of an agent for a whole case instead; its scores repeat exactly
    #[arg(long, value_name = "N", value_parser = args::whole(1u64))]
    iterations: Option<u64>,
    /// Cases to play at the same time [default: as many as the cores allow]
    #[arg(long, value_name = "K", value_parser = args::some_threads)]
    concurrency: Option<usize>,
    /// File that remembers the best score of each case (SQLite)
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    #[command(flatten)]
    plan: args::PlanArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write a page that replays the first cases turn by turn
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.check_game()?;
        let (limit, margin) = self.limits()?;
        let contestant = match &self.cmd {
            // AtCoder takes the newest edition.
            Some(program) => Contestant::Program(program.clone().compiled(Edition::E2024)?),
            None => Contestant::Agent(self.agent.spec(Ahc015::NAME)?),
        };
        let cases = match &self.cases {
            Some(folder) => Cases::in_folder(folder)?,
            None => Cases::Seeds(self.seeds.clone().unwrap_or(DEFAULT_SEEDS)),
        };
        // An agent with 0 threads takes all cores.
        let threads = contestant.agent().map_or(1, |agent| match agent.threads() {
            0 => usize::MAX,
            threads => threads,
        });
        let concurrency = self.concurrency.unwrap_or((boughs::run::cores() / threads).max(1));
        let file = self.html.as_deref().map(NamedFile::at).transpose()?;
        file.as_ref().map_or(Ok(()), |file| file.check_store(self.store.as_deref()))?;
        let kept = if file.is_some() { MOST_SHOWN } else { 0 };
        let settings = JudgeSettings { limit, margin, seed: self.agent.seed, concurrency, kept };
        self.plan.check(&[
            ("--store", self.store.is_some()),
            ("--html", self.html.is_some()),
            ("--concurrency", self.concurrency.is_some()),
        ])?;
        let job = || Ok(Job::Cases(CasesJob::new(&self.game, &contestant, &cases, &settings)?));
        if self.plan.write(job, self.json)? {
            return Ok(());
        }
        let mut bests = Bests::open(self.store.as_deref(), &self.game, &contestant, program::command_line())?;

        let stop = interrupt::stops_search();
        let began = Instant::now();
        let mut judged: Vec<Judged> = Vec::new();
        let mut fault = None;
        let live = Live::of(Some(cases.len() as u64), "cases");
        live.show(0, String::new);
        let verdicts = judge(&cases, &contestant, &settings, &stop, &mut |named, verdict| {
            match bests.compare(named, verdict) {
                Ok(before) => judged.push(Judged::of(named, verdict, before, judged.last())),
                Err(error) => {
                    fault = Some(error);
                    return ControlFlow::Break(());
                }
            }
            live.show(judged.len() as u64, || live_rows(&judged));
            ControlFlow::Continue(())
        })?;
        drop(live);
        bests.close(fault)?;
        if judged.is_empty() {
            return Err(Failure::new("interrupted before there was a result"));
        }
        let took = began.elapsed();
        let judgement = Judgement::new(&self.game, &contestant, &settings, judged, stop.is_raised(), took);
        let page = file.map_or(Ok(()), |file| self.write_page(file, &contestant, &verdicts, &judgement));
        // A page that cannot be written does not take the results with it.
        if self.json { print_json(&judgement) } else { print(&text(&judgement)) }?;
        page.and_then(|()| judgement.check())
    }

    fn write_page(
        &self,
        file: NamedFile,
        contestant: &Contestant,
        verdicts: &[(NamedCase, CaseVerdict)],
        judgement: &Judgement,
    ) -> Result<(), Failure> {
        let replays: Vec<String> = verdicts.iter().map(|(named, _)| self.replay(contestant, &named.name)).collect();
        let shown: Vec<ShownCase<'_>> = (verdicts.iter().zip(&judgement.cases).zip(&replays))
            .map(|(((named, verdict), judged), replay)| ShownCase { named, verdict, relative: judged.relative, replay })
            .collect();
        let page = page("AHC015, case by case", &contestant.to_string(), judgement.facts(), &shown);
        file.write(|out| Ok(page.write(out)?))
    }

    fn check_game(&self) -> Result<(), Failure> {
        let name = start(&self.game)?.entry.name;
        match () {
            () if name != Ahc015::NAME => {
                Err(Failure::new(format!("there are no cases of {name} to judge; the game that has some is ahc015")))
            }
            () if self.game != name => {
                Err(Failure::new(format!("a case says all there is to say about {name}; write it without options")))
            }
            () => Ok(()),
        }
    }

    /// The limit of a case, and the margin of an agent before its end.
    fn limits(&self) -> Result<(Limit, Duration), Failure> {
        if let Some(playouts) = self.iterations {
            return Ok((Limit::Playouts(playouts), Duration::ZERO));
        }
        let time = self.time.unwrap_or(DEFAULT_TIME);
        let margin = self.margin.unwrap_or(time / MARGIN);
        if margin >= time {
            return Err(Failure::new(format!(
                "--time {time:?} less a margin of {margin:?} leaves no time; the time must be longer than the margin"
            )));
        }
        Ok((Limit::Time(time), margin))
    }

    /// The command line that plays a case again.
    fn replay(&self, contestant: &Contestant, case: &str) -> String {
        let mut words = vec![program::name().to_string(), "judge".to_string(), self.game.clone()];
        let mut flag = |name: &str, value: String| words.extend([format!("--{name}"), value]);
        match contestant {
            Contestant::Agent(agent) | Contestant::Odds(_, agent) => {
                flag("agent", agent.to_string());
                flag("seed", self.agent.seed.to_string());
            }
            Contestant::Program(program) => {
                flag(
                    "cmd",
                    match program.is_source() {
                        true => contestant.to_string(),
                        false => program::join(program.words()),
                    },
                );
            }
            // A command names none of a store.
            Contestant::Unknown(..) => {}
        }
        match (self.iterations, self.time) {
            (Some(playouts), _) => flag("iterations", playouts.to_string()),
            (None, Some(time)) => flag("time", args::milliseconds(time)),
            (None, None) => {}
        }
        if let Some(margin) = self.margin {
            flag("margin", args::milliseconds(margin));
        }
        match (&self.cases, case.parse::<u64>()) {
            (None, Ok(seed)) => flag("seeds", format!("{seed}..{}", seed.saturating_add(1))),
            (folder, _) => flag("cases", folder.as_deref().unwrap_or(case.as_ref()).display().to_string()),
        }
        program::join(&words)
    }
}

/// Reads the command of a program.
fn read_program(text: &str) -> Result<Program, String> {
    // The prefixes are those of a contestant of a match, and mean the same here.
    let is_prefixed = text.starts_with("cmd:") || text.starts_with("rs:");
    let contestant = if is_prefixed { text.parse() } else { format!("cmd:{text}").parse() };
    match contestant {
        Ok(Contestant::Program(program)) => Ok(program),
        Ok(_) => Err("is no command".to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// Reads a range of seeds.
fn seeds(text: &str) -> Result<Range<u64>, String> {
    let wrong =
        || format!("should be two numbers with the smaller one first, such as 0..200, at most {MOST_CASES} seeds");
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let seeds: Range<u64> = from.parse().map_err(|_| wrong())?..to.parse().map_err(|_| wrong())?;
    let count = seeds.end.saturating_sub(seeds.start);
    if (1..=MOST_CASES).contains(&count) { Ok(seeds) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_a_range_that_is_not_empty() {
        assert_eq!(seeds("0..200"), Ok(0..200));
        assert_eq!(seeds("18446744073709551614..18446744073709551615").map(|seeds| seeds.count()), Ok(1));
        for text in
            ["", "5", "..", "5..5", "6..5", "0..1000001", "-1..3", "a..b", "0...3", "0..=3", "1..18446744073709551616"]
        {
            assert!(seeds(text).is_err(), "{text}");
        }
    }
}
