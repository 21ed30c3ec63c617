//! Random playouts without a tree.

use boughs::Game;
use boughs_lab::no_tree::no_tree_baseline;

use super::{Engine, Outcome, Role, Task};

pub(super) struct Roof;

impl Engine for Roof {
    const NAME: &'static str = "roof";
    const ROLE: Role = Role::Roof;
    const SETTINGS: &'static str = "random playouts from the start, no tree: what any engine could reach at most";

    fn run<G: Game>(start: &G, task: &Task) -> Result<Outcome, String> {
        let made = no_tree_baseline(start, u64::from(task.playouts), task.threads);
        let (playouts, search) = made.map_err(|error| error.to_string())?;
        Ok(Outcome { playouts, ..Outcome::of(task, search, None::<G::Action>) })
    }
}
