//! The first half of backpropagation, the same in every kind of tree: the rewards of a playout become the words that
//! are added to the nodes on its path.

use super::shared::{PlayoutRecord, is_plan};
use super::traversal::{PlayedMove, Traversal};
use super::worker_base::WorkerBase;
use crate::mcts::tree::{Layout, NodeStats};
use crate::report::Warning;
use crate::reward::{LARGEST_SCORE, to_units};
use crate::{Game, Rewards, StopReason, Turn};
use boughs_core::End;
use boughs_core::MAX_PLAYERS;

/// The rewards of the last playout, by player. The last place is for nodes that no player chose; their reward is 0.
pub(super) struct RewardUnits<L: Layout> {
    /// As integers.
    pub(super) units: [u64; MAX_PLAYERS + 1],
    /// As the words to add to a node that the player chose.
    pub(super) changes: [L::Words; MAX_PLAYERS + 1],
    /// The visit of a traversal in flight.
    entered: NodeStats,
    /// The rest of [`SharedSearch::room_for_scores`](super::shared::SharedSearch::room_for_scores).
    room_for_scores: u64,
}

impl<L: Layout> RewardUnits<L> {
    pub(super) fn new(entered: NodeStats, room_for_scores: u64) -> RewardUnits<L> {
        RewardUnits {
            units: [0; MAX_PLAYERS + 1],
            changes: [L::returned(entered, 0); MAX_PLAYERS + 1],
            entered,
            room_for_scores,
        }
    }

    /// The words that take an entered visit back.
    pub(super) fn taken_back(&self) -> L::Words {
        L::taken_back(self.entered)
    }

    /// Returns true if the scores of a playout fit into every sum they are added to; then they count as added.
    fn has_room_for_scores(&mut self, players: usize) -> bool {
        let scores = self.units[..players].iter();
        let largest = scores.map(|units| units.cast_signed().unsigned_abs()).max().unwrap_or_default();
        let left = self.room_for_scores.checked_sub(largest);
        self.room_for_scores = left.unwrap_or(self.room_for_scores);
        left.is_some()
    }
}

impl<L: Layout> WorkerBase<'_, L> {
    /// Takes over the rewards of a playout. Returns false if they do not fit into the sums of the tree; then the search
    /// ends, and the caller takes the traversal back.
    #[inline(always)]
    pub(super) fn receive<G: Game>(&mut self, traversal: &mut Traversal<G>) -> bool {
        // Most games have a constant number of players, which the compiler sees here and not in a field.
        let players = traversal.position.players().min(MAX_PLAYERS);
        let rewards = traversal.rewards(players);
        // Values of an evaluator, and means of several playouts, are no halves.
        let halves = G::REWARDS.halves && !(L::TAKES_VALUES && self.search.takes_any_rewards);
        let declared = Rewards { halves, ..G::REWARDS };
        for (player, &reward) in rewards[..players].iter().enumerate() {
            self.set_reward(&declared, player, reward);
        }
        let has_scores = G::REWARDS.bounds.is_none();
        if has_scores && !self.rewards.has_room_for_scores(self.search.players) {
            self.search.status.stop(StopReason::CounterFull);
            return false;
        }
        match traversal.end {
            End::Over | End::Truncated => {}
            End::Cut => self.search.warn(&Warning::PlayoutCut),
            End::Stuck => self.search.warn(&Warning::NoLegalAction),
        }
        if has_scores {
            // In a range that reached to a score which no game declares, all others would look alike.
            let declared = rewards[..players].iter().filter(|score| score.abs() <= LARGEST_SCORE);
            declared.for_each(|&score| self.search.bounds.see(score, self.search.writers));
        }
        if self.search.lists_moves {
            let is_valued = traversal.end == End::Truncated;
            let is_whole = !is_valued && (traversal.outcome.is_open() || traversal.position.turn() == Turn::Over);
            self.keep((&traversal.moves, traversal.in_tree), is_whole, &rewards);
        }
        true
    }

    /// The reward of a player as a share of the way from the least to the greatest reward.
    pub(super) fn share(&self, player: usize) -> f32 {
        let reward = self.rewards.units[player].cast_signed() as f64 / L::UNITS;
        match self.search.facts.rewards.bounds {
            Some(_) => reward as f32,
            None => self.cursor.ucb().share(reward, 1),
        }
    }

    /// Sets the words that are added for a player on the way up.
    #[inline(always)]
    pub(super) fn set_reward(&mut self, declared: &Rewards, player: usize, reward: f64) {
        let (units, declared) = to_units(declared, reward, L::UNITS);
        self.rewards.units[player] = units;
        self.rewards.changes[player] = L::returned(self.rewards.entered, units);
        if L::TAKES_VALUES && self.search.needs_squares {
            let share = self.share(player);
            L::add_square(&mut self.rewards.changes[player], share);
        }
        if !declared {
            self.search.warn(&Warning::RewardClamped);
        }
    }

    /// Keeps a playout to the end of the game if it is the best plan so far, lets playouts learn from its moves, and
    /// sends it to the log of the search.
    #[inline(never)]
    fn keep(&mut self, (moves, in_tree): (&[PlayedMove], usize), is_whole: bool, rewards: &[f64]) {
        let search = self.search;
        let codes = |moves: &[PlayedMove]| -> Vec<u32> { moves.iter().map(|played| played.code).collect() };
        if is_plan(&search.facts, search.players) && is_whole && rewards[0] > self.best {
            self.best = search.offer(rewards[0], &|| codes(moves));
        }
        if let Some(learned) = &search.learned {
            let shares: [f32; MAX_PLAYERS] = std::array::from_fn(|player| self.share(player));
            learned.policy.learn(moves, &shares[..search.players], search.writers);
        }
        let Some(sender) = &search.record else { return };
        let (path, moves) = moves.split_at(in_tree.min(moves.len()));
        let record = PlayoutRecord {
            tree: (self.number % search.trees.len()) as u32,
            path: codes(path),
            moves: codes(moves),
            rewards: rewards[..search.players].to_vec(),
        };
        // The receiver is gone when writing the log has failed; that is for the writer to report.
        if sender.send(record).is_err() {
            search.status.stop(StopReason::Stopped);
        }
    }
}
