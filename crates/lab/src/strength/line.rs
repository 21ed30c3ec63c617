//! A line of the report: what games and solved positions say of somebody.

use boughs_arena::statistics::{Estimate, Games, Strength};
use serde::Serialize;

use super::Kind;

/// How sure a win rate has to be for anything to be claimed from it.
pub(super) const CLAIM: f64 = 0.05;

/// What games and solved positions say of somebody who met one thread.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The table it stands in.
    pub kind: Kind,
    /// What a move may take.
    pub limit: String,
    /// What it is called there.
    pub name: String,
    /// How many threads or workers it has; in the yardstick how many times the limit.
    pub size: f64,
    /// Who played, as it is written.
    pub agent: String,
    /// How its games ended.
    pub games: Games,
    /// The share of the points it got, its win rate.
    pub share: Estimate,
    /// The same in Elo.
    pub elo: Estimate,
    /// About how many games more it takes until the win rate is sure to 5 %, where it is not.
    pub games_more: Option<u64>,
    /// How many times the limit one thread needs to play as well; the yardstick itself has none.
    pub equal_to: Option<Estimate>,
    /// How many times faster one thread would have to be to play as well. At equal time that is
    /// [`equal_to`](Line::equal_to). At equal playouts it is what there is to gain, on a machine on which each of the
    /// threads or workers is as fast as one alone.
    pub speed_up: Option<Estimate>,
    /// The share of solved positions in which it found a move that keeps the value, where there are some.
    pub optimal: Option<Estimate>,
    /// Games that were move for move like another.
    pub duplicates: u64,
}

impl Line {
    /// The same with what its win rate says.
    pub(super) fn with(self, strength: Strength) -> Line {
        let games = 2 * strength.tally.pairs.count();
        Line {
            games: strength.tally.games,
            share: strength.share,
            elo: strength.elo,
            games_more: strength.share.games_more(games, CLAIM).filter(|&more| more > 0),
            ..self
        }
    }

    /// The same with what one thread needs to play as well.
    pub(super) fn compared(self, equal_to: Estimate) -> Line {
        let speed_up = match self.kind {
            Kind::Gain => Some(equal_to),
            Kind::Price | Kind::Workers => Some(equal_to.times(self.size)),
            Kind::Yardstick => None,
        };
        Line { equal_to: speed_up.map(|_| equal_to), speed_up, ..self }
    }
}
