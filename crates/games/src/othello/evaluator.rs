//! An evaluation of Othello positions by strategy that players know, without learning.
//!
//! A position is scored by a weighted sum of terms ([`WEIGHTS`]). Each term is a difference between the players: in
//! mobility and in discs beside empty squares, which are the potential mobility of the opponent, as in Iago (Rosenbloom
//! 1982, "A world-championship-level Othello program"); in corners, in discs diagonal to an empty corner, which give it
//! away, and in stable discs. The weights depend on the number of empty squares, and the logistic function turns the
//! sum into a win probability (Buro 1995, "Statistical feature combination for the evaluation of game positions"). The
//! weights were set by hand, and confirmed by matches.
//!
//! A single position says little while the player to act is about to take a corner. So the evaluator looks one move
//! ahead: a leaf is worth as much as the best position after it, and the scores of these positions make the priors of
//! the moves. With few empty squares the value is exact ([`endgame`]).

use boughs::{Evaluations, Evaluator, Knowledge, Leaf};

use super::Othello;
use super::endgame;
use super::lines::{flips, moves};
use super::squares::{CORNERS, X_SQUARES, around};
use super::stable::stable_discs;
use crate::comparison::reward_for_more;
use crate::logistic;
use crate::prior::prior;

/// The numbers of empty squares that the columns of [`WEIGHTS`] are for. Between two of them a weight changes evenly.
const STAGES: [f64; 3] = [50.0, 30.0, 10.0];

/// The number of terms.
const TERMS: usize = 5;

/// The weights of the terms of a score, in logits, at each of the stages.
const WEIGHTS: [[f64; 3]; TERMS] = [
    // Mobility: the difference of the numbers of moves, as a ratio.
    [3.0, 4.5, 3.5],
    // Discs beside empty squares that can still be enclosed, the other player's less the own, as a ratio.
    [5.0, 4.0, 1.2],
    // Corners.
    [0.6, 0.65, 0.5],
    // Discs on X squares beside empty corners.
    [-0.8, -0.7, -0.3],
    // Stable discs.
    [0.10, 0.10, 0.12],
];

/// The score of a position that is won.
const WON: f64 = 1e6;

/// The difference of two scores that makes a prior e times as great.
const TEMPERATURE: f64 = 0.5;

/// Positions with so few empty squares are solved.
const SOLVED: u32 = 6;

/// The weights for each number of empty squares.
struct Weights([[f64; TERMS]; 65]);

/// The weights of the evaluation.
static OWN: Weights = Weights::between(&WEIGHTS);

impl Weights {
    /// Interpolates between the stages.
    const fn between(stages: &[[f64; 3]; TERMS]) -> Weights {
        let mut weights = [[0.0; TERMS]; 65];
        let mut i = 0;
        while i < 65 * TERMS {
            let (empty, term) = (i / TERMS, i % TERMS);
            let stage = if empty as f64 > STAGES[1] { 0 } else { 1 };
            let share = ((empty as f64 - STAGES[stage + 1]) / (STAGES[stage] - STAGES[stage + 1])).clamp(0.0, 1.0);
            let [before, after] = [stages[term][stage], stages[term][stage + 1]];
            weights[empty][term] = after + share * (before - after);
            i += 1;
        }
        Weights(weights)
    }

    /// The score of a position for the player to act, in logits: [`WON`], 0 or -[`WON`] where the game is over.
    #[inline]
    fn score(&self, mine: u64, theirs: u64) -> f64 {
        let (own_moves, other_moves) = (moves(mine, theirs), moves(theirs, mine));
        match (own_moves, other_moves) {
            (0, 0) => WON * (2.0 * reward_for_more(mine.count_ones(), theirs.count_ones()) - 1.0),
            (0, _) => -self.sum(theirs, mine, other_moves, 0),
            _ => self.sum(mine, theirs, own_moves, other_moves),
        }
    }

    /// The sum of the weighted terms of a position in which the player to act has moves.
    #[inline]
    fn sum(&self, mine: u64, theirs: u64, own_moves: u64, other_moves: u64) -> f64 {
        let weights = &self.0[(mine | theirs).count_zeros() as usize];
        let terms = terms(mine, theirs, own_moves, other_moves);
        terms.iter().zip(weights).map(|(term, weight)| term * weight).sum()
    }
}

/// The terms of a position in which the player to act has moves, in the order of [`WEIGHTS`].
#[inline]
fn terms(mine: u64, theirs: u64, own_moves: u64, other_moves: u64) -> [f64; TERMS] {
    let empty = !(mine | theirs);
    let frontier = around(empty);
    let lead = |own: u64, other: u64| count(own) - count(other);
    let exposed = X_SQUARES & around(empty & CORNERS);
    let [own_stable, other_stable] = stable_discs(mine, theirs);
    [
        ratio(own_moves, other_moves),
        ratio(theirs & frontier & !other_stable, mine & frontier & !own_stable),
        lead(mine & CORNERS, theirs & CORNERS),
        lead(mine & exposed, theirs & exposed),
        lead(own_stable, other_stable),
    ]
}

#[inline]
fn count(squares: u64) -> f64 {
    f64::from(squares.count_ones())
}

/// The lead of `own` over `other` in squares, divided by all of them and two: one more counts most where there are few.
#[inline]
fn ratio(own: u64, other: u64) -> f64 {
    let (own, other) = (count(own), count(other));
    (own - other) / (own + other + 2.0)
}

/// The win probability of a score. Certain results are exact.
#[inline]
fn probability(score: f64) -> f64 {
    if score >= WON {
        1.0
    } else if score <= -WON {
        0.0
    } else {
        logistic(score)
    }
}

/// The win probability of a player in an unfinished position, by the position alone.
pub(super) fn win_probability(position: &Othello, player: usize) -> f64 {
    let value = probability(OWN.score(position.mine, position.theirs));
    if player == usize::from(position.player) { value } else { 1.0 - value }
}

/// The evaluator of leaves, by the positions one move ahead.
pub(super) struct Lookahead;

impl Evaluator<Othello> for Lookahead {
    fn knowledge(&self) -> Knowledge {
        Knowledge::ValuesAndPriors
    }

    fn evaluate(&self, leaves: &[Leaf<'_, Othello>], out: &mut Evaluations) {
        let mut priors = Vec::with_capacity(64);
        for leaf in leaves {
            let value = evaluate(leaf.position, &mut priors);
            let mut values = [1.0 - value; 2];
            values[usize::from(leaf.position.player)] = value;
            out.push(&values, &priors);
        }
    }
}

/// The value of a position for the player to act. Makes the priors of its actions, in their order.
fn evaluate(position: &Othello, priors: &mut Vec<f32>) -> f64 {
    let &Othello { mine, theirs, moves, .. } = position;
    priors.clear();
    if (mine | theirs).count_zeros() <= SOLVED {
        priors.resize(moves.count_ones().max(1) as usize, 1.0);
        return 0.5 + 0.5 * f64::from(endgame::result(mine, theirs));
    }
    if moves == 0 {
        priors.push(1.0);
        return probability(-OWN.score(theirs, mine));
    }
    let (mut scores, mut best) = ([0.0; 64], f64::NEG_INFINITY);
    let mut rest = moves;
    let mut count = 0;
    while rest != 0 {
        let square = rest.trailing_zeros() as u8;
        let flipped = flips(mine, theirs, square);
        let score = -OWN.score(theirs ^ flipped, mine ^ flipped | 1 << square);
        best = best.max(score);
        scores[count] = score;
        count += 1;
        rest &= rest - 1;
    }
    priors.extend(scores[..count].iter().map(|score| prior(best - score, TEMPERATURE)));
    probability(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Move;
    use crate::othello::tests::after;
    use boughs::{Game, Rng, Turn};

    /// Unfinished positions of random games.
    fn positions() -> Vec<Othello> {
        let mut rng = Rng::new(6, 0);
        let mut positions = Vec::new();
        for _ in 0..100 {
            let mut game = Othello::default();
            while let Some(action) = game.random_action(&mut rng, &mut Vec::new()) {
                positions.push(game);
                game.apply(action);
            }
        }
        positions
    }

    /// The value for the player to act, and the priors.
    fn evaluated(game: &Othello) -> (f64, Vec<f32>) {
        let mut priors = Vec::new();
        (evaluate(game, &mut priors), priors)
    }

    fn transposed(squares: u64) -> u64 {
        (0..64).filter(|square| squares >> square & 1 == 1).map(|square| 1 << (8 * (square % 8) + square / 8)).sum()
    }

    #[test]
    fn turned_and_mirrored_positions_are_worth_the_same() {
        let mirrors: [fn(u64) -> u64; 3] = [u64::swap_bytes, |squares| squares.swap_bytes().reverse_bits(), transposed];
        for game in positions() {
            let ((value, mut priors), alone) = (evaluated(&game), win_probability(&game, 0));
            priors.sort_by(f32::total_cmp);
            for mirror in mirrors {
                let other = Othello::of(mirror(game.mine), mirror(game.theirs), game.player);
                let (other_value, mut other_priors) = evaluated(&other);
                other_priors.sort_by(f32::total_cmp);
                assert_eq!((other_value, other_priors), (value, priors.clone()), "{}{}", game.board(), other.board());
                assert_eq!(win_probability(&other, 0), alone);
            }
        }
    }

    #[test]
    fn a_position_with_colours_exchanged_is_worth_as_much_to_the_other_player() {
        for game in positions() {
            let other = Othello::of(game.mine, game.theirs, 1 - game.player);
            for player in 0..2 {
                let value = win_probability(&game, player);
                assert_eq!(value, win_probability(&other, 1 - player));
                assert_eq!(value + win_probability(&game, 1 - player), 1.0);
                assert!((0.0..=1.0).contains(&value));
            }
        }
    }

    #[test]
    fn mobility_is_the_number_of_actions() {
        let count = |game: &Othello| {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            actions.iter().filter(|&&action| action != Move::PASS).count() as f64
        };
        for game in positions().into_iter().filter(|game| game.moves != 0) {
            let other = Othello::of(game.theirs, game.mine, 1 - game.player);
            let terms = terms(game.mine, game.theirs, game.moves, other.moves);
            let (own, others) = (count(&game), count(&other));
            assert_eq!(terms[0], (own - others) / (own + others + 2.0), "{}", game.board());
        }
    }

    #[test]
    fn there_is_a_positive_prior_for_each_action() {
        for game in positions() {
            let (mut actions, (_, priors)) = (Vec::new(), evaluated(&game));
            game.actions(&mut actions);
            assert_eq!(priors.len(), actions.len(), "{}", game.board());
            assert!(priors.iter().all(|&prior| prior > 0.0 && prior.is_finite()), "{priors:?}");
        }
    }

    #[test]
    fn a_corner_is_worth_more_than_an_x_square_beside_it() {
        let all = positions();
        let free = all.iter().filter(|game| (game.mine | game.theirs) & 0x0303 == 0);
        let mut seen = 0;
        for game in free {
            let with = |square: u32| Othello::of(game.mine | 1 << square, game.theirs, game.player);
            let [corner, none, x] = [with(0), *game, with(9)].map(|game| win_probability(&game, game.player.into()));
            assert!(corner > x && corner > none, "{corner} {none} {x}{}", game.board());
            seen += 1;
        }
        assert!(seen > 100, "{seen}");
    }

    #[test]
    fn corners_have_greater_priors_than_x_squares() {
        let mut sums = [(0.0, 0); 2];
        for game in positions().iter().filter(|game| (game.mine | game.theirs).count_zeros() > SOLVED) {
            let corners = around(CORNERS & !(game.mine | game.theirs));
            let (mut actions, priors) = (Vec::new(), evaluated(game).1);
            game.actions(&mut actions);
            let total: f32 = priors.iter().sum();
            for (&Move(square), prior) in actions.iter().zip(priors).filter(|(action, _)| **action != Move::PASS) {
                for (kind, (sum, times)) in [CORNERS, X_SQUARES & corners].iter().zip(&mut sums) {
                    if kind >> square & 1 == 1 {
                        *sum += prior / total;
                        *times += 1;
                    }
                }
            }
        }
        let [corner, x] = sums.map(|(sum, times)| sum / times as f32);
        assert!(corner > 3.0 * x && sums.iter().all(|&(_, times)| times > 100), "{sums:?}");
    }

    #[test]
    fn finished_games_have_exact_values() {
        let won = after("e6f4e3f6g5d6e7f5c5");
        assert_eq!((won.turn(), win_probability(&won, 0), win_probability(&won, 1)), (Turn::Over, 1.0, 0.0));
        let before = after("e6f4e3f6g5d6e7f5");
        assert_eq!(evaluated(&before).0, 1.0, "the next move wins");
        let drawn = Othello::of(0xffff_ffff, !0xffff_ffff, 0);
        assert_eq!((win_probability(&drawn, 0), win_probability(&drawn, 1)), (0.5, 0.5));
    }
}
