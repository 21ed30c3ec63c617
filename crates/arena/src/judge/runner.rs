//! The contestant of a run: an agent, kept from case to case, or a program, started anew for each.

use std::time::{Duration, Instant};

use boughs::{Agent, DelayMeter, SearchError, StopFlag};
use boughs_agents::ahc015::{CaseClock, Choice, Player};
use boughs_games::NamedGame as _;
use boughs_games::ahc015::{Ahc015, CELLS, Case, Tilt};

use super::play::{CaseAnswer, CaseTurn, CaseVerdict, play_case};
use super::{JudgeError, JudgeSettings};
use crate::{Bot, Contestant, Fault, Launch, Limit, Program, plain};

/// Time in which a program has to end by itself after its last answer.
const ENDING: Duration = Duration::from_millis(200);

/// Number of bytes that are kept of a program's standard error in a case with a fault.
const SAID: usize = 2 << 10;

/// Plays one case after the other with a contestant.
pub(super) enum CaseRunner<'a> {
    Agent(Box<dyn Agent>, DelayMeter),
    Program(&'a Program),
}

impl<'a> CaseRunner<'a> {
    pub(super) fn of(contestant: &'a Contestant, settings: &JudgeSettings) -> Result<CaseRunner<'a>, JudgeError> {
        match contestant {
            Contestant::Agent(agent) | Contestant::Odds(_, agent) => {
                let start = Ahc015::new([1; CELLS]);
                let agent = agent.clone().with_seed(settings.seed);
                let agent = crate::files::build(&agent, start.as_session()).map_err(JudgeError::Agent)?;
                Ok(CaseRunner::Agent(agent, DelayMeter::start()))
            }
            Contestant::Program(program) => Ok(CaseRunner::Program(program)),
            Contestant::Unknown(_, fault) => Err(JudgeError::Contestant(fault.clone())),
        }
    }

    /// Plays a case. Returns `None` if the stop flag was raised.
    pub(super) fn play(
        &mut self,
        case: &Case,
        settings: &JudgeSettings,
        stop: &StopFlag,
    ) -> Result<Option<CaseVerdict>, JudgeError> {
        let verdict = match self {
            CaseRunner::Agent(agent, meter) => with_agent((&mut **agent, meter), case, settings, stop),
            CaseRunner::Program(program) => with_program(program, case, settings, stop)?,
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
            Limit::Time(time) => time,
            Limit::Playouts(_) => Duration::MAX,
        };
        Countdown { allowed, spent: Duration::ZERO }
    }

    fn left(&self) -> Duration {
        self.allowed.saturating_sub(self.spent)
    }

    /// Takes the time of an answer off the rest.
    fn spend(&mut self, took: Duration) -> Result<(), Fault> {
        self.spent = self.spent.saturating_add(took);
        match self.spent > self.allowed {
            true => Err(Fault::Late { after: self.spent, allowed: self.allowed }),
            false => Ok(()),
        }
    }

    /// Converts a late answer to times of the whole case.
    fn whole(&self, fault: Fault) -> Fault {
        match fault {
            Fault::Late { after, .. } => Fault::Late { after: self.spent.saturating_add(after), allowed: self.allowed },
            other => other,
        }
    }
}

fn with_agent(
    (agent, meter): (&mut dyn Agent, &DelayMeter),
    case: &Case,
    settings: &JudgeSettings,
    stop: &StopFlag,
) -> CaseVerdict {
    let mut asked = Instant::now();
    let mut countdown = Countdown::of(settings.limit);
    let clock = match settings.limit {
        Limit::Time(time) => CaseClock::time(time.saturating_sub(settings.margin)),
        Limit::Playouts(playouts) => CaseClock::playouts(playouts),
    };
    let failed = |error: &SearchError| Fault::Failed(error.to_string());
    let mut player = Player::begin(agent, case.flavours, settings.seed, clock, stop.clone());
    play_case(case, &mut |number, placement| {
        // The time of the first answer includes the preparation.
        if number > 0 {
            asked = Instant::now();
        }
        let player = player.as_mut().map_err(|error| failed(error))?;
        if let Limit::Time(time) = settings.limit {
            // The preparation is no delay of the machine.
            meter.asked(Instant::now());
            player.reserve(meter.margin(settings.margin, time).saturating_sub(settings.margin));
        }
        let answer = player.answer(placement);
        let took = asked.elapsed();
        meter.answered(None);
        let Choice { tilt, values, playouts } = answer.map_err(|error| failed(&error))?;
        countdown.spend(took)?;
        Ok(CaseAnswer { turn: CaseTurn { tilt, values }, took, playouts })
    })
}

fn with_program(
    program: &Program,
    case: &Case,
    settings: &JudgeSettings,
    stop: &StopFlag,
) -> Result<CaseVerdict, JudgeError> {
    let time = match settings.limit {
        Limit::Time(time) => Some(time),
        Limit::Playouts(_) => None,
    };
    let bot = Bot::start(&Launch { program, cores: &[], time }).map_err(JudgeError::Program)?;
    let mut bot = bot.stopped_by(stop.clone());
    let mut countdown = Countdown::of(settings.limit);
    let flavours = case.flavours.map(|flavour| flavour.to_string()).join(" ");
    let mut verdict = play_case(case, &mut |number, placement| {
        let question = match number {
            0 => format!("{flavours}\n{placement}\n"),
            _ => format!("{placement}\n"),
        };
        let answered = bot.ask(&question, countdown.left());
        let (answer, took) = answered.map_err(|fault| match fault {
            Fault::Late { .. } if number == 0 && !stop.is_raised() && plain::is_spoken_by(&mut bot) => {
                Fault::NotStarted(plain::instead_of_contest(Ahc015::NAME))
            }
            fault => countdown.whole(fault),
        })?;
        countdown.spend(took)?;
        let letters = || Tilt::ALL.map(|tilt| tilt.letter().to_string());
        let tilt = tilt(&answer).ok_or_else(|| Fault::illegal(&answer, &letters()))?;
        Ok(CaseAnswer { turn: CaseTurn { tilt, values: [None; 4] }, took, playouts: 0 })
    });
    // A program that has broken the rules gets no time to end by itself.
    let notes = bot.finish(if verdict.fault.is_some() || stop.is_raised() { Duration::ZERO } else { ENDING });
    if verdict.fault.is_some() {
        let from = notes.text.ceil_char_boundary(notes.text.len().saturating_sub(SAID));
        verdict.said = notes.text[from..].to_string();
    }
    verdict.columns = notes.columns;
    Ok(verdict)
}

/// Reads the tilt of an answer: one letter, and nothing else but white space.
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
        let mut countdown = Countdown::of(Limit::Time(millis(10)));
        assert_eq!((countdown.spend(millis(6)), countdown.left()), (Ok(()), millis(4)));
        let late = Fault::Late { after: millis(11), allowed: millis(10) };
        assert_eq!(countdown.whole(Fault::Late { after: millis(5), allowed: millis(4) }), late);
        assert_eq!(countdown.spend(millis(5)), Err(late));
        assert_eq!(Countdown::of(Limit::Playouts(1)).spend(Duration::MAX), Ok(()));
    }
}
