//! The value of a leaf: the rest of the own turn and the turns after it, each the best by the evaluation.

use boughs::run::turn_goes_on;
use boughs::{Game, Rng, Turn};
use boughs_games::green_circle::{GreenCircle, Step};
use boughs_games::{Features, win_rate};

use crate::turn::TurnSearch;

/// The working memory of one evaluation.
pub(super) struct TurnSearches {
    pub(super) own: TurnSearch<GreenCircle>,
    pub(super) others: TurnSearch<GreenCircle>,
    /// The number of the turn whose positions `own` knows; 0 for none.
    pub(super) turn: u64,
}

/// The evaluation of a leaf.
pub(super) struct Play<'p> {
    pub(super) player: usize,
    /// The turns that are played after the own one.
    pub(super) turns: u32,
    pub(super) weights: &'p [f64],
    /// True if the own turn was searched to its end.
    pub(super) is_known: bool,
    /// Returns true if the search has to end. Values are of no use then.
    pub(super) is_over: &'p dyn Fn() -> bool,
}

impl Play<'_> {
    /// The share of games that the player wins from a position. Where the player chooses and there is a list, it gets
    /// the value of each action.
    pub(super) fn value(
        &self,
        mut game: GreenCircle,
        values: Option<&mut Vec<(Step, f64)>>,
        searches: &mut TurnSearches,
        rng: &mut Rng,
    ) -> f64 {
        let own = if self.is_known { &mut searches.own } else { &mut searches.others };
        if !self.is_known {
            own.begin();
        }
        if let Some(values) = values {
            *values = own.values(&game, self.player, self.weights, rng, self.is_over).actions;
            best(values).into_iter().for_each(|step| game.apply(step));
        }
        self.finish_turn(&mut game, self.player, own, rng);
        let others = &mut searches.others;
        for turn in 1..=self.turns {
            if game.settled().is_some() || (self.is_over)() {
                break;
            }
            while game.turn() == Turn::Chance {
                let Some(draw) = game.chance(rng, &mut Vec::new()) else { break };
                game.apply(draw);
            }
            let active = game.active();
            others.begin();
            if turn == self.turns {
                let best = others.choose(&game, active, self.weights, rng, self.is_over).value;
                return if active == self.player { best } else { 1.0 - best };
            }
            self.finish_turn(&mut game, active, others, rng);
        }
        win_rate(&game, self.player, self.weights)
    }

    /// Plays the best turn by the evaluation.
    fn finish_turn(&self, game: &mut GreenCircle, player: usize, search: &mut TurnSearch<GreenCircle>, rng: &mut Rng) {
        while turn_goes_on(game, player) && !(self.is_over)() {
            let step = match game.turn() {
                Turn::Chance => game.chance(rng, &mut Vec::new()),
                _ => search.choose(game, player, self.weights, rng, self.is_over).action,
            };
            let Some(step) = step else { break };
            game.apply(step);
        }
    }
}

/// The action with the greatest value, the first of equals.
pub(super) fn best(values: &[(Step, f64)]) -> Option<Step> {
    let greater = |best: (Step, f64), other: (Step, f64)| if other.1 > best.1 { other } else { best };
    values.iter().copied().reduce(greater).map(|(step, _)| step)
}
