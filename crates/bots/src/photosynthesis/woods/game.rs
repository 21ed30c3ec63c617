//! The game as the tree sees it: choices cut down to the good ones, and a value for games that are broken off.

use boughs::{Game, Information, Rewards, Rng, Turn};
use boughs_games::photosynthesis::{Action, Answer, CELLS, DAYS, Position, remember};

use crate::photosynthesis::choices::{Step, choices};
use crate::photosynthesis::habits::{Playout, act};
use crate::photosynthesis::value::value;

/// What is the same in all positions of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms {
    /// Who chooses first, where choices are made one after the other: the player whose turn is searched.
    pub(super) first: usize,
    /// Whether only good choices are looked at.
    pub(super) prune: bool,
    /// How games are played out.
    pub(super) playout: Playout,
    /// How many days are played out before the position is valued; the first of them is the day of the leaf.
    pub(super) days: u8,
}

/// A position of the game as the tree sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Woods {
    position: Position,
    terms: Terms,
    /// How far each player has come in the order of the day.
    so_far: [Step; 2],
    /// What the first to choose has chosen, while the other is still to choose.
    chosen: Option<Action>,
    /// What has been done so far, as a number.
    past: u64,
    /// The day on which the game is broken off.
    until: u8,
}

/// The points of a lead that are worth half of what there is to win.
const LEAD: f32 = 20.0;

impl Woods {
    pub(super) fn new(position: Position, terms: Terms) -> Woods {
        Woods { position, terms, so_far: [Step::default(); 2], chosen: None, past: 0, until: DAYS }
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// Whether nobody has chosen what the other does not know.
    pub(super) fn is_settled(&self) -> bool {
        self.chosen.is_none()
    }

    fn player(&self) -> usize {
        let first = self.terms.first;
        if self.chosen.is_some() || self.position.is_asleep(first) { 1 - first } else { first }
    }

    /// Plays the game out, to its end or for so many days.
    pub(super) fn play_out(&mut self, rng: &mut Rng) {
        self.until = DAYS.min(self.position.day().saturating_add(self.terms.days));
        let playout = self.terms.playout;
        if self.chosen.is_some() {
            self.apply(act(playout, &self.position, self.player(), rng));
        }
        while self.position.day() < self.until && !self.position.is_over() {
            let answers = [0, 1].map(|player| {
                let is_awake = !self.position.is_asleep(player);
                is_awake.then(|| Answer::Act(act(playout, &self.position, player, rng)))
            });
            self.position.resolve(answers);
        }
    }

    fn resolve(&mut self, actions: [Option<Action>; 2]) {
        let day = self.position.day();
        for (player, action) in actions.iter().enumerate() {
            if let Some(action) = *action {
                self.so_far[player] = Step::of(&self.position, player, action);
            }
        }
        self.position.resolve(actions.map(|action| action.map(Answer::Act)));
        if self.position.day() != day {
            self.so_far = [Step::default(); 2];
        }
    }
}

impl Game for Woods {
    type Action = Action;
    const REWARDS: Rewards = Rewards { halves: false, ..Rewards::WIN_DRAW_LOSS };
    const INFORMATION: Information = Information::Simultaneous;
    const MAX_PLIES: u32 = DAYS as u32 * (CELLS as u32 + 2);

    #[inline]
    fn turn(&self) -> Turn {
        let is_over = self.position.day() >= self.until || self.position.is_over();
        if is_over { Turn::Over } else { Turn::Player(self.player()) }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        let player = self.player();
        match self.terms.prune {
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

    /// The lead in points, the less the more there are already: who is far ahead still wants more, but not at any risk.
    fn reward(&self, player: usize) -> f64 {
        let lead = if self.position.is_over() {
            let scores = self.position.final_scores();
            (scores[player] - scores[1 - player]) as f32
        } else {
            value(&self.position, player)
        };
        f64::from(0.5 + 0.5 * lead / (LEAD + lead.abs()))
    }

    fn cut_reward(&self, player: usize) -> f64 {
        self.reward(player)
    }

    fn information(&self, player: usize) -> u64 {
        match self.chosen.filter(|_| player == self.terms.first) {
            Some(action) => remember(self.past, action.mark()),
            None => self.past,
        }
    }

    fn determinise(&mut self, player: usize, _: &mut Rng) {
        self.chosen = self.chosen.filter(|_| player == self.terms.first);
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng, _: &mut Vec<Action>) -> Option<Action> {
        Some(act(self.terms.playout, &self.position, self.player(), rng))
    }

    fn action_text(&self, action: Action) -> String {
        action.word()
    }
}
