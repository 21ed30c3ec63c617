//! The explanation of an answer, letter by letter: plain data, and a readable text of it.

use std::fmt::{Display, Formatter, Result};

use super::Candidate;

/// The path from the root to a leaf, with every value that was compared. `Display` writes it as aligned tables.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// C, the weight of the exploration terms.
    pub constant: f64,
    /// The nodes where a choice was made, from the root down, without the leaf.
    pub steps: Vec<Step>,
}

/// The choice made at one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The letters on the path to this node; empty at the root.
    pub path: String,
    /// The number of playouts through this node.
    pub visits: u64,
    /// The children in ascending order of letters; never empty.
    pub candidates: Vec<Candidate>,
    /// The letter of the child that was chosen.
    pub chosen: char,
    /// The reason for the choice.
    pub decision: Decision,
}

/// The reason for a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The node has one child.
    OnlyChild,
    /// The child's value was greater than any other.
    GreatestValue,
    /// The child has the smallest letter of those with the same value.
    SmallestLetter {
        /// The tied letters: all the others if no value is a number.
        tied: Vec<char>,
    },
}

impl Explanation {
    /// The letters on the path.
    pub fn answer(&self) -> String {
        self.steps.iter().map(|step| step.chosen).collect()
    }
}

impl Step {
    pub(super) fn new(path: String, visits: u64, candidates: Vec<Candidate>, chosen: usize) -> Step {
        let Candidate { letter: chosen, value, .. } = candidates[chosen];
        let ties = |other: &&Candidate| other.letter != chosen && (other.value == value || value.is_nan());
        let tied: Vec<char> = candidates.iter().filter(ties).map(|other| other.letter).collect();
        let decision = match (candidates.len(), tied.is_empty()) {
            (1, _) => Decision::OnlyChild,
            (_, true) => Decision::GreatestValue,
            (_, false) => Decision::SmallestLetter { tied },
        };
        Step { path, visits, candidates, chosen, decision }
    }

    /// Returns true if the chosen child and a tied one have different means, which rounding (or infinity) took out of
    /// their values.
    fn means_were_lost(&self, tied: &[char]) -> bool {
        let level = |candidate: &&Candidate| candidate.letter == self.chosen || tied.contains(&candidate.letter);
        let mut means = self.candidates.iter().filter(level).map(|candidate| candidate.mean);
        let first = means.next();
        means.any(|mean| Some(mean) != first)
    }
}

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "C = {:?}\n", self.constant)?;
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        match self.answer().as_str() {
            "" => writeln!(f, "The tree has no moves."),
            answer => writeln!(f, "{answer} is a leaf. The answer is {answer}."),
        }
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let Step { path, visits, candidates, chosen, decision } = self;
        let name = if path.is_empty() { "root" } else { path };
        writeln!(f, "{name}, {visits} visit{}", if *visits == 1 { "" } else { "s" })?;

        let visits = candidates.iter().map(|candidate| candidate.visits.to_string()).collect();
        let columns = [
            ("visits", visits),
            ("mean", numbers(candidates, |candidate| candidate.mean)),
            ("exploration", numbers(candidates, |candidate| candidate.exploration)),
            ("value", numbers(candidates, |candidate| candidate.value)),
        ];
        let widths =
            columns.each_ref().map(|(title, cells)| cells.iter().map(String::len).fold(title.len(), usize::max));
        write!(f, "  move")?;
        for ((title, _), width) in columns.iter().zip(widths) {
            write!(f, "  {title:>width$}")?;
        }
        writeln!(f)?;
        for (row, Candidate { letter, .. }) in candidates.iter().enumerate() {
            write!(f, "  {letter:<4}")?;
            for ((_, cells), width) in columns.iter().zip(widths) {
                write!(f, "  {:>width$}", cells[row])?;
            }
            writeln!(f, "{}", if letter == chosen { "  <-" } else { "" })?;
        }

        match decision {
            Decision::OnlyChild => writeln!(f, "{chosen} is the only child."),
            Decision::GreatestValue => writeln!(f, "{chosen} has the greatest value."),
            Decision::SmallestLetter { tied } => {
                let letters: Vec<String> = tied.iter().map(char::to_string).collect();
                let lost =
                    if self.means_were_lost(tied) { ", though their means differ: rounding hides it" } else { "" };
                writeln!(f, "{chosen} has the same value as {}{lost}. The smaller letter wins.", letters.join(" and "))
            }
        }
    }
}

/// Writes one number of each candidate, with enough decimals, at least six, to tell different numbers apart.
fn numbers(candidates: &[Candidate], of: impl Fn(&Candidate) -> f64) -> Vec<String> {
    const MOST_DECIMALS: usize = 20;
    let numbers: Vec<f64> = candidates.iter().map(of).collect();
    let mut sorted = numbers.clone();
    sorted.sort_by(f64::total_cmp);
    let tells_apart = |&decimals: &usize| {
        let mut different = sorted.windows(2).filter(|pair| pair[0] < pair[1]);
        different.all(|pair| write_number(pair[0], decimals) != write_number(pair[1], decimals))
    };
    let decimals = (6..MOST_DECIMALS).find(tells_apart).unwrap_or(MOST_DECIMALS);
    numbers.into_iter().map(|number| write_number(number, decimals)).collect()
}

/// Writes a number of any size in a width that fits a table.
fn write_number(number: f64, decimals: usize) -> String {
    let plain = number == 0.0 || (1e-3..1e12).contains(&number.abs());
    if plain { format!("{number:.decimals$}") } else { format!("{number:.decimals$e}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Puzzle, Tree};

    fn text(puzzle: &str) -> String {
        Puzzle::parse(puzzle).unwrap().explain().to_string()
    }

    #[test]
    fn every_node_on_the_way_is_shown_with_its_children() {
        let expected = "\
C = 1.5

root, 7 visits
  move  visits       mean  exploration      value
  a          3  31.000000     1.208070  32.208070  <-
  c          4  14.000000     1.046219  15.046219
a has the greatest value.

a, 3 visits
  move  visits        mean  exploration       value
  c          1    5.000000     1.572221    6.572221
  d          1  100.000000     1.572221  101.572221  <-
d has the greatest value.

ad is a leaf. The answer is ad.
";
        assert_eq!(text("7 1.5\nca 1\nab -12\nca 2\nac 5\ncb 3\nad 100\nca 50\n"), expected);
    }

    #[test]
    fn an_only_child_is_called_so() {
        let expected = "\
C = 0.0

root, 1 visit
  move  visits      mean  exploration     value
  c          1  1.000000     0.000000  1.000000  <-
c is the only child.

c is a leaf. The answer is c.
";
        assert_eq!(text("1 0\nc 1"), expected);
    }

    #[test]
    fn a_tie_names_the_letters_and_whether_rounding_made_it() {
        let tie = |puzzle: &str| text(puzzle).lines().find(|line| line.contains("same value")).map(str::to_owned);
        let expected = "A has the same value as b and c. The smaller letter wins.";
        assert_eq!(tie("4 0.5\nc 2\nb 2\nA 2\nd 1").as_deref(), Some(expected));
        let expected =
            "a has the same value as b, though their means differ: rounding hides it. The smaller letter wins.";
        assert_eq!(tie("2 1e18\na -30\nb 30").as_deref(), Some(expected));
        assert_eq!(tie("2 1\na -30\nb 30"), None);
    }

    #[test]
    fn different_values_are_written_with_enough_digits_to_see_it() {
        let values = |puzzle: &str| -> Vec<String> {
            let step = &Puzzle::parse(puzzle).unwrap().explain().steps[0];
            numbers(&step.candidates, |candidate| candidate.value)
        };
        assert_eq!(values("2 0\na 0.1\nb 0.2"), ["0.100000", "0.200000"]);
        assert_eq!(values("2 0\na 1\nb 1.00000001"), ["1.00000000", "1.00000001"]);
        assert_eq!(values("2 0\na 0.6000000000000001\nb 0.6"), ["0.6000000000000001", "0.6000000000000000"]);
        assert_eq!(values("2 0\na 0\nb 3e-17"), ["0.000000", "3.000000e-17"]);
        assert_eq!(values("2 1e17\na -30\nb 30"), ["8.32554611157697e16", "8.32554611157698e16"]);
    }

    #[test]
    fn a_tree_without_moves_is_explained_too() {
        let explanation = Tree::build(&[]).explain(1.0);
        assert_eq!(explanation.answer(), "");
        assert_eq!(explanation.to_string(), "C = 1.0\n\nThe tree has no moves.\n");
    }
}
