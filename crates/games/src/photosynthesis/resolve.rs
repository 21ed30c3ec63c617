//! Resolution of a turn: both actions, then the next day or the end.

use super::action::{Action, Answer, Outcome};
use super::cell::{Cell, TALL};
use super::position::{COMPLETION, DAYS, Position};

/// Effects of an action that wait until both actions are known.
#[derive(Clone, Copy, Default)]
struct Deferred {
    /// The cell where a seed lands, and its cost in sun.
    seed: u64,
    cost: u16,
    completed: Option<Cell>,
}

impl Position {
    /// Resolves a turn. The answer of a sleeping player is ignored, and an awake player without an answer is
    /// disqualified. When both sleep the next day dawns.
    #[inline]
    pub fn resolve(&mut self, answers: [Option<Answer>; 2]) -> [Option<Outcome>; 2] {
        if self.is_over() {
            return [None; 2];
        }
        let mut deferred = [Deferred::default(); 2];
        let mut outcomes = [None; 2];
        for player in 0..2 {
            if !self.asleep[player] {
                let answer = answers[player].unwrap_or(Answer::Fault);
                outcomes[player] = Some(self.begin(player, answer, &mut deferred[player]));
            }
        }
        if deferred[0].seed & deferred[1].seed != 0 {
            outcomes = [Some(Outcome::Clash); 2];
        } else {
            self.plant(&deferred);
        }
        self.collect(&deferred);
        if self.asleep == [true; 2] && !self.is_over() {
            self.dawn();
        }
        outcomes
    }

    /// Applies the part of an action that does not depend on the other player's.
    #[inline]
    fn begin(&mut self, player: usize, answer: Answer, deferred: &mut Deferred) -> Outcome {
        let action = match answer {
            Answer::Act(action) if self.is_legal(player, action) => action,
            Answer::Act(_) | Answer::Nowhere => {
                self.asleep[player] = true;
                return Outcome::Refused;
            }
            Answer::Fault => {
                self.disqualified[player] = true;
                self.score[player] = -1;
                return Outcome::Disqualified;
            }
        };
        match action {
            // A map and the referee's own action are not legal here.
            Action::Wait | Action::Map(_) | Action::Disqualified => {
                self.asleep[player] = true;
                return Outcome::Asleep;
            }
            Action::Grow(cell) => self.grow(player, cell.bit()),
            Action::Complete(cell) => {
                self.sun[player] -= COMPLETION;
                self.dormant |= cell.bit();
                deferred.completed = Some(cell);
            }
            Action::Seed { from, to } => {
                self.dormant |= from.bit();
                (deferred.seed, deferred.cost) = (to.bit(), self.cost(player, 0));
            }
        }
        Outcome::Done
    }

    #[inline]
    fn grow(&mut self, player: usize, bit: u64) {
        let trees = self.trees[player];
        for size in (0..TALL).filter(|&size| trees[size] & bit != 0) {
            self.sun[player] -= self.cost(player, size + 1);
            self.trees[player][size] ^= bit;
            self.trees[player][size + 1] ^= bit;
        }
        self.dormant |= bit;
    }

    #[inline]
    fn plant(&mut self, deferred: &[Deferred; 2]) {
        for (player, deferred) in deferred.iter().enumerate() {
            self.trees[player][0] |= deferred.seed;
            self.dormant |= deferred.seed;
            self.sun[player] -= deferred.cost;
        }
    }

    /// Scores completed trees, all at the same nutrients, and clears their cells.
    #[inline]
    fn collect(&mut self, deferred: &[Deferred; 2]) {
        let nutrients = self.nutrients;
        for (player, deferred) in deferred.iter().enumerate() {
            if let Some(cell) = deferred.completed {
                self.score[player] += i32::from(nutrients) + self.ground.bonus(cell);
                self.trees[player][TALL] &= !cell.bit();
                self.dormant &= !cell.bit();
                self.nutrients = self.nutrients.saturating_sub(1);
            }
        }
    }

    #[inline]
    fn dawn(&mut self) {
        self.day += 1;
        if self.day < DAYS {
            self.asleep = [false; 2];
            self.dormant = 0;
            self.harvest();
        }
    }
}
