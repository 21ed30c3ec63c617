//! The learned weights: `boughs learn green-circle --games 20000 --seed 0 --out weights.json` with the defaults of that command
//! (rounds of 100 games, rate 0.02 and slowing 1000, lambda 0.8, a share of 0.3 of turns at random, 300 positions of a turn).

use super::features::COUNT;

/// Weights of the features, in their order.
pub(super) const LEARNED: [f64; COUNT] = [
    -0.184884553, // player 0
    0.308782137,  // next turn
    0.1319679,    // score 1
    0.441540635,  // score 2
    0.7514199,    // score 3
    -0.392819272, // score 4
    2.096477866,  // score 5
    0.265622411,  // next at desk 0
    0.224053119,  // next at desk 1
    0.255032014,  // next at desk 2
    0.143905543,  // next at desk 3
    0.112874786,  // next at desk 4
    -0.176113289, // next at desk 5
    -0.282515348, // next at desk 6
    -0.358311396, // next at desk 7
    0.171576041,  // other at desk 0
    0.082671276,  // other at desk 1
    0.1014711,    // other at desk 2
    -0.002038823, // other at desk 3
    0.058667459,  // other at desk 4
    -0.104633479, // other at desk 5
    -0.2050356,   // other at desk 6
    -0.411460112, // other at desk 7
    0.17806265,   // card 0
    0.130342053,  // card 1
    0.101068258,  // card 2
    0.177090601,  // card 3
    0.182622883,  // card 4
    0.317718691,  // card 5
    0.202984861,  // card 6
    0.234658813,  // card 7
    0.184327868,  // card 8
    -0.002382105, // card 9
    -0.036503669, // automated 0
    -0.093722167, // automated 1
    -0.032837997, // automated 2
    0.056309113,  // automated 3
    0.10770361,   // automated 4
    0.043713321,  // automated 5
    0.089952069,  // automated 6
    0.214464203,  // automated 7
    0.699095993,  // automated 8
    0.253811917,  // routine
    0.278260617,  // study
    0.148739838,  // exact points
    0.599683082,  // exact points at score 4
];
