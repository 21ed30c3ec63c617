//! The path that a match and a tournament share, from the conditions to the page.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use boughs::notation::counted;
use boughs_arena::{Conditions, Contest, Contestant, LoadMeter, MOST_GAMES, News, PairScore, Record, sgf};
use boughs_games::StartedGame;
use boughs_pages::{ContestPage, PageError};
use boughs_shards::{ContestKind, GamesJob, Job};

use crate::args;
use crate::failure::Failure;
use crate::folder::Folder;
use crate::output::print;
use crate::progress::Live;
use crate::show::contest::{Played, changed_files_warning, load_text};
use crate::show::game::play_only;
use crate::{interrupt, named_file, program};

/// The arguments of a contest.
#[derive(clap::Args)]
pub(super) struct ContestArgs {
    #[command(flatten)]
    conditions: args::ConditionArgs,
    #[command(flatten)]
    results: args::ResultArgs,
    #[command(flatten)]
    page: args::PageArgs,
    #[command(flatten)]
    plan: args::PlanArgs,
    /// Play only the game with this number, counted from 0, and show its moves; it is not kept
    #[arg(long, value_name = "N", value_parser = args::whole_within(0, MOST_GAMES - 1), conflicts_with = "html")]
    only: Option<u64>,
    /// Write each game that is played to this folder, as game-NUMBER.sgf; go, hex and othello
    #[arg(long, value_name = "DIR", conflicts_with = "only")]
    sgf: Option<PathBuf>,
}

/// The number of rounds of a contest.
pub(super) struct Length {
    pub(super) rounds: u64,
    /// The number of games, if it is known beforehand.
    pub(super) games: Option<u64>,
}

/// The parts of a contest in which a match and a tournament differ.
pub(super) trait Kind {
    /// The kind, under which a store keeps the contest.
    fn kind(&self) -> ContestKind;

    /// Checks the number of players, and adds the test that ends a match.
    fn prepare<'s>(&self, contest: Contest<'s>) -> Result<Contest<'s>, Failure>;

    /// The number of rounds to play.
    fn length(&self, contest: &Contest<'_>) -> Length;

    /// The number of games that `--only` may choose from, if the command line says how many there are.
    fn numbered(&self, contest: &Contest<'_>) -> Option<u64>;

    /// The warning that more games are played than were asked for, if they are more.
    fn rounding(&self, _: &Contest<'_>) -> Option<String> {
        None
    }

    /// The standings while games are played, in a few lines.
    fn standings(&self, conditions: &Conditions, scores: &[PairScore]) -> String;

    /// Adds the results of this kind to the page and writes it.
    fn write_page(&self, page: ContestPage<'_>, out: &mut dyn Write) -> Result<(), PageError>;

    /// Adds the test of a match, or the gauntlet of a tournament, to a plan of games.
    fn job(&self, conditions: &Conditions, games: u64) -> Result<GamesJob, Failure>;

    /// Prints the results.
    fn print(&self, played: &Played<'_>, json: bool) -> Result<(), Failure>;
}

/// A folder for games as SGF.
struct SgfFolder {
    folder: Folder,
    start: StartedGame,
    contestants: Vec<String>,
    /// The fault of the first game that cannot be written. It does not end the contest.
    written: Result<(), Failure>,
}

impl SgfFolder {
    fn at(path: &Path, conditions: &Conditions) -> Result<SgfFolder, Failure> {
        let start = boughs_games::start(&conditions.game)?;
        sgf::check(start.entry.name)?;
        let contestants = conditions.contestants.iter().map(Contestant::to_string).collect();
        Ok(SgfFolder { folder: Folder::at(path, &[])?, start, contestants, written: Ok(()) })
    }

    fn add(&mut self, record: &Record) {
        if self.written.is_ok() {
            let path = self.folder.path(&format!("game-{}.sgf", record.number));
            let text = sgf::write_record(&self.start, record, &self.contestants).map_err(Failure::from);
            self.written = text.and_then(|text| named_file::write(&path, &text));
        }
    }
}

impl ContestArgs {
    /// Plays the contest, or only one game of it, and prints the results.
    pub(super) fn run(
        &self,
        game: &str,
        contestants: Vec<Contestant>,
        pairings: Vec<[usize; 2]>,
        kind: &dyn Kind,
    ) -> Result<(), Failure> {
        let conditions = self.conditions.conditions(game, contestants, pairings)?;
        if let Some(number) = self.only {
            self.plan.check(&[("--only", true)])?;
            return self.play_only(&Contest::new(conditions)?, number, kind);
        }
        self.plan.check(&[
            ("--store", self.results.has_store()),
            ("--html", self.page.is_given()),
            ("--sgf", self.sgf.is_some()),
            ("--concurrency", self.results.has_concurrency()),
        ])?;
        let command = program::command_line();
        let page = self.page.file()?;
        let mut contest = kind.prepare(Contest::new(conditions)?)?;
        let planned = || {
            let games = kind.length(&contest).games;
            let games =
                games.ok_or_else(|| Failure::new("--plan needs --games beside --sprt: the most games to play"))?;
            Ok(Job::Games(kind.job(contest.conditions(), games)?))
        };
        let rounding = kind.rounding(&contest);
        if self.plan.write(planned, self.results.json)? {
            return match rounding.filter(|_| !self.results.json) {
                Some(warning) => print(&format!("warning: {warning}\n")),
                None => Ok(()),
            };
        }
        let mut store = self.results.store_for(page.as_ref())?;
        if let Some(store) = &mut store {
            contest = contest.keep_in(store, kind.kind().name(), &command, args::replay)?;
        }
        let Length { rounds, games } = kind.length(&contest);
        let tables = self.results.tables(contest.conditions());
        let stop = interrupt::stops_search();
        let meter = LoadMeter::new();
        let live = Live::new(games);
        let conditions = contest.conditions().clone();
        let mut sgf = self.sgf.as_deref().map(|folder| SgfFolder::at(folder, &conditions)).transpose()?;
        let progress = contest.play(rounds, tables, &stop, &mut |News { record, standings, progress }| {
            if let Some(sgf) = &mut sgf {
                sgf.add(record);
            }
            live.show(progress.kept + progress.games, || kind.standings(&conditions, standings));
            ControlFlow::Continue(())
        })?;
        drop(live);
        let interrupted = stop.is_raised();
        if interrupted && progress.kept + progress.games == 0 {
            return Err(Failure::new("interrupted before the first game was over, so there is nothing to report"));
        }
        let load = meter.read();
        let mut written = Ok(());
        if let Some(page) = page {
            let changed = changed_files_warning(contest.changed_files());
            let notes: Vec<String> = changed.into_iter().chain(rounding).chain(load.map(load_text)).collect();
            let filled = ContestPage { notes: &notes, ..ContestPage::of(&contest, &command) };
            written = page.write(|out| Ok(kind.write_page(filled, out)?));
        }
        // A page that cannot be written does not take the results with it.
        kind.print(&Played { contest: &contest, progress, load, command: &command, interrupted }, self.results.json)?;
        written.and_then(|()| sgf.map_or(Ok(()), |sgf| sgf.written))
    }

    /// Plays the game of `--only`.
    fn play_only(&self, contest: &Contest<'_>, number: u64, kind: &dyn Kind) -> Result<(), Failure> {
        match kind.numbered(contest) {
            Some(games) if number >= games => Err(Failure::new(format!(
                "--only {number} is outside of the plan, which has {}; give a number from 0 to {}",
                counted(games, "games"),
                games.saturating_sub(1)
            ))),
            _ => play_only(contest, number, self.results.json),
        }
    }
}
