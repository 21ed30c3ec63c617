//! The last of the four steps: what came of a descent goes up the way it came down.

use super::descent::Descent;
use super::job::{PlayoutRecord, is_plan};
use super::worker::Worker;
use crate::game::MAX_PLAYERS;
use crate::playout::End;
use crate::report::Warning;
use crate::scale::to_units;
use crate::tree::counters::Counters;
use crate::{Game, StopReason, Turn};

impl<G: Game, C: Counters> Worker<'_, G, C> {
    /// The last step: adds the outcome to every node on the way, for the player who chose it.
    #[inline(always)]
    pub(super) fn back_up(&mut self, descent: &mut Descent<G>) {
        // Most games have a constant number of players, which is worth more here than to have it at hand.
        let players = descent.position.players().min(MAX_PLAYERS);
        let rewards = descent.rewards(players);
        for (player, &reward) in rewards[..players].iter().enumerate() {
            self.set_reward(player, reward);
        }
        if G::REWARDS.bounds.is_none() && !self.has_room_for_scores() {
            self.job.course.stop(StopReason::CounterFull);
            self.take_back(descent);
            return;
        }
        match descent.end {
            End::Over => {}
            End::Cut => self.job.course.warn(&Warning::PlayoutCut),
            End::Stuck => self.job.course.warn(&Warning::NoLegalAction),
        }
        if !descent.outcome.is_open() {
            self.solve(descent);
        }
        if G::REWARDS.bounds.is_none() && rewards[0].is_finite() {
            (0..self.players).for_each(|player| self.job.bounds.see(rewards[player]));
        }
        if self.job.traces {
            self.keep(descent, &rewards);
        }
        if C::HEAD > 1 {
            self.regret(descent);
        }
        let first = if self.solver {
            let units = self.back_up_above_floors(&descent.path);
            descent.path.get(1).map(|&(step, _)| (step.index(), units))
        } else {
            for &(step, chooser) in &descent.path {
                self.view.add(step, self.changes[usize::from(chooser)]);
            }
            match C::HEAD {
                1 => descent.path.get(1).map(|&(step, chooser)| (step.index(), self.units[usize::from(chooser)])),
                _ => self.first_choice(descent),
            }
        };
        descent.path.clear();
        self.job.finish_one(self.number, first);
    }

    /// The codes of the actions a descent took in the tree.
    fn actions_in_tree(&self, descent: &Descent<G>) -> Vec<u32> {
        if C::HEAD > 1 {
            // What chance has done stands between them, so the trace has them all.
            return Vec::new();
        }
        descent.path[1..].iter().map(|&(step, _)| self.tree.action(self.view.node(step))).collect()
    }

    /// Sets what is added for a player on the way up.
    #[inline(always)]
    pub(super) fn set_reward(&mut self, player: usize, reward: f64) {
        let (units, declared) = to_units(&G::REWARDS, reward, C::UNITS);
        self.units[player] = units;
        self.changes[player] = C::returned(self.virtual_loss, units);
        if !declared {
            self.job.course.warn(&Warning::RewardClamped);
        }
    }

    /// Whether the scores of a playout fit into every sum they are added to; if so they count as added.
    fn has_room_for_scores(&mut self) -> bool {
        let scores = self.units[..self.players].iter();
        let largest = scores.map(|units| units.cast_signed().unsigned_abs()).max().unwrap_or_default();
        let left = self.room_for_scores.checked_sub(largest);
        self.room_for_scores = left.unwrap_or(self.room_for_scores);
        left.is_some()
    }

    /// Keeps the playout if it is the best so far of a game for one, and sends it to whoever records the search.
    #[cold]
    fn keep(&mut self, descent: &mut Descent<G>, rewards: &[f64]) {
        let is_whole = descent.outcome.is_open() || descent.position.turn() == Turn::Over;
        if is_plan::<G>(self.players) && is_whole && rewards[0] > self.best {
            self.best = self.job.offer(rewards[0], || [self.actions_in_tree(descent), descent.trace.clone()].concat());
        }
        let Some(sender) = &self.job.record else {
            descent.trace.clear();
            return;
        };
        let record = PlayoutRecord {
            tree: (self.number % self.job.trees.len()) as u32,
            path: self.actions_in_tree(descent),
            moves: std::mem::take(&mut descent.trace),
            rewards: rewards[..self.players].to_vec(),
        };
        // Nobody listens any more when writing the log has failed; that is for the writer to report.
        if sender.send(record).is_err() {
            self.job.course.stop(StopReason::Stopped);
        }
    }
}
