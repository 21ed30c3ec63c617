//! Exact answers for small games of two players with secret choices, to judge the results of searches.
//!
//! - [`matrix`]: one choice each. The equilibrium of any table, and how exploitable a pair of mixtures is.
//! - [`simultaneous`]: choices at the same time, again and again. The table of a position whose entries are the
//!   values of best play after each pair of choices: with [`matrix`] it judges a mixture in that position.
//! - [`strategy`]: whole strategies in any small game, with hidden information too: what they are worth, and what the
//!   best answer to them gains.
//! - [`kuhn`]: the equilibria of Kuhn poker, as such strategies.

pub mod kuhn;
pub mod matrix;
pub mod simultaneous;
pub mod strategy;
