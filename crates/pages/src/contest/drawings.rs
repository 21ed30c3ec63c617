//! Small drawings of results: bars, columns, intervals on a track, and the state of a test.

use boughs_arena::statistics::{Decision, Estimate, Games, Pairs, Sprt};
use maud::{Markup, html};

use crate::text::{grouped, short};

/// The state of a sequential test, as a point between its bounds.
pub(super) fn llr(sprt: &Sprt, pairs: Pairs) -> Markup {
    let state = sprt.state(pairs);
    let (elo0, elo1) = (sprt.elo0(), sprt.elo1());
    let place = 100.0 * ((state.llr - state.lower) / (state.upper - state.lower)).clamp(0.0, 1.0);
    html! {
        (format!("{:.2} of {:.2} to {:.2}: ", state.llr, state.lower, state.upper))
        @match state.decision {
            Decision::AcceptH0 => { "A is not stronger by more than Elo " (elo0) }
            Decision::AcceptH1 => { "A is stronger by Elo " (elo1) " or so" }
            Decision::Continue => {
                "not decided between Elo " (elo0) " and " (elo1)
                @if let Some(more) = state.pairs_more { "; about " (grouped(2 * more)) " games more" }
            }
        }
        div.track { span.point style={ "left:" (short(place, 2)) "%" } {} }
    }
}

/// A bar of the shares of games won, drawn and lost.
pub(super) fn shares(games: Games) -> Markup {
    let parts = [("won", games.wins), ("drawn", games.draws), ("lost", games.losses)];
    html! {
        div.shares { @for (class, count) in parts {
            @if count > 0 { span class=(class) style={ "flex-grow:" (count) } title={ (count) " " (class) } {} }
        } }
    }
}

/// The five counts of pairs (pentanomial) as columns.
pub(super) fn pentanomial(pairs: Pairs) -> Markup {
    let most = pairs.0.into_iter().max().unwrap_or_default().max(1);
    html! {
        div.columns { @for (count, points) in pairs.0.into_iter().zip(["0", "½", "1", "1½", "2"]) {
            div {
                span { (grouped(count)) }
                div.column style={ "height:" (short(100.0 * count as f64 / most as f64, 1)) "px" } {}
                span { (points) }
            }
        } }
    }
}

/// The range of all ends of intervals, with room for those that have no end there.
pub(super) fn range(estimates: impl Iterator<Item = Estimate>) -> [f64; 2] {
    const ROOM: f64 = 200.0;
    let ([mut least, mut most], mut room) = ([0.0f64; 2], [0.0; 2]);
    for estimate in estimates {
        let (low, high) = match estimate {
            Estimate::Between { low, high, .. } => (low, high),
            Estimate::AtLeast { low, .. } => (low, low),
            Estimate::AtMost { high, .. } => (high, high),
            Estimate::Unknown { .. } => continue,
        };
        (least, most) = (least.min(low), most.max(high));
        match estimate {
            Estimate::AtMost { .. } => room[0] = ROOM,
            Estimate::AtLeast { .. } => room[1] = ROOM,
            _ => {}
        }
    }
    [least - room[0], most + room[1]]
}

/// Draws an interval as a part of a track. An interval without an end goes on to the edge.
pub(super) fn interval(estimate: Estimate, [least, most]: [f64; 2]) -> Markup {
    let (low, high) = match estimate {
        Estimate::Between { low, high, .. } => (low, high),
        Estimate::AtLeast { low, .. } => (low, most),
        Estimate::AtMost { high, .. } => (least, high),
        Estimate::Unknown { .. } => return html! {},
    };
    let place = |elo: f64| 100.0 * (elo - least) / (most - least).max(1.0);
    html! {
        div.track {
            span.part style={ "left:" (short(place(low), 2)) "%;width:" (short(place(high) - place(low), 2)) "%" } {}
            @if let Some(value) = estimate.value() { span.point style={ "left:" (short(place(value), 2)) "%" } {} }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_drawing_stays_within_its_frame() {
        let estimates = [
            Estimate::Between { value: 10.0, low: -20.0, high: 50.0 },
            Estimate::AtLeast { low: 300.0, why: "" },
            Estimate::AtMost { high: -300.0, why: "" },
            Estimate::Unknown { why: "" },
        ];
        let range = range(estimates.into_iter());
        assert_eq!(range, [-500.0, 500.0]);
        let drawn = |estimate: Estimate| interval(estimate, range).into_string();
        assert!(drawn(estimates[0]).contains("left:48%;width:7%") && drawn(estimates[0]).contains("left:51%"));
        assert!(drawn(estimates[1]).contains("left:80%;width:20%"));
        assert!(drawn(estimates[2]).contains("left:0%;width:20%"));
        assert_eq!(interval(estimates[3], range).into_string(), "");
        let bound = Estimate::AtMost { high: 216.0, why: "" };
        assert_eq!(super::range([bound].into_iter()), [-200.0, 216.0], "a bar without an end reaches beyond 0");
        let nothing = super::range(std::iter::empty());
        assert!(!interval(estimates[1], nothing).into_string().contains("NaN"));
    }

    #[test]
    fn the_largest_of_the_five_columns_has_its_full_height() {
        let text = pentanomial(Pairs([0, 5, 10, 2, 0])).into_string();
        assert!(text.contains("height:100px") && text.contains("height:50px") && text.contains("height:0px"));
        assert!(!pentanomial(Pairs([0; 5])).into_string().contains("NaN"));
    }

    #[test]
    fn the_parts_of_a_bar_are_the_games() {
        let text = shares(Games { wins: 7, draws: 0, losses: 3 }).into_string();
        assert!(text.contains("class=\"won\" style=\"flex-grow:7\"") && !text.contains("drawn"), "{text}");
        assert!(text.contains("class=\"lost\" style=\"flex-grow:3\""), "{text}");
    }

    #[test]
    fn a_test_is_shown_with_its_bounds_and_its_decision() {
        let sprt: Sprt = "0,50".parse().unwrap();
        let text = |pairs| llr(&sprt, Pairs(pairs)).into_string();
        assert!(text([0, 1, 3, 2, 0]).contains("-2.94 to 2.94: not decided between Elo 0 and 50; about"));
        assert!(
            text([0, 10, 20, 50, 20]).contains("A is stronger by Elo 50")
                && text([0, 10, 20, 50, 20]).contains("left:100%")
        );
        assert!(text([20, 50, 20, 10, 0]).contains("not stronger by more than Elo 0"));
    }
}
