//! Playouts below the tree, by all threads: the rest of the own turn and the turns after it, each the best by the evaluation.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use boughs::learn::{Features, TurnSearch, win_rate};
use boughs::{Budget, Game, Rng, StopReason, Turn, turn_goes_on};
use boughs_games::green_circle::GreenCircle;
use rayon::prelude::*;

use super::tree::{Arm, Line, arms};

/// The turn searches of a thread.
pub(super) struct Hands {
    pub(super) own: TurnSearch<GreenCircle>,
    pub(super) others: TurnSearch<GreenCircle>,
}

/// How playouts go on below the tree.
pub(super) struct Play<'p> {
    pub(super) player: usize,
    pub(super) turns: u32,
    pub(super) width: usize,
    pub(super) weights: &'p [f64],
    pub(super) budget: &'p Budget,
    /// Whether the own turn was searched to its end.
    pub(super) is_known: bool,
}

/// What a playout came to.
pub(super) struct Played {
    /// The actions of the decision where it left the tree, if they are to be remembered.
    pub(super) arms: Option<Vec<Arm>>,
    /// The share of games that the player wins.
    pub(super) value: f64,
    /// The decisions of the player.
    pub(super) depth: u32,
}

impl Play<'_> {
    /// Plays lines on, by all threads, and puts what they came to in the order of their numbers: nothing if the time was up before.
    pub(super) fn all(&self, lines: &[Line], hands: &mut [Hands]) -> Vec<(usize, Option<Played>)> {
        let next = AtomicUsize::new(0);
        let work = |hands: &mut Hands| {
            let mut played = Vec::new();
            loop {
                let number = next.fetch_add(1, Relaxed);
                let Some(line) = lines.get(number) else { return played };
                played.push((number, self.on(line, hands)));
            }
        };
        let threads = hands.len().min(lines.len());
        let mut played: Vec<_> = hands[..threads].par_iter_mut().with_max_len(1).flat_map_iter(work).collect();
        played.sort_unstable_by_key(|&(number, _)| number);
        played
    }

    /// The search of turns that begin with the own one.
    fn search<'h>(&self, hands: &'h mut Hands) -> &'h mut TurnSearch<GreenCircle> {
        if self.is_known {
            return &mut hands.own;
        }
        hands.others.begin();
        &mut hands.others
    }

    fn on(&self, line: &Line, hands: &mut Hands) -> Option<Played> {
        let (mut game, mut rng) = (line.game, line.rng.clone());
        let search = self.search(hands);
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
            let (active, others) = (game.active(), &mut hands.others);
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

    /// Plays the best turn there is by the evaluation, and says how many decisions that took.
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

/// Whether a search has to end, however many playouts it has made.
pub(super) fn is_over(budget: &Budget) -> bool {
    budget.is_spent(0).is_some_and(|stop| stop != StopReason::Iterations)
}
