//! A report as comma-separated values.

use std::fmt::Write;

use boughs_arena::statistics::Estimate;
use boughs_lab::strength::{StrengthReport, StrengthRow};

/// Writes a line of titles, and a line for each row of the report. Every estimate has three cells, its value and both
/// ends of its interval, which are empty where there is none. The spec of an agent has commas, so it is in quotes.
pub(super) fn csv(report: &StrengthReport) -> String {
    let mut text = "table,limit,name,size,agent,games,wins,draws,losses,".to_string();
    let estimates = ["share", "elo", "equal_to", "speed_up", "optimal"];
    text.extend(estimates.map(|name| format!("{name},{name}_low,{name}_high,")));
    text.push_str("games_more\n");
    for row in &report.rows {
        let StrengthRow { kind, limit, name, size, agent, games, .. } = row;
        let (kind, count) = (kind.name(), games.count());
        let _ = write!(
            text,
            "{kind},{limit},{name},{size},\"{agent}\",{count},{},{},{},",
            games.wins, games.draws, games.losses
        );
        for estimate in [Some(row.share), Some(row.elo), row.equal_to, row.speed_up, row.optimal] {
            text.push_str(&cells(estimate));
        }
        let _ = writeln!(text, "{}", row.games_more.map_or(String::new(), |more| more.to_string()));
    }
    text
}

fn cells(estimate: Option<Estimate>) -> String {
    match estimate {
        Some(Estimate::Between { value, low, high }) => format!("{value},{low},{high},"),
        Some(Estimate::AtLeast { low, .. }) => format!(",{low},,"),
        Some(Estimate::AtMost { high, .. }) => format!(",,{high},"),
        Some(Estimate::Unknown { .. }) | None => ",,,".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_parts_of_an_estimate_are_empty() {
        assert_eq!(cells(Some(Estimate::Between { value: 2.0, low: 1.5, high: 4.0 })), "2,1.5,4,");
        assert_eq!(cells(Some(Estimate::AtLeast { low: 4.0, why: "" })), ",4,,");
        assert_eq!(cells(Some(Estimate::AtMost { high: 4.0, why: "" })), ",,4,");
        assert_eq!((cells(Some(Estimate::Unknown { why: "" })), cells(None)), (",,,".to_string(), ",,,".to_string()));
    }
}
