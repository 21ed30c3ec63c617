//! The values of moves, by a network.

use boughs::{Session, Turn};
use boughs_games::{Choices, GameEntry, logistic};

use crate::network::{Base, Board, Network};

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
    /// The value of each move: its points and the value of the board after it, or the reward at the end.
    pub(crate) values: Vec<f32>,
    /// The places of the weights of all boards.
    places: Vec<u32>,
    base: Base,
}

/// A move on a board of more cells changes few of them.
const SMALL: usize = 24;

impl Options {
    /// The move of greatest value, the first of equals.
    pub(crate) fn best(&self) -> Option<usize> {
        let greater = |best: usize, it: usize| if self.values[it] > self.values[best] { it } else { best };
        (0..self.values.len()).reduce(greater)
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

    /// Values the moves of the player who acts.
    pub(crate) fn judge(&self, position: &dyn Session, player: usize, options: &mut Options) {
        let Options { choices, values, .. } = options;
        self.game.list_choices(position, choices);
        values.clear();
        match self.cells() > SMALL {
            true => self.judge_by_changes(player, options),
            false => self.judge_boards(player, options),
        }
    }

    /// Values boards by what each has different from the position.
    fn judge_by_changes(&self, player: usize, Options { choices, values, base, .. }: &mut Options) {
        self.network.set_base(player, &choices.before, base);
        for (option, board) in choices.boards.chunks_exact(self.cells()).enumerate() {
            values.push(self.value_of_move(choices, option, || self.network.sum_beside(base, board)));
        }
    }

    /// Values boards one by one.
    fn judge_boards(&self, player: usize, Options { choices, values, places, .. }: &mut Options) {
        places.clear();
        for board in choices.boards.chunks_exact(self.cells()) {
            self.network.list_places(player, &Board::of(board), places);
        }
        // The weights are read after all places are known, so that the processor waits for many of them at a time.
        for (option, places) in places.chunks_exact(self.network.terms()).enumerate() {
            values.push(self.value_of_move(choices, option, || self.network.sum(places)));
        }
    }

    /// The value of a move whose board has this sum.
    #[inline]
    fn value_of_move(&self, choices: &Choices, option: usize, sum: impl FnOnce() -> f32) -> f32 {
        match (choices.ends[option], self.has_scores) {
            (None, _) => choices.points[option] + self.value_of(sum()),
            (Some(_), true) => choices.points[option],
            (Some(reward), false) => reward,
        }
    }
}

/// The reward of a game that is over, or that is cut.
pub(crate) fn reward(game: &dyn Session, player: usize) -> f64 {
    match game.turn() {
        Turn::Over => game.reward(player),
        _ => game.cut_reward(player),
    }
}
