//! Who answers: an agent, kept from case to case, or a program, started anew for each.

use std::time::{Duration, Instant};

use boughs::{Agent, SearchError, StopFlag};
use boughs_arena::{Bot, Fault, Launch, Program, plain};
use boughs_bots::ahc015::{CaseClock, Choice, Player};
use boughs_games::ahc015::{Ahc015, CELLS, Case, Tilt};

use super::play::{Answer, Turn, Verdict, play};
use super::{Contestant, JudgeError, Limit, Terms};

/// A program that has given its last answer is given so long to end by itself.
const ENDING: Duration = Duration::from_millis(200);

/// How much is kept of what a program said in a case with a fault, in bytes.
const SAID: usize = 2 << 10;

/// Where a contestant sits.
pub(super) enum Seat<'a> {
    Agent(Box<dyn Agent<Ahc015>>),
    Program(&'a Program),
}

impl<'a> Seat<'a> {
    pub(super) fn of(contestant: &'a Contestant, terms: &Terms) -> Result<Seat<'a>, JudgeError> {
        match contestant {
            Contestant::Agent(agent) => {
                let start = Ahc015::new([1; CELLS]);
                let agent = agent.clone().with_seed(terms.seed).build(start).map_err(JudgeError::Agent)?;
                Ok(Seat::Agent(agent))
            }
            Contestant::Program(program) => Ok(Seat::Program(program)),
        }
    }

    /// Plays a case; nothing if it was dropped because the flag was raised.
    pub(super) fn play(&mut self, case: &Case, terms: &Terms, stop: &StopFlag) -> Result<Option<Verdict>, JudgeError> {
        let verdict = match self {
            Seat::Agent(agent) => with_agent(&mut **agent, case, terms, stop),
            Seat::Program(program) => with_program(program, case, terms, stop)?,
        };
        Ok((!stop.is_raised()).then_some(verdict))
    }
}

/// The time of a case as it runs down.
struct Countdown {
    allowed: Duration,
    spent: Duration,
}

impl Countdown {
    fn of(limit: Limit) -> Countdown {
        let allowed = match limit {
            Limit::Time { time, .. } => time,
            Limit::Playouts(_) => Duration::MAX,
        };
        Countdown { allowed, spent: Duration::ZERO }
    }

    fn left(&self) -> Duration {
        self.allowed.saturating_sub(self.spent)
    }

    /// Takes off what an answer took.
    fn spend(&mut self, took: Duration) -> Result<(), Fault> {
        self.spent = self.spent.saturating_add(took);
        match self.spent > self.allowed {
            true => Err(Fault::Late { after: self.spent, allowed: self.allowed }),
            false => Ok(()),
        }
    }

    /// A fault of one answer, with the times of the whole case.
    fn whole(&self, fault: Fault) -> Fault {
        match fault {
            Fault::Late { after, .. } => Fault::Late { after: self.spent.saturating_add(after), allowed: self.allowed },
            other => other,
        }
    }
}

fn with_agent(agent: &mut dyn Agent<Ahc015>, case: &Case, terms: &Terms, stop: &StopFlag) -> Verdict {
    let mut asked = Instant::now();
    let mut countdown = Countdown::of(terms.limit);
    let clock = match terms.limit {
        Limit::Time { time, margin } => CaseClock::time(time.saturating_sub(margin)),
        Limit::Playouts(playouts) => CaseClock::playouts(playouts),
    };
    let mut player = Player::begin(agent, case.flavours, terms.seed, clock, stop.clone());
    play(case, &mut |number, placement| {
        // The first answer takes what it took to begin.
        if number > 0 {
            asked = Instant::now();
        }
        let failed = |error: SearchError| Fault::Failed(error.to_string());
        let Choice { tilt, values, playouts } = player.answer(placement).map_err(failed)?;
        let took = asked.elapsed();
        countdown.spend(took)?;
        Ok(Answer { turn: Turn { tilt, values }, took, playouts })
    })
}

fn with_program(program: &Program, case: &Case, terms: &Terms, stop: &StopFlag) -> Result<Verdict, JudgeError> {
    let bot = Bot::start(&Launch { program, cores: &[] }).map_err(JudgeError::Program)?;
    let mut bot = bot.stopped_by(stop.clone());
    let mut countdown = Countdown::of(terms.limit);
    let flavours = case.flavours.map(|flavour| flavour.to_string()).join(" ");
    let mut verdict = play(case, &mut |number, placement| {
        let question = match number {
            0 => format!("{flavours}\n{placement}\n"),
            _ => format!("{placement}\n"),
        };
        let (answer, took) = bot.ask(&question, countdown.left()).map_err(|fault| countdown.whole(fault))?;
        countdown.spend(took)?;
        let tilt = tilt(&answer).ok_or_else(|| Fault::Illegal(plain::shown(&answer)))?;
        Ok(Answer { turn: Turn { tilt, values: [None; 4] }, took, playouts: 0 })
    });
    // Nobody waits for who has broken the rules.
    let notes = bot.finish(if verdict.fault.is_some() || stop.is_raised() { Duration::ZERO } else { ENDING });
    if verdict.fault.is_some() {
        let from = notes.text.ceil_char_boundary(notes.text.len().saturating_sub(SAID));
        verdict.said = notes.text[from..].to_string();
    }
    verdict.columns = notes.columns;
    Ok(verdict)
}

/// The tilt that an answer names: one letter, and nothing else but white space.
fn tilt(answer: &str) -> Option<Tilt> {
    let mut letters = answer.trim().chars();
    let tilt = Tilt::of_letter(letters.next()?);
    tilt.filter(|_| letters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_one_capital_letter() {
        assert_eq!(["F", " B", "L ", "R"].map(tilt), Tilt::ALL.map(Some));
        assert_eq!(["", "f", "FB", "F B", "5", "\u{fffd}"].map(tilt), [None; 6]);
    }

    #[test]
    fn times_of_a_case_are_added_up() {
        let millis = Duration::from_millis;
        let mut countdown = Countdown::of(Limit::Time { time: millis(10), margin: millis(1) });
        assert_eq!((countdown.spend(millis(6)), countdown.left()), (Ok(()), millis(4)));
        let late = Fault::Late { after: millis(11), allowed: millis(10) };
        assert_eq!(countdown.whole(Fault::Late { after: millis(5), allowed: millis(4) }), late);
        assert_eq!(countdown.spend(millis(5)), Err(late));
        assert_eq!(Countdown::of(Limit::Playouts(1)).spend(Duration::MAX), Ok(()));
    }
}
