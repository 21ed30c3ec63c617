//! The settings as text: one key for each.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{FinalMove, InFlight, Parallel, Policy, Settings, TreeKind};
use crate::spec::{self, EXPLORATION, Key, Spec, SpecError, THREADS, number, range_text};

const EXPAND_AT: RangeInclusive<u32> = 1..=1_000_000;
/// The visits that a virtual loss may have.
const VIRTUAL_LOSSES: RangeInclusive<u32> = 0..=100;
const BATCH: RangeInclusive<u32> = 1..=65_536;
const TRAVERSALS: RangeInclusive<u32> = 1..=64;
const BULK: RangeInclusive<u32> = 1..=65_536;
/// The values of a child without visits; [infinity](f64::INFINITY) is one more.
const FIRST_PLAY: RangeInclusive<f64> = 0.0..=1000.0;

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

impl Spec for Settings {
    const NAME: &'static str = "mcts";
    const SUMMARY: &'static str = "Monte Carlo Tree Search";

    const FORMER_KEYS: &'static [&'static str] = &["mirrors"];

    fn keys() -> Vec<Key<Settings>> {
        vec![
            Key::exploration("exploration constant C of UCB1", |set| &mut set.exploration),
            Key::choice(
                "policy",
                "rule that selects a child: UCB1, or regret matching with tree=multi",
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
            Key::number_or(
                "fpu",
                "value of a child that was never visited (first-play urgency)",
                ("inf", f64::INFINITY),
                FIRST_PLAY,
                |set| &mut set.first_play,
            ),
            Key::number("expand", "visits at which a leaf is expanded", EXPAND_AT, |set| &mut set.expand_at),
            in_flight(),
            Key::playout("how a game is played out from a leaf", |set| &mut set.playout),
            Key::choice(
                "final",
                "move to play: by most playouts, best mean, or lower confidence bound",
                &FINAL_MOVES,
                |set| &mut set.final_move,
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
            Key::number("batch", "leaves of a batch, with parallel=batched", BATCH, |set| &mut set.batch),
            Key::number(
                "traversals",
                "tree traversals each thread interleaves to hide memory latency; 1 = none",
                TRAVERSALS,
                |set: &mut Settings| &mut set.traversals,
            )
            .alias("descents"),
            Key::number(
                "bulk",
                "most simulations that go down the well-visited top of the tree together; 1 = one by one",
                BULK,
                |set| &mut set.bulk,
            ),
            Key::memory("most memory for the tree", |set| &mut set.memory),
        ]
    }

    fn seed(&mut self) -> &mut u64 {
        &mut self.seed
    }

    fn threads(&self) -> usize {
        self.threads
    }
}

impl Settings {
    /// Returns true if each setting is one that its key can name. Its own text would say so too, at a greater price.
    pub(crate) fn is_in_range(&self) -> bool {
        let is_loss = match self.in_flight {
            InFlight::VirtualLoss(visits) => VIRTUAL_LOSSES.contains(&visits),
            InFlight::Unobserved => true,
        };
        is_loss
            && EXPLORATION.contains(&self.exploration)
            && (FIRST_PLAY.contains(&self.first_play) || self.first_play == f64::INFINITY)
            && EXPAND_AT.contains(&self.expand_at)
            && BATCH.contains(&self.batch)
            && TRAVERSALS.contains(&self.traversals)
            && BULK.contains(&self.bulk)
            && THREADS.contains(&self.threads)
    }
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
