//! Whether settings go with a game, and how its counters are laid out.

use super::SearchError;
use crate::settings::{InFlight, Policy, Settings, TreeKind};
use crate::tree::Layout;
use crate::{Game, Information, Rewards, TurnOrder};

/// Decides what the settings leave to the game.
///
/// # Errors
/// If they ask for something that the game does not have, with the nearest settings that go with it.
pub(super) fn fit<G: Game>(settings: &mut Settings) -> Result<(), SearchError> {
    let perfect = G::INFORMATION == Information::Perfect;
    let asked = settings.clone();
    if settings.tree == TreeKind::Auto {
        settings.tree = if perfect { TreeKind::Plain } else { TreeKind::Multi };
    }
    let misfit = |reason: &str, change: &dyn Fn(&mut Settings)| {
        let mut instead = asked.clone();
        change(&mut instead);
        // One change may not be enough.
        if instead != asked
            && let Err(SearchError::Misfit { instead: better, .. }) = fit::<G>(&mut instead.clone())
            && let Ok(better) = better.parse()
        {
            instead = better;
        }
        Err(SearchError::Misfit { reason: reason.to_string(), instead: instead.to_string() })
    };
    match settings.tree {
        TreeKind::Plain if G::INFORMATION == Information::Hidden => {
            misfit("a plain tree would look at what players do not know", &|s| s.tree = TreeKind::Auto)
        }
        TreeKind::Open if G::TURN_ORDER == TurnOrder::Alternating => {
            misfit("an open loop is for games with chance, and here players alternate", &|s| s.tree = TreeKind::Auto)
        }
        TreeKind::Open if !perfect => {
            misfit("an open loop is for games in which everybody knows everything", &|s| s.tree = TreeKind::Single)
        }
        TreeKind::Single | TreeKind::Multi if perfect => {
            let reason =
                "a tree of what players know needs hidden information or simultaneous choices, and here is neither";
            misfit(reason, &|s| {
                s.tree = TreeKind::Auto;
                s.policy = Policy::Ucb1;
            })
        }
        kind if settings.solver && kind != TreeKind::Plain => {
            misfit("the solver needs nodes that are positions, with tree=plain", &|s| s.solver = false)
        }
        _ if settings.solver && !perfect => {
            misfit("what a player gets for certain depends on choices made at the same time", &|s| s.solver = false)
        }
        _ if settings.solver && G::REWARDS.bounds != Rewards::ANY.bounds => {
            misfit("the solver proves wins, draws and losses, and this game has scores", &|s| s.solver = false)
        }
        kind if settings.policy == Policy::RegretMatching && kind != TreeKind::Multi => match perfect {
            true => misfit("regret matching is for simultaneous choices or hidden information", &|s| {
                s.policy = Policy::Ucb1
            }),
            false => misfit("regret matching needs a tree for each player", &|s| s.tree = TreeKind::Multi),
        },
        kind if settings.in_flight == InFlight::Unobserved
            && (kind != TreeKind::Plain || G::REWARDS.bounds.is_none()) =>
        {
            misfit("loss=wu goes with plain trees and rewards that have bounds", &|s| {
                s.in_flight = InFlight::VirtualLoss(1)
            })
        }
        _ => Ok(()),
    }
}

impl Layout {
    /// The layout for a search of a game, with settings that fit it.
    pub(super) fn of<G: Game>(settings: &Settings) -> Layout {
        match settings.in_flight {
            _ if settings.tree != TreeKind::Plain => Layout::Informed,
            _ if G::REWARDS.bounds.is_none() => Layout::Scores,
            InFlight::Unobserved => Layout::Unobserved,
            InFlight::VirtualLoss(_) if G::REWARDS.halves => Layout::Packed,
            InFlight::VirtualLoss(_) => Layout::Wide,
        }
    }

    /// Whether a game can ever have this layout, so that nothing is compiled for the others.
    pub(super) const fn is_possible<G: Game>(self) -> bool {
        let rewards = G::REWARDS;
        match self {
            Layout::Packed => rewards.halves && rewards.bounds.is_some(),
            Layout::Wide => !rewards.halves && rewards.bounds.is_some(),
            Layout::Unobserved => rewards.bounds.is_some(),
            Layout::Scores => rewards.bounds.is_none(),
            Layout::Informed => {
                !matches!((G::INFORMATION, G::TURN_ORDER), (Information::Perfect, TurnOrder::Alternating))
            }
        }
    }
}

/// Runs an expression with `$counters` standing for the type of a layout that a game can have.
macro_rules! with_counters_of {
    ($game:ty, $layout:expr, $counters:ident => $run:expr, else $otherwise:expr) => {
        with_counters_of!(@match $game, $layout, $counters => $run, $otherwise, Packed Wide Unobserved Scores Informed)
    };
    (@match $game:ty, $layout:expr, $counters:ident => $run:expr, $otherwise:expr, $($name:ident)*) => {
        match $layout {
            $($crate::tree::Layout::$name => {
                type $counters = $crate::tree::counters::$name;
                if const { $crate::tree::Layout::$name.is_possible::<$game>() } {
                    $run
                } else {
                    $otherwise
                }
            })*
        }
    };
}
pub(super) use with_counters_of;
