//! `boughs tournament`: many contestants, each rated by its games against the others.

use std::ops::ControlFlow;

use boughs_arena::{Contest, Contestant, LoadMeter, MOST_GAMES, News, Page};

use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::progress::Live;
use crate::show::contest::{load_text, only};
use crate::show::tournament::{TournamentReport, ratings, standings, text};
use crate::terms;

/// Rounds of each pairing where nothing is said about their number.
const DEFAULT_ROUNDS: u64 = 50;

/// More rounds nobody waits for, and their games could not be counted.
const MOST_ROUNDS: u64 = 1 << 32;

/// Play several agents or programs against each other and rate them
///
/// All play all, or with --gauntlet the first plays all others. In a round two meet twice, with the same opening and luck and
/// the seats changed, and all pairings have played a round before the next begins. Ratings are Elo by the model of Bradley and
/// Terry; their mean is 0, or with --gauntlet the first has 0.
///
/// Ctrl-C ends the tournament and prints the result so far; with --store the same command goes on from there.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  boughs tournament connect4 mcts mcts:c=0.7 flat --iterations 200 --rounds 20 --openings random:4"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    /// Agents such as mcts:c=1.2, or programs as in 'cmd:./bot --flag'; two at least
    #[arg(value_name = "CONTESTANT", required = true, num_args = 2.., long_help = terms::contestant_help())]
    contestants: Vec<Contestant>,
    /// The first plays all others, and they do not play each other
    #[arg(long)]
    gauntlet: bool,
    /// Rounds of each pairing
    #[arg(long, value_name = "N", default_value_t = DEFAULT_ROUNDS, value_parser = args::whole_within(1, MOST_ROUNDS))]
    rounds: u64,
    #[command(flatten)]
    terms: terms::Terms,
    #[command(flatten)]
    output: terms::Output,
    #[command(flatten)]
    page: terms::PageOutput,
    /// Play only the game with this number, counted from 0, and show its moves; it counts for nothing and is not kept
    #[arg(long, value_name = "N", value_parser = args::whole_within(0, MOST_GAMES - 1), conflicts_with = "html")]
    only: Option<u64>,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let conditions = self.terms.conditions(&self.game.game, self.contestants.clone(), self.pairings())?;
        if let Some(number) = self.only {
            return only(conditions, number, self.output.json);
        }
        let command = terms::given();
        let page = self.page.file()?;
        let mut contest = Contest::new(conditions)?;
        if contest.players() > 2 {
            return Err(Failure::new(format!(
                "ratings compare pairs of games, and {} is for {} players; 'boughs match' compares two agents in it",
                self.game.game,
                contest.players()
            )));
        }
        let mut store = self.output.store_for(page.as_ref())?;
        if let Some(store) = &mut store {
            contest = contest.keep_in(store, "tournament", &command, terms::replay)?;
        }
        let tables = self.output.tables(contest.conditions());
        let stop = interrupt::stops_search();
        let meter = LoadMeter::new();
        let live = Live::new(Some(contest.conditions().games(self.rounds, contest.players())));
        let conditions = contest.conditions().clone();
        let progress = contest.play(self.rounds, tables, &stop, &mut |News { standings: now, progress, .. }| {
            live.show(progress.kept + progress.games, || standings(&conditions, now, self.gauntlet));
            ControlFlow::Continue(())
        })?;
        drop(live);
        let load = meter.read();
        let report = TournamentReport::new(&contest, self.gauntlet, progress, load, &command, stop.is_raised());
        if let Some(page) = page {
            let ratings = ratings(contest.conditions(), contest.standings(), self.gauntlet);
            let notes: Vec<String> = load.map(load_text).into_iter().collect();
            let filled = Page { ratings: Some(&ratings), notes: &notes, ..Page::of(&contest, &command) };
            page.write(|out| filled.write(out))?;
        }
        if self.output.json { print_json(&report) } else { print(&text(&report)) }
    }

    fn pairings(&self) -> Vec<[usize; 2]> {
        let count = self.contestants.len();
        let firsts = if self.gauntlet { 1 } else { count };
        (0..firsts).flat_map(|first| (first + 1..count).map(move |second| [first, second])).collect()
    }
}
