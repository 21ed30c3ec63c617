//! Hands in the order in which cards came. The official referee's offers follow this order.

use super::super::rules::Witness;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hands(pub(super) [Vec<u8>; 2]);

impl Witness for Hands {
    fn left(&mut self, player: usize, kind: u8) {
        let hand = &mut self.0[player];
        if let Some(place) = hand.iter().position(|&card| card == kind) {
            hand.remove(place);
        }
    }

    fn came(&mut self, player: usize, kind: u8) {
        self.0[player].push(kind);
    }

    fn put_down(&mut self, player: usize) {
        self.0[player].clear();
    }
}
