//! Expectimax: every move and every event of chance to a depth, and a value for the positions there.
//!
//! It suits games in which chance answers every move and a position is easily judged, such as 2048 and Pig. The depth
//! grows by one as long as the budget allows, and only complete depths count. The others of several players choose what
//! is worst for the searching one; between two players without chance that is a minimax search with alpha-beta pruning
//! (Ballard 1983 has both in one tree). Positions that are less likely than `least` are not looked into.
//!
//! The first action is searched alone, and then the others by all threads, each with its own share of the budget, so
//! the result of an iteration budget does not depend on the number of threads. Of those others only an action that is
//! better than the first has an exact value; the rest are reported without one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use boughs::spec::{Key, Spec, net_file};
use boughs::{
    Agent, End, Evaluations, Information, PlayoutKind, SearchError, Session, SessionEvaluator, StopReason, Turn,
    Warning,
};
use boughs_games::{GameEntry, entry_of};

use super::mcts::read_net;
use crate::entry::Build;
use crate::search::{self, CERTAIN, LineSearch, LineStats, SharedSearch, mean, of_end, of_evaluation};

/// The options of expectimax.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectimax {
    /// The file of a network that values positions, instead of the game's evaluation.
    pub net: Option<PathBuf>,
    /// The most moves of players in a line; at least 1.
    pub depth: u32,
    /// The least probability of a position, by the events of chance that lead to it, that is looked into.
    pub least: f64,
    /// The number of threads that search, 0 for as many as there are cores. The result of an iteration budget does
    /// not depend on it.
    pub threads: usize,
    /// The seed. Expectimax draws no random numbers. It is not part of the text.
    pub seed: u64,
}

impl Default for Expectimax {
    fn default() -> Expectimax {
        Expectimax { net: None, depth: 64, least: 0.001, threads: 1, seed: 0 }
    }
}

impl Spec for Expectimax {
    const NAME: &'static str = "expectimax";
    const SUMMARY: &'static str =
        "expectimax: every move and every event of chance to a depth that grows; only with perfect information";
    fn keys() -> Vec<Key<Expectimax>> {
        vec![
            Key::net(
                "network that values positions, instead of the evaluation of the game: a file by boughs learn, or \
                 one of ONNX",
                |set| &mut set.net,
            ),
            Key::number("depth", "most moves of players in a line", 1..=64, |set| &mut set.depth),
            Key::number("least", "least probability of a position that is looked into", 0.0..=1.0, |set| {
                &mut set.least
            }),
            Key::threads(|set| &mut set.threads),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn files(&self) -> Vec<&Path> {
        net_file(self.net.as_deref()).into_iter().collect()
    }
}

impl Build for Expectimax {
    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        let reason = match position.facts().information {
            Information::Perfect => None,
            Information::Simultaneous => {
                Some("expectimax needs moves one after the other, and here some are made at once")
            }
            Information::Hidden => Some("expectimax needs known positions, and this game has hidden information"),
        };
        if let Some(reason) = reason {
            return Err(SearchError::Unsupported { reason: reason.to_string(), instead: "flat".to_string() });
        }
        let net = self.net.as_deref().map(|file| read_net(position, file)).transpose()?;
        let search = ExpectimaxSearch { depth: self.depth, least: self.least, net, game: entry_of(position) };
        search::start_with(search, self.threads, self.seed, position)
    }
}

/// A search with its network.
struct ExpectimaxSearch {
    depth: u32,
    least: f64,
    net: Option<Arc<dyn SessionEvaluator>>,
    game: Option<&'static GameEntry>,
}

/// The result of an action: its value, and the number of positions that were valued.
struct Valued {
    /// `None` if the search was over before.
    value: Option<f64>,
    /// True if the action is at most worth the value.
    is_bound: bool,
    positions: u64,
    /// True if a position was valued in which the game goes on.
    is_cut: bool,
}

impl LineSearch for ExpectimaxSearch {
    fn playout(&self) -> PlayoutKind {
        PlayoutKind::Light
    }

    fn warnings(&self, _: &SharedSearch, stats: &LineStats, _: StopReason) -> Vec<Warning> {
        // Moves that are searched to the end of the game may be equal.
        Vec::from_iter((stats.is_cut && stats.are_equal()).then_some(Warning::AllEqual))
    }

    fn search(&self, search: &SharedSearch) {
        // A network gives win rates or scores.
        search.result.stats(|stats| (stats.guess, stats.has_values) = (Some(0), self.net.is_none()));
        let (count, [lowest, highest]) = (search.actions.len(), self.extremes(search));
        // The best action of the depth before comes first.
        let mut order: Vec<usize> = (0..count).collect();
        for depth in 1..=self.depth {
            let found = self.search_depth(search, &order, depth);
            let is_complete = found.iter().all(|found| found.value.is_some());
            let positions: u64 = found.iter().map(|found| found.positions).sum();
            search.result.stats(|stats| {
                stats.iterations += positions;
                if !is_complete && depth > 1 {
                    return;
                }
                stats.depth = depth;
                // No action is better than one of the highest value.
                let is_won = found.iter().any(|found| found.value >= Some(highest));
                stats.is_cut = !is_won && found.iter().any(|found| found.is_cut);
                for (&action, found) in order.iter().zip(&found) {
                    let Some(value) = found.value else { continue };
                    let line = &mut stats.lines[action];
                    line.playouts += found.positions;
                    search.set_value(line, value);
                    (line.value, line.is_bound) = (value.max(lowest), found.is_bound);
                }
            });
            if !is_complete {
                if !search.result.status.is_over() {
                    search.result.status.stop(StopReason::Iterations);
                }
                return;
            }
            if search.result.is_done() || !found.iter().any(|found| found.is_cut) {
                return;
            }
            let value = |place: &usize| found[*place].value.unwrap_or(f64::NEG_INFINITY);
            let best = (0..count).reduce(|best, place| if value(&place) > value(&best) { place } else { best });
            order[..=best.unwrap_or(0)].rotate_right(1);
        }
    }
}

impl ExpectimaxSearch {
    /// The lowest and the highest value that an action can have.
    fn extremes(&self, search: &SharedSearch) -> [f64; 2] {
        let by_evaluation = self.net.is_none() && search.position.evaluation(search.player).is_some();
        let bounds = search.facts.rewards.bounds.filter(|_| !by_evaluation);
        bounds.map_or([-CERTAIN, CERTAIN], |(least, most)| [least, most])
    }

    /// Values each action by lines of `depth` moves, in this order.
    fn search_depth(&self, search: &SharedSearch, order: &[usize], depth: u32) -> Vec<Valued> {
        let (room, count) = (search.result.room(), order.len() as u64);
        let share = |place: usize| room / count + u64::from((place as u64) < room % count);
        let valued = |place: usize, least: f64| {
            let mut walk = Walk::new(self, search, search.actions[order[place]], share(place));
            let value = walk.value(0, depth - 1, 1.0, [least, f64::INFINITY]);
            Valued { value, is_bound: false, positions: walk.positions, is_cut: walk.is_cut }
        };
        let nothing = || Valued { value: None, is_bound: false, positions: 0, is_cut: true };
        let none = |found: Option<Valued>| found.unwrap_or_else(nothing);
        let [lowest, _] = self.extremes(search);
        // Of the others only those that are better than the first are valued exactly.
        let first = valued(0, f64::NEG_INFINITY);
        let least = first.value.filter(|_| search.position.players() > 1).unwrap_or(f64::NEG_INFINITY);
        let others = search.map(order.len() - 1, None, &|_, number| {
            let mut found = valued(number + 1, least);
            // An action that is at most as good as the first may be worse, unless nothing is.
            found.is_bound = found.value.is_some_and(|value| value <= least && value > lowest);
            found.value = found.value.map(|value| if value <= least { value.min(least.next_down()) } else { value });
            found
        });
        std::iter::once(first).chain(others.into_iter().map(none)).collect()
    }
}

/// The positions between two looks at the clock.
const AT_ONCE: u64 = 16;

/// The most positions that the search of an action remembers: some tens of megabytes.
const MOST_KNOWN: usize = 1 << 18;

/// The search of one action.
struct Walk<'s> {
    expectimax: &'s ExpectimaxSearch,
    search: &'s SharedSearch,
    /// The positions of a line, from that after the action.
    line: Vec<Box<dyn Session>>,
    /// The legal actions of each.
    actions: Vec<Vec<u32>>,
    evaluations: Evaluations,
    /// The positions that were valued, and the most that may be.
    positions: u64,
    most: u64,
    is_cut: bool,
    /// The values of positions where chance acts, by their cells and the moves that were left, with the probabilities
    /// by which they were found. They are kept in games for one player that a network values.
    known: HashMap<(Vec<u8>, u32), Known>,
}

/// The value of a position without the score so far.
struct Known {
    value: f64,
    probability: f64,
}

impl<'s> Walk<'s> {
    fn new(expectimax: &'s ExpectimaxSearch, search: &'s SharedSearch, action: u32, most: u64) -> Walk<'s> {
        let mut start = search.position.clone_session();
        start.apply(action);
        Walk {
            expectimax,
            search,
            line: vec![start],
            actions: vec![Vec::new()],
            evaluations: Evaluations::default(),
            positions: 0,
            most,
            is_cut: false,
            known: HashMap::new(),
        }
    }

    /// The value of the position at a place of the line for the searching player, by lines of `left` more moves;
    /// `None` if the search is over. A value outside the window is a bound.
    fn value(&mut self, place: usize, left: u32, probability: f64, window: [f64; 2]) -> Option<f64> {
        let by_net = self.expectimax.net.is_some();
        let is_near = probability >= self.expectimax.least && place < self.search.facts.max_plies as usize;
        match self.line[place].turn() {
            Turn::Over => self.valued(|walk| walk.end(place)),
            // A network values a position by its best move, so after an event of chance it is one move ahead.
            Turn::Player(_) if !is_near || left <= u32::from(by_net && self.is_after_chance(place)) => self.leaf(place),
            Turn::Chance if !is_near || left == 0 => self.leaf(place),
            Turn::Player(player) => self.best(place, player, left, probability, window),
            Turn::Chance => self.mean(place, left, probability),
        }
    }

    /// The value of the end of the game at a place of the line.
    fn end(&self, place: usize) -> f64 {
        let (search, reward) = (self.search, self.search.reward(&*self.line[place], End::Over));
        let before = if place == 0 { &search.position } else { &self.line[place - 1] };
        let by_evaluation = self.expectimax.net.is_none();
        of_end(&search.facts.rewards, reward, by_evaluation.then(|| before.evaluation(search.player)).flatten())
    }

    /// Returns true if an event of chance led to the position at a place of the line.
    fn is_after_chance(&self, place: usize) -> bool {
        place > 0 && self.line[place - 1].turn() == Turn::Chance
    }

    /// Counts a position and values it.
    fn valued(&mut self, value: impl FnOnce(&mut Self) -> f64) -> Option<f64> {
        let is_over = self.positions >= self.most
            || self.positions.is_multiple_of(AT_ONCE) && self.positions > 0 && self.search.result.status.is_over();
        if is_over {
            return None;
        }
        self.positions += 1;
        Some(value(self))
    }

    /// Values a position in which the game goes on.
    fn leaf(&mut self, place: usize) -> Option<f64> {
        self.is_cut = true;
        let value = self.valued(|walk| {
            let (position, player) = (&*walk.line[place], walk.search.player);
            let Some(net) = &walk.expectimax.net else {
                return position.evaluation(player).unwrap_or_else(|| walk.search.reward(position, End::Truncated));
            };
            walk.evaluations.clear();
            net.evaluate(&[position], &mut walk.evaluations);
            let value = walk.evaluations.get(0).and_then(|(values, _)| values.get(player).copied());
            // A value beyond the bounds would be better than a certain win.
            let (least, most) = walk.search.facts.rewards.bounds.unwrap_or((f64::MIN, f64::MAX));
            value.map_or(f64::NAN, |value| if value.is_finite() { value.clamp(least, most) } else { value })
        })?;
        if !value.is_finite() {
            let fault = format!("it gives the value {value}; give a finite number");
            self.search.result.status.fail(SearchError::Evaluator(fault));
            return None;
        }
        Some(of_evaluation(value))
    }

    /// Puts the position after an action at the next place of the line.
    fn step(&mut self, place: usize, action: u32) {
        if self.line.len() == place + 1 {
            self.line.push(self.line[place].clone_session());
            self.actions.push(Vec::new());
        } else {
            let (before, after) = self.line.split_at_mut(place + 1);
            after[0].clone_from(&before[place]);
        }
        self.line[place + 1].apply(action);
    }

    /// Lists the actions of a position; of one between two players the most promising come first.
    fn list(&mut self, place: usize) -> Option<()> {
        let mut actions = std::mem::take(&mut self.actions[place]);
        actions.clear();
        self.line[place].actions(&mut actions);
        if self.search.position.players() == 2 && self.expectimax.net.is_some() {
            let is_cut = self.is_cut;
            self.leaf(place)?;
            self.is_cut = is_cut;
            let priors = self.evaluations.get(0).map_or(&[][..], |(_, priors)| priors);
            if priors.len() == actions.len() {
                let mut order: Vec<usize> = (0..actions.len()).collect();
                order.sort_by(|&a, &b| priors[b].total_cmp(&priors[a]));
                actions = order.into_iter().map(|number| actions[number]).collect();
            }
        }
        self.actions[place] = actions;
        Some(())
    }

    /// The value of the best action, or of the one that is worst for the searching player if another one acts.
    fn best(
        &mut self,
        place: usize,
        player: usize,
        left: u32,
        probability: f64,
        [mut low, mut high]: [f64; 2],
    ) -> Option<f64> {
        let is_own = player == self.search.player;
        self.list(place)?;
        if self.actions[place].is_empty() {
            self.search.result.status.warn(&Warning::NoLegalAction);
            return self.leaf(place);
        }
        let mut best = if is_own { f64::NEG_INFINITY } else { f64::INFINITY };
        for number in 0..self.actions[place].len() {
            self.step(place, self.actions[place][number]);
            let value = self.value(place + 1, left - 1, probability, [low, high])?;
            if is_own {
                best = value.max(best);
                low = low.max(value);
            } else {
                best = value.min(best);
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        Some(best)
    }

    /// The mean over the events of chance.
    fn mean(&mut self, place: usize, left: u32, probability: f64) -> Option<f64> {
        let key = self.key(place, left);
        let score = self.line[place].cut_reward(self.search.player);
        if let Some(known) = key.as_ref().and_then(|key| self.known.get(key))
            && known.probability >= probability
        {
            return Some(known.value + score);
        }
        let mut outcomes = std::mem::take(&mut self.actions[place]);
        outcomes.clear();
        self.line[place].actions(&mut outcomes);
        self.actions[place] = outcomes;
        let all: f64 = self.actions[place].iter().map(|&outcome| f64::from(self.line[place].weight(outcome))).sum();
        let mut values = Vec::with_capacity(self.actions[place].len());
        for number in 0..self.actions[place].len() {
            let outcome = self.actions[place][number];
            let weight = self.line[place].weight(outcome);
            if weight > 0 {
                self.step(place, outcome);
                let probability = probability * f64::from(weight) / all;
                let value = self.value(place + 1, left, probability, [f64::NEG_INFINITY, f64::INFINITY])?;
                values.push((weight, value));
            }
        }
        let Some(mean) = mean(self.search.facts.rewards.bounds, values.into_iter()) else { return self.leaf(place) };
        if let Some(key) = key.filter(|_| self.known.len() < MOST_KNOWN) {
            self.known.insert(key, Known { value: mean - score, probability });
        }
        Some(mean)
    }

    /// The name of a position among those that are known. To a network the cells tell all of a position.
    fn key(&self, place: usize, left: u32) -> Option<(Vec<u8>, u32)> {
        self.expectimax.net.as_ref()?;
        let game = self.expectimax.game.filter(|_| self.search.position.players() == 1)?;
        let position = &*self.line[place];
        let mut cells = vec![0; game.cells_shape(position)?.cells()];
        game.cells(position, &mut cells);
        Some((cells, left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::Budget;

    /// Values every position by the same number.
    #[derive(Debug)]
    struct Constant(f64);

    impl SessionEvaluator for Constant {
        fn evaluate(&self, positions: &[&dyn Session], evaluations: &mut Evaluations) {
            for _ in positions {
                evaluations.push(&[self.0, 1.0 - self.0], &[1.0; 7]);
            }
        }
    }

    #[test]
    fn a_network_that_gives_no_number_is_an_error_and_a_great_one_no_win() {
        let position = boughs_games::start("connect4").unwrap().position;
        let found = |value: f64| {
            let search = ExpectimaxSearch { depth: 2, least: 0.0, net: Some(Arc::new(Constant(value))), game: None };
            let mut agent = search::start_with(search, 1, 0, &*position).unwrap();
            agent.search(Budget::unlimited(), &mut |_| ())
        };
        for (value, shown) in [(0.3, 0.3), (7.0, 1.0), (-7.0, 0.0)] {
            let report = found(value).unwrap();
            assert!((report.best_child().unwrap().mean - shown).abs() < 1e-6, "{value}: {report}");
        }
        for (value, word) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
            let fault = found(value).unwrap_err().to_string();
            assert!(fault.ends_with(&format!("it gives the value {word}; give a finite number")), "{fault}");
        }
    }
}
