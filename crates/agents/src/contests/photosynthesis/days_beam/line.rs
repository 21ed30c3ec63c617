//! A line of play.

use boughs_games::photosynthesis::{Action, Answer, Position};

use crate::contests::photosynthesis::choices::{DayOrder, choices};
use crate::contests::photosynthesis::habits::rule;
use crate::contests::photosynthesis::value::value;

/// A line of play.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeamLine {
    position: Position,
    so_far: DayOrder,
    /// The index of its first action among those of the root.
    first: Option<usize>,
    /// The number of actions, in all and today. Sleeping is no action.
    actions: u32,
    today: u32,
    pub(super) value: f32,
}

impl BeamLine {
    pub(super) fn root(position: &Position) -> BeamLine {
        BeamLine { position: *position, so_far: DayOrder::default(), first: None, actions: 0, today: 0, value: 0.0 }
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

    /// Gives `see` the line that follows on each choice. The other player does the same after all of them, by rule.
    pub(super) fn grow(&self, player: usize, listed: &mut Vec<Action>, mut see: impl FnMut(BeamLine)) {
        listed.clear();
        self.choices(player, listed);
        let other = (!self.position.is_asleep(1 - player)).then(|| rule(&self.position, 1 - player));
        for (place, &action) in listed.iter().enumerate() {
            let mut line = self.after(player, action, other);
            line.first = self.first.or(Some(place));
            see(line);
        }
    }

    /// The line in which the player sleeps here.
    pub(super) fn sleep(&self, player: usize) -> BeamLine {
        let other = (!self.position.is_asleep(1 - player)).then(|| rule(&self.position, 1 - player));
        self.after(player, Action::Wait, other)
    }

    fn after(&self, player: usize, action: Action, other: Option<Action>) -> BeamLine {
        let mut line = *self;
        line.so_far = DayOrder::of(&self.position, player, action);
        let mut answers = [None; 2];
        answers[player] = Some(Answer::Act(action));
        answers[1 - player] = other.map(Answer::Act);
        line.position.resolve(answers);
        if action == Action::Wait {
            // The other player goes on alone.
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

/// Sorts the lines and keeps the best `width`. Of neighbours that lead to the same position one is kept. Equal lines
/// keep their order.
pub(super) fn narrow(lines: &mut Vec<BeamLine>, width: usize) {
    // A line is large, so indices are sorted instead.
    let mut places: Vec<(f32, u32)> = lines.iter().zip(0..).map(|(line, place)| (line.value, place)).collect();
    let order = |a: &(f32, u32), b: &(f32, u32)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
    // Some more than needed, because duplicates are removed.
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
