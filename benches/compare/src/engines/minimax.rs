//! `minimax` 0.6: its Monte Carlo tree search.

use std::marker::PhantomData;

use boughs::Game;
use boughs_lab::measure::Timed;
use minimax::{MCTSOptions, MonteCarloTreeSearch, RolloutPolicy, Strategy, Winner};
use rand_of_minimax::rngs::SmallRng;

use super::{Engine, Outcome, Role, Task};
use crate::position::Position;

pub(super) struct Minimax;

impl Engine for Minimax {
    const NAME: &'static str = "minimax";
    const ROLE: Role = Role::Rival;
    const SETTINGS: &'static str = "minimax 0.6.0: with_rollouts_before_expanding(1), with_num_threads(T); its own \
        virtual loss, exploration and proofs of wins, which cannot be set; a rollout \
        policy of ours, because its own lists all moves and seeds a generator for every \
        game. It gives no tree back: the time of a search includes freeing it";

    fn run<G: Game>(start: &G, task: &Task) -> Result<Outcome, String> {
        let options = MCTSOptions::default()
            .with_rollouts_before_expanding(1)
            .with_max_rollout_depth(G::MAX_PLIES)
            .with_num_threads(task.threads);
        let mut search = MonteCarloTreeSearch::new_with_policy(options, Box::new(Rollout(PhantomData)));
        search.set_max_rollouts(task.playouts);
        let start = Position::of(start);
        let (best, timed) = Timed::run(|| Strategy::<Rules<G>>::choose_move(&mut search, &start));
        Ok(Outcome::of(task, timed, best))
    }
}

/// The rules, as a type without values.
struct Rules<G>(PhantomData<fn() -> G>);

impl<G: Game> minimax::Game for Rules<G> {
    type S = Position<G>;
    type M = G::Action;

    fn generate_moves(position: &Position<G>, moves: &mut Vec<G::Action>) -> Option<Winner> {
        let winner = Self::get_winner(position);
        if winner.is_none() {
            position.game.actions(moves);
        }
        winner
    }

    fn apply(position: &mut Position<G>, action: G::Action) -> Option<Position<G>> {
        let mut next = position.clone();
        next.apply(action);
        Some(next)
    }

    fn get_winner(position: &Position<G>) -> Option<Winner> {
        position.is_over().then(|| match position.halves(position.player()) {
            0 => Winner::PlayerJustMoved,
            1 => Winner::Draw,
            _ => Winner::PlayerToMove,
        })
    }
}

/// The playout that all engines share.
struct Rollout<G>(PhantomData<fn() -> G>);

impl<G: Game> RolloutPolicy for Rollout<G> {
    type G = Rules<G>;

    fn random_move(
        &self,
        position: &mut Position<G>,
        _: &mut Vec<G::Action>,
        _: &mut SmallRng,
    ) -> Result<G::Action, Winner> {
        match <Rules<G> as minimax::Game>::get_winner(position) {
            Some(winner) => Err(winner),
            None => position.random_action().ok_or(Winner::Draw),
        }
    }

    /// The value of the game for the player who moved last, with `i32::MAX` for 1 where it is over already, so certain.
    fn rollout(&self, _: &MCTSOptions, position: &Position<G>) -> i32 {
        let player = 1 - position.player();
        let certain = position.is_over();
        let mut end = position.clone();
        end.play_out();
        let value = end.halves(player) as i32 - 1;
        if certain { value * i32::MAX } else { value }
    }
}
