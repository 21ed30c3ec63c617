//! Beam search: many lines of play at once, of which only the most promising go on.
//!
//! Layer by layer every kept position is followed by all actions of the searching player, positions are put in order by
//! [`Game::evaluation`], finished ones by their reward, and the best of them are kept. What others and chance do in between is
//! played as in a playout, from a stream of random numbers that is the same for all positions of a layer, so that all meet the
//! same luck. A layer is one action of the searching player everywhere, and it counts as reached only when it is complete: a
//! beam that goes down a few actions in one place and calls that deep finds nothing.
//!
//! In the end the kept positions are played out, again with the same random numbers, and the first action of the one with the
//! best mean is played. It suits games with an evaluation, for one above all; where the evaluation says nothing it goes on with
//! what the game lists first.

use std::time::Instant;

use super::found::{Found, Line, Progress};
use super::task::{Hands, Plan, Slot, Task};
use super::thinker::Method;
use crate::budget::StopReason;
use crate::clock::now;
use crate::playout::PlayoutKind;
use crate::report::Warning;
use crate::search::SearchError;
use crate::settings::MAX_THREADS;
use crate::spec::{Key, Spec, name_of, named, number};
use crate::{Game, Information};

/// Everything that can be set about a beam search.
#[derive(Clone, Debug, PartialEq)]
pub struct Beam {
    /// How many positions of a layer are kept.
    pub width: u32,
    /// How many actions of the searching player deep it goes at most.
    pub layers: u32,
    /// How often each kept position is played out in the end.
    pub playouts: u32,
    /// How games are played out, and how others play between the layers.
    pub playout: PlayoutKind,
    /// How many threads search; 0 for as many as there are cores. The result of an iteration budget does not depend on it.
    pub threads: usize,
    /// The seed of all randomness; not part of the text.
    pub seed: u64,
}

impl Default for Beam {
    fn default() -> Beam {
        Beam { width: 100, layers: 30, playouts: 10, playout: PlayoutKind::Light, threads: 1, seed: 0 }
    }
}

impl Spec for Beam {
    const NAME: &'static str = "beam";
    const SUMMARY: &'static str = "beam search: the most promising lines of play, by the game's evaluation";
    const KEYS: &'static [Key<Beam>] = &[
        Key {
            name: "width",
            help: "positions of a layer that are kept",
            values: "a whole number from 1 to 1000000",
            get: |beam| beam.width.to_string(),
            set: |beam, text| number(text, 1..=1_000_000).map(|width| beam.width = width),
        },
        Key {
            name: "layers",
            help: "most actions of the searching player to look ahead",
            values: "a whole number from 1 to 10000",
            get: |beam| beam.layers.to_string(),
            set: |beam, text| number(text, 1..=10_000).map(|layers| beam.layers = layers),
        },
        Key {
            name: "playouts",
            help: "playouts of each position that is kept in the end",
            values: "a whole number from 1 to 1000000",
            get: |beam| beam.playouts.to_string(),
            set: |beam, text| number(text, 1..=1_000_000).map(|playouts| beam.playouts = playouts),
        },
        Key {
            name: "playout",
            help: "how a game is played out, and how others play between the layers",
            values: "light or decisive",
            get: |beam| name_of(beam.playout, &PlayoutKind::ALL),
            set: |beam, text| named(text, &PlayoutKind::ALL).map(|playout| beam.playout = playout),
        },
        Key {
            name: "threads",
            help: "threads that search, 0 for all cores",
            values: "a whole number from 0 to 1024",
            get: |beam| beam.threads.to_string(),
            set: |beam, text| number(text, 0..=MAX_THREADS).map(|threads| beam.threads = threads),
        },
    ];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

/// The part of the budget that is left for playing out what is kept.
const LAST: u32 = 5;

/// Streams of random numbers from here on are for what happens between the layers.
const LUCK: u64 = 1 << 63;

/// A position the beam goes through.
struct State<G> {
    position: G,
    /// The place of the first action on the way there among the legal ones.
    first: usize,
    /// Codes of the actions after that; of the start, of those before.
    moves: Vec<u32>,
    plies: u32,
    value: f64,
    /// The game goes no further.
    is_finished: bool,
}

/// A step from the state with this number; `None` stays there, because the game is finished.
type Step<A> = (usize, Option<A>);

impl Method for Beam {
    fn playout(&self) -> PlayoutKind {
        self.playout
    }

    fn fit<G: Game>(&self) -> Result<(), SearchError> {
        match G::INFORMATION {
            Information::Perfect | Information::Simultaneous => Ok(()),
            Information::Hidden => Err(SearchError::Misfit {
                reason: "a beam goes through positions, and with hidden information no position is known".to_string(),
                instead: "flat".to_string(),
            }),
        }
    }

    fn think<G: Game>(&self, task: &Task<G>) {
        // Such games never get here, and nothing is compiled for them.
        if const { matches!(G::INFORMATION, Information::Hidden) } {
            return;
        }
        let mut layers = Layers { beam: self, task, until: end_of_layers(&task.progress), kept: Vec::new() };
        layers.go_deep();
        layers.play_out();
    }

    fn warning(&self, found: &Found, stop: StopReason) -> Option<Warning> {
        let cut = Warning::BeamCut { reached: found.depth, asked: self.layers };
        (found.is_cut && stop != StopReason::Decided).then_some(cut)
    }
}

/// When to stop going deeper.
fn end_of_layers(progress: &Progress) -> Option<Instant> {
    let deadline = progress.course.deadline()?;
    Some(deadline - deadline.saturating_duration_since(now()) / LAST)
}

/// A beam on its way.
struct Layers<'t, G: Game> {
    beam: &'t Beam,
    task: &'t Task<G>,
    until: Option<Instant>,
    /// The positions of the last complete layer that are kept, the best first.
    kept: Vec<State<G>>,
}

impl<G: Game> Layers<'_, G> {
    fn go_deep(&mut self) {
        let mut hands = self.task.hands();
        hands.rng = self.task.rng(LUCK);
        if self.task.imagine(&mut hands).is_some() {
            return;
        }
        self.kept = vec![State::of(&hands, 0, 0.0, false)];
        for layer in 1..=self.beam.layers {
            if self.kept.iter().all(|state| state.is_finished) {
                return;
            }
            if !self.grow(layer) {
                self.task.progress.found(|found| found.is_cut = true);
                return;
            }
        }
    }

    /// Goes one layer deeper, unless the budget does not allow all of it. Of the first one what there is is kept, because
    /// something has to be played.
    fn grow(&mut self, layer: u32) -> bool {
        let mut steps = self.steps();
        let room = self.room_for(layer);
        if steps.len() > room {
            steps.truncate(if layer == 1 { room } else { 0 });
        }
        let count = steps.len();
        let values = self.task.map(count, self.until, &|hands, number| self.step(hands, steps[number], layer).0);
        let mut order: Vec<usize> = (0..count).filter(|&number| values[number].is_some()).collect();
        self.task.progress.found(|found| found.iterations += order.len() as u64);
        let is_whole = count > 0 && order.len() == count && !(layer == 1 && count < self.task.actions.len());
        if !is_whole && layer > 1 {
            return false;
        }
        // The sort keeps equals in the order they are listed in.
        order.sort_by(|&a, &b| values[b].unwrap_or_default().total_cmp(&values[a].unwrap_or_default()));
        order.truncate(self.beam.width as usize);
        let states = self.task.map(order.len(), None, &|hands, number| {
            let step @ (from, _) = steps[order[number]];
            let (value, is_finished) = self.step(hands, step, layer);
            let first = if layer == 1 { order[number] } else { self.kept[from].first };
            State::of(hands, first, value, is_finished)
        });
        // Without time for all there is none for what comes after either.
        let Some(kept) = states.into_iter().collect::<Option<Vec<_>>>() else { return false };
        self.kept = kept;
        self.show(if is_whole { layer } else { 0 });
        is_whole
    }

    /// All steps from the kept positions.
    fn steps(&mut self) -> Vec<Step<G::Action>> {
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

    /// How many steps the budget has for a layer.
    fn room_for(&self, layer: u32) -> usize {
        let progress = &self.task.progress;
        let last = match progress.course.budget().iterations {
            Some(asked) if layer > 1 => asked / u64::from(LAST),
            _ => 0,
        };
        usize::try_from(progress.room().saturating_sub(last)).unwrap_or(usize::MAX)
    }

    /// Makes a step. Says what the position after it is worth, and whether the game is finished there.
    fn step(&self, hands: &mut Hands<G>, (from, action): Step<G::Action>, layer: u32) -> (f64, bool) {
        let state = &self.kept[from];
        state.put(hands);
        let Some(action) = action else { return (state.value, true) };
        hands.rng = self.task.rng(LUCK + u64::from(layer));
        hands.apply(action);
        let (value, is_finished) = match self.task.pass(hands) {
            None => (hands.position.evaluation(self.task.player), false),
            Some(end) => (self.task.declared(self.task.reward(&hands.position, end)), true),
        };
        (if value.is_nan() { f64::NEG_INFINITY } else { value }, is_finished)
    }

    /// Shows the kept positions as lines of play.
    fn show(&self, depth: u32) {
        let line = |state: &State<G>| {
            let moves = state.moves.get(1..).unwrap_or_default().to_vec();
            Line { moves, ..Line::of(state.first) }
        };
        let lines: Vec<Line> = self.kept.iter().map(line).collect();
        let bytes = |state: &State<G>| size_of::<State<G>>() + size_of_val(&state.moves[..]);
        let bytes = self.kept.iter().map(bytes).sum();
        self.task.progress.found(|found| {
            (found.lines, found.depth, found.bytes, found.guess) = (lines, depth, bytes, Some(0));
        });
    }

    /// Plays out what is kept: as often as was asked for, or for the rest of a budget that did not allow all layers.
    fn play_out(&self) {
        let (lines, is_cut) =
            self.task.progress.found(|found| (found.guess.map_or(0, |_| found.lines.len()), found.is_cut));
        if lines == 0 {
            return;
        }
        let lines = lines as u64;
        let asked = if is_cut { u64::MAX } else { lines * u64::from(self.beam.playouts) };
        let slot = |number| Slot { line: (number % lines) as usize, stream: number / lines };
        let plan = Plan { count: asked.min(self.task.progress.room()), until: None, slot: &slot };
        self.task.play(&plan, &|hands, line| self.kept[line].put(hands));
    }
}

impl<G: Game> State<G> {
    /// The position that a thread has come to.
    fn of(hands: &Hands<G>, first: usize, value: f64, is_finished: bool) -> State<G> {
        let moves = hands.moves.clone().unwrap_or_default();
        State { position: hands.position.clone(), first, moves, plies: hands.plies, value, is_finished }
    }

    /// Puts a thread here.
    fn put(&self, hands: &mut Hands<G>) {
        hands.position.clone_from(&self.position);
        hands.plies = self.plies;
        if let Some(moves) = &mut hands.moves {
            moves.clone_from(&self.moves);
        }
    }
}
