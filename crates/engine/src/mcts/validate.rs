//! Checks that settings go with a game, resolves those left to it, and chooses the layout of its counters.

use super::SearchError;
use crate::mcts::settings::{InFlight, Parallel, Policy, Settings, TreeKind};
use crate::mcts::tree::{LayoutKind, MOST_LATE};
use crate::{Game, GameFacts, Information, Rewards, TurnOrder};

/// Resolves the settings that are left to the game.
///
/// # Errors
/// If a setting does not go with the game, with the nearest settings that do.
pub(super) fn resolve(facts: &GameFacts, settings: &mut Settings) -> Result<(), SearchError> {
    let perfect = facts.information == Information::Perfect;
    let asked = settings.clone();
    if settings.tree == TreeKind::Auto {
        settings.tree = if perfect { TreeKind::Plain } else { TreeKind::Multi };
    }
    let unsupported = |reason: &str, change: &dyn Fn(&mut Settings)| {
        let mut instead = asked.clone();
        change(&mut instead);
        // One change may not be enough.
        if instead != asked
            && let Err(SearchError::Unsupported { instead: better, .. }) = resolve(facts, &mut instead.clone())
            && let Ok(better) = better.parse()
        {
            instead = better;
        }
        Err(SearchError::Unsupported { reason: reason.to_string(), instead: instead.to_string() })
    };
    match settings.tree {
        TreeKind::Plain if facts.information == Information::Hidden => {
            unsupported("a plain tree would use information that players do not have", &|s| s.tree = TreeKind::Auto)
        }
        TreeKind::Open if facts.turn_order == TurnOrder::Alternating => {
            unsupported("an open loop is for games with chance, and here players alternate", &|s| {
                s.tree = TreeKind::Auto
            })
        }
        TreeKind::Open if !perfect => {
            unsupported("an open loop is for games with perfect information", &|s| s.tree = TreeKind::Single)
        }
        TreeKind::Single | TreeKind::Multi if perfect => {
            let reason =
                "a tree of information sets needs hidden information or simultaneous choices, and here is neither";
            unsupported(reason, &|s| {
                s.tree = TreeKind::Auto;
                s.policy = Policy::Ucb1;
            })
        }
        kind if settings.solver && kind != TreeKind::Plain => {
            unsupported("the solver needs nodes that are positions, with tree=plain", &|s| s.solver = false)
        }
        _ if settings.solver && !perfect => unsupported(
            "no outcome is certain where players choose at the same time, so the solver has nothing to prove",
            &|s| s.solver = false,
        ),
        _ if settings.solver && facts.rewards.bounds != Rewards::ANY.bounds => {
            unsupported("the solver proves wins, draws and losses, and this game has scores", &|s| s.solver = false)
        }
        kind if settings.policy == Policy::RegretMatching && kind != TreeKind::Multi => match perfect {
            true => unsupported("regret matching is for simultaneous choices or hidden information", &|s| {
                s.policy = Policy::Ucb1
            }),
            false => unsupported("regret matching needs a tree for each player", &|s| s.tree = TreeKind::Multi),
        },
        kind if settings.in_flight == InFlight::Unobserved
            && (kind != TreeKind::Plain || facts.rewards.bounds.is_none()) =>
        {
            unsupported("loss=wu goes with plain trees and rewards that have bounds", &|s| {
                s.in_flight = InFlight::VirtualLoss(1)
            })
        }
        _ => Ok(()),
    }
}

/// The most traversals of all workers in flight in a tree of lines: half of the late visits that lines have room for.
pub(super) const MOST_IN_FLIGHT: u64 = MOST_LATE as u64 / 2;

/// The least memory of a tree in which lines, and what is kept for wide ones, are worth their size.
const LEAST_FOR_LINES: usize = 64 << 10;

impl LayoutKind {
    /// The layout for a search of a game, with settings that go with it.
    pub(super) fn of(facts: &GameFacts, players: usize, settings: &Settings) -> LayoutKind {
        let in_flight = match settings.parallel {
            Parallel::Batched => u64::from(settings.batch),
            Parallel::Shared | Parallel::Independent => settings.threads as u64 * u64::from(settings.traversals),
        };
        let trees = if settings.parallel == Parallel::Independent { settings.threads.max(1) } else { 1 };
        // A head has room for the outcome of two players.
        let fits_lines = facts.max_code <= u32::from(u8::MAX)
            && in_flight <= MOST_IN_FLIGHT
            && settings.memory / trees >= LEAST_FOR_LINES
            && matches!(settings.in_flight, InFlight::VirtualLoss(0 | 1))
            && (players <= 2 || !settings.solver);
        match settings.in_flight {
            _ if settings.tree != TreeKind::Plain => LayoutKind::InformationSets,
            _ if facts.rewards.bounds.is_none() => LayoutKind::Scores,
            InFlight::Unobserved => LayoutKind::Unobserved,
            InFlight::VirtualLoss(_) if facts.rewards.halves && fits_lines => LayoutKind::Narrow,
            InFlight::VirtualLoss(_) if facts.rewards.halves => LayoutKind::Packed,
            InFlight::VirtualLoss(_) => LayoutKind::Wide,
        }
    }

    /// Returns true if some settings give a game this layout. No worker is compiled for the other layouts.
    pub(super) const fn is_possible<G: Game>(self) -> bool {
        let rewards = G::REWARDS;
        match self {
            LayoutKind::Narrow | LayoutKind::Packed => rewards.halves && rewards.bounds.is_some(),
            LayoutKind::Wide => !rewards.halves && rewards.bounds.is_some(),
            LayoutKind::Unobserved => rewards.bounds.is_some(),
            LayoutKind::Scores => rewards.bounds.is_none(),
            LayoutKind::InformationSets => {
                !matches!((G::INFORMATION, G::TURN_ORDER), (Information::Perfect, TurnOrder::Alternating))
            }
        }
    }
}
