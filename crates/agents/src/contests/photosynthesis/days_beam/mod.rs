//! Beam search over the player's own actions, while the other player follows a rule.
//!
//! A day has several actions, so a beam may be narrowed at two places: once a day, or after every action. These are
//! the two searches of one contest bot, before and after its author had found a fault. Either looks a number of days
//! ahead by a quick evaluation and plays the last lines out. A first narrow beam measures how wide the budget allows
//! the second one to be.

mod actions;
mod days;
mod line;
mod meter;

use boughs::spec::{Key, Spec};
use boughs::{Agent, Rng, SearchError, Session, StopReason};
use boughs_games::NamedGame;
use boughs_games::photosynthesis::{Action, Photosynthesis};

use super::habits::play_out;
use crate::contests::{self, ContestAlgorithm, Decision, DecisionIn, Question};
use crate::entry::Build;
use line::BeamLine;
use meter::{Meter, Pace};

/// The place where the beam is narrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layers {
    /// Once a day: whole days share one queue, with lines of all lengths.
    Days,
    /// After every action, in a new queue each day.
    Actions,
}

const LAYERS: [(&str, Layers); 2] = [("actions", Layers::Actions), ("days", Layers::Days)];

/// The options of the beam search.
#[derive(Clone, Debug, PartialEq)]
pub struct DaysBeam {
    /// The place where the beam is narrowed.
    pub layers: Layers,
    /// The number of days it looks ahead.
    pub days: u8,
    /// The number of lines that are played out in the end.
    pub finals: usize,
    /// The seed of the playouts.
    seed: u64,
}

impl Default for DaysBeam {
    fn default() -> DaysBeam {
        DaysBeam { layers: Layers::Actions, days: 8, finals: 60, seed: 0 }
    }
}

impl Spec for DaysBeam {
    const NAME: &'static str = "days-beam";
    const ALIASES: &'static [&'static str] = &["beam"];
    const SUMMARY: &'static str = "beam search of one's own actions, narrowed after every action or once a day";

    fn keys() -> Vec<Key<DaysBeam>> {
        vec![
            Key::choice("layers", "where the beam is narrowed", &LAYERS, |beam| &mut beam.layers),
            Key::number("days", "days to look ahead", 1..=24, |beam| &mut beam.days),
            Key::number("finals", "lines that are played out in the end", 1..=10_000, |beam| &mut beam.finals),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        1
    }
}

impl Build for DaysBeam {
    const GAME: Option<&'static str> = Some(Photosynthesis::NAME);

    fn build(&self, position: &dyn Session) -> Result<Box<dyn Agent>, SearchError> {
        contests::start(self, position)
    }
}

impl ContestAlgorithm for DaysBeam {
    type Game = Photosynthesis;
    type Memory = ();

    fn memory(&self) -> Result<(), SearchError> {
        Ok(())
    }
    fn decide(&self, (): &mut (), question: &Question<'_, Photosynthesis>) -> DecisionIn<Photosynthesis> {
        let player = super::asked(question.position);
        let root = BeamLine::root(question.position.position());
        let mut meter = Meter::new(question.budget);
        let mut firsts = Vec::new();
        root.choices(player, &mut firsts);
        if let [only] = firsts[..] {
            return Decision::by_rule(only);
        }
        let lines = self.lines(root, player, &mut meter);
        match lines.is_empty() {
            true => Decision {
                iterations: meter.counted(),
                stop: meter.stop().unwrap_or(StopReason::Complete),
                ..Decision::by_rule(super::greedy::best(root.position(), player))
            },
            false => self.choose(player, &lines, &firsts, &mut meter, question.seed),
        }
    }
}

impl DaysBeam {
    /// The last lines, the best first, of a beam as wide as the budget allows. A narrow beam comes first: it measures
    /// the cost of a line, and its lines are the result if the budget ends early.
    fn lines(&self, root: BeamLine, player: usize, meter: &mut Meter<'_>) -> Vec<BeamLine> {
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

    /// Plays the best lines out and takes the first action of the one with the best result.
    fn choose(
        &self,
        player: usize,
        lines: &[BeamLine],
        firsts: &[Action],
        meter: &mut Meter<'_>,
        seed: u64,
    ) -> DecisionIn<Photosynthesis> {
        let depth = lines.iter().map(BeamLine::actions).max().unwrap_or(0);
        let (mut sums, mut rounds) = (vec![(0i64, 0i64); lines.len()], 0);
        let agreed = lines.iter().all(|line| line.first() == lines[0].first());
        let is_over = lines.iter().all(|line| line.position().is_over());
        'rounds: while !agreed && meter.room() >= lines.len() as u64 {
            let mut leads = Vec::with_capacity(lines.len());
            for line in lines {
                if meter.stop().is_some() {
                    break 'rounds;
                }
                // All lines have the same luck.
                let scores = play_out(*line.position(), &mut Rng::new(seed, rounds));
                let lead = i64::from(scores[player] - scores[1 - player]);
                leads.push((lead, 1 + lead.signum()));
                meter.count();
            }
            sums.iter_mut().zip(leads).for_each(|(sum, (lead, halves))| *sum = (sum.0 + lead, sum.1 + halves));
            rounds += 1;
            if is_over {
                // The games are over, so more rounds change nothing.
                break;
            }
        }
        // Of equal lines the one with the highest value is taken.
        let best = (0..lines.len()).rev().max_by_key(|&place| sums[place].0).unwrap_or(0);
        let won = sums[best].1 as f64 / 2.0 / rounds.max(1) as f64;
        let children = if rounds > 0 { vec![(firsts[lines[best].first()], rounds, won)] } else { Vec::new() };
        let is_full = meter.room() < lines.len() as u64;
        Decision {
            best: Some(firsts[lines[best].first()]),
            children,
            iterations: meter.counted(),
            depth,
            stop: meter.stop().unwrap_or(if is_full { StopReason::Iterations } else { StopReason::Complete }),
        }
    }
}
