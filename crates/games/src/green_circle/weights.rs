//! The learned weights: `boughs learn green-circle --games 20000 --seed 0 --out weights.json` with the defaults of that
//! command (rounds of 100 games, rate 0.02 and slowing 1000, lambda 0.8, a share of 0.3 of turns at random, 5000
//! positions of a turn).

use super::features::COUNT;

/// Weights of the features, in their order.
pub(super) const LEARNED: [f64; COUNT] = [
    -0.266190638, // player 0
    0.323760019,  // next turn
    0.098416165,  // score 1
    0.423285292,  // score 2
    0.746674964,  // score 3
    -0.361220687, // score 4
    2.132778094,  // score 5
    0.266096362,  // next at desk 0
    0.230324242,  // next at desk 1
    0.240874681,  // next at desk 2
    0.135230118,  // next at desk 3
    0.084800136,  // next at desk 4
    -0.152657617, // next at desk 5
    -0.280021417, // next at desk 6
    -0.335519946, // next at desk 7
    0.162537698,  // other at desk 0
    0.076427382,  // other at desk 1
    0.093377544,  // other at desk 2
    -0.013510817, // other at desk 3
    0.029288407,  // other at desk 4
    -0.077009504, // other at desk 5
    -0.198609924, // other at desk 6
    -0.396260789, // other at desk 7
    0.209754737,  // card TRAINING
    0.17182555,   // card CODING
    0.14902681,   // card DAILY_ROUTINE
    0.202288123,  // card TASK_PRIORITIZATION
    0.215276495,  // card ARCHITECTURE_STUDY
    0.386348738,  // card CONTINUOUS_INTEGRATION
    0.229344933,  // card CODE_REVIEW
    0.213569873,  // card REFACTORING
    0.187862692,  // card BONUS
    -0.028127226, // card TECHNICAL_DEBT
    0.012319242,  // automated TRAINING
    -0.038627552, // automated CODING
    0.109951879,  // automated DAILY_ROUTINE
    0.035771346,  // automated TASK_PRIORITIZATION
    0.088387703,  // automated ARCHITECTURE_STUDY
    0.093781191,  // automated CONTINUOUS_INTEGRATION
    0.189977651,  // automated CODE_REVIEW
    0.178404696,  // automated REFACTORING
    0.701114611,  // automated BONUS
    0.226405142,  // routine
    0.272566718,  // study
    0.154611761,  // exact points
    0.572286976,  // exact points at score 4
];
