//! The tree of the own turn: its decisions, and the results of the playouts through each action.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use boughs::run::turn_goes_on;
use boughs::{Game, Rng, Turn};
use boughs_games::Features;
use boughs_games::green_circle::{GreenCircle, Step};

use crate::turn::Ranking;

/// The number of playouts that the evaluation of an action counts for.
const TRUST: f64 = 4.0;

/// The exploration constant.
const EXPLORATION: f64 = 0.4;

/// The most actions in the tree.
const ROOM: usize = 1 << 19;

/// An action of a decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub(super) step: Step,
    /// Its value by the evaluation alone, the prior.
    prior: f64,
    /// The sum of the values of its playouts.
    sum: f64,
    /// The number of playouts.
    pub(super) playouts: u64,
    /// The number of playouts in flight.
    in_flight: u64,
}

impl Arm {
    pub(super) fn mean(&self) -> f64 {
        if self.playouts == 0 { self.prior } else { self.sum / self.playouts as f64 }
    }

    /// UCB1 (Auer, Cesa-Bianchi and Fischer 2002), with the prior counted as some first playouts.
    fn bound(&self, log: f64) -> f64 {
        let mean = (self.sum + TRUST * self.prior) / (self.playouts as f64 + TRUST);
        mean + EXPLORATION * (log / ((self.playouts + self.in_flight) as f64 + TRUST)).sqrt()
    }
}

/// The best actions of a ranking.
pub(super) fn arms(ranking: Ranking<Step>, width: usize) -> Vec<Arm> {
    let arm = |(step, prior)| Arm { step, prior, sum: 0.0, playouts: 0, in_flight: 0 };
    ranking.actions.into_iter().take(width).map(arm).collect()
}

/// A playout after its traversal: the decisions in the tree, and the game where it left the tree.
#[derive(Clone, Debug)]
pub(super) struct PendingPlayout {
    /// The indices of the decisions and of their chosen actions.
    pub(super) path: Vec<(usize, usize)>,
    /// True if it has reached a decision that the tree should take in.
    pub(super) is_open: bool,
    pub(super) game: GreenCircle,
    pub(super) rng: Rng,
}

/// The decisions of the own turn that were examined.
pub(super) struct Tree {
    decisions: Vec<Vec<Arm>>,
    /// The number of actions of all decisions.
    arms: usize,
    /// The indices of the decisions by the keys of their positions.
    places: HashMap<u64, usize>,
}

impl Tree {
    /// Creates a tree with the decision to make as its root.
    pub(super) fn new(position: &GreenCircle, arms: Vec<Arm>) -> Tree {
        Tree { arms: arms.len(), decisions: vec![arms], places: HashMap::from([(position.key(), 0)]) }
    }

    /// The actions of the root.
    pub(super) fn root(&self) -> &[Arm] {
        &self.decisions[0]
    }

    /// The actions of the root, those with most playouts first.
    pub(super) fn ranked(&self) -> Vec<Arm> {
        let mut arms = self.decisions[0].clone();
        arms.sort_by(|one, other| other.playouts.cmp(&one.playouts).then(other.mean().total_cmp(&one.mean())));
        arms
    }

    /// Traverses the tree from a determinized position.
    pub(super) fn traverse(&mut self, position: GreenCircle, mut rng: Rng) -> PendingPlayout {
        let (mut game, mut path, mut place) = (position, Vec::new(), 0);
        let player = game.active();
        loop {
            let arms = &mut self.decisions[place];
            let log = (1.0 + arms.iter().map(|arm| arm.playouts + arm.in_flight).sum::<u64>() as f64).ln();
            // Of equal actions the first is chosen, which the evaluation prefers.
            let best =
                (0..arms.len()).rev().max_by(|&one, &other| arms[one].bound(log).total_cmp(&arms[other].bound(log)));
            let Some(best) = best else { break };
            let arm = &mut arms[best];
            let is_new = arm.playouts == 0;
            arm.in_flight += 1;
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
                None => return PendingPlayout { path, is_open: self.arms < ROOM, game, rng },
            }
        }
        PendingPlayout { path, is_open: false, game, rng }
    }

    /// Expands the tree by the decision at the end of a line.
    pub(super) fn grow(&mut self, line: &PendingPlayout, arms: Vec<Arm>) {
        if let Entry::Vacant(entry) = self.places.entry(line.game.key()) {
            entry.insert(self.decisions.len());
            self.arms += arms.len();
            self.decisions.push(arms);
        }
    }

    /// Backpropagates the value of a playout, or removes a playout that was broken off.
    pub(super) fn backpropagate(&mut self, line: &PendingPlayout, value: Option<f64>) {
        for &(place, arm) in &line.path {
            let arm = &mut self.decisions[place][arm];
            arm.in_flight -= 1;
            if let Some(value) = value {
                arm.sum += value;
                arm.playouts += 1;
            }
        }
    }
}
