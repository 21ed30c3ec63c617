//! Liberties and captures one move ahead.

use super::board::Board;
use super::points::Points;

impl<P: Points> Board<P> {
    /// The points where the player to move captures something.
    #[inline]
    pub(super) fn captures(&self) -> P {
        (self.theirs & self.atari).next_to() & self.empty()
    }

    /// The points that save chains of the player to move which the stone just played on `last` put in atari: their last
    /// liberties, where a stone gets more of them, and the captures of chains next to them.
    #[inline]
    pub(super) fn rescues(&self, last: u16) -> P {
        let mut threatened = P::neighbours(last) & self.mine & self.atari;
        let mut rescues = P::NONE;
        while let Some(chain) = self.take_chain(&mut threatened) {
            let around = chain.next_to();
            rescues |= self.all_of_chains(around & self.theirs & self.atari).next_to();
            let liberty = around & self.empty();
            if !self.is_self_atari(liberty.first(), 0) {
                rescues |= liberty;
            }
        }
        rescues & self.empty()
    }

    /// The last liberty of the chain on a point, if it is in atari; no point otherwise.
    #[inline]
    pub(super) fn capture_of(&self, point: u16) -> P {
        self.all_of_chains(P::one(point) & self.atari).next_to() & self.empty()
    }

    /// Returns true if a stone of the player to move on an empty point makes a chain with no liberty or one, and with
    /// more stones than `most`.
    #[inline]
    pub(super) fn is_self_atari(&self, point: u16, most: u32) -> bool {
        let neighbours = P::neighbours(point);
        let empty = self.empty();
        (neighbours & empty).at_most_one() && {
            let chain = P::one(point) | self.all_of_chains(neighbours & self.mine);
            let liberties = chain.next_to() & (empty & !P::one(point) | self.captured(point));
            liberties.at_most_one() && chain.count() > most
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::go::tests::{drawn, points, set};

    #[test]
    fn a_chain_in_atari_is_saved_by_an_extension_with_liberties() {
        let board = drawn("..... ..O.. .OXO. ..... .....");
        assert_eq!(points(board.rescues(set("c4"))), "c2");
        assert_eq!(points(board.rescues(set("b3"))), "c2");
        let (edge, corner) = (drawn("..... ..... ..... .OO.. .XX.O"), drawn("..... ..... ..... O.... X...."));
        assert_eq!(points(edge.rescues(set("b2"))), "", "a1 and d1 are two liberties: no atari");
        assert_eq!(points(corner.rescues(set("a2"))), "b1");
    }

    #[test]
    fn an_extension_into_another_atari_saves_nothing() {
        let board = drawn("..... ..... ..... OOO.. XX.O.");
        assert_eq!(points(board.rescues(set("a2"))), "");
    }

    #[test]
    fn a_chain_in_atari_is_saved_by_a_capture_next_to_it() {
        // The stone on a3 has its last liberty on a4, and the chain a1 a2 b1 its own on c1, where it gets no more.
        let board = drawn("..... ..... OX... XOO.. XX.O.");
        assert_eq!(points(board.rescues(set("a3"))), "a4");
    }

    #[test]
    fn captures_are_the_last_liberties_of_the_other() {
        let board = drawn("..... .X... XOX.X ...XO .....");
        assert_eq!(points(board.captures()), "e1 b2");
        assert_eq!(points(board.capture_of(set("b3"))), "b2");
        assert_eq!(points(board.capture_of(set("e2"))), "e1");
        assert_eq!(points(board.capture_of(set("a3"))), "", "more than one liberty");
    }

    #[test]
    fn a_stone_with_one_liberty_is_a_self_atari_unless_it_captures() {
        let board = drawn("..... ..... ..... OOO.. XX.O.");
        assert!(board.is_self_atari(set("c1"), 2));
        assert!(!board.is_self_atari(set("c1"), 3), "three stones are not more than three");
        assert!(!board.is_self_atari(set("d3"), 0));
        let capturing = drawn("..... ..... ..... .XOX. XO.OX");
        assert!(!capturing.is_self_atari(set("c1"), 0));
    }
}
