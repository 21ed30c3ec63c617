//! One turn of both players, and what follows it: the next day, or the end.

use super::action::{Action, Answer, Outcome};
use super::cell::{Cell, TALL};
use super::position::{COMPLETION, DAYS, Position};

/// What has to wait until both actions were looked at.
#[derive(Clone, Copy, Default)]
struct Deferred {
    /// Where a seed lands, and what it takes.
    seed: u64,
    cost: u16,
    completed: Option<Cell>,
}

impl Position {
    /// Resolves the answers of those who are awake: an answer of somebody asleep is ignored, and who is awake and does not
    /// answer is disqualified. When both sleep the next day dawns.
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

    /// Does what a player can do without the other noticing.
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
            // Neither a map nor what the referee does is legal here.
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

    fn grow(&mut self, player: usize, bit: u64) {
        let trees = self.trees[player];
        for size in (0..TALL).filter(|&size| trees[size] & bit != 0) {
            self.sun[player] -= self.cost(player, size + 1);
            self.trees[player][size] ^= bit;
            self.trees[player][size + 1] ^= bit;
        }
        self.dormant |= bit;
    }

    fn plant(&mut self, deferred: &[Deferred; 2]) {
        for (player, deferred) in deferred.iter().enumerate() {
            self.trees[player][0] |= deferred.seed;
            self.dormant |= deferred.seed;
            self.sun[player] -= deferred.cost;
        }
    }

    /// Scores what was completed, all at the same nutrients, and clears the cells.
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

    fn dawn(&mut self) {
        self.day += 1;
        if self.day < DAYS {
            self.asleep = [false; 2];
            self.dormant = 0;
            self.harvest();
        }
    }
}
