//! Learned weights as a table.

use boughs_agents::learn::{Learned, Step};
use comfy_table::CellAlignment::{Left, Right};

use super::plain_table;

/// The means of the last rounds, in a line.
pub(crate) fn recent(steps: &[Step]) -> String {
    let mean = |value: fn(&Step) -> f64| steps.iter().map(value).sum::<f64>() / steps.len().max(1) as f64;
    let (first, turns, error) = (mean(|step| step.first), mean(|step| step.turns), mean(|step| step.error));
    format!("player 0 wins {:.0} %  {turns:.0} turns a game  values are {:.1} % off", 100.0 * first, 100.0 * error)
}

/// All weights, and their worth to each player.
pub(crate) fn text(learned: &Learned, files: &[String]) -> String {
    let mut table = plain_table(&[("feature", Left), ("weight", Right), ("first", Right), ("second", Right)]);
    for feature in &learned.features {
        let points = learned.worth(feature).map(|worth| format!("{:+.1}", 100.0 * worth));
        let [first, second] = points;
        table.add_row([feature.name.clone(), format!("{:+.3}", feature.weight), first, second]);
    }
    let last = &learned.curve[learned.curve.len().saturating_sub(10)..];
    format!(
        "{}\n\nfirst, second: share of games that one more adds to the wins of this player, in %\n\
         {} games; in the last ones {}\nwrote {}\n",
        table.trim_fmt(),
        learned.games,
        recent(last),
        files.join(", ")
    )
}
