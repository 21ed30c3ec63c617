//! What a player sees at a decision, written as the official referee writes it and read again.

use std::io::BufRead;

use super::super::application::{APPLICATIONS, need};
use super::super::cards::{Cards, KINDS};
use super::super::position::{GreenCircle, Phase};
use super::super::seat::Seat;
use super::line::{InputFault, Lines, numbers};

/// More lines than these are no input of this game.
const MOST_OFFERS: usize = 1_000;

/// What lies open of a player.
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

/// What a player sees when they are asked for a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// What they are asked for.
    pub phase: Phase,
    /// The open applications, each a bit.
    pub applications: u32,
    /// The player.
    pub own: Side,
    /// The other.
    pub other: Side,
    /// The player's hand.
    pub hand: Cards,
    /// The player's draw pile.
    pub draw: Cards,
    /// The player's discard pile.
    pub discard: Cards,
    /// What the player has played in this turn.
    pub played: Cards,
    /// What the player has automated.
    pub automated: Cards,
    /// The other's hand, draw pile and discard pile together.
    pub other_cards: Cards,
    /// What the other has automated.
    pub other_automated: Cards,
    /// What the referee offers, in its words.
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
    /// The official referee's word for it; `MOVE` also where nobody is asked, because that comes next.
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
    /// What a player sees in a position, with what they are offered.
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

    /// The lines of it.
    pub fn lines(&self) -> Vec<String> {
        let open = (0..APPLICATIONS).filter(|id| self.applications >> id & 1 == 1);
        let mut lines = vec![self.phase.name().to_string(), self.applications.count_ones().to_string()];
        lines.extend(open.map(|id| format!("APPLICATION {id} {}", joined(&need(id)))));
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
        let mut lines = Lines(input);
        let Some(line) = lines.maybe()? else { return Ok(None) };
        let phase = phase_of(&line).ok_or(InputFault::Wrong { line, expected: "a phase, MOVE for example" })?;
        View::read_rest(phase, lines)
    }

    /// The same after a view that could not be read: skips what is left of it.
    ///
    /// # Errors
    /// As [`read`](View::read).
    pub fn read_next(input: &mut impl BufRead) -> Result<Option<View>, InputFault> {
        let mut lines = Lines(input);
        while let Some(line) = lines.maybe()? {
            if let Some(phase) = phase_of(&line) {
                return View::read_rest(phase, lines);
            }
        }
        Ok(None)
    }

    /// What follows the phase.
    fn read_rest(phase: Phase, mut lines: Lines<'_, impl BufRead>) -> Result<Option<View>, InputFault> {
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
        Ok(Some(view))
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

fn read_application(line: &str) -> Option<u8> {
    let [id, needs @ ..]: [u8; 9] = numbers(line.strip_prefix("APPLICATION ")?)?;
    (id < APPLICATIONS && need(id) == needs).then_some(id)
}

fn joined(counts: &[u8]) -> String {
    counts.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::super::super::{OwnLuck, Referee, Setup};
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let (mut referee, mut luck) = (Referee::new(&Setup::of_seed(2)), OwnLuck::new(2));
        while referee.ending().is_none() {
            let view = referee.view();
            let text = view.lines().join("\n") + "\n";
            assert_eq!(View::read(&mut text.as_bytes()).expect("a view"), Some(view));
            referee.answer(Some("RANDOM"), &mut luck);
        }
    }

    #[test]
    fn what_is_left_of_a_broken_view_is_skipped() {
        let text = Referee::new(&Setup::of_seed(1)).view().lines().join("\n") + "\n";
        for broken in ["APPLICATION", "HAND", "MOVE 3", "\n12\n"] {
            let told = text.replacen(broken, "\nx", 1) + &text;
            let mut input = told.as_bytes();
            if View::read(&mut input).is_err() {
                assert_eq!(
                    View::read_next(&mut input).expect("a view"),
                    View::read(&mut text.as_bytes()).expect("a view")
                );
                assert!(View::read_next(&mut input).expect("an end").is_none());
            } else {
                assert_eq!(broken, "MOVE 3", "an offer may be anything");
            }
        }
    }

    #[test]
    fn a_broken_input_is_a_fault_and_no_panic() {
        let text = Referee::new(&Setup::of_seed(1)).view().lines().join("\n") + "\n";
        assert!(View::read(&mut &b""[..]).expect("an end").is_none());
        for cut in 1..text.len() - 8 {
            assert!(View::read(&mut &text.as_bytes()[..cut]).is_err(), "{cut}");
        }
        for place in 0..text.len() {
            for byte in [b'x', b'9', b'-', b' ', b'\n', 0xff] {
                let mut bytes = text.clone().into_bytes();
                bytes[place] = byte;
                let _ = View::read(&mut &bytes[..]);
            }
        }
        for (from, to, fault) in [
            ("MOVE\n12", "DANCE\n12", "'DANCE' should be a phase"),
            ("\n12\n", "\n29\n", "'29' should be a number of applications"),
            ("-1 0 0 0", "-2 0 0 0", "'-2 0 0 0' should be four numbers of the player"),
            ("HAND 0", "HAND 6", "should be a place with ten counts"),
            ("HAND", "FOOT", "should be a place with ten counts"),
        ] {
            let error = View::read(&mut text.replacen(from, to, 1).as_bytes()).expect_err(from).to_string();
            assert!(error.contains(fault), "{error}");
        }
    }
}
