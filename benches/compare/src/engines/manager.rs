//! The adapter of `mcts` and of `treant`, which descends from it: both crates have the same traits under the same
//! names.

/// Implements an engine by one of the two crates. The last argument has further methods of the crate's trait `MCTS`,
/// which may read `self.seed`.
macro_rules! manager_engine {
    ($engine:ident, $library:ident, $name:literal, $settings:literal, { $($method:item)* }) => {
        use std::marker::PhantomData;

        use boughs::Game;
        use boughs_lab::measure::Timed;
        use $library::tree_policy::UCTPolicy;
        use $library::{Evaluator, GameState, MCTS, MCTSManager, SearchHandle};

        use super::{Engine, Outcome, Role, Task};
        use crate::position::Position;

        pub(super) struct $engine;

        impl Engine for $engine {
            const NAME: &'static str = $name;
            const ROLE: Role = Role::Rival;
            const SETTINGS: &'static str = $settings;

            fn run<G: Game>(start: &G, task: &Task) -> Result<Outcome, String> {
                let spec = Spec { seed: task.seed, game: PhantomData };
                let mut manager = MCTSManager::new(Position::of(start), spec, Rollout, UCTPolicy::new(1.0), ());
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

        struct Spec<G> {
            #[allow(dead_code, reason = "mcts cannot be seeded")]
            seed: u64,
            game: PhantomData<fn() -> G>,
        }

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

            $($method)*
        }

        impl<G: Game> GameState for Position<G> {
            type Move = G::Action;
            type Player = usize;
            type MoveList = Vec<G::Action>;

            fn current_player(&self) -> usize {
                self.player()
            }

            fn available_moves(&self) -> Vec<G::Action> {
                // Room for all actions of a position, so that listing is one allocation.
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
                // Only the root is made without a handle, and its value is never used.
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
    };
}

pub(super) use manager_engine;
