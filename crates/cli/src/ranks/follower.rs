//! A rank that serves the searches of the rank 0.

use boughs::notation::counted;
use boughs::{Budget, Report, Session, Settings, StopFlag, TreeSearch, Warning};
use boughs_agents::ranks::{self, Terms, seed_of_rank};

use super::order::Order;
use super::route::Leg;
use super::{Link, tell};
use crate::failure::Failure;
use crate::interrupt;

/// Serves all searches until the rank 0 is done. An error ends the job, and is told here.
pub(crate) fn follow(link: Box<dyn Link>) -> Result<(), Failure> {
    let rank = link.rank();
    serve(link).inspect_err(|failure| tell(&format!("rank {rank}: {}", failure.sentence())))
}

fn serve(mut link: Box<dyn Link>) -> Result<(), Failure> {
    let rank = link.rank();
    let mut follower = Follower { rank, search: None };
    loop {
        let stop = interrupt::stops_search();
        let text = match link.listen(&stop) {
            Some(text) => text,
            // A signal ends the rank 0 too.
            None if stop.is_raised() => return Ok(()),
            None => abort(link),
        };
        match serde_json::from_str(&text)? {
            Order::Quit => {
                link.close(String::new());
                return Ok(());
            }
            Order::Search { leg, playouts, microseconds, early_stop } => {
                let search = follower.go(leg)?;
                let terms = Order::terms(playouts, microseconds, early_stop);
                let mut see = |report: &Report| tell_degraded(rank, report);
                let ended = ranks::search(search, &mut *link, &terms, budget(&terms), &mut see)?;
                link.rest();
                if ended.is_degraded {
                    abort(link);
                }
            }
        }
    }
}

/// Ends the job, which has no result.
fn abort(link: Box<dyn Link>) -> ! {
    tell(&format!("rank {} ends the job, because rank 0 gives no sign any more", link.rank()));
    link.abort()
}

/// The budget of a search whose end the rank 0 tells.
fn budget(terms: &Terms) -> Budget {
    let budget = Budget::whole().or_stopped_by(StopFlag::default());
    terms.playouts.map_or(budget.clone(), |playouts| budget.or_iterations(playouts))
}

/// Writes to standard error what this rank knows when the end of a search is late, in case that the rank 0 is gone.
fn tell_degraded(rank: usize, report: &Report) {
    if !report.warnings.contains(&Warning::RankLost) {
        return;
    }
    let best = match &report.best {
        Some(best) => format!("{} by {}", best.text, counted(report.iterations, "playouts")),
        None => "no move".to_string(),
    };
    tell(&format!("rank {rank}: another rank gave no sign in time; the degraded answer of this one: {best}"));
}

/// The search of a rank, which follows that of the rank 0.
struct Follower {
    rank: usize,
    search: Option<Box<dyn TreeSearch>>,
}

impl Follower {
    /// Goes to the position that a leg leads to.
    fn go(&mut self, leg: Leg) -> Result<&mut dyn TreeSearch, Failure> {
        let rank = self.rank;
        match (leg, &mut self.search) {
            (Leg::Build { game, moves, agent, seed }, search) => {
                let settings = Settings { seed, ..agent.parse()? };
                *search = None;
                *search = Some(ranks::build(&*after(&game, &moves)?, &settings, rank)?);
            }
            (Leg::Begin { game, moves, seed }, Some(search)) => {
                search.begin(&*after(&game, &moves)?, seed_of_rank(seed, rank))?;
            }
            (Leg::Reset { game, moves }, Some(search)) => search.reset(&*after(&game, &moves)?)?,
            (Leg::Advance { moves }, Some(search)) => {
                for action in moves {
                    search.advance(action)?;
                }
            }
            (_, None) => return Err(Failure::new("rank 0 and this one run different programs")),
        }
        let search = self.search.as_deref_mut();
        Ok(search.expect("there is one now"))
    }
}

/// The position after moves from the start of a game, which the rank 0 has played.
fn after(game: &str, moves: &[u32]) -> Result<Box<dyn Session>, Failure> {
    let mut position = boughs_games::start(game)?.position;
    moves.iter().for_each(|&action| position.apply(action));
    Ok(position)
}
