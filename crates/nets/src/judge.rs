//! The values of moves, by a network.

use std::f32::consts::{LN_2, LOG2_E};

use boughs::logarithm::ln;
use boughs::{Information, Session, Turn};
use boughs_games::{CellsShape, Choices, GameEntry, entry_of, logistic};

use crate::error::NetError;
use crate::network::{Base, Board, Network, SMALL};
use crate::table::Table;

/// A network of a game.
///
/// The value of a board is that for the player who has moved: in games with scores the score that is still to come, and
/// else the reward at the end, of which the sum of weights is the logarithm of the odds. Rewards of two players add up
/// to 1.
pub(crate) struct Judge {
    pub(crate) network: Network,
    pub(crate) game: &'static GameEntry,
    /// True if the rewards are scores, of which a move may add some.
    pub(crate) has_scores: bool,
}

/// The moves of a position.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) choices: Choices,
    /// The value of each move that was valued: its points and the value of the board after it, or the reward at the
    /// end.
    pub(crate) values: Vec<f32>,
    /// The prior of each move.
    pub(crate) priors: Vec<f32>,
    /// The places of the weights of all boards.
    places: Vec<u32>,
    base: Base,
}

impl Options {
    /// The move of greatest value, the first of equals.
    pub(crate) fn best(&self) -> Option<usize> {
        let greater = |best: usize, it: usize| if self.values[it] > self.values[best] { it } else { best };
        (0..self.values.len()).reduce(greater)
    }
}

/// The game of a position that networks can value, and its board.
///
/// # Errors
/// If it has no cells, or [`check`] refuses it.
pub(crate) fn board(position: &dyn Session) -> Result<(&'static GameEntry, CellsShape), NetError> {
    let game = entry_of(position).ok_or(NetError::NoCells)?;
    let shape = game.cells_shape(position).ok_or(NetError::NoCells)?;
    check(position)?;
    Ok((game, shape))
}

/// Checks that a network can value the positions of a game: the players see the whole board, and the rewards are scores
/// of one player, or from 0 to 1.
///
/// # Errors
/// One sentence that says what does not fit.
pub(crate) fn check(position: &dyn Session) -> Result<(), NetError> {
    let facts = position.facts();
    match (position.players(), facts.rewards.bounds) {
        (3.., _) => Err(NetError::Players),
        _ if facts.information == Information::Hidden => {
            Err(NetError::Unfit("a network sees the whole board, and this game hides something from its players"))
        }
        (1, None) | (_, Some((0.0, 1.0))) => Ok(()),
        (1, Some(_)) => Err(NetError::Unfit(
            "a network learns scores without bounds or rewards from 0 to 1, and this game has other bounds",
        )),
        _ => Err(NetError::Unfit("a network learns games for two by rewards from 0 to 1, and this game has others")),
    }
}

impl Judge {
    /// The network of the game that a position is of.
    pub(crate) fn new(network: Network, game: &'static GameEntry, position: &dyn Session) -> Judge {
        Judge { network, game, has_scores: position.facts().rewards.bounds.is_none() }
    }

    /// The cells of a board.
    #[inline]
    pub(crate) fn cells(&self) -> usize {
        self.network.tuples().shape().cells()
    }

    /// The value that a sum of weights stands for.
    #[inline]
    pub(crate) fn value_of(&self, sum: f32) -> f32 {
        if self.has_scores { sum } else { logistic(f64::from(sum)) as f32 }
    }

    /// The value of a board after a move of a player.
    pub(crate) fn value(&self, player: usize, board: &[u8]) -> f32 {
        self.value_of(self.network.value(player, board))
    }

    /// The least and the greatest value that there may be.
    pub(crate) fn bounds(&self) -> [f32; 2] {
        if self.has_scores { [f32::NEG_INFINITY, f32::INFINITY] } else { [0.0, 1.0] }
    }

    /// Values the moves of the player who acts.
    pub(crate) fn judge(&self, position: &dyn Session, player: usize, options: &mut Options) {
        self.judge_until(position, player, f32::INFINITY, options);
    }

    /// Values the moves of the player who acts, up to one whose value is at least `enough`.
    pub(crate) fn judge_until(&self, position: &dyn Session, player: usize, enough: f32, options: &mut Options) {
        self.game.list_choices(position, &mut options.choices);
        options.values.clear();
        let is_enough = |option: &usize| self.value_of_end(&options.choices, *option).is_some_and(|it| it >= enough);
        if let Some(option) = (0..options.choices.codes.len()).find(is_enough) {
            options.values.resize(option, f32::NEG_INFINITY);
            options.values.extend(self.value_of_end(&options.choices, option));
            return;
        }
        self.network.show(player, &mut options.choices.before);
        self.network.show_changes(player, options.choices.all_changes());
        self.locate(player, options);
        let enough = if self.has_scores { enough } else { logit(enough) };
        self.sum_boards(self.network.weights(), options, |options, sum| {
            let (choices, option) = (&options.choices, options.values.len());
            options.values.push(sum);
            choices.ends[option].is_some() || choices.points[option] + sum < enough
        });
        // Sums become values all at once, because a processor works at several of them at the same time.
        let Options { choices, values, .. } = options;
        for (option, value) in values.iter_mut().enumerate() {
            *value = choices.points[option] + self.value_of(*value);
        }
        for (option, value) in values.iter_mut().enumerate() {
            *value = self.value_of_end(choices, option).unwrap_or(*value);
        }
    }

    /// The value of a move that ends the game.
    fn value_of_end(&self, choices: &Choices, option: usize) -> Option<f32> {
        choices.ends[option].map(|reward| if self.has_scores { choices.points[option] } else { reward })
    }

    /// Finds the priors of moves that were valued. Returns false if the network has none.
    pub(crate) fn prior(&self, options: &mut Options) -> bool {
        let Some(policy) = self.network.policy() else { return false };
        options.priors.clear();
        self.sum_boards(policy, options, |options, sum| {
            options.priors.push(sum);
            true
        });
        softmax(&mut options.priors);
        true
    }

    /// The places of the weights of a move that was valued.
    pub(crate) fn list_places(&self, options: &Options, option: usize, places: &mut Vec<u32>) {
        if self.is_large() {
            return self.network.list_places_beside(&options.base, options.choices.changes(option), places);
        }
        let terms = self.network.terms();
        places.extend_from_slice(&options.places[terms * option..terms * (option + 1)]);
    }

    /// Returns true if boards are valued by what they have different from the position.
    fn is_large(&self) -> bool {
        self.cells() > SMALL
    }

    /// Finds the weights of all boards.
    fn locate(&self, player: usize, Options { choices, places, base, .. }: &mut Options) {
        if self.is_large() {
            let neighbour = if choices.codes.is_empty() { &[] } else { choices.changes(0) };
            return self.network.set_base(player, &choices.before, neighbour, base);
        }
        places.clear();
        let before = Board::of(&choices.before);
        for option in 0..choices.codes.len() {
            self.network.list_places(player, &before.after(choices.changes(option)), places);
        }
    }

    /// Calls `see` with the sum of a table's weights of each board until it returns false.
    #[inline]
    fn sum_boards(&self, table: &Table, options: &mut Options, mut see: impl FnMut(&mut Options, f32) -> bool) {
        let terms = self.network.terms();
        if self.is_large() {
            self.network.weigh(table, &mut options.base);
        }
        for option in 0..options.choices.codes.len() {
            let sum = match self.is_large() {
                true => {
                    let Options { choices, base, .. } = &mut *options;
                    self.network.sum_beside(table, base, choices.changes(option))
                }
                // Weights are read after all places are known, so that the processor waits for many of them at a time.
                false => table.sum(&options.places[terms * option..terms * (option + 1)]),
            };
            if !see(options, sum) {
                break;
            }
        }
    }
}

/// A number that is a little greater than the logarithm of the odds of a share, so that [`logistic`] of no less is at
/// least the share.
fn logit(share: f32) -> f32 {
    match share {
        1.0.. => f32::INFINITY,
        share if share > 0.0 => ln(f64::from(share / (1.0 - share))) as f32 + 0.01,
        _ => f32::NEG_INFINITY,
    }
}

/// e^x for x of at most 0, from + - * alone, so that priors do not depend on a platform's libm. They need fewer digits
/// than [`boughs::logarithm::exp`] has, whose divisions take longer.
#[inline]
pub(crate) fn exp(x: f32) -> f32 {
    // `max` would make a number of NaN, and a fault would not be seen.
    let x = if x < -87.0 { -87.0 } else { x };
    let n = (x * LOG2_E - 0.5) as i32;
    let r = x - n as f32 * LN_2;
    // The first term that is left out is below 2^-20.
    let series = INVERSE_FACTORIALS.iter().rev().fold(0.0, |sum, inverse| sum * r + inverse);
    series * f32::from_bits(((n + 127) as u32) << 23)
}

/// 1 / n! for n from 0.
const INVERSE_FACTORIALS: [f32; 7] = [1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0];

/// Makes shares of logits.
pub(crate) fn softmax(logits: &mut [f32]) {
    let greatest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    logits.iter_mut().for_each(|logit| *logit = exp(*logit - greatest));
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|share| *share /= sum);
}

/// The reward of a game that is over, or that is cut.
pub(crate) fn reward(game: &dyn Session, player: usize) -> f64 {
    match game.turn() {
        Turn::Over => game.reward(player),
        _ => game.cut_reward(player),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuples::Tuples;
    use boughs::Rng;

    #[test]
    fn the_exponential_function_is_right_to_a_few_parts_in_a_million() {
        for x in (0..=8_700).map(|step| -0.01 * step as f32) {
            assert!((exp(x) - x.exp()).abs() <= 1e-5 * x.exp(), "{x}: {} {}", exp(x), x.exp());
        }
        assert_eq!((exp(0.0), exp(f32::NEG_INFINITY)), (1.0, exp(-87.0)));
        assert!(exp(f32::NAN).is_nan());
        let mut logits = [0.0, f32::NAN];
        softmax(&mut logits);
        assert!(logits.iter().all(|share| share.is_nan()), "{logits:?}");
    }

    #[test]
    fn games_that_networks_cannot_learn_are_refused() {
        let said = |text: &str| {
            let start = boughs_games::start(text).unwrap();
            check(&*start.position).err().map(|fault| fault.to_string())
        };
        for game in ["2048", "connect4", "othello", "go", "hex", "breakthrough", "yavalath", "tictactoe", "pig"] {
            assert_eq!(said(game), None, "{game}");
        }
        assert!(said("kuhn").unwrap().contains("hides something from its players"));
        assert!(said("whist").unwrap().contains("and this game has more"));
        assert!(said("ahc015").unwrap().contains("this game has other bounds"));
    }

    #[test]
    fn moves_have_the_values_of_their_boards_and_so_have_the_places_that_are_listed() {
        for game in ["2048", "tictactoe", "connect4", "othello", "breakthrough", "hex:size=5"] {
            let start = boughs_games::start(game).unwrap();
            let shape = start.entry.cells_shape(&*start.position).unwrap();
            let (mut rng, mut position) = (Rng::new(1, 0), start.position);
            let network = Network::new(&Tuples::walks(shape, 8, 4, &mut rng).in_stages(5), position.players()).unwrap();
            let weights = network.weights();
            (0..weights.len()).for_each(|place| weights.set(place, rng.unit() as f32 - 0.5));
            let judge = Judge::new(network, start.entry, &*position);
            let mut options = Options::default();
            for _ in 0..20 {
                let Some(step) = position.random_step(&mut rng) else { break };
                position.apply(step);
                let Turn::Player(player) = position.turn() else { continue };
                judge.judge(&*position, player, &mut options);
                let mut choices = Choices::default();
                judge.game.list_choices(&*position, &mut choices);
                for option in 0..choices.codes.len() {
                    let mut places = Vec::new();
                    judge.list_places(&options, option, &mut places);
                    let alone = judge.value(player, &choices.board(option));
                    let listed = judge.value_of(judge.network.weights().sum(&places));
                    assert!((alone - listed).abs() < 1e-4, "{game}: {alone} {listed}");
                    if choices.ends[option].is_none() {
                        let value = options.values[option] - choices.points[option];
                        assert!((alone - value).abs() < 1e-4, "{game}: {alone} {value}");
                    }
                }
            }
        }
    }
}
