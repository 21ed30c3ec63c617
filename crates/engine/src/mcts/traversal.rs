//! One traversal of the tree and the playout that follows it.

use super::evaluated::LeafPriors;
use super::information_sets::InformationSetState;
use super::learned_playouts::guided;
use super::plain::PlainState;
use super::shared::SharedSearch;
use super::worker::GameRoot;
use crate::mcts::tree::{Outcome, Step};
use crate::report::Warning;
use crate::{Game, Playout, Rng, Turn};
use boughs_core::End;
use boughs_core::MAX_PLAYERS;

/// The chooser of the root and of the outcomes of chance: no player.
pub(super) const NO_PLAYER: u8 = MAX_PLAYERS as u8;
/// Chance, where a player could act.
pub(super) const CHANCE: u8 = NO_PLAYER + 1;

/// A move of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayedMove {
    /// The player, or [`NO_PLAYER`] for an outcome of chance.
    pub(crate) player: u8,
    /// The code of the action.
    pub(crate) code: u32,
}

impl PlayedMove {
    pub(super) fn new(turn: Turn, code: u32) -> PlayedMove {
        let player = match turn {
            Turn::Player(player) => player.min(usize::from(NO_PLAYER)) as u8,
            Turn::Chance | Turn::Over => NO_PLAYER,
        };
        PlayedMove { player, code }
    }
}

/// One way down the tree and its result.
pub(super) struct Traversal<G: Game> {
    pub(super) position: G,
    /// Every node that was entered and not backpropagated yet, the root first, and the player who chose it. Empty
    /// between traversals.
    pub(super) path: Vec<(Step, u8)>,
    /// The number of nodes at the start of the path that do not show the traversal while it is in flight.
    pub(super) unshown: usize,
    /// Plies from the root to the leaf, those of chance included.
    pub(super) plies: u32,
    /// The end of the playout: [`Truncated`](End::Truncated) if `values` has the value.
    pub(super) end: End,
    /// True while the leaf waits for an evaluator, and if its evaluation was broken off.
    pub(super) waits: bool,
    /// The value of the leaf for each player, from an evaluator or where a playout was truncated.
    pub(super) values: [f64; MAX_PLAYERS],
    /// The actions of the leaf and their priors, in a search with an evaluator.
    pub(super) leaf: Option<Box<LeafPriors<G>>>,
    /// The known outcome of the leaf, if there is nothing to play out.
    pub(super) outcome: Outcome,
    /// The moves from the root to the end of the playout, in a search that lists them.
    pub(super) moves: Vec<PlayedMove>,
    /// The number of these moves whose nodes are in the tree.
    pub(super) in_tree: usize,
    /// The further state of a traversal of a plain tree.
    pub(super) state: PlainState,
    /// The further state of a traversal of information sets.
    pub(super) sets: InformationSetState,
}

impl<G: Game> Traversal<G> {
    pub(super) fn new(game: GameRoot<'_, G>) -> Traversal<G> {
        Traversal {
            position: game.position.clone(),
            path: Vec::new(),
            unshown: 0,
            plies: 0,
            end: End::Over,
            waits: false,
            values: [0.0; MAX_PLAYERS],
            leaf: None,
            outcome: Outcome::OPEN,
            moves: Vec::new(),
            in_tree: 0,
            state: PlainState::NEW,
            sets: InformationSetState::NEW,
        }
    }

    /// Sets the position to that of the root.
    #[inline]
    pub(super) fn start(&mut self, game: GameRoot<'_, G>) {
        self.position.clone_from(game.position);
    }

    /// Plays the game from the leaf to its end.
    pub(super) fn play_out(
        &mut self,
        search: &SharedSearch,
        game: GameRoot<'_, G>,
        rng: &mut Rng,
        scratch: &mut Vec<G::Action>,
    ) {
        if !self.outcome.is_open() {
            self.end = End::Over;
            return;
        }
        let limit = G::MAX_PLIES.saturating_sub(self.plies);
        if search.settings.leaf_playouts > 1 && self.position.turn() != Turn::Over {
            return self.play_out_often(search, game, rng, scratch, limit);
        }
        self.end = if search.lists_moves {
            self.play_out_listed(search, game, rng, scratch, limit)
        } else {
            game.playout.play(&mut self.position, rng, scratch, limit, None)
        };
        if self.end == End::Truncated {
            self.value_truncated(game.playout);
        }
    }

    /// Plays the game out several times from the leaf, and values the leaf by the mean reward.
    #[inline(never)]
    fn play_out_often(
        &mut self,
        search: &SharedSearch,
        game: GameRoot<'_, G>,
        rng: &mut Rng,
        scratch: &mut Vec<G::Action>,
        limit: u32,
    ) {
        let (leaf, players) = (self.position.clone(), self.position.players().min(MAX_PLAYERS));
        let mut sums = [0.0; MAX_PLAYERS];
        for number in 0..search.settings.leaf_playouts {
            if number > 0 {
                self.position.clone_from(&leaf);
            }
            self.end = game.playout.play(&mut self.position, rng, scratch, limit, None);
            match self.end {
                End::Over => {}
                End::Truncated => self.value_truncated(game.playout),
                End::Cut => search.warn(&Warning::PlayoutCut),
                End::Stuck => search.warn(&Warning::NoLegalAction),
            }
            let rewards = self.rewards(players);
            sums.iter_mut().zip(rewards).for_each(|(sum, reward)| *sum += reward);
        }
        self.values = sums.map(|sum| sum / f64::from(search.settings.leaf_playouts));
        self.end = End::Truncated;
    }

    /// Plays the game out and lists the moves.
    #[inline(never)]
    fn play_out_listed(
        &mut self,
        search: &SharedSearch,
        game: GameRoot<'_, G>,
        rng: &mut Rng,
        scratch: &mut Vec<G::Action>,
        limit: u32,
    ) -> End {
        let Traversal { position, moves, .. } = self;
        match &search.learned {
            Some(learned) => guided::play(learned, game.playout, position, rng, scratch, limit, moves),
            None => {
                let mut see = |turn, code| moves.push(PlayedMove::new(turn, code));
                game.playout.play(position, rng, scratch, limit, Some(&mut see))
            }
        }
    }

    #[inline(never)]
    fn value_truncated(&mut self, playout: &dyn Playout<G>) {
        let players = self.position.players().min(MAX_PLAYERS);
        (0..players).for_each(|player| self.values[player] = playout.value(&self.position, player));
    }

    /// The reward of each player.
    #[inline(always)]
    pub(super) fn rewards(&self, players: usize) -> [f64; MAX_PLAYERS] {
        let mut rewards = [0.0; MAX_PLAYERS];
        match G::REWARDS.sum {
            // The reward of one of two players follows from the other's, exactly where they are halves.
            Some(sum) if G::REWARDS.halves && players == 2 && self.end != End::Truncated => {
                rewards[0] = self.reward(0);
                rewards[1] = sum - rewards[0];
            }
            _ => (0..players).for_each(|player| rewards[player] = self.reward(player)),
        }
        rewards
    }

    #[inline(always)]
    fn reward(&self, player: usize) -> f64 {
        match self.end {
            _ if !self.outcome.is_open() => self.outcome.reward(player),
            End::Over => self.position.reward(player),
            End::Cut | End::Stuck => self.position.cut_reward(player),
            End::Truncated => self.values[player],
        }
    }
}
