//! An object-safe trait for the positions of a game: the rules behind virtual calls.
//!
//! Every [`Game`] is a [`Position`], so `&game` coerces to `&dyn Position`. Code that needs the rules and no search
//! uses this trait and is compiled once. A position names actions by their codes. A virtual call costs nothing if it
//! happens once a move or a playout. Playouts themselves stay generic, behind [`Position::play_out`].

use std::any::Any;
use std::cell::Cell;
use std::hint::black_box;

use crate::conformance::TypedChecks;
use crate::{Action, Game, Information, PlayoutKind, Rewards, Rng, Turn, TurnOrder};
use boughs_core::End;

/// The constants of a game. They are the same in every position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GameFacts {
    /// See [`Game::REWARDS`].
    pub rewards: Rewards,
    /// See [`Game::TURN_ORDER`].
    pub turn_order: TurnOrder,
    /// See [`Game::INFORMATION`].
    pub information: Information,
    /// See [`Game::MAX_PLIES`].
    pub max_plies: u32,
    /// See [`Action::MAX_CODE`].
    pub max_code: u32,
    /// See [`Game::ACTIONS_RECUR`].
    pub actions_recur: bool,
    /// See [`Game::HEAVY_PLAYOUTS`].
    pub heavy_playouts: bool,
    /// The size of a position in bytes, without memory that it points to.
    pub position_bytes: usize,
}

/// A position of any game: the rules behind virtual calls. Every [`Game`] implements it.
///
/// ```
/// use boughs::Position;
///
/// /// The legal moves of any game, as text.
/// fn moves(position: &dyn Position) -> Vec<String> {
///     position.legal_moves().into_iter().map(|(_, text)| text).collect()
/// }
/// ```
pub trait Position: TypedChecks + Any + Send + Sync {
    /// The position as a value whose type is asked for when the program runs.
    fn as_any(&self) -> &dyn Any;

    /// The constants of the game.
    fn facts(&self) -> GameFacts;

    /// A copy of the position.
    fn clone_position(&self) -> Box<dyn Position>;

    /// Copies another position of the same game into this one. Returns false and changes nothing if the other
    /// position belongs to another game.
    fn copy_from(&mut self, other: &dyn Position) -> bool;

    /// See [`Game::players`].
    fn players(&self) -> usize;

    /// See [`Game::turn`].
    fn turn(&self) -> Turn;

    /// Appends the code of every legal action. See [`Game::actions`].
    fn actions(&self, out: &mut Vec<u32>);

    /// Appends the codes of the actions of light playouts. See [`Game::playout_actions`].
    fn playout_actions(&self, out: &mut Vec<u32>);

    /// Plays an action, which must be legal here. See [`Game::apply`].
    fn apply(&mut self, action: u32);

    /// See [`Game::reward`].
    fn reward(&self, player: usize) -> f64;

    /// See [`Game::cut_reward`].
    fn cut_reward(&self, player: usize) -> f64;

    /// See [`Game::evaluation`].
    fn evaluation(&self, player: usize) -> Option<f64>;

    /// See [`Game::ends_turn`].
    fn ends_turn(&self) -> bool;

    /// See [`Game::parse_outcome`].
    fn parse_outcome(&self, text: &str) -> Option<u32>;

    /// See [`Game::weight`].
    fn weight(&self, outcome: u32) -> u32;

    /// Draws an outcome of chance. See [`Game::chance`].
    fn chance(&self, rng: &mut Rng) -> Option<u32>;

    /// See [`Game::information`].
    fn information(&self, player: usize) -> u64;

    /// See [`Game::determinize`].
    fn determinize(&mut self, player: usize, rng: &mut Rng);

    /// Picks an action as light playouts do. See [`Game::random_action`].
    fn random_action(&self, rng: &mut Rng) -> Option<u32>;

    /// See [`Game::action_text`].
    fn action_text(&self, action: u32) -> String;

    /// See [`Game::board`].
    fn board(&self) -> String;

    /// See [`Game::board_for`].
    fn board_for(&self, player: usize) -> String;

    /// Picks an action as a playout of this kind does.
    fn playout_action(&self, kind: PlayoutKind, rng: &mut Rng) -> Option<u32>;

    /// Plays the game to its end by this kind of playout, at most `limit` plies. `trace` collects the codes of the
    /// actions.
    fn play_out(&mut self, kind: PlayoutKind, rng: &mut Rng, limit: u32, trace: Option<&mut Vec<u32>>) -> End;

    /// Plays light playouts, each from a copy of this position, and discards the results. For measuring the speed of
    /// the rules without a search.
    fn play_without_tree(&self, playouts: u64, rng: &mut Rng);

    /// Counts the action sequences of a length. See [`perft`](crate::perft()).
    fn perft(&self, depth: u32) -> u64;
}

impl dyn Position {
    /// The position as its own type, if it is a `G`.
    pub fn downcast_ref<G: Game>(&self) -> Option<&G> {
        self.as_any().downcast_ref()
    }

    /// Picks a random action: an outcome where chance acts, an action of a light playout where a player acts. Returns
    /// `None` at the end of the game.
    pub fn random_step(&self, rng: &mut Rng) -> Option<u32> {
        match self.turn() {
            Turn::Over => None,
            Turn::Chance => self.chance(rng),
            Turn::Player(_) => self.random_action(rng),
        }
    }
}

impl Clone for Box<dyn Position> {
    fn clone(&self) -> Box<dyn Position> {
        self.clone_position()
    }

    /// Reuses the memory where both are positions of one game.
    fn clone_from(&mut self, other: &Box<dyn Position>) {
        if !self.copy_from(&**other) {
            *self = other.clone_position();
        }
    }
}

/// Lends an empty list of actions. Each thread keeps one from call to call, so calls for one game allocate nothing. A
/// call for a game with another type of actions makes a new list.
#[inline]
fn with_list<A: Action, T>(work: impl FnOnce(&mut Vec<A>) -> T) -> T {
    thread_local! {
        static LIST: Cell<Option<Box<dyn Any>>> = const { Cell::new(None) };
    }
    // A nested call finds no list here and makes its own.
    let kept = LIST.with(Cell::take).and_then(|list| list.downcast::<Vec<A>>().ok());
    let mut list = kept.unwrap_or_default();
    list.clear();
    let result = work(&mut list);
    LIST.with(|kept| kept.set(Some(list)));
    result
}

/// Lists actions in their own type and appends their codes.
fn append_codes<A: Action>(out: &mut Vec<u32>, list: impl FnOnce(&mut Vec<A>)) {
    with_list(|actions| {
        list(actions);
        out.extend(actions.iter().map(|action| action.code()));
    });
}

impl<G: Game> Position for G {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn facts(&self) -> GameFacts {
        GameFacts {
            rewards: G::REWARDS,
            turn_order: G::TURN_ORDER,
            information: G::INFORMATION,
            max_plies: G::MAX_PLIES,
            max_code: <G::Action as Action>::MAX_CODE,
            actions_recur: G::ACTIONS_RECUR,
            heavy_playouts: G::HEAVY_PLAYOUTS,
            position_bytes: size_of::<G>(),
        }
    }

    fn clone_position(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn Position) -> bool {
        match other.downcast_ref::<G>() {
            Some(other) => {
                self.clone_from(other);
                true
            }
            None => false,
        }
    }

    fn players(&self) -> usize {
        Game::players(self)
    }

    fn turn(&self) -> Turn {
        Game::turn(self)
    }

    fn actions(&self, out: &mut Vec<u32>) {
        append_codes(out, |actions| Game::actions(self, actions));
    }

    fn playout_actions(&self, out: &mut Vec<u32>) {
        append_codes(out, |actions| Game::playout_actions(self, actions));
    }

    fn apply(&mut self, action: u32) {
        Game::apply(self, G::Action::from_code(action));
    }

    fn reward(&self, player: usize) -> f64 {
        Game::reward(self, player)
    }

    fn cut_reward(&self, player: usize) -> f64 {
        Game::cut_reward(self, player)
    }

    fn evaluation(&self, player: usize) -> Option<f64> {
        Game::evaluation(self, player)
    }

    fn ends_turn(&self) -> bool {
        Game::ends_turn(self)
    }

    fn parse_outcome(&self, text: &str) -> Option<u32> {
        Game::parse_outcome(self, text).map(G::Action::code)
    }

    fn weight(&self, outcome: u32) -> u32 {
        Game::weight(self, G::Action::from_code(outcome))
    }

    fn chance(&self, rng: &mut Rng) -> Option<u32> {
        with_list(|list| Game::chance(self, rng, list)).map(G::Action::code)
    }

    fn information(&self, player: usize) -> u64 {
        Game::information(self, player)
    }

    fn determinize(&mut self, player: usize, rng: &mut Rng) {
        Game::determinize(self, player, rng);
    }

    fn random_action(&self, rng: &mut Rng) -> Option<u32> {
        with_list(|list| Game::random_action(self, rng, list)).map(G::Action::code)
    }

    fn action_text(&self, action: u32) -> String {
        Game::action_text(self, G::Action::from_code(action))
    }

    fn board(&self) -> String {
        Game::board(self)
    }

    fn board_for(&self, player: usize) -> String {
        Game::board_for(self, player)
    }

    fn playout_action(&self, kind: PlayoutKind, rng: &mut Rng) -> Option<u32> {
        with_list(|list| kind.choose(self, rng, list)).map(G::Action::code)
    }

    fn play_out(&mut self, kind: PlayoutKind, rng: &mut Rng, limit: u32, trace: Option<&mut Vec<u32>>) -> End {
        with_list(|list| match trace {
            None => kind.play(self, rng, list, limit, None),
            Some(trace) => kind.play(self, rng, list, limit, Some(&mut |_, code| trace.push(code))),
        })
    }

    /// Not inlined, so that the compiler can optimise this loop no better than a search.
    #[inline(never)]
    fn play_without_tree(&self, playouts: u64, rng: &mut Rng) {
        let mut scratch = Vec::new();
        for _ in 0..playouts {
            let mut position = self.clone();
            for _ in 0..G::MAX_PLIES {
                let action = match Game::turn(&position) {
                    Turn::Over => break,
                    Turn::Chance => Game::chance(&position, rng, &mut scratch),
                    Turn::Player(_) => Game::random_action(&position, rng, &mut scratch),
                };
                let Some(action) = action else { break };
                Game::apply(&mut position, action);
            }
            black_box(Game::reward(&position, 0));
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        crate::perft(self, depth)
    }
}
