//! An agent at a case, told of one candy after the other.

use boughs::{Agent, SearchError, StopFlag};
use boughs_games::ahc015::{Ahc015, CELLS, Step, Tilt};

use super::CaseClock;
use super::layout::Layout;

/// An agent that plays a case. It is told nothing but the flavours and, one by one, the placements.
pub struct Player<'a> {
    agent: &'a mut dyn Agent<Ahc015>,
    clock: CaseClock,
    stop: StopFlag,
    turn: usize,
}

/// What is played after a candy has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The tilt.
    pub tilt: Tilt,
    /// What each tilt was thought to be worth, in the order of [`Tilt::ALL`]; `None` where it was not looked at.
    pub values: [Option<f64>; 4],
    /// Playouts it took.
    pub playouts: u64,
}

impl<'a> Player<'a> {
    /// Begins a case with these flavours.
    pub fn begin(
        agent: &'a mut dyn Agent<Ahc015>,
        flavours: [u8; CELLS],
        seed: u64,
        clock: CaseClock,
        stop: StopFlag,
    ) -> Player<'a> {
        agent.begin(Ahc015::new(flavours), seed);
        Player { agent, clock, stop, turn: 0 }
    }

    /// Answers a candy that is put into the empty cell with this number, counted from 1. Where time is over it does so at once.
    ///
    /// # Errors
    /// If there is no such cell, or the agent fails.
    pub fn answer(&mut self, placement: u8) -> Result<Choice, SearchError> {
        self.agent.advance(Step::Place(placement))?;
        let budget = self.clock.for_turn(self.turn).or_stopped_by(self.stop.clone());
        let report = self.agent.search(budget, &mut |_| ())?;
        self.clock.spend(report.iterations);
        self.turn += 1;
        let tilt = match report.best_action() {
            Some(Step::Tilt(tilt)) => tilt,
            // A deadline may come before the first playout.
            _ => Layout::FIRST.answer(self.agent.position()),
        };
        let value = |tilt| report.children.iter().find(|child| child.action == Step::Tilt(tilt) && child.playouts > 0);
        let values = Tilt::ALL.map(|tilt| value(tilt).map(|child| child.mean));
        self.agent.advance(Step::Tilt(tilt))?;
        Ok(Choice { tilt, values, playouts: report.iterations })
    }

    /// Where it is.
    pub fn position(&self) -> &Ahc015 {
        self.agent.position()
    }
}
