//! One way down the tree and what came of it.

use super::informed::Place;
use super::job::Job;
use super::regret::Odds;
use crate::game::MAX_PLAYERS;
use crate::playout::End;
use crate::tree::{Entered, Link, Outcome, Step};
use crate::{Game, Rng};

/// The root was chosen by nobody, and outcomes of chance are.
pub(super) const NOBODY: u8 = MAX_PLAYERS as u8;
/// Stands for chance where somebody could act.
pub(super) const CHANCE: u8 = NOBODY + 1;

/// One way down the tree and what came of it.
pub(super) struct Descent<G: Game> {
    pub(super) position: G,
    /// Every node that was entered and not backed up yet, the root first, and who chose it. Empty between descents.
    pub(super) path: Vec<(Step, u8)>,
    /// The last of them.
    pub(super) visits: u32,
    /// What the exploration of its children is multiplied by.
    pub(super) exploration: f32,
    pub(super) link: Link,
    /// Who acts after them, where players act in turn.
    pub(super) next: u8,
    /// The children of the last node were asked for ahead of time.
    pub(super) fetched: bool,
    /// A leaf was expanded on the way, which happens once at most.
    pub(super) expanded: bool,
    pub(super) end: End,
    /// What the last node comes to for certain, so that there is nothing to play out.
    pub(super) outcome: Outcome,
    /// Codes of the actions played after the tree, where they are recorded.
    pub(super) trace: Vec<u32>,
    /// Where each tree of what players know goes on.
    pub(super) places: Vec<Place>,
    /// How likely each choice of the path was, of those that are learned from.
    pub(super) odds: Vec<Option<Odds>>,
    /// Who explores and learns from what comes of it, where choices are drawn.
    pub(super) learner: usize,
    /// Plies of the descent through such trees, those of chance included.
    pub(super) moves: u32,
}

impl<G: Game> Descent<G> {
    pub(super) fn new(job: &Job<G>) -> Descent<G> {
        Descent {
            position: job.position.clone(),
            path: Vec::new(),
            visits: 0,
            exploration: 0.0,
            link: Link::default(),
            next: 0,
            fetched: false,
            expanded: false,
            end: End::Over,
            outcome: Outcome::OPEN,
            trace: Vec::new(),
            places: Vec::new(),
            odds: Vec::new(),
            learner: 0,
            moves: 0,
        }
    }

    /// Plies from the root.
    pub(super) fn plies(&self) -> u32 {
        self.path.len() as u32 - 1
    }

    #[inline(always)]
    pub(super) fn enter(&mut self, node: Entered, chooser: u8) {
        self.path.push((node.step, chooser));
        self.visits = node.visits;
        self.exploration = node.exploration;
        self.link = node.link;
    }

    /// Plays the game to its end.
    pub(super) fn play_out(&mut self, job: &Job<G>, rng: &mut Rng, scratch: &mut Vec<G::Action>) {
        if !self.outcome.is_open() {
            self.end = End::Over;
            return;
        }
        let plies = if self.places.is_empty() { self.plies() } else { self.moves };
        let limit = G::MAX_PLIES.saturating_sub(plies);
        let trace = if job.traces { Some(&mut self.trace) } else { None };
        self.end = job.playout.play(&mut self.position, rng, scratch, limit, trace);
    }

    /// What the outcome is worth to each player.
    #[inline(always)]
    pub(super) fn rewards(&self, players: usize) -> [f64; MAX_PLAYERS] {
        let mut rewards = [0.0; MAX_PLAYERS];
        match G::REWARDS.sum {
            // One of two says the other, exactly where they are halves.
            Some(sum) if G::REWARDS.halves && players == 2 => {
                rewards[0] = self.reward(0);
                rewards[1] = sum - rewards[0];
            }
            _ => (0..players).for_each(|player| rewards[player] = self.reward(player)),
        }
        rewards
    }

    #[inline(always)]
    fn reward(&self, player: usize) -> f64 {
        match self.end {
            _ if !self.outcome.is_open() => self.outcome.reward(player),
            End::Over => self.position.reward(player),
            End::Cut | End::Stuck => self.position.cut_reward(player),
        }
    }
}
