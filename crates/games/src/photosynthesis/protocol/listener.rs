//! Reading what a player is told, from a source that is not trusted.

use std::collections::VecDeque;
use std::io::{BufRead, Read};

use super::super::cell::{CELLS, Cell};
use super::super::map::Ground;
use super::super::position::DAYS;
use super::line::Line;
use super::view::View;

/// Reads what a player is told, line by line. Blank lines are skipped wherever they stand.
///
/// A turn begins with four lines of one, one, two and three numbers. What stands before them is skipped: the rest of a turn that
/// could not be read, or the ground told again. Where two of four such lines can be read, a turn is taken to begin whose
/// other lines are wrong; so every question is noticed once, and what is none is not taken for one.
#[derive(Debug)]
pub struct Listener<R> {
    source: R,
    lines: usize,
    /// The last lines, of which none belongs to a turn so far.
    recent: VecDeque<Line>,
    /// The lines with which a turn begins, whose rest is still to be read.
    head: Option<[Line; HEAD.len()]>,
}

/// Why what was told cannot be used. `Display` gives one sentence for a person.
#[derive(Debug)]
pub enum InputFault {
    /// A line is not what it should be. All lines of the turn were read, unless it is one that tells how many follow.
    Line {
        /// The number of the line, counted from 1; blank lines count too.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// The input ended within the ground or within a turn.
    Ended,
    /// The source was not willing to wait for the rest any longer.
    Late,
    /// The input cannot be read.
    Unreadable(std::io::Error),
}

impl std::fmt::Display for InputFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            InputFault::Line { line, what } => write!(f, "line {line}: {what}"),
            InputFault::Ended => write!(f, "the input ended before all was told"),
            InputFault::Late => write!(f, "the lines that were announced did not come in time"),
            InputFault::Unreadable(error) => write!(f, "the input cannot be read: {error}"),
        }
    }
}

impl std::error::Error for InputFault {}

impl From<std::io::Error> for InputFault {
    fn from(error: std::io::Error) -> InputFault {
        match error.kind() {
            std::io::ErrorKind::TimedOut => InputFault::Late,
            _ => InputFault::Unreadable(error),
        }
    }
}

/// No line of the protocol is nearly as long; one without end is taken apart.
const LONGEST: u64 = 1 << 16;

/// More trees and more actions than these are not announced by anybody who means well.
const MOST_TREES: i64 = CELLS as i64;
const MOST_ACTIONS: i64 = 1 + MOST_TREES * (1 + MOST_TREES);
/// The most nutrients that are believed.
const MOST_NUTRIENTS: i64 = 255;

/// How many numbers the lines have with which a turn begins: day, nutrients, what the player has, and what the other has.
const HEAD: [usize; 4] = [1, 1, 2, 3];

/// How many lines are as the first ones of a turn.
fn fitting<'l>(lines: impl Iterator<Item = &'l Line>) -> usize {
    lines.zip(HEAD).filter(|(line, count)| line.has_numbers(*count)).count()
}

impl<R: BufRead> Listener<R> {
    /// Listens to a source. One that does not want to wait any longer gives an error of the kind
    /// [`TimedOut`](std::io::ErrorKind::TimedOut).
    pub fn new(source: R) -> Listener<R> {
        Listener { source, lines: 0, recent: VecDeque::new(), head: None }
    }

    /// Where the lines come from.
    pub fn source(&mut self) -> &mut R {
        &mut self.source
    }

    /// Reads the ground, and says what is wrong first where something is. A cell that is not told of as it should be is taken to be
    /// as rich as where there are no holes.
    pub fn ground(&mut self) -> (Ground, Result<(), InputFault>) {
        let mut richness: Vec<u32> = Cell::all().map(|cell| Ground::whole().richness(cell)).collect();
        let read = self.read_ground(&mut richness);
        let ground = Ground::new(|cell| richness[cell.index() as usize]);
        (ground.unwrap_or(Ground::whole()), read)
    }

    fn read_ground(&mut self, richness: &mut [u32]) -> Result<(), InputFault> {
        let count = self.line()?;
        let mut read = match count.numbers() {
            Ok([number]) if number == CELLS as i64 => Ok(()),
            Ok([number]) => Err(count.fault(format!("the board has {CELLS} cells, not {number}"))),
            Err(fault) => Err(fault),
        };
        if read.is_err() {
            // It may belong to a turn already.
            self.recent.push_back(count);
        }
        for _ in 0..CELLS {
            match self.hears_head() {
                Ok(true) => {
                    let what = format!("a turn begins here, before all {CELLS} cells were told");
                    return read.and(Err(InputFault::Line { line: self.lines, what }));
                }
                Ok(false) => {}
                Err(fault) => {
                    self.recent.clear();
                    return read.and(Err(fault));
                }
            }
            if let Some(line) = self.recent.back() {
                let cell = line.cell().map(|(cell, rich)| richness[cell.index() as usize] = rich);
                read = read.and(cell);
            }
        }
        read
    }

    /// Reads on until a turn begins; whether one does before the input ends.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn begins_turn(&mut self) -> Result<bool, InputFault> {
        loop {
            match self.hears_head() {
                Ok(false) => {}
                Err(InputFault::Ended) => return Ok(self.begins_at_end()),
                heard => return heard,
            }
        }
    }

    /// Reads what is told before a turn; `None` if the input ends before it.
    ///
    /// # Errors
    /// The first thing that is not as it should be.
    pub fn turn(&mut self) -> Result<Option<View>, InputFault> {
        if !self.begins_turn()? {
            return Ok(None);
        }
        let Some([day, nutrients, own, other]) = self.head.take() else { return Ok(None) };
        let trees = self.counted(MOST_TREES, "trees")?;
        let actions = self.counted(MOST_ACTIONS, "actions")?;

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

    /// Whether a turn has begun with the next line, unless one had already.
    fn hears_head(&mut self) -> Result<bool, InputFault> {
        if self.head.is_some() {
            return Ok(true);
        }
        let line = self.line()?;
        self.recent.push_back(line);
        // The lines before the first are as those that were skipped.
        while self.recent.len() < HEAD.len() {
            self.recent.push_front(Line { number: self.lines, text: String::new() });
        }
        self.recent.drain(..self.recent.len() - HEAD.len());
        let whole = fitting(self.recent.iter());
        // Lines that go wrong before a turn do not hide it.
        let may_begin = [1, 2].iter().any(|&skipped| fitting(self.recent.iter().skip(skipped)) == HEAD.len() - skipped);
        if whole == HEAD.len() || whole >= 2 && !may_begin {
            self.begin();
        }
        Ok(self.head.is_some())
    }

    /// Whether the input ended within the first lines of a turn.
    fn begins_at_end(&mut self) -> bool {
        let begun = (1..HEAD.len()).any(|skipped| fitting(self.recent.iter().skip(skipped)) == HEAD.len() - skipped);
        if begun {
            self.begin();
        }
        self.recent.clear();
        begun
    }

    fn begin(&mut self) {
        let lines: Vec<Line> = self.recent.drain(..).collect();
        self.head = lines.try_into().ok();
    }

    /// The lines that a line announces.
    fn counted(&mut self, most: i64, what: &str) -> Result<Vec<Line>, InputFault> {
        let line = self.line()?;
        let [count] = line.numbers()?;
        let count: usize = line.as_part(count, most, what)?;
        (0..count).map(|_| self.line()).collect()
    }

    /// The next line that is not blank, without its end.
    fn line(&mut self) -> Result<Line, InputFault> {
        loop {
            let mut bytes = Vec::new();
            if self.source.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)? == 0 {
                return Err(InputFault::Ended);
            }
            self.lines += 1;
            let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_string();
            if !text.trim().is_empty() {
                return Ok(Line { number: self.lines, text });
            }
        }
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
        let (ground, read) = listener.ground();
        read.map_err(|fault| fault.to_string())?;
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
            ("0 3 1 2 3 4 5 6", "0 3 1 2 3 4 6 5", "line 2: these are not the neighbours of a cell 0"),
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

    /// The ground and a turn.
    fn ground_and_turn() -> [String; 2] {
        let told = told();
        let (ground, turn) = told.split_at(ground_text(&Map::from_seed(1).ground).len());
        [ground, turn].map(str::to_string)
    }

    /// What is answered to one turn after the other: whether it was understood.
    fn answers(told: &str) -> Vec<bool> {
        let mut listener = Listener::new(told.as_bytes());
        let _ = listener.ground();
        std::iter::from_fn(|| match listener.turn() {
            Ok(turn) => turn.map(|_| true),
            Err(_) => Some(false),
        })
        .collect()
    }

    #[test]
    fn every_question_has_one_answer_whatever_is_wrong_with_it() {
        let [ground, turn] = ground_and_turn();
        let lines: Vec<&str> = turn.lines().collect();
        let counts = [4, 4 + 1 + lines[4].parse::<usize>().expect("a number of trees")];
        for place in 0..lines.len() {
            let less = lines[place].parse().map_or(0, |number: i64| number - 1).to_string();
            for (what, instead) in [
                ("left out", vec![]),
                ("said twice", vec![lines[place]; 2]),
                ("after a blank line", vec!["", lines[place]]),
                ("no number", vec!["x"]),
                ("one less", vec![&less]),
            ] {
                let mut changed = lines.clone();
                changed.splice(place..=place, instead);
                let told = format!("{ground}{turn}{}\n{turn}{turn}", changed.join("\n"));
                let answers = answers(&told);
                assert_eq!(answers.len(), 4, "line {place} {what}: {answers:?}");
                assert!(answers[1] || !what.contains("blank"), "line {place}");
                // An action too many is the beginning of the next turn.
                let swallows = place > counts[1] && what == "left out";
                assert!(answers[0] && answers[3] && (answers[2] || swallows), "line {place} {what}: {answers:?}");
            }
        }
    }

    #[test]
    fn what_is_told_between_turns_is_no_question() {
        let [ground, turn] = ground_and_turn();
        for between in
            ["\n", " \n\n", "GROW 19\nSEED 21 5\n", "21 1 0 0\n7\nWAIT\n", "hello\n", "5\n", "7\n5\n", &ground]
        {
            let told = format!("{ground}{turn}{between}{turn}{between}{turn}");
            assert_eq!(answers(&told), [true; 3], "{between:?}");
        }
    }

    #[test]
    fn after_a_fault_the_next_turn_is_found() {
        let [ground, turn] = ground_and_turn();
        let whole = read(format!("{ground}{turn}").as_bytes()).expect("a turn");
        for (from, to) in
            [("\n4\n", "\nx\n"), ("\n4\n", "\n5\n"), ("\n4\n", "\n3\n"), ("\n20\n", "\nx\n"), ("WAIT", "SLEEP")]
        {
            let told = format!("{ground}{}{turn}{turn}", turn.replacen(from, to, 1));
            let mut listener = Listener::new(told.as_bytes());
            assert!(listener.ground().1.is_ok());
            assert!(listener.turn().is_err(), "{to}");
            let turns: Vec<View> = std::iter::from_fn(|| listener.turn().ok().flatten()).collect();
            assert_eq!(turns.len(), 2, "{to}");
            assert!(turns.iter().all(|turn| *turn == whole[0]), "{to}");
        }
        for first in ["36\n", "0\n", "\u{fffd}\n"] {
            let told = ground.replacen("37\n", first, 1) + &turn;
            let mut listener = Listener::new(told.as_bytes());
            assert!(listener.ground().1.is_err(), "{first}");
            assert_eq!(listener.turn().expect("a turn").as_ref(), Some(&whole[0]), "{first}");
        }
    }

    #[test]
    fn of_a_ground_with_a_fault_the_good_cells_are_kept() {
        let [ground, turn] = ground_and_turn();
        let right = Map::from_seed(1).ground;
        let lines: Vec<&str> = ground.lines().collect();
        for place in 0..CELLS {
            let cell = Cell::new(place as u32).expect("a cell");
            let mut expected: Vec<u32> = Cell::all().map(|cell| right.richness(cell)).collect();
            expected[place] = Ground::whole().richness(cell);
            let expected = Ground::new(|cell| expected[cell.index() as usize]).expect("a ground");
            for instead in [vec!["x"], vec!["0 9 1 2 3 4 5 6"], vec![]] {
                let mut changed = lines.clone();
                changed.splice(place + 1..place + 2, instead);
                // Also a turn with a fault is answered after that.
                for first in [turn.clone(), turn.replacen("20", "x", 1)] {
                    let told = format!("{}\n{first}{turn}", changed.join("\n"));
                    let mut listener = Listener::new(told.as_bytes());
                    let (ground, read) = listener.ground();
                    assert!(read.is_err() && ground == expected, "{place}");
                    assert_eq!(listener.turn().is_ok(), first == turn);
                    assert!(listener.turn().expect("a turn").is_some());
                    assert!(listener.turn().expect("the end").is_none());
                }
            }
        }
        let mut none = Listener::new(turn.as_bytes());
        assert!(none.ground().1.is_err() && none.turn().expect("a turn").is_some(), "a turn is no ground");
    }

    #[test]
    fn input_that_is_cut_anywhere_is_a_fault_and_not_the_end_of_the_program() {
        let told = told();
        let [ground, _] = ground_and_turn();
        let last_line = told.trim_end().rfind('\n').expect("many lines");
        for end in 0..=last_line {
            let is_whole = end == ground.len() || end == ground.len() - 1;
            assert_eq!(read(&told.as_bytes()[..end]).is_ok(), is_whole, "{end}");
            let cut = String::from_utf8_lossy(&told.as_bytes()[..end]);
            let answers = answers(&cut);
            // The last line of the ground, cut, may be that of a day.
            let is_answered = if end <= ground.len() { answers.len() <= 1 } else { answers == [false] };
            assert!(is_answered, "{end}: {answers:?}");
        }
        assert!(read(&vec![b'7'; 1 << 20]).is_err(), "a line without end");
        for noise in [&b"\xff\xfe\n"[..], b"\n\n\n", b"37\n\n"] {
            assert!(read(noise).is_err());
        }
    }
}
