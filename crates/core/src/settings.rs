//! The settings of a search.

/// The settings of a search on one thread. A bot writes them as constants:
///
/// ```
/// use boughs_core::{Policy, Settings};
///
/// const SETTINGS: Settings = Settings { policy: Policy::Puct, memory: 64 << 20, ..Settings::DEFAULT };
/// # assert_eq!(SETTINGS.expand_at, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The rule that selects a child.
    pub policy: Policy,
    /// The exploration constant C, for rewards in 0..=1. Other rewards are brought to that range.
    pub exploration: f32,
    /// First-play urgency: the value of a child that was never visited.
    pub first_play: FirstPlay,
    /// The visit at which a leaf gets its children, or in a [`DecoupledSearch`](crate::DecoupledSearch) the player's
    /// next choice below it. An evaluator with priors expands at the first.
    pub expand_at: u32,
    /// MCTS-Solver: proves wins and losses, in games of one or two players whose rewards have bounds, and for two a sum
    /// that is always the same.
    pub solver: bool,
    /// The rule that chooses the move to play in the end.
    pub final_move: FinalMove,
    /// The most bytes of the tree. They are reserved when the search is made.
    pub memory: usize,
    /// The seed of all random numbers.
    pub seed: u64,
}

impl Settings {
    /// UCB1 with C = 1, which tries each child before it visits any again.
    pub const DEFAULT: Settings = Settings {
        policy: Policy::Ucb1,
        exploration: 1.0,
        first_play: FirstPlay::First,
        expand_at: 2,
        solver: false,
        final_move: FinalMove::MostPlayouts,
        memory: 256 << 20,
        seed: 0,
    };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::DEFAULT
    }
}

/// The rule that selects a child: its mean reward and a bonus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// C sqrt(ln N / n) (Auer, Cesa-Bianchi and Fischer 2002; Kocsis and Szepesvari 2006).
    Ucb1,
    /// C P sqrt(N) / (1 + n), where P is the prior of the action (Rosin 2011, Silver et al. 2017).
    Puct,
}

/// First-play urgency: the value of a child that was never visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstPlay {
    /// UCB1 tries each child before it visits any again. PUCT, which goes by the priors, takes
    /// [`Parent`](FirstPlay::Parent) without a reduction.
    First,
    /// The same value everywhere: this share of the way from the least to the greatest reward.
    Value(f32),
    /// The mean of the visited children, less this reduction times the square root of the sum of their priors.
    Parent(f32),
}

/// The rule that chooses the move to play in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalMove {
    /// The robust child: most playouts.
    MostPlayouts,
    /// The max child: best mean reward.
    BestMean,
}
