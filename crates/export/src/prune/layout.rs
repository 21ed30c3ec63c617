//! The places of lines in the texts that the compiler checks one after the other.
//!
//! An incremental compiler looks again at every function whose place in the text has changed, and at every
//! implementation that has another number among all. So the lines that a text has in common with the last one keep
//! their rows: rows of lines that are gone stay empty, and empty implementations take the numbers of those that went.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::print::lines::Line;

/// The type whose implementations are empty. Its name is none that a file has.
const PLACEHOLDER: &str = "#[allow(dead_code)]struct BoughsPlaceholder;";

const EMPTY: &str = "impl BoughsPlaceholder{}";

/// The rows of a text.
#[derive(Default)]
pub(super) struct Layout {
    lines: Vec<Line>,
    /// The row of each line.
    rows: Vec<usize>,
    /// The number of implementations in each row, with the empty ones.
    implementations: Vec<usize>,
}

/// A text with its rows.
pub(super) struct Placed {
    pub text: String,
    pub layout: Layout,
    /// The first byte of each line here, and in the text of the lines alone.
    starts: Vec<(usize, usize)>,
}

impl Layout {
    /// Gives each line its row.
    pub(super) fn place(&self, lines: &[Line]) -> Placed {
        let rows = self.rows_of(lines);
        let count = rows.last().map_or(0, |last| last + 1).max(self.implementations.len());
        let mut left = lines.iter().zip(&rows).peekable();
        let (mut text, mut starts, mut implementations) = (String::new(), Vec::new(), Vec::new());
        // Attributes of the whole file stand before every item.
        let has_attributes = lines.first().is_some_and(|first| first.text.starts_with("#!"));
        let (mut alone, mut is_between_items) = (0, !has_attributes);
        // Implementations so far, in the last text and in this one.
        let (mut old, mut new) = (0, 0);
        for row in 0..count {
            let before = new;
            while let Some((line, _)) = left.next_if(|(_, of)| **of == row) {
                starts.push((text.len(), alone));
                text.push_str(&line.text);
                alone += line.text.len() + 1;
                new += usize::from(line.is_implementation);
                is_between_items = line.ends_item;
            }
            old += self.implementations.get(row).copied().unwrap_or_default();
            while is_between_items && new < old {
                text.push_str(EMPTY);
                new += 1;
            }
            implementations.push(new - before);
            text.push('\n');
        }
        text.push_str(PLACEHOLDER);
        Placed { text, layout: Layout { lines: lines.to_vec(), rows, implementations }, starts }
    }

    fn rows_of(&self, lines: &[Line]) -> Vec<usize> {
        if self.lines.is_empty() {
            return (0..lines.len()).collect();
        }
        let mut rows: Vec<usize> = Vec::with_capacity(lines.len());
        for change in capture_diff_slices(Algorithm::Patience, &self.lines, lines) {
            let (_, old, new) = change.as_tag_tuple();
            let free = &self.rows[old];
            match change {
                DiffOp::Equal { .. } => rows.extend(free),
                // Lines for which there is no row share the last one.
                _ => new.enumerate().for_each(|(at, _)| {
                    let last = free.last().or(rows.last()).copied();
                    rows.push(free.get(at).copied().or(last).unwrap_or_default());
                }),
            }
        }
        rows
    }
}

impl Placed {
    /// The place in the text of the lines alone; `None` for what is in none of them.
    pub(super) fn alone(&self, place: Range<usize>) -> Option<Range<usize>> {
        let at = self.starts.partition_point(|(start, _)| *start <= place.start).checked_sub(1)?;
        let (start, alone) = self.starts[at];
        let length = self.layout.lines[at].text.len();
        (place.start <= start + length).then(|| alone + place.start - start..alone + (place.end - start).min(length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::lines::{join, lines};

    fn lines_of(text: &str) -> Vec<Line> {
        lines(&syn::parse_file(text).expect("items"))
    }

    /// The row and the text of each row that is not empty.
    fn rows(placed: &Placed) -> Vec<(usize, &str)> {
        placed.text.lines().enumerate().filter(|(_, text)| !text.is_empty() && *text != PLACEHOLDER).collect()
    }

    #[test]
    fn lines_that_stay_keep_their_rows_and_their_numbers() {
        let first = Layout::default().place(&lines_of("impl A { fn a() {} fn b() {} } impl B { fn c() {} } fn d() {}"));
        let second = first.layout.place(&lines_of("impl B { fn c() {} } fn new() {} fn d() {}"));
        let expected = [(0, EMPTY), (4, "impl B{"), (5, "fn c(){}"), (6, "}fn new(){}"), (7, "fn d(){}")];
        assert_eq!(rows(&second), expected);
        // And once more, with nothing changed.
        assert_eq!(second.layout.place(&lines_of("impl B { fn c() {} } fn new() {} fn d() {}")).text, second.text);
    }

    #[test]
    fn a_member_that_goes_leaves_the_others_in_their_rows() {
        let first = Layout::default().place(&lines_of("impl A { fn a() {} fn b() {} fn c() {} }"));
        let second = first.layout.place(&lines_of("impl A { fn a() {} fn c() { 1; } }"));
        assert_eq!(rows(&second), [(0, "impl A{"), (1, "fn a(){}"), (2, "fn c(){1;}"), (4, "}")]);
    }

    #[test]
    fn attributes_of_the_file_stand_before_the_implementations_in_the_place_of_old_ones() {
        let first = Layout::default().place(&lines_of("impl A {} impl B {} fn a() {}"));
        let second = first.layout.place(&lines_of("#![allow(unused)] impl C {} fn b() {}"));
        assert!(second.text.trim_start().starts_with("#![allow(unused)]"), "{}", second.text);
    }

    #[test]
    fn a_place_is_found_in_the_text_of_the_lines_alone() {
        let first = Layout::default().place(&lines_of("fn a() {} impl A { fn b() {} }"));
        let lines = lines_of("fn c() {} impl A { fn c() {} fn b() {} }");
        let placed = first.layout.place(&lines);
        let at = placed.text.find("b()").expect("a method");
        let alone = placed.alone(at..at + 1).expect("a place");
        assert_eq!(&join(&lines)[alone], "b");
        assert_eq!(placed.alone(placed.text.find(PLACEHOLDER).expect("it")..placed.text.len()), None);
    }
}
