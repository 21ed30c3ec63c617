//! The limits of a search, and what is told while it runs.

use std::time::Duration;

use boughs::{Budget, GameClock, Report};

/// Time before the end of a move's time at which the search ends, for the way of the answer.
const MARGIN: Duration = Duration::from_millis(10);

/// The limits of `go`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Limits {
    move_time: Option<Duration>,
    nodes: Option<u64>,
    /// The times of both players, and what each move adds.
    clocks: [Option<Duration>; 2],
    increments: [Duration; 2],
}

impl Limits {
    /// Reads the words after `go`. Depths are no limit of this search and do not count.
    pub(super) fn read(words: &[&str]) -> Result<Limits, String> {
        let mut limits = Limits::default();
        let mut words = words.iter();
        while let Some(&name) = words.next() {
            if ["infinite", "ponder"].contains(&name) {
                continue;
            }
            let number = words.next().and_then(|word| word.parse::<i64>().ok());
            let number = number.ok_or_else(|| format!("'go {name}' needs a whole number"))?.max(0).unsigned_abs();
            let time = Duration::from_millis(number);
            match name {
                "movetime" => limits.move_time = Some(time),
                "nodes" => limits.nodes = Some(number.max(1)),
                "p1time" | "btime" => limits.clocks[0] = Some(time),
                "p2time" | "wtime" => limits.clocks[1] = Some(time),
                "p1inc" | "binc" => limits.increments[0] = time,
                "p2inc" | "winc" => limits.increments[1] = time,
                "depth" | "movestogo" => {}
                _ => return Err(format!("'go {name}' is not known; give movetime, nodes, or the clocks of both")),
            }
        }
        Ok(limits)
    }

    /// Returns true if nothing but `stop` ends the search.
    pub(super) fn are_none(self) -> bool {
        self == Limits { increments: self.increments, ..Limits::default() }
    }

    /// The budget of a player's move. Without a limit a search ends by `stop`.
    pub(super) fn budget(self, player: usize) -> Budget {
        let of_clock =
            self.clocks[player].map(|left| GameClock::new(left).with_increment(self.increments[player]).for_move());
        match (self.move_time.or(of_clock), self.nodes) {
            (Some(time), _) => Budget::time(time.saturating_sub(MARGIN.min(time / 2))),
            (None, Some(nodes)) => Budget::iterations(nodes),
            (None, None) => Budget::whole(),
        }
    }
}

/// A line about a search: depth, playouts, time, the score of the best move and the expected moves.
pub(super) fn info(report: &Report) -> String {
    let best = report.best.as_ref().map(|best| best.action);
    let child = report.children.iter().find(|child| Some(child.action) == best && child.playouts > 0);
    let Some(child) = child else { return String::new() };
    let line: Vec<&str> = report.pv.iter().map(|step| step.text.as_str()).collect();
    format!(
        "info depth {} nodes {} nps {:.0} time {:.0} score cp {} pv {}\n",
        report.depth,
        report.iterations + report.inherited,
        report.playouts_per_second,
        report.seconds * 1e3,
        centipawns(child.mean),
        line.join(" ")
    )
}

/// A win rate as the difference in strength that would give it, in hundredths of a pawn: a pawn is worth 100 Elo.
fn centipawns(rate: f64) -> i64 {
    let rate = rate.clamp(0.0001, 0.9999);
    (400.0 * (rate / (1.0 - rate)).log10()).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<Limits, String> {
        Limits::read(&words.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn limits_are_those_of_the_player_who_moves() {
        let limits = read("p1time 10000 p2time 500 p1inc 100 depth 3").expect("limits");
        assert_eq!(limits.clocks, [Some(Duration::from_secs(10)), Some(Duration::from_millis(500))]);
        assert_eq!(limits.increments[0], Duration::from_millis(100));
        assert_eq!(read("btime 100 wtime -5").map(|limits| limits.clocks[1]), Ok(Some(Duration::ZERO)));
        assert_eq!(read("nodes 0").map(|limits| limits.nodes), Ok(Some(1)));
        assert_eq!(read("infinite"), Ok(Limits::default()));
    }

    #[test]
    fn a_limit_that_is_not_known_is_named() {
        assert_eq!(read("movetime"), Err("'go movetime' needs a whole number".to_string()));
        assert_eq!(read("movetime soon"), Err("'go movetime' needs a whole number".to_string()));
        assert!(read("mate 3").is_err_and(|fault| fault.starts_with("'go mate' is not known")));
    }

    #[test]
    fn a_score_is_the_strength_that_would_give_the_win_rate() {
        assert_eq!([0.5, 0.75, 0.25, 1.0, 0.0].map(centipawns), [0, 191, -191, 1600, -1600]);
    }
}
