//! Shares of points and the logistic scale of Elo (1978, The Rating of Chessplayers, Past and Present).

use std::f64::consts::LN_10;

use super::Estimate;

/// Elo of one unit of the natural scale, by which odds grow by a factor of e.
pub(super) const ELO_OF_LOGIT: f64 = 400.0 / LN_10;

/// The share of the points for a contestant with this Elo above its opponent's.
pub fn share_of_elo(elo: f64) -> f64 {
    logistic(elo / ELO_OF_LOGIT)
}

/// The Elo of a share of the points, which is above 0 and below 1.
pub(super) fn elo_of_share(share: f64) -> f64 {
    ELO_OF_LOGIT * (share / (1.0 - share)).ln()
}

/// The share of the points for this distance on the natural scale.
pub(super) fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// The words for a bound of an Elo difference that does not say which of two is stronger.
const TOO_FEW: &str = "too few games to tell";

/// Returns true for a bound that does not say which of two contestants is stronger.
pub fn tells_nothing(elo: Estimate) -> bool {
    match elo {
        Estimate::AtLeast { low, .. } => low < 0.0,
        Estimate::AtMost { high, .. } => high > 0.0,
        Estimate::Between { .. } | Estimate::Unknown { .. } => false,
    }
}

/// Writes an Elo difference for a person. A bound that does not say which of two is stronger comes after the statement
/// that there are too few games, because alone it reads like its opposite: "at least -511.5" of a contestant that won
/// every game.
pub fn elo_words(elo: Estimate) -> String {
    match elo {
        Estimate::AtLeast { low, why } if tells_nothing(elo) => format!("{TOO_FEW} ({why}; at least {low:+.1})"),
        Estimate::AtMost { high, why } if tells_nothing(elo) => format!("{TOO_FEW} ({why}; at most {high:+.1})"),
        _ => format!("{elo:+.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_tells_nothing_says_so_first() {
        let words = |low| elo_words(Estimate::AtLeast { low, why: "won" });
        assert_eq!(words(-511.5), "too few games to tell (won; at least -511.5)");
        assert_eq!(words(34.0), "at least +34.0 (won)");
        let words = |high| elo_words(Estimate::AtMost { high, why: "lost" });
        assert_eq!(words(216.2), "too few games to tell (lost; at most +216.2)");
        assert_eq!(words(-34.0), "at most -34.0 (lost)");
        assert_eq!(elo_words(Estimate::Between { value: 12.0, low: 8.0, high: 16.0 }), "+12.0 ± 4.0");
    }

    #[test]
    fn four_hundred_more_win_ten_points_of_eleven() {
        assert!((share_of_elo(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert!((share_of_elo(0.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_share_and_its_elo_are_one() {
        for elo in [-900.0, -3.5, 0.0, 100.0] {
            assert!((elo_of_share(share_of_elo(elo)) - elo).abs() < 1e-9, "{elo}");
        }
    }
}
