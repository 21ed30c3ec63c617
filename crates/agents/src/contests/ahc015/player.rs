//! An agent at a case: it is told one candy after the other.

use std::time::{Duration, Instant};

use boughs::{Action, Agent, Budget, Game, SearchError, StopFlag};
use boughs_games::ahc015::{Ahc015, CELLS, Step, Tilt};

use super::CaseClock;
use super::layout::Layout;

/// An agent that plays a case. It is told only the flavours and, one by one, the placements.
pub struct Player<'a> {
    agent: &'a mut dyn Agent,
    clock: CaseClock,
    stop: StopFlag,
    turn: usize,
    /// The true position. The agent stays behind it when there is no time left to ask it.
    position: Ahc015,
    /// The time of its last answer.
    answered: Instant,
}

/// The answer to a candy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The tilt to play.
    pub tilt: Tilt,
    /// The estimated worth of each tilt, in the order of [`Tilt::ALL`]; `None` for a tilt that was not examined.
    pub values: [Option<f64>; 4],
    /// The playouts of this turn.
    pub playouts: u64,
}

impl<'a> Player<'a> {
    /// Begins a case with these flavours.
    ///
    /// # Errors
    /// If the agent plays another game.
    pub fn begin(
        agent: &'a mut dyn Agent,
        flavours: [u8; CELLS],
        seed: u64,
        clock: CaseClock,
        stop: StopFlag,
    ) -> Result<Player<'a>, SearchError> {
        agent.begin(Ahc015::new(flavours).as_session(), seed)?;
        Ok(Player { agent, clock, stop, turn: 0, position: Ahc015::new(flavours), answered: Instant::now() })
    }

    /// Answers a candy that is put into the empty cell with this number, counted from 1. When the time is over, the
    /// answer is that of a rule.
    ///
    /// # Errors
    /// If there is no such cell, or the agent fails.
    pub fn answer(&mut self, placement: u8) -> Result<Choice, SearchError> {
        self.answer_by(placement, with_values)
    }

    /// Answers as [`answer`](Player::answer) does, without the worth of the tilts.
    ///
    /// # Errors
    /// Those of [`answer`](Player::answer).
    pub fn answer_alone(&mut self, placement: u8) -> Result<Choice, SearchError> {
        self.answer_by(placement, alone)
    }

    fn answer_by(&mut self, placement: u8, search: Search) -> Result<Choice, SearchError> {
        let place = Step::Place(placement);
        if !(1..=CELLS - self.turn.min(CELLS)).contains(&usize::from(placement)) {
            return Err(SearchError::IllegalAction(self.position.action_text(place)));
        }
        self.position.apply(place);
        let choice = match self.clock.is_over() {
            true => Choice { tilt: by_rule(&self.position), values: [None; 4], playouts: 0 },
            false => self.ask(place, search)?,
        };
        self.position.apply(Step::Tilt(choice.tilt));
        self.turn += 1;
        Ok(choice)
    }

    /// Keeps this much of the time back from the turns to come.
    pub fn reserve(&mut self, time: Duration) {
        self.clock.reserve(time);
    }

    fn ask(&mut self, place: Step, search: Search) -> Result<Choice, SearchError> {
        self.agent.advance(place.code())?;
        let budget = self.clock.for_turn(self.turn).or_stopped_by(self.stop.clone());
        let began = Instant::now();
        let planned = budget.deadline().map(|deadline| deadline.saturating_duration_since(began));
        let Found { best, values, playouts } = search(self.agent, budget)?;
        let searched = planned.map_or(Duration::ZERO, |planned| planned.min(began.elapsed()));
        let tilt = match best {
            Some(Step::Tilt(tilt)) => tilt,
            // A deadline may come before the first playout.
            _ => by_rule(&self.position),
        };
        self.agent.advance(Step::Tilt(tilt).code())?;
        self.clock.spend(playouts);
        let answered = Instant::now();
        self.clock.lose(answered.duration_since(self.answered).saturating_sub(searched));
        self.answered = answered;
        Ok(Choice { tilt, values, playouts })
    }

    /// The true position.
    pub fn position(&self) -> &Ahc015 {
        &self.position
    }
}

/// The result of a search.
struct Found {
    /// The step to play. `None` if a deadline came before the first playout.
    best: Option<Step>,
    values: [Option<f64>; 4],
    playouts: u64,
}

/// A search of the agent's position.
type Search = fn(&mut dyn Agent, Budget) -> Result<Found, SearchError>;

fn with_values(agent: &mut dyn Agent, budget: Budget) -> Result<Found, SearchError> {
    let report = agent.search(budget, &mut |_| ())?;
    let value =
        |tilt| report.children.iter().find(|child| child.action == Step::Tilt(tilt).code() && child.playouts > 0);
    let values = Tilt::ALL.map(|tilt| value(tilt).map(|child| child.mean));
    Ok(Found { best: report.best_action(), values, playouts: report.iterations })
}

fn alone(agent: &mut dyn Agent, budget: Budget) -> Result<Found, SearchError> {
    let choice = agent.choose(budget)?;
    let best = choice.ranked.first().map(|&code| Step::from_code(code));
    Ok(Found { best, values: [None; 4], playouts: choice.iterations })
}

/// The answer of solution 2 to the last candy.
fn by_rule(position: &Ahc015) -> Tilt {
    // After the last candy all tilts are equal.
    let next = if position.come() < CELLS { position.flavour(position.come()) } else { 1 };
    Layout::FIRST.tilt(next, position.leans())
}
