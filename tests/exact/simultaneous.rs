//! Games of repeated simultaneous choices of two players, solved from the end.

use boughs::{Game, Turn};

use super::matrix::equilibrium;

/// The first player's value of best play after each pair of choices, in a position in which the first player is to
/// choose, then the second. Rows and columns are the legal actions in the game's order.
///
/// The function visits the whole game below the position, so it must be small: Goofspiel takes two seconds with five
/// cards in random order, half a second with six in descending order, and hardly any time with fewer.
pub fn table<G: Game>(position: &G) -> Vec<Vec<f64>> {
    children(position).map(|(_, chosen)| children(&chosen).map(|(_, next)| value(&next)).collect()).collect()
}

/// The first player's value of a position under best play of both.
pub fn value<G: Game>(position: &G) -> f64 {
    match position.turn() {
        Turn::Over => position.reward(0),
        Turn::Chance => {
            let (sum, weights) = children(position).fold((0.0, 0.0), |(sum, weights), (outcome, next)| {
                let weight = f64::from(position.weight(outcome));
                (sum + weight * value(&next), weights + weight)
            });
            sum / weights
        }
        Turn::Player(_) => equilibrium(&table(position)).value,
    }
}

/// Every action of a position, with the position after it.
pub(super) fn children<G: Game>(position: &G) -> impl Iterator<Item = (G::Action, G)> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    actions.into_iter().map(|action| {
        let mut next = position.clone();
        next.apply(action);
        (action, next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::strategy::{Strategy, exploitability};
    use boughs::notation::play_moves;
    use boughs_games::goofspiel::{Goofspiel, Order};
    use boughs_games::matrix::{Matrix, Table};

    #[test]
    fn the_table_of_a_matrix_game_is_its_own() {
        for game in [Table::Pennies, Table::Biased, Table::Dominated, Table::Random(1)] {
            assert_eq!(table(&Matrix::new(game)), game.rows());
        }
    }

    #[test]
    fn goofspiel_is_worth_as_much_to_either_player() {
        for (cards, order) in [(2, Order::Random), (3, Order::Random), (4, Order::Descending), (5, Order::Descending)] {
            let start = Goofspiel::new(cards, order).expect("a number of cards");
            assert!((value(&start) - 0.5).abs() < 1e-9, "{cards} {order:?}");
        }
    }

    #[test]
    fn the_last_choices_of_a_game_have_the_value_they_can_still_win() {
        let mut position = Goofspiel::new(3, Order::Descending).expect("a number of cards");
        play_moves(&mut position, "3A").expect("two bids");
        // With 3 points to 0, A and 2 play against 2 and 3 for the prizes 2 and 1. The second player can at best
        // draw, by taking both: with 2 against A and 3 against 2, in the order in which the first player bids them.
        assert_eq!(table(&position), [[0.5, 1.0], [1.0, 0.5]].map(Vec::from));
        assert!((value(&position) - 0.75).abs() < 1e-12);
    }

    /// The strategy that plays the equilibrium of the table in every position.
    fn solve(position: &Goofspiel, strategy: &mut Strategy) {
        if let Turn::Player(0) = position.turn() {
            let solution = equilibrium(&table(position));
            strategy.set(position, solution.rows);
            for (_, chosen) in children(position) {
                strategy.set(&chosen, solution.columns.clone());
            }
        }
        children(position).for_each(|(_, next)| solve(&next, strategy));
    }

    #[test]
    fn no_player_gains_against_the_solution_of_a_whole_game() {
        for (cards, order) in [(3, Order::Random), (3, Order::Descending), (4, Order::Descending)] {
            let start = Goofspiel::new(cards, order).expect("a number of cards");
            let mut strategy = Strategy::uniform();
            assert!(exploitability(&start, &strategy) > 0.05);
            solve(&start, &mut strategy);
            assert!(exploitability(&start, &strategy).abs() < 1e-9, "{cards} {order:?}");
        }
    }
}
