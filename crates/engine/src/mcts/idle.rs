//! Keys that are set and change nothing, because of the other settings or of the game.

use super::SearchError;
use super::search_state::kind_of;
use crate::mcts::policies::{counts_amaf, needs_policy};
use crate::mcts::settings::{Learning, Parallel, Policy, Settings, TreeKind};
use crate::playout::PlayoutKind;
use crate::spec;
use crate::{GameFacts, Knowledge, TurnOrder};

/// The facts of a game, the knowledge of its evaluator, and the kind of the tree.
type Known<'f> = (&'f GameFacts, Knowledge, TreeKind);

/// The first key that is set and changes nothing, with the reason: the end of a sentence that begins with `c changes
/// nothing`. Without a game those that the other settings leave without an effect in every game.
pub(in crate::mcts) fn idle(settings: &Settings, known: Option<Known<'_>>) -> Option<(&'static str, &'static str)> {
    let (is_gumbel, is_rm) = (settings.policy == Policy::Gumbel, settings.policy == Policy::RegretMatching);
    // Where an outcome is known the move is the best one, by the rule for the final move.
    let is_drawn = is_rm || (is_gumbel || settings.temperature > 0.0) && !settings.solver;
    let is_random = settings.learning != Learning::Off || settings.playout == PlayoutKind::Greedy;
    let has_evaluator = settings.evaluator || settings.net.is_some();
    let never_plays = has_evaluator && settings.mix == 0.0;
    let has_other_nodes = known.is_some_and(|(_, _, kind)| kind != TreeKind::Plain);
    let goes_one_by_one = is_rm || has_other_nodes || needs_policy(settings) || settings.parallel == Parallel::Batched;
    // In trees of information sets the choices of others before the searched one are made as in playouts.
    let has_none_before = known.is_some_and(|(_, _, kind)| matches!(kind, TreeKind::Plain | TreeKind::Open));
    // The outcomes of chance have no priors.
    let expands_at_once = known.is_some_and(|(facts, knowledge, _)| {
        has_evaluator && knowledge == Knowledge::ValuesAndPriors && facts.turn_order == TurnOrder::Alternating
    });
    let keys = [
        ("c", is_gumbel || is_rm, "with policy=gumbel and policy=rm, which explore in another way"),
        ("fpu", is_gumbel || is_rm, "with policy=gumbel and policy=rm, which explore in another way"),
        ("loss", is_rm, "with policy=rm, which draws its choices"),
        ("temperature", is_rm, "with policy=rm, which draws the move by its strategy"),
        ("final", is_drawn, "with policy=gumbel, policy=rm and temperature, which choose the move themselves"),
        ("bulk", goes_one_by_one, "where simulations go one by one: all but those by policy=ucb1 in plain trees"),
        ("expand", expands_at_once, "beside an evaluator with priors, which expands each leaf that it values"),
        ("playout", never_plays && has_none_before, "beside an evaluator without mix"),
        ("playouts", never_plays, "beside an evaluator without mix"),
        ("epsilon", !is_random, "without learn and without playout=greedy"),
        ("wait", !has_evaluator, "without an evaluator"),
        ("bias", settings.policy != Policy::ProgressiveBias, "without policy=bias"),
        ("amaf", !counts_amaf(settings), "without policy=rave and policy=grave"),
        ("ref", settings.policy != Policy::Grave, "without policy=grave"),
        ("fpu", settings.widening > 0.0, "with widen, whose policy compares visited children alone"),
        ("widening", settings.widening == 0.0, "without widen"),
        ("alpha", settings.noise == 0.0, "without noise"),
    ];
    let set = spec::set_keys(settings);
    keys.into_iter().find(|(key, is_idle, _)| *is_idle && set.contains(key)).map(|(key, _, why)| (key, why))
}

/// Checks that no key changes nothing, of settings that make a search in this kind of tree or cannot make one.
///
/// # Errors
/// That of the search, and if there is such a key, with the nearest settings that go with the game.
pub(super) fn check(
    facts: &GameFacts,
    knowledge: Knowledge,
    settings: &Settings,
    kind: Result<TreeKind, SearchError>,
) -> Result<(), SearchError> {
    let (reason, instead) = match kind {
        Ok(kind) => match idle(settings, Some((facts, knowledge, kind))) {
            Some((key, why)) => (format!("{key} changes nothing {why}"), settings.to_string()),
            None => return Ok(()),
        },
        Err(SearchError::Unsupported { reason, instead }) => (reason, instead),
        Err(error) => return Err(error),
    };
    let Ok(mut nearest) = instead.parse::<Settings>() else {
        return Err(SearchError::Unsupported { reason, instead });
    };
    while let Ok(kind) = kind_of(facts, knowledge, &nearest)
        && let Some((key, _)) = idle(&nearest, Some((facts, knowledge, kind)))
    {
        spec::leave_out(&mut nearest, key);
    }
    Err(SearchError::Unsupported { reason, instead: nearest.to_string() })
}
