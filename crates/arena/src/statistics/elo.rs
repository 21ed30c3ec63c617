//! Shares of points and the logistic scale of Elo (1978, The Rating of Chessplayers, Past and Present).

use std::f64::consts::LN_10;

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
