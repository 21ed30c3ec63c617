//! Which answers the official referee accepts, and what it finds at fault first in others.

use super::super::application::APPLICATIONS;
use super::super::cards::{CONTINUOUS_INTEGRATION, DEBT, DESKS, TASK_PRIORITIZATION};
use super::super::position::{GreenCircle, Phase};
use super::super::protocol::{Command, Number};
use super::super::step::Step;

/// Why a player is disqualified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The line is no command, or none for this phase.
    Format,
    /// The command breaks a rule.
    Rule,
    /// The command breaks the official referee: a number beyond 2^31 - 1, or TECHNICAL_DEBT wanted for another card.
    Exception,
    /// No line came in time.
    Timeout,
}

/// The step that a command stands for, `None` for one that the referee chooses.
///
/// A desk to take from that is out of reach is taken for a message, without any DAILY_ROUTINE at work even if it does not
/// exist.
///
/// # Errors
/// What disqualifies the player.
pub fn judge(position: &GreenCircle, command: Command) -> Result<Option<Step>, Fault> {
    let player = position.active();
    let hand = position.seat(player).hand;
    let step = match (position.phase(), command) {
        (_, Command::Random) => return Ok(None),
        (Phase::Play | Phase::Release, Command::Wait) => Step::Wait,
        (Phase::Move, Command::Move { to, from }) => read_move(position, to, from)?,
        (Phase::Throw, Command::Throw(kind)) => Step::Throw(read(kind, DEBT)?),
        (Phase::Give, Command::Give(kind)) => Step::Give(read(kind, DEBT)?),
        (Phase::Play, Command::Play(kind)) => Step::Play(kind),
        (Phase::Play, Command::Prioritize { drop, take }) => {
            require(hand.has(TASK_PRIORITIZATION))?;
            let drop = read(drop, DEBT)?;
            require(hand.count(drop) > u8::from(drop == TASK_PRIORITIZATION))?;
            match read(take, DEBT + 1)? {
                DEBT => return Err(Fault::Exception),
                take => Step::Prioritize { drop, take },
            }
        }
        (Phase::Play, Command::Automate(kind)) => {
            require(hand.has(CONTINUOUS_INTEGRATION))?;
            Step::Automate(read(kind, DEBT)?)
        }
        (Phase::Release, Command::Release(id)) => Step::Release(read(id, APPLICATIONS)?),
        _ => return Err(Fault::Format),
    };
    require(position.allows(step))?;
    Ok(Some(step))
}

fn read_move(position: &GreenCircle, to: Number, from: Option<Number>) -> Result<Step, Fault> {
    let seat = position.seat(position.active());
    let to = read(to, DESKS)?;
    require(to as i8 != seat.location)?;
    if let Some(from) = from.filter(|_| seat.routines > 0) {
        let step = Step::Move { to, from: read(from, DESKS)? };
        if position.allows(step) {
            return Ok(step);
        }
    }
    Ok(Step::Move { to, from: to })
}

fn require(holds: bool) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault::Rule) }
}

/// A number below a bound.
fn read(number: Number, bound: u8) -> Result<u8, Fault> {
    match number {
        Number::TooLarge => Err(Fault::Exception),
        Number::Fits(number) if number < u32::from(bound) => Ok(number as u8),
        Number::Fits(_) => Err(Fault::Rule),
    }
}
