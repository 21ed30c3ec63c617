//! The settings as text: one key for each.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;

use super::{FinalMove, FirstPlay, InFlight, Learning, Parallel, Policy, Settings, TreeKind};
use crate::mcts::idle::idle;
use crate::spec::{self, EXPLORATION, Key, Spec, SpecError, THREADS, net_file, number, range_text};

const EXPAND_AT: RangeInclusive<u32> = 1..=1_000_000;
/// The visits that a virtual loss may have.
const VIRTUAL_LOSSES: RangeInclusive<u32> = 0..=100;
const BATCH: RangeInclusive<u32> = 1..=65_536;
const TRAVERSALS: RangeInclusive<u32> = 1..=64;
const BULK: RangeInclusive<u32> = 1..=65_536;
/// The values of a child without visits; [infinity](f64::INFINITY) is one more.
const FIRST_PLAY: RangeInclusive<f64> = 0.0..=1000.0;

/// The reductions of a first-play urgency relative to the parent.
const REDUCTION: RangeInclusive<f64> = 0.0..=1.0;
/// Shares of one thing in another.
const SHARE: RangeInclusive<f64> = 0.0..=1.0;
const BIAS: RangeInclusive<f64> = 0.0..=1000.0;
const AMAF_BIAS: RangeInclusive<f64> = 0.0..=1.0;
const AMAF_REFERENCE: RangeInclusive<u32> = 0..=1_000_000;
const PLAYOUTS: RangeInclusive<u32> = 1..=100;
const WIDENING: RangeInclusive<f64> = 0.0..=1000.0;
const ALPHA: RangeInclusive<f64> = 0.0..=1000.0;
const TEMPERATURE: RangeInclusive<f64> = 0.0..=100.0;
const WAIT: RangeInclusive<u32> = 0..=1_000_000;

const POLICIES: [(&str, Policy); 8] = [
    ("ucb1", Policy::Ucb1),
    ("ucb1-tuned", Policy::Ucb1Tuned),
    ("rave", Policy::Rave),
    ("grave", Policy::Grave),
    ("puct", Policy::Puct),
    ("bias", Policy::ProgressiveBias),
    ("gumbel", Policy::Gumbel),
    ("rm", Policy::RegretMatching),
];
const LEARNING: [(&str, Learning); 3] = [("off", Learning::Off), ("mast", Learning::Mast), ("nst", Learning::Nst)];
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

impl Spec for Settings {
    const NAME: &'static str = "mcts";
    const SUMMARY: &'static str = "Monte Carlo Tree Search";

    const REMOVED: &'static [(&'static str, &'static str)] = &[
        ("contempt", "it gained nothing in any game; leave it out"),
        ("learn=ppa", "it lost in every game it was measured in; write learn=mast"),
        ("learn=lgr", "it lost in every game it was measured in; write learn=mast"),
        ("mirrors", "bulk traversal took the place of mirrors; leave it out"),
        ("descents", "its name is traversals now; write traversals instead"),
    ];

    fn keys() -> Vec<Key<Settings>> {
        vec![
            Key::exploration("exploration constant C of UCB1", |set| &mut set.exploration),
            Key::choice(
                "policy",
                "rule that selects a child: UCB1 or UCB1-Tuned; with all moves as first RAVE or GRAVE; by the priors \
                 of an evaluator PUCT, progressive bias or Gumbel; or regret matching with tree=multi",
                &POLICIES,
                |set| &mut set.policy,
            ),
            Key::choice(
                "tree",
                "a node is: a position (plain), the actions so far (open loop), or an information set of the searching \
                 player (single: SO-ISMCTS) or of the player to move (multi: MO-ISMCTS)",
                &TREES,
                |set| &mut set.tree,
            ),
            first_play(),
            Key::number("expand", "visits at which a leaf is expanded", EXPAND_AT, |set| &mut set.expand_at),
            in_flight(),
            Key::playout("how a game is played out from a leaf", |set| &mut set.playout),
            Key::choice(
                "learn",
                "playouts learn: the actions with the best means (mast), or those with the best means behind the moves \
                 before (nst)",
                &LEARNING,
                |set| &mut set.learning,
            ),
            Key::number(
                "epsilon",
                "share of moves that such a playout makes as playout says, and of random ones with playout=greedy",
                SHARE,
                |set| &mut set.epsilon,
            ),
            Key::number("playouts", "playouts from each leaf, whose mean counts as one", PLAYOUTS, |set| {
                &mut set.leaf_playouts
            }),
            Key::switch(
                "eval",
                "asks the evaluator of the game for the value of a leaf, instead of a playout",
                |set| &mut set.evaluator,
            ),
            Key::net(
                "network that values leaves, instead of the evaluator of the game: a file by boughs learn, or one \
                 of ONNX",
                |set| &mut set.net,
            ),
            Key::number("mix", "share of a playout in the value of a leaf that the evaluator values", SHARE, |set| {
                &mut set.mix
            }),
            Key::number(
                "minimax",
                "share of the minimax of evaluations in the value that selection goes by, with eval=on or a network",
                SHARE,
                |set| &mut set.minimax,
            ),
            Key::number("bias", "weight of a prior, with policy=bias", BIAS, |set| &mut set.bias),
            Key::number("amaf", "bias of an all-moves-as-first mean, with policy=rave or grave", AMAF_BIAS, |set| {
                &mut set.amaf_bias
            }),
            Key::number("ref", "least visits of a node whose such means policy=grave uses", AMAF_REFERENCE, |set| {
                &mut set.amaf_reference
            }),
            Key::number(
                "widen",
                "children that a node uses after its first visit (progressive widening); 0 = all",
                WIDENING,
                |set| &mut set.widening,
            ),
            Key::number("widening", "power of a node's visits with which that number grows", SHARE, |set| {
                &mut set.widening_exponent
            }),
            Key::number("noise", "share of Dirichlet noise in the priors of the root's actions", SHARE, |set| {
                &mut set.noise
            }),
            Key::number("alpha", "parameter of that noise; 0 = 10 divided by the number of actions", ALPHA, |set| {
                &mut set.noise_alpha
            }),
            Key::choice(
                "final",
                "move to play: by most playouts, best mean, or lower confidence bound",
                &FINAL_MOVES,
                |set| &mut set.final_move,
            ),
            Key::number(
                "temperature",
                "draws the move by its playouts to the power of one divided by this; 0 = plays the best",
                TEMPERATURE,
                |set| &mut set.temperature,
            ),
            Key::switch("solver", "proves certain wins, draws and losses, which need no more playouts", |set| {
                &mut set.solver
            }),
            Key::threads(|set| &mut set.threads),
            Key::choice(
                "parallel",
                "tree parallelisation (shared), root parallelisation (independent: a tree a thread), or leaf \
                 parallelisation in batches with the same result at any number of threads (batched)",
                &PARALLELS,
                |set| &mut set.parallel,
            ),
            Key::number_or(
                "batch",
                "leaves of a batch: with parallel=batched (auto: 64), or that an evaluator gets at a time (auto: 1)",
                ("auto", 0),
                BATCH,
                |set| &mut set.batch,
            ),
            Key::number(
                "wait",
                "longest time in microseconds that a leaf waits for others before the evaluator gets it",
                WAIT,
                |set| &mut set.wait,
            ),
            Key::number(
                "traversals",
                "tree traversals each thread interleaves to hide memory latency; 1 = none",
                TRAVERSALS,
                |set| &mut set.traversals,
            ),
            Key::number(
                "bulk",
                "most simulations that go down the well-visited top of the tree together; 1 = one by one",
                BULK,
                |set| &mut set.bulk,
            ),
            Key::memory("most memory for the tree, up to 16G a tree", |set| &mut set.memory),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn idle_key(&self) -> Option<&'static str> {
        idle(self, None).map(|(key, _)| key)
    }

    fn files(&self) -> Vec<&Path> {
        net_file(self.net.as_deref()).into_iter().collect()
    }
}

impl Settings {
    /// Returns true if each setting is one that its key can name. Its own text would say so too, at a greater price.
    pub(crate) fn is_in_range(&self) -> bool {
        let is_loss = match self.in_flight {
            InFlight::VirtualLoss(visits) => VIRTUAL_LOSSES.contains(&visits),
            InFlight::Unobserved => true,
        };
        let is_first_play = match self.first_play {
            FirstPlay::Value(value) => FIRST_PLAY.contains(&value) || value == f64::INFINITY,
            FirstPlay::Parent { reduction } => REDUCTION.contains(&reduction),
        };
        is_loss
            && is_first_play
            && EXPLORATION.contains(&self.exploration)
            && SHARE.contains(&self.mix)
            && SHARE.contains(&self.noise)
            && SHARE.contains(&self.minimax)
            && SHARE.contains(&self.widening_exponent)
            && BIAS.contains(&self.bias)
            && SHARE.contains(&self.epsilon)
            && PLAYOUTS.contains(&self.leaf_playouts)
            && AMAF_BIAS.contains(&self.amaf_bias)
            && AMAF_REFERENCE.contains(&self.amaf_reference)
            && WIDENING.contains(&self.widening)
            && ALPHA.contains(&self.noise_alpha)
            && TEMPERATURE.contains(&self.temperature)
            && WAIT.contains(&self.wait)
            && EXPAND_AT.contains(&self.expand_at)
            && (self.batch == 0 || BATCH.contains(&self.batch))
            && TRAVERSALS.contains(&self.traversals)
            && BULK.contains(&self.bulk)
            && THREADS.contains(&self.threads)
    }
}

fn first_play() -> Key<Settings> {
    const PARENT: &str = "parent";
    Key::new(
        "fpu",
        "value of a child that was never visited (first-play urgency): inf tries each child first, parent is the mean \
         of the visited ones, less a reduction as in parent-0.25",
        format!("inf, parent, parent-R with R {}, or {}", range_text(&REDUCTION), range_text(&FIRST_PLAY)),
        |set: &Settings| match set.first_play {
            FirstPlay::Value(value) if value == f64::INFINITY => "inf".to_string(),
            FirstPlay::Value(value) => value.to_string(),
            FirstPlay::Parent { reduction: 0.0 } => PARENT.to_string(),
            FirstPlay::Parent { reduction } => format!("{PARENT}-{reduction}"),
        },
        |set, text| {
            set.first_play = match text.strip_prefix(PARENT) {
                Some("") => FirstPlay::Parent { reduction: 0.0 },
                Some(rest) => FirstPlay::Parent { reduction: number(rest.strip_prefix('-')?, &REDUCTION)? },
                None if text == "inf" => FirstPlay::Value(f64::INFINITY),
                None => FirstPlay::Value(number(text, &FIRST_PLAY)?),
            };
            Some(())
        },
    )
}

fn in_flight() -> Key<Settings> {
    Key::new(
        "loss",
        "virtual loss of a traversal in flight in visits, or wu to count it apart (WU-UCT)",
        format!("wu or {}", range_text(&VIRTUAL_LOSSES)),
        |set: &Settings| match set.in_flight {
            InFlight::VirtualLoss(visits) => visits.to_string(),
            InFlight::Unobserved => "wu".to_string(),
        },
        |set, text| {
            set.in_flight = match text {
                "wu" => InFlight::Unobserved,
                _ => InFlight::VirtualLoss(number(text, &VIRTUAL_LOSSES)?),
            };
            Some(())
        },
    )
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
