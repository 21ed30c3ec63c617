//! Judgement of answers: the legal ones, and the first fault that the official referee finds in others.

use super::super::application::APPLICATIONS;
use super::super::cards::{CONTINUOUS_INTEGRATION, DEBT, DESKS, TASK_PRIORITIZATION};
use super::super::position::{GreenCircle, Phase};
use super::super::protocol::{Command, Number};
use super::super::step::Step;

/// A reason for disqualification.
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

/// Finds the step of a command, `None` if the referee chooses it.
///
/// A desk to take from that is out of reach counts as a message; without any DAILY_ROUTINE at work even a desk that
/// does not exist does.
///
/// # Errors
/// The fault that disqualifies the player.
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

/// Returns a number that is below a bound.
fn read(number: Number, bound: u8) -> Result<u8, Fault> {
    match number {
        Number::TooLarge => Err(Fault::Exception),
        Number::Fits(number) if number < u32::from(bound) => Ok(number as u8),
        Number::Fits(_) => Err(Fault::Rule),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::cards::Cards;
    use super::super::super::protocol::read_answer;
    use super::super::super::tests::{after, at, with_hands};
    use super::*;

    /// Writes the judgement of a line: the word of a step, `random`, or a fault.
    fn judged(position: &GreenCircle, line: &str) -> String {
        match judge(position, read_answer(line).command) {
            Ok(step) => step.map_or("random".into(), |step| step.to_string()),
            Err(fault) => format!("{fault:?}"),
        }
    }

    fn check(position: &GreenCircle, table: &[(&str, &str)]) {
        for (line, expected) in table {
            assert_eq!(judged(position, line), *expected, "{line}");
        }
    }

    #[test]
    fn a_second_desk_out_of_reach_is_a_message() {
        let mut game = at([2, -1], with_hands(&[9], &[]));
        let without = [
            ("MOVE 5 6", "m5"),
            ("MOVE 5 12", "m5"),
            ("MOVE 5 99999999999", "m5"),
            ("MOVE 2", "Rule"),
            ("MOVE 8", "Rule"),
            ("MOVE 2147483647", "Rule"),
            ("MOVE 2147483648", "Exception"),
            ("RANDOM", "random"),
            ("WAIT", "Format"),
            ("GIVE 9", "Format"),
        ];
        check(&game, &without);
        game.seats[0].routines = 1;
        let with = [
            ("MOVE 5 6", "m56"),
            ("MOVE 7 0", "m70"),
            ("MOVE 5 5", "m5"),
            ("MOVE 5 7", "m5"),
            ("MOVE 5 7x", "m5"),
            ("MOVE 5 8", "Rule"),
            ("MOVE 2 3", "Rule"),
            ("MOVE 9 9", "Rule"),
            ("MOVE 5 99999999999", "Exception"),
        ];
        check(&game, &with);
    }

    #[test]
    fn cards_that_are_not_there_break_a_rule() {
        let game = at([5, 4], with_hands(&[3, 5, 8, 9], &[]));
        let throwing = after(game, "m4");
        let faults = [
            ("THROW 5", "t5"),
            ("THROW 05", "t5"),
            ("THROW 4", "Rule"),
            ("THROW 9", "Rule"),
            ("THROW 10", "Rule"),
            ("THROW 2147483648", "Exception"),
            ("GIVE 5", "Format"),
        ];
        check(&throwing, &faults);
        let playing = after(at([3, -1], game), "m6");
        let plays = [
            ("CODE_REVIEW", "p6"),
            ("TRAINING", "Rule"),
            ("TRAINING 99999999999", "Rule"),
            ("CONTINUOUS_INTEGRATION 8", "p58"),
            ("CONTINUOUS_INTEGRATION 5", "Rule"),
            ("CONTINUOUS_INTEGRATION 9", "Rule"),
            ("CONTINUOUS_INTEGRATION 2147483648", "Exception"),
            ("TASK_PRIORITIZATION 8 0", "p380"),
            ("TASK_PRIORITIZATION 8 8", "p388"),
            ("TASK_PRIORITIZATION 3 0", "Rule"),
            ("TASK_PRIORITIZATION 9 0", "Rule"),
            ("TASK_PRIORITIZATION 8 9", "Exception"),
            ("TASK_PRIORITIZATION 8 10", "Rule"),
            ("TASK_PRIORITIZATION 0 9", "Rule"),
            ("TASK_PRIORITIZATION 8 2147483648", "Exception"),
            ("RELEASE 0", "Format"),
            ("MOVE 3", "Format"),
            ("WAIT", "w"),
        ];
        check(&playing, &plays);
        let mut bare = playing;
        bare.seats[0].hand = Cards::one(6);
        check(&bare, &[("TASK_PRIORITIZATION 2147483648 9", "Rule"), ("CONTINUOUS_INTEGRATION 2147483648", "Rule")]);
    }

    #[test]
    fn only_open_applications_that_can_be_paid_are_released() {
        let mut game = with_hands(&[0, 0, 8, 8], &[]);
        game.seats[0].score = 4;
        let game = after(game, "m1 w");
        let releases = [
            ("RELEASE 0", "r0"),
            ("RELEASE 000", "r0"),
            ("RELEASE 11", "Rule"),
            ("RELEASE 12", "Rule"),
            ("RELEASE 99", "Rule"),
            ("RELEASE 2147483648", "Exception"),
            ("TRAINING", "Format"),
            ("WAIT", "w"),
        ];
        check(&game, &releases);
    }
}
