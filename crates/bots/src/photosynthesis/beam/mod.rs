//! Beam searches over the player's own actions, while the other plays by a rule.
//!
//! A day has several actions, so a beam may be narrowed at two places: once a day, or after every action. They are the two
//! searches of one contest bot, before and after its author had found the fault. Either goes so many days ahead, by a value
//! that is quickly computed, and plays out what is left in the end. A first narrow beam tells how wide the budget allows.

mod actions;
mod days;
mod line;
mod meter;

use boughs::spec::{name_of, named, number};
use boughs::{Agent, Key, SearchError, Spec, StopReason};
use boughs_games::photosynthesis::{Action, Photosynthesis};

use super::habits::play_out;
use crate::OwnAgent;
use crate::decide::{Answer, Decide, Question, build};
use boughs::Rng;
use line::Line;
use meter::{Meter, Pace};

/// Where the beam is narrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layers {
    /// Once a day: whole days share one queue, and so do lines of all lengths in them.
    Days,
    /// After every action, in a new queue each day.
    Actions,
}

const LAYERS: [(&str, Layers); 2] = [("actions", Layers::Actions), ("days", Layers::Days)];

/// A beam search.
#[derive(Clone, Debug, PartialEq)]
pub struct Beam {
    /// Where it is narrowed.
    pub layers: Layers,
    /// How many days it looks ahead.
    pub days: u8,
    /// How many lines are played out in the end.
    pub finals: usize,
    /// The seed of the playouts.
    seed: u64,
}

impl Default for Beam {
    fn default() -> Beam {
        Beam { layers: Layers::Actions, days: 8, finals: 60, seed: 0 }
    }
}

impl Spec for Beam {
    const NAME: &'static str = "beam";
    const SUMMARY: &'static str = "beam search of one's own actions, narrowed after every action or once a day";
    /// The engine has a beam of its own, with as many layers as one likes.
    const TOLD_BY: Option<&'static str> = Some("layers");
    const KEYS: &'static [Key<Beam>] = &[
        Key {
            name: "layers",
            help: "where the beam is narrowed",
            values: "actions or days",
            get: |beam| name_of(beam.layers, &LAYERS),
            set: |beam, text| named(text, &LAYERS).map(|layers| beam.layers = layers),
        },
        Key {
            name: "days",
            help: "days to look ahead",
            values: "a whole number from 1 to 24",
            get: |beam| beam.days.to_string(),
            set: |beam, text| number(text, 1..=24).map(|days| beam.days = days),
        },
        Key {
            name: "finals",
            help: "lines that are played out in the end",
            values: "a whole number from 1 to 10000",
            get: |beam| beam.finals.to_string(),
            set: |beam, text| number(text, 1..=10_000).map(|finals| beam.finals = finals),
        },
    ];

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        1
    }
}

impl OwnAgent for Beam {
    type Game = Photosynthesis;

    fn build(self, position: Photosynthesis) -> Result<Box<dyn Agent<Photosynthesis>>, SearchError> {
        build(self, position)
    }
}

impl Decide for Beam {
    type Mind = ();

    fn mind(&self) -> Result<(), SearchError> {
        Ok(())
    }

    fn forget(&self, (): &mut ()) {}

    fn decide(&self, (): &mut (), question: &Question<'_, Photosynthesis>) -> Answer<Photosynthesis> {
        let player = super::asked(question.position);
        let root = Line::root(question.position.position());
        let mut meter = Meter::new(question.budget);
        let mut firsts = Vec::new();
        root.choices(player, &mut firsts);
        if let [only] = firsts[..] {
            return Answer::by_rule(only);
        }
        let lines = self.lines(root, player, &mut meter);
        match lines.is_empty() {
            true => Answer {
                iterations: meter.counted(),
                stop: meter.stop().unwrap_or(StopReason::Complete),
                ..Answer::by_rule(super::greedy::best(root.position(), player))
            },
            false => self.choose(player, &lines, &firsts, &mut meter, question.seed),
        }
    }
}

impl Beam {
    /// The lines that are left in the end, the best first, of a beam as wide as the budget allows. A narrow one comes first,
    /// which tells what a line costs, and is what there is where the budget is over early.
    fn lines(&self, root: Line, player: usize, meter: &mut Meter<'_>) -> Vec<Line> {
        let mut layers = actions::Layers::default();
        let mut search = |pace: &mut Pace, meter: &mut Meter<'_>| match self.layers {
            Layers::Actions => actions::search(root, player, self.days, &mut layers, pace, meter),
            Layers::Days => days::search(root, player, self.days, pace, meter),
        };
        let mut narrow = Pace::narrow(meter);
        let Some(mut lines) = search(&mut narrow, meter) else { return Vec::new() };
        let mut wide = Pace::wide(&narrow, meter);
        lines = search(&mut wide, meter).unwrap_or(lines);
        lines.truncate(self.finals);
        lines
    }

    /// Plays out the best lines and takes the first action of the one that ends best.
    fn choose(
        &self,
        player: usize,
        lines: &[Line],
        firsts: &[Action],
        meter: &mut Meter<'_>,
        seed: u64,
    ) -> Answer<Photosynthesis> {
        let depth = lines.iter().map(Line::actions).max().unwrap_or(0);
        let (mut sums, mut rounds) = (vec![(0i64, 0i64); lines.len()], 0);
        let agreed = lines.iter().all(|line| line.first() == lines[0].first());
        let is_over = lines.iter().all(|line| line.position().is_over());
        'rounds: while !agreed && meter.room() >= lines.len() as u64 {
            let mut leads = Vec::with_capacity(lines.len());
            for line in lines {
                if meter.stop().is_some() {
                    break 'rounds;
                }
                // The same luck for all.
                let scores = play_out(*line.position(), &mut Rng::new(seed, rounds));
                let lead = i64::from(scores[player] - scores[1 - player]);
                leads.push((lead, 1 + lead.signum()));
                meter.count();
            }
            sums.iter_mut().zip(leads).for_each(|(sum, (lead, halves))| *sum = (sum.0 + lead, sum.1 + halves));
            rounds += 1;
            if is_over {
                // They end as they have ended.
                break;
            }
        }
        // The first of equals is the one of the highest value.
        let best = (0..lines.len()).rev().max_by_key(|&place| sums[place].0).unwrap_or(0);
        let won = sums[best].1 as f64 / 2.0 / rounds.max(1) as f64;
        let children = if rounds > 0 { vec![(firsts[lines[best].first()], rounds, won)] } else { Vec::new() };
        let is_full = meter.room() < lines.len() as u64;
        Answer {
            best: Some(firsts[lines[best].first()]),
            children,
            iterations: meter.counted(),
            depth,
            stop: meter.stop().unwrap_or(if is_full { StopReason::Iterations } else { StopReason::Complete }),
        }
    }
}
