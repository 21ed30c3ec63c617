//! The results of a contest: numbers, and small drawings of them.

use boughs_arena::PairScore;
use boughs_arena::statistics::{Decision, Estimate, Games, Pairs, Sprt};
use maud::{Markup, html};

use super::ContestPage;
use crate::text::{elo, grouped, letter, percent, reward, short};

/// The results of a match, which has one pairing.
pub(super) fn of_match(page: &ContestPage<'_>, standing: &PairScore, players: usize) -> Markup {
    let strength = standing.strength();
    let games = strength.tally.games;
    html! {
        dl {
            dt { "games" }
            dd {
                (grouped(games.count())) @if players == 2 { " in " (grouped(strength.tally.pairs.count())) " pairs" }
                ": A won " (games.wins) ", drew " (games.draws) ", lost " (games.losses)
                (shares(games))
            }
            @if players <= 2 {
                dt { "Elo of A" }
                dd { strong { (elo(strength.elo)) } }
                dt { "nElo" }
                dd { (format!("{:+.1}", strength.normalised_elo)) }
                dt { "LOS" }
                dd { (percent(strength.los)) }
                dt { "draw ratio" }
                dd { (strength.draw_ratio.map_or("no games".to_string(), percent)) }
            }
            @if let Some(sprt) = &page.sprt {
                dt { "LLR" }
                dd { (llr(sprt, strength.tally.pairs)) }
            }
            @if players != 2 { (rewards(standing)) }
            @if let Some(plies) = standing.plies().value() {
                dt { "plies a game" }
                dd { (short(plies, 1)) }
            }
        }
        @if players <= 2 && strength.tally.pairs.count() > 0 {
            figure {
                (pentanomial(strength.tally.pairs))
                figcaption { "Pairs by the points of A (pentanomial counts)" }
            }
        }
    }
}

/// The results of a tournament: ratings, a cross table, and all pairings.
pub(super) fn of_tournament(page: &ContestPage<'_>, players: usize) -> Markup {
    let (conditions, standings) = (page.contest.conditions(), page.contest.standings());
    html! {
        @if let Some(ratings) = page.ratings {
            h3 { "Ratings" }
            @let range = range(ratings.table.iter().map(|rating| rating.elo));
            div.wide { table {
                tr { th { "" } th.words { "contestant" } th { "Elo" } th { "" } th { "games" } th { "points" } }
                @for (place, rating) in ratings.table.iter().enumerate() {
                    tr {
                        td { (place + 1) }
                        td.words { (name(page, rating.contestant)) }
                        td.estimate { (format!("{:+.1}", rating.elo)) }
                        td { (interval(rating.elo, range)) }
                        td { (rating.games) }
                        td { (short(rating.points, 1)) }
                    }
                }
            } }
        }
        h3 { "Cross table" }
        (cross_table(page))
        h3 { "Pairings" }
        div.wide { table {
            tr {
                th.words { "pairing" }
                @for head in ["games", "won", "drawn", "lost", "", "Elo", "nElo", "LOS", "pairs"] { th { (head) } }
            }
            @for ([a, b], standing) in conditions.pairings.iter().zip(standings) {
                @let strength = standing.strength();
                @let games = strength.tally.games;
                tr {
                    td.words { (letter(*a)) " : " (letter(*b)) }
                    td { (games.count()) } td { (games.wins) } td { (games.draws) } td { (games.losses) }
                    td { (shares(games)) }
                    @if players <= 2 {
                        td.estimate { (format!("{:+.1}", strength.elo)) }
                        td.estimate { (format!("{:+.1}", strength.normalised_elo)) }
                        td { (percent(strength.los)) }
                        td { (strength.tally.pairs.0.map(|count| count.to_string()).join(" ")) }
                    } @else {
                        td colspan="4" { "rewards differ by " (format!("{:+.4}", standing.difference().estimate())) }
                    }
                }
            }
        } }
    }
}

/// The letter and the name of a contestant.
pub(super) fn name(page: &ContestPage<'_>, contestant: usize) -> Markup {
    html! { b { (letter(contestant)) } " " code { (page.contest.conditions().contestants[contestant]) } }
}

/// The points of every contestant against every other.
fn cross_table(page: &ContestPage<'_>) -> Markup {
    let (conditions, standings) = (page.contest.conditions(), page.contest.standings());
    let between = |own: usize, other: usize| {
        let met = conditions.pairings.iter().zip(standings).find_map(|(&pairing, standing)| match pairing {
            [a, b] if a == own && b == other => Some(standing.tally()),
            [a, b] if b == own && a == other => Some(standing.tally().turned()),
            _ => None,
        });
        met.map(|tally| tally.games).filter(|games| own != other && games.count() > 0)
    };
    let all = 0..conditions.contestants.len();
    html! {
        div.wide { table {
            tr { th.words { "" } @for other in all.clone() { th { (letter(other)) } } }
            @for own in all.clone() {
                tr {
                    td.words { (name(page, own)) }
                    @for other in all.clone() {
                        td {
                            @if let Some(games) = between(own, other) {
                                (short(games.points(), 1)) " / " (games.count())
                            }
                        }
                    }
                }
            }
        } }
    }
}

/// The mean rewards of the sides.
fn rewards(standing: &PairScore) -> Markup {
    let [a, b] = [0, 1].map(|side| standing.rewards()[side].value().map_or("nothing yet".to_string(), reward));
    html! {
        dt { "rewards" }
        dd { "A " (a) ", B " (b) ", difference " (format!("{:+.4}", standing.difference().estimate())) }
    }
}

fn llr(sprt: &Sprt, pairs: Pairs) -> Markup {
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
fn shares(games: Games) -> Markup {
    let parts = [("won", games.wins), ("drawn", games.draws), ("lost", games.losses)];
    html! {
        div.shares { @for (class, count) in parts {
            @if count > 0 { span class=(class) style={ "flex-grow:" (count) } title={ (count) " " (class) } {} }
        } }
    }
}

/// The five counts of pairs (pentanomial) as columns.
fn pentanomial(pairs: Pairs) -> Markup {
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

/// The range of all intervals.
fn range(estimates: impl Iterator<Item = Estimate>) -> [f64; 2] {
    let ends = estimates.flat_map(|estimate| match estimate {
        Estimate::Between { low, high, .. } => vec![low, high],
        Estimate::AtLeast { low: end, .. } | Estimate::AtMost { high: end, .. } => vec![end],
        Estimate::Unknown { .. } => vec![],
    });
    ends.fold([0.0, 0.0], |[low, high]: [f64; 2], end| [low.min(end), high.max(end)])
}

/// Draws an interval as a part of a track. An interval without an end goes on to the edge.
fn interval(estimate: Estimate, [least, most]: [f64; 2]) -> Markup {
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
        assert_eq!(range, [-300.0, 300.0]);
        assert!(interval(estimates[0], range).into_string().contains("left:46.67%;width:11.67%"));
        assert!(interval(estimates[1], range).into_string().contains("left:100%;width:0%"));
        assert!(interval(estimates[2], range).into_string().contains("left:0%;width:0%"));
        assert_eq!(interval(estimates[3], range).into_string(), "");
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
