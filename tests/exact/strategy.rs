//! Strategies for whole games of two players whose rewards always have the same sum, and their values.
//!
//! A strategy has a probability for each action in each information set, which [`Game::information`] numbers. Players
//! must have perfect recall: otherwise the best response found here may be better than any that exists.

use std::collections::BTreeMap;

use boughs::{Game, Turn};

use super::simultaneous::children;

/// A strategy of both players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strategy {
    /// The probability of each action, by the player and the information set.
    chances: BTreeMap<(usize, u64), Vec<f64>>,
}

impl Strategy {
    /// The uniform strategy.
    pub fn uniform() -> Strategy {
        Strategy::default()
    }

    /// Sets the probability of each legal action, in the game's order, in the information set of this position.
    /// Without it all actions have equal probability.
    pub fn set<G: Game>(&mut self, position: &G, chances: Vec<f64>) {
        if let Some(known) = known(position) {
            self.chances.insert(known, chances);
        }
    }

    /// The probability of each legal action.
    fn of<G: Game>(&self, position: &G) -> Vec<f64> {
        let set = known(position).and_then(|known| self.chances.get(&known));
        let actions = children(position).count();
        set.cloned().unwrap_or_else(|| vec![1.0 / actions as f64; actions])
    }
}

/// The player to act, and the information set.
fn known<G: Game>(position: &G) -> Option<(usize, u64)> {
    match position.turn() {
        Turn::Player(player) => Some((player, position.information(player))),
        Turn::Chance | Turn::Over => None,
    }
}

/// One position of each information set, in the order of a walk through the game: a search of each gives a strategy.
pub fn decisions<G: Game>(start: &G) -> Vec<G> {
    let (mut found, mut met) = (Vec::new(), std::collections::BTreeSet::new());
    let mut waiting = vec![start.clone()];
    while let Some(position) = waiting.pop() {
        if known(&position).is_some_and(|known| met.insert(known)) {
            found.push(position.clone());
        }
        let next: Vec<G> = children(&position).map(|(_, next)| next).collect();
        waiting.extend(next.into_iter().rev());
    }
    found
}

/// The first player's expected reward.
pub fn expected<G: Game>(position: &G, strategy: &Strategy) -> f64 {
    match position.turn() {
        Turn::Over => position.reward(0),
        _ => branches(position, strategy).map(|(chance, next)| chance * expected(&next, strategy)).sum(),
    }
}

/// The reward of `player`'s best response to the other's strategy.
pub fn best_answer<G: Game>(start: &G, player: usize, strategy: &Strategy) -> f64 {
    best_of(vec![(1.0, start.clone())], player, strategy)
}

/// The gain of a best response to the other's strategy, on average of the two players: 0 in an equilibrium, and nowhere
/// else.
pub fn exploitability<G: Game>(start: &G, strategy: &Strategy) -> f64 {
    let sum = G::REWARDS.sum.expect("rewards always have the same sum");
    (best_answer(start, 0, strategy) + best_answer(start, 1, strategy) - sum) / 2.0
}

/// The reward of a best response from a set of possible positions, each with its probability.
///
/// The player has to choose the same action in all positions of one information set.
fn best_of<G: Game>(positions: Vec<(f64, G)>, player: usize, strategy: &Strategy) -> f64 {
    let (mut reward, mut alike) = (0.0, BTreeMap::<u64, Vec<(f64, G)>>::new());
    let mut waiting = positions;
    while let Some((chance, position)) = waiting.pop() {
        match position.turn() {
            Turn::Over => reward += chance * position.reward(player),
            Turn::Player(other) if other == player => {
                alike.entry(position.information(player)).or_default().push((chance, position));
            }
            _ => waiting.extend(branches(&position, strategy).map(|(share, next)| (chance * share, next))),
        }
    }
    let best = |positions: Vec<(f64, G)>| {
        let mut by_action: Vec<Vec<(f64, G)>> = Vec::new();
        for (chance, position) in positions {
            for (i, (_, next)) in children(&position).enumerate() {
                by_action.resize_with(by_action.len().max(i + 1), Vec::new);
                by_action[i].push((chance, next));
            }
        }
        by_action.into_iter().map(|next| best_of(next, player, strategy)).fold(f64::MIN, f64::max)
    };
    reward + alike.into_values().map(best).sum::<f64>()
}

/// The successors of a position, each with its probability.
fn branches<G: Game>(position: &G, strategy: &Strategy) -> impl Iterator<Item = (f64, G)> {
    let chances = match position.turn() {
        Turn::Chance => {
            let weights: Vec<f64> =
                children(position).map(|(outcome, _)| f64::from(position.weight(outcome))).collect();
            let sum: f64 = weights.iter().sum();
            weights.into_iter().map(|weight| weight / sum).collect()
        }
        _ => strategy.of(position),
    };
    chances.into_iter().zip(children(position)).map(|(chance, (_, next))| (chance, next))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::matrix;
    use boughs_games::matrix::{Matrix, Table};

    #[test]
    fn a_matrix_game_is_judged_as_its_table_is() {
        let (start, rows, columns) = (Matrix::new(Table::Biased), vec![0.5, 0.25, 0.25], vec![0.1, 0.2, 0.7]);
        let mut strategy = Strategy::uniform();
        let [first, second] = &decisions(&start)[..] else { panic!("two decisions") };
        strategy.set(first, rows.clone());
        strategy.set(second, columns.clone());
        let table = Table::Biased.rows();
        assert!((expected(&start, &strategy) - matrix::expected(&table, &rows, &columns)).abs() < 1e-12);
        let found = exploitability(&start, &strategy);
        assert!((found - matrix::exploitability(&table, &rows, &columns)).abs() < 1e-12, "{found}");
        let guaranteed = 1.0 - best_answer(&start, 1, &strategy);
        assert!((guaranteed - matrix::guaranteed(&table, &rows)).abs() < 1e-12, "{guaranteed}");
    }
}
