//! The interval of a share.

/// The quantile of a 95 % interval.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// The 95 % interval of a share of a number of draws (Wilson 1927). Playouts of a tree search are no independent draws,
/// because the search goes where it wins: of a win rate it says how far chance alone may have moved the mean.
pub fn share_interval(share: f64, draws: u64) -> [f64; 2] {
    let n = draws as f64;
    let z2 = QUANTILE * QUANTILE;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = QUANTILE / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).max(0.0).sqrt();
    [(middle - half).max(0.0), (middle + half).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_their_share_and_shrink() {
        let [low, high] = share_interval(0.5, 100);
        assert!((low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4, "{low} {high}");
        let [low, high] = share_interval(1.0, 10);
        assert!(high > 0.999_999 && (low - 0.7225).abs() < 1e-4, "{low}");
        assert!(share_interval(0.3, 10_000)[1] - share_interval(0.3, 10_000)[0] < 0.02);
    }
}
