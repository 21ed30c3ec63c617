//! The result of a game: rewards, and what was counted of each seat.

use std::collections::BTreeMap;

use super::{Participant, RunningGame, Seat};
use crate::Ending;
use crate::plan::Limit;

impl RunningGame<'_> {
    /// Returns the columns of each seat: late and refused answers where there can be any, the mean depth of an agent's
    /// searches, and the tallies of the game unless a fault ended it.
    pub(crate) fn columns(&self, ending: &Ending) -> Vec<BTreeMap<String, f64>> {
        let tallies = if *ending == Ending::Over { self.entry.tallies(&*self.position) } else { Vec::new() };
        let is_timed = matches!(self.conditions.limit, Limit::Time(_));
        let of = |(place, seat): (usize, &Seat)| {
            let may_be_refused = !self.protocol.greets() && matches!(seat.participant, Participant::Program(_));
            let late = is_timed.then_some(("late", seat.late.into()));
            let refused = may_be_refused.then_some(("refused", seat.refused.into()));
            let depth = seat.depth.value().map(|depth| ("depth", depth));
            let tallies = tallies.iter().filter_map(|(name, numbers)| Some((*name, *numbers.get(place)?)));
            let columns = late.into_iter().chain(refused).chain(depth).chain(tallies);
            columns.map(|(name, number)| (name.to_string(), number)).collect()
        };
        self.seats.iter().enumerate().map(of).collect()
    }

    /// Returns the reward of each seat. By a fault a seat gets the least reward; the others get the rest, or the
    /// greatest reward. Rules that say what follows from a fault come first.
    pub(crate) fn rewards(&self, ending: &Ending) -> Vec<f64> {
        let players = self.position.players();
        let facts = self.position.facts().rewards;
        let rewards = |of: &dyn Fn(usize) -> f64| (0..players).map(of).collect();
        match (ending, facts.bounds) {
            (Ending::Over, _) => rewards(&|seat| self.position.reward(seat)),
            (Ending::Forfeit(_), _) if !self.faults.is_empty() => rewards(&|seat| self.position.reward(seat)),
            (Ending::Forfeit(faults), Some((least, most))) => rewards(&|seat| match facts.sum {
                _ if faults.iter().any(|(loser, _)| seat == *loser) => least,
                Some(sum) => (sum - least) / (players - 1).max(1) as f64,
                None => most,
            }),
            (Ending::Cut | Ending::Forfeit(_), _) => rewards(&|seat| self.position.cut_reward(seat)),
        }
    }
}
