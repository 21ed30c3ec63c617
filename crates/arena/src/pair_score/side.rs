//! The statistics of one side of a pairing.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::waiting::SeatResult;
use crate::plan::Limit;

/// The statistics of one side of a pairing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Side {
    /// Number of moves.
    pub moves: u64,
    /// Time of all moves, in seconds.
    pub seconds: f64,
    /// Time of the slowest move, in milliseconds.
    pub longest_ms: f64,
    /// Number of playouts, where it is known.
    pub playouts: u64,
    /// Number of games lost by each fault, by the name of the fault.
    pub faults: BTreeMap<String, u64>,
    /// The last fault in words.
    pub last_fault: Option<String>,
    /// Mean of each column over its games: the numbers of a program's standard error, the depth of an agent.
    pub columns: BTreeMap<String, f64>,
    /// Number of games that had each column.
    #[serde(skip)]
    column_games: BTreeMap<String, u64>,
}

impl Side {
    /// Adds the result of a seat.
    pub(super) fn add(&mut self, seat: &SeatResult) {
        self.moves = self.moves.saturating_add(seat.clock.moves);
        self.seconds += seat.clock.total.as_secs_f64();
        self.longest_ms = self.longest_ms.max(millis(seat.clock.longest));
        self.playouts = self.playouts.saturating_add(seat.clock.playouts);
        if let Some((name, fault)) = &seat.fault {
            *self.faults.entry(name.to_string()).or_default() += 1;
            self.last_fault = Some(fault.clone());
        }
        for (name, value) in &seat.columns {
            let games = self.column_games.entry(name.clone()).or_default();
            *games += 1;
            let mean = self.columns.entry(name.clone()).or_default();
            *mean += (value - *mean) / *games as f64;
        }
    }

    /// Adds the statistics of the same contestant against another one.
    pub fn add_side(&mut self, other: &Side) {
        self.moves = self.moves.saturating_add(other.moves);
        self.seconds += other.seconds;
        self.longest_ms = self.longest_ms.max(other.longest_ms);
        self.playouts = self.playouts.saturating_add(other.playouts);
        for (fault, count) in &other.faults {
            *self.faults.entry(fault.clone()).or_default() += count;
        }
        self.last_fault = other.last_fault.clone().or_else(|| self.last_fault.take());
        for (name, value) in &other.columns {
            let more = other.column_games.get(name).copied().unwrap_or(1);
            let games = self.column_games.entry(name.clone()).or_default();
            *games += more;
            let mean = self.columns.entry(name.clone()).or_default();
            *mean += (value - *mean) * more as f64 / *games as f64;
        }
    }

    /// The end of a sentence about the faults of the side: how to allow late answers, where a limit in time has made
    /// some lose; else nothing.
    pub fn cure(&self, limit: Limit) -> &'static str {
        match limit {
            Limit::Time(_) if self.faults.contains_key("late") => "; --grace TIME allows answers to come later",
            Limit::Time(_) | Limit::Playouts(_) => "",
        }
    }

    /// Average time of a move, in milliseconds.
    pub fn ms_a_move(&self) -> f64 {
        self.seconds * 1e3 / self.moves.max(1) as f64
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grace_cures_late_answers_to_a_limit_in_time_only() {
        let side = |fault: &str| Side { faults: BTreeMap::from([(fault.to_string(), 1)]), ..Side::default() };
        let (time, playouts) = (Limit::Time(Duration::from_millis(9)), Limit::Playouts(9));
        assert!(side("late").cure(time).contains("--grace TIME"));
        assert_eq!([side("late").cure(playouts), side("exited").cure(time), Side::default().cure(time)], [""; 3]);
    }
}
