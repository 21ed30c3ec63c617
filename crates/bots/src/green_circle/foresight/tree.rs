//! The tree of the own turn: its decisions, and what the playouts through each action came to.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use boughs::learn::{Features, Ranking};
use boughs::{Game, Rng, Turn, turn_goes_on};
use boughs_games::green_circle::{GreenCircle, Step};

/// What the evaluation says of an action counts for as many playouts.
const TRUST: f64 = 4.0;

/// How much actions with fewer playouts are preferred.
const EXPLORATION: f64 = 0.4;

/// The tree grows as long as it has fewer actions.
const ROOM: usize = 1 << 19;

/// An action of a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub(super) step: Step,
    /// What it is worth by the evaluation alone.
    guess: f64,
    /// What its playouts came to.
    sum: f64,
    /// How many there were.
    pub(super) count: u64,
    /// How many are under way.
    pending: u64,
}

impl Arm {
    pub(super) fn mean(&self) -> f64 {
        if self.count == 0 { self.guess } else { self.sum / self.count as f64 }
    }

    /// UCB1 (Auer, Cesa-Bianchi and Fischer 2002), with the guess in front of the playouts.
    fn bound(&self, log: f64) -> f64 {
        let mean = (self.sum + TRUST * self.guess) / (self.count as f64 + TRUST);
        mean + EXPLORATION * (log / ((self.count + self.pending) as f64 + TRUST)).sqrt()
    }
}

/// The best actions of a ranking.
pub(super) fn arms(ranking: Ranking<Step>, width: usize) -> Vec<Arm> {
    let arm = |(step, guess)| Arm { step, guess, sum: 0.0, count: 0, pending: 0 };
    ranking.actions.into_iter().take(width).map(arm).collect()
}

/// A playout: the decisions in the tree, and the game on from there.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Places of decisions and of their actions.
    pub(super) path: Vec<(usize, usize)>,
    /// Whether it has come to a decision that is not in the tree and should be.
    pub(super) is_open: bool,
    pub(super) game: GreenCircle,
    pub(super) rng: Rng,
}

/// The decisions of the own turn that were looked at.
pub(super) struct Tree {
    decisions: Vec<Vec<Arm>>,
    /// The actions of all of them.
    arms: usize,
    /// Their places by the keys of their positions.
    places: HashMap<u64, usize>,
}

impl Tree {
    /// Begins with the decision that is asked for.
    pub(super) fn new(position: &GreenCircle, arms: Vec<Arm>) -> Tree {
        Tree { arms: arms.len(), decisions: vec![arms], places: HashMap::from([(position.key(), 0)]) }
    }

    /// The actions of the decision that is asked for.
    pub(super) fn root(&self) -> &[Arm] {
        &self.decisions[0]
    }

    /// The same, those with most playouts first.
    pub(super) fn ranked(&self) -> Vec<Arm> {
        let mut arms = self.decisions[0].clone();
        arms.sort_by(|one, other| other.count.cmp(&one.count).then(other.mean().total_cmp(&one.mean())));
        arms
    }

    /// Goes down from a position, where the cards that are hidden lie as chance will have it.
    pub(super) fn descend(&mut self, position: GreenCircle, mut rng: Rng) -> Line {
        let (mut game, mut path, mut place) = (position, Vec::new(), 0);
        let player = game.active();
        loop {
            let arms = &mut self.decisions[place];
            let log = (1.0 + arms.iter().map(|arm| arm.count + arm.pending).sum::<u64>() as f64).ln();
            // Of equals the first, which the evaluation prefers.
            let best =
                (0..arms.len()).rev().max_by(|&one, &other| arms[one].bound(log).total_cmp(&arms[other].bound(log)));
            let Some(best) = best else { break };
            let arm = &mut arms[best];
            let is_new = arm.count == 0;
            arm.pending += 1;
            path.push((place, best));
            game.apply(arm.step);
            while turn_goes_on(&game, player) && game.turn() == Turn::Chance {
                let Some(draw) = game.chance(&mut rng, &mut Vec::new()) else { break };
                game.apply(draw);
            }
            if is_new || !turn_goes_on(&game, player) {
                break;
            }
            match self.places.get(&game.key()) {
                Some(&next) => place = next,
                None => return Line { path, is_open: self.arms < ROOM, game, rng },
            }
        }
        Line { path, is_open: false, game, rng }
    }

    /// Remembers the actions of the decision that a line has ended with.
    pub(super) fn grow(&mut self, line: &Line, arms: Vec<Arm>) {
        if let Entry::Vacant(entry) = self.places.entry(line.game.key()) {
            entry.insert(self.decisions.len());
            self.arms += arms.len();
            self.decisions.push(arms);
        }
    }

    /// A playout has ended: tells those on its path what it came to, or that it was broken off.
    pub(super) fn back_up(&mut self, line: &Line, value: Option<f64>) {
        for &(place, arm) in &line.path {
            let arm = &mut self.decisions[place][arm];
            arm.pending -= 1;
            if let Some(value) = value {
                arm.sum += value;
                arm.count += 1;
            }
        }
    }
}
