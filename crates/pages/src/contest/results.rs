//! The results of a contest: its numbers and tables.

use boughs::notation::counted;
use boughs_arena::PairScore;
use boughs_arena::statistics::{Ratings, elo_words};
use maud::{Markup, html};

use super::ContestPage;
use super::drawings::{interval, llr, pentanomial, range, shares};
use crate::document::table_of;
use crate::text::{elo, grouped, letter, percent, reward, short, unbroken};

/// The results of a match, which has one pairing.
pub(super) fn of_match(page: &ContestPage<'_>, standing: &PairScore, players: usize) -> Markup {
    let strength = standing.strength();
    let games = strength.tally.games;
    html! {
        dl {
            dt { "games" }
            dd {
                (grouped(games.count())) @if players == 2 { " in " (pairs(strength.tally.pairs.count())) }
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
                dd {
                    @if standing.has_only_faults() {
                        "every game ended by a fault, so the test says nothing of strength"
                    } @else {
                        (llr(sprt, strength.tally.pairs))
                    }
                }
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
            @let rows = (0..ratings.table.len()).map(|place| rating_row(page, ratings, place, range)).collect();
            (table_of(&RATING_TITLES, rows))
        }
        h3 { "Cross table" }
        (cross_table(page))
        h3 { "Pairings" }
        (pairings(conditions.pairings.iter().zip(standings), players))
    }
}

const RATING_TITLES: [&str; 7] = ["contestant", "place", "Elo", "interval", "games", "points", "against the one above"];

/// The row of a place in the table of ratings. Two ratings may have the same bound where the one above won every game,
/// so a row has its points against the one above too.
fn rating_row(page: &ContestPage<'_>, ratings: &Ratings, place: usize, range: [f64; 2]) -> Vec<Markup> {
    let rating = &ratings.table[place];
    let above = place.checked_sub(1).map(|above| ratings.table[above].contestant);
    let against = |above| Some(format!("{} against place {place}", points(page, rating.contestant, above)?));
    vec![
        name(page, rating.contestant),
        html! { (place + 1) },
        html! { (elo_words(rating.elo)) },
        interval(rating.elo, range),
        html! { (rating.games) },
        html! { (short(rating.points, 1)) },
        html! { (above.and_then(against).unwrap_or_default()) },
    ]
}

/// The table of all pairings.
fn pairings<'a>(met: impl Iterator<Item = (&'a [usize; 2], &'a PairScore)>, players: usize) -> Markup {
    let mut titles = vec!["pairing", "games", "won", "drawn", "lost", "shares"];
    match players {
        ..=2 => titles.extend(["Elo", "nElo", "LOS", "pairs"]),
        _ => titles.push("rewards differ by"),
    }
    let row = |([a, b], standing): (&[usize; 2], &PairScore)| {
        let strength = standing.strength();
        let games = strength.tally.games;
        let mut row = vec![html! { (letter(*a)) " : " (letter(*b)) }];
        row.extend([games.count(), games.wins, games.draws, games.losses].map(|count| html! { (count) }));
        row.push(shares(games));
        let numbers = match players {
            ..=2 => vec![
                elo_words(strength.elo),
                format!("{:+.1}", strength.normalised_elo),
                unbroken(&percent(strength.los)),
                unbroken(&strength.tally.pairs.0.map(|count| count.to_string()).join(" ")),
            ],
            _ => vec![format!("{:+.4}", standing.difference().estimate())],
        };
        row.extend(numbers.into_iter().map(|number| html! { (number) }));
        row
    };
    table_of(&titles, met.map(row).collect())
}

fn pairs(count: u64) -> String {
    counted(grouped(count), "pairs")
}

/// The letter and the name of a contestant.
pub(super) fn name(page: &ContestPage<'_>, contestant: usize) -> Markup {
    html! { b { (letter(contestant)) } " " code { (page.contest.conditions().contestants[contestant]) } }
}

/// The points of a contestant against another, and the number of their games, if there are any.
fn points(page: &ContestPage<'_>, own: usize, other: usize) -> Option<String> {
    let (conditions, standings) = (page.contest.conditions(), page.contest.standings());
    let met = conditions.pairings.iter().zip(standings).find_map(|(&pairing, standing)| match pairing {
        [a, b] if a == own && b == other => Some(standing.tally()),
        [a, b] if b == own && a == other => Some(standing.tally().turned()),
        _ => None,
    });
    let games = met?.games;
    (own != other && games.count() > 0).then(|| format!("{} / {}", short(games.points(), 1), games.count()))
}

/// The points of every contestant against every other.
fn cross_table(page: &ContestPage<'_>) -> Markup {
    let all = 0..page.contest.conditions().contestants.len();
    html! {
        div.wide { table {
            tr { th.words { "" } @for other in all.clone() { th { (letter(other)) } } }
            @for own in all.clone() {
                tr {
                    td.words { (name(page, own)) }
                    @for other in all.clone() {
                        td { (points(page, own, other).unwrap_or_default()) }
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
