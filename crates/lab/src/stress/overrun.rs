//! The overrun of answers: percentiles, counts beyond bounds, and a histogram.
//!
//! Every value is kept, so percentiles are exact. A run has thousands of moves, not millions.

use serde::Serialize;

/// The time from the limit to the answers, in milliseconds; negative for early answers.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Overrun {
    /// The earliest answer.
    pub min: f64,
    /// 50 % of the answers were not later than this.
    pub p50: f64,
    /// 90 % of the answers were not later than this.
    pub p90: f64,
    /// 99 % of the answers were not later than this.
    pub p99: f64,
    /// 99.9 % of the answers were not later than this.
    #[serde(rename = "p99.9")]
    pub p999: f64,
    /// The latest answer.
    pub max: f64,
    /// The number of answers beyond each bound.
    pub beyond: Vec<Beyond>,
    /// Buckets from the earliest to the latest answer.
    pub histogram: Vec<Bucket>,
}

/// The number of answers later than a bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Beyond {
    /// The bound in milliseconds after the limit.
    pub ms: f64,
    /// The number of answers after it.
    pub moves: u64,
    /// Their share of all answers.
    pub share: f64,
}

/// Answers that were later than one bound and not later than the next, in milliseconds after the limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bucket {
    /// The lower bound; `None` for the first bucket, which has all earlier answers.
    pub from: Option<f64>,
    /// The upper bound; `None` for the last bucket, which has all later answers.
    pub to: Option<f64>,
    /// The number of answers.
    pub moves: u64,
}

/// The bounds beyond which answers are counted: late at all, noticeably late, and hopelessly late.
const BOUNDS: [f64; 4] = [0.0, 1.0, 10.0, 25.0];

/// The ends of buckets on the late side; with a minus those on the early side.
const EDGES: [f64; 9] = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0];

impl Overrun {
    /// The overrun of these values in milliseconds; zeros for no values.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Overrun {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let (Some(&min), Some(&max)) = (values.first(), values.last()) else { return Overrun::default() };
        let percentile = |percent: f64| values[rank(percent, values.len())];
        let up_to = |bound: f64| values.partition_point(|&value| value <= bound);
        let beyond = |ms| {
            let moves = values.len() - up_to(ms);
            Beyond { ms, moves: moves as u64, share: moves as f64 / values.len() as f64 }
        };
        Overrun {
            min,
            p50: percentile(50.0),
            p90: percentile(90.0),
            p99: percentile(99.0),
            p999: percentile(99.9),
            max,
            beyond: BOUNDS.map(beyond).to_vec(),
            histogram: histogram(up_to, values.len()),
        }
    }
}

/// The index, among `count` sorted values, of the first value that `percent` of them do not exceed.
fn rank(percent: f64, count: usize) -> usize {
    // A little is subtracted before rounding up: 99.9 % of 1,000 is slightly more than 999 in floating point.
    let values = (percent / 100.0 * count as f64 - 1e-6).ceil() as usize;
    values.saturating_sub(1).min(count - 1)
}

fn histogram(up_to: impl Fn(f64) -> usize, all: usize) -> Vec<Bucket> {
    let early = EDGES.iter().rev().map(|edge| -edge);
    let edges: Vec<f64> = early.chain([0.0]).chain(EDGES).collect();
    let lower = [None].into_iter().chain(edges.iter().copied().map(Some));
    let upper = edges.iter().copied().map(Some).chain([None]);
    let bucket = |(from, to): (Option<f64>, Option<f64>)| {
        let moves = to.map_or(all, &up_to) - from.map_or(0, &up_to);
        Bucket { from, to, moves: moves as u64 }
    };
    let mut buckets: Vec<Bucket> = lower.zip(upper).map(bucket).collect();
    // Empty buckets at the ends say nothing.
    let last = buckets.iter().rposition(|bucket| bucket.moves > 0).map_or(0, |last| last + 1);
    buckets.truncate(last);
    let first = buckets.iter().position(|bucket| bucket.moves > 0).unwrap_or(0);
    buckets.split_off(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_this_share_does_not_exceed() {
        let overrun = Overrun::of((1..=1_000).map(f64::from).rev());
        assert_eq!((overrun.min, overrun.p50, overrun.p90), (1.0, 500.0, 900.0));
        assert_eq!((overrun.p99, overrun.p999, overrun.max), (990.0, 999.0, 1_000.0));
        let one = Overrun::of([-3.0]);
        assert_eq!((one.min, one.p50, one.p999, one.max), (-3.0, -3.0, -3.0, -3.0));
    }

    #[test]
    fn an_answer_at_the_limit_is_in_time() {
        let overrun = Overrun::of([-1.0, 0.0, 0.5, 1.0, 10.5, 25.0, 26.0, 300.0]);
        let beyond: Vec<(f64, u64)> = overrun.beyond.iter().map(|beyond| (beyond.ms, beyond.moves)).collect();
        assert_eq!(beyond, [(0.0, 6), (1.0, 4), (10.0, 4), (25.0, 2)]);
        assert_eq!(overrun.beyond[0].share, 0.75);
    }

    #[test]
    fn buckets_meet_and_hold_every_answer_once() {
        let values = [-250.0, -0.3, -0.02, 0.0, 0.005, 0.3, 0.31, 99.0];
        let buckets = Overrun::of(values).histogram;
        assert!(buckets.windows(2).all(|pair| pair[0].to == pair[1].from && pair[0].to.is_some()), "{buckets:?}");
        for bucket in &buckets {
            let inside =
                |&&value: &&f64| bucket.from.is_none_or(|from| value > from) && bucket.to.is_none_or(|to| value <= to);
            assert_eq!(bucket.moves, values.iter().filter(inside).count() as u64, "{bucket:?}");
        }
        assert_eq!((buckets[0].from, buckets.last().unwrap().to), (None, Some(100.0)));
    }

    #[test]
    fn nothing_measured_is_nothing() {
        assert_eq!(Overrun::of([]), Overrun::default());
    }
}
