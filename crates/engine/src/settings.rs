//! Everything that can be set about a search, and the one line of text that names it.
//!
//! An agent is written `mcts:c=1.2,threads=8,parallel=batched`: what is left out has its default ([`crate::spec`]).

use std::fmt;
use std::str::FromStr;

use crate::memory::{default_memory, parse_size, write_size};
use crate::playout::PlayoutKind;
use crate::spec::{self, Key, SWITCH, Spec, SpecError, name_of, named, number};

/// Everything that can be set about a search.
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
    /// The rule that chooses a child during a descent.
    pub policy: Policy,
    /// What a node of the tree stands for.
    pub tree: TreeKind,
    /// The exploration constant C of that rule.
    pub exploration: f64,
    /// The value of a child that was never visited; infinite to try every child first.
    pub first_play: f64,
    /// A leaf is expanded at this many visits.
    pub expand_at: u32,
    /// How descents in flight are shown to the others.
    pub in_flight: InFlight,
    /// How a game is played out from a leaf.
    pub playout: PlayoutKind,
    /// Which move is played in the end.
    pub final_move: FinalMove,
    /// Whether wins, draws and losses that are certain are told apart from likely ones and need no more playouts.
    pub solver: bool,
    /// How many threads search; 0 for as many as there are cores.
    pub threads: usize,
    /// How they share the work.
    pub parallel: Parallel,
    /// How many leaves [`Parallel::Batched`] plays out at a time.
    pub batch: u32,
    /// How many descents a worker has under way at a time, so that it need not wait for memory; 1 for the textbook's
    /// order. [`Parallel::Batched`] has its batch instead.
    pub descents: u32,
    /// Whether each worker counts in copies of its own of the blocks that everybody goes through. They take up to 1 MiB
    /// a worker beside the memory of the tree. [`Parallel::Batched`] has none.
    pub mirrors: bool,
    /// The most bytes the tree, or all trees together, may take.
    pub memory: usize,
    /// The seed of all randomness. It is not part of the text: an agent is the same agent with another seed.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            policy: Policy::Ucb1,
            tree: TreeKind::Auto,
            exploration: 1.0,
            first_play: f64::INFINITY,
            expand_at: 2,
            in_flight: InFlight::VirtualLoss(1),
            playout: PlayoutKind::Light,
            final_move: FinalMove::MostPlayouts,
            solver: false,
            threads: 1,
            parallel: Parallel::Shared,
            batch: 64,
            descents: 2,
            mirrors: true,
            memory: default_memory(),
            seed: 0,
        }
    }
}

impl Settings {
    /// Brings what was set in code to what can be set as text.
    pub(crate) fn keep_in_range(&mut self) {
        let positive = |value: f64, most: f64| if value > 0.0 { value.min(most) } else { 0.0 };
        self.exploration = positive(self.exploration, 1000.0);
        if self.first_play != f64::INFINITY {
            self.first_play = positive(self.first_play, 1000.0);
        }
        if let InFlight::VirtualLoss(visits) = &mut self.in_flight {
            *visits = (*visits).min(100);
        }
        self.threads = self.threads.min(MAX_THREADS);
        self.batch = self.batch.clamp(1, 65_536);
        self.descents = self.descents.clamp(1, MOST_DESCENTS);
    }
}

/// The rule that chooses a child during a descent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// UCT: mean + C sqrt(ln N / n) (Kocsis and Szepesvari 2006, with UCB1 of Auer, Cesa-Bianchi and Fischer 2002).
    Ucb1,
    /// Regret matching, for [`TreeKind::Multi`]: choices are drawn in proportion to what one regrets not to have chosen, so
    /// that on average they go to an equilibrium (Hart and Mas-Colell 2000). The move is drawn from that average.
    RegretMatching,
}

/// What a node of the tree stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// [`Plain`](TreeKind::Plain) where players know everything, else [`Multi`](TreeKind::Multi).
    Auto,
    /// A position. Where players choose at the same time, the later ones see what the earlier ones have chosen.
    Plain,
    /// The actions of the players so far, whatever chance has done between them (an open loop).
    Open,
    /// What the player knows whose decision is searched (information-set search with a single observer).
    Single,
    /// What the player knows who is to choose, with a tree for each player (information-set search with multiple
    /// observers; where players choose at the same time, decoupled UCT).
    Multi,
}

/// How a descent that has not come back yet is shown to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InFlight {
    /// As this many visits without a reward; 0 does not show it at all.
    VirtualLoss(u32),
    /// As a visit that counts for exploration only (WU-UCT).
    Unobserved,
}

/// Which move is played in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinalMove {
    /// The one with the most playouts.
    MostPlayouts,
    /// The one with the best mean reward.
    BestMean,
    /// The one whose mean is highest after two standard errors are taken off.
    LowerBound,
}

/// How threads share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parallel {
    /// All in one tree.
    Shared,
    /// A tree for each, added up at the root.
    Independent,
    /// One tree and batches of leaves that are chosen in order, played out in parallel, and added in order. The result
    /// depends on the batch and the seed, never on the number of threads.
    Batched,
}

/// The most threads a search takes.
pub const MAX_THREADS: usize = 1024;

/// The most descents a worker has under way.
const MOST_DESCENTS: u32 = 64;

const POLICIES: [(&str, Policy); 2] = [("ucb1", Policy::Ucb1), ("rm", Policy::RegretMatching)];
const TREES: [(&str, TreeKind); 5] = [
    ("auto", TreeKind::Auto),
    ("plain", TreeKind::Plain),
    ("open", TreeKind::Open),
    ("single", TreeKind::Single),
    ("multi", TreeKind::Multi),
];
const FINAL_MOVES: [(&str, FinalMove); 3] =
    [("playouts", FinalMove::MostPlayouts), ("mean", FinalMove::BestMean), ("lcb", FinalMove::LowerBound)];
const PARALLELS: [(&str, Parallel); 3] =
    [("shared", Parallel::Shared), ("independent", Parallel::Independent), ("batched", Parallel::Batched)];

/// Everything that can be set, in the order it is printed.
pub const KEYS: &[Key<Settings>] = &[
    Key {
        name: "c",
        help: "exploration constant C",
        values: "a number from 0 to 1000",
        get: |settings| settings.exploration.to_string(),
        set: |settings, text| number(text, 0.0..=1000.0).map(|c| settings.exploration = c),
    },
    Key {
        name: "policy",
        help: "rule that chooses a child during a descent: UCB1, or regret matching with tree=multi",
        values: "ucb1 or rm",
        get: |settings| name_of(settings.policy, &POLICIES),
        set: |settings, text| named(text, &POLICIES).map(|policy| settings.policy = policy),
    },
    Key {
        name: "tree",
        help: "what a node is: a position, the actions so far (open loop), or what one or each player knows",
        values: "auto, plain, open, single or multi",
        get: |settings| name_of(settings.tree, &TREES),
        set: |settings, text| named(text, &TREES).map(|tree| settings.tree = tree),
    },
    Key {
        name: "fpu",
        help: "value of a child that was never visited (first-play urgency)",
        values: "inf or a number from 0 to 1000",
        get: |settings| settings.first_play.to_string(),
        set: |settings, text| {
            let value = if text == "inf" { Some(f64::INFINITY) } else { number(text, 0.0..=1000.0) };
            value.map(|value| settings.first_play = value)
        },
    },
    Key {
        name: "expand",
        help: "visits at which a leaf gets its children",
        values: "a whole number from 1 to 1000000",
        get: |settings| settings.expand_at.to_string(),
        set: |settings, text| number(text, 1..=1_000_000).map(|visits| settings.expand_at = visits),
    },
    Key {
        name: "loss",
        help: "virtual loss of a descent in flight in visits, or wu to count it apart (WU-UCT)",
        values: "wu or a whole number from 0 to 100",
        get: |settings| match settings.in_flight {
            InFlight::VirtualLoss(visits) => visits.to_string(),
            InFlight::Unobserved => "wu".to_string(),
        },
        set: |settings, text| {
            let in_flight = match text {
                "wu" => Some(InFlight::Unobserved),
                _ => number(text, 0..=100).map(InFlight::VirtualLoss),
            };
            in_flight.map(|in_flight| settings.in_flight = in_flight)
        },
    },
    Key {
        name: "playout",
        help: "how a game is played out from a leaf",
        values: "light or decisive",
        get: |settings| name_of(settings.playout, &PlayoutKind::ALL),
        set: |settings, text| named(text, &PlayoutKind::ALL).map(|playout| settings.playout = playout),
    },
    Key {
        name: "final",
        help: "which move is played: by most playouts, best mean, or lower confidence bound",
        values: "playouts, mean or lcb",
        get: |settings| name_of(settings.final_move, &FINAL_MOVES),
        set: |settings, text| named(text, &FINAL_MOVES).map(|final_move| settings.final_move = final_move),
    },
    Key {
        name: "solver",
        help: "certain wins, draws and losses are proven and need no more playouts",
        values: "on or off",
        get: |settings| name_of(settings.solver, &SWITCH),
        set: |settings, text| named(text, &SWITCH).map(|solver| settings.solver = solver),
    },
    Key {
        name: "threads",
        help: "threads that search, 0 for all cores",
        values: "a whole number from 0 to 1024",
        get: |settings| settings.threads.to_string(),
        set: |settings, text| number(text, 0..=MAX_THREADS).map(|threads| settings.threads = threads),
    },
    Key {
        name: "parallel",
        help: "one tree for all threads, a tree for each, or batches with the same result at any number of threads",
        values: "shared, independent or batched",
        get: |settings| name_of(settings.parallel, &PARALLELS),
        set: |settings, text| named(text, &PARALLELS).map(|parallel| settings.parallel = parallel),
    },
    Key {
        name: "batch",
        help: "leaves a batch has, with parallel=batched",
        values: "a whole number from 1 to 65536",
        get: |settings| settings.batch.to_string(),
        set: |settings, text| number(text, 1..=65_536).map(|batch| settings.batch = batch),
    },
    Key {
        name: "descents",
        help: "descents a thread has under way at a time, 1 for the textbook's order",
        values: "a whole number from 1 to 64",
        get: |settings| settings.descents.to_string(),
        set: |settings, text| number(text, 1..=MOST_DESCENTS).map(|descents| settings.descents = descents),
    },
    Key {
        name: "mirrors",
        help: "threads count in copies of their own where everybody goes through",
        values: "on or off",
        get: |settings| name_of(settings.mirrors, &SWITCH),
        set: |settings, text| named(text, &SWITCH).map(|mirrors| settings.mirrors = mirrors),
    },
    Key {
        name: "memory",
        help: "most memory for the tree",
        values: "a size such as 64M or 1.5G",
        get: |settings| write_size(settings.memory),
        set: |settings, text| parse_size(text).ok().map(|bytes| settings.memory = bytes),
    },
];

impl Spec for Settings {
    const NAME: &'static str = "mcts";
    const SUMMARY: &'static str = "Monte Carlo Tree Search";
    const KEYS: &'static [Key<Settings>] = KEYS;

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        spec::write(self, f)
    }
}

impl FromStr for Settings {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Settings, SpecError> {
        spec::parse(text)
    }
}

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
