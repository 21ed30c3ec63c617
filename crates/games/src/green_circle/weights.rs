//! The learned weights.

use super::features::COUNT;

/// Weights of the features.
pub(super) const LEARNED: [f64; COUNT] = [0.0; COUNT];
