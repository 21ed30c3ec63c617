//! Promises of the agents that play every game, and of the learner.

mod agents;
mod beam;
mod exhaustive;
mod expectimax;
mod learning;
mod nets;
mod turns;
mod values;
