//! Shares of points and the logistic scale they are told on (Elo 1978, The Rating of Chessplayers, Past and Present).

use std::f64::consts::LN_10;

/// Elo of a unit of the natural scale, in which odds grow by e.
pub(super) const ELO_OF_LOGIT: f64 = 400.0 / LN_10;

/// The share of the points somebody gets who is so much better.
pub fn share_of_elo(elo: f64) -> f64 {
    logistic(elo / ELO_OF_LOGIT)
}

/// How much better somebody is who gets this share, which is neither nothing nor everything.
pub(super) fn elo_of_share(share: f64) -> f64 {
    ELO_OF_LOGIT * (share / (1.0 - share)).ln()
}

/// The share somebody gets who is better by so much of the natural scale.
pub(super) fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

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
