//! Cases of the contest: the flavours of all candies, and the cells they are placed in. A file of a case has the
//! flavours in its first line and then a line for each placement.

use std::fmt;
use std::str::FromStr;

use boughs::Rng;

use super::CELLS;

/// The flavours, which are known from the beginning, and the placements, which are told one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    /// The flavours of the candies, 1 to 3, in the order they come.
    pub flavours: [u8; CELLS],
    /// The empty cell that each candy is put in, counted from 1 row by row from the front.
    pub placements: [u8; CELLS],
}

/// The stream of a seed's random numbers that makes a case.
const STREAM: u64 = 0xa4c0_1500;

impl Case {
    /// Makes the case of a seed. All flavours and all placements are equally likely.
    pub fn generate(seed: u64) -> Case {
        let mut rng = Rng::new(seed, STREAM);
        let flavours = std::array::from_fn(|_| 1 + rng.below(3) as u8);
        let placements = std::array::from_fn(|turn| 1 + rng.below((CELLS - turn) as u32) as u8);
        Case { flavours, placements }
    }
}

/// Writes a case as a file of the contest.
impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.flavours.map(|flavour| flavour.to_string()).join(" "))?;
        self.placements.iter().try_for_each(|placement| writeln!(f, "{placement}"))
    }
}

/// A fault in the text of a case. `Display` gives one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseError(String);

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CaseError {}

impl FromStr for Case {
    type Err = CaseError;

    fn from_str(text: &str) -> Result<Case, CaseError> {
        let mut lines = text.lines();
        let flavours = flavours_of(lines.next().unwrap_or_default())?;
        let mut placements = [0; CELLS];
        for (turn, placement) in placements.iter_mut().enumerate() {
            let (line, most) = (turn + 2, CELLS - turn);
            let word = lines.next().ok_or_else(|| {
                CaseError(format!(
                    "the file ends before line {line}; after the flavours come {CELLS} lines with a placement each"
                ))
            })?;
            let number = word.trim().parse().ok().filter(|number| (1..=most).contains(number));
            *placement = number.ok_or_else(|| {
                CaseError(format!("line {line} should be a number from 1 to {most}, an empty cell, not '{word}'"))
            })? as u8;
        }
        match lines.find(|line| !line.trim().is_empty()) {
            None => Ok(Case { flavours, placements }),
            Some(line) => {
                Err(CaseError(format!("'{line}' stands after the last placement; the file should end there")))
            }
        }
    }
}

/// Reads the line that tells the flavours.
///
/// # Errors
/// One sentence about the fault.
pub fn flavours_of(line: &str) -> Result<[u8; CELLS], CaseError> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut flavours = [0; CELLS];
    if words.len() != CELLS {
        let found = words.len();
        return Err(CaseError(format!("the first line should have {CELLS} flavours, and has {found} words")));
    }
    for (flavour, word) in flavours.iter_mut().zip(words) {
        let number = word.parse().ok().filter(|number| (1..=3).contains(number));
        *flavour = number.ok_or_else(|| CaseError(format!("a flavour should be 1, 2 or 3, not '{word}'")))?;
    }
    Ok(flavours)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_reads_back_from_its_text() {
        for seed in 0..20 {
            let case = Case::generate(seed);
            assert_eq!(case.to_string().parse(), Ok(case));
            assert_eq!(case.to_string().trim_end().replace('\n', "\r\n").parse(), Ok(case));
        }
    }

    #[test]
    fn cases_of_neighbouring_seeds_have_nothing_in_common() {
        let equal = |seed: u64| {
            let (one, other) = (Case::generate(seed), Case::generate(seed + 1));
            let pairs = one.flavours.iter().zip(&other.flavours[1..]).filter(|(a, b)| a == b).count();
            let same = one.flavours.iter().zip(&other.flavours).filter(|(a, b)| a == b).count();
            pairs.max(same)
        };
        assert!((0..200).all(|seed| equal(seed) < 60));
    }

    #[test]
    fn a_bad_file_is_told_what_is_wrong_where() {
        let good = Case::generate(1).to_string();
        let message = |text: &str| text.parse::<Case>().expect_err(text).to_string();
        assert_eq!(message(""), "the first line should have 100 flavours, and has 0 words");
        let flavours = "1 ".repeat(99);
        assert_eq!(message(&format!("{flavours} 4")), "a flavour should be 1, 2 or 3, not '4'");
        assert_eq!(
            message(&format!("{flavours} 3\n101\n")),
            "line 2 should be a number from 1 to 100, an empty cell, not '101'"
        );
        assert!(message(&format!("{flavours} 3\n100\n")).starts_with("the file ends before line 3; "));
        assert_eq!(message(&format!("{good}\n7")), "'7' stands after the last placement; the file should end there");
    }
}
