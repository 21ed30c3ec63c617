//! The prior of an action by what it is worth less than the best one.

/// Differences beyond 40 temperatures make no prior smaller.
const WORST: f64 = 40.0;

/// The prior of an action that is worth less than the best one by a difference: about e to the power of the negative
/// difference divided by `temperature`, and more where this is little, so that no action is left out.
#[inline]
pub(crate) fn prior(behind: f64, temperature: f64) -> f32 {
    let root = 1.0 / (1.0 + (behind / temperature).min(WORST) / 4.0);
    (root * root * root * root) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prior_falls_with_the_difference_and_never_to_nothing() {
        assert_eq!(prior(0.0, 0.5), 1.0);
        assert_eq!([prior(2.0, 0.5), prior(12_000.0, 3_000.0)], [1.0 / 16.0; 2]);
        assert!(prior(10.0, 0.5) > prior(20.0, 0.5));
        assert_eq!(prior(1e9, 0.5), prior(20.0, 0.5));
        assert!(prior(1e9, 0.5) > 0.0);
    }
}
