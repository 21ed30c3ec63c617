//! `board-game` 0.8: its MCTS bot.

use std::fmt;
use std::ops::ControlFlow;

use board_game::ai::mcts::MCTSBot;
use board_game::board::{Alternating, Board, BoardDone, BoardMoves, BoardSymmetry, PlayError, Player};
use board_game::symmetry::UnitSymmetry;
use boughs::{Action, Game};
use boughs_lab::measure::Timed;
use internal_iterator::InternalIterator;
use rand_of_board_game::rngs::SmallRng;
use rand_of_board_game::{Rng, SeedableRng};

use super::{Engine, Outcome, Role, Task};
use crate::position::Position;

pub(super) struct BoardGame;

impl Engine for BoardGame {
    const NAME: &'static str = "board-game";
    const ROLE: Role = Role::Rival;
    const SETTINGS: &'static str = "board-game 0.8.2: its tree in one Vec, exploration 1, which is UCB1 with C 1; \
        its own proofs of wins, which cannot be turned off; SmallRng for its own \
        choices; a playout is one call of ours, not one a move. One thread is all it has";
    const PARALLEL: bool = false;

    fn run<G: Game>(start: &G, task: &Task) -> Result<Outcome, String> {
        let start = Position::of(start);
        if start.is_over() {
            return Err("board-game searches no finished game".to_string());
        }
        let mut bot = MCTSBot::new(u64::from(task.playouts), 1.0, SmallRng::seed_from_u64(task.seed));
        let (tree, search) = Timed::run(|| bot.build_tree(&start));
        let best = tree.best_move().0;
        let visits = tree[0].children.map(|children| children.iter().map(|child| tree[child].visits as u64).sum());
        let ((), free) = Timed::run(|| drop(tree));
        Ok(Outcome { free: Some(free), root_visits: visits, ..Outcome::of(task, search, Some(best)) })
    }
}

/// An action that can be printed, as the crate asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move<A>(A);

impl<A: Action> fmt::Display for Move<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.code().fmt(f)
    }
}

impl<G: Game> Board for Position<G> {
    type Move = Move<G::Action>;

    fn next_player(&self) -> Player {
        if self.player() == 0 { Player::A } else { Player::B }
    }

    fn is_available_move(&self, Move(action): Self::Move) -> Result<bool, BoardDone> {
        self.check_done()?;
        let actions = self.actions();
        let available = actions.contains(&action);
        Self::give_back(actions);
        Ok(available)
    }

    fn play(&mut self, Move(action): Self::Move) -> Result<(), PlayError> {
        self.apply(action);
        Ok(())
    }

    /// Plays on to the end. The bot asks only to play out, move after move; once a game is faster, since the generator
    /// has to be looked up for each call.
    fn play_random_available_move(&mut self, _: &mut impl Rng) -> Result<(), BoardDone> {
        self.play_out();
        Ok(())
    }

    fn outcome(&self) -> Option<board_game::board::Outcome> {
        use board_game::board::Outcome::{Draw, WonBy};
        self.is_over().then(|| match self.halves(0) {
            0 => WonBy(Player::B),
            1 => Draw,
            _ => WonBy(Player::A),
        })
    }

    fn can_lose_after_move() -> bool {
        true
    }
}

impl<G> Alternating for Position<G> {}

/// The legal moves of a position; of none, none.
#[derive(Clone)]
pub(crate) struct Moves<'a, G>(Option<&'a Position<G>>);

impl<G: Game> InternalIterator for Moves<'_, G> {
    type Item = Move<G::Action>;

    fn try_for_each<R, F: FnMut(Self::Item) -> ControlFlow<R>>(self, mut each: F) -> ControlFlow<R> {
        let Some(position) = self.0 else { return ControlFlow::Continue(()) };
        let actions = position.actions();
        let flow = actions.iter().try_for_each(|&action| each(Move(action)));
        Position::<G>::give_back(actions);
        flow
    }
}

impl<'a, G: Game> BoardMoves<'a, Position<G>> for Position<G> {
    type AllMovesIterator = Moves<'static, G>;
    type AvailableMovesIterator = Moves<'a, G>;

    /// The bot never asks what could be legal anywhere.
    fn all_possible_moves() -> Moves<'static, G> {
        Moves(None)
    }

    fn available_moves(&'a self) -> Result<Moves<'a, G>, BoardDone> {
        self.check_done()?;
        Ok(Moves(Some(self)))
    }
}

impl<G: Game> BoardSymmetry<Position<G>> for Position<G> {
    type Symmetry = UnitSymmetry;
    type CanonicalKey = ();

    fn map(&self, _: UnitSymmetry) -> Position<G> {
        self.clone()
    }

    fn map_move(&self, _: UnitSymmetry, action: Move<G::Action>) -> Move<G::Action> {
        action
    }

    fn canonical_key(&self) {}
}

impl<G: Game> fmt::Display for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.game.board())
    }
}

impl<G: Game> fmt::Debug for Position<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Two positions of a game are equal where their boards look the same. A search never asks.
impl<G: Game> PartialEq for Position<G> {
    fn eq(&self, other: &Position<G>) -> bool {
        self.player() == other.player() && self.game.board() == other.game.board()
    }
}

impl<G: Game> Eq for Position<G> {}
