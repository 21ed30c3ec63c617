//! The report of a search, read from its trees and its counts.

use std::cmp::Reverse;
use std::sync::Arc;

use super::diagnostics::{self, SearchFacts};
use super::root::{Candidate, Root};
use super::search_state::SearchState;
use super::shared::SharedSearch;
use crate::budget::StopReason;
use crate::mcts::settings::{Policy, TreeKind};
use crate::mcts::tree::{Block, Node, Outcome, Tree};
use crate::report::{Child, Choice, LINES, Move, Plan, Report, Step, Warning};
use crate::reward::to_reward;
use crate::run::reward_of_ending;
use crate::{Information, Position, Rng, Turn};

/// The streams from which moves are drawn count down from here, far from those of playouts.
const DRAWS: u64 = u64::MAX / 2;

impl SearchState {
    /// The report of a position, from the last search and those before it.
    pub(super) fn report(&self, position: &dyn Position) -> Report {
        // Read first: a reader that sees that a search has ended sees all it has done.
        let stop = match &self.last {
            Some(last) => last.reason(),
            None => reason_for_none(position),
        };
        let root = self.root();
        let pv = self.principal_variation(position, &root);
        let mut report = Report {
            best: pv.first().cloned(),
            children: self.children(position, &root),
            pv,
            best_playout: self.best_playout(position),
            ..self.bare_report(stop)
        };
        if let Some(last) = &self.last {
            describe(last, &root, self.goes_on_after(position, &report.pv), &mut report);
        }
        report
    }

    /// The best action of a position, as the report of it says.
    pub(super) fn best_action(&self, position: &dyn Position) -> Option<u32> {
        self.best_of(position, &self.root()).map(|best| best.action)
    }

    /// The best action of a position and then the others, most playouts first, as the report of it says.
    pub(super) fn ranked_actions(&self, position: &dyn Position) -> Option<Vec<u32>> {
        let mut root = self.root();
        let best = self.best_of(position, &root)?.action;
        root.0.sort_by_key(|candidate| Reverse(candidate.visits));
        Some(Choice::ranked(best, root.0.iter().map(|candidate| candidate.action)))
    }

    /// The children of the root after the last search.
    fn root(&self) -> Root {
        self.last.as_ref().map_or_else(|| Root::read(&self.trees, &self.settings, self.has_bounds), |last| last.root())
    }

    /// The part of a report for which the game is not asked, without the counts of the last search.
    pub(super) fn bare_report(&self, stop: StopReason) -> Report {
        Report {
            best: None,
            children: Vec::new(),
            pv: Vec::new(),
            scores: self.facts.rewards.bounds != Some((0.0, 1.0)),
            has_samples: self.settings.policy != Policy::RegretMatching,
            best_playout: None,
            iterations: 0,
            inherited: self.playouts_in_trees(),
            playouts_per_second: 0.0,
            depth: 0,
            bytes: self.trees.iter().map(|tree| tree.bytes()).sum(),
            seconds: 0.0,
            stop,
            warnings: self.warnings(),
        }
    }

    fn children(&self, position: &dyn Position, root: &Root) -> Vec<Child> {
        let draws: u64 = match self.settings.policy {
            Policy::RegretMatching => root.0.iter().map(|candidate| candidate.drawn).sum(),
            _ => 0,
        };
        let child = |candidate: &Candidate| {
            let Move { action, text } = named(position, candidate.action);
            let proven = self.proven(position, candidate.outcome, action);
            let mean = to_reward(&self.facts.rewards, candidate.mean());
            let strategy = (draws > 0).then(|| candidate.drawn as f64 / draws as f64);
            Child { action, text, playouts: candidate.visits, mean, value: None, proven, strategy, line: Vec::new() }
        };
        let mut children: Vec<Child> = root.0.iter().map(child).collect();
        children.sort_by_key(|child| Reverse(child.playouts));
        for child in children.iter_mut().take(LINES) {
            child.line = self.line_after(position, child.action);
        }
        children
    }

    fn best_of<'r>(&self, position: &dyn Position, root: &'r Root) -> Option<&'r Candidate> {
        if self.settings.policy == Policy::RegretMatching {
            // The same draw every time the report is read.
            let stream = self.last.as_ref().map_or(self.next_stream, |last| last.stream);
            let drawn = root.drawn(&mut Rng::new(self.settings.seed, DRAWS - stream));
            if drawn.is_some() {
                return drawn;
            }
        }
        let are_open = || root.0.iter().all(|candidate| candidate.outcome.is_open());
        if self.settings.temperature > 0.0 && are_open() {
            let stream = self.last.as_ref().map_or(self.next_stream, |last| last.stream);
            let drawn = root.tempered(self.settings.temperature, &mut Rng::new(self.settings.seed, DRAWS - stream));
            if drawn.is_some() {
                return drawn;
            }
        }
        let bounds = match self.facts.rewards.bounds {
            Some(_) => (0.0, 1.0),
            None => self.last.as_ref().map_or(self.bounds, |last| last.bounds.get()),
        };
        if let Some(last) = &self.last
            && let Some(policy) = &last.policy
            && let Some(best) = policy.best(&root.stats(bounds))
            && are_open()
        {
            return root.0.get(best);
        }
        let player = match position.turn() {
            Turn::Player(player) => player,
            Turn::Chance | Turn::Over => 0,
        };
        let wins = |candidate: &&Candidate| {
            let most = self.facts.rewards.bounds.map(|(_, most)| most);
            most.is_some() && self.proven(position, candidate.outcome, candidate.action) == most
        };
        // A search with few playouts, or without a solver, may have most of them at another move.
        let best = root.best(player, &self.settings, bounds)?;
        if wins(&best) { Some(best) } else { root.0.iter().find(wins).or(Some(best)) }
    }

    /// The certain reward of an action for the player to move, if its outcome is known or it ends the game.
    fn proven(&self, position: &dyn Position, outcome: Outcome, action: u32) -> Option<f64> {
        let Turn::Player(player) = position.turn() else { return None };
        if !outcome.is_open() {
            return Some(to_reward(&self.facts.rewards, outcome.reward(player)));
        }
        reward_of_ending(position, action)
    }

    /// The best move and then the most played answers.
    fn principal_variation(&self, position: &dyn Position, root: &Root) -> Vec<Move> {
        let Some(best) = self.best_of(position, root) else { return Vec::new() };
        let mut line = vec![named(position, best.action)];
        let after = self.line_after(position, best.action).into_iter();
        line.extend(after.map(|Step { action, text, .. }| Move { action, text }));
        line
    }

    /// The most played answers after an action, in the tree that has the most visits of it. Empty where the next move
    /// depends on what its player sees then.
    fn line_after(&self, position: &dyn Position, action: u32) -> Vec<Step> {
        if self.kind != TreeKind::Plain {
            return Vec::new();
        }
        let after = |tree: &Arc<Tree>| {
            let block = tree.expansion(tree.root()).block()?;
            tree.children(block).find(|&child| tree.action(child) == action)
        };
        let seen = |tree: &Arc<Tree>| after(tree).map_or(0, |child| tree.read(child).visits);
        let Some(tree) = self.trees.iter().rev().max_by_key(|tree| seen(tree)) else { return Vec::new() };
        let mut position = position.clone_position();
        position.apply(action);
        let answer = |node, position: &dyn Position| {
            tree.expansion(node).block().and_then(|block| expected(tree, block, position))
        };
        let mut next = after(tree).and_then(|node| answer(node, &*position));
        let mut line = Vec::new();
        while let Some(node) = next {
            let Move { action, text } = play(&mut *position, tree.action(node));
            line.push(Step { action, text, playouts: tree.read(node).visits.into() });
            next = answer(node, &*position);
        }
        line
    }

    /// The best playout of a game for one player.
    fn best_playout(&self, position: &dyn Position) -> Option<Plan> {
        let (score, codes) = self.last.as_ref()?.best()?;
        let mut position = position.clone_position();
        Some(Plan { score, moves: codes.into_iter().map(|code| play(&mut *position, code)).collect() })
    }

    /// Returns true if the game goes on after a line, as far as the player to move can know.
    fn goes_on_after(&self, position: &dyn Position, line: &[Move]) -> bool {
        if self.facts.information != Information::Perfect {
            return false;
        }
        let mut position = position.clone_position();
        line.iter().for_each(|step| position.apply(step.action));
        position.turn() != Turn::Over
    }

    fn warnings(&self) -> Vec<Warning> {
        let (threads, cores) = (self.settings.threads, self.cores);
        let threads = (threads > cores).then_some(Warning::MoreThreadsThanCores { threads, cores });
        let sees_choices = self.kind == TreeKind::Plain && self.facts.information == Information::Simultaneous;
        let sees_choices = sees_choices.then_some(Warning::SeesChoices);
        threads.into_iter().chain(self.less_memory.clone()).chain(sees_choices).collect()
    }
}

/// The reason why there is no last search.
fn reason_for_none(position: &dyn Position) -> StopReason {
    match position.turn() {
        Turn::Chance => StopReason::Chance,
        Turn::Player(_) if !position.legal_moves().is_empty() => StopReason::Stopped,
        Turn::Player(_) | Turn::Over => StopReason::GameOver,
    }
}

fn named(position: &dyn Position, action: u32) -> Move {
    Move { action, text: position.action_text(action) }
}

/// Plays an action and returns it with its text.
fn play(position: &mut dyn Position, action: u32) -> Move {
    let step = named(position, action);
    position.apply(action);
    step
}

/// The expected next move: one that is known to win, or else the most visited one, of those not known to lose if there
/// are any. Where several are equal the line would go on by chance, so it ends.
fn expected(tree: &Tree, block: Block, position: &dyn Position) -> Option<Node> {
    let Turn::Player(player) = position.turn() else { return None };
    if let Some(wins) = tree.children(block).find(|&child| tree.outcome(child).is_win_for(player)) {
        return Some(wins);
    }
    let merit = |child: Node| (!tree.outcome(child).is_loss_for(player), tree.read(child).visits);
    let most = tree.children(block).max_by_key(|&child| merit(child))?;
    let equals = tree.children(block).filter(|&child| merit(child) == merit(most)).count();
    (tree.read(most).visits > 0 && equals == 1).then_some(most)
}

/// Adds the counts of the last search.
fn describe(search: &SharedSearch, root: &Root, goes_on: bool, report: &mut Report) {
    report.iterations = search.done();
    report.inherited = search.inherited;
    report.seconds = search.status.seconds();
    report.playouts_per_second = report.iterations as f64 / report.seconds.max(1e-9);
    report.depth = search.depth();
    report.warnings.extend(search.status.warnings());
    report.warnings.extend(diagnostics::diagnose(&SearchFacts {
        settings: &search.settings,
        root,
        playouts: report.iterations,
        depth: report.depth,
        goes_on,
        seconds: report.seconds,
        threads: search.settings.threads,
        seconds_a_playout: search.seconds_a_playout(),
        is_solved: report.stop == StopReason::Proven,
        range: match (search.facts.rewards.bounds, search.bounds.get()) {
            (None, (least, most)) if least < most => most - least,
            _ => 1.0,
        },
    }));
}
