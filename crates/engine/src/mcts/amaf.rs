//! All-moves-as-first statistics (AMAF): a simulation counts for an action below every node of its path after which the
//! player who chooses there has played the action, in the tree or in the playout (Bruegmann 1993; Gelly and Silver
//! 2007).
//!
//! The statistics stand beside the counters of the children, and
//! [`Informed`](crate::mcts::tree::informed::Informed) has room for them. A worker goes through the moves of a
//! simulation from the last one to the first and marks each by its player, so that at every node of the path the marks
//! are the moves from there on.

use std::collections::HashMap;

use super::traversal::PlayedMove;
use crate::mcts::policies::{AmafStats, ChildStats};
use crate::mcts::tree::{Block, Step, Tree};

/// The actions that have a place of their own in a table. Those with greater codes are looked up.
const MOST_PLACES: u32 = 1 << 16;

/// The marks of one worker.
#[derive(Debug, Default)]
pub(super) struct Amaf {
    /// By player: the actions of the simulation.
    marks: Vec<ByCode<()>>,
    /// The statistics at another node.
    found: ByCode<AmafStats>,
}

impl Amaf {
    /// For a game with codes up to `most`. `looks_up` is true if nodes take the statistics of others.
    pub(super) fn new(players: usize, most: u32, looks_up: bool) -> Amaf {
        let found = if looks_up { ByCode::new(most) } else { ByCode::default() };
        Amaf { marks: (0..players).map(|_| ByCode::new(most)).collect(), found }
    }

    /// Counts a simulation at the children of every node of its path. `moves` begin at the first node of the path.
    pub(super) fn count(&mut self, tree: &Tree, path: &[(Step, u8)], moves: &[PlayedMove], shares: &[f32]) {
        self.marks.iter_mut().for_each(ByCode::forget);
        for (ply, played) in moves.iter().enumerate().rev() {
            let player = usize::from(played.player);
            let (Some(marks), Some(&share)) = (self.marks.get_mut(player), shares.get(player)) else { continue };
            marks.set(played.code, ());
            if let Some(&(step, _)) = path.get(ply + 1) {
                tree.add_amaf(step.block(), share, |code| marks.get(code).is_some());
            }
        }
    }

    /// Replaces the AMAF statistics of the children of a block by those that another block has for the same actions.
    pub(super) fn take_from(&mut self, tree: &Tree, other: Block, block: Block, children: &mut [ChildStats]) {
        self.found.forget();
        tree.each_amaf(other, |code, stats| self.found.set(code, stats));
        let mut index = 0;
        tree.each_amaf(block, |code, _| {
            children[index].amaf = self.found.get(code).unwrap_or_default();
            index += 1;
        });
    }
}

/// Values of actions by their codes, which are all forgotten at once.
#[derive(Debug, Default)]
struct ByCode<T> {
    /// By code: a value, and the round in which it was set.
    places: Vec<(u32, T)>,
    /// Those of greater codes.
    others: HashMap<u32, T>,
    /// The number of times that values were forgotten.
    round: u32,
}

impl<T: Copy + Default> ByCode<T> {
    /// For codes up to `most`.
    fn new(most: u32) -> ByCode<T> {
        let places = most.saturating_add(1).min(MOST_PLACES) as usize;
        ByCode { places: vec![Default::default(); places], others: HashMap::new(), round: 0 }
    }

    fn forget(&mut self) {
        if self.round == u32::MAX {
            self.places.fill(Default::default());
            self.round = 0;
        }
        self.round += 1;
        self.others.clear();
    }

    #[inline]
    fn set(&mut self, code: u32, value: T) {
        match self.places.get_mut(code as usize) {
            Some(place) => *place = (self.round, value),
            None => _ = self.others.insert(code, value),
        }
    }

    #[inline]
    fn get(&self, code: u32) -> Option<T> {
        match self.places.get(code as usize) {
            Some(&(round, value)) => (round == self.round).then_some(value),
            None => self.others.get(&code).copied(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_codes_share_a_value() {
        let mut values = ByCode::new(u32::MAX);
        let codes = (1..40_000).map(|number: u32| number.wrapping_mul(0x9e37_79b9)).chain([0, u32::MAX]);
        for round in 0..3 {
            values.forget();
            let codes = codes.clone().enumerate().filter(|(number, _)| number % 3 == round);
            codes.clone().for_each(|(number, code)| values.set(code, number));
            assert!(codes.clone().all(|(number, code)| values.get(code) == Some(number)), "{round}");
        }
        let known = codes.filter(|&code| values.get(code).is_some()).count();
        assert_eq!(known, 40_001 / 3, "those of the last round");
    }
}
