//! `boughs match`: the stronger one of two contestants, and how sure that is.

use std::io::Write;

use boughs_arena::statistics::Sprt;
use boughs_arena::{Conditions, Contest, Contestant, MOST_GAMES, PairScore, Referee};
use boughs_games::start;
use boughs_pages::{ContestPage, PageError};
use boughs_shards::{ContestKind, GamesJob};

use super::contest::{ContestArgs, Kind, Length};
use crate::args;
use crate::failure::Failure;
use crate::output::{print, print_json};
use crate::show::contest::{Played, rounding_warning};
use crate::show::matches::{MatchReport, score, text};

/// Games of a match without `--games`.
const DEFAULT_GAMES: u64 = 100;

const HELP: &str = "\
Words:
  Elo    how much stronger A is, with its 95 % interval, from how much pairs of games differ
  nElo   the same in units of the spread of a game, comparable between games and lengths of search
  LOS    likelihood of superiority: the probability that A is stronger at all
  LLR    log-likelihood ratio of the sequential test (--sprt); the test ends at either bound
  pairs  number of pairs of games that brought A 0, 1/2, 1, 3/2 and 2 points

Example:
  boughs match connect4 mcts:c=0.7 mcts --iterations 200 --games 40 --openings random:4";

/// Play two agents or programs against each other and measure which one is stronger
///
/// Games come in pairs with the same opening and the same chance and the seats changed. With --store every game that
/// counts is kept as it ends; the same command goes on where it was interrupted, and with more --games it goes on
/// further. It begins anew, and says so, if a program or a weights file has changed.
///
/// Ctrl-C ends the match and prints the result so far.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    game: args::GameArg,
    /// One side: an agent such as mcts:c=1.2 ('boughs agents' lists them all), or a program that speaks the lines of
    /// docs/PROTOCOL.md, as in 'cmd:./bot --flag', or its Rust source, as in rs:bot.rs, or an engine that speaks GTP,
    /// UGI or UAI, as in 'gtp:gnugo --mode gtp'
    #[arg(value_name = "A")]
    a: Option<Contestant>,
    /// The other side, likewise
    #[arg(value_name = "B")]
    b: Option<Contestant>,
    /// Play the game of this program, a referee by the protocols of cg-brutaltester, as in 'cmd:./referee', or
    /// '3:cmd:./referee' with three seats; GAME is left out then, and A and B are programs
    #[arg(long, value_name = "REFEREE", conflicts_with_all = ["openings", "sgf"])]
    referee: Option<Referee>,
    /// Games to play, in whole pairs [default: 100, no end with --sprt]
    #[arg(long, value_name = "N", value_parser = args::whole_within(1, MOST_GAMES))]
    games: Option<u64>,
    /// Play until it is clear if A is stronger by ELO0 or by ELO1; either answer is wrong in 5 % of matches
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    #[command(flatten)]
    contest: ContestArgs,
}

impl Args {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (game, a, b) = self.sides()?;
        self.contest.run(&game, vec![a, b], vec![[0, 1]], &self)
    }
}

impl Args {
    /// The game and both sides. With a referee the first word is a side and no game.
    fn sides(&self) -> Result<(String, Contestant, Contestant), Failure> {
        let first = &self.game.game;
        let is_game = start(first).is_ok();
        match (&self.referee, &self.a, &self.b) {
            (None, Some(a), Some(b)) => Ok((first.clone(), a.clone(), b.clone())),
            (None, Some(only), None) => Err(Failure::new(format!(
                "a match needs a second side beside {only}; name another agent or program, as in {first} {only} flat"
            ))),
            (None, ..) => Err(Failure::new(format!(
                "a match needs two sides; name two agents or programs, as in {first} mcts flat"
            ))),
            (Some(referee), Some(b), None) if !is_game => Ok((referee.to_string(), first.parse()?, b.clone())),
            (Some(_), a, b) => {
                let surplus = format!("--referee knows the game, so '{first}' is one word too many");
                let surplus = (is_game || b.is_some()).then_some(surplus);
                let missing = match (is_game, a, b) {
                    (true, None, _) => Some("both players are missing"),
                    (true, Some(_), None) | (false, None, _) => Some("the second player is missing"),
                    _ => None,
                };
                let faults: Vec<&str> = surplus.as_deref().into_iter().chain(missing).collect();
                let faults = faults.join(", and ");
                Err(Failure::new(format!("{faults}; give two programs, as in 'cmd:./a' 'cmd:./b'")))
            }
        }
    }
}

impl Kind for Args {
    fn kind(&self) -> ContestKind {
        ContestKind::Match
    }

    fn job(&self, conditions: &Conditions, games: u64) -> Result<GamesJob, Failure> {
        Ok(GamesJob::new(ContestKind::Match, conditions, games, self.sprt, false)?.asked_for(self.games))
    }

    fn prepare<'s>(&self, contest: Contest<'s>) -> Result<Contest<'s>, Failure> {
        match self.sprt {
            Some(_) if contest.players() > 2 => Err(Failure::new(format!(
                "--sprt compares pairs of games, and {} is for {} players; use --games, which gives the difference \
                 with its interval",
                contest.conditions().game,
                contest.players()
            ))),
            Some(test) => Ok(contest.ended_by(test)),
            None => Ok(contest),
        }
    }

    fn length(&self, contest: &Contest<'_>) -> Length {
        let games_a_round = Conditions::games_a_round(contest.players());
        let games = match (self.games, self.sprt) {
            // The test ends the match.
            (None, Some(_)) => return Length { rounds: MOST_GAMES, games: None },
            (games, _) => games.unwrap_or(DEFAULT_GAMES),
        };
        let rounds = games.div_ceil(games_a_round);
        Length { rounds, games: Some(rounds * games_a_round) }
    }

    fn numbered(&self, contest: &Contest<'_>) -> Option<u64> {
        // Without --games, as in the command that a store keeps for each game, every number is a game.
        self.games.and(self.length(contest).games)
    }

    fn rounding(&self, contest: &Contest<'_>) -> Option<String> {
        rounding_warning(self.games?, contest.players())
    }

    fn standings(&self, _: &Conditions, scores: &[PairScore]) -> String {
        score(&scores[0], self.sprt)
    }

    fn write_page(&self, page: ContestPage<'_>, out: &mut dyn Write) -> Result<(), PageError> {
        ContestPage { sprt: self.sprt, ..page }.write(out)
    }

    fn print(&self, played: &Played<'_>, json: bool) -> Result<(), Failure> {
        let report = MatchReport::new(played, self.sprt, self.games);
        if json { print_json(&report) } else { print(&text(&report)) }
    }
}
