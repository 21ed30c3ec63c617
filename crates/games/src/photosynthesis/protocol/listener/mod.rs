//! Reading of a player's questions, from a source that is not trusted.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::BufRead;

use super::super::cell::{CELLS, Cell};
use super::super::map::Ground;
use super::super::position::DAYS;
use super::line::Line;
use super::view::View;
use crate::contest_protocol::{InputFault, read_line};

/// Reads a player's questions line by line. Blank lines are skipped everywhere.
///
/// A turn begins with four lines of one, one, two and three numbers. Other lines before them are skipped: the rest of a
/// turn that could not be read, or the ground told again. If two of four lines fit, they count as the beginning of a
/// turn whose other lines are wrong. So every question is noticed exactly once, and other lines are not taken for a
/// question.
#[derive(Debug)]
pub struct Listener<R> {
    source: R,
    lines: usize,
    /// The last lines, none of which belongs to a turn so far.
    recent: VecDeque<Line>,
    /// The first lines of a turn whose rest is still to be read.
    head: Option<[Line; HEAD.len()]>,
}

/// Bounds of the announced trees and actions. A well-meaning referee stays below them.
const MOST_TREES: i64 = CELLS as i64;
const MOST_ACTIONS: i64 = 1 + MOST_TREES * (1 + MOST_TREES);
/// The largest accepted number of nutrients.
const MOST_NUTRIENTS: i64 = 255;

/// Counts of the numbers in the first lines of a turn: day, nutrients, the player's sun and points, and the other
/// player's.
const HEAD: [usize; 4] = [1, 1, 2, 3];

/// Counts the lines that fit the first lines of a turn.
fn fitting<'l>(lines: impl Iterator<Item = &'l Line>) -> usize {
    lines.zip(HEAD).filter(|(line, count)| line.has_numbers(*count)).count()
}

impl<R: BufRead> Listener<R> {
    /// Reads from a source. A source that stops waiting gives an error of the kind
    /// [`TimedOut`](std::io::ErrorKind::TimedOut).
    pub fn new(source: R) -> Listener<R> {
        Listener { source, lines: 0, recent: VecDeque::new(), head: None }
    }

    /// The source of the lines.
    pub fn source(&mut self) -> &mut R {
        &mut self.source
    }

    /// Reads the ground, and returns its first fault if it has one. A cell whose line has a fault gets the richness of
    /// a board without holes.
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
            // The line may already belong to a turn.
            self.recent.push_back(count);
        }
        for _ in 0..CELLS {
            match self.hears_head() {
                Ok(true) => {
                    let what = format!("a turn begins here, before all {CELLS} cells were told");
                    return read.and(Err(InputFault::Line { number: Some(self.lines), what }));
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

    /// Reads on until a turn begins. Returns false if the input ends before.
    ///
    /// # Errors
    /// The input cannot be read.
    pub fn begins_turn(&mut self) -> Result<bool, InputFault> {
        loop {
            match self.hears_head() {
                Ok(false) => {}
                Err(InputFault::Ended { .. }) => return Ok(self.begins_at_end()),
                heard => return heard,
            }
        }
    }

    /// Reads the question of a turn; `None` if the input ends before it.
    ///
    /// # Errors
    /// The first fault of the question.
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

    /// Reads a line, unless a turn has begun already. Returns true if a turn has begun.
    fn hears_head(&mut self) -> Result<bool, InputFault> {
        if self.head.is_some() {
            return Ok(true);
        }
        let line = self.line()?;
        self.recent.push_back(line);
        // Lines before the first one count as skipped lines.
        while self.recent.len() < HEAD.len() {
            self.recent.push_front(Line { number: self.lines, text: String::new() });
        }
        self.recent.drain(..self.recent.len() - HEAD.len());
        let whole = fitting(self.recent.iter());
        // Faulty lines before a turn do not hide it.
        let may_begin = [1, 2].iter().any(|&skipped| fitting(self.recent.iter().skip(skipped)) == HEAD.len() - skipped);
        if whole == HEAD.len() || whole >= 2 && !may_begin {
            self.begin();
        }
        Ok(self.head.is_some())
    }

    /// Returns true if the input ended within the first lines of a turn.
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

    /// Reads the lines that a line announces.
    fn counted(&mut self, most: i64, what: &str) -> Result<Vec<Line>, InputFault> {
        let line = self.line()?;
        let [count] = line.numbers()?;
        let count: usize = line.as_part(count, most, what)?;
        (0..count).map(|_| self.line()).collect()
    }

    /// Reads the next line that is not blank, and removes its end.
    fn line(&mut self) -> Result<Line, InputFault> {
        loop {
            let text = read_line(&mut self.source)?.ok_or(InputFault::Ended { expected: None })?;
            self.lines += 1;
            if !text.trim().is_empty() {
                return Ok(Line { number: self.lines, text });
            }
        }
    }
}
