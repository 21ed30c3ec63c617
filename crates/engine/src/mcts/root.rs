//! The children of the root, added up over all trees.

use std::sync::Arc;

use crate::Rng;
use crate::logarithm::{exp, ln};
use crate::mcts::policies::ChildStats;
use crate::mcts::settings::{FinalMove, Policy, Settings};
use crate::mcts::tree::{Outcome, Tree};

/// A move that is drawn this many times more seldom than the one drawn most is never played.
const SELDOM: u64 = 50;

/// One child of the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    pub(super) action: u32,
    pub(super) visits: u64,
    /// The sum of rewards for the player to move.
    pub(super) reward: f64,
    /// The outcome, where it is known.
    pub(super) outcome: Outcome,
    /// The floor of the opponent below it, where that bounds what it is worth.
    pub(super) floor_below: Outcome,
    /// The number of times that the strategy of the root has drawn it, in regret matching. These visits have no reward.
    pub(super) drawn: u64,
}

impl Candidate {
    pub(super) fn mean(&self) -> f64 {
        match self.visits.saturating_sub(self.drawn) {
            0 => 0.0,
            visits => self.reward / visits as f64,
        }
    }

    /// The rank of a child where the best known outcome is worth `floor`: greater is better.
    fn class(&self, player: usize, floor: f64) -> i32 {
        let may_be_better = self.floor_below.is_open() || self.floor_below.reward(player) > floor;
        match self.outcome.is_open() {
            true if floor == 0.0 || self.mean() > floor && may_be_better => 2,
            false if floor > 0.0 && self.outcome.reward(player) == floor => 1,
            true => 0,
            false => -1,
        }
    }

    /// The mean less two standard errors, as a share of the way between the bounds. No rewards in 0..=1 vary more than
    /// all-or-nothing ones with the same mean, whose variance is m (1 - m); one visit's worth of doubt keeps an
    /// untested certainty low.
    fn lower_bound(&self, (least, most): (f64, f64)) -> f64 {
        let visits = self.visits as f64;
        let mean = if most > least { ((self.mean() - least) / (most - least)).clamp(0.0, 1.0) } else { 0.0 };
        let variance = mean * (1.0 - mean) + 1.0 / visits;
        mean - 2.0 * (variance / visits).sqrt()
    }
}

/// All children of the root, in the game's order.
pub(super) struct Root(pub(super) Vec<Candidate>);

impl Root {
    /// Reads it from the trees of a search with these settings.
    pub(super) fn read(trees: &[Arc<Tree>], settings: &Settings, has_bounds: bool) -> Root {
        let mut candidates: Vec<Candidate> = Vec::new();
        for tree in trees {
            let Some(block) = tree.expansion(tree.root()).block() else { continue };
            for (index, child) in tree.children(block).enumerate() {
                let stats = tree.read(child);
                // Every tree lists the same actions in the same order.
                if index == candidates.len() {
                    let action = tree.action(child);
                    candidates.push(Candidate {
                        action,
                        visits: 0,
                        reward: 0.0,
                        outcome: Outcome::OPEN,
                        floor_below: Outcome::OPEN,
                        drawn: 0,
                    });
                }
                let candidate = &mut candidates[index];
                candidate.visits += u64::from(stats.visits);
                candidate.reward += stats.sum.cast_signed() as f64 / tree.units();
            }
        }
        let mut root = Root(candidates);
        root.read_marks(trees, settings, has_bounds);
        root
    }

    /// Reads the outcomes that are known by now and the bounds of others, if there is a solver, and the number of draws
    /// in regret matching.
    pub(super) fn read_marks(&mut self, trees: &[Arc<Tree>], settings: &Settings, has_bounds: bool) {
        let (solver, draws) = (settings.solver, settings.policy == Policy::RegretMatching);
        if !solver && !draws {
            return;
        }
        for candidate in &mut self.0 {
            candidate.drawn = 0;
        }
        for tree in trees {
            let Some(block) = tree.expansion(tree.root()).block() else { continue };
            for (index, child) in tree.children(block).enumerate().take(self.0.len()) {
                let candidate = &mut self.0[index];
                if solver && candidate.outcome.is_open() {
                    candidate.outcome = tree.outcome(child);
                    // Another tree may have a better floor than this one.
                    let floor = if has_bounds { tree.floor_below(child) } else { Outcome::OPEN };
                    if floor.is_draw() {
                        candidate.floor_below = floor;
                    }
                }
                // Where nothing is drawn these are visits in flight.
                if draws {
                    candidate.drawn += u64::from(tree.read(child).unobserved);
                }
            }
        }
    }

    /// Draws a move in proportion to the draws of the strategy at the root, except for remnants of the time when
    /// nothing was known, which are drawn too seldom. `None` without a playout.
    pub(super) fn drawn(&self, rng: &mut Rng) -> Option<&Candidate> {
        let most = self.0.iter().map(|candidate| candidate.drawn).max()?;
        let counts = |candidate: &&Candidate| candidate.drawn > most / SELDOM;
        let total: u64 = self.0.iter().filter(counts).map(|candidate| candidate.drawn).sum();
        let mut left = (rng.unit() * total as f64) as u64;
        self.0.iter().filter(counts).find(|candidate| {
            let found = left < candidate.drawn;
            left = left.wrapping_sub(candidate.drawn);
            found
        })
    }

    /// Draws a move in proportion to the playouts of each, to the power of one divided by `temperature` (Silver et al.
    /// 2017). `None` without a playout.
    pub(super) fn tempered(&self, temperature: f64, rng: &mut Rng) -> Option<&Candidate> {
        let most = self.0.iter().map(|candidate| candidate.visits).max().filter(|&most| most > 0)?;
        let weight = |candidate: &Candidate| match candidate.visits {
            0 => 0.0,
            visits => exp(ln(visits as f64 / most as f64) / temperature),
        };
        let total: f64 = self.0.iter().map(weight).sum();
        let mut left = rng.unit() * total;
        self.0.iter().find(|candidate| {
            left -= weight(candidate);
            left < 0.0
        })
    }

    /// The statistics of the children for a selection policy. Rewards lie between the bounds.
    pub(super) fn stats(&self, (least, most): (f64, f64)) -> Vec<ChildStats> {
        let inverse = if most > least { 1.0 / (most - least) } else { 0.0 };
        let stats = |candidate: &Candidate| {
            let sum = (candidate.reward - candidate.visits as f64 * least) * inverse;
            let visits = candidate.visits as u32;
            ChildStats { visits, finished: visits, sum: sum as f32, ..ChildStats::default() }
        };
        self.0.iter().map(stats).collect()
    }

    /// Returns true if `to_come` more playouts cannot change the move with the most of them.
    pub(super) fn is_decided(&self, to_come: u64) -> bool {
        self.lead() > to_come
    }

    /// Returns true if no proof can make another move of `player` better: all moves but one are known to lose.
    pub(super) fn has_one_that_may_not_lose(&self, player: usize) -> bool {
        self.0.iter().filter(|candidate| !candidate.outcome.is_loss_for(player)).count() == 1
    }

    /// The lead in playouts of the most played child over the next.
    fn lead(&self) -> u64 {
        let (mut first, mut second) = (0, 0);
        for candidate in &self.0 {
            if candidate.visits > first {
                (first, second) = (candidate.visits, first);
            } else {
                second = second.max(candidate.visits);
            }
        }
        first - second
    }

    /// The move that `player` should play. A known win comes first and a known loss last; a known outcome between them
    /// comes before a child whose mean is no better; among the rest the rule of the settings decides, then the other
    /// merit, then the order of the game. A forced move needs no playout; otherwise the result is `None` without one.
    ///
    /// Rewards lie between the bounds.
    pub(super) fn best(&self, player: usize, settings: &Settings, bounds: (f64, f64)) -> Option<&Candidate> {
        if let [forced] = &self.0[..] {
            return Some(forced);
        }
        let floor = if settings.solver { self.best_known(player) } else { 0.0 };
        let merit = |candidate: &Candidate| {
            let class = if settings.solver { candidate.class(player, floor) } else { 0 };
            let (first, second) = match settings.final_move {
                FinalMove::MostPlayouts => (candidate.visits as f64, candidate.mean()),
                FinalMove::BestMean => (candidate.mean(), candidate.visits as f64),
                FinalMove::LowerBound => (candidate.lower_bound(bounds), candidate.visits as f64),
            };
            (class, first, second)
        };
        let visited = self.0.iter().filter(|candidate| candidate.visits > 0);
        let best = visited.reduce(|best, candidate| if merit(candidate) > merit(best) { candidate } else { best })?;
        if settings.solver && best.outcome.is_loss_for(player) {
            // An untried move is better than a loss.
            let untried = |candidate: &&Candidate| candidate.visits == 0 && candidate.outcome.is_open();
            return Some(self.0.iter().find(untried).unwrap_or(best));
        }
        Some(best)
    }

    /// The best known reward of a child, 0 for those that lose.
    fn best_known(&self, player: usize) -> f64 {
        let known = self.0.iter().filter(|candidate| !candidate.outcome.is_open());
        known.map(|candidate| candidate.outcome.reward(player)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(action: u32, visits: u64, reward: f64) -> Candidate {
        Candidate { action, visits, reward, outcome: Outcome::OPEN, floor_below: Outcome::OPEN, drawn: 0 }
    }

    fn by(final_move: FinalMove) -> Settings {
        Settings { final_move, ..Settings::default() }
    }

    #[test]
    fn the_final_move_follows_its_rule() {
        let root =
            Root(vec![candidate(1, 0, 0.0), candidate(2, 900, 495.0), candidate(3, 3, 3.0), candidate(4, 500, 295.0)]);
        let best = |rule| root.best(0, &by(rule), (0.0, 1.0)).map(|best| best.action);
        assert_eq!(best(FinalMove::MostPlayouts), Some(2));
        assert_eq!(best(FinalMove::BestMean), Some(3));
        assert_eq!(best(FinalMove::LowerBound), Some(4));
    }

    #[test]
    fn the_lower_bound_is_two_standard_errors_below_the_mean() {
        // 0.6 - 2 sqrt((0.24 + 0.01) / 100), and the same on a scale from -10 to 10.
        assert!((candidate(1, 100, 60.0).lower_bound((0.0, 1.0)) - 0.5).abs() < 1e-12);
        assert!((candidate(1, 100, 200.0).lower_bound((-10.0, 10.0)) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_child_that_can_be_no_better_than_a_certain_draw_is_not_played_for_its_mean() {
        let [loss, draw] = [[0.0, 1.0], [0.5, 0.5]].map(|rewards| Outcome::of(&rewards).expect("an outcome"));
        let certain = Candidate { outcome: draw, ..candidate(1, 10, 5.0) };
        let settings = Settings { solver: true, ..Settings::default() };
        let best = |floor_below| {
            let root = Root(vec![certain, Candidate { floor_below, ..candidate(2, 90, 60.0) }]);
            root.best(0, &settings, (0.0, 1.0)).map(|best| best.action)
        };
        assert_eq!([best(Outcome::OPEN), best(draw)], [Some(2), Some(1)]);
        let opponents_loss = Outcome::of(&[1.0, 0.0]).expect("an outcome");
        assert_eq!(
            (best(opponents_loss), loss.is_draw()),
            (Some(2), false),
            "what the opponent may lose bounds nothing"
        );
    }

    #[test]
    fn of_equals_the_better_and_then_the_first_is_played() {
        let root = Root(vec![candidate(1, 5, 2.0), candidate(2, 5, 3.0), candidate(3, 5, 3.0)]);
        assert_eq!(root.best(0, &by(FinalMove::MostPlayouts), (0.0, 1.0)).map(|best| best.action), Some(2));
        let untried = [candidate(1, 0, 0.0), candidate(2, 0, 0.0)];
        assert_eq!(Root(untried.to_vec()).best(0, &by(FinalMove::BestMean), (0.0, 1.0)), None);
        let forced = Root(vec![untried[0]]);
        assert_eq!(forced.best(0, &by(FinalMove::BestMean), (0.0, 1.0)).map(|best| best.action), Some(1));
    }

    #[test]
    fn moves_are_drawn_as_often_as_the_strategy_draws_them_but_for_remnants() {
        let drawn = |action, drawn| Candidate { drawn, ..candidate(action, 100, 0.0) };
        let root = Root(vec![drawn(1, 300), drawn(2, 9), drawn(3, 691)]);
        let mut rng = Rng::new(1, 0);
        let mut counts = [0; 4];
        for _ in 0..10_000 {
            counts[root.drawn(&mut rng).unwrap().action as usize] += 1;
        }
        assert!(counts[2] == 0 && (2_800..3_250).contains(&counts[1]), "{counts:?}");
        assert_eq!(Root(vec![drawn(1, 0)]).drawn(&mut rng), None);
    }

    #[test]
    fn temperature_draws_moves_by_their_playouts() {
        let root = Root(vec![candidate(1, 300, 0.0), candidate(2, 0, 0.0), candidate(3, 700, 0.0)]);
        let share = |temperature: f64| {
            let mut rng = Rng::new(1, 0);
            let first = (0..10_000).filter(|_| root.tempered(temperature, &mut rng).unwrap().action == 1).count();
            first as f64 / 10_000.0
        };
        assert!((share(1.0) - 0.3).abs() < 0.02, "{}", share(1.0));
        assert!((share(0.5) - 9.0 / 58.0).abs() < 0.02, "{}", share(0.5));
        assert_eq!(Root(vec![candidate(1, 0, 0.0)]).tempered(1.0, &mut Rng::new(1, 0)), None);
    }

    #[test]
    fn the_lead_is_over_the_second() {
        assert_eq!(Root(vec![candidate(1, 5, 0.0), candidate(2, 9, 0.0), candidate(3, 7, 0.0)]).lead(), 2);
        assert_eq!(Root(vec![candidate(1, 5, 0.0)]).lead(), 5);
        assert_eq!(Root(vec![]).lead(), 0);
    }
}
