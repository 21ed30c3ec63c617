//! `boughs tournament`: many contestants, each rated by its games against the others.

use std::io::Write;

use boughs_arena::{Conditions, Contest, Contestant, PairScore};
use boughs_pages::{ContestPage, PageError};
use boughs_shards::{ContestKind, GamesJob};

use super::contest::{ContestArgs, Kind, Length};
use crate::args;
use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::show::contest::Played;
use crate::show::tournament::{TournamentReport, ratings, standings, text};

/// Rounds of each pairing without `--rounds`.
const DEFAULT_ROUNDS: u64 = 50;

/// The most rounds. The games of more could not be counted.
const MOST_ROUNDS: u64 = 1 << 32;

/// Play several agents or programs against each other and rate them
///
/// All play all, or with --gauntlet the first plays all others. In a round two contestants meet twice, with the same
/// opening and chance and the seats changed, and all pairings play a round before the next one begins. Ratings are Elo
/// by the model of Bradley and Terry; their mean is 0, or with --gauntlet the first has 0.
///
/// Ctrl-C ends the tournament and prints the result so far; with --store the same command goes on from there. It begins
/// anew, and says so, if a program or a weights file has changed.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  boughs tournament connect4 mcts mcts:c=0.7 flat --iterations 99 --openings random:4"
)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::GameArg,
    /// Agents such as mcts:c=1.2 ('boughs agents' lists them all), or programs that speak the lines of
    /// docs/PROTOCOL.md, as in 'cmd:./bot --flag', or their Rust sources, as in rs:bot.rs, or engines that speak GTP,
    /// UGI or UAI, as in 'gtp:gnugo --mode gtp'; at least two
    #[arg(value_name = "CONTESTANT")]
    contestants: Vec<Contestant>,
    /// The first plays all others, and they do not play each other
    #[arg(long)]
    gauntlet: bool,
    /// Rounds of each pairing
    #[arg(long, value_name = "N", default_value_t = DEFAULT_ROUNDS, value_parser = args::whole_within(1, MOST_ROUNDS))]
    rounds: u64,
    #[command(flatten)]
    contest: ContestArgs,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.contestants.len() < 2 {
            return Err(Failure::new(format!(
                "a tournament needs two contestants or more, and here {}; name agents or programs, as in {} mcts flat",
                if self.contestants.is_empty() { "is none" } else { "is one" },
                self.game.game
            )));
        }
        self.contest.run(&self.game.game, self.contestants.clone(), self.pairings(), &self)
    }

    fn pairings(&self) -> Vec<[usize; 2]> {
        let count = self.contestants.len();
        let firsts = if self.gauntlet { 1 } else { count };
        (0..firsts).flat_map(|first| (first + 1..count).map(move |second| [first, second])).collect()
    }
}

impl Kind for Args {
    fn kind(&self) -> ContestKind {
        ContestKind::Tournament
    }

    fn job(&self, conditions: &Conditions, games: u64) -> Result<GamesJob, Failure> {
        Ok(GamesJob::new(ContestKind::Tournament, conditions, games, None, self.gauntlet)?)
    }

    fn prepare<'s>(&self, contest: Contest<'s>) -> Result<Contest<'s>, Failure> {
        if contest.players() > 2 {
            return Err(Failure::new(format!(
                "ratings compare pairs of games, and {} is for {} players; 'boughs match' compares two agents in it",
                self.game.game,
                contest.players()
            )));
        }
        Ok(contest)
    }

    fn length(&self, contest: &Contest<'_>) -> Length {
        let games = contest.conditions().games(self.rounds, contest.players());
        Length { rounds: self.rounds, games: Some(games) }
    }

    fn numbered(&self, contest: &Contest<'_>) -> Option<u64> {
        self.length(contest).games
    }

    fn standings(&self, conditions: &Conditions, scores: &[PairScore]) -> String {
        standings(conditions, scores, self.gauntlet)
    }

    fn write_page(&self, page: ContestPage<'_>, out: &mut dyn Write) -> Result<(), PageError> {
        let ratings = ratings(page.contest.conditions(), page.contest.standings(), self.gauntlet);
        ContestPage { ratings: Some(&ratings), ..page }.write(out)
    }

    fn print(&self, played: &Played<'_>, json: bool) -> Result<(), Failure> {
        let report = TournamentReport::new(played, self.gauntlet);
        if json { print_json(&report) } else { print(&text(&report)) }
    }
}
