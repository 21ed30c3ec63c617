//! The settings of a search, and the line of text that names them.
//!
//! An agent is written `mcts:c=1.2,threads=8,parallel=batched`; a setting that is left out has its default
//! ([`crate::spec`]).

mod keys;

use std::path::PathBuf;

use crate::memory::default_memory;
use crate::playout::PlayoutKind;

/// The settings of a search.
///
/// ```
/// use boughs::{Parallel, Settings};
///
/// let settings: Settings = "mcts:c=1.2,threads=8,parallel=batched".parse().unwrap();
/// assert_eq!(settings.parallel, Parallel::Batched);
/// assert_eq!(settings.to_string(), "mcts:c=1.2,threads=8,parallel=batched");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The rule that selects a child.
    pub policy: Policy,
    /// The meaning of a node of the tree.
    pub tree: TreeKind,
    /// The exploration constant C of UCB1.
    pub exploration: f64,
    /// First-play urgency: the value of a child without visits.
    pub first_play: FirstPlay,
    /// The number of visits at which a leaf is expanded. An evaluator with priors expands it at its first evaluation.
    pub expand_at: u32,
    /// The way in which traversals in flight count for selection: virtual loss or WU-UCT.
    pub in_flight: InFlight,
    /// The playout (default policy) from a leaf to the end of the game.
    pub playout: PlayoutKind,
    /// The rule by which playouts learn from earlier simulations. Such a playout goes to the end of the game move by
    /// move; of a [`Playout`](crate::Playout) it uses [`choose`](crate::Playout::choose) alone.
    pub learning: Learning,
    /// The probability that such a playout leaves a move to [`playout`](Settings::playout), and that of a random move
    /// in [`Greedy`](crate::Greedy) playouts.
    pub epsilon: f64,
    /// The number of playouts from each leaf, whose mean reward counts as one. With several a search for one player
    /// keeps no [best playout](crate::Report::best_playout), and one that stops waits for those of a leaf.
    pub leaf_playouts: u32,
    /// Asks the evaluator of the game for the value of a leaf, instead of a playout, in a search
    /// [`with_evaluator_of_game`](crate::Search::with_evaluator_of_game).
    /// [`Search::with_evaluator`](crate::Search::with_evaluator) sets it.
    pub evaluator: bool,
    /// The file of a network that values leaves instead of the evaluator of the game. The engine reads no such file: a
    /// program reads it and calls [`Search::with_evaluator`](crate::Search::with_evaluator).
    pub net: Option<PathBuf>,
    /// The share of a playout in the value of a leaf; the rest is that of the evaluator.
    pub mix: f64,
    /// The share of an implicit minimax value in the value of a child that selection goes by: the evaluations below it,
    /// backed up as if both players went by them alone (Lanctot et al. 2014).
    pub minimax: f64,
    /// The weight of a prior in [`Policy::ProgressiveBias`].
    pub bias: f64,
    /// The weight b of the bias of an all-moves-as-first mean in [`Policy::Rave`] and [`Policy::Grave`]: such a mean of
    /// very many simulations counts as much as one of 1 / b visits.
    pub amaf_bias: f64,
    /// The least visits of a node whose all-moves-as-first statistics [`Policy::Grave`] uses.
    pub amaf_reference: u32,
    /// Progressive widening: the number of children that a node uses after its first visit; 0 to use all.
    pub widening: f64,
    /// The power of a node's visits with which that number grows.
    pub widening_exponent: f64,
    /// The share of Dirichlet noise in the priors of the root's actions.
    pub noise: f64,
    /// The parameter of that noise; 0 for 10 divided by the number of actions.
    pub noise_alpha: f64,
    /// The rule that chooses the move to play in the end.
    pub final_move: FinalMove,
    /// Draws the move to play in proportion to the playouts of each, to the power of one divided by this; 0 for none.
    pub temperature: f64,
    /// Proves certain wins, draws and losses, which need no more playouts (MCTS-Solver).
    pub solver: bool,
    /// The number of threads that search; 0 for as many as there are cores.
    pub threads: usize,
    /// The kind of parallelisation.
    pub parallel: Parallel,
    /// The number of leaves that [`Parallel::Batched`] plays out at a time, or that an evaluator gets at a time; 0 for
    /// 64 with [`Parallel::Batched`] and 1 without.
    pub batch: u32,
    /// The longest time in microseconds that a leaf waits for others before the evaluator gets it. One thread alone
    /// does not look at the clock for this, so that its results repeat.
    pub wait: u32,
    /// The number of tree traversals that a worker interleaves to hide memory latency; 1 for none.
    /// [`Parallel::Batched`] has its batch instead.
    pub traversals: u32,
    /// The most simulations that a worker leads down the well-visited top of the tree together; 1 for one by one.
    /// Trees that are not [`Plain`](TreeKind::Plain), and [`Parallel::Batched`], go one by one.
    /// Each worker keeps a copy of the game for each node that a bulk goes through, beside
    /// [`memory`](Settings::memory).
    pub bulk: u32,
    /// The most bytes that the tree, or all trees together, may take, up to 16 GiB a tree. What a search takes beside
    /// them ([`memory_beside`](Settings::memory_beside)) is at most as much, or 64 MiB. A search takes as much once
    /// more while it goes on beside a playout of an earlier search
    /// ([`Warning::PlayoutGoesOn`](crate::Warning::PlayoutGoesOn)).
    pub memory: usize,
    /// The seed of all randomness. It is not part of the text: an agent is the same agent with another seed.
    pub seed: u64,
}

impl Settings {
    /// The number of workers: threads that lead traversals down a tree.
    pub(crate) fn workers(&self) -> usize {
        match self.parallel {
            Parallel::Shared | Parallel::Independent => self.threads,
            Parallel::Batched => 1,
        }
    }

    /// The number of trees.
    pub(crate) fn trees(&self) -> usize {
        if self.parallel == Parallel::Independent { self.threads.max(1) } else { 1 }
    }

    /// Returns true if rewards in the tree are others than the game declares, because they are means of several.
    pub(crate) fn takes_other_rewards(&self) -> bool {
        self.leaf_playouts > 1
    }

    /// The number of leaves of a batch.
    pub(crate) fn leaves(&self) -> u32 {
        if self.batch > 0 {
            self.batch
        } else if self.parallel == Parallel::Batched {
            64
        } else {
            1
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            policy: Policy::Ucb1,
            tree: TreeKind::Auto,
            exploration: 1.0,
            first_play: FirstPlay::Value(f64::INFINITY),
            expand_at: 2,
            in_flight: InFlight::VirtualLoss(1),
            playout: PlayoutKind::Light,
            learning: Learning::Off,
            epsilon: 0.2,
            leaf_playouts: 1,
            evaluator: false,
            net: None,
            mix: 0.0,
            minimax: 0.0,
            bias: 1.0,
            amaf_bias: 0.001,
            amaf_reference: 50,
            widening: 0.0,
            widening_exponent: 0.5,
            noise: 0.0,
            noise_alpha: 0.0,
            final_move: FinalMove::MostPlayouts,
            temperature: 0.0,
            solver: false,
            threads: 1,
            parallel: Parallel::Shared,
            batch: 0,
            wait: 1000,
            traversals: 8,
            bulk: 512,
            memory: default_memory(),
            seed: 0,
        }
    }
}

/// The rule that selects a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// UCT: mean + C sqrt(ln N / n) (Kocsis and Szepesvari 2006, with UCB1 of Auer, Cesa-Bianchi and Fischer 2002).
    Ucb1,
    /// PUCT: exploration in proportion to the priors of an evaluator (Rosin 2011, Silver et al. 2017). An infinite
    /// [`Settings::first_play`] counts as that of the parent.
    Puct,
    /// UCB1 with a bias by the priors of an evaluator, which fades with visits (Chaslot et al. 2008).
    ProgressiveBias,
    /// Gumbel search: sequential halving at the root, by the priors of an evaluator (Danihelka et al. 2022).
    Gumbel,
    /// UCB1-Tuned: UCB1 that explores a child less whose rewards hardly vary (Auer, Cesa-Bianchi and Fischer 2002).
    Ucb1Tuned,
    /// RAVE: the mean of a child is mixed with that of all simulations that played its action later (Gelly and Silver
    /// 2007).
    Rave,
    /// GRAVE: RAVE by the statistics of a node with enough visits (Cazenave 2015).
    Grave,
    /// Regret matching, for [`TreeKind::Multi`]: draws choices in proportion to the regret of not having made them, so
    /// that their average converges to an equilibrium (Hart and Mas-Colell 2000). The move is drawn from that average.
    /// It pays with simultaneous choices and thousands of playouts for few of them; `docs/EXPERIMENTS.md` has matches.
    RegretMatching,
}

/// The rule by which playouts learn from earlier simulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learning {
    /// None.
    Off,
    /// MAST: of some actions the one with the best mean reward anywhere (Finnsson and Bjornsson 2008).
    Mast,
    /// NST: of some actions the one with the best mean reward behind the moves before it (Tak, Winands and Bjornsson
    /// 2012).
    Nst,
}

/// First-play urgency: the value of a child that was never visited.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FirstPlay {
    /// The same value everywhere. Infinity tries each child before any is visited again.
    Value(f64),
    /// The mean of the node's visited children, less a reduction times the square root of the sum of their priors.
    Parent {
        /// The reduction.
        reduction: f64,
    },
}

/// The meaning of a node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// [`Plain`](TreeKind::Plain) where players have perfect information, else [`Multi`](TreeKind::Multi).
    Auto,
    /// A position. In games with simultaneous choices the search then lets later players see the choices of earlier
    /// ones.
    Plain,
    /// Open-loop search: the sequence of the players' actions, for all outcomes of chance between them.
    Open,
    /// SO-ISMCTS (single observer): an information set of the player whose decision is searched.
    Single,
    /// MO-ISMCTS (multiple observers): an information set of the player who is to choose, with a tree for each player.
    /// Where players choose at the same time this is decoupled UCT.
    Multi,
}

/// The way in which traversals in flight count for selection, so that workers do not all follow the same path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InFlight {
    /// Virtual loss: this many visits without a reward until the reward arrives; 0 for none.
    VirtualLoss(u32),
    /// WU-UCT: an unobserved visit, which counts in the exploration term and not in the mean.
    Unobserved,
}

/// The rule that chooses the move to play in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalMove {
    /// The robust child: most playouts.
    MostPlayouts,
    /// The max child: best mean reward.
    BestMean,
    /// The secure child: best lower confidence bound, the mean less two standard errors.
    LowerBound,
}

/// The kind of parallelisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// Tree parallelisation: all threads work in one tree.
    Shared,
    /// Root parallelisation: each thread has a tree, and the children of the roots are added up.
    Independent,
    /// Leaf parallelisation in batches: one thread selects the leaves in order, all threads play them out, one playout
    /// a leaf, and one thread backpropagates them in order. The result depends on the batch and the seed, never on the
    /// number of threads.
    Batched,
}

/// The most threads a search takes.
pub const MAX_THREADS: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_bare_name() {
        assert_eq!(Settings::default().to_string(), "mcts");
        assert_eq!("mcts".parse(), Ok(Settings::default()));
    }

    #[test]
    fn a_text_parses_and_prints_to_itself() {
        for text in [
            "mcts:c=0.7,fpu=1.5,expand=8,loss=wu,playout=decisive,final=lcb",
            "mcts:loss=3,final=mean,threads=8,parallel=independent,memory=64M",
            "mcts:threads=0,parallel=batched,batch=256,memory=1000001",
            "mcts:policy=puct,fpu=parent,eval=on,mix=0.3,batch=32,wait=200",
            "mcts:policy=grave,playout=decisive,learn=nst,epsilon=0.4,amaf=0.0001,ref=20",
            "mcts:policy=ucb1-tuned,playouts=4",
            "mcts:policy=bias,fpu=parent-0.25,bias=2,widen=1.5,widening=0.4,noise=0.25,alpha=0.3,temperature=1",
        ] {
            let settings: Settings = text.parse().unwrap();
            assert_eq!(settings.to_string(), text);
        }
    }

    #[test]
    fn faults_are_named_with_what_is_right() {
        let fault = |text: &str| text.parse::<Settings>().unwrap_err().to_string();
        assert_eq!(fault("flat"), "only the agent mcts goes here, as in mcts:threads=8, and 'flat' is not that");
        assert!(fault("mcts:x=1").starts_with("agent mcts has no key 'x'; its keys are c, policy, tree, fpu"));
        assert_eq!(fault("mcts:c=abc"), "'abc' in c=abc should be a number from 0 to 1000");
        assert_eq!(fault("mcts:c=NaN"), "'NaN' in c=NaN should be a number from 0 to 1000");
        assert_eq!(fault("mcts:c=1,c=2"), "key 'c' stands twice in agent 'mcts:c=1,c=2'; give it once");
        assert!(fault("mcts:").contains("should be a key and a value"));
    }
}
