//! The limits of a search, and what is told while it runs.

use std::time::Duration;

use boughs::{Budget, GameClock, Report};

use super::dialect::Dialect;

/// Time before the end of a move's time at which the search ends, for the way of the answer.
const MARGIN: Duration = Duration::from_millis(10);

/// Playouts for each ply of `go depth`, which a tree search without a depth of its own can only guess at.
const PLAYOUTS_A_PLY: u64 = 1_000;

/// The least number of a clock, which is below 0 when its time has run out.
const OVERDRAWN: i64 = i64::MIN;

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
    /// Reads the words after `go`. `white` is the player with the white pieces.
    pub(super) fn read(words: &[&str], white: usize) -> Result<Limits, String> {
        let mut limits = Limits::default();
        let mut words = words.iter();
        while let Some(&name) = words.next() {
            let mut number = |least: i64| {
                let number = words.next().and_then(|word| word.parse().ok()).filter(|number: &i64| *number >= least);
                number.map(|number| number.max(0).unsigned_abs()).ok_or_else(|| needs(name, least))
            };
            match name {
                "infinite" | "ponder" => {}
                "movetime" => limits.move_time = Some(Duration::from_millis(number(0)?)),
                "nodes" => limits.nodes = Some(number(0)?.max(1)),
                "depth" => {
                    let playouts = number(0)?.max(1).saturating_mul(PLAYOUTS_A_PLY);
                    limits.nodes = limits.nodes.or(Some(playouts));
                }
                "p1time" => limits.clocks[0] = Some(Duration::from_millis(number(OVERDRAWN)?)),
                "p2time" => limits.clocks[1] = Some(Duration::from_millis(number(OVERDRAWN)?)),
                "wtime" => limits.clocks[white] = Some(Duration::from_millis(number(OVERDRAWN)?)),
                "btime" => limits.clocks[1 - white] = Some(Duration::from_millis(number(OVERDRAWN)?)),
                "p1inc" => limits.increments[0] = Duration::from_millis(number(OVERDRAWN)?),
                "p2inc" => limits.increments[1] = Duration::from_millis(number(OVERDRAWN)?),
                "winc" => limits.increments[white] = Duration::from_millis(number(OVERDRAWN)?),
                "binc" => limits.increments[1 - white] = Duration::from_millis(number(OVERDRAWN)?),
                "movestogo" => _ = number(OVERDRAWN)?,
                _ => {
                    return Err(format!(
                        "go has no word '{name}'; give movetime, nodes, depth, the clocks of both, or infinite"
                    ));
                }
            }
        }
        Ok(limits)
    }

    /// The budget of a player's move. `None` if nothing but `stop` ends the search.
    pub(super) fn budget(self, player: usize) -> Option<Budget> {
        let of_clock =
            self.clocks[player].map(|left| GameClock::new(left).with_increment(self.increments[player]).for_move());
        let time = self.move_time.or(of_clock).map(|time| time.saturating_sub(MARGIN.min(time / 2)));
        match (time, self.nodes) {
            (Some(time), Some(nodes)) => Some(Budget::time(time).or_iterations(nodes)),
            (Some(time), None) => Some(Budget::time(time)),
            (None, nodes) => nodes.map(Budget::iterations),
        }
    }
}

/// The sentence about a word of `go` without its number.
fn needs(name: &str, least: i64) -> String {
    let not_negative = if least == 0 { ", 0 or more" } else { "" };
    format!("'go {name}' needs a whole number{not_negative}")
}

/// A line about a search: depth, playouts, time, the score of the best move and the expected moves.
pub(super) fn info(report: &Report, dialect: Dialect) -> String {
    let best = report.best.as_ref().map(|best| best.action);
    let child = report.children.iter().find(|child| Some(child.action) == best && child.playouts > 0);
    let Some(child) = child else { return String::new() };
    let line: Vec<String> = report.pv.iter().map(|step| dialect.client_name(step.text.clone())).collect();
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
        Limits::read(&words.split_whitespace().collect::<Vec<_>>(), 0)
    }

    #[test]
    fn limits_are_those_of_the_player_who_moves() {
        let limits = read("p1time 10000 p2time 500 p1inc 100 depth 3").expect("limits");
        assert_eq!(limits.clocks, [Some(Duration::from_secs(10)), Some(Duration::from_millis(500))]);
        assert_eq!(limits.increments[0], Duration::from_millis(100));
        assert_eq!(read("btime 100 wtime -5").map(|limits| limits.clocks[0]), Ok(Some(Duration::ZERO)));
        let black_begins = Limits::read(&["wtime", "100", "binc", "7"], 1).expect("limits");
        assert_eq!(black_begins.clocks, [None, Some(Duration::from_millis(100))]);
        assert_eq!(black_begins.increments[0], Duration::from_millis(7));
        assert!(black_begins.budget(0).is_none() && black_begins.budget(1).is_some());
        assert_eq!(read("nodes 0").map(|limits| limits.nodes), Ok(Some(1)));
        assert_eq!(read("infinite"), Ok(Limits::default()));
        assert_eq!(read("depth 4").map(|limits| limits.nodes), Ok(Some(4_000)));
    }

    #[test]
    fn a_limit_that_is_not_known_is_named() {
        for words in ["movetime", "movetime soon", "movetime -5"] {
            assert_eq!(read(words), Err("'go movetime' needs a whole number, 0 or more".to_string()));
        }
        assert_eq!(read("wtime soon"), Err("'go wtime' needs a whole number".to_string()));
        assert!(read("mate").is_err_and(|fault| fault.starts_with("go has no word 'mate'")));
    }

    #[test]
    fn a_score_is_the_strength_that_would_give_the_win_rate() {
        assert_eq!([0.5, 0.75, 0.25, 1.0, 0.0].map(centipawns), [0, 191, -191, 1600, -1600]);
    }
}
