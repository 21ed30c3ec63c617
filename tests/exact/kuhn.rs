//! Strategies of Kuhn poker: the probability of a bet, or of a call, in each of the twelve information sets.

use boughs::notation::play_moves;
use boughs_games::kuhn::Kuhn;

use super::strategy::Strategy;

/// The first player's value of a game in chips, under best play of both (Kuhn 1950).
pub const VALUE: f64 = -1.0 / 18.0;

/// Moves to one position of each information set: with J, Q and K, the first player at the start and
/// after a check and a bet, then the second player after a check and after a bet.
pub const DECISIONS: [&str; 12] = [
    "JQ",
    "QJ",
    "KJ",
    "JQ check bet",
    "QJ check bet",
    "KJ check bet",
    "QJ check",
    "JQ check",
    "JK check",
    "QJ bet",
    "JQ bet",
    "JK bet",
];

/// The position of one of the [`DECISIONS`].
///
/// # Panics
/// If the moves are not legal.
pub fn position(moves: &str) -> Kuhn {
    let mut position = Kuhn::default();
    if let Err(error) = play_moves(&mut position, moves) {
        panic!("{moves}: {error}");
    }
    position
}

/// The strategy that bets, or calls, with these probabilities in the [`DECISIONS`]. Both are the second of the legal
/// actions.
pub fn strategy(bets: [f64; 12]) -> Strategy {
    let mut strategy = Strategy::uniform();
    for (moves, bet) in DECISIONS.into_iter().zip(bets) {
        strategy.set(&position(moves), vec![1.0 - bet, bet]);
    }
    strategy
}

/// One of the equilibria, all of which Kuhn found: the first player bluffs with J with probability `alpha`, from 0 to
/// 1/3, and all else follows.
pub fn equilibrium(alpha: f64) -> Strategy {
    let third = 1.0 / 3.0;
    let (first, facing_a_bet) = ([alpha, 0.0, 3.0 * alpha], [0.0, alpha + third, 1.0]);
    let (after_a_check, after_a_bet) = ([third, 0.0, 1.0], [0.0, third, 1.0]);
    let mut bets = [0.0; 12];
    for (i, part) in [first, facing_a_bet, after_a_check, after_a_bet].iter().enumerate() {
        bets[3 * i..3 * i + 3].copy_from_slice(part);
    }
    strategy(bets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::strategy::{best_answer, decisions, expected, exploitability};
    use boughs::{Game, Turn};
    use std::collections::BTreeSet;

    fn is_close(found: f64, known: f64) -> bool {
        (found - known).abs() < 1e-12
    }

    #[test]
    fn the_decisions_are_all_there_are() {
        let known = |position: &Kuhn| match position.turn() {
            Turn::Player(player) => (player, position.information(player)),
            _ => panic!("a player is to act"),
        };
        let named: BTreeSet<_> = DECISIONS.iter().map(|moves| known(&position(moves))).collect();
        let all: BTreeSet<_> = decisions(&Kuhn::default()).iter().map(known).collect();
        assert_eq!((named.len(), &named), (12, &all));
    }

    #[test]
    fn the_equilibria_of_kuhn_have_his_value_and_cannot_be_exploited() {
        for alpha in [0.0, 0.1, 0.2, 1.0 / 3.0] {
            let (start, strategy) = (Kuhn::default(), equilibrium(alpha));
            assert!(is_close(expected(&start, &strategy), VALUE), "{alpha}");
            assert!(is_close(exploitability(&start, &strategy), 0.0), "{alpha}");
        }
    }

    #[test]
    fn too_many_bluffs_can_be_exploited() {
        assert!(exploitability(&Kuhn::default(), &equilibrium(0.4)) > 0.01);
    }

    /// Every strategy that leaves nothing to chance for one player, with the other's bets as given.
    fn pure_answers(player: usize, bets: [f64; 12]) -> impl Iterator<Item = [f64; 12]> {
        (0..1 << 6).map(move |choice: usize| {
            let mut bets = bets;
            (0..6).for_each(|i| bets[6 * player + i] = (choice >> i & 1) as f64);
            bets
        })
    }

    #[test]
    fn the_best_answer_is_the_best_of_all_pure_strategies() {
        let mut rng = boughs::Rng::new(1, 0);
        for round in 0..20 {
            let bets = if round == 0 { [0.5; 12] } else { [0.0; 12].map(|_| rng.unit()) };
            for (player, sign) in [(0, 1.0), (1, -1.0)] {
                let worth = |bets: [f64; 12]| sign * expected(&Kuhn::default(), &strategy(bets));
                let best = pure_answers(player, bets).map(worth).fold(f64::MIN, f64::max);
                assert!(is_close(best_answer(&Kuhn::default(), player, &strategy(bets)), best), "{bets:?}");
            }
        }
    }

    #[test]
    fn playing_at_random_loses_eleven_twelfths_to_both_best_answers() {
        let (start, uniform) = (Kuhn::default(), Strategy::uniform());
        assert!(is_close(best_answer(&start, 0, &uniform), 1.0 / 2.0));
        assert!(is_close(best_answer(&start, 1, &uniform), 5.0 / 12.0));
        assert!(is_close(exploitability(&start, &uniform), 11.0 / 24.0));
        assert!(is_close(expected(&start, &uniform), 1.0 / 8.0));
    }
}
