//! Playouts below the tree, by all threads: the rest of the own turn and the turns after it, each the best by the
//! evaluation.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use boughs::run::{Pool, turn_goes_on};
use boughs::{Budget, Game, Rng, StopReason, Turn};
use boughs_games::green_circle::GreenCircle;
use boughs_games::{Features, win_rate};

use super::tree::{Arm, PendingPlayout, arms};
use crate::turn::TurnSearch;

/// The turn searches of a thread.
pub(super) struct TurnSearches {
    pub(super) own: TurnSearch<GreenCircle>,
    pub(super) others: TurnSearch<GreenCircle>,
}

/// The conditions of playouts below the tree.
pub(super) struct Play<'p> {
    pub(super) pool: &'p Pool,
    pub(super) player: usize,
    pub(super) turns: u32,
    pub(super) width: usize,
    pub(super) weights: &'p [f64],
    pub(super) budget: &'p Budget,
    /// True if the own turn was searched to its end.
    pub(super) is_known: bool,
}

/// The result of a playout.
pub(super) struct Played {
    /// The actions of the decision where it left the tree, if the tree takes them in.
    pub(super) arms: Option<Vec<Arm>>,
    /// The share of games that the player wins.
    pub(super) value: f64,
    /// The number of decisions of the player.
    pub(super) depth: u32,
}

impl Play<'_> {
    /// Plays lines out by all threads. The results are in the order of the lines, and `None` for those without time.
    pub(super) fn all(&self, lines: &[PendingPlayout], searches: &mut [TurnSearches]) -> Vec<(usize, Option<Played>)> {
        let next = AtomicUsize::new(0);
        let threads = searches.len().min(lines.len());
        let mut threads: Vec<_> = searches[..threads].iter_mut().map(|searches| (searches, Vec::new())).collect();
        self.pool.for_each(&mut threads, &|_, (searches, played)| {
            loop {
                let number = next.fetch_add(1, Relaxed);
                let Some(line) = lines.get(number) else { return };
                played.push((number, self.on(line, searches)));
            }
        });
        let mut played: Vec<_> = threads.into_iter().flat_map(|(_, played)| played).collect();
        played.sort_unstable_by_key(|&(number, _)| number);
        played
    }

    /// The search for turns that begin with the own one.
    fn search<'h>(&self, searches: &'h mut TurnSearches) -> &'h mut TurnSearch<GreenCircle> {
        if self.is_known {
            return &mut searches.own;
        }
        searches.others.begin();
        &mut searches.others
    }

    fn on(&self, line: &PendingPlayout, searches: &mut TurnSearches) -> Option<Played> {
        let (mut game, mut rng) = (line.game, line.rng.clone());
        let search = self.search(searches);
        let mut open = None;
        if line.is_open {
            let ranking = search.rank(&game, self.player, self.weights, &mut rng, || is_over(self.budget));
            ranking.actions.first().into_iter().for_each(|&(best, _)| game.apply(best));
            open = Some(arms(ranking, self.width));
        }
        let finished = self.finish_turn(&mut game, self.player, search, &mut rng);
        let mut depth = line.path.len() as u32 + u32::from(line.is_open) + finished;
        let mut value = None;
        for turn in 1..=self.turns {
            if is_over(self.budget) {
                return None;
            }
            if game.settled().is_some() {
                break;
            }
            while game.turn() == Turn::Chance {
                let Some(draw) = game.chance(&mut rng, &mut Vec::new()) else { break };
                game.apply(draw);
            }
            let (active, others) = (game.active(), &mut searches.others);
            others.begin();
            if turn == self.turns {
                let best = others.choose(&game, active, self.weights, &mut rng, || is_over(self.budget)).value;
                value = Some(if active == self.player { best } else { 1.0 - best });
                break;
            }
            let made = self.finish_turn(&mut game, active, others, &mut rng);
            depth += if active == self.player { made } else { 0 };
        }
        let value = value.unwrap_or_else(|| win_rate(&game, self.player, self.weights));
        (!is_over(self.budget)).then_some(Played { arms: open, value, depth })
    }

    /// Plays the best turn by the evaluation. Returns the number of decisions.
    fn finish_turn(
        &self,
        game: &mut GreenCircle,
        player: usize,
        search: &mut TurnSearch<GreenCircle>,
        rng: &mut Rng,
    ) -> u32 {
        let mut decisions = 0;
        while turn_goes_on(game, player) && !is_over(self.budget) {
            let step = match game.turn() {
                Turn::Chance => game.chance(rng, &mut Vec::new()),
                _ => search.choose(game, player, self.weights, rng, || is_over(self.budget)).action,
            };
            let Some(step) = step else { break };
            decisions += u32::from(game.turn() != Turn::Chance);
            game.apply(step);
        }
        decisions
    }
}

/// Returns true if the search has to end, for any number of playouts.
pub(super) fn is_over(budget: &Budget) -> bool {
    budget.is_spent(0).is_some_and(|stop| stop != StopReason::Iterations)
}
