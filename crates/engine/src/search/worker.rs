//! One worker: the four steps of Monte Carlo Tree Search, over and over.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::descent::{CHANCE, Descent, NOBODY};
use super::job::Job;
use crate::clock::now;
use crate::course::Leaving;
use crate::game::MAX_PLAYERS;
use crate::report::Warning;
use crate::settings::{InFlight, Parallel, Policy, TreeKind};
use crate::tree::counters::Counters;
use crate::tree::weights::Scales;
use crate::tree::{Block, Entered, Outcome, Scraps, Tree, View};
use crate::{Action, Game, Rng, Turn, TurnOrder};

/// A playout is timed each time so many shares of the budget were taken.
const TIMED: u32 = 8;

/// A worker at work on its job.
pub(super) struct Worker<'j, G: Game, C: Counters> {
    pub(super) job: &'j Job<G>,
    pub(super) tree: &'j Tree,
    pub(super) view: View<'j, C>,
    pub(super) number: usize,
    pub(super) rng: Rng,
    /// What is added to the counters of a node on the way down.
    pub(super) entered: C::Words,
    /// The last rewards as integers, by player and then nobody's.
    pub(super) units: [u64; MAX_PLAYERS + 1],
    /// What is added on the way up, by the player who chose the node.
    pub(super) changes: [C::Words; MAX_PLAYERS + 1],
    pub(super) virtual_loss: u32,
    pub(super) solver: bool,
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
    pub(super) best: f64,
    /// What is left of [`Job::room_for_scores`].
    pub(super) room_for_scores: u64,
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
            room_for_scores: job.room_for_scores,
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

    /// Gives back to the tree what it has kept to itself.
    pub(super) fn leave(mut self) {
        self.view.flush();
        self.tree.give_back(self.scraps);
    }

    /// Undoes a descent that came to nothing.
    pub(super) fn take_back(&mut self, descent: &mut Descent<G>) {
        for (step, _) in descent.path.drain(..) {
            self.view.add(step, C::taken_back(self.virtual_loss));
        }
    }
}
