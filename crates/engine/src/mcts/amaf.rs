//! All-moves-as-first statistics (AMAF): a simulation counts for an action below every node of its path after which the
//! player who chooses there has played the action, in the tree or in the playout (Bruegmann 1993; Gelly and Silver
//! 2007).
//!
//! The statistics stand beside the counters of the children, and
//! [`Informed`](crate::mcts::tree::informed::Informed) has room for them. A worker goes through the moves of a
//! simulation from the last one to the first and marks each by its player, so that at every node of the path the marks
//! are the moves from there on.

use super::traversal::PlayedMove;
use crate::mcts::policies::{AmafStats, ChildStats};
use crate::mcts::tree::{Block, Step, Tree};

/// The most places for the actions of one player. Actions with greater codes share places.
const MOST_PLACES: u32 = 1 << 16;

/// The marks of one worker.
#[derive(Debug, Default)]
pub(super) struct Amaf {
    /// By player and action: the number of the simulation that played it last.
    marks: Vec<u32>,
    /// The places for one player.
    places: u32,
    /// The number of the simulation.
    now: u32,
    /// By action: the statistics at another node, and the number of the look-up that has written them. Empty if no
    /// other node is looked at.
    found: Vec<(u32, AmafStats)>,
    look_ups: u32,
}

impl Amaf {
    /// For a game with codes up to `most`. `looks_up` is true if nodes take the statistics of others.
    pub(super) fn new(players: usize, most: u32, looks_up: bool) -> Amaf {
        let places = most.saturating_add(1).min(MOST_PLACES);
        let found = if looks_up { vec![Default::default(); places as usize] } else { Vec::new() };
        Amaf { marks: vec![0; places as usize * players], places, now: 0, found, look_ups: 0 }
    }

    /// The place of an action.
    #[inline]
    fn place(&self, code: u32) -> usize {
        if code < self.places {
            return code as usize;
        }
        // Fibonacci hashing spreads codes over the places.
        (code.wrapping_mul(0x9e37_79b9) >> (u32::BITS - MOST_PLACES.ilog2())) as usize % self.places as usize
    }

    /// Counts a simulation at the children of every node of its path. `moves` begin at the first node of the path.
    pub(super) fn count(&mut self, tree: &Tree, path: &[(Step, u8)], moves: &[PlayedMove], shares: &[f32]) {
        if self.now == u32::MAX {
            self.marks.fill(0);
            self.now = 0;
        }
        self.now += 1;
        for (ply, played) in moves.iter().enumerate().rev() {
            let row = usize::from(played.player) * self.places as usize;
            if usize::from(played.player) >= shares.len() {
                continue;
            }
            let place = row + self.place(played.code);
            self.marks[place] = self.now;
            if let Some(&(step, _)) = path.get(ply + 1) {
                let marks = &self.marks[row..];
                let share = shares[usize::from(played.player)];
                tree.add_amaf(step.block(), share, |code| marks[self.place(code)] == self.now);
            }
        }
    }

    /// Replaces the AMAF statistics of the children of a block by those that another block has for the same actions.
    pub(super) fn take_from(&mut self, tree: &Tree, other: Block, block: Block, children: &mut [ChildStats]) {
        if self.look_ups == u32::MAX {
            self.found.fill(Default::default());
            self.look_ups = 0;
        }
        self.look_ups += 1;
        let now = self.look_ups;
        tree.each_amaf(other, |code, stats| {
            let place = self.place(code);
            self.found[place] = (now, stats);
        });
        let mut index = 0;
        tree.each_amaf(block, |code, _| {
            let (when, stats) = self.found[self.place(code)];
            children[index].amaf = if when == now { stats } else { AmafStats::default() };
            index += 1;
        });
    }
}
