//! Values of positions by a search of some moves, with the network at its end.

use boughs::{Session, Turn};

use crate::judge::{Judge, Options, reward};

/// Lists of moves for the positions of a line, which are used again.
pub(crate) type Spare = Vec<Options>;

impl Judge {
    /// The best move of a position whose moves are valued, and its value, by a search of as many moves as `depth`. A
    /// value above the second bound need not be exact, nor one below the first.
    pub(crate) fn look_ahead(
        &self,
        position: &dyn Session,
        player: usize,
        (depth, [low, high]): (u32, [f32; 2]),
        options: &Options,
        spare: &mut Spare,
    ) -> Option<(usize, f32)> {
        if depth <= 1 {
            return options.best().map(|best| (best, options.values[best]));
        }
        // The moves that look best come first, so that more of the others are cut.
        let mut order: Vec<usize> = (0..options.values.len()).collect();
        order.sort_by(|&one, &other| options.values[other].total_cmp(&options.values[one]));
        let mut best: Option<(usize, f32)> = None;
        for option in order {
            let value = match options.choices.ends[option] {
                Some(_) => options.values[option],
                None => {
                    let mut next = position.clone_session();
                    next.apply(options.choices.codes[option]);
                    let points = options.choices.points[option];
                    let low = best.map_or(low, |(_, value)| value.max(low));
                    points + self.value_ahead(&*next, player, (depth - 1, [low - points, high - points]), spare)
                }
            };
            if best.is_none_or(|(_, greatest)| value > greatest) {
                best = Some((option, value));
            }
            if value >= high {
                break;
            }
        }
        best
    }

    /// The value of a position for a player.
    fn value_ahead(
        &self,
        position: &dyn Session,
        player: usize,
        (depth, [low, high]): (u32, [f32; 2]),
        spare: &mut Spare,
    ) -> f32 {
        let at_end = |position: &dyn Session| if self.has_scores { 0.0 } else { reward(position, player) as f32 };
        match position.turn() {
            Turn::Player(acts) => {
                let is_own = self.has_scores || acts == player;
                let bounds = if is_own { [low, high] } else { [1.0 - high, 1.0 - low] };
                let mut options = spare.pop().unwrap_or_default();
                let enough = if depth == 1 { bounds[1] } else { f32::INFINITY };
                self.judge_until(position, acts, enough, &mut options);
                let found = self.look_ahead(position, acts, (depth, bounds), &options, spare);
                spare.push(options);
                match (found, is_own) {
                    (None, _) => at_end(position),
                    (Some((_, value)), true) => value,
                    (Some((_, value)), false) => 1.0 - value,
                }
            }
            Turn::Chance => {
                let mut outcomes = Vec::new();
                position.actions(&mut outcomes);
                let (mut sum, mut weights) = (0.0, 0.0);
                for outcome in outcomes {
                    let weight = position.weight(outcome) as f32;
                    let mut next = position.clone_session();
                    next.apply(outcome);
                    sum +=
                        weight * self.value_ahead(&*next, player, (depth, [f32::NEG_INFINITY, f32::INFINITY]), spare);
                    weights += weight;
                }
                if weights > 0.0 { sum / weights } else { at_end(position) }
            }
            _ => at_end(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Network;
    use crate::tuples::Tuples;
    use boughs::Rng;

    /// A network of a game with random weights.
    fn judge(game: &str) -> (Judge, Box<dyn Session>) {
        let start = boughs_games::start(game).unwrap();
        let shape = start.entry.cells_shape(&*start.position).unwrap();
        let mut rng = Rng::new(5, 0);
        let network = Network::new(&Tuples::walks(shape, 6, 4, &mut rng), start.position.players()).unwrap();
        let weights = network.weights();
        (0..weights.len()).for_each(|place| weights.set(place, rng.unit() as f32 - 0.5));
        (Judge::new(network, start.entry, &*start.position), start.position)
    }

    /// The values of all moves without cuts.
    fn plain(judge: &Judge, position: &dyn Session, player: usize, depth: u32) -> Vec<f32> {
        let mut options = Options::default();
        judge.judge(position, player, &mut options);
        let value = |option: usize| {
            if depth == 1 || options.choices.ends[option].is_some() {
                return options.values[option];
            }
            let mut next = position.clone_session();
            next.apply(options.choices.codes[option]);
            options.choices.points[option] + plain_value(judge, &*next, player, depth - 1)
        };
        (0..options.values.len()).map(value).collect()
    }

    fn plain_value(judge: &Judge, position: &dyn Session, player: usize, depth: u32) -> f32 {
        match position.turn() {
            Turn::Player(acts) => {
                let best = plain(judge, position, acts, depth).into_iter().fold(f32::NEG_INFINITY, f32::max);
                if acts == player { best } else { 1.0 - best }
            }
            _ => {
                let outcomes = position.legal_moves();
                let weight = |outcome: u32| position.weight(outcome) as f32;
                let sum: f32 = outcomes.iter().map(|&(outcome, _)| weight(outcome)).sum();
                let values = outcomes.iter().map(|&(outcome, _)| {
                    let mut next = position.clone_session();
                    next.apply(outcome);
                    weight(outcome) / sum * plain_value(judge, &*next, player, depth)
                });
                values.sum()
            }
        }
    }

    #[test]
    fn a_search_with_cuts_finds_what_one_without_finds() {
        for (game, moves, depths) in [("connect4", 12, 1..=4), ("othello", 10, 1..=3), ("2048", 6, 1..=2)] {
            let (judge, mut position) = judge(game);
            let mut rng = Rng::new(1, 0);
            for _ in 0..moves {
                while position.turn() == Turn::Chance {
                    position.random_step(&mut rng).into_iter().for_each(|step| position.apply(step));
                }
                let Turn::Player(player) = position.turn() else { break };
                let mut options = Options::default();
                judge.judge(&*position, player, &mut options);
                for depth in depths.clone() {
                    let all = (depth, judge.bounds());
                    let (best, value) = judge.look_ahead(&*position, player, all, &options, &mut Spare::new()).unwrap();
                    let values = plain(&judge, &*position, player, depth);
                    let greatest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    let near = |one: f32| (one - greatest).abs() < 1e-4;
                    assert!(near(value) && near(values[best]), "{game} {depth}: {best} {value} {values:?}");
                }
                position.random_step(&mut rng).into_iter().for_each(|step| position.apply(step));
            }
        }
    }
}
