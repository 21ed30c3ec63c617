//! The first half of backpropagation, the same in every kind of tree: the rewards of a playout become the words that
//! are added to the nodes on its path.

use super::shared::{PlayoutRecord, is_plan};
use super::traversal::Traversal;
use super::worker_base::WorkerBase;
use crate::game::MAX_PLAYERS;
use crate::mcts::tree::{Layout, Step};
use crate::playout::End;
use crate::report::Warning;
use crate::reward::to_units;
use crate::{Game, Rewards, StopReason, Turn};

/// The rewards of the last playout, by player. The last place is for nodes that no player chose; their reward is 0.
pub(super) struct RewardUnits<L: Layout> {
    /// As integers.
    pub(super) units: [u64; MAX_PLAYERS + 1],
    /// As the words to add to a node that the player chose.
    pub(super) changes: [L::Words; MAX_PLAYERS + 1],
    virtual_loss: u32,
    /// The rest of [`SharedSearch::room_for_scores`](super::shared::SharedSearch::room_for_scores).
    room_for_scores: u64,
}

impl<L: Layout> RewardUnits<L> {
    pub(super) fn new(virtual_loss: u32, room_for_scores: u64) -> RewardUnits<L> {
        RewardUnits {
            units: [0; MAX_PLAYERS + 1],
            changes: [L::returned(virtual_loss, 0); MAX_PLAYERS + 1],
            virtual_loss,
            room_for_scores,
        }
    }

    /// The words that take an entered visit back.
    pub(super) fn taken_back(&self) -> L::Words {
        L::taken_back(self.virtual_loss)
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

/// Lists the codes of the actions of a path.
pub(super) type PathCodes<'c, L> = &'c dyn Fn(&WorkerBase<'_, L>, &[(Step, u8)]) -> Vec<u32>;

impl<L: Layout> WorkerBase<'_, L> {
    /// Takes over the rewards of a playout. Returns false if they do not fit into the sums of the tree; then the search
    /// ends, and the caller takes the traversal back.
    #[inline(always)]
    pub(super) fn receive<G: Game, S>(&mut self, traversal: &mut Traversal<G, S>, in_tree: PathCodes<'_, L>) -> bool {
        // Most games have a constant number of players, which the compiler sees here and not in a field.
        let players = traversal.position.players().min(MAX_PLAYERS);
        let rewards = traversal.rewards(players);
        // Values of an evaluator are no halves.
        let halves = G::REWARDS.halves && !(L::TAKES_VALUES && self.search.settings.evaluator);
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
        if has_scores && rewards[0].is_finite() {
            (0..self.search.players).for_each(|player| self.search.bounds.see(rewards[player], self.search.writers));
        }
        if self.search.traces {
            let is_valued = traversal.end == End::Truncated;
            let is_whole = !is_valued && (traversal.outcome.is_open() || traversal.position.turn() == Turn::Over);
            self.keep(&traversal.path, &mut traversal.trace, is_whole, &rewards, in_tree);
        }
        true
    }

    /// Sets the words that are added for a player on the way up.
    #[inline(always)]
    pub(super) fn set_reward(&mut self, declared: &Rewards, player: usize, reward: f64) {
        let (units, declared) = to_units(declared, reward, L::UNITS);
        self.rewards.units[player] = units;
        self.rewards.changes[player] = L::returned(self.rewards.virtual_loss, units);
        if !declared {
            self.search.warn(&Warning::RewardClamped);
        }
    }

    /// Keeps a playout to the end of the game if it is the best plan so far, and sends it to the log of the search.
    #[cold]
    fn keep(
        &mut self,
        path: &[(Step, u8)],
        trace: &mut Vec<u32>,
        is_whole: bool,
        rewards: &[f64],
        in_tree: PathCodes<'_, L>,
    ) {
        let search = self.search;
        if is_plan(&search.facts, search.players) && is_whole && rewards[0] > self.best {
            let actions = || [in_tree(self, path), trace.clone()].concat();
            self.best = search.offer(rewards[0], &actions);
        }
        let Some(sender) = &search.record else {
            trace.clear();
            return;
        };
        let record = PlayoutRecord {
            tree: (self.number % search.trees.len()) as u32,
            path: in_tree(self, path),
            moves: std::mem::take(trace),
            rewards: rewards[..search.players].to_vec(),
        };
        // The receiver is gone when writing the log has failed; that is for the writer to report.
        if sender.send(record).is_err() {
            search.status.stop(StopReason::Stopped);
        }
    }
}
