//! A line of play.

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

/// The best lines first, at most so many, and of neighbours that come to the same position one. Equal ones keep their order.
pub(super) fn narrow(lines: &mut Vec<Line>, width: usize) {
    // A line is large, so their places are sorted.
    let mut places: Vec<(f32, u32)> = lines.iter().zip(0..).map(|(line, place)| (line.value, place)).collect();
    let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    // A few more, for those that are there twice.
    let most = width + width / 4;
    if places.len() > most {
        places.select_nth_unstable_by(most, order);
        places.truncate(most);
    }
    places.sort_unstable_by(order);
    let line = |place: u32| &lines[place as usize];
    places.dedup_by(|a, b| a.0 == b.0 && line(a.1).position == line(b.1).position);
    places.truncate(width);
    *lines = places.iter().map(|&(_, place)| *line(place)).collect();
}
