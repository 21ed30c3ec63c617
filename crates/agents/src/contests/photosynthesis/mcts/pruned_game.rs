//! The game that the tree searches: only the good choices, and a value for positions after some days.

use boughs::{Game, Information, Rewards, Rng, Turn};
use boughs_games::photosynthesis::{Action, Answer, CELLS, DAYS, Position, remember};

use crate::contests::photosynthesis::choices::{DayOrder, choices};
use crate::contests::photosynthesis::habits::{Playout, act};
use crate::contests::photosynthesis::value::value;

/// The constants of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Constants {
    /// The player who chooses first where choices are made one after the other: the searching player.
    pub(super) first: usize,
    /// If true, only good choices are examined.
    pub(super) prune: bool,
    /// The kind of playouts.
    pub(super) playout: Playout,
    /// The days that are played out before the position is valued. The first of them is the day of the leaf.
    pub(super) days: u8,
}

/// A position of the pruned game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PrunedGame {
    position: Position,
    constants: Constants,
    /// The place of each player in the order of the day.
    so_far: [DayOrder; 2],
    /// The choice of the player who chooses first, while the other still has to choose.
    chosen: Option<Action>,
    /// A hash of all choices so far.
    past: u64,
}

/// The lead in points that is worth half of the distance from a draw to a certain win.
const LEAD: f32 = 20.0;

impl PrunedGame {
    pub(super) fn new(position: Position, constants: Constants) -> PrunedGame {
        PrunedGame { position, constants, so_far: [DayOrder::default(); 2], chosen: None, past: 0 }
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// Returns true if there is no secret choice.
    pub(super) fn has_no_secret(&self) -> bool {
        self.chosen.is_none()
    }

    fn player(&self) -> usize {
        let first = self.constants.first;
        if self.chosen.is_some() || self.position.is_asleep(first) { 1 - first } else { first }
    }

    /// Plays the game out, to its end or for the number of days. Returns true if it has ended.
    pub(super) fn play_out(&mut self, rng: &mut Rng) -> bool {
        let until = DAYS.min(self.position.day().saturating_add(self.constants.days));
        let playout = self.constants.playout;
        if self.chosen.is_some() {
            self.apply(act(playout, &self.position, self.player(), rng));
        }
        while self.position.day() < until && !self.position.is_over() {
            let answers = [0, 1].map(|player| {
                let is_awake = !self.position.is_asleep(player);
                is_awake.then(|| Answer::Act(act(playout, &self.position, player, rng)))
            });
            self.position.resolve(answers);
        }
        self.position.is_over()
    }

    /// The lead in points, scaled to 0..=1. A larger lead adds less and less, so a leader still wants more but takes
    /// no risk for it.
    pub(super) fn value(&self, player: usize) -> f64 {
        let lead = if self.position.is_over() {
            let scores = self.position.final_scores();
            (scores[player] - scores[1 - player]) as f32
        } else {
            value(&self.position, player)
        };
        f64::from(0.5 + 0.5 * lead / (LEAD + lead.abs()))
    }

    fn resolve(&mut self, actions: [Option<Action>; 2]) {
        let day = self.position.day();
        for (player, action) in actions.iter().enumerate() {
            if let Some(action) = *action {
                self.so_far[player] = DayOrder::of(&self.position, player, action);
            }
        }
        self.position.resolve(actions.map(|action| action.map(Answer::Act)));
        if self.position.day() != day {
            self.so_far = [DayOrder::default(); 2];
        }
    }
}

impl Game for PrunedGame {
    type Action = Action;
    const REWARDS: Rewards = Rewards { halves: false, ..Rewards::WIN_DRAW_LOSS };
    const INFORMATION: Information = Information::Simultaneous;
    const MAX_PLIES: u32 = DAYS as u32 * (CELLS as u32 + 2);

    #[inline]
    fn turn(&self) -> Turn {
        if self.position.is_over() { Turn::Over } else { Turn::Player(self.player()) }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        let player = self.player();
        match self.constants.prune {
            true => choices(&self.position, player, self.so_far[player], out),
            false => self.position.legal_actions(player, out),
        }
    }

    #[inline]
    fn apply(&mut self, action: Action) {
        let player = self.player();
        if self.chosen.is_none() && !self.position.is_asleep(1 - player) {
            self.chosen = Some(action);
            return;
        }
        let mut actions = [None; 2];
        actions[1 - player] = self.chosen.take();
        actions[player] = Some(action);
        let mark = |action: Option<Action>| action.map_or(0, Action::mark);
        self.past = remember(self.past, mark(actions[0]) << 32 | mark(actions[1]));
        self.resolve(actions);
    }

    fn reward(&self, player: usize) -> f64 {
        self.value(player)
    }

    fn cut_reward(&self, player: usize) -> f64 {
        self.value(player)
    }

    fn information(&self, player: usize) -> u64 {
        match self.chosen.filter(|_| player == self.constants.first) {
            Some(action) => remember(self.past, action.mark()),
            None => self.past,
        }
    }

    fn determinize(&mut self, player: usize, _: &mut Rng) {
        self.chosen = self.chosen.filter(|_| player == self.constants.first);
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Action>) -> Option<Action> {
        Some(act(self.constants.playout, &self.position, self.player(), rng))
    }

    fn action_text(&self, action: Action) -> String {
        action.word()
    }
}
