//! The record of a game.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use boughs::notation::listed;
use serde::{Deserialize, Serialize};

use crate::{exact, plain};

/// The beginning of a line of the referee in the notes of a seat.
pub(crate) const REMARK: &str = "[referee] ";

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Number of the game in the plan of the match, counted from 0.
    pub number: u64,
    /// Round of the game. Games of one round have the same opening and the same luck, and change seats.
    pub round: u64,
    /// The contestant of each seat.
    pub seats: Vec<usize>,
    /// Seed of all random numbers of the game.
    pub seed: u64,
    /// Moves of the opening, which no contestant chose.
    pub opening: Vec<String>,
    /// Moves after the opening, outcomes of chance included.
    pub moves: Vec<String>,
    /// Reward of each seat.
    #[serde(with = "exact::numbers")]
    pub rewards: Vec<f64>,
    /// Ending of the game.
    pub ending: Ending,
    /// Time of each seat.
    pub clocks: Vec<Clock>,
    /// Standard error of the program in each seat; empty for agents.
    pub notes: Vec<String>,
    /// Columns of each seat: the mean of each `[PDATA] name = number` of a program, the mean `depth` of an agent's
    /// searches, and the tallies of the game at its end.
    #[serde(with = "exact::named_lists")]
    pub columns: Vec<BTreeMap<String, f64>>,
    /// Start of the game, in seconds since 1970.
    pub began: f64,
    /// Duration of the game.
    #[serde(with = "exact::nanos")]
    pub took: Duration,
}

/// The ending of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The game ended by its rules.
    Over,
    /// The game reached the greatest number of moves a game may have, or of questions that its contest allows.
    Cut,
    /// These seats lost by these faults against the rules of the arena. There can be two in a game with choices at the
    /// same time.
    Forfeit(Vec<(usize, Fault)>),
}

impl Ending {
    /// The seats that lost by a fault, and their faults.
    pub fn faults(&self) -> &[(usize, Fault)] {
        match self {
            Ending::Over | Ending::Cut => &[],
            Ending::Forfeit(faults) => faults,
        }
    }
}

/// A fault that loses a game at once, or a resignation. `Display` writes it as the rest of a sentence about the
/// contestant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The program did not start, for this reason.
    NotStarted(String),
    /// The answer did not come in the time that was allowed.
    Late {
        /// Time after which it came, or was given up.
        #[serde(with = "exact::nanos")]
        after: Duration,
        /// Time that was allowed.
        #[serde(with = "exact::nanos")]
        allowed: Duration,
    },
    /// The program ended before it answered, with this status.
    Exited(String),
    /// The answer was this, which is no legal move. A second line, if there is one, lists legal moves.
    Illegal(String),
    /// The program wrote more than it was asked for: a line without end, or one without a question.
    Flooded,
    /// The program does not read its input.
    Deaf,
    /// The search failed, or a program refused a command, for this reason.
    Failed(String),
    /// The program resigned.
    Resigned,
}

impl Fault {
    /// An answer that is none of the legal moves.
    pub(crate) fn illegal(answer: &str, legal: &[String]) -> Fault {
        Fault::Illegal(format!("{}\n{}", plain::shown(answer), listed(legal)))
    }

    /// Writes the fault as `Display` does, with the last line of the standard error of a program that has ended.
    pub fn with_last_words(&self, notes: &str) -> String {
        match self {
            Fault::NotStarted(_) | Fault::Exited(_) => format!("{self}{}", last_words(notes)),
            _ => self.to_string(),
        }
    }

    /// The name of the fault in tables and in the store.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::NotStarted(_) => "not started",
            Fault::Late { .. } => "late",
            Fault::Exited(_) => "exited",
            Fault::Illegal(_) => "illegal",
            Fault::Flooded => "flooded",
            Fault::Deaf => "deaf",
            Fault::Failed(_) => "failed",
            Fault::Resigned => "resigned",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotStarted(why) => write!(f, "could not be started: {why}"),
            Fault::Late { after, allowed } => {
                write!(f, "was late: no answer after {:.1} ms, {:.1} allowed", millis(*after), millis(*allowed))
            }
            Fault::Exited(status) => write!(f, "ended before it answered ({status})"),
            Fault::Illegal(answer) => {
                let (answer, legal) = answer.split_once('\n').unwrap_or((answer, ""));
                write!(f, "answered '{answer}', which is not a legal move")?;
                if legal.is_empty() { Ok(()) } else { write!(f, "; legal are {legal}") }
            }
            Fault::Flooded => f.write_str("wrote more than it was asked for"),
            Fault::Deaf => f.write_str("does not read its input"),
            Fault::Failed(why) => write!(f, "failed: {why}"),
            Fault::Resigned => f.write_str("resigned"),
        }
    }
}

/// The last line of a program's notes, as the end of a sentence about it.
pub(crate) fn last_words(notes: &str) -> String {
    let is_its_own = |line: &&str| !line.is_empty() && !line.starts_with(REMARK);
    let last = notes.lines().map(str::trim).rfind(is_its_own);
    last.map_or(String::new(), |last| format!(", and said last '{}'", plain::shown(last)))
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The time of a seat, measured outside of the contestant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// Number of moves.
    pub moves: u64,
    /// Time of all moves together.
    #[serde(with = "exact::nanos")]
    pub total: Duration,
    /// Time of the slowest move.
    #[serde(with = "exact::nanos")]
    pub longest: Duration,
    /// Number of playouts, where it is known.
    pub playouts: u64,
}

impl Clock {
    /// Adds a move.
    pub fn add(&mut self, took: Duration, playouts: u64) {
        self.moves += 1;
        self.total += took;
        self.longest = self.longest.max(took);
        self.playouts += playouts;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let columns = [("depth", 0.1 + 0.2), ("odd", f64::INFINITY), ("worse", f64::NEG_INFINITY)];
        let columns: BTreeMap<String, f64> = columns.map(|(name, value)| (name.to_string(), value)).into();
        let times = |nanos| Duration::from_nanos(nanos);
        let faults = [
            Fault::NotStarted("no such file".into()),
            Fault::Late { after: times(1_000_000_007), allowed: times(1_000_000_000) },
            Fault::Flooded,
        ];
        for ending in [Ending::Over, Ending::Cut]
            .into_iter()
            .chain(faults.map(|fault| Ending::Forfeit(vec![(1, fault), (0, Fault::Resigned)])))
        {
            let record = Record {
                number: (1 << 48) - 1,
                round: 7,
                seats: vec![1, 0],
                seed: u64::MAX,
                opening: vec!["a1".into()],
                moves: vec!["b2".into(), "c3".into()],
                rewards: vec![1.0 / 3.0, 2.0 / 3.0],
                ending,
                clocks: vec![Clock { moves: 3, total: times(123_456_789), longest: times(1), playouts: 9 }; 2],
                notes: vec![String::new(), "a line\nand \u{1b} another".into()],
                columns: vec![columns.clone(), BTreeMap::new()],
                began: 1_700_000_000.123_456_7,
                took: times(987_654_321),
            };
            let text = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record, "{text}");
        }
        let nan: Exactly = serde_json::from_str(r#"["NaN", 1.5]"#).unwrap();
        assert!(nan.0[0].is_nan() && nan.0[1] == 1.5);
    }

    #[derive(Deserialize)]
    struct Exactly(#[serde(with = "exact::numbers")] Vec<f64>);
}
