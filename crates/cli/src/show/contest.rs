//! The parts of results that matches and tournaments share.

use std::fmt::Write;

use boughs_arena::{Contest, Load, Progress, Side};
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

/// A warning of games that repeat another one, if there are any.
pub(crate) fn duplicates_warning(duplicates: u64) -> Option<String> {
    let warning = format!(
        "{duplicates} of the games were move for move like another and say nothing new; more varied --openings keep \
         them apart"
    );
    (duplicates > 0).then_some(warning)
}

/// The times, playouts and columns of a side.
pub(crate) fn side_text(side: &Side) -> String {
    let mut text = format!("{:.2} ms a move, {:.2} at most", side.ms_a_move(), side.longest_ms);
    if side.playouts > 0 {
        let _ = write!(text, "; {} playouts a move", HumanCount(side.playouts / side.moves.max(1)));
    }
    // A column of zeros says nothing.
    for (name, mean) in side.columns.iter().filter(|(_, mean)| **mean != 0.0) {
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
    format!("{:.2} of {} cores busy, {:.2} for these games", load.busy, load.cores, load.own)
}
