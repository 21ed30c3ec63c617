//! Results of tuning.

use std::fmt::Write;

use boughs_arena::Tuned;
use boughs_arena::statistics::{Decision, elo_words};
use comfy_table::CellAlignment::{Left, Right};
use indicatif::HumanCount;

use super::contest::changed_files_warning;
use super::{percent, plain_table};

/// Most candidates that are listed.
const ROWS: usize = 20;

/// The result as text.
pub(crate) fn text(tuned: &Tuned, base: &str, command: &str) -> String {
    let mut table = plain_table(&[("candidate", Left), ("stages", Right), ("games", Right), ("points", Right)]);
    for tried in tuned.tried.iter().take(ROWS) {
        let games = tried.strength.tally.games;
        table.add_row([
            tried.agent.clone(),
            tried.stages.to_string(),
            HumanCount(games.count()).to_string(),
            percent(games.points() / games.count().max(1) as f64),
        ]);
    }
    let mut text = table.trim_fmt() + "\n";
    if tuned.tried.len() > ROWS {
        let _ = writeln!(text, " and {} more", tuned.tried.len() - ROWS);
    }
    text.push_str(" the best of many were lucky too, so only the test in fresh games counts\n\n");
    match &tuned.confirmation {
        None => text.push_str(" interrupted before the best candidate was tested\n"),
        Some(confirmation) => {
            let (agent, sprt) = (&confirmation.agent, confirmation.sprt);
            let games = HumanCount(confirmation.strength.tally.games.count());
            let elo = elo_words(confirmation.strength.elo);
            let _ = writeln!(text, " best      {agent}");
            let _ = writeln!(text, " against   {base}, {games} fresh games");
            let _ = writeln!(text, " Elo       {elo}");
            let _ = writeln!(text, " LLR       {:.2} of {:.2} to {:.2}", sprt.llr, sprt.lower, sprt.upper);
            let _ = match sprt.decision {
                Decision::AcceptH1 => writeln!(text, " result    stronger: take {agent}"),
                Decision::AcceptH0 => writeln!(text, " result    not proven stronger: keep {base}"),
                Decision::Continue => {
                    writeln!(text, " result    not decided yet: keep {base}, or go on with more --most-rounds")
                }
            };
        }
    }
    if let Some(warning) = changed_files_warning(&tuned.changed_files) {
        let _ = writeln!(text, " warning   {warning}");
    }
    let _ = writeln!(text, " command   {command}");
    text
}
