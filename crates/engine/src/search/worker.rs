//! One worker: the four steps of Monte Carlo Tree Search, over and over.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::job::{Job, PlayoutRecord};
use crate::game::MAX_PLAYERS;
use crate::playout::End;
use crate::report::Warning;
use crate::settings::InFlight;
use crate::tree::counters::{Counters, Weighing, to_units};
use crate::tree::{Below, Node, Scraps, Tree};
use crate::{Action, Game, Rng, Turn};

/// One way down the tree and what came of it.
pub(super) struct Descent<G: Game> {
    position: G,
    /// Every node that was entered and not backed up yet, the root first, and who chose it.
    path: Vec<(Node, usize)>,
    /// Visits of the last of them from before.
    visits: u32,
    /// A leaf was expanded on the way, which happens once at most.
    expanded: bool,
    end: End,
    /// Codes of the actions played after the tree, where they are recorded.
    trace: Vec<u32>,
}

/// The root was chosen by nobody.
const NOBODY: usize = MAX_PLAYERS;

impl<G: Game> Descent<G> {
    pub(super) fn new(job: &Job<G>) -> Descent<G> {
        Descent {
            position: job.position.clone(),
            path: Vec::new(),
            visits: 0,
            expanded: false,
            end: End::Over,
            trace: Vec::new(),
        }
    }

    /// Plies from the root.
    fn plies(&self) -> u32 {
        self.path.len() as u32 - 1
    }

    /// Plays the game to its end.
    pub(super) fn play_out(&mut self, job: &Job<G>, rng: &mut Rng, scratch: &mut Vec<G::Action>) {
        let limit = G::MAX_PLIES.saturating_sub(self.plies());
        let trace = job.record.as_ref().map(|_| &mut self.trace);
        self.end = job.playout.play(&mut self.position, rng, scratch, limit, trace);
    }

    /// What the outcome is worth to each player.
    fn rewards(&self) -> [f64; MAX_PLAYERS] {
        let mut rewards = [0.0; MAX_PLAYERS];
        for (player, reward) in rewards.iter_mut().enumerate().take(self.position.players().min(MAX_PLAYERS)) {
            *reward = match self.end {
                End::Over => self.position.reward(player),
                End::Cut | End::Stuck => self.position.cut_reward(player),
            };
        }
        rewards
    }
}

/// A worker at work on its job.
pub(super) struct Worker<'j, G: Game> {
    pub(super) job: &'j Job<G>,
    tree: &'j Tree,
    number: usize,
    rng: Rng,
    virtual_loss: u32,
    exploration: f32,
    first_play: Option<f32>,
    players: usize,
    actions: Vec<G::Action>,
    codes: Vec<u32>,
    scraps: Scraps,
    deepest: u32,
    saw_full: bool,
}

/// Runs a worker until its search ends, whatever the game does. `drive` keeps the descents it has not backed up in the
/// list it is given.
pub(super) fn run<G: Game, C: Counters>(
    job: &Job<G>,
    number: usize,
    drive: impl FnOnce(&mut Worker<'_, G>, &mut Vec<Descent<G>>),
) {
    let mut worker = Worker::new(job, number);
    let mut descents = Vec::new();
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drive(&mut worker, &mut descents))) {
        descents.iter_mut().for_each(|descent| worker.take_back::<C>(descent));
        job.panicked(crate::panic_text(&*panic));
    }
    worker.tree.give_back(worker.scraps);
    job.leave();
}

impl<'j, G: Game> Worker<'j, G> {
    fn new(job: &'j Job<G>, number: usize) -> Worker<'j, G> {
        let tree = &job.trees[number % job.trees.len()];
        Worker {
            job,
            tree,
            number,
            rng: Rng::new(job.settings.seed, job.stream + number as u64),
            virtual_loss: match job.settings.in_flight {
                InFlight::VirtualLoss(visits) => visits,
                InFlight::Unobserved => 0,
            },
            exploration: job.settings.exploration as f32,
            first_play: Some(job.settings.first_play as f32).filter(|value| value.is_finite()),
            players: job.players,
            actions: Vec::new(),
            codes: Vec::new(),
            scraps: tree.take_scraps(),
            deepest: 0,
            saw_full: false,
        }
    }

    /// Makes playouts one after the other until the search ends.
    pub(super) fn search<C: Counters>(&mut self, descents: &mut Vec<Descent<G>>) {
        descents.push(Descent::new(self.job));
        let descent = &mut descents[0];
        loop {
            let taken = self.job.take(self.job.share());
            for made in 0..taken {
                if self.job.is_stopped() {
                    self.job.give_back(taken - made);
                    return;
                }
                self.iterate::<C>(descent);
            }
            if taken == 0 {
                return;
            }
        }
    }

    /// One playout: the four steps.
    fn iterate<C: Counters>(&mut self, descent: &mut Descent<G>) {
        self.descend::<C>(descent);
        descent.play_out(self.job, &mut self.rng, &mut self.actions);
        self.back_up::<C>(descent);
    }

    /// The first two steps: selects down to a leaf, and one step further if the leaf can be expanded.
    pub(super) fn descend<C: Counters>(&mut self, descent: &mut Descent<G>) {
        descent.position.clone_from(&self.job.position);
        self.enter::<C>(descent, self.tree.root(), NOBODY);
        descent.expanded = false;
        while self.select::<C>(descent) || self.expand(descent) {}
        if descent.plies() > self.deepest {
            self.deepest = descent.plies();
            self.job.saw_depth(self.deepest);
        }
    }

    /// Goes to the most promising child, if there are children.
    #[inline(always)]
    fn select<C: Counters>(&mut self, descent: &mut Descent<G>) -> bool {
        let Some(&(node, _)) = descent.path.last() else { return false };
        let Below::Children(block) = self.tree.below(node) else { return false };
        let Turn::Player(player) = descent.position.turn() else { return false };
        if descent.plies() >= G::MAX_PLIES {
            return false;
        }
        let weighing = Weighing::new(&self.job.tables, self.exploration, descent.visits, self.first_play);
        let child = self.tree.select::<C>(block, &weighing);
        self.enter::<C>(descent, child, self.chooser(player));
        descent.position.apply(G::Action::from_code(self.tree.action(child)));
        true
    }

    /// A player the game does not have gets no rewards.
    #[inline]
    fn chooser(&self, player: usize) -> usize {
        if player < self.players {
            return player;
        }
        self.job.warn(&Warning::UnknownPlayer);
        NOBODY
    }

    #[inline]
    fn enter<C: Counters>(&mut self, descent: &mut Descent<G>, node: Node, chooser: usize) {
        descent.path.push((node, chooser));
        descent.visits = self.tree.add::<C>(node, C::pack(C::entered(self.virtual_loss)));
    }

    /// Gives the leaf its children, if it has been visited often enough, nobody else is at it, and there is room.
    fn expand(&mut self, descent: &mut Descent<G>) -> bool {
        let Some(&(leaf, _)) = descent.path.last() else { return false };
        if descent.expanded
            || descent.visits + 1 < self.job.settings.expand_at
            || self.tree.below(leaf) != Below::Bare
            || descent.position.turn() == Turn::Over
            || !self.has_room()
        {
            return false;
        }
        // Listed before the leaf is claimed: a game that panics here leaves no claim behind.
        self.actions.clear();
        descent.position.actions(&mut self.actions);
        self.codes.clear();
        self.codes.extend(self.actions.iter().map(|action| action.code()));
        descent.expanded =
            !self.codes.is_empty() && self.tree.expand(leaf, self.codes.iter().copied(), &mut self.scraps);
        descent.expanded
    }

    fn has_room(&mut self) -> bool {
        let room = self.tree.has_room(&self.scraps);
        if !room && !self.saw_full {
            self.saw_full = true;
            self.job.warn(&Warning::MemoryFull);
        }
        room
    }

    /// The last step: adds the outcome to every node on the way, for the player who chose it.
    pub(super) fn back_up<C: Counters>(&mut self, descent: &mut Descent<G>) {
        let rewards = descent.rewards();
        let mut changes = [C::returned(self.virtual_loss, 0); MAX_PLAYERS + 1];
        for (change, &reward) in changes.iter_mut().zip(&rewards[..self.players]) {
            let (units, declared) = to_units(reward, G::REWARDS.halves, C::UNITS);
            *change = C::returned(self.virtual_loss, units);
            if !declared {
                self.job.warn(&Warning::RewardClamped);
            }
        }
        match descent.end {
            End::Over => {}
            End::Cut => self.job.warn(&Warning::PlayoutCut),
            End::Stuck => self.job.warn(&Warning::NoLegalAction),
        }
        self.record(descent, &rewards);
        for &(node, chooser) in &descent.path {
            self.tree.add::<C>(node, changes[chooser]);
        }
        let first = descent.path.get(1).map(|&(node, _)| self.tree.place_below_root::<C>(node));
        descent.path.clear();
        self.job.finish_one(self.number, first);
    }

    fn record(&self, descent: &mut Descent<G>, rewards: &[f64]) {
        let Some(sender) = &self.job.record else { return };
        let record = PlayoutRecord {
            tree: (self.number % self.job.trees.len()) as u32,
            path: descent.path[1..].iter().map(|&(node, _)| self.tree.action(node)).collect(),
            moves: std::mem::take(&mut descent.trace),
            rewards: rewards[..self.players].to_vec(),
        };
        // Nobody listens any more when writing the log has failed; that is for the writer to report.
        if sender.send(record).is_err() {
            self.job.stop(crate::StopReason::Stopped);
        }
    }

    /// Undoes a descent that came to nothing.
    fn take_back<C: Counters>(&mut self, descent: &mut Descent<G>) {
        for (node, _) in descent.path.drain(..) {
            self.tree.add::<C>(node, C::taken_back(self.virtual_loss));
        }
    }
}
