//! `boughs match`: which of two is stronger, and how sure that is.

use std::ops::ControlFlow;

use boughs_arena::statistics::Sprt;
use boughs_arena::{Conditions, Contest, Contestant, LoadMeter, MOST_GAMES, News, Page};

use crate::args;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::{print, print_json};
use crate::progress::Live;
use crate::show::contest::{MatchReport, load_text, match_text, only, score};
use crate::terms;

const HELP: &str = "\
Words:
  Elo    how much stronger A is, with its 95 % interval from how much pairs of games differ
  nElo   the same in units of the spread of a game, which makes it comparable between games and lengths of thought
  LOS    how likely it is that A is stronger at all
  LLR    how far a sequential test (--sprt) has come: it ends when one of its bounds is reached
  pairs  how many pairs of games brought A 0, 1/2, 1, 3/2 and 2 points

Example:
  boughs match connect4 mcts:c=0.7 mcts --iterations 200 --games 40 --openings random:4";

/// Play two agents or programs against each other and say which is stronger, and how sure that is
///
/// Games come in pairs with the same opening and the same luck and the seats changed. With --store every game is kept as it
/// ends; the same command goes on where it was interrupted, and with more --games it goes on further.
///
/// Ctrl-C ends the match and prints the result so far.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::Game,
    /// One side: an agent such as mcts:c=1.2, or a program as in 'cmd:./bot --flag'
    #[arg(value_name = "A", long_help = terms::contestant_help())]
    a: Contestant,
    /// The other side, likewise
    #[arg(value_name = "B")]
    b: Contestant,
    /// Games to play, in whole pairs [default: 100, no end with --sprt]
    #[arg(long, value_name = "N", value_parser = args::whole_within(1, MOST_GAMES))]
    games: Option<u64>,
    /// Play until it is clear whether A is stronger by ELO0 or by ELO1; either answer is wrong in 5 % of matches
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
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
        let conditions = self.terms.conditions(&self.game.game, vec![self.a.clone(), self.b.clone()], vec![[0, 1]])?;
        if let Some(number) = self.only {
            return only(conditions, number, self.output.json);
        }
        let command = terms::given();
        let page = self.page.file()?;
        let mut contest = Contest::new(conditions)?;
        if self.sprt.is_some() && contest.players() > 2 {
            return Err(Failure::new(format!(
                "--sprt compares pairs of games, and {} is for {} players; use --games, which gives the difference with its interval",
                self.game.game,
                contest.players()
            )));
        }
        if let Some(test) = self.sprt {
            contest = contest.ended_by(test);
        }
        let mut store = self.output.store_for(page.as_ref())?;
        if let Some(store) = &mut store {
            contest = contest.keep_in(store, "match", &command, terms::replay)?;
        }
        let games_a_round = Conditions::games_a_round(contest.players());
        let rounds = match (self.games, self.sprt) {
            (Some(games), _) => games.div_ceil(games_a_round),
            // The test ends it.
            (None, Some(_)) => MOST_GAMES,
            (None, None) => DEFAULT_GAMES.div_ceil(games_a_round),
        };
        let tables = self.output.tables(contest.conditions());
        let stop = interrupt::stops_search();
        let meter = LoadMeter::new();
        let live =
            Live::new(self.games.or(self.sprt.is_none().then_some(DEFAULT_GAMES)).map(|_| rounds * games_a_round));
        let progress = contest.play(rounds, tables, &stop, &mut |News { standings, progress, .. }| {
            live.show(progress.kept + progress.games, || score(&standings[0], self.sprt));
            ControlFlow::Continue(())
        })?;
        drop(live);
        let load = meter.read();
        let report = MatchReport::new(&contest, self.sprt, progress, load, &command, stop.is_raised());
        if let Some(page) = page {
            let notes: Vec<String> = load.map(load_text).into_iter().collect();
            let filled = Page { sprt: self.sprt, notes: &notes, ..Page::of(&contest, &command) };
            page.write(|out| filled.write(out))?;
        }
        if self.output.json { print_json(&report) } else { print(&match_text(&report)) }
    }
}

/// Games of a match where nothing is said about their number.
const DEFAULT_GAMES: u64 = 100;
