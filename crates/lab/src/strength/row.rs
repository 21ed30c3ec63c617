//! A row of the report: the results of one configuration.

use boughs_arena::statistics::{Estimate, Games, Strength};
use serde::Serialize;

use super::Kind;

/// The error of a win rate that the report asks for.
pub(super) const CLAIM: f64 = 0.05;

/// The results of a configuration in games against one thread and in solved positions.
#[derive(Clone, Debug, Serialize)]
pub struct StrengthRow {
    /// The table of the row.
    pub kind: Kind,
    /// The limit of a move.
    pub limit: String,
    /// The name of the row in its table.
    pub name: String,
    /// The number of threads, workers or ranks; in the yardstick the limit as a multiple of that of one thread.
    pub size: f64,
    /// The spec of the agent.
    pub agent: String,
    /// The results of its games.
    pub games: Games,
    /// The share of the points it got, its win rate.
    pub share: Estimate,
    /// The win rate in Elo.
    pub elo: Estimate,
    /// The approximate number of further games until the error of the win rate is 5 %, where it is larger.
    pub games_more: Option<u64>,
    /// The limit that one thread needs to play as well, as a multiple; `None` in the yardstick.
    pub equal_to: Option<Estimate>,
    /// The factor by which one thread would have to be faster to play as well. At equal time, and for ranks of as many
    /// machines, that is [`equal_to`](StrengthRow::equal_to). At equal playouts of threads and workers it is the
    /// possible gain on a machine on which each of them is as fast as one alone.
    pub speed_up: Option<Estimate>,
    /// The share of solved positions in which it found a move that keeps the value, if the game has any.
    pub optimal: Option<Estimate>,
    /// The number of games that were move for move like another.
    pub duplicates: u64,
}

impl StrengthRow {
    /// Adds the results of its games.
    pub(super) fn with(self, strength: Strength) -> StrengthRow {
        let games = 2 * strength.tally.pairs.count();
        StrengthRow {
            games: strength.tally.games,
            share: strength.share,
            elo: strength.elo,
            games_more: strength.share.games_more(games, CLAIM).filter(|&more| more > 0),
            ..self
        }
    }

    /// Adds the limit that one thread needs to play as well.
    pub(super) fn compared(self, equal_to: Estimate) -> StrengthRow {
        let speed_up = match self.kind {
            Kind::Gain | Kind::Ranks => Some(equal_to),
            Kind::Price | Kind::Workers => Some(equal_to.times(self.size)),
            Kind::HandicapCurve => None,
        };
        StrengthRow { equal_to: speed_up.map(|_| equal_to), speed_up, ..self }
    }
}
