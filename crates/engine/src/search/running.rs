//! A search under way: to be read, waited for and stopped.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::doctor::{self, Findings};
use super::job::Job;
use super::root::{Candidate, Root};
use super::{Search, SearchError, guarded};
use crate::budget::StopReason;
use crate::clock::now;
use crate::report::{Child, Move, Plan, Report, Warning};
use crate::scale::to_reward;
use crate::settings::{Policy, TreeKind};
use crate::tree::{Below, Block, Node, Outcome, Tree};
use crate::{Action, Game, Information, Rng, Turn};

/// The streams from which moves are drawn count down from here, far from those of playouts.
const DRAWS: u64 = u64::MAX / 2;

/// A search under way. Dropping it stops the search.
///
/// ```
/// # use boughs::{Budget, Search, Settings, Game, Turn};
/// # #[derive(Clone)]
/// # struct Coin(bool);
/// # impl Game for Coin {
/// #     type Action = u8;
/// #     fn turn(&self) -> Turn { if self.0 { Turn::Over } else { Turn::Player(0) } }
/// #     fn actions(&self, out: &mut Vec<u8>) { out.extend([0, 1]); }
/// #     fn apply(&mut self, _: u8) { self.0 = true; }
/// #     fn reward(&self, _: usize) -> f64 { 1.0 }
/// # }
/// let mut search = Search::new(Coin(false), Settings::default()).unwrap();
/// let pondering = search.start(Budget::unlimited()).unwrap();
/// let so_far = pondering.report();      // read while the search goes on
/// let report = pondering.stop().unwrap(); // told to stop
/// assert!(report.iterations >= so_far.iterations);
/// ```
pub struct Running<'s, G: Game> {
    search: &'s mut Search<G>,
}

impl<'s, G: Game> Running<'s, G> {
    pub(super) fn new(search: &'s mut Search<G>) -> Running<'s, G> {
        Running { search }
    }

    /// What is known so far. Cheap enough to ask many times a second; the workers do not notice.
    pub fn report(&self) -> Report<G::Action> {
        self.search.report()
    }

    /// Waits until the search ends by itself, at most this long. Says whether it has ended.
    pub fn wait(&self, time: Duration) -> bool {
        self.search.wait_until(now().checked_add(time))
    }

    /// Whether some worker is still in a tree; after a deadline it may be for as long as a playout takes.
    pub(crate) fn is_working(&self) -> bool {
        self.search.job.as_ref().is_some_and(|job| job.course.is_working())
    }

    /// Waits until the search ends by itself.
    ///
    /// # Errors
    /// [`SearchError::GamePanicked`] if the game panicked.
    pub fn finish(self) -> Result<Report<G::Action>, SearchError> {
        self.search.wait_until(None);
        self.search.outcome()
    }

    /// Ends the search now.
    ///
    /// # Errors
    /// [`SearchError::GamePanicked`] if the game panicked.
    pub fn stop(self) -> Result<Report<G::Action>, SearchError> {
        if let Some(job) = &self.search.job {
            job.course.end(StopReason::Stopped);
        }
        self.search.outcome()
    }
}

impl<G: Game> Drop for Running<'_, G> {
    fn drop(&mut self) {
        if let Some(job) = &self.search.job {
            job.course.stop(StopReason::Stopped);
        }
    }
}

impl<G: Game> Search<G> {
    /// Waits until the search has ended, at most until `patience`. Says whether it has.
    fn wait_until(&self, patience: Option<Instant>) -> bool {
        self.job.as_ref().is_none_or(|job| job.course.wait_for_end(patience))
    }

    fn outcome(&self) -> Result<Report<G::Action>, SearchError> {
        match self.job.as_ref().and_then(|job| job.course.panic()) {
            Some(text) => Err(SearchError::GamePanicked(text)),
            None => guarded(|| self.report()),
        }
    }

    /// What is known of the position, from the last search and those before it.
    pub(super) fn report(&self) -> Report<G::Action> {
        // Read first: whoever sees that a search has ended sees all it has done.
        let stop = match &self.job {
            Some(job) => job.reason(),
            None if self.position.turn() == Turn::Chance => StopReason::Chance,
            None => StopReason::GameOver,
        };
        let root = self.job.as_ref().map_or_else(|| Root::read(&self.trees), |job| job.root());
        let mut report = Report {
            best: None,
            children: self.children(&root),
            pv: self.principal_variation(&root),
            scores: G::REWARDS.bounds != Some((0.0, 1.0)),
            best_playout: self.best_playout(),
            iterations: 0,
            inherited: self.trees.iter().map(|tree| u64::from(tree.read(tree.root()).visits)).sum(),
            playouts_per_second: 0.0,
            depth: 0,
            bytes: self.trees.iter().map(|tree| tree.bytes()).sum(),
            seconds: 0.0,
            stop,
            warnings: self.warnings(),
        };
        report.best = self.best_of(&root).map(|best| self.named(&self.position, best.action));
        if let Some(job) = &self.job {
            describe(job, &root, self.goes_on_after(&report.pv), &mut report);
        }
        report
    }

    fn children(&self, root: &Root) -> Vec<Child<G::Action>> {
        let draws: u64 = match self.settings.policy {
            Policy::RegretMatching => root.0.iter().map(|candidate| candidate.drawn).sum(),
            Policy::Ucb1 => 0,
        };
        let mut children: Vec<Child<G::Action>> = root
            .0
            .iter()
            .map(|candidate| {
                let Move { action, text } = self.named(&self.position, candidate.action);
                let proven = self.proven(candidate.outcome, action);
                let mean = to_reward(&G::REWARDS, candidate.mean());
                let strategy = (draws > 0).then(|| candidate.drawn as f64 / draws as f64);
                Child { action, text, playouts: candidate.visits, mean, proven, strategy }
            })
            .collect();
        children.sort_by_key(|child| std::cmp::Reverse(child.playouts));
        children
    }

    /// Who is to move, of the players there are.
    fn mover(&self) -> usize {
        match self.position.turn() {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over => 0,
        }
    }

    fn best_of<'r>(&self, root: &'r Root) -> Option<&'r Candidate> {
        if self.settings.policy == Policy::RegretMatching {
            // The same draw every time the report is read.
            let stream = self.job.as_ref().map_or(self.next_stream, |job| job.stream);
            let drawn = root.drawn(&mut Rng::new(self.settings.seed, DRAWS - stream));
            if drawn.is_some() {
                return drawn;
            }
        }
        let bounds = match G::REWARDS.bounds {
            Some(_) => (0.0, 1.0),
            None => self.job.as_ref().map_or(self.bounds, |job| job.bounds.get()),
        };
        root.best(self.mover(), self.settings.final_move, bounds)
    }

    /// What an action is worth to the player to move, where that is known: its outcome is, or it ends the game.
    fn proven(&self, outcome: Outcome, action: G::Action) -> Option<f64> {
        let Turn::Player(player) = self.position.turn() else { return None };
        if !outcome.is_open() {
            return Some(to_reward(&G::REWARDS, outcome.reward(player)));
        }
        reward_of_ending(&self.position, action)
    }

    fn named(&self, position: &G, code: u32) -> Move<G::Action> {
        let action = G::Action::from_code(code);
        Move { action, text: position.action_text(action) }
    }

    /// The best move and then the most played answers, in the tree that has seen most of that move.
    fn principal_variation(&self, root: &Root) -> Vec<Move<G::Action>> {
        let Some(best) = self.best_of(root) else { return Vec::new() };
        if self.settings.tree != TreeKind::Plain {
            // What comes next depends on what is seen then.
            return vec![self.named(&self.position, best.action)];
        }
        let after_best = |tree: &Arc<Tree>| match tree.below(tree.root()) {
            Below::Children(block) => tree.children(block).find(|&child| tree.action(child) == best.action),
            Below::Bare | Below::Claimed => None,
        };
        let seen = |tree: &Arc<Tree>| after_best(tree).map_or(0, |child| tree.read(child).visits);
        let Some(tree) = self.trees.iter().rev().max_by_key(|tree| seen(tree)) else { return Vec::new() };
        let mut line = Vec::new();
        let mut position = self.position.clone();
        let mut next = after_best(tree);
        while let Some(node) = next {
            let step = self.named(&position, tree.action(node));
            position.apply(step.action);
            line.push(step);
            next = match tree.below(node) {
                Below::Children(block) => expected(tree, block, &position),
                Below::Bare | Below::Claimed => None,
            };
        }
        line
    }

    /// The best playout of a game for one.
    fn best_playout(&self) -> Option<Plan<G::Action>> {
        let (score, codes) = self.job.as_ref()?.best()?;
        let mut position = self.position.clone();
        let step = |code| {
            let step = self.named(&position, code);
            position.apply(step.action);
            step
        };
        Some(Plan { score, moves: codes.into_iter().map(step).collect() })
    }

    /// Whether the game goes on after a line, as far as the player to move can know.
    fn goes_on_after(&self, line: &[Move<G::Action>]) -> bool {
        if G::INFORMATION != Information::Perfect {
            return false;
        }
        let mut position = self.position.clone();
        line.iter().for_each(|step| position.apply(step.action));
        position.turn() != Turn::Over
    }

    fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let (threads, cores) = (self.settings.threads, self.cores);
        if threads > cores {
            warnings.push(Warning::MoreThreadsThanCores { threads, cores });
        }
        warnings
    }
}

/// What an action is worth to the player to move if it ends the game, where they know everything that this depends on.
pub(crate) fn reward_of_ending<G: Game>(position: &G, action: G::Action) -> Option<f64> {
    let (Turn::Player(player), Information::Perfect) = (position.turn(), G::INFORMATION) else { return None };
    let mut after = position.clone();
    after.apply(action);
    let (least, most) = G::REWARDS.bounds.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
    (after.turn() == Turn::Over).then(|| after.reward(player).clamp(least, most))
}

/// What is expected next: a move that is known to win, or else the most visited one, of those not known to lose if there
/// are any. Where several are equal the line would go on by chance, so it ends.
fn expected<G: Game>(tree: &Tree, block: Block, position: &G) -> Option<Node> {
    let Turn::Player(player) = position.turn() else { return None };
    if let Some(wins) = tree.children(block).find(|&child| tree.outcome(child).is_win_for(player)) {
        return Some(wins);
    }
    let merit = |child: Node| (!tree.outcome(child).is_loss_for(player), tree.read(child).visits);
    let most = tree.children(block).max_by_key(|&child| merit(child))?;
    let equals = tree.children(block).filter(|&child| merit(child) == merit(most)).count();
    (tree.read(most).visits > 0 && equals == 1).then_some(most)
}

/// Adds what the last search has done.
fn describe<G: Game>(job: &Job<G>, root: &Root, goes_on: bool, report: &mut Report<G::Action>) {
    report.iterations = job.done();
    report.inherited = job.inherited;
    report.seconds = job.course.seconds();
    report.playouts_per_second = report.iterations as f64 / report.seconds.max(1e-9);
    report.depth = job.depth();
    report.warnings.extend(job.course.warnings());
    report.warnings.extend(doctor::examine(&Findings {
        settings: &job.settings,
        root,
        playouts: report.iterations,
        depth: report.depth,
        goes_on,
        seconds: report.seconds,
        threads: job.settings.threads,
        playout: job.seconds_a_playout(),
        is_solved: report.stop == StopReason::Proven,
        range: match (G::REWARDS.bounds, job.bounds.get()) {
            (None, (least, most)) if least < most => most - least,
            _ => 1.0,
        },
    }));
}
