//! Checks that settings go with a game, and chooses the kind of its tree and the layout of its counters.

use super::SearchError;
use super::solver::has_bounds;
use crate::mcts::policies::{counts_amaf, needs_policy};
use crate::mcts::settings::{InFlight, Learning, Parallel, Policy, Settings, TreeKind};
use crate::mcts::tree::{LayoutKind, MOST_LATE};
use crate::playout::PlayoutKind;
use crate::run::guarded;
use crate::{Action, Game, GameFacts, Information, Knowledge, Position, Rewards, Turn, TurnOrder};

/// Chooses the kind of the tree, which is not [`Auto`](TreeKind::Auto).
///
/// # Errors
/// If a setting does not go with the game, with the nearest settings that do.
pub(super) fn tree_kind(facts: &GameFacts, knowledge: Knowledge, asked: &Settings) -> Result<TreeKind, SearchError> {
    let is_informed =
        asked.evaluator || needs_policy(asked) || asked.noise > 0.0 || asked.mix > 0.0 || asked.minimax > 0.0;
    if is_informed && let Some((reason, change)) = fault_of_evaluation(knowledge, asked) {
        return unsupported((facts, knowledge), asked, reason, &change);
    }

    let perfect = facts.information == Information::Perfect;
    let kind = match asked.tree {
        TreeKind::Auto if perfect => TreeKind::Plain,
        TreeKind::Auto => TreeKind::Multi,
        kind => kind,
    };
    match kind {
        TreeKind::Plain if facts.information == Information::Hidden => unsupported(
            (facts, knowledge),
            asked,
            "a plain tree would use information that players do not have",
            &|s| s.tree = TreeKind::Auto,
        ),
        TreeKind::Open if facts.turn_order == TurnOrder::Alternating => unsupported(
            (facts, knowledge),
            asked,
            "an open loop is for games with chance, and here players alternate",
            &|s| s.tree = TreeKind::Auto,
        ),
        TreeKind::Open if !perfect => {
            unsupported((facts, knowledge), asked, "an open loop is for games with perfect information", &|s| {
                s.tree = TreeKind::Single
            })
        }
        TreeKind::Single | TreeKind::Multi if perfect => {
            let reason =
                "a tree of information sets needs hidden information or simultaneous choices, and here is neither";
            unsupported((facts, knowledge), asked, reason, &|s| {
                s.tree = TreeKind::Auto;
                s.policy = Policy::Ucb1;
            })
        }
        _ if asked.solver && kind != TreeKind::Plain => {
            unsupported((facts, knowledge), asked, "the solver needs nodes that are positions, with tree=plain", &|s| {
                s.solver = false
            })
        }
        _ if asked.solver && !perfect => unsupported(
            (facts, knowledge),
            asked,
            "no outcome is certain where players choose at the same time, so the solver has nothing to prove",
            &|s| s.solver = false,
        ),
        _ if asked.solver && facts.rewards.bounds != Rewards::ANY.bounds => unsupported(
            (facts, knowledge),
            asked,
            "the solver proves wins, draws and losses, and this game has scores",
            &|s| s.solver = false,
        ),
        _ if asked.policy == Policy::RegretMatching && kind != TreeKind::Multi => match perfect {
            true => unsupported(
                (facts, knowledge),
                asked,
                "regret matching is for simultaneous choices or hidden information",
                &|s| s.policy = Policy::Ucb1,
            ),
            false => unsupported((facts, knowledge), asked, "regret matching needs a tree for each player", &|s| {
                s.tree = TreeKind::Multi
            }),
        },
        _ if kind != TreeKind::Plain && needs_policy(asked) => unsupported(
            (facts, knowledge),
            asked,
            "this policy, fpu=parent, widen and minimax compare the children of a position, and here a node is none",
            &|s| {
                (s.policy, s.widening, s.noise, s.minimax) = (Policy::Ucb1, 0.0, 0.0, 0.0);
                s.first_play = Settings::default().first_play;
            },
        ),
        _ if counts_amaf(asked) && !facts.actions_recur => unsupported(
            (facts, knowledge),
            asked,
            "the same action means other things later in this game, so RAVE and GRAVE have nothing to share",
            &|s| s.policy = Policy::Ucb1,
        ),
        _ if (counts_amaf(asked) || asked.policy == Policy::Ucb1Tuned) && facts.rewards.bounds.is_none() => {
            unsupported((facts, knowledge), asked, "this policy needs rewards with bounds", &|s| {
                s.policy = Policy::Ucb1
            })
        }
        _ if asked.playout != PlayoutKind::Light && asked.playout.fault(facts).is_some() => {
            let reason = asked.playout.fault(facts).unwrap_or_default();
            unsupported((facts, knowledge), asked, reason, &|s| s.playout = PlayoutKind::Light)
        }
        _ if asked.learning != Learning::Off && !facts.actions_recur => unsupported(
            (facts, knowledge),
            asked,
            "the same action means other things later in this game, so playouts have nothing to learn",
            &|s| s.learning = Learning::Off,
        ),
        _ if asked.learning != Learning::Off && facts.rewards.bounds.is_none() => {
            unsupported((facts, knowledge), asked, "playouts learn from rewards with bounds", &|s| {
                s.learning = Learning::Off
            })
        }
        _ if asked.learning == Learning::Nst && facts.information != Information::Perfect => unsupported(
            (facts, knowledge),
            asked,
            "an answer to a move needs to know it, and here players do not see all moves",
            &|s| s.learning = Learning::Mast,
        ),
        _ if asked.minimax > 0.0 && !has_bounds(facts, 2) => unsupported(
            (facts, knowledge),
            asked,
            "implicit minimax is for two players in turn whose rewards add up to 1",
            &|s| s.minimax = 0.0,
        ),
        _ if asked.minimax > 0.0 && !goes_with_minimax(asked.policy) => unsupported(
            (facts, knowledge),
            asked,
            "implicit minimax goes with UCB1, PUCT and progressive bias, whose only statistics are means",
            &|s| s.policy = Policy::Ucb1,
        ),
        _ if asked.leaf_playouts > 1 && (counts_amaf(asked) || asked.learning != Learning::Off) => unsupported(
            (facts, knowledge),
            asked,
            "a policy that learns from moves learns from one playout a leaf",
            &|s| s.leaf_playouts = 1,
        ),
        _ if asked.in_flight == InFlight::Unobserved && (kind != TreeKind::Plain || facts.rewards.bounds.is_none()) => {
            unsupported((facts, knowledge), asked, "loss=wu goes with plain trees and rewards that have bounds", &|s| {
                s.in_flight = InFlight::VirtualLoss(1)
            })
        }
        _ => Ok(kind),
    }
}

/// Checks that no network is named to a search that is given no evaluator.
///
/// # Errors
/// If one is.
pub(super) fn check_no_net(settings: &Settings) -> Result<(), SearchError> {
    let Some(file) = &settings.net else { return Ok(()) };
    let instead = Settings { net: None, ..settings.clone() }.to_string();
    let reason = format!("'{}' has to be read by the program that searches", file.display());
    Err(SearchError::Unsupported { reason, instead })
}

/// Checks that a game has the evaluation that greedy playouts go by.
///
/// # Errors
/// If it has none, or panics.
pub(super) fn check_evaluation<G: Game>(
    position: &G,
    knowledge: Knowledge,
    settings: &Settings,
) -> Result<(), SearchError> {
    if settings.playout != PlayoutKind::Greedy {
        return Ok(());
    }
    if guarded(|| position.turn() == Turn::Over || position.evaluation(0).is_some())? {
        return Ok(());
    }
    let reason = "greedy playouts compare positions by Game::evaluation, which this game does not have";
    unsupported((&position.facts(), knowledge), settings, reason, &|s| s.playout = PlayoutKind::Light).map(drop)
}

/// Returns true if a policy reads nothing that a minimax value would contradict or take the place of.
fn goes_with_minimax(policy: Policy) -> bool {
    matches!(policy, Policy::Ucb1 | Policy::Puct | Policy::ProgressiveBias)
}

/// The error for implicit minimax in a game of `players`, who are not two.
pub(super) fn not_for_two(players: usize, settings: &Settings) -> SearchError {
    let instead = Settings { minimax: 0.0, ..settings.clone() };
    SearchError::Unsupported {
        reason: format!("implicit minimax is for two players, and here are {players}"),
        instead: instead.to_string(),
    }
}

/// The most visits that the traversals of all workers may be in flight as, in a search with an evaluator.
const MOST_EVALUATED: u64 = 1 << 23;

/// The visits that traversals in flight count as.
fn visits_in_flight(settings: &Settings) -> u64 {
    let loss = match settings.in_flight {
        InFlight::VirtualLoss(visits) => u64::from(visits),
        InFlight::Unobserved => 1,
    };
    settings.workers() as u64 * u64::from(settings.leaves().max(settings.traversals)) * loss
}

/// A change to settings.
type Change = fn(&mut Settings);

/// The reason why settings do not go with each other or with the evaluator that there is, and a change that mends it.
fn fault_of_evaluation(knowledge: Knowledge, asked: &Settings) -> Option<(&'static str, Change)> {
    let has_priors = asked.evaluator && knowledge == Knowledge::ValuesAndPriors;
    // With the evaluator of the game there would be priors.
    let could_have = !asked.evaluator && knowledge == Knowledge::ValuesAndPriors;
    let by_priors = matches!(asked.policy, Policy::Puct | Policy::ProgressiveBias | Policy::Gumbel);
    let is_informed = asked.evaluator || needs_policy(asked);
    let are_too_many = visits_in_flight(asked) > MOST_EVALUATED;
    let fault: (&str, Change) = match asked {
        _ if asked.evaluator && knowledge == Knowledge::None => {
            ("this game brings no evaluator, and eval=on needs one, which Search::with_evaluator takes", |s| {
                (s.evaluator, s.mix) = (false, 0.0)
            })
        }
        _ if (by_priors || asked.noise > 0.0) && could_have => {
            ("priors come from the evaluator of the game, with eval=on", |s| s.evaluator = true)
        }
        _ if by_priors && !has_priors => {
            ("this policy needs priors of actions, by eval=on or a network, and there are none here", |s| {
                s.policy = Policy::Ucb1
            })
        }
        _ if asked.noise > 0.0 && !has_priors => {
            ("noise is mixed into the priors of actions, by eval=on or a network, and there are none here", |s| {
                s.noise = 0.0
            })
        }
        _ if asked.mix > 0.0 && !asked.evaluator => {
            ("mix is the share of playouts beside an evaluator, with eval=on", |s| s.mix = 0.0)
        }
        _ if asked.evaluator && asked.learning != Learning::Off => {
            ("playouts learn from how they end, and here values of the evaluator count", |s| s.learning = Learning::Off)
        }
        _ if asked.minimax > 0.0 && !asked.evaluator && knowledge == Knowledge::None => {
            ("implicit minimax needs evaluations, and this game brings no evaluator", |s| s.minimax = 0.0)
        }
        _ if asked.minimax > 0.0 && !asked.evaluator => {
            ("implicit minimax needs the evaluations of the game, with eval=on", |s| s.evaluator = true)
        }
        _ if asked.policy == Policy::Gumbel && asked.parallel == Parallel::Independent => {
            ("sequential halving at the root needs one tree", |s| s.parallel = Parallel::Shared)
        }
        _ if asked.policy == Policy::Gumbel && asked.widening > 0.0 => {
            ("Gumbel search chooses by itself how many actions it considers", |s| s.widening = 0.0)
        }
        _ if asked.evaluator && are_too_many => ("so many leaves in flight would overflow a counter", |s| {
            (s.batch, s.in_flight) = (s.batch.min(64), InFlight::VirtualLoss(1))
        }),
        _ if is_informed && asked.in_flight == InFlight::Unobserved => {
            ("an evaluator, this policy, fpu=parent and widen go with virtual loss", |s| {
                s.in_flight = InFlight::VirtualLoss(1)
            })
        }
        _ => return None,
    };
    Some(fault)
}

/// The error for settings that do not go with a game, with the settings that are nearest to those and do.
fn unsupported(
    (facts, knowledge): (&GameFacts, Knowledge),
    asked: &Settings,
    reason: &str,
    change: &dyn Fn(&mut Settings),
) -> Result<TreeKind, SearchError> {
    let mut instead = asked.clone();
    change(&mut instead);
    // One change may not be enough.
    if instead != *asked
        && let Err(SearchError::Unsupported { instead: better, .. }) = tree_kind(facts, knowledge, &instead)
        && let Ok(better) = better.parse()
    {
        instead = better;
    }
    Err(SearchError::Unsupported { reason: reason.to_string(), instead: instead.to_string() })
}

/// The most traversals of all workers in flight in a tree of lines: half of the late visits that lines have room for.
pub(super) const MOST_IN_FLIGHT: u64 = MOST_LATE as u64 / 2;

/// The greatest code of an action that lines have room for.
const MOST_CODE_OF_LINES: u32 = u8::MAX as u32;

/// The least memory of a tree in which lines, and what is kept for wide ones, are worth their size.
const LEAST_FOR_LINES: usize = 64 << 10;

impl LayoutKind {
    /// The layout for a search of a game in a kind of tree, with settings that go with them.
    pub(super) fn of(facts: &GameFacts, players: usize, kind: TreeKind, settings: &Settings) -> LayoutKind {
        let in_flight = match settings.parallel {
            Parallel::Batched => u64::from(settings.leaves()),
            Parallel::Shared | Parallel::Independent => settings.threads as u64 * u64::from(settings.traversals),
        };
        // A head has room for the outcome of two players.
        let has_few_codes = facts.max_code <= MOST_CODE_OF_LINES;
        let fits_lines = in_flight <= MOST_IN_FLIGHT
            && settings.memory / settings.trees() >= LEAST_FOR_LINES
            && matches!(settings.in_flight, InFlight::VirtualLoss(0 | 1))
            && (players <= 2 || !settings.solver);
        match settings.in_flight {
            _ if kind != TreeKind::Plain => LayoutKind::InformationSets,
            _ if settings.evaluator || needs_policy(settings) => LayoutKind::Informed,
            _ if facts.rewards.bounds.is_none() => LayoutKind::Scores,
            _ if !facts.rewards.halves => LayoutKind::Wide,
            // Means of several playouts are no halves.
            InFlight::VirtualLoss(_) if settings.takes_other_rewards() => LayoutKind::Informed,
            InFlight::VirtualLoss(_) if !has_few_codes => LayoutKind::Packed,
            InFlight::VirtualLoss(_) if fits_lines => LayoutKind::Narrow,
            InFlight::VirtualLoss(_) | InFlight::Unobserved => LayoutKind::Informed,
        }
    }

    /// Returns true if some settings give a game this layout. No worker is compiled for the other layouts.
    pub(super) const fn is_possible<G: Game>(self) -> bool {
        let (rewards, has_few_codes) = (G::REWARDS, <G::Action as Action>::MAX_CODE <= MOST_CODE_OF_LINES);
        match self {
            LayoutKind::Narrow => rewards.halves && rewards.bounds.is_some() && has_few_codes,
            LayoutKind::Packed => rewards.halves && rewards.bounds.is_some() && !has_few_codes,
            LayoutKind::Wide => !rewards.halves && rewards.bounds.is_some(),
            LayoutKind::Scores => rewards.bounds.is_none(),
            LayoutKind::Informed => true,
            LayoutKind::InformationSets => {
                !matches!((G::INFORMATION, G::TURN_ORDER), (Information::Perfect, TurnOrder::Alternating))
            }
        }
    }
}
