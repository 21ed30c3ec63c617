//! Checks that settings go with a game, resolves those left to it, and chooses the layout of its counters.

use super::SearchError;
use crate::mcts::settings::{InFlight, Policy, Settings, TreeKind};
use crate::mcts::tree::LayoutKind;
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

impl LayoutKind {
    /// The layout for a search of a game, with settings that go with it.
    pub(super) fn of(facts: &GameFacts, settings: &Settings) -> LayoutKind {
        match settings.in_flight {
            _ if settings.tree != TreeKind::Plain => LayoutKind::InformationSets,
            _ if facts.rewards.bounds.is_none() => LayoutKind::Scores,
            InFlight::Unobserved => LayoutKind::Unobserved,
            InFlight::VirtualLoss(_) if facts.rewards.halves => LayoutKind::Packed,
            InFlight::VirtualLoss(_) => LayoutKind::Wide,
        }
    }

    /// Returns true if some settings give a game this layout. No worker is compiled for the other layouts.
    pub(super) const fn is_possible<G: Game>(self) -> bool {
        let rewards = G::REWARDS;
        match self {
            LayoutKind::Packed => rewards.halves && rewards.bounds.is_some(),
            LayoutKind::Wide => !rewards.halves && rewards.bounds.is_some(),
            LayoutKind::Unobserved => rewards.bounds.is_some(),
            LayoutKind::Scores => rewards.bounds.is_none(),
            LayoutKind::InformationSets => {
                !matches!((G::INFORMATION, G::TURN_ORDER), (Information::Perfect, TurnOrder::Alternating))
            }
        }
    }
}
