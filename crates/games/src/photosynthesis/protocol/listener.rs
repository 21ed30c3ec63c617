//! Reading what a player is told, from a source that is not trusted.

use std::io::{BufRead, Read};

use super::super::cell::{CELLS, Cell};
use super::super::map::Ground;
use super::super::position::DAYS;
use super::line::Line;
use super::view::{View, neighbours};

/// Reads what a player is told, line by line.
#[derive(Debug)]
pub struct Listener<R> {
    source: R,
    lines: usize,
    /// Whether it is not known where the next turn begins.
    is_lost: bool,
}

/// Why what was told cannot be used. `Display` gives one sentence for a person.
#[derive(Debug)]
pub enum InputFault {
    /// A line is not what it should be. All lines of the turn were read, unless it is one that tells how many follow.
    Line {
        /// The number of the line, counted from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The input ended within the ground or within a turn.
    Ended,
    /// The input cannot be read.
    Unreadable(std::io::Error),
}

impl std::fmt::Display for InputFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InputFault::Line { line, what } => write!(f, "line {line}: {what}"),
            InputFault::Ended => write!(f, "the input ended before all was told"),
            InputFault::Unreadable(error) => write!(f, "the input cannot be read: {error}"),
        }
    }
}

impl std::error::Error for InputFault {}

/// No line of the protocol is nearly as long; one without end is taken apart.
const LONGEST: u64 = 1 << 16;

/// More trees and more actions than these are not announced by anybody who means well.
const MOST_TREES: i64 = CELLS as i64;
const MOST_ACTIONS: i64 = 1 + MOST_TREES * (1 + MOST_TREES);
/// The most nutrients that are believed.
const MOST_NUTRIENTS: i64 = 255;

/// Whether a turn may begin so.
fn is_head([day, nutrients, own, other]: &[Line; 4]) -> bool {
    day.numbers::<1>().is_ok()
        && nutrients.numbers::<1>().is_ok()
        && own.numbers::<2>().is_ok()
        && other.numbers::<3>().is_ok()
}

impl<R: BufRead> Listener<R> {
    /// Listens to a source.
    pub fn new(source: R) -> Listener<R> {
        Listener { source, lines: 0, is_lost: false }
    }

    /// Waits until something is told; whether there is anything.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn waits(&mut self) -> Result<bool, InputFault> {
        let bytes = self.source.fill_buf().map_err(InputFault::Unreadable)?;
        Ok(!bytes.is_empty())
    }

    /// Reads the ground.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    pub fn ground(&mut self) -> Result<Ground, InputFault> {
        let ground = self.read_ground();
        self.is_lost = ground.is_err();
        ground
    }

    fn read_ground(&mut self) -> Result<Ground, InputFault> {
        let count = self.line()?;
        if count.numbers()? != [CELLS as i64] {
            return Err(count.fault(format!("the board has {CELLS} cells, not {}", count.text.trim())));
        }
        let lines = self.lines(CELLS)?;
        let mut richness = [0; CELLS];
        for ((cell, line), richness) in Cell::all().zip(&lines).zip(&mut richness) {
            let [index, rich, around @ ..] = line.numbers::<8>()?;
            if index != i64::from(cell.index()) || around != neighbours(cell) {
                return Err(line.fault(format!("this should be cell {} and those around it", cell.index())));
            }
            *richness = line.as_part(rich, 3, "the richness of a cell")?;
        }
        Ground::new(|cell| richness[cell.index() as usize]).ok_or(InputFault::Ended)
    }

    /// Reads what is told before a turn; `None` if the input ends before it. After a fault that left it unknown how many lines
    /// follow, the next turn is the next four lines of one, one, two and three numbers.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    pub fn turn(&mut self) -> Result<Option<View>, InputFault> {
        let Some([day, nutrients, own, other]) = self.head()? else { return Ok(None) };
        self.is_lost = true;
        let trees = self.counted(MOST_TREES, "trees")?;
        let actions = self.counted(MOST_ACTIONS, "actions")?;
        self.is_lost = false;

        let [day_number] = day.numbers()?;
        let [nutrients_number] = nutrients.numbers()?;
        let [own_sun, own_score] = own.numbers()?;
        let [sun, score, waits] = other.numbers()?;
        Ok(Some(View {
            day: day.as_part(day_number, i64::from(DAYS) - 1, "the day")?,
            nutrients: nutrients.as_part(nutrients_number, MOST_NUTRIENTS, "nutrients")?,
            sun: [own.sun(own_sun)?, other.sun(sun)?],
            score: [own.score(own_score)?, other.score(score)?],
            other_is_asleep: other.flag(waits)?,
            trees: trees.iter().map(Line::tree).collect::<Result<_, _>>()?,
            actions: actions.iter().map(Line::action).collect::<Result<_, _>>()?,
        }))
    }

    /// The lines with which a turn begins.
    fn head(&mut self) -> Result<Option<[Line; 4]>, InputFault> {
        let Some(first) = self.next_line()? else { return Ok(None) };
        let mut head = [first, self.line()?, self.line()?, self.line()?];
        while self.is_lost && !is_head(&head) {
            let Some(next) = self.next_line()? else { return Ok(None) };
            head.rotate_left(1);
            head[3] = next;
        }
        Ok(Some(head))
    }

    /// The lines that a line announces.
    fn counted(&mut self, most: i64, what: &str) -> Result<Vec<Line>, InputFault> {
        let line = self.line()?;
        let [count] = line.numbers()?;
        let count = line.as_part(count, most, what)?;
        self.lines(count)
    }

    fn lines(&mut self, count: usize) -> Result<Vec<Line>, InputFault> {
        (0..count).map(|_| self.line()).collect()
    }

    fn line(&mut self) -> Result<Line, InputFault> {
        self.next_line()?.ok_or(InputFault::Ended)
    }

    fn next_line(&mut self) -> Result<Option<Line>, InputFault> {
        let mut bytes = Vec::new();
        if self.source.by_ref().take(LONGEST).read_until(b'\n', &mut bytes).map_err(InputFault::Unreadable)? == 0 {
            return Ok(None);
        }
        self.lines += 1;
        let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string();
        Ok(Some(Line { number: self.lines, text }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Action, Map, Position};
    use super::super::ground_text;
    use super::*;

    fn told() -> String {
        let map = Map::from_seed(1);
        let position = Position::start(&map);
        let mut actions = Vec::new();
        position.legal_actions(1, &mut actions);
        ground_text(&map.ground) + &View::of(&position, 1, &actions).to_string()
    }

    /// Reads the ground and all turns, or the first fault.
    fn read(told: &[u8]) -> Result<Vec<View>, String> {
        let mut listener = Listener::new(told);
        let ground = listener.ground().map_err(|fault| fault.to_string())?;
        let mut views = Vec::new();
        while let Some(view) = listener.turn().map_err(|fault| fault.to_string())? {
            view.position(ground)?;
            views.push(view);
        }
        Ok(views)
    }

    #[test]
    fn what_is_told_is_understood() {
        let views = read(told().as_bytes()).expect("a turn");
        let position = Position::start(&Map::from_seed(1));
        assert_eq!((views.len(), views[0].trees.len(), views[0].actions[0]), (1, 4, Action::Wait));
        let seen = views[0].position(position.ground()).expect("a position");
        assert_eq!([seen.trees(0), seen.trees(1)], [position.trees(1), position.trees(0)]);
        assert_eq!(read(told().replace('\n', "\r\n").as_bytes()), Ok(views));
    }

    #[test]
    fn a_fault_names_its_line() {
        for (from, to, message) in [
            ("37\n", "36\n", "line 1: the board has 37 cells, not 36"),
            ("0 3 1 2 3 4 5 6", "0 3 1 2 3 4 5", "line 2: there should be 8 whole numbers here, not '0 3 1 2 3 4 5'"),
            ("0 3 1 2 3 4 5 6", "0 4 1 2 3 4 5 6", "line 2: the richness of a cell cannot be 4; 3 is the most"),
            ("0 3 1 2 3 4 5 6", "0 3 1 2 3 4 6 5", "line 2: this should be cell 0 and those around it"),
            ("\n20\n", "\n-20\n", "line 40: nutrients cannot be -20; 255 is the most"),
            ("\n2 0 0\n", "\n2 0 2\n", "line 42: a flag cannot be 2; 1 is the most"),
            (
                "\n2 0\n",
                "\n99999999999999999999 0\n",
                "line 41: there should be 2 whole numbers here, not '99999999999999999999 0'",
            ),
            ("WAIT", "SLEEP", "line 49: 'SLEEP' is not an action"),
            ("\n4\n", "\n38\n", "line 43: trees cannot be 38; 37 is the most"),
            ("21 1 0 0", "37 1 0 0", "line 44: there is no cell 37"),
            ("21 1 0 0", "1 1 0 0", "cell 1 has no room for a tree, so there cannot be one"),
        ] {
            let broken = told().replacen(from, to, 1);
            assert!(broken != told(), "{from}");
            assert_eq!(read(broken.as_bytes()), Err(message.to_string()));
        }
    }

    #[test]
    fn after_a_fault_the_next_turn_is_found() {
        let (ground, turn) = {
            let told = told();
            let length = ground_text(&Map::from_seed(1).ground).len();
            (told[..length].to_string(), told[length..].to_string())
        };
        let whole = read(format!("{ground}{turn}").as_bytes()).expect("a turn");
        for (from, to) in
            [("\n4\n", "\nx\n"), ("\n4\n", "\n5\n"), ("\n4\n", "\n3\n"), ("\n20\n", "\nx\n"), ("WAIT", "SLEEP")]
        {
            let told = format!("{ground}{}{turn}{turn}", turn.replacen(from, to, 1));
            let mut listener = Listener::new(told.as_bytes());
            listener.ground().expect("the ground");
            assert!(listener.turn().is_err(), "{to}");
            let turns: Vec<View> = std::iter::from_fn(|| listener.turn().ok().flatten()).collect();
            assert_eq!(turns.len(), 2, "{to}");
            assert!(turns.iter().all(|turn| *turn == whole[0]), "{to}");
        }
        for first in ["36\n", "\n", "\u{fffd}\n"] {
            let told = ground.replacen("37\n", first, 1) + &turn;
            let mut listener = Listener::new(told.as_bytes());
            assert!(listener.ground().is_err(), "{first}");
            assert_eq!(listener.turn().expect("a turn").as_ref(), Some(&whole[0]), "{first}");
        }
    }

    #[test]
    fn input_that_is_cut_anywhere_is_a_fault_and_not_the_end_of_the_program() {
        let told = told();
        let ground = ground_text(&Map::from_seed(1).ground).len();
        let last_line = told.trim_end().rfind('\n').expect("many lines");
        for end in 0..=last_line {
            let is_whole = end == ground || end == ground - 1;
            assert_eq!(read(&told.as_bytes()[..end]).is_ok(), is_whole, "{end}");
        }
        assert!(read(&vec![b'7'; 1 << 20]).is_err(), "a line without end");
        for noise in [&b"\xff\xfe\n"[..], b"\n\n\n", b"37\n\n"] {
            assert!(read(noise).is_err());
        }
    }
}
