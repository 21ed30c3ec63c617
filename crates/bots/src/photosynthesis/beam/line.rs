//! A line of play, and what of the budget is used up.

use std::time::Instant;

use boughs::{Budget, StopReason};
use boughs_games::photosynthesis::{Action, Answer, Position};

use crate::photosynthesis::choices::{Step, choices};
use crate::photosynthesis::habits::rule;
use crate::photosynthesis::value::value;

/// A line of play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    position: Position,
    so_far: Step,
    /// The place of its first action among those of the root.
    first: Option<usize>,
    /// How many actions it has, and how many of them today; sleeping is none.
    actions: u32,
    today: u32,
    pub(super) value: f32,
}

impl Line {
    pub(super) fn root(position: &Position) -> Line {
        Line { position: *position, so_far: Step::default(), first: None, actions: 0, today: 0, value: 0.0 }
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    pub(super) fn first(&self) -> usize {
        self.first.unwrap_or(0)
    }

    pub(super) fn actions(&self) -> u32 {
        self.actions
    }

    pub(super) fn today(&self) -> u32 {
        self.today
    }

    pub(super) fn day(&self) -> u8 {
        self.position.day()
    }

    pub(super) fn choices(&self, player: usize, out: &mut Vec<Action>) {
        choices(&self.position, player, self.so_far, out);
    }

    /// Hands over the line that goes on with each choice. The other does one and the same, by rule.
    pub(super) fn grow(&self, player: usize, listed: &mut Vec<Action>, mut see: impl FnMut(Line)) {
        listed.clear();
        self.choices(player, listed);
        let other = (!self.position.is_asleep(1 - player)).then(|| rule(&self.position, 1 - player));
        for (place, &action) in listed.iter().enumerate() {
            let mut line = self.after(player, action, other);
            line.first = self.first.or(Some(place));
            see(line);
        }
    }

    /// The line that sleeps here.
    pub(super) fn sleep(&self, player: usize) -> Line {
        let other = (!self.position.is_asleep(1 - player)).then(|| rule(&self.position, 1 - player));
        self.after(player, Action::Wait, other)
    }

    fn after(&self, player: usize, action: Action, other: Option<Action>) -> Line {
        let mut line = *self;
        line.so_far = Step::of(&self.position, player, action);
        let mut answers = [None; 2];
        answers[player] = Some(Answer::Act(action));
        answers[1 - player] = other.map(Answer::Act);
        line.position.resolve(answers);
        if action == Action::Wait {
            // The other plays on alone.
            while line.day() == self.day() {
                let mut answers = [None; 2];
                answers[1 - player] = Some(Answer::Act(rule(&line.position, 1 - player)));
                line.position.resolve(answers);
            }
            line.today = 0;
        } else {
            line.actions += 1;
            line.today += 1;
        }
        line.value = value(&line.position, player);
        line
    }
}

/// The best lines first, at most so many, those that come to the same position once.
pub(super) fn narrow(lines: &mut Vec<Line>, width: usize) {
    let order = |a: &Line, b: &Line| b.value.total_cmp(&a.value);
    // A few more, for those that are there twice.
    let most = width + width / 4;
    if lines.len() > most {
        lines.select_nth_unstable_by(most, order);
        lines.truncate(most);
    }
    lines.sort_by(order);
    lines.dedup_by(|a, b| a.value == b.value && a.position == b.position);
    lines.truncate(width);
}

/// How many iterations a budget without a limit has.
const DEFAULT: u64 = 100_000;

/// What of a budget is used up.
pub(super) struct Meter<'b> {
    budget: &'b Budget,
    began: Instant,
    counted: u64,
}

impl<'b> Meter<'b> {
    pub(super) fn new(budget: &'b Budget) -> Meter<'b> {
        Meter { budget, began: Instant::now(), counted: 0 }
    }

    pub(super) fn count(&mut self) {
        self.counted += 1;
    }

    pub(super) fn counted(&self) -> u64 {
        self.counted
    }

    /// Iterations that are left.
    pub(super) fn room(&self) -> u64 {
        let otherwise = if self.budget.deadline().is_some() { u64::MAX } else { DEFAULT };
        self.budget.most_iterations().unwrap_or(otherwise).saturating_sub(self.counted)
    }

    pub(super) fn stop(&self) -> Option<StopReason> {
        self.budget.is_spent(self.counted)
    }

    /// The share that is used up; one without a limit has [`DEFAULT`] iterations.
    pub(super) fn spent(&self) -> f64 {
        if self.stop().is_some() {
            return 1.0;
        }
        let counted = |most: u64| self.counted as f64 / most.max(1) as f64;
        let time = self.budget.deadline().map(|deadline| {
            let whole = deadline.saturating_duration_since(self.began).as_secs_f64();
            self.began.elapsed().as_secs_f64() / whole.max(1e-9)
        });
        let most = self.budget.most_iterations().map(counted);
        time.into_iter().chain(most).reduce(f64::max).unwrap_or_else(|| counted(DEFAULT))
    }
}
