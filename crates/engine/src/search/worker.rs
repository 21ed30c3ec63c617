//! One worker: the four steps of Monte Carlo Tree Search, over and over.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::informed::Place;
use super::job::{Job, PlayoutRecord};
use crate::clock::now;
use crate::course::Leaving;
use crate::game::MAX_PLAYERS;
use crate::playout::End;
use crate::report::Warning;
use crate::scale::to_units;
use crate::settings::{InFlight, Parallel, Policy, TreeKind};
use crate::tree::counters::Counters;
use crate::tree::weights::Scales;
use crate::tree::{Block, Entered, Link, Outcome, Scraps, Step, Tree, View};
use crate::{Action, Game, Rng, Turn, TurnOrder};

/// One way down the tree and what came of it.
pub(super) struct Descent<G: Game> {
    pub(super) position: G,
    /// Every node that was entered and not backed up yet, the root first, and who chose it. Empty between descents.
    pub(super) path: Vec<(Step, u8)>,
    /// The last of them.
    visits: u32,
    /// What the exploration of its children is multiplied by.
    exploration: f32,
    pub(super) link: Link,
    /// Who acts after them, where players act in turn.
    next: u8,
    /// The children of the last node were asked for ahead of time.
    fetched: bool,
    /// A leaf was expanded on the way, which happens once at most.
    expanded: bool,
    end: End,
    /// What the last node comes to for certain, so that there is nothing to play out.
    pub(super) outcome: Outcome,
    /// Codes of the actions played after the tree, where they are recorded.
    pub(super) trace: Vec<u32>,
    /// Where each tree of what players know goes on.
    pub(super) places: Vec<Place>,
    /// How likely each choice of the path was, where they are drawn.
    pub(super) odds: Vec<f64>,
    /// Who explores and learns from what comes of it, where choices are drawn.
    pub(super) learner: usize,
    /// Plies of the descent through such trees, those of chance included.
    pub(super) moves: u32,
}

/// A playout is timed each time so many shares of the budget were taken.
const TIMED: u32 = 8;

/// The root was chosen by nobody, and outcomes of chance are.
pub(super) const NOBODY: u8 = MAX_PLAYERS as u8;
/// Stands for chance where somebody could act.
const CHANCE: u8 = NOBODY + 1;

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
    fn plies(&self) -> u32 {
        self.path.len() as u32 - 1
    }

    #[inline(always)]
    fn enter(&mut self, node: Entered, chooser: u8) {
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
    fn rewards(&self) -> [f64; MAX_PLAYERS] {
        let mut rewards = [0.0; MAX_PLAYERS];
        for (player, reward) in rewards.iter_mut().enumerate().take(self.position.players().min(MAX_PLAYERS)) {
            *reward = match self.end {
                _ if !self.outcome.is_open() => self.outcome.reward(player),
                End::Over => self.position.reward(player),
                End::Cut | End::Stuck => self.position.cut_reward(player),
            };
        }
        rewards
    }
}

/// A worker at work on its job.
pub(super) struct Worker<'j, G: Game, C: Counters> {
    pub(super) job: &'j Job<G>,
    pub(super) tree: &'j Tree,
    pub(super) view: View<'j, C>,
    number: usize,
    pub(super) rng: Rng,
    /// What is added to the counters of a node on the way down.
    pub(super) entered: C::Words,
    /// The last rewards as integers, by player and then nobody's.
    pub(super) units: [u64; MAX_PLAYERS + 1],
    /// What is added on the way up, by the player who chose the node.
    pub(super) changes: [C::Words; MAX_PLAYERS + 1],
    virtual_loss: u32,
    solver: bool,
    pub(super) players: usize,
    /// Who acts at the root.
    first: u8,
    /// What a choice is looked up by.
    pub(super) kind: TreeKind,
    pub(super) actions: Vec<G::Action>,
    pub(super) codes: Vec<u32>,
    pub(super) scraps: Scraps,
    deepest: u32,
    saw_full: bool,
    /// How many children a node has, about.
    width: u32,
    /// How often playouts were taken from the budget.
    takes: u32,
    /// The best score of a game for one this worker knows of.
    best: f64,
}

/// Runs a worker until its search ends, whatever the game does. `drive` keeps the descents it has not backed up in the
/// list it is given.
pub(super) fn run<G: Game, C: Counters>(
    job: &Job<G>,
    number: usize,
    drive: impl FnOnce(&mut Worker<'_, G, C>, &mut Vec<Descent<G>>),
) {
    let _leaving = Leaving(&job.course);
    let mut worker = Worker::<G, C>::new(job, number);
    let mut descents = Vec::new();
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drive(&mut worker, &mut descents))) {
        job.course.panicked(crate::panic_text(&*panic));
    }
    // Of a search that was stopped or failed some are still under way.
    descents.iter_mut().for_each(|descent| worker.take_back(descent));
    worker.leave();
    // What a game does when it is dropped is its own fault too.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(descents))) {
        job.course.panicked(crate::panic_text(&*panic));
    }
}

impl<'j, G: Game, C: Counters> Worker<'j, G, C> {
    pub(super) fn new(job: &'j Job<G>, number: usize) -> Worker<'j, G, C> {
        let (settings, trees) = (&job.settings, job.trees.len());
        let tree = &job.trees[number % trees];
        let scales = Scales::new(job.tables.clone(), settings.exploration, settings.first_play);
        let virtual_loss = match settings.in_flight {
            // Who draws does not follow others.
            _ if settings.policy == Policy::RegretMatching => 0,
            InFlight::VirtualLoss(visits) => visits,
            InFlight::Unobserved => 0,
        };
        // What copies say of scores would not keep up with their bounds.
        let mirrors = settings.mirrors && C::HEAD == 1 && G::REWARDS.bounds.is_some();
        let mut view = match mirrors && settings.parallel != Parallel::Batched {
            true => {
                let workers = (job.workers() / trees) as u32;
                View::with_mirror(tree, scales, workers, workers * settings.descents * virtual_loss.max(1))
            }
            false => View::new(tree, scales),
        };
        if C::HEAD > 1 && G::REWARDS.bounds.is_some() {
            view.set_bounds((0.0, 1.0));
        }
        Worker {
            job,
            tree,
            view,
            number,
            rng: Rng::new(settings.seed, job.stream_of_worker(number)),
            entered: C::pack(C::entered(virtual_loss)),
            units: [0; MAX_PLAYERS + 1],
            changes: [C::returned(virtual_loss, 0); MAX_PLAYERS + 1],
            virtual_loss,
            solver: settings.solver,
            players: job.players,
            first: job.first as u8,
            kind: settings.tree,
            actions: Vec::new(),
            codes: Vec::new(),
            scraps: tree.take_scraps(),
            deepest: 0,
            saw_full: false,
            width: job.width(),
            takes: 0,
            best: f64::NEG_INFINITY,
        }
    }

    /// Makes playouts until the search ends. While a descent waits for memory the others go on.
    pub(super) fn search(&mut self, descents: &mut Vec<Descent<G>>) {
        let several = self.job.settings.descents;
        descents.resize_with(several as usize, || Descent::new(self.job));
        let (mut taken, mut under_way) = (0, 0);
        loop {
            for descent in &mut *descents {
                if descent.path.is_empty() {
                    if taken == 0 {
                        taken = self.job.take(self.job.share());
                        self.takes += 1;
                    }
                    if taken == 0 {
                        if under_way == 0 {
                            return;
                        }
                        continue;
                    }
                    taken -= 1;
                    under_way += 1;
                    self.begin(descent);
                }
                if self.descend(descent, several > 1) {
                    // Several may be about to play out, and who stops a search waits for one playout at most.
                    if self.job.course.is_stopped() {
                        return;
                    }
                    if taken == 0 && self.takes.is_multiple_of(TIMED) {
                        self.play_out_timed(descent);
                    } else {
                        self.play_out(descent);
                    }
                    self.back_up(descent);
                    under_way -= 1;
                }
            }
        }
    }

    /// Enters the root.
    pub(super) fn begin(&mut self, descent: &mut Descent<G>) {
        descent.position.clone_from(&self.job.position);
        if G::REWARDS.bounds.is_none() {
            self.view.set_bounds(self.job.bounds.get());
        }
        if C::HEAD > 1 {
            self.begin_informed(descent);
            return;
        }
        descent.expanded = false;
        descent.fetched = false;
        if self.solver {
            descent.outcome = Outcome::OPEN;
            self.view.notice_proofs();
        }
        let root = self.view.enter_root(self.entered);
        descent.enter(root, NOBODY);
        descent.next = self.first;
    }

    /// The first two steps: selects down to a leaf, and one step further if the leaf can be expanded. With `ahead` it
    /// asks for memory it needs next and comes back later: it says whether it has reached a leaf.
    #[inline(always)]
    pub(super) fn descend(&mut self, descent: &mut Descent<G>, ahead: bool) -> bool {
        if C::HEAD > 1 {
            self.descend_informed(descent);
            return true;
        }
        loop {
            let block = match descent.link.children() {
                Some(block) => block,
                None => match self.expand(descent) {
                    Some(block) => block,
                    None => break,
                },
            };
            if ahead && !descent.fetched && !descent.expanded {
                descent.fetched = self.view.fetch(block, descent.visits, self.width);
                if descent.fetched {
                    return false;
                }
            }
            descent.fetched = false;
            if descent.plies() >= G::MAX_PLIES {
                break;
            }
            let Some(mut chooser) = self.chooser(descent) else { break };
            let child = if G::TURN_ORDER == TurnOrder::Any && chooser == CHANCE {
                chooser = NOBODY;
                let Some(outcome) = self.draw(descent, block) else { break };
                outcome
            } else {
                self.view.enter(block, descent.visits, descent.exploration, self.entered)
            };
            descent.enter(child, chooser);
            descent.next = if usize::from(chooser) + 1 < self.players { chooser + 1 } else { 0 };
            descent.position.apply(G::Action::from_code(child.link.action()));
        }
        self.saw_depth(descent.path.len() - 1);
        true
    }

    #[inline(always)]
    pub(super) fn saw_depth(&mut self, plies: usize) {
        if plies as u32 > self.deepest {
            self.deepest = plies as u32;
            self.job.saw_depth(self.deepest);
        }
    }

    /// Who chooses here, if anybody does.
    #[inline(always)]
    fn chooser(&self, descent: &Descent<G>) -> Option<u8> {
        match G::TURN_ORDER {
            // No need to ask: a node has children only where the game is not over.
            TurnOrder::Alternating => Some(descent.next),
            TurnOrder::Any => match descent.position.turn() {
                Turn::Player(player) => Some(self.known(player)),
                Turn::Chance => Some(CHANCE),
                Turn::Over => None,
            },
        }
    }

    /// Draws what chance does, and enters that child of the block.
    fn draw(&mut self, descent: &Descent<G>, block: Block) -> Option<Entered> {
        let outcome = descent.position.chance(&mut self.rng, &mut self.actions)?;
        let entered = self.view.enter_action(block, outcome.code(), self.entered);
        if entered.is_none() {
            self.job.course.warn(&Warning::UnlistedOutcome);
        }
        entered
    }

    /// A player the game does not have gets no rewards.
    #[inline]
    fn known(&self, player: usize) -> u8 {
        if player < self.players {
            return player as u8;
        }
        self.job.course.warn(&Warning::UnknownPlayer);
        NOBODY
    }

    /// Gives the leaf its children, if it has been visited often enough, nobody else is at it, and there is room.
    #[inline]
    pub(super) fn expand(&mut self, descent: &mut Descent<G>) -> Option<Block> {
        let &(leaf, _) = descent.path.last()?;
        if self.solver {
            descent.outcome = self.known_outcome(descent);
            if !descent.outcome.is_open() {
                return None;
            }
        }
        if descent.expanded || descent.visits + 1 < self.job.settings.expand_at {
            return None;
        }
        match descent.position.turn() {
            Turn::Over => return None,
            turn if G::TURN_ORDER == TurnOrder::Alternating && turn != Turn::Player(usize::from(descent.next)) => {
                self.job.course.warn(&Warning::OutOfTurn);
            }
            Turn::Player(_) | Turn::Chance => {}
        }
        if !self.has_room() {
            return None;
        }
        // Listed before the leaf is claimed: a game that panics here leaves no claim behind.
        self.actions.clear();
        descent.position.actions(&mut self.actions);
        self.codes.clear();
        self.codes.extend(self.actions.iter().map(|action| action.code()));
        if self.codes.is_empty() {
            return None;
        }
        let block = self.tree.expand(self.view.node(leaf), self.codes.iter().copied(), &mut self.scraps);
        descent.expanded = block.is_some();
        block
    }

    pub(super) fn has_room(&mut self) -> bool {
        let room = self.tree.has_room(&self.scraps);
        if !room && !self.saw_full {
            self.saw_full = true;
            self.job.course.warn(&Warning::MemoryFull);
        }
        room
    }

    /// The same with a look at the clock.
    #[cold]
    fn play_out_timed(&mut self, descent: &mut Descent<G>) {
        let started = now();
        self.play_out(descent);
        self.job.took(1, started.elapsed());
    }

    /// The third step: plays the game to its end.
    #[inline(always)]
    pub(super) fn play_out(&mut self, descent: &mut Descent<G>) {
        descent.play_out(self.job, &mut self.rng, &mut self.actions);
    }

    /// The last step: adds the outcome to every node on the way, for the player who chose it.
    #[inline(always)]
    pub(super) fn back_up(&mut self, descent: &mut Descent<G>) {
        let rewards = descent.rewards();
        for (player, &reward) in rewards[..self.players].iter().enumerate() {
            self.set_reward(player, reward);
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

    /// Keeps the playout if it is the best so far of a game for one, and sends it to whoever records the search.
    #[cold]
    fn keep(&mut self, descent: &mut Descent<G>, rewards: &[f64]) {
        if self.players == 1 && rewards[0] > self.best {
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
            self.job.course.stop(crate::StopReason::Stopped);
        }
    }

    /// Gives back to the tree what it has kept to itself.
    pub(super) fn leave(mut self) {
        self.view.flush();
        self.tree.give_back(self.scraps);
    }

    /// Undoes a descent that came to nothing.
    fn take_back(&mut self, descent: &mut Descent<G>) {
        for (step, _) in descent.path.drain(..) {
            self.view.add(step, C::taken_back(self.virtual_loss));
        }
    }
}
