//! The openings of games, as text.

use std::str::FromStr;

use crate::Openings;

/// The most random moves. A longer opening would leave no game.
pub(crate) const MOST_PLIES: u32 = 1_000;

impl FromStr for Openings {
    type Err = String;

    /// Reads `start`, `random:PLIES`, `random:LEAST-MOST`, or the name of a file with an opening in each line.
    fn from_str(text: &str) -> Result<Openings, String> {
        if text == "start" {
            return Ok(Openings::Start);
        }
        let Some(plies) = text.strip_prefix("random:") else { return listed(text) };
        let (least, most) = plies.split_once('-').unwrap_or((plies, plies));
        match (least.parse(), most.parse()) {
            (Ok(least), Ok(most)) if least <= most && most <= MOST_PLIES => Ok(Openings::Random(least, most)),
            _ => Err(format!("'{plies}' is no number of plies up to {MOST_PLIES}; write random:4, or random:2-6")),
        }
    }
}

/// Reads a file of openings.
fn listed(file: &str) -> Result<Openings, String> {
    let text = boughs::named_file::read_to_string(file.as_ref()).map_err(|error| {
        format!("the file '{file}' cannot be read ({error}); openings are start, random:PLIES or a file of moves")
    })?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<String> = lines.map(str::to_string).collect();
    match lines.is_empty() {
        true => Err(format!("the file '{file}' has no opening; write the moves of one in each line")),
        false => Ok(Openings::Listed { file: file.to_string(), lines }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_read() {
        assert_eq!("start".parse::<Openings>(), Ok(Openings::Start));
        assert_eq!("random:4".parse::<Openings>(), Ok(Openings::Random(4, 4)));
        assert_eq!("random:2-6".parse::<Openings>(), Ok(Openings::Random(2, 6)));
        for text in ["random:", "random:6-2", "random:x", "random:-1", "random:1001", "no such file"] {
            assert!(text.parse::<Openings>().is_err(), "{text}");
        }
    }
}
