//! The model of Bradley and Terry (1952): each contestant has a strength, and the share one gets from another is the
//! logistic function of their difference.
//!
//! The strengths are those with which every contestant is expected to get the points it got (a draw is half a win).
//! Newton's method finds them. They exist, and are finite, if points went both ways between any two groups (Ford 1957);
//! the caller sees to that. The information matrix says how the strengths move with the points. The deviations of pairs
//! from their expected share say how far the points are off. The product (Huber's sandwich) holds for any share of
//! draws and any dependence between the games of a pair.

use super::Pairs;
use super::elo::logistic;

/// All pairs of games between two contestants, from the view of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) pairs: Pairs,
}

/// Strengths, on the natural scale and up to a constant.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub(super) strengths: Vec<f64>,
    covariance: Matrix,
}

type Matrix = Vec<Vec<f64>>;

/// Length of the longest step of Newton's method. The information at its start says nothing about points further away.
const LONGEST_STEP: f64 = 2.0;

impl Fit {
    /// Fits the strengths of this number of contestants to their meetings.
    pub(super) fn of(contestants: usize, meetings: &[Meeting]) -> Fit {
        let mut strengths = vec![0.0; contestants];
        for _ in 0..100 {
            let step = times(&inverse(information(&strengths, meetings)), &missing_points(&strengths, meetings));
            let longest = step.iter().fold(0.0, |longest: f64, step| longest.max(step.abs()));
            let part = (LONGEST_STEP / longest).min(1.0);
            strengths.iter_mut().zip(step).for_each(|(strength, step)| *strength += part * step);
            if longest < 1e-12 {
                break;
            }
        }
        let bread = inverse(information(&strengths, meetings));
        let filling = scatter(&strengths, meetings);
        let covariance = product(&product(&bread, &filling), &bread);
        Fit { strengths, covariance }
    }

    /// The standard error of a weighted sum of strengths. The weights add up to 0.
    pub(super) fn standard_error(&self, weights: &[f64]) -> f64 {
        let variance: f64 =
            times(&self.covariance, weights).iter().zip(weights).map(|(row, weight)| row * weight).sum();
        variance.max(0.0).sqrt()
    }
}

/// The points of each contestant above those that the strengths predict.
fn missing_points(strengths: &[f64], meetings: &[Meeting]) -> Vec<f64> {
    let mut missing = vec![0.0; strengths.len()];
    for &Meeting { first, second, pairs } in meetings {
        let more = pairs.points() - 2.0 * pairs.count() as f64 * logistic(strengths[first] - strengths[second]);
        missing[first] += more;
        missing[second] -= more;
    }
    missing
}

/// The growth of the expected points with the strengths. Expected points do not change if all strengths grow alike. So
/// that the matrix has an inverse nonetheless, a one is added everywhere, which does not change differences of
/// strengths.
fn information(strengths: &[f64], meetings: &[Meeting]) -> Matrix {
    let growth = |meeting: &Meeting| {
        let share = logistic(strengths[meeting.first] - strengths[meeting.second]);
        2.0 * meeting.pairs.count() as f64 * share * (1.0 - share)
    };
    laplacian(vec![vec![1.0; strengths.len()]; strengths.len()], meetings, growth)
}

/// The scatter of the points, from the deviations of pairs from their expected share.
///
/// Each meeting counts one pair more than was played, one that deviates as much as pairs with its share can. A few
/// pairs may be all alike by chance, and no error would be left.
fn scatter(strengths: &[f64], meetings: &[Meeting]) -> Matrix {
    let squares = |meeting: &Meeting| {
        let expected = logistic(strengths[meeting.first] - strengths[meeting.second]);
        let played = meeting.pairs.count() as f64 * meeting.pairs.mean_of(|share| (share - expected).powi(2));
        // A pair has two points to give.
        4.0 * (played + expected * (1.0 - expected))
    };
    laplacian(vec![vec![0.0; strengths.len()]; strengths.len()], meetings, squares)
}

/// Adds the weight of each meeting to the matrix, for one contestant and against the other.
fn laplacian(mut matrix: Matrix, meetings: &[Meeting], weight: impl Fn(&Meeting) -> f64) -> Matrix {
    for meeting in meetings {
        let (first, second, weight) = (meeting.first, meeting.second, weight(meeting));
        matrix[first][first] += weight;
        matrix[second][second] += weight;
        matrix[first][second] -= weight;
        matrix[second][first] -= weight;
    }
    matrix
}

/// Inverts a symmetric, positive definite matrix in place, by Gauss and Jordan. Such a matrix needs no exchange of
/// rows.
fn inverse(mut matrix: Matrix) -> Matrix {
    for pivot in 0..matrix.len() {
        let mut row = std::mem::take(&mut matrix[pivot]);
        let scale = 1.0 / row[pivot];
        row[pivot] = 1.0;
        row.iter_mut().for_each(|cell| *cell *= scale);
        for other in matrix.iter_mut().filter(|other| !other.is_empty()) {
            let factor = std::mem::replace(&mut other[pivot], 0.0);
            other.iter_mut().zip(&row).for_each(|(cell, of_row)| *cell -= factor * of_row);
        }
        matrix[pivot] = row;
    }
    matrix
}

/// Multiplies a matrix by a vector.
fn times(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| row.iter().zip(vector).map(|(cell, of_vector)| cell * of_vector).sum()).collect()
}

/// Multiplies two symmetric matrices, whose rows are their columns.
fn product(left: &Matrix, right: &Matrix) -> Matrix {
    left.iter().map(|row| times(right, row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_by_its_inverse_is_one() {
        let matrix = vec![vec![4.0, -1.0, 0.5], vec![-1.0, 3.0, -2.0], vec![0.5, -2.0, 5.0]];
        let one = product(&inverse(matrix.clone()), &matrix);
        for (i, row) in one.iter().enumerate() {
            for (j, cell) in row.iter().enumerate() {
                assert!((cell - f64::from(u8::from(i == j))).abs() < 1e-12, "{one:?}");
            }
        }
    }

    #[test]
    fn everybody_gets_the_points_it_got() {
        let meeting = |first, second, pairs| Meeting { first, second, pairs: Pairs(pairs) };
        let meetings =
            [meeting(0, 1, [1, 2, 9, 5, 3]), meeting(1, 2, [0, 0, 1, 0, 999]), meeting(0, 3, [50, 1, 0, 0, 0])];
        let fit = Fit::of(4, &meetings);
        assert!(missing_points(&fit.strengths, &meetings).iter().all(|points| points.abs() < 1e-9), "{fit:?}");
    }
}
