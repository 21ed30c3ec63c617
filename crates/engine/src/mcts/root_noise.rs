//! The priors of the root: those of the evaluator, mixed with Dirichlet noise (Silver et al. 2017, AlphaGo Zero).
//!
//! In self-play the noise makes a search look at actions that the priors rule out: P' = (1 - e) P + e D, where D is
//! drawn from a Dirichlet distribution with the parameter alpha for each action. A Dirichlet number is a gamma number
//! divided by the sum of all of them. Gamma numbers come from the squeeze method of Marsaglia and Tsang (2000).

use crate::Rng;
use crate::logarithm::{exp, ln};
use crate::mcts::settings::Settings;

/// The usual parameter of the noise, times the number of actions.
const USUAL_ALPHA: f64 = 10.0;

/// Mixes noise into the priors of the root's actions. The same stream gives the same noise.
pub(super) fn add_noise(priors: &mut [f32], settings: &Settings, stream: u64) {
    if settings.noise == 0.0 || priors.is_empty() {
        return;
    }
    let alpha = match settings.noise_alpha {
        0.0 => USUAL_ALPHA / priors.len() as f64,
        alpha => alpha,
    };
    let mut rng = Rng::new(settings.seed, stream);
    let drawn: Vec<f64> = priors.iter().map(|_| gamma(alpha, &mut rng)).collect();
    let sum: f64 = drawn.iter().sum();
    for (prior, drawn) in priors.iter_mut().zip(drawn) {
        // All of them may be 0 where alpha is very small.
        let noise = if sum > 0.0 { drawn / sum } else { f64::from(*prior) };
        *prior = ((1.0 - settings.noise) * f64::from(*prior) + settings.noise * noise) as f32;
    }
}

/// A number drawn from the gamma distribution with this shape.
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        // Marsaglia and Tsang 2000, section 6.
        return gamma(shape + 1.0, rng) * exp(ln(above_zero(rng)) / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = 1.0 + c * x;
        let v = v * v * v;
        if v > 0.0 && ln(above_zero(rng)) < 0.5 * x * x + d - d * v + d * ln(v) {
            return d * v;
        }
    }
}

/// A number drawn from the standard normal distribution, by the polar method (Marsaglia and Bray 1964).
fn normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (2.0 * rng.unit() - 1.0, 2.0 * rng.unit() - 1.0);
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * ln(square) / square).sqrt();
        }
    }
}

/// A number above 0 and at most 1, whose logarithm is a number.
fn above_zero(rng: &mut Rng) -> f64 {
    1.0 - rng.unit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_noise_has_the_moments_of_a_dirichlet_distribution() {
        // Without one of its own, alpha is 10 / n (Silver et al. 2018: about ten times the inverse of the moves).
        for (noise_alpha, alpha, width) in [(0.3, 0.3, 7), (1.0, 1.0, 4), (2.5, 2.5, 10), (0.0, 2.0, 5), (0.0, 0.5, 20)]
        {
            let settings = Settings { noise: 1.0, noise_alpha, ..Settings::default() };
            let draws = 20_000;
            let (mut sum, mut squares) = (0.0, 0.0);
            for stream in 0..draws {
                let mut priors = vec![0.0; width];
                add_noise(&mut priors, &settings, stream);
                assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                sum += f64::from(priors[0]);
                squares += f64::from(priors[0]).powi(2);
            }
            let (mean, all) = (1.0 / width as f64, alpha * width as f64);
            let variance = mean * (1.0 - mean) / (all + 1.0);
            let found = squares / draws as f64 - (sum / draws as f64).powi(2);
            assert!((sum / draws as f64 - mean).abs() < 4.0 * (variance / draws as f64).sqrt(), "{alpha}");
            assert!((found / variance - 1.0).abs() < 0.1, "{alpha}: {found} {variance}");
        }
    }

    #[test]
    fn noise_is_a_share_of_the_priors_and_repeats_itself() {
        let settings = Settings { noise: 0.25, seed: 3, ..Settings::default() };
        let noisy = |settings: &Settings| {
            let mut priors = [0.7, 0.2, 0.1];
            add_noise(&mut priors, settings, 9);
            priors
        };
        assert_eq!(noisy(&settings), noisy(&settings));
        assert!(noisy(&settings).iter().zip([0.7, 0.2, 0.1]).all(|(noisy, prior)| *noisy >= 0.75 * prior - 1e-6));
        assert_eq!(noisy(&Settings::default()), [0.7, 0.2, 0.1]);
    }
}
