//! Beam search: follows many lines of play at once and keeps only the most promising ones.
//!
//! In each layer every kept position is expanded by all actions of the searching player. The new positions are sorted
//! by [`Game::evaluation`](boughs::Game::evaluation), which says how finished ones compare, and the best are kept.
//! Other players and chance act in between as in a playout. They draw from a stream of random numbers that is the same
//! for all positions of a layer, so all are compared on the same luck. A layer is one action of the searching player in
//! every line, and it counts as reached only when it is complete: depth in a single line is no depth of the beam.
//!
//! In the end the kept positions are played out, again on the same random numbers, and the first action of the one
//! with the best mean is played. Beam search suits games with an evaluation, above all those for one player. Without
//! differences in the evaluation it keeps the actions that the game lists first.

use std::time::Instant;

use boughs::spec::{Key, Spec};
use boughs::{Agent, GameFacts, Information, PlayoutKind, SearchError, Session, StopReason, Turn, Warning};

use crate::entry::{Build, WITHOUT_A_TREE};
use crate::search::{self, Line, LineSearch, LineStats, PlayoutPlan, PlayoutScratch, SharedResult, SharedSearch, Slot};

/// The options of a beam search.
#[derive(Clone, Debug, PartialEq)]
pub struct Beam {
    /// The number of positions that are kept in a layer.
    pub width: u32,
    /// The greatest depth, in actions of the searching player.
    pub layers: u32,
    /// The number of final playouts of each kept position.
    pub playouts: u32,
    /// The kind of playouts. Other players act by it between the layers too.
    pub playout: PlayoutKind,
    /// The number of threads that search, 0 for as many as there are cores. The result of an iteration budget does
    /// not depend on it.
    pub threads: usize,
    /// The seed of all randomness. It is not part of the text.
    pub seed: u64,
}

impl Default for Beam {
    fn default() -> Beam {
        Beam { width: 100, layers: 30, playouts: 10, playout: PlayoutKind::Light, threads: 1, seed: 0 }
    }
}

impl Spec for Beam {
    const NAME: &'static str = "beam";
    const SUMMARY: &'static str =
        "beam search: the most promising lines of play, by the game's evaluation; not with hidden information";
    fn keys() -> Vec<Key<Beam>> {
        vec![
            Key::number("width", "positions of a layer that are kept", 1..=1_000_000, |beam| &mut beam.width),
            Key::number("layers", "most actions of the searching player to look ahead", 1..=10_000, |beam| {
                &mut beam.layers
            }),
            Key::number("playouts", "playouts of each position that is kept in the end", 1..=1_000_000, |beam| {
                &mut beam.playouts
            }),
            Key::playout("how a game is played out, and how others play between the layers", |beam| &mut beam.playout),
            Key::threads(|beam| &mut beam.threads),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

/// The memory of a kept position beside itself, and that of a step from it.
const A_LINE: usize = 512;
const A_STEP: usize = 64;

/// The divisor of the budget that gives the part for the final playouts.
const LAST: u32 = 5;

/// The first stream of random numbers for the events between the layers.
const LUCK: u64 = 1 << 63;

/// A position of the beam.
struct State {
    position: Box<dyn Session>,
    /// The index of the first action of its line among the legal ones.
    first: usize,
    /// The codes of the actions after that; in the root, of those before it.
    moves: Vec<u32>,
    plies: u32,
    value: f64,
    /// True if the game ends here.
    is_finished: bool,
}

/// A step from the state with this index. `None` stays there because the game is finished.
type BeamStep = (usize, Option<u32>);

impl Build for Beam {
    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        search::start(self, position)
    }

    fn memory(&self, position: &dyn Session) -> usize {
        let mut actions = Vec::new();
        position.actions(&mut actions);
        // A layer, the one before it, and all steps between them.
        let a_line = 2 * (position.facts().position_bytes + A_LINE) + actions.len() * A_STEP;
        WITHOUT_A_TREE.saturating_add(a_line.saturating_mul(self.width as usize))
    }
}

impl LineSearch for Beam {
    fn playout(&self) -> PlayoutKind {
        self.playout
    }

    fn validate(&self, facts: &GameFacts) -> Result<(), SearchError> {
        match facts.information {
            Information::Perfect | Information::Simultaneous => Ok(()),
            Information::Hidden => Err(SearchError::Unsupported {
                reason: "a beam search needs known positions, and this game has hidden information".to_string(),
                instead: "flat".to_string(),
            }),
        }
    }

    fn search(&self, search: &SharedSearch) {
        let has_evaluation = search.position.evaluation(search.player).is_some();
        let until = end_of_layers(&search.result);
        let mut layers = Layers { beam: self, search, until, has_evaluation, kept: Vec::new() };
        layers.go_deep();
        layers.play_out();
    }

    fn warnings(&self, _: &SharedSearch, stats: &LineStats, stop: StopReason) -> Vec<Warning> {
        let is_cut = stats.is_cut && !matches!(stop, StopReason::Decided | StopReason::Running);
        is_cut.then_some(Warning::BeamCut { reached: stats.depth, asked: self.layers }).into_iter().collect()
    }
}

/// The time at which to stop going deeper, unless the budget is one of playouts.
fn end_of_layers(result: &SharedResult) -> Option<Instant> {
    let deadline = result.pacing_deadline()?;
    Some(deadline - deadline.saturating_duration_since(Instant::now()) / LAST)
}

/// A beam search in progress.
struct Layers<'t> {
    beam: &'t Beam,
    search: &'t SharedSearch,
    until: Option<Instant>,
    has_evaluation: bool,
    /// The kept positions of the last complete layer, the best first.
    kept: Vec<State>,
}

impl Layers<'_> {
    fn go_deep(&mut self) {
        let mut scratch = self.search.scratch();
        scratch.rng = self.search.rng(LUCK);
        if self.search.determinize(&mut scratch).is_some() {
            return;
        }
        self.kept = vec![State::of(&scratch, 0, self.search.value(&*scratch.position, None), false)];
        // The result may be read before this thread notices the deadline, so it is cut until it is complete.
        self.search.result.stats(|stats| stats.is_cut = true);
        for layer in 1..=self.beam.layers {
            if self.kept.iter().all(|state| state.is_finished) {
                break;
            }
            if !self.grow(layer) {
                return;
            }
        }
        self.search.result.stats(|stats| stats.is_cut = false);
    }

    /// Goes one layer deeper, unless the budget does not allow all of it. An incomplete first layer is kept, because
    /// the search has to give an action.
    fn grow(&mut self, layer: u32) -> bool {
        let mut steps = self.steps();
        let room = self.room_for(layer);
        if steps.len() > room {
            steps.truncate(if layer == 1 { room } else { 0 });
        }
        let count = steps.len();
        let values = self.search.map(count, self.until, &|scratch, number| self.step(scratch, steps[number], layer).0);
        let mut order: Vec<usize> = (0..count).filter(|&number| values[number].is_some()).collect();
        self.search.result.stats(|stats| stats.iterations += order.len() as u64);
        let is_whole = count > 0 && order.len() == count && !(layer == 1 && count < self.search.actions.len());
        if !is_whole && layer > 1 {
            return false;
        }
        // The sort is stable, so equal positions keep the order of the list.
        order.sort_by(|&a, &b| values[b].unwrap_or_default().total_cmp(&values[a].unwrap_or_default()));
        order.truncate(self.beam.width as usize);
        let states = self.search.map(order.len(), None, &|scratch, number| {
            let step @ (from, _) = steps[order[number]];
            let (value, is_finished) = self.step(scratch, step, layer);
            let first = if layer == 1 { order[number] } else { self.kept[from].first };
            State::of(scratch, first, value, is_finished)
        });
        // If the time does not suffice for all of them, it does not suffice for the next layer either.
        let Some(kept) = states.into_iter().collect::<Option<Vec<_>>>() else { return false };
        self.kept = kept;
        self.show(if is_whole { layer } else { 0 });
        is_whole
    }

    /// Lists all steps from the kept positions.
    fn steps(&mut self) -> Vec<BeamStep> {
        let (mut steps, mut actions) = (Vec::new(), Vec::new());
        for (number, state) in self.kept.iter_mut().enumerate() {
            actions.clear();
            if !state.is_finished {
                state.position.actions(&mut actions);
                state.is_finished = actions.is_empty();
            }
            match state.is_finished {
                true => steps.push((number, None)),
                false => steps.extend(actions.iter().map(|&action| (number, Some(action)))),
            }
        }
        steps
    }

    /// The number of steps that the budget allows for a layer.
    fn room_for(&self, layer: u32) -> usize {
        let result = &self.search.result;
        let last = match result.status.budget().most_iterations() {
            Some(asked) if layer > 1 => asked / u64::from(LAST),
            _ => 0,
        };
        usize::try_from(result.room().saturating_sub(last)).unwrap_or(usize::MAX)
    }

    /// Makes a step. Returns the value of the position after it, and true if the game is finished there.
    fn step(&self, scratch: &mut PlayoutScratch, (from, action): BeamStep, layer: u32) -> (f64, bool) {
        let state = &self.kept[from];
        state.put(scratch);
        let Some(action) = action else { return (state.value, true) };
        scratch.rng = self.search.rng(LUCK + u64::from(layer));
        scratch.apply(action);
        if !matches!(scratch.position.turn(), Turn::Over) && scratch.position.turn() != Turn::Player(self.search.player)
        {
            self.search.result.status.warn(&Warning::OneDraw);
        }
        let end = self.search.pass(scratch);
        end.into_iter().for_each(|end| self.search.warn_of(end));
        let before = self.has_evaluation.then_some(state.value);
        (self.search.value(&*scratch.position, before), end.is_some())
    }

    /// Publishes the kept positions as lines of play.
    fn show(&self, depth: u32) {
        let line = |state: &State| {
            let moves = state.moves.get(1..).unwrap_or_default().to_vec();
            Line { moves, ..Line::of(state.first) }
        };
        let lines: Vec<Line> = self.kept.iter().map(line).collect();
        let bytes = |state: &State| size_of::<State>() + size_of_val(&*state.position) + size_of_val(&state.moves[..]);
        let bytes = self.kept.iter().map(bytes).sum();
        self.search.result.stats(|stats| {
            (stats.lines, stats.depth, stats.bytes, stats.guess) = (lines, depth, bytes, Some(0));
        });
    }

    /// Plays the kept positions out: as often as the options say, or until the budget is spent if it did not allow
    /// all layers.
    fn play_out(&self) {
        let (lines, is_cut) =
            self.search.result.stats(|stats| (stats.guess.map_or(0, |_| stats.lines.len()), stats.is_cut));
        if lines == 0 {
            return;
        }
        let lines = lines as u64;
        let asked = if is_cut { u64::MAX } else { lines * u64::from(self.beam.playouts) };
        let slot = |number| Slot { line: (number % lines) as usize, stream: number / lines };
        let plan = PlayoutPlan { count: asked.min(self.search.result.room()), until: None, slot: &slot };
        self.search.play(&plan, &|scratch, line| self.kept[line].put(scratch));
    }
}

impl State {
    /// Creates a state of the position in a thread's working memory.
    fn of(scratch: &PlayoutScratch, first: usize, value: f64, is_finished: bool) -> State {
        let moves = scratch.moves.clone().unwrap_or_default();
        State { position: scratch.position.clone(), first, moves, plies: scratch.plies, value, is_finished }
    }

    /// Copies the position into a thread's working memory.
    fn put(&self, scratch: &mut PlayoutScratch) {
        scratch.position.clone_from(&self.position);
        scratch.plies = self.plies;
        if let Some(moves) = &mut scratch.moves {
            moves.clone_from(&self.moves);
        }
    }
}
