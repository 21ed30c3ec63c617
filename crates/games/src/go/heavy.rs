//! Heavy playouts as those of MoGo: a player answers the last move if one of a few rules finds an answer, and plays a
//! random move otherwise (Gelly, Wang, Munos and Teytaud 2006, "Modification of UCT with Patterns in Monte-Carlo Go").
//!
//! The rules are asked in this order, and the first that finds points draws one of them:
//!
//! 1. *Atari*: save chains that the last move put in atari, or capture the chain that made the last move
//!    (`tactics.rs`).
//! 2. *Nakade*: take the vital point of an eye space next to the last move (`nakade.rs`).
//! 3. *Patterns*: play a pattern of three by three points around the last move (`patterns.rs`).
//! 4. *Capture* anything.
//!
//! A rule that always spoke would make every playout from a position follow one line, and a wrong answer would be
//! wrong in all of them. So each rule is left out now and then.

use boughs::Rng;

use super::points::Points;
use super::{GoOf, Move};

/// The probability of each rule, in 256ths.
const ATARI: u8 = 230;
const NAKADE: u8 = 230;
const PATTERNS: u8 = 230;
const CAPTURE: u8 = 230;

/// The most stones that a random move puts in atari. Fewer stones may be a sacrifice: a nakade in an eye space of
/// the other player is one.
const MOST_SACRIFICED: u32 = 4;

/// Random bits that decide which rules are asked.
struct Dice(u64);

impl Dice {
    /// Returns true with a probability in 256ths.
    #[inline]
    fn is_on(&mut self, probability: u8) -> bool {
        let is_on = (self.0 as u8) < probability;
        self.0 >>= 8;
        is_on
    }
}

impl<P: Points> GoOf<P> {
    /// A move of a heavy playout.
    #[inline]
    pub(super) fn heavy_move(&self, rng: &mut Rng) -> Move<P> {
        let candidates = self.candidates();
        let mut dice = Dice(rng.bits());
        if !self.last.is_pass()
            && let Some(answer) = self.answer(self.last.point, candidates, rng, &mut dice)
        {
            return answer;
        }
        if dice.is_on(CAPTURE)
            && let Some(capture) = self.draw(rng, self.board.captures(), |_| true)
        {
            return capture;
        }
        let is_sound = |point| !self.board.is_self_atari(point, MOST_SACRIFICED);
        self.draw(rng, candidates, is_sound).unwrap_or_else(Move::pass)
    }

    /// An answer to the stone just played on a point.
    #[inline]
    fn answer(&self, last: u16, candidates: P, rng: &mut Rng, dice: &mut Dice) -> Option<Move<P>> {
        let board = &self.board;
        if dice.is_on(ATARI) {
            let points = (board.rescues(last) | board.capture_of(last)) & candidates;
            if let Some(answer) = self.draw(rng, points, |_| true) {
                return Some(answer);
            }
        }
        if dice.is_on(NAKADE)
            && let Some(answer) = self.draw(rng, board.vital_points(last) & candidates, |_| true)
        {
            return Some(answer);
        }
        let points = if dice.is_on(PATTERNS) { board.patterns_around(last, candidates) } else { P::NONE };
        self.draw(rng, points, |point| !board.is_self_atari(point, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Go;
    use crate::go::tests::{drawn, random_games, set};
    use boughs::{Game, Turn};

    /// The share of heavy moves that are one of these points after the other player's stone on `last`.
    fn share(picture: &str, last: &str, points: &[&str]) -> f64 {
        let game = Go { board: drawn(picture), last: Move::on(set(last)), ..Go::new(5, 14).expect("a size") };
        let mut rng = Rng::new(1, 0);
        let moves = (0..1_000).map(|_| game.action_text(game.heavy_move(&mut rng)));
        moves.filter(|text| points.contains(&text.as_str())).count() as f64 / 1_000.0
    }

    #[test]
    fn an_atari_is_answered_by_an_extension_or_a_capture() {
        let share_of = |points| share("..... ..O.. .OXO. ..... .....", "c4", points);
        assert!(share_of(&["c2"]) > 0.85, "{}", share_of(&["c2"]));
        let share = share("..... .OX.. .XO.X .OXO. .....", "c3", &["d3", "c1", "a3"]);
        assert!(share > 0.85, "{share}");
    }

    #[test]
    fn a_stone_that_moves_into_atari_is_captured() {
        let share = share("..... ..X.. .XOX. ..... .....", "c3", &["c2"]);
        assert!(share > 0.85, "{share}");
    }

    #[test]
    fn the_vital_point_of_an_eye_space_is_played() {
        let share = share("..... OOOO. ...O. OOOO. .....", "a2", &["b3"]);
        assert!(share > 0.85, "{share}");
    }

    #[test]
    fn a_pattern_is_played_next_to_the_last_move() {
        let share = share("..... .XOX. ..... ..... .....", "c4", &["b3", "c3", "d3", "b5", "c5", "d5"]);
        assert!(share > 0.85, "{share}");
    }

    #[test]
    fn a_chain_in_atari_elsewhere_is_captured() {
        let share = share("....O .X... XOX.. ..... .....", "e5", &["b2"]);
        assert!(share > 0.85, "{share}");
    }

    #[test]
    fn a_random_move_puts_no_large_chain_in_atari() {
        // A seki: the two chains share their two liberties, and the player who fills one of them loses all stones.
        let share = share("XXXXX XXXXX .XO.O OOOOO OOOOO", "c3", &["pass"]);
        assert!(share > 0.99, "{share}");
    }

    #[test]
    fn heavy_moves_are_legal_wherever_random_games_lead() {
        random_games(&[2, 3, 4, 5, 7, 9], 10, |game, _| {
            let mut legal = Vec::new();
            game.actions(&mut legal);
            let mut rng = Rng::new(u64::from(game.plies), 1);
            for _ in 0..10 {
                let action = game.heavy_move(&mut rng);
                assert!(legal.contains(&action), "{} on\n{}", game.action_text(action), Game::board(game));
            }
        });
    }

    #[test]
    fn heavy_playouts_end_by_two_passes() {
        for (size, stream) in (2..=9).flat_map(|size| (0..20).map(move |stream| (size, stream))) {
            let (mut game, mut rng) = (Go::new(size, 14).expect("a size"), Rng::new(2, stream));
            while game.turn() != Turn::Over {
                let mut legal = Vec::new();
                game.actions(&mut legal);
                let action = game.heavy_move(&mut rng);
                assert!(legal.contains(&action), "{} on\n{}", game.action_text(action), Game::board(&game));
                game.apply(action);
            }
            assert!(usize::from(game.plies) < u128::MOST_MOVES, "size {size}, stream {stream}");
        }
    }
}
