//! The universal scalability law, fitted to throughputs (Gunther 2007, Guerrilla Capacity Planning, chapter 4).
//!
//! N cores together have the throughput X(N) = lambda N / (1 + sigma (N - 1) + kappa N (N - 1)): lambda is that of one
//! core, sigma (contention) the share of the work that cannot be divided, kappa (coherence) the cost of agreement
//! between each pair of cores.

use std::fmt;

use boughs::notation::counted;
use serde::Serialize;

/// The fewest thread counts for a fit: one more than it has coefficients.
pub const LEAST_COUNTS: usize = 4;

/// The numbers of cores for which predictions are made, beyond those that were measured.
const PREDICTED: [usize; 6] = [8, 16, 32, 64, 128, 256];

/// The fitted law.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// Playouts a second of one core.
    pub lambda: f64,
    /// Contention: the share of the work that cannot be divided.
    pub sigma: f64,
    /// Coherence: the cost of agreement between each pair of cores.
    pub kappa: f64,
    /// The largest distance of a measured throughput from the law, as a share of the law.
    pub worst_error: f64,
    /// The largest measured number of cores; every statement about more cores is a prediction.
    pub measured_to: usize,
    /// The number of cores with the highest throughput, if there is a peak.
    pub peak_cores: Option<f64>,
    /// Predictions for more cores than were measured, in ascending order.
    pub predictions: Vec<Prediction>,
}

/// A prediction of the law for a number of cores that was not measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prediction {
    /// The number of cores.
    pub cores: usize,
    /// Their predicted throughput.
    pub playouts_per_second: f64,
    /// The throughput as a multiple of that of one core.
    pub speed_up: f64,
}

impl Fit {
    /// Fits the law to thread counts and throughputs, with no coefficient below zero; `None` for too few points, or
    /// points that are no throughputs.
    ///
    /// N / X(N) is linear in 1 / lambda, sigma / lambda and kappa / lambda. Each equation is divided by its measured N
    /// / X(N), so that relative distances count alike and least squares need no start and no iteration.
    pub fn of(points: &[(usize, f64)]) -> Option<Fit> {
        let measured_to = points.iter().map(|point| point.0).max()?;
        let proper = points.iter().all(|&(threads, speed)| threads > 0 && speed.is_finite() && speed > 0.0);
        if points.len() < LEAST_COUNTS || !proper {
            return None;
        }
        let rows: Vec<[f64; 3]> = points
            .iter()
            .map(|&(threads, speed)| terms(threads as f64).map(|term| term * speed / threads as f64))
            .collect();
        let [one, contention, coherence] = least_squares(&rows)?;
        let (sigma, kappa) = (clean(contention / one), clean(coherence / one));
        let mut fit = Fit {
            lambda: 1.0 / one,
            sigma,
            kappa,
            worst_error: 0.0,
            measured_to,
            // Where sigma exceeds 1 the formula has no root: the first core is already the best.
            peak_cores: (kappa > 0.0).then(|| ((1.0 - sigma).max(0.0) / kappa).sqrt().max(1.0)),
            predictions: Vec::new(),
        };
        let error = |&(threads, speed): &(usize, f64)| (speed / fit.throughput(threads as f64) - 1.0).abs();
        fit.worst_error = points.iter().map(error).fold(0.0, f64::max);
        fit.predictions =
            PREDICTED.iter().filter(|&&cores| cores > measured_to).map(|&cores| fit.predict(cores)).collect();
        Some(fit)
    }

    /// Playouts a second on this number of cores.
    pub fn throughput(&self, cores: f64) -> f64 {
        self.lambda * self.speed_up(cores)
    }

    /// The throughput as a multiple of that of one core.
    pub fn speed_up(&self, cores: f64) -> f64 {
        let [one, contention, coherence] = terms(cores);
        cores / (one + self.sigma * contention + self.kappa * coherence)
    }

    fn predict(&self, cores: usize) -> Prediction {
        let speed_up = self.speed_up(cores as f64);
        Prediction { cores, playouts_per_second: self.lambda * speed_up, speed_up }
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fit { lambda, sigma, kappa, worst_error, .. } = self;
        write!(
            f,
            "lambda {lambda:.0}, sigma {sigma:.5}, kappa {kappa:.7}, off by at most {:.1} %",
            worst_error * 100.0
        )?;
        match self.peak_cores {
            Some(cores) if cores > self.measured_to as f64 => {
                write!(f, ", peak predicted at {}", counted(format_args!("{cores:.0}"), "cores"))
            }
            Some(cores) => write!(f, ", peak at {}", counted(format_args!("{cores:.0}"), "cores")),
            None => f.write_str(", no peak"),
        }
    }
}

/// The factors of the coefficients.
fn terms(cores: f64) -> [f64; 3] {
    [1.0, cores - 1.0, cores * (cores - 1.0)]
}

/// Sets a coefficient to zero where rounding has left a trace.
fn clean(coefficient: f64) -> f64 {
    if coefficient < 1e-12 { 0.0 } else { coefficient }
}

/// The coefficients, none below zero, that bring every row closest to 1 (non-negative least squares).
///
/// If the unbounded optimum has a negative coefficient, the bounded optimum has some coefficients at zero. The problem
/// is convex, so the best of the four choices without negative values is the optimum.
fn least_squares(rows: &[[f64; 3]]) -> Option<[f64; 3]> {
    const CHOICES: [&[usize]; 4] = [&[0, 1, 2], &[0, 1], &[0, 2], &[0]];
    let distance = |solution: &[f64; 3]| -> f64 { rows.iter().map(|row| (dot(row, solution) - 1.0).powi(2)).sum() };
    let solutions = CHOICES.iter().filter_map(|columns| solve(rows, columns));
    let allowed = solutions.filter(|solution| solution[0] > 0.0 && solution.iter().all(|&value| value >= 0.0));
    allowed.min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Unbounded least squares over some of the columns by modified Gram-Schmidt, which keeps the digits that the normal
/// equations would lose; `None` if the rows do not tell the columns apart.
fn solve(rows: &[[f64; 3]], columns: &[usize]) -> Option<[f64; 3]> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut triangle = [[0.0; 3]; 3];
    for (k, &column) in columns.iter().enumerate() {
        let mut rest: Vec<f64> = rows.iter().map(|row| row[column]).collect();
        let length = dot(&rest, &rest).sqrt();
        for (j, direction) in basis.iter().enumerate() {
            triangle[j][k] = dot(direction, &rest);
            rest.iter_mut().zip(direction).for_each(|(value, along)| *value -= triangle[j][k] * along);
        }
        triangle[k][k] = dot(&rest, &rest).sqrt();
        if triangle[k][k].is_nan() || triangle[k][k] <= 1e-12 * length {
            return None;
        }
        basis.push(rest.iter().map(|value| value / triangle[k][k]).collect());
    }
    let mut solution = [0.0; 3];
    for k in (0..columns.len()).rev() {
        let known: f64 = (k + 1..columns.len()).map(|j| triangle[k][j] * solution[columns[j]]).sum();
        solution[columns[k]] = (basis[k].iter().sum::<f64>() - known) / triangle[k][k];
    }
    Some(solution)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use boughs::Rng;

    const COUNTS: [usize; 6] = [1, 2, 4, 8, 12, 16];

    /// Throughputs that follow a law, each with an error of up to this share of itself.
    fn follow(lambda: f64, sigma: f64, kappa: f64, noise: f64) -> Vec<(usize, f64)> {
        let mut rng = Rng::new(7, 0);
        let law =
            Fit { lambda, sigma, kappa, worst_error: 0.0, measured_to: 0, peak_cores: None, predictions: Vec::new() };
        let off = |rng: &mut Rng| 1.0 + noise * (2.0 * rng.unit() - 1.0);
        COUNTS.map(|count| (count, law.throughput(count as f64) * off(&mut rng))).to_vec()
    }

    fn close(found: f64, known: f64, within: f64) {
        assert!((found - known).abs() <= within, "{found} is not {known} to within {within}");
    }

    #[test]
    fn exact_data_give_their_coefficients_back() {
        for (lambda, sigma, kappa) in [(2.5e6, 0.05, 0.001), (400.0, 0.3, 0.0), (9e9, 0.0, 0.02)] {
            let fit = Fit::of(&follow(lambda, sigma, kappa, 0.0)).unwrap();
            close(fit.lambda / lambda, 1.0, 1e-9);
            close(fit.sigma, sigma, 1e-9);
            close(fit.kappa, kappa, 1e-9);
            close(fit.worst_error, 0.0, 1e-9);
        }
    }

    #[test]
    fn noisy_data_give_nearly_their_coefficients_back() {
        let fit = Fit::of(&follow(2.5e6, 0.05, 0.002, 0.01)).unwrap();
        close(fit.lambda / 2.5e6, 1.0, 0.02);
        close(fit.sigma, 0.05, 0.02);
        close(fit.kappa, 0.002, 0.001);
        assert!(fit.worst_error > 0.0 && fit.worst_error < 0.02, "{}", fit.worst_error);
    }

    #[test]
    fn perfect_scaling_has_no_contention_and_no_peak() {
        let fit = Fit::of(&follow(1e6, 0.0, 0.0, 0.0)).unwrap();
        assert_eq!((fit.sigma, fit.kappa, fit.peak_cores), (0.0, 0.0, None));
        close(fit.predictions.last().unwrap().speed_up, 256.0, 1e-6);
    }

    #[test]
    fn better_than_perfect_scaling_is_fitted_without_negative_coefficients() {
        let points: Vec<(usize, f64)> = COUNTS.iter().map(|&count| (count, (count as f64).powf(1.1))).collect();
        let fit = Fit::of(&points).unwrap();
        assert_eq!((fit.sigma, fit.kappa), (0.0, 0.0));
        // One coefficient is left, and this is its least-squares solution.
        let per_core = points.iter().map(|&(count, speed)| speed / count as f64);
        close(fit.lambda, per_core.clone().map(|speed| speed * speed).sum::<f64>() / per_core.sum::<f64>(), 1e-9);
    }

    #[test]
    fn throughput_that_falls_again_has_its_peak_where_it_turned() {
        let fit = Fit::of(&follow(1e6, 0.1, 0.025, 0.0)).unwrap();
        close(fit.peak_cores.unwrap(), 6.0, 1e-6);
        assert!(fit.throughput(6.0) > fit.throughput(5.0) && fit.throughput(6.0) > fit.throughput(7.0));
    }

    #[test]
    fn only_cores_beyond_the_measured_are_predicted() {
        let fit = Fit::of(&follow(1e6, 0.1, 0.001, 0.0)).unwrap();
        let cores: Vec<usize> = fit.predictions.iter().map(|prediction| prediction.cores).collect();
        assert_eq!((cores, fit.measured_to), (vec![32, 64, 128, 256], 16));
    }

    #[test]
    fn too_few_points_or_none_to_tell_apart_have_no_fit() {
        assert_eq!(Fit::of(&follow(1e6, 0.1, 0.0, 0.0)[..3]), None);
        assert_eq!(Fit::of(&[]), None);
        assert_eq!(Fit::of(&[(1, 1.0), (2, 2.0), (4, f64::NAN), (8, 8.0)]), None);
        assert_eq!(Fit::of(&[(1, 1.0), (2, 2.0), (4, 0.0), (8, 8.0)]), None);
    }
}
