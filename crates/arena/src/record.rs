//! What is kept of a game.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its number in the plan of the match, counted from 0.
    pub number: u64,
    /// Games of one round have the same opening and the same luck; seats change from one to the next.
    pub round: u64,
    /// Which contestant had each seat.
    pub seats: Vec<usize>,
    /// From which all randomness of the game comes.
    pub seed: u64,
    /// The moves it began with, which nobody chose.
    pub opening: Vec<String>,
    /// The moves after that, those of chance included.
    pub moves: Vec<String>,
    /// What each seat got.
    pub rewards: Vec<f64>,
    /// How it ended.
    pub ending: Ending,
    /// The time each seat took.
    pub clocks: Vec<Clock>,
    /// What programs said on standard error, by seat; empty for agents.
    pub notes: Vec<String>,
    /// What was counted, by seat: the mean of each `[PDATA] name = number` of a program, `depth`, how many moves ahead the
    /// searches of an agent looked on average, and what the game counts in the end.
    pub columns: Vec<BTreeMap<String, f64>>,
    /// When it began, in seconds since 1970.
    pub began: f64,
    /// How long it took.
    pub took: Duration,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By its rules.
    Over,
    /// It reached the greatest number of moves a game may have, or of questions that its contest allows.
    Cut,
    /// Somebody broke the rules of the arena and lost by that: these seats by these faults. Two can where both choose at the same
    /// time.
    Forfeit(Vec<(usize, Fault)>),
}

impl Ending {
    /// Who lost by a fault, and by which.
    pub fn faults(&self) -> &[(usize, Fault)] {
        match self {
            Ending::Over | Ending::Cut => &[],
            Ending::Forfeit(faults) => faults,
        }
    }
}

/// What loses a game at once. `Display` says what happened, as the rest of a sentence about who did it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It did not begin, for this reason.
    NotStarted(String),
    /// It gave its answer, or would have given it, later than was allowed.
    Late {
        /// After so long.
        after: Duration,
        /// What was allowed.
        allowed: Duration,
    },
    /// It ended in the middle of the game, with this status.
    Exited(String),
    /// It answered with this, which is no legal move.
    Illegal(String),
    /// It wrote more than it was asked for: a line without end, or one that nobody had asked for.
    Flooded,
    /// It does not read what it is told.
    Deaf,
    /// The search failed, for this reason.
    Failed(String),
}

impl Fault {
    /// One word, as it stands in tables and the store.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::NotStarted(_) => "not started",
            Fault::Late { .. } => "late",
            Fault::Exited(_) => "exited",
            Fault::Illegal(_) => "illegal",
            Fault::Flooded => "flooded",
            Fault::Deaf => "deaf",
            Fault::Failed(_) => "failed",
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
            Fault::Exited(status) => write!(f, "ended in the middle of the game ({status})"),
            Fault::Illegal(answer) => write!(f, "answered '{answer}', which is not a legal move"),
            Fault::Flooded => f.write_str("wrote more than it was asked for"),
            Fault::Deaf => f.write_str("does not read its input"),
            Fault::Failed(why) => write!(f, "failed: {why}"),
        }
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// The time a seat took, measured outside of who sat there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Moves it made.
    pub moves: u64,
    /// The time they took together.
    pub total: Duration,
    /// The longest of them.
    pub longest: Duration,
    /// Playouts it made, where they are known.
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
