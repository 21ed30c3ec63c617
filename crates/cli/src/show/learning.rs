//! Learned weights as a table.

use boughs_agents::learn::{Learned, Step};
use boughs_arena::harmless_line;
use comfy_table::CellAlignment::{Left, Right};

use super::plain_table;

/// The number of rounds that count as the last ones.
const RECENT: usize = 10;

/// The means of the last rounds, in a line. Every round weighs by its games, because one may have fewer.
pub(crate) fn recent(curve: &[Step]) -> String {
    let first = curve.len().saturating_sub(RECENT);
    let mut played = first.checked_sub(1).map_or(0, |before| curve[before].games);
    let games = curve[first..].iter().map(|step| {
        let before = std::mem::replace(&mut played, step.games);
        (step, step.games.saturating_sub(before) as f64)
    });
    let games: Vec<(&Step, f64)> = games.collect();
    let all = games.iter().map(|(_, games)| games).sum::<f64>().max(1.0);
    let mean = |value: fn(&Step) -> f64| games.iter().map(|(step, games)| value(step) * games).sum::<f64>() / all;
    let (first, turns, error) = (mean(|step| step.first), mean(|step| step.turns), mean(|step| step.error));
    format!("player 0 wins {:.0} %  {turns:.0} turns a game  values are {:.1} % off", 100.0 * first, 100.0 * error)
}

/// All weights, and their worth to each player.
pub(crate) fn text(learned: &Learned, files: &[String]) -> String {
    let mut table = plain_table(&[("feature", Left), ("weight", Right), ("first", Right), ("second", Right)]);
    for feature in &learned.features {
        let points = learned.worth(feature).map(|worth| format!("{:+.1}", 100.0 * worth));
        let [first, second] = points;
        table.add_row([harmless_line(&feature.name), format!("{:+.3}", feature.weight), first, second]);
    }
    format!(
        "{}\n\nfirst, second: share of games that one more adds to the wins of this player, in %\n\
         {} games; in the last ones {}\nwrote {}\n",
        table.trim_fmt(),
        learned.games,
        recent(&learned.curve),
        files.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_rounds_weigh_by_their_games() {
        let step = |games, first, turns| Step { games, first, turns, error: 0.5 };
        let line = recent(&[step(300, 0.2, 50.0), step(400, 0.6, 90.0)]);
        assert_eq!(line, "player 0 wins 30 %  60 turns a game  values are 50.0 % off");
        // Twenty rounds of ten games, of which the last ten count, the very last with one game only.
        let mut curve: Vec<Step> =
            (1..20).map(|round| step(10 * round, f64::from(u8::from(round > 10)), 60.0)).collect();
        curve.push(step(191, 0.0, 60.0));
        assert!(recent(&curve).starts_with("player 0 wins 99 %"), "{}", recent(&curve));
    }
}
