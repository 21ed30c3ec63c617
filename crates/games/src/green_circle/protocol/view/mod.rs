//! A player's view at a decision, written as the official referee writes it and read again.

#[cfg(test)]
mod tests;

use std::io::BufRead;

use super::super::application::{APPLICATIONS, need};
use super::super::cards::{Cards, KINDS};
use super::super::position::{GreenCircle, Phase};
use super::super::seat::Seat;
use super::line::{Lines, not_as_expected};
use crate::contest_protocol::{InputFault, numbers};

/// Bound of the offers of a decision. No decision has nearly as many.
const MOST_OFFERS: usize = 1_000;

/// The open quantities of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The desk, or -1 before the first move.
    pub location: i8,
    /// Applications released.
    pub score: u8,
    /// DAILY_ROUTINE cards at work.
    pub routines: u8,
    /// ARCHITECTURE_STUDY cards at work.
    pub studies: u8,
}

/// A player's view when a decision is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The kind of decision.
    pub phase: Phase,
    /// The open applications, each a bit.
    pub applications: u32,
    /// Open quantities of the player.
    pub own: Side,
    /// Open quantities of the other player.
    pub other: Side,
    /// The player's hand.
    pub hand: Cards,
    /// The player's draw pile.
    pub draw: Cards,
    /// The player's discard pile.
    pub discard: Cards,
    /// Cards that the player has played in this turn.
    pub played: Cards,
    /// Cards that the player has automated.
    pub automated: Cards,
    /// The other player's hand, draw pile and discard pile together.
    pub other_cards: Cards,
    /// Cards that the other player has automated.
    pub other_automated: Cards,
    /// The referee's offers, in its words.
    pub offers: Vec<String>,
}

/// The phases in which players are asked, with the referee's words for them.
const PHASES: [(Phase, &str); 5] = [
    (Phase::Move, "MOVE"),
    (Phase::Throw, "THROW_CARD"),
    (Phase::Give, "GIVE_CARD"),
    (Phase::Play, "PLAY_CARD"),
    (Phase::Release, "RELEASE"),
];

fn phase_of(line: &str) -> Option<Phase> {
    PHASES.iter().find(|(_, name)| *name == line).map(|&(phase, _)| phase)
}

impl Phase {
    /// The official referee's word for the phase; `MOVE` also for the phase in which no player is asked, because it
    /// comes next.
    pub fn name(self) -> &'static str {
        PHASES.iter().find(|(phase, _)| *phase == self).map_or(PHASES[0].1, |(_, name)| name)
    }
}

impl Side {
    fn of(seat: &Seat) -> Side {
        let Seat { location, score, routines, studies, .. } = *seat;
        Side { location, score, routines, studies }
    }

    fn line(self) -> String {
        let Side { location, score, routines, studies } = self;
        format!("{location} {score} {routines} {studies}")
    }

    fn read(line: &str) -> Option<Side> {
        let [location, score, routines, studies]: [i8; 4] = numbers(line)?;
        let fits = (-1..8).contains(&location) && [score, routines, studies].iter().all(|&n| (0..=5).contains(&n));
        let [score, routines, studies] = [score, routines, studies].map(|n| n as u8);
        fits.then_some(Side { location, score, routines, studies })
    }
}

impl View {
    /// Returns a player's view of a position, with these offers.
    pub fn of(position: &GreenCircle, player: usize, offers: Vec<String>) -> View {
        let (own, other) = (position.seat(player), position.seat(1 - player));
        let is_active = position.active() == player;
        View {
            phase: position.phase(),
            applications: position.applications(),
            own: Side::of(own),
            other: Side::of(other),
            hand: own.hand,
            draw: own.draw,
            discard: own.discard,
            played: if is_active { position.played() } else { Cards::NONE },
            automated: own.automated,
            other_cards: other.merged(),
            other_automated: other.automated,
            offers,
        }
    }

    /// The lines of the view.
    pub fn lines(&self) -> Vec<String> {
        let open = (0..APPLICATIONS).filter(|id| self.applications >> id & 1 == 1);
        let mut lines = vec![self.phase.name().to_string(), self.applications.count_ones().to_string()];
        lines.extend(open.map(|id| format!("{APPLICATION}{id} {}", joined(&need(id)))));
        lines.extend([self.own.line(), self.other.line()]);
        let mut places = Vec::new();
        for (name, cards) in [
            ("HAND", self.hand),
            ("DRAW", self.draw),
            ("DISCARD", self.discard),
            ("PLAYED_CARDS", self.played),
            ("AUTOMATED", self.automated),
            (OTHER_CARDS, self.other_cards),
            ("OPPONENT_AUTOMATED", self.other_automated),
        ] {
            if !cards.is_empty() || name == OTHER_CARDS {
                places.push(format!("{name} {}", joined(&cards.counts())));
            }
        }
        lines.push(places.len().to_string());
        lines.extend(places);
        lines.push(self.offers.len().to_string());
        lines.extend(self.offers.iter().cloned());
        lines
    }

    /// Reads the next view of an input; `None` at its end.
    ///
    /// # Errors
    /// The input cannot be read, ends too early, or a line is not what it should be.
    pub fn read(input: &mut impl BufRead) -> Result<Option<View>, InputFault> {
        let phase = View::read_phase(input)?;
        phase.map(|phase| View::read_rest(phase, input)).transpose()
    }

    /// Reads on until a decision begins; `None` if the input ends before. Other lines before the phase are skipped:
    /// blank lines, or the rest of a decision that could not be read. An unknown word is taken for a wrong phase if a
    /// number of applications and the first of them follow.
    ///
    /// # Errors
    /// The input cannot be read, or a phase is not what it should be.
    pub fn read_phase(input: &mut impl BufRead) -> Result<Option<Phase>, InputFault> {
        let (mut lines, mut before) = (Lines(input), [String::new(), String::new()]);
        while let Some(line) = lines.next()? {
            if let Some(phase) = phase_of(&line) {
                return Ok(Some(phase));
            }
            if line.is_empty() {
                continue;
            }
            let [first, count] = before;
            if !first.is_empty() && line.starts_with(APPLICATION) && count.parse::<u8>().is_ok() {
                return Err(not_as_expected(&first, "a phase, MOVE for example"));
            }
            before = [count, line];
        }
        Ok(None)
    }

    /// Reads what follows the phase of a decision.
    ///
    /// # Errors
    /// Fails as [`read`](View::read) does.
    pub fn read_rest(phase: Phase, input: &mut impl BufRead) -> Result<View, InputFault> {
        let mut lines = Lines(input);
        let count = lines.read("a number of applications", |line| {
            line.parse().ok().filter(|count| (0..=APPLICATIONS).contains(count))
        })?;
        let mut applications = 0;
        for _ in 0..count {
            applications |= 1 << lines.read("an application with its number and needs", read_application)?;
        }
        let own = lines.read("four numbers of the player", Side::read)?;
        let other = lines.read("four numbers of the other player", Side::read)?;
        let count =
            lines.read("a number of places with cards", |line| line.parse().ok().filter(|&count: &u8| count < 8))?;
        let none = Cards::NONE;
        let [hand, draw, discard, played, automated, other_cards, other_automated] = [none; 7];
        let mut view = View {
            phase,
            applications,
            own,
            other,
            hand,
            draw,
            discard,
            played,
            automated,
            other_cards,
            other_automated,
            offers: Vec::new(),
        };
        for _ in 0..count {
            lines.read("a place with ten counts of cards", |line| view.read_place(line))?;
        }
        let count = lines.read("a number of possible moves", |line| {
            line.parse().ok().filter(|&count: &usize| count <= MOST_OFFERS)
        })?;
        for _ in 0..count {
            view.offers.push(lines.read("a possible move", |line| Some(line.to_string()))?);
        }
        Ok(view)
    }

    fn read_place(&mut self, line: &str) -> Option<()> {
        let (name, counts) = line.split_once(' ')?;
        let place = match name {
            "HAND" => &mut self.hand,
            "DRAW" => &mut self.draw,
            "DISCARD" => &mut self.discard,
            "PLAYED_CARDS" => &mut self.played,
            "AUTOMATED" => &mut self.automated,
            OTHER_CARDS => &mut self.other_cards,
            "OPPONENT_AUTOMATED" => &mut self.other_automated,
            _ => return None,
        };
        *place = Cards::of(numbers::<u8, KINDS>(counts)?)?;
        Some(())
    }
}

const OTHER_CARDS: &str = "OPPONENT_CARDS";
const APPLICATION: &str = "APPLICATION ";

fn read_application(line: &str) -> Option<u8> {
    let [id, needs @ ..]: [u8; 9] = numbers(line.strip_prefix(APPLICATION)?)?;
    (id < APPLICATIONS && need(id) == needs).then_some(id)
}

fn joined(counts: &[u8]) -> String {
    counts.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}
