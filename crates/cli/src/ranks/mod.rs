//! `--mpi`: searches by all ranks of an MPI job.
//!
//! The rank 0 runs the command: it reads the input and prints the result. Each time it searches it tells the others the
//! position and the limits ([`Order`]), and all search together ([`boughs_agents::ranks`]). The others
//! read and print nothing ([`follow`]).
//!
//! Only `mpi.rs` knows MPI, and only the feature `mpi` compiles it.

mod agent;
mod binding;
mod follower;
#[cfg(feature = "mpi")]
mod mpi;
mod order;
mod route;
#[cfg(test)]
mod tests;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use boughs::{Agent, Budget, Report, SearchError, Session, StopFlag, TreeSearch, Turn, Warning};
use boughs_agents::AgentSpec;
use boughs_agents::ranks::{self, Communicator, Terms};
use boughs_arena::harmless_line;
use parking_lot::Mutex;

use self::agent::RankedAgent;
use self::order::Order;
use crate::failure::Failure;

pub(crate) use self::follower::follow;
pub(crate) use self::route::Route;

/// A connection of this rank with all others that searches are told over.
pub(crate) trait Link: Communicator {
    /// Tells all other ranks a text. The rank 0 alone does.
    fn tell(&mut self, text: String);

    /// Waits for the next text of the rank 0. `None` if it gives no sign any more, or the flag is raised.
    fn listen(&mut self, stop: &StopFlag) -> Option<String>;

    /// Marks the end of a search: the next thing that the rank 0 does is to tell a text.
    fn rest(&mut self);

    /// Returns true if no abandoned search goes on.
    fn is_free(&self) -> bool;

    /// Ends the connection, together with all other ranks. The rank 0 tells them a last text, or ends the job if an
    /// abandoned search does not end.
    fn close(self: Box<Self>, last: String);

    /// Ends the processes of all ranks, this one included, with an exit status that is not 0.
    fn abort(self: Box<Self>) -> !;
}

/// The argument for a search by ranks.
#[derive(clap::Args)]
pub(crate) struct RanksArgs {
    /// Search with all ranks of an MPI job, as in 'mpirun -n 4 --bind-to none boughs ... --mpi'. Each rank has a tree;
    /// playouts, threads and memory are those of each. For programs with the feature mpi (docs/CLUSTER.md)
    #[arg(long)]
    pub(crate) mpi: bool,
}

/// The part of this process in a search.
pub(crate) enum Role {
    /// There are no ranks.
    Alone,
    /// The rank 0.
    First(Ranks),
    /// Another rank.
    Other(Box<dyn Link>),
}

impl RanksArgs {
    /// Joins the MPI job that this process belongs to, if the argument is given.
    pub(crate) fn join(&self) -> Result<Role, Failure> {
        if !self.mpi {
            return Ok(Role::Alone);
        }
        // If MPI does not start, the rank 0 may be the one that is gone.
        let link = connect().inspect_err(|failure| {
            if cfg!(feature = "mpi") && is_other_rank() {
                tell(&failure.sentence());
            }
        })?;
        if link.rank() > 0 {
            return Ok(Role::Other(link));
        }
        if link.ranks() == 1 {
            tell(
                "there is one rank, which searches alone; start several by the mpirun of the MPI library that this \
                 program is built with: mpirun -n 4 ...",
            );
        }
        Ok(Role::First(Ranks::of(link)))
    }
}

/// Writes a line to standard error, in one piece, because other ranks write at the same time.
fn tell(line: &str) {
    let _ = std::io::stderr().write_all(format!("{}\n", harmless_line(line)).as_bytes());
}

/// Tells an error, which most often all ranks find: the rank 0 alone writes it. The others have told their own.
pub(crate) fn tell_once(failure: Failure) -> ExitCode {
    if is_other_rank() { failure.code() } else { failure.tell() }
}

/// Returns true if this process is to be a rank other than the first, as its launcher says.
fn is_other_rank() -> bool {
    let rank = ["OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"].into_iter().find_map(std::env::var_os);
    rank.is_some_and(|rank| rank != "0") && std::env::args_os().any(|word| word == "--mpi")
}

#[cfg(feature = "mpi")]
fn connect() -> Result<Box<dyn Link>, Failure> {
    mpi::connect()
}

#[cfg(not(feature = "mpi"))]
fn connect() -> Result<Box<dyn Link>, Failure> {
    Err(Failure::new(
        "this program is built without MPI; build it with 'cargo build --release --features mpi', which needs an MPI \
         library and libclang (docs/CLUSTER.md)",
    ))
}

/// All ranks, as the rank 0 has them.
#[derive(Clone)]
pub(crate) struct Ranks(Arc<Mutex<Connection>>);

/// The connection of the rank 0.
struct Connection {
    link: Option<Box<dyn Link>>,
    /// True if the last search was abandoned, so that the others are not where this rank is.
    is_abandoned: bool,
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Some(link) = self.link.take() {
            link.close(Order::Quit.text());
        }
    }
}

impl Ranks {
    fn of(mut link: Box<dyn Link>) -> Ranks {
        link.rest();
        Ranks(Arc::new(Mutex::new(Connection { link: Some(link), is_abandoned: false })))
    }

    /// The number of ranks.
    pub(crate) fn number(&self) -> usize {
        self.0.lock().link.as_ref().map_or(1, |link| link.ranks())
    }

    /// Searches with all ranks the position that the route leads to. If some rank was late for the last search and has
    /// not come back since, this one searches alone, and the report says so.
    pub(crate) fn search(
        &self,
        tree: &mut dyn TreeSearch,
        route: &mut Route,
        budget: Budget,
        see: &mut dyn FnMut(&Report),
    ) -> Result<Report, SearchError> {
        // A forced move takes no time alone.
        if is_forced(tree.position(), &budget) {
            return tree.search(budget, see);
        }
        let connection = &mut *self.0.lock();
        let Some(link) = connection.link.as_mut().filter(|link| link.is_free()) else {
            let mut report = tree.search(budget, see)?;
            report.warnings.push(Warning::RankLost);
            return Ok(report);
        };
        if std::mem::take(&mut connection.is_abandoned) {
            // All begin anew, with empty trees.
            let position = tree.position().clone_session();
            tree.reset(&*position)?;
            route.rebuild();
        }
        let terms = Terms::of(&budget);
        link.tell(Order::search(route.next(), &terms).text());
        let link: &mut dyn Link = &mut **link;
        let ended = ranks::search(tree, link, &terms, budget, see);
        link.rest();
        let ended = ended?;
        connection.is_abandoned = ended.is_degraded;
        Ok(ended.report)
    }

    /// Builds a search of the rank 0.
    pub(crate) fn build(position: &dyn Session, agent: &AgentSpec) -> Result<Box<dyn TreeSearch>, SearchError> {
        match agent.settings() {
            Some(settings) => {
                if settings.threads == 0 {
                    binding::warning().iter().for_each(|line| tell(line));
                }
                ranks::build(position, settings, 0)
            }
            None => Err(SearchError::Unsupported {
                reason: format!("ranks search with the agent mcts, and '{agent}' is another"),
                instead: "mcts".to_string(),
            }),
        }
    }
}

/// Returns true if a search ends at once because only one move is legal.
fn is_forced(position: &dyn Session, budget: &Budget) -> bool {
    let has_limit = budget.deadline().is_some() || budget.most_iterations().is_some();
    budget.stops_early() && has_limit && matches!(position.turn(), Turn::Player(_)) && position.legal_moves().len() == 1
}

/// The way in which a command builds its agents: alone, or with all ranks.
#[derive(Clone, Default)]
pub(crate) struct Builder {
    ranks: Option<(Ranks, Arc<Mutex<Route>>)>,
}

impl Builder {
    /// Builds agents that search with all ranks games that are played from the start of this one.
    pub(crate) fn with(ranks: Ranks, game: &str) -> Builder {
        Builder { ranks: Some((ranks, Arc::new(Mutex::new(Route::from(game))))) }
    }

    /// Returns true if agents search with all ranks.
    pub(crate) fn has_ranks(&self) -> bool {
        self.ranks.is_some()
    }

    /// Builds an agent.
    pub(crate) fn build(&self, agent: &AgentSpec, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        match &self.ranks {
            None => agent.build(position),
            Some((ranks, route)) => {
                let search = Ranks::build(position, agent)?;
                route.lock().build(agent);
                Ok(Box::new(RankedAgent { search, ranks: ranks.clone(), route: route.clone() }))
            }
        }
    }

    /// Tells where the agent is: after these moves from the start of a game.
    pub(crate) fn is_at(&self, game: &str, moves: &[u32]) {
        if let Some((_, route)) = &self.ranks {
            route.lock().is_at(game, moves);
        }
    }
}
