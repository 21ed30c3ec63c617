//! The parts of results that matches and tournaments share.

use std::collections::BTreeMap;
use std::fmt::Write;

use boughs::notation::counted;
use boughs_agents::{AgentSpec, default_agent};
use boughs_arena::{Conditions, Contest, Contestant, Limit, Load, Progress, Referee, Side, harmless_line};
use indicatif::HumanCount;

/// A contest that was played, or interrupted.
pub(crate) struct Played<'a> {
    pub(crate) contest: &'a Contest<'a>,
    pub(crate) progress: Progress,
    /// The load of the machine meanwhile, where it can be measured.
    pub(crate) load: Option<Load>,
    pub(crate) command: &'a str,
    pub(crate) interrupted: bool,
}

/// A warning of games that repeat another one, if there are any. A referee chooses its openings itself.
pub(crate) fn duplicates_warning(duplicates: u64, game: &str) -> Option<String> {
    let cure = if Referee::of(game).is_some() { "" } else { "; more varied --openings keep them apart" };
    let games = counted(duplicates, "games");
    let warning = format!("{games} repeated another one move for move, which says nothing new{cure}");
    (duplicates > 0).then_some(warning)
}

/// A warning of files that are not as they were in the games that the store has, if there are any.
pub(crate) fn changed_files_warning(changed: &[String]) -> Option<String> {
    let files: Vec<String> = changed.iter().map(|file| format!("'{file}'")).collect();
    let changed = format!(
        "{} changed since the last games that the store has of the same command; those games stay there and do not \
         count here",
        files.join(" and ")
    );
    (!files.is_empty()).then_some(changed)
}

/// The faults by which a side lost games, as the rest of a sentence about it, if there are any.
pub(crate) fn fault_text(side: &Side, limit: Limit) -> Option<String> {
    let last = harmless_line(side.last_fault.as_ref()?);
    let all: Vec<String> = side.faults.iter().map(|(fault, count)| format!("{fault} {count}")).collect();
    // Agents have no standard error, and what a late program wrote does not say why it was late.
    let wrote = side.faults.keys().any(|fault| !["late", "failed"].contains(&fault.as_str()));
    let more = if wrote { "; --only N plays game N again and shows its standard error" } else { "" };
    Some(format!("lost games by what it did ({}); {last}{}{more}", all.join(", "), side.cure(limit)))
}

/// A warning that more games are played than were asked for, because they come in whole rounds, if they are more.
pub(crate) fn rounding_warning(asked: u64, players: usize) -> Option<String> {
    let whole = asked.next_multiple_of(Conditions::games_a_round(players));
    let unit = if players == 2 { "pairs" } else { "rounds" };
    (asked < whole).then(|| format!("--games {asked} plays {whole} games, because they come in whole {unit}"))
}

/// A warning of contestants that are the same, if there are any.
pub(crate) fn equals_warning(contestants: &[Contestant]) -> Option<String> {
    let names: Vec<String> = contestants.iter().map(Contestant::to_string).collect();
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    names.iter().enumerate().for_each(|(place, name)| places.entry(name).or_default().push(place + 1));
    let equal: Vec<String> = places
        .into_iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(name, places)| {
            let places: Vec<String> = places.iter().map(usize::to_string).collect();
            format!("contestants {} are the same, {name}", places.join(" and "))
        })
        .collect();
    (!equal.is_empty()).then(|| format!("{}; between equals only luck is measured", equal.join("; ")))
}

/// A remark on a side that plays by `mcts` without keys in a game that another agent suits, if there is one.
pub(crate) fn unsuited_warning(conditions: &Conditions) -> Option<String> {
    let suits = default_agent(boughs_games::start(&conditions.game).ok()?.entry.name);
    let plays = |agent: &AgentSpec| {
        conditions
            .contestants
            .iter()
            .any(|side| matches!(side, Contestant::Agent(its) if its.to_string() == agent.to_string()))
    };
    let bare = AgentSpec::default();
    let is_unsuited = plays(&bare) && !plays(&suits);
    is_unsuited.then(|| format!("{bare} is not the agent that suits {}; that is {suits}", conditions.game))
}

/// The times, playouts and columns of a side.
pub(crate) fn side_text(side: &Side) -> String {
    let mut text = format!("{:.2} ms a move, {:.2} at most", side.ms_a_move(), side.longest_ms);
    if side.playouts > 0 {
        let _ = write!(text, "; {} a move", counted(HumanCount(side.playouts / side.moves.max(1)), "playouts"));
    }
    // A column of zeros says nothing.
    for (name, mean) in side.columns.iter().filter(|(_, mean)| **mean != 0.0) {
        let name = harmless_line(name);
        let _ = match mean.abs() {
            0.0..1.0 => write!(text, "; {name} {mean:.3}"),
            1.0..1e4 => write!(text, "; {name} {mean:.1}"),
            size => {
                let sign = if *mean < 0.0 { "-" } else { "" };
                write!(text, "; {name} {sign}{}", HumanCount(size.round() as u64))
            }
        };
    }
    text
}

/// The load of the machine.
pub(crate) fn load_text(load: Load) -> String {
    format!("{:.2} of {} busy, {:.2} for these games", load.busy, counted(load.cores, "cores"), load.own)
}
