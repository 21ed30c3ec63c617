//! `mcts` 0.3, from which treant comes.

use std::marker::PhantomData;

use boughs::Game;
use boughs_lab::measure::Timed;
use mcts::tree_policy::UCTPolicy;
use mcts::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

use super::{Engine, Outcome, Role, Task};
use crate::position::Position;

pub(super) struct Mcts;

impl Engine for Mcts {
    const NAME: &'static str = "mcts";
    const ROLE: Role = Role::Rival;
    const SETTINGS: &'static str = "mcts 0.3.0: UCTPolicy(1) with rewards 0, 1, 2, which is UCB1 with C 1; \
        visits_before_expansion 1; virtual_loss 10, larger than any reward as in its example; no transposition table, \
        since all others search a tree; playout_n, with threads playout_n_parallel";

    fn run<G: Game>(start: &G, task: &Task) -> Result<Outcome, String> {
        let mut manager = MCTSManager::new(Position::of(start), Spec(PhantomData), Rollout, UCTPolicy::new(1.0), ());
        let ((), search) = Timed::run(|| match task.threads {
            1 => manager.playout_n(u64::from(task.playouts)),
            threads => manager.playout_n_parallel(task.playouts, threads),
        });
        let best = manager.best_move();
        let visits = manager.tree().root_node().moves().map(|child| child.visits()).sum();
        let ((), free) = Timed::run(|| drop(manager));
        Ok(Outcome { free: Some(free), root_visits: Some(visits), ..Outcome::of(task, search, best) })
    }
}

struct Spec<G>(PhantomData<fn() -> G>);

impl<G: Game> MCTS for Spec<G> {
    type State = Position<G>;
    type Eval = Rollout;
    type TreePolicy = UCTPolicy;
    type NodeData = ();
    type TranspositionTable = ();
    type ExtraThreadData = ();

    fn virtual_loss(&self) -> i64 {
        10
    }
}

impl<G: Game> GameState for Position<G> {
    type Move = G::Action;
    type Player = usize;
    type MoveList = Vec<G::Action>;

    fn current_player(&self) -> usize {
        self.player()
    }

    fn available_moves(&self) -> Vec<G::Action> {
        // Room for all there can be, so that listing is one allocation.
        let mut moves = Vec::with_capacity(64);
        if !self.is_over() {
            self.game.actions(&mut moves);
        }
        moves
    }

    fn make_move(&mut self, action: &G::Action) {
        self.apply(*action);
    }
}

/// Evaluates by one playout, in halves for the first player.
struct Rollout;

impl Rollout {
    fn play<G: Game>(position: &Position<G>) -> i64 {
        let mut end = position.clone();
        end.play_out();
        end.halves(0)
    }
}

impl<G: Game> Evaluator<Spec<G>> for Rollout {
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        position: &Position<G>,
        moves: &Vec<G::Action>,
        handle: Option<SearchHandle<Spec<G>>>,
    ) -> (Vec<()>, i64) {
        // Only the root is made without a handle, and what it is worth is never used.
        let value = handle.map_or(0, |_| Rollout::play(position));
        (vec![(); moves.len()], value)
    }

    fn evaluate_existing_state(&self, position: &Position<G>, _: &i64, _: SearchHandle<Spec<G>>) -> i64 {
        Rollout::play(position)
    }

    fn interpret_evaluation_for_player(&self, halves: &i64, player: &usize) -> i64 {
        if *player == 0 { *halves } else { 2 - halves }
    }
}
