//! Boughs, whose result depends on the seed alone.

use boughs::{Game, Parallel, Settings};

use super::shared::search;
use super::{Engine, Outcome, Role, Task};

pub(super) struct Batched;

impl Engine for Batched {
    const NAME: &'static str = "boughs-batched";
    const ROLE: Role = Role::Boughs;
    const SETTINGS: &'static str =
        "mcts:threads=T,parallel=batched,batch=64: the same result with any number of threads";

    fn run<G: Game>(start: &G, task: &Task) -> Result<Outcome, String> {
        search(start, task, Settings { parallel: Parallel::Batched, batch: 64, ..Settings::default() })
    }
}
